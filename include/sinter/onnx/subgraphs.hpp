// SPDX-License-Identifier: Apache-2.0
// If, Loop and Scan: the branch is chosen and the iterations are written one after the other when the model is composed. Conditions that depend
// on the elements of inputs are computed then, and the plan holds for these.
#pragma once
#include "environment.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline constexpr std::int64_t most_iterations = 4096;

inline graph const& subgraph(site& k, std::string_view name) {
  attribute const* const a = k.find(name, attribute_type::graph);
  if (!a) k.fail("the attribute " + std::string(name) + " is missing");
  return a->graphs[0];
}
[[noreturn]] inline void refuse_iterations(site& k) {
  k.fail("it makes more than " + std::to_string(most_iterations) + " iterations, each of which would be written out");
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

// Dtypes and shapes of what a graph would give that is not run: of these inputs or, if it cannot be composed of them, as it declares them.
class types_without_run {
 public:
  types_without_run(site& k, graph const& g, terms const& inputs) : k_(k), g_(g) {
    try {
      for (term const& t : outputs_of(k, g, inputs)) composed_.push_back(t.type);
    } catch (error const& e) {
      k.c.begin(k.n.name, described(k.n));
      why_not_ = reason_of(e);
    }
  }
  array_type operator[](std::size_t output) const {
    if (!composed_.empty()) return composed_[output];
    value const& declared = g_.outputs[output];
    bool known = declared.is_tensor && declared.has_shape;
    std::vector<std::int64_t> extents;
    for (dimension const& d : declared.shape) {
      known = known && d.extent >= 0;
      extents.push_back(d.extent);
    }
    if (!known)
      k_.fail("it makes no iteration, so that the shape of " + io::in_quotes(declared.name) +
              " must follow from its graph, and that says: " + why_not_);
    return {dtype_of_code(k_, static_cast<std::int64_t>(declared.type)), k_.shape(extents)};
  }

 private:
  site& k_;
  graph const& g_;
  std::vector<array_type> composed_;
  std::string why_not_;
};
// Nothing, of that type, along a new axis.
inline term stacked_none(site& k, int axis, array_type const& row) {
  std::vector<std::int64_t> extents(row.shape.d, row.shape.d + row.shape.rank);
  extents.insert(extents.begin() + k.axis(axis, row.shape.rank + 1), 0);
  return k.c.number_of(row.type, 0, k.shape(extents));
}
// Results of all iterations along a new axis.
inline term stacked(site& k, terms const& rows, int axis) {
  for (term const& t : rows)
    if (!(t.type == rows[0].type)) k.fail("its iterations give " + in_words(rows[0].type) + " and " + in_words(t.type));
  return k("stack", rows, {{"axis", int_list{k.axis(axis, rows[0].rank() + 1)}}});
}
inline void compose_loop(site& k) {
  graph const& body = subgraph(k, "body");
  std::int64_t const most = k.has(0) ? k.integer(0) : std::numeric_limits<std::int64_t>::max();
  terms states;
  for (int i = 2; i < k.operands(); ++i) states.push_back(k[i]);
  std::size_t const n = states.size();
  if (body.outputs.size() < n + 1) k.fail("its graph has too few outputs");
  std::vector<terms> rows(body.outputs.size() - n - 1);
  auto const inputs = [&](std::int64_t i) {
    terms r{k.number(i, dtype::int64), k.number(1, dtype::boolean)};
    r.insert(r.end(), states.begin(), states.end());
    return r;
  };
  bool go_on = k.has(1) ? is_true(k, k[1]) : true;
  std::int64_t i = 0;
  for (; go_on && i < most; ++i) {
    if (i == most_iterations) refuse_iterations(k);
    terms const out = outputs_of(k, body, inputs(i));
    states.assign(out.begin() + 1, out.begin() + 1 + static_cast<std::ptrdiff_t>(n));
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(out[n + 1 + r]);
    if (k.has(1) || !k.has(0)) go_on = is_true(k, out[0]);
  }
  std::optional<types_without_run> types;
  if (i == 0 && !rows.empty()) types.emplace(k, body, inputs(0));
  k.results = states;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (!k.wants(static_cast<int>(n + r))) k.give(k.number(0, dtype::float32));
    else k.give(types ? stacked_none(k, 0, (*types)[n + 1 + r]) : stacked(k, rows[r], 0));
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
  std::int64_t const many = k[n][axis_of(0)];
  if (many > most_iterations) refuse_iterations(k);
  for (int i = 0; i < m; ++i)
    if (k[n + i][axis_of(i)] != many) k.fail("its sequences have different lengths");
  if (body.outputs.size() < static_cast<std::size_t>(n)) k.fail("its graph has too few outputs");
  std::vector<terms> rows(body.outputs.size() - static_cast<std::size_t>(n));
  auto const inputs = [&](std::int64_t now) {
    terms r = states;
    for (int i = 0; i < m; ++i) {
      term const& x = k[n + i];
      int const axis = axis_of(i);
      std::int64_t const at = each("scan_input_directions", i) == 1 ? many - 1 - now : now;
      dims row;
      for (int d = 0; d < x.rank(); ++d)
        if (d != axis) row.push(x.free(d));
      r.push_back(many == 0 ? k.c.number_of(x.type.type, 0, row) : k.reshape(k.part(x, axis, at, at + 1), row));
    }
    return r;
  };
  for (std::int64_t i = 0; i < many; ++i) {
    terms const out = outputs_of(k, body, inputs(i));
    states.assign(out.begin(), out.begin() + n);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(out[static_cast<std::size_t>(n) + r]);
  }
  std::optional<types_without_run> types;
  if (many == 0 && !rows.empty()) types.emplace(k, body, inputs(0));
  k.results = states;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (each("scan_output_directions", static_cast<int>(r)) == 1) std::reverse(rows[r].begin(), rows[r].end());
    int const axis = static_cast<int>(each("scan_output_axes", static_cast<int>(r)));
    k.give(types ? stacked_none(k, axis, (*types)[static_cast<std::size_t>(n) + r]) : stacked(k, rows[r], axis));
  }
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
