// SPDX-License-Identifier: Apache-2.0
// If, Loop and Scan: the branch is chosen and the turns are written one behind the other when the model is composed. Conditions that depend
// on the elements of inputs are computed then, and the plan holds for these.
#pragma once
#include "environment.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline constexpr std::int64_t most_turns = 4096;

inline graph const& subgraph(site& k, std::string_view name) {
  attribute const* const a = k.find(name, attribute_type::graph);
  if (!a) k.fail("the attribute " + std::string(name) + " is missing");
  return a->graphs[0];
}
inline bool is_true(site& k, term const& t) {
  if (t.type.type != dtype::boolean || t.type.shape.size() != 1) k.fail("a condition is " + in_words(t.type) + ", and one bool is wanted");
  return *reinterpret_cast<bool const*>(k.c.elements(t).data());
}
// What a subgraph gives of these inputs. What it is composed of are nodes with names of their own, so errors name them; then it goes on here.
inline terms outputs_of(site& k, graph const& g, terms const& inputs) {
  if (g.inputs.size() != inputs.size())
    k.fail("its graph has " + io::counted(g.inputs.size(), "input") + ", and is given " + std::to_string(inputs.size()));
  environment inner(k.c, k.opset, &k.around);
  for (std::size_t i = 0; i < inputs.size(); ++i) inner.define(g.inputs[i].name, inputs[i]);
  inner.run(g);
  terms r = inner.outputs(g);
  k.c.begin(k.n.name, described(k.n));
  return r;
}
inline void compose_if(site& k) { k.results = outputs_of(k, subgraph(k, is_true(k, k[0]) ? "then_branch" : "else_branch"), {}); }

// Results of all turns along a new axis. Without a turn they are as the graph declares them.
inline term stacked(site& k, terms const& turns, int axis, value const& declared) {
  if (turns.empty()) {
    bool known = declared.is_tensor && declared.has_shape;
    std::vector<std::int64_t> extents;
    for (dimension const& d : declared.shape) {
      known = known && d.name.empty() && d.extent >= 0;
      extents.push_back(d.extent);
    }
    if (!known) k.fail("no turn was made, so that the shape of its results is not known");
    extents.insert(extents.begin() + k.axis(axis, static_cast<int>(extents.size()) + 1), 0);
    return k.c.number_of(dtype_of_code(k, static_cast<std::int64_t>(declared.type)), 0, k.shape(extents));
  }
  for (term const& t : turns)
    if (!(t.type == turns[0].type)) k.fail("its turns give " + in_words(turns[0].type) + " and " + in_words(t.type));
  return k("stack", turns, {{"axis", int_list{k.axis(axis, turns[0].rank() + 1)}}});
}
inline void compose_loop(site& k) {
  graph const& body = subgraph(k, "body");
  std::int64_t const most = k.has(0) ? k.integer(0) : std::numeric_limits<std::int64_t>::max();
  terms states;
  for (int i = 2; i < k.operands(); ++i) states.push_back(k[i]);
  std::size_t const n = states.size();
  if (body.outputs.size() < n + 1) k.fail("its graph has too few outputs");
  std::vector<terms> rows(body.outputs.size() - n - 1);
  bool go_on = k.has(1) ? is_true(k, k[1]) : true;
  for (std::int64_t i = 0; go_on && i < most; ++i) {
    if (i == most_turns) k.fail("it makes more than " + std::to_string(most_turns) + " turns, each of which would be written out");
    terms in{k.number(i, dtype::int64), k.number(1, dtype::boolean)};
    in.insert(in.end(), states.begin(), states.end());
    terms const out = outputs_of(k, body, in);
    states.assign(out.begin() + 1, out.begin() + 1 + static_cast<std::ptrdiff_t>(n));
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(out[n + 1 + r]);
    if (k.has(1) || !k.has(0)) go_on = is_true(k, out[0]);
  }
  k.results = states;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (k.wants(static_cast<int>(n + r))) k.give(stacked(k, rows[r], 0, body.outputs[n + 1 + r]));
    else k.give(k.number(0, dtype::float32));
}
inline void compose_scan(site& k) {
  graph const& body = subgraph(k, "body");
  auto const m = static_cast<int>(k.whole("num_scan_inputs", 0));
  if (m < 1 || m > k.operands()) k.fail("num_scan_inputs is " + std::to_string(m));
  int const n = k.operands() - m;
  auto const each = [&](char const* name, int i) {
    auto const v = k.wholes(name);
    if (v && static_cast<std::size_t>(i) >= v->size()) k.fail(std::string("attribute ") + name + " has too few numbers");
    return v ? (*v)[static_cast<std::size_t>(i)] : 0;
  };
  terms states;
  for (int i = 0; i < n; ++i) states.push_back(k[i]);
  auto const axis_of = [&](int i) { return k.axis(each("scan_input_axes", i), k[n + i].rank()); };
  std::int64_t const turns = k[n][axis_of(0)];
  if (turns > most_turns) k.fail("it makes more than " + std::to_string(most_turns) + " turns, each of which would be written out");
  if (body.outputs.size() < static_cast<std::size_t>(n)) k.fail("its graph has too few outputs");
  std::vector<terms> rows(body.outputs.size() - static_cast<std::size_t>(n));
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    terms in = states;
    for (int i = 0; i < m; ++i) {
      term const& x = k[n + i];
      int const axis = axis_of(i);
      if (x[axis] != turns) k.fail("its sequences have different lengths");
      std::int64_t const at = each("scan_input_directions", i) == 1 ? turns - 1 - turn : turn;
      in.push_back(k("squeeze", {k.part(x, axis, at, at + 1)}, {{"axis", int_list{axis}}}));
    }
    terms const out = outputs_of(k, body, in);
    states.assign(out.begin(), out.begin() + n);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(out[static_cast<std::size_t>(n) + r]);
  }
  k.results = states;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (each("scan_output_directions", static_cast<int>(r)) == 1) std::reverse(rows[r].begin(), rows[r].end());
    k.give(stacked(k, rows[r], static_cast<int>(each("scan_output_axes", static_cast<int>(r))),
                   body.outputs[static_cast<std::size_t>(n) + r]));
  }
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
