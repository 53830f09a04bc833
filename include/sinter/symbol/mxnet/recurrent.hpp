// SPDX-License-Identifier: Apache-2.0
// MXNet's RNN: layers of plain cells, of LSTM or of GRU, in one or both directions, with all weights in one vector.
#pragma once
#include "../control_flow.hpp"
#include "shapes.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

struct rnn_attributes {
  std::string mode;
  int size = 0, layers = 0, directions = 1, gates = 1;
  bool has_cell() const { return mode == "lstm"; }
};

class rnn_definition {
 public:
  rnn_definition(rnn_attributes const& a, symbols const& in, operand_types t) : a_(a), in_(in), t_(t) {
    if (t[0].shape.rank != 3) throw shape_error("sinter: its data are (time, batch, channels), and are " + to_string(t[0].shape));
    if (t[0].shape.d[2] < 0 || (t[0].shape.d[1] < 0 && t[0].shape.d[0] < 1))
      throw shape_error("sinter: its data have the shape " + to_string(t[0].shape) + "; all but the batch want numbers");
    std::int64_t const h = a.size, g = a.gates;
    std::int64_t biases = 0;
    for (int l = 0; l < a.layers; ++l) {
      std::int64_t const inputs = l == 0 ? t[0].shape.d[2] : h * a.directions;
      biases += a.directions * g * h * (inputs + h);
    }
    bias_at_ = biases;
    std::int64_t const all = biases + std::int64_t{2} * a.layers * a.directions * g * h;
    if (!(t[1].shape == dims{all}))
      throw shape_error("sinter: its parameters are " + std::to_string(all) + " numbers, and have the shape " + to_string(t[1].shape));
  }
  // The outputs, and the last states.
  symbols results() {
    symbol x = in_[0];
    symbols hidden, cells;
    for (int l = 0; l < a_.layers; ++l) {
      symbols outputs;
      for (int d = 0; d < a_.directions; ++d) {
        symbols const r = layer(x, l, d);
        outputs.push_back(r[0]), hidden.push_back(r[1]);
        if (a_.has_cell()) cells.push_back(r[2]);
      }
      x = a_.directions == 1 ? outputs[0] : one("concat", outputs, {{"axis", int_list{2}}});
    }
    symbols r{x, one("stack", hidden, {{"axis", int_list{0}}})};
    if (a_.has_cell()) r.push_back(one("stack", cells, {{"axis", int_list{0}}}));
    return r;
  }

 private:
  rnn_attributes const& a_;
  symbols const& in_;
  operand_types t_;
  std::int64_t weight_at_ = 0, bias_at_ = 0;

  symbol next(std::int64_t& at, dims const& shape) {
    std::int64_t const from = at;
    at += shape.size();
    return reshaped(slice_along(in_[1], 0, from, at), shape);
  }
  // A state that MXNet leaves open in its batch has 1 there. `products` have the batch as their second axis, and more channels.
  symbol begin(int input, int which, symbol const& products) const {
    auto const row = [](symbol const& s, int i) { return one("squeeze", {slice_along(s, 0, i, i + 1)}, {{"axis", int_list{0}}}); };
    symbol const own = row(in_[static_cast<std::size_t>(input)], which);
    extent const batch = t_[0].shape.d[1];
    if (batch >= 0) return one("broadcast_to", {own}, {{"into", dims{batch, a_.size}}});
    return one("broadcast_like", {own, slice_along(row(products, 0), 1, 0, a_.size)});
  }
  symbols layer(symbol const& x, int l, int d) {
    std::int64_t const h = a_.size, rows = a_.gates * h, inputs = l == 0 ? t_[0].shape.d[2] : h * a_.directions;
    symbol const wi = next(weight_at_, {rows, inputs}), wh = next(weight_at_, {rows, h});
    symbol const bi = next(bias_at_, {rows}), bh = next(bias_at_, {rows});
    auto const in_order = [&](symbol const& s) { return d == 0 ? s : one("flip", {s}, {{"axis", int_list{0}}}); };
    symbol const products = one("fully_connected", {in_order(x), wi, bi}, {{"flattened", false}});
    symbols states{begin(2, l * a_.directions + d, products)};
    if (a_.has_cell()) states.push_back(begin(3, l * a_.directions + d, products));

    region_composer w(ops::info<ops::foreach>);
    w.operands(products);
    for (symbol const& s : states) w.operands(s);
    w.of.sequences = 1;
    w.of.states = static_cast<int>(states.size());
    w.open();
    symbol const row = w.arguments(products, "slice");
    symbols before;
    for (symbol const& s : states) before.push_back(w.arguments(s, "state"));
    symbols const after = turn(row, one("fully_connected", {before[0], wh, bh}), before);
    w.outputs(after[0]);
    for (symbol const& s : after) w.outputs(s);
    w.close();
    w.finish(1 + static_cast<int>(states.size()));
    symbols r{in_order(w.results(products))};
    for (symbol const& s : states) r.push_back(w.results(s));
    return r;
  }
  // The states behind a turn, of the products of input and state.
  symbols turn(symbol const& from_input, symbol const& from_state, symbols const& before) const {
    auto const gates = [&](symbol const& s) { return sym::call("split", {s}, {{"parts", a_.gates}, {"axis", int_list{1}}}); };
    auto const sigmoid = [](symbol const& s) { return one("sigmoid", {s}); };
    auto const tanh = [](symbol const& s) { return one("tanh", {s}); };
    if (a_.mode == "lstm") {
      symbols const g = gates(from_input + from_state);
      symbol const c = sigmoid(g[1]) * before[1] + sigmoid(g[0]) * tanh(g[2]);
      return {sigmoid(g[3]) * tanh(c), c};
    }
    if (a_.mode == "gru") {
      symbols const x = gates(from_input), s = gates(from_state);
      symbol const z = sigmoid(x[1] + s[1]), candidate = tanh(x[2] + sigmoid(x[0] + s[0]) * s[2]);
      return {(1 - z) * candidate + z * before[0]};
    }
    return {one(a_.mode == "rnn_relu" ? "relu" : "tanh", {from_input + from_state})};
  }
};

inline symbols read_rnn(node_reader& n) {
  rnn_attributes a;
  a.mode = n.a.word("mode", {"rnn_relu", "rnn_tanh", "lstm", "gru"});
  a.gates = a.mode == "lstm" ? 4 : a.mode == "gru" ? 3 : 1;
  a.size = n.a.at_least(1, "state_size");
  a.layers = n.a.at_least(1, "num_layers");
  a.directions = n.a.flag("bidirectional", false) ? 2 : 1;
  if (a.size > 1 << 20) n.a.refuse("state_size", "so large states are none of a network");
  if (a.layers > 1 << 10) n.a.refuse("num_layers", "so many layers are none of a network");
  bool const states = n.a.flag("state_outputs", false);
  for (char const* key : {"projection_size", "lstm_state_clip_min", "lstm_state_clip_max"}) n.a.only(key, {"None"});
  if (n.a.flag("lstm_state_clip_nan", false)) n.a.refuse("lstm_state_clip_nan", "sinter knows False");
  if (n.a.flag("use_sequence_length", false)) n.a.refuse("use_sequence_length", "sinter knows False");
  n.a.ignore({"p"});
  if (n.inputs() != (a.has_cell() ? 4 : 3)) throw error("it has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  return n.written(
      [a, states](symbols const& in, operand_types t) {
        symbols all = rnn_definition(a, in, t).results();
        if (!states) all.erase(all.begin() + 1, all.end());
        return all;
      },
      !states        ? 1
      : a.has_cell() ? 3
                     : 2);
}

inline std::vector<row> recurrent_rows() { return {{"RNN", "_npx_rnn", {3, 5}, "", &read_rnn}}; }

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
