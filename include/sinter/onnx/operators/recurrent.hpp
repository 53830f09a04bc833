// SPDX-License-Identifier: Apache-2.0
// ONNX's recurrent layers. Each direction of one is a foreach along time.
#pragma once
#include "cell_activations.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// What a cell computes in one turn, of symbols: x and h times their weights, without types.
class cell_step {
 public:
  cell_step(site& k, cell kind, std::int64_t hidden, std::vector<activation> functions)
      : kind_(kind), hidden_(hidden), functions_(std::move(functions)) {
    if (attribute const* const a = k.find("clip", attribute_type::real)) clip_ = a->real;
    before_reset_ = k.truth("linear_before_reset", false);
    coupled_ = k.truth("input_forget", false);
  }
  // r (gates * hidden, hidden), its bias (gates * hidden), peepholes (3 * hidden) of an LSTM.
  std::optional<symbol> recurrent, bias, peepholes;

  // x: (batch, gates * hidden). Gives the new h, and c of an LSTM.
  std::vector<symbol> operator()(symbol const& x, std::vector<symbol> const& states) const {
    symbol const& h = states[0];
    switch (kind_) {
      case cell::rnn: return {activate(0, F.add(x, projected(h)))};
      case cell::gru: return {gru(x, h)};
      case cell::lstm: return lstm(x, h, states[1]);
    }
    throw error("sinter: there is no such cell");
  }

 private:
  static constexpr sym::composing F{};
  cell kind_;
  std::int64_t hidden_;
  std::vector<activation> functions_;
  std::optional<double> clip_;
  bool before_reset_ = false, coupled_ = false;

  symbol activate(std::size_t i, symbol const& x) const { return functions_[i](clip_ ? F.clip(x, -*clip_, *clip_) : x); }
  // The numbers of gates from one on, of the last axis.
  symbol gates(symbol const& x, std::int64_t first, std::int64_t many, int axis) const {
    int_list begin, end;
    for (int i = 0; i < axis; ++i) begin.push(0), end.push(open);
    begin.push(first * hidden_), end.push((first + many) * hidden_);
    return sym::call("slice", {x}, {{"begin", begin}, {"end", end}})[0];
  }
  symbol projected(symbol const& h) const {
    symbol const y = F.matmul(h, *recurrent, transpose_b);
    return bias ? F.add(y, *bias) : y;
  }
  symbol gru(symbol const& x, symbol const& h) const {
    symbol const zr = F.matmul(h, gates(*recurrent, 0, 2, 0), transpose_b);
    symbol const both = F.add(gates(x, 0, 2, 1), bias ? F.add(zr, gates(*bias, 0, 2, 0)) : zr);
    symbol const z = activate(0, gates(both, 0, 1, 1)), r = activate(0, gates(both, 1, 1, 1));
    symbol y = F.matmul(before_reset_ ? h : F.multiply(r, h), gates(*recurrent, 2, 1, 0), transpose_b);
    if (bias) y = F.add(y, gates(*bias, 2, 1, 0));
    if (before_reset_) y = F.multiply(r, y);
    symbol const fresh = activate(1, F.add(gates(x, 2, 1, 1), y));
    return F.add(F.multiply(F.subtract(1, z), fresh), F.multiply(z, h));
  }
  std::vector<symbol> lstm(symbol const& x, symbol const& h, symbol const& c) const {
    symbol const all = F.add(x, projected(h));
    auto const gate = [&](std::int64_t i, int hole, symbol const& looks_at) {
      symbol const g = gates(all, i, 1, 1);
      return peepholes && hole >= 0 ? F.add(g, F.multiply(gates(*peepholes, hole, 1, 0), looks_at)) : g;
    };
    symbol const i = activate(0, gate(0, 0, c)), f = coupled_ ? F.subtract(1, i) : activate(0, gate(2, 2, c));
    symbol const now = F.add(F.multiply(f, c), F.multiply(i, activate(1, gate(3, -1, c))));
    symbol const o = activate(0, gate(1, 1, now));
    return {F.multiply(o, activate(2, now)), now};
  }
};

struct recurrent_layer {
  site& k;
  cell kind;
  term x, weight, recurrent;
  std::int64_t turns, batch, hidden, directions;
  std::string direction;
  dtype type;
  std::vector<activation> functions;

  recurrent_layer(site& of, cell c)
      : k(of),
        kind(c),
        x(of.whole("layout", 0) == 1 ? of("swap_axes", {of[0]}, {{"axis", int_list{0, 1}}}) : of[0]),
        weight(of[1]),
        recurrent(of[2]),
        direction(of.text("direction", "forward")),
        type(of[0].type.type) {
    if (x.rank() != 3 || weight.rank() != 3 || recurrent.rank() != 3) k.fail("the input and the weights have three axes");
    turns = x[0], batch = x.free(1), hidden = recurrent[2], directions = weight[0];
    bool const both = direction == "bidirectional";
    if (!both && direction != "forward" && direction != "reverse") k.fail("direction is " + io::in_quotes(direction));
    std::int64_t const gates = static_cast<int>(kind);
    if (directions != (both ? 2 : 1) || recurrent[0] != directions || weight[1] != gates * hidden || recurrent[1] != gates * hidden ||
        weight[2] != x[2] || k.whole("hidden_size", hidden) != hidden)
      k.fail("the weights, " + in_words(weight.type) + " and " + in_words(recurrent.type) + ", do not fit an input of " + in_words(x.type));
    functions = activations_of(k, kind, static_cast<std::size_t>(directions));
  }
  // What an operand has for one direction, along its first axis.
  term of(term const& t, std::int64_t d, dims const& want) {
    dims all{directions};
    for (int i = 0; i < want.rank; ++i) all.push(want.d[i]);
    if (t.type.shape != all) k.fail("an operand is " + in_words(t.type) + ", and " + to_string(all) + " is wanted");
    return k.reshape(k.part(t, 0, d, d + 1), want);
  }
  // `like`, where the batch is no number: (1, batch, hidden), of which zeros have it.
  term state(int i, std::int64_t d, term const& like) {
    if (!k.has(i) && batch < 0) return k("zeros_like", {k.reshape(like, {batch, hidden})});
    if (!k.has(i)) return k.c.number_of(type, 0, {batch, hidden});
    term const given = k.truth("layout", false) ? k("swap_axes", {k[i]}, {{"axis", int_list{0, 1}}}) : k[i];
    return of(given, d, {batch, hidden});
  }
  term reversed(term const& t) { return k.has(4) ? k("sequence_reverse", {t, k[4]}) : k("flip", {t}, {{"axis", int_list{0}}}); }

  // The outputs of all turns, (turns, batch, hidden), and the last states.
  terms run(std::int64_t d) {
    std::int64_t const gates = static_cast<int>(kind) * hidden;
    bool const backwards = direction == "reverse" || d == 1;
    std::ptrdiff_t const each = kind == cell::rnn ? 1 : kind == cell::gru ? 2 : 3;
    cell_step step(k, kind, hidden, {functions.begin() + d * each, functions.begin() + (d + 1) * each});
    term in = k("matmul", {backwards ? reversed(x) : x, of(weight, d, {gates, x[2]})}, {{"transpose_b", true}});
    step.recurrent = of(recurrent, d, {gates, hidden}).s;
    if (k.has(3)) {
      term const both = of(k[3], d, {2 * gates});
      in = k("add", {in, k.part(both, 0, 0, gates)});
      step.bias = k.part(both, 0, gates, 2 * gates).s;
    }
    if (kind == cell::lstm && k.has(7)) step.peepholes = of(k[7], d, {3 * hidden}).s;
    if (turns == 0 && batch < 0) k.fail("a sequence of no time needs a batch that is a number, and has " + in_words(x.type));
    term const like = batch < 0 ? k.part(k.part(in, 0, 0, 1), 2, 0, hidden) : in;
    terms states{state(5, d, like)};
    if (kind == cell::lstm) states.push_back(state(6, d, like));
    if (turns == 0) {  // the states stay as they are
      states.insert(states.begin(), k.c.number_of(type, 0, {0, batch, hidden}));
      return states;
    }
    terms r = repeat(step, in, states);
    if (backwards) r[0] = reversed(r[0]);
    return r;
  }
  // Behind the end of a sequence a turn gives zeros and keeps the states.
  terms repeat(cell_step const& step, term const& in, terms const& states) {
    constexpr sym::composing F{};
    term const alive = k.has(4) ? k("lesser", {k.along(k.positions(turns), 0, 3), k.along(k.cast(k[4], dtype::int64), 1, 3)})
                                : k.c.number_of(dtype::boolean, 1, {turns, 1, 1});
    auto const next = [&](std::tuple<symbol, symbol> const& slice, std::vector<symbol> const& old) {
      std::vector<symbol> now = step(std::get<0>(slice), old);
      symbol y = now[0];
      if (k.has(4)) {
        y = F.where(std::get<1>(slice), y, F.zeros_like(y));
        for (std::size_t i = 0; i < now.size(); ++i) now[i] = F.where(std::get<1>(slice), now[i], old[i]);
      }
      return std::pair(y, now);
    };
    std::tuple const sequences{in.s, alive.s};
    auto const typed = [&](symbol const& s, dims const& shape) { return term{s, {type, shape}}; };
    dims const one{batch, hidden}, all{turns, batch, hidden};
    if (states.size() == 1) {
      auto const [y, h] = F.foreach (
          [&](auto const& slice, symbol const& s) {
            auto const [out, now] = next(slice, {s});
            return std::tuple(out, now[0]);
          },
          sequences, states[0].s);
      return {typed(y, all), typed(h, one)};
    }
    auto const [y, last] = F.foreach (
        [&](auto const& slice, std::tuple<symbol, symbol> const& s) {
          auto const [out, now] = next(slice, {std::get<0>(s), std::get<1>(s)});
          return std::tuple(out, std::tuple(now[0], now[1]));
        },
        sequences, std::tuple(states[0].s, states[1].s));
    return {typed(y, all), typed(std::get<0>(last), one), typed(std::get<1>(last), one)};
  }
};

inline void compose_recurrent(site& k, cell kind) {
  recurrent_layer layer(k, kind);
  std::vector<terms> of_directions;
  of_directions.reserve(static_cast<std::size_t>(layer.directions));
  for (std::int64_t d = 0; d < layer.directions; ++d) of_directions.push_back(layer.run(d));
  bool const batch_first = k.truth("layout", false);
  for (std::size_t i = 0; i < of_directions[0].size(); ++i) {
    terms parts;
    for (terms const& t : of_directions) parts.push_back(t[i]);
    int const axis = i == 0 ? 1 : 0;  // (turns, directions, batch, hidden), (directions, batch, hidden)
    term r = k("stack", parts, {{"axis", int_list{axis}}});
    if (batch_first) r = k("transpose", {r}, {{"axis", i == 0 ? int_list{2, 0, 1, 3} : int_list{1, 0, 2}}});
    k.give(r);
  }
}

#define SINTER_RECURRENT "activation_alpha activation_beta activations clip direction hidden_size"
inline constexpr operator_row recurrent_rows[] = {
    {"GRU", 7, 13, 6, SINTER_RECURRENT " linear_before_reset", "", [](site& k) { compose_recurrent(k, cell::gru); }},
    {"GRU", 14, 0, 6, SINTER_RECURRENT " layout linear_before_reset", "", [](site& k) { compose_recurrent(k, cell::gru); }},
    {"LSTM", 7, 13, 8, SINTER_RECURRENT " input_forget", "", [](site& k) { compose_recurrent(k, cell::lstm); }},
    {"LSTM", 14, 0, 8, SINTER_RECURRENT " input_forget layout", "", [](site& k) { compose_recurrent(k, cell::lstm); }},
    {"RNN", 7, 13, 6, SINTER_RECURRENT, "", [](site& k) { compose_recurrent(k, cell::rnn); }},
    {"RNN", 14, 0, 6, SINTER_RECURRENT " layout", "", [](site& k) { compose_recurrent(k, cell::rnn); }},
};
#undef SINTER_RECURRENT

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
