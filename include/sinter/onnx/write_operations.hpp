// SPDX-License-Identifier: Apache-2.0
// Operations whose attributes ONNX has otherwise, as nodes of it.
#pragma once
#include <algorithm>

#include "write_elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline std::vector<std::int64_t> as_vector(int_list const& v) { return {v.at, v.at + v.n}; }
// Numbers of which there may be more than spatial axes.
inline std::vector<std::int64_t> first_of(int_list const& v, int n) { return {v.at, v.at + std::min(v.n, n)}; }
inline std::vector<std::int64_t> twice(std::vector<std::int64_t> v) {
  v.insert(v.end(), v.begin(), v.end());
  return v;
}
inline std::vector<std::int64_t> axes_of_bits(std::int64_t bits) {
  std::vector<std::int64_t> r;
  for (int i = 0; i < max_rank; ++i)
    if (bits >> i & 1) r.push_back(i);
  return r;
}
// An operand in the dtype of the result: sums of narrow integers are int32.
inline std::string in_result_type(graph_writer& w, int i, int j) { return operand_as(w, i, j, w.type(i).type); }
inline std::string transposed(graph_writer& w, std::string const& x, int rank) {
  std::vector<std::int64_t> order;
  order.reserve(static_cast<std::size_t>(rank));
  for (int i = 0; i < rank; ++i) order.push_back(i);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return w.emit("Transpose", {x}, {attribute_of("perm", order)});
}
template <class Op> void write_product(graph_writer& w, int i) {
  auto const a = w.attributes<Op>(i);
  int const rank_a = w.type_in(i, 0).shape.rank, rank_b = w.type_in(i, 1).shape.rank;
  std::string const x = in_result_type(w, i, 0), y = in_result_type(w, i, 1);
  w.give(i, "MatMul",
         {a.transpose_a && rank_a > 1 ? transposed(w, x, rank_a) : x, a.transpose_b && rank_b > 1 ? transposed(w, y, rank_b) : y});
}
inline void write_fully_connected(graph_writer& w, int i) {
  bool const flattened = w.attributes<ops::fully_connected>(i).flattened;
  dims const& x = w.type_in(i, 0).shape;
  names in{in_result_type(w, i, 0), in_result_type(w, i, 1)};
  if (w.operands(i) > 2) in.push_back(in_result_type(w, i, 2));
  if (is_floating(w.type(i).type) && (flattened || x.rank == 2)) {
    if (x.rank != 2) in[0] = w.emit("Flatten", {in[0]}, {attribute_of("axis", 1)});
    return w.give(i, "Gemm", in, {attribute_of("transB", 1)});
  }
  if (flattened && x.rank != 2) in[0] = w.emit("Flatten", {in[0]}, {attribute_of("axis", 1)});
  std::string const y = w.emit("MatMul", {in[0], transposed(w, in[1], 2)});
  if (in.size() > 2) w.give(i, "Add", {y, in[2]});
  else w.name(i, y);
}
inline void write_convolution(graph_writer& w, int i) {
  auto const a = w.attributes<ops::convolution>(i);
  int const n = w.type_in(i, 0).shape.rank - 2;
  w.give(i, "Conv", operands_of(w, i),
         {attribute_of("dilations", first_of(a.dilate, n)), attribute_of("group", a.groups),
          attribute_of("pads", twice(first_of(a.pad, n))), attribute_of("strides", first_of(a.stride, n))});
}
inline void write_transposed_convolution(graph_writer& w, int i) {
  auto const a = w.attributes<ops::convolution_transpose>(i);
  int const n = w.type_in(i, 0).shape.rank - 2;
  w.give(i, "ConvTranspose", operands_of(w, i),
         {attribute_of("dilations", first_of(a.dilate, n)), attribute_of("group", a.groups),
          attribute_of("output_padding", first_of(a.adjust, n)), attribute_of("pads", twice(first_of(a.pad, n))),
          attribute_of("strides", first_of(a.stride, n))});
}
template <class Op> void write_pool(graph_writer& w, int i) {
  dtype const t = w.type(i).type;
  bool const mean = std::is_same_v<Op, ops::avg_pool>;
  // ONNX has maxima of windows of no wider integers.
  if (!is_floating(t) && t != dtype::int8 && t != dtype::uint8) return w.write_definition(i);
  auto const a = w.attributes<Op>(i);
  int const n = w.type_in(i, 0).shape.rank - 2;
  std::vector<attribute> all{attribute_of("ceil_mode", int{a.ceil_mode})};
  if (mean) all.push_back(attribute_of("count_include_pad", int{a.count_include_pad}));
  all.push_back(attribute_of("kernel_shape", first_of(a.window, n)));
  all.push_back(attribute_of("pads", twice(first_of(a.pad, n))));
  all.push_back(attribute_of("strides", first_of(a.stride, n)));
  w.give(i, mean ? "AveragePool" : "MaxPool", operands_of(w, i), all);
}
template <class Op> void write_reduction(graph_writer& w, int i, char const* op) {
  ops::reduction_attributes const a = w.attributes<Op>(i);
  if (a.axes == 0) return w.give(i, "Identity", {in_result_type(w, i, 0)});
  dtype const t = widened(w.type(i).type);
  give_from(w, i, t, op, {operand_as(w, i, 0, t), w.whole_numbers(axes_of_bits(a.axes), "axes")},
            {attribute_of("keepdims", int{a.keepdims})});
}
// The place of an extreme along one axis, or among all elements.
template <class Op> void write_place(graph_writer& w, int i, char const* op) {
  ops::reduction_attributes const a = w.attributes<Op>(i);
  std::vector<std::int64_t> const axes = axes_of_bits(a.axes);
  std::string const x = operand_as(w, i, 0, widened(w.type_in(i, 0).type));
  if (axes.size() == 1) return w.give(i, op, {x}, {attribute_of("axis", axes[0]), attribute_of("keepdims", int{a.keepdims})});
  if (axes.size() != static_cast<std::size_t>(w.type_in(i, 0).shape.rank)) w.fail(i, "it is along several axes");
  std::string const flat = w.emit("Reshape", {x, w.whole_numbers({-1}, "shape")});
  std::string const at = w.emit(op, {flat}, {attribute_of("axis", 0), attribute_of("keepdims", 0)});
  w.give(i, "Reshape", {at, w.shape_of(w.type(i).shape)});
}
// An extent that is dynamic is what is left over, where it is the only one.
inline void write_reshape(graph_writer& w, int i) {
  dims const& s = w.type(i).shape;
  if (s == w.type_in(i, 0).shape) return w.name(i, w.in(i, 0));
  std::vector<std::int64_t> v;
  int open_extents = 0, zeros = 0;
  for (int k = 0; k < s.rank; ++k) v.push_back(s.d[k] < 0 ? -1 : s.d[k]), open_extents += s.d[k] < 0, zeros += s.d[k] == 0;
  bool const direct = open_extents == 0 || (open_extents == 1 && zeros == 0);
  w.give(i, "Reshape", {w.in(i, 0), direct ? w.whole_numbers(v, "shape") : w.shape_of(s)},
         {attribute_of("allowzero", int{zeros > 0 || !direct})});
}
inline void write_slice(graph_writer& w, int i) {
  auto const a = w.attributes<ops::slice>(i);
  std::vector<std::int64_t> begin, end, step, axes;
  for (int k = 0; k < a.begin.n; ++k) {
    bool const back = a.step[k] < 0;
    if (a.begin[k] == open && a.end[k] == open && a.step[k] == 1) continue;
    axes.push_back(k);
    // Backwards from before the first element there is nothing, and in ONNX the first element.
    if (extent const all = w.type_in(i, 0).shape.d[k]; back && a.begin[k] != open && a.begin[k] < -1) {
      if (all < 0) w.fail(i, "it goes backwards from an element that a dynamic axis may not have");
      if (a.begin[k] < -all) {
        step.push_back(1), begin.push_back(0), end.push_back(0);
        continue;
      }
    }
    step.push_back(a.step[k]);
    begin.push_back(a.begin[k] != open ? a.begin[k] : back ? std::numeric_limits<std::int64_t>::max() : 0);
    end.push_back(a.end[k] != open ? a.end[k] : back ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max());
  }
  if (axes.empty()) return w.give(i, "Identity", {w.in(i, 0)});
  w.give(i, "Slice",
         {w.in(i, 0), w.whole_numbers(begin, "starts"), w.whole_numbers(end, "ends"), w.whole_numbers(axes, "axes"),
          w.whole_numbers(step, "steps")});
}
inline void write_flip(graph_writer& w, int i) {
  std::vector<std::int64_t> const axes = axes_of_bits(w.attributes<ops::flip>(i).axes);
  if (axes.empty()) return w.give(i, "Identity", {w.in(i, 0)});
  std::vector<std::int64_t> const back(axes.size(), -1), before_first(axes.size(), std::numeric_limits<std::int64_t>::min());
  w.give(i, "Slice",
         {w.in(i, 0), w.whole_numbers(back, "starts"), w.whole_numbers(before_first, "ends"), w.whole_numbers(axes, "axes"),
          w.whole_numbers(back, "steps")});
}
template <class Op> void write_order(graph_writer& w, int i) {
  w.give(i, "Transpose", {w.in(i, 0)}, {attribute_of("perm", as_vector(w.attributes<Op>(i).axes))});
}
inline void write_split(graph_writer& w, int i) {
  auto const a = w.attributes<ops::split>(i);
  names out;
  for (int k = 0; k < a.parts; ++k) w.give_result(i, k, out.emplace_back(w.fresh(w.name_of(i))));
  w.emit_to(out, "Split", {w.in(i, 0)}, {attribute_of("axis", a.axis), attribute_of("num_outputs", a.parts)});
}
// An extent plus a number, without dimensions.
inline std::string extent_plus(graph_writer& w, extent e, int more) {
  if (e >= 0) return w.number_of(dtype::int64, e + more);
  return w.emit("Squeeze", {more == 0 ? w.extent_of(e) : w.emit("Add", {w.extent_of(e), w.whole_numbers({more}, "number")})});
}
// An index out of range is taken for the nearest in it.
inline void write_take(graph_writer& w, int i) {
  int const axis = w.attributes<ops::take>(i).axis;
  std::string const index = operand_as(w, i, 1, dtype::int64), last = extent_plus(w, w.type_in(i, 0).shape.d[axis], -1);
  w.give(i, "Gather", {w.in(i, 0), w.emit("Clip", {index, w.number_of(dtype::int64, 0), last})}, {attribute_of("axis", axis)});
}
// A place outside of the array is left out: it lies in a row more that each axis gets, and is cut off with it.
inline void write_scattered(graph_writer& w, int i, std::vector<attribute> const& reduction) {
  dims const to = w.type(i).shape, places = w.type_in(i, 1).shape;
  std::int64_t const n = places.d[0];
  dims wider = to, column = places;
  std::vector<std::int64_t> axes, ends, order;
  for (int k = 0; k < n; ++k) axes.push_back(k), ends.push_back(to.d[k]), ++wider.d[k];
  for (int k = 1; k < places.rank; ++k) column.d[k] = 1, order.push_back(k);
  order.push_back(0);
  std::string const index = operand_as(w, i, 1, dtype::int64);
  std::string const end = w.constant("ends", {dtype::int64, column}, reinterpret_cast<std::byte const*>(ends.data()));
  std::string const is_inside =
      w.emit("And", {w.emit("GreaterOrEqual", {index, w.number_of(dtype::int64, 0)}), w.emit("Less", {index, end})});
  std::string const turned = w.emit("Transpose", {w.emit("Where", {is_inside, index, end})}, {attribute_of("perm", order)});
  std::string const zeros = w.emit("Expand", {w.number_of(w.type(i).type, 0), w.shape_of(wider)});
  std::string const all = w.emit("ScatterND", {zeros, turned, w.in(i, 0)}, reduction);
  w.give(i, "Slice",
         {all, w.whole_numbers(std::vector<std::int64_t>(axes.size(), 0), "starts"), w.whole_numbers(ends, "ends"),
          w.whole_numbers(axes, "axes")});
}
// A length beyond the sequences is taken for their extent.
inline void write_sequence_reverse(graph_writer& w, int i) {
  names const range{operand_as(w, i, 1, dtype::int64), w.number_of(dtype::int64, 0), extent_plus(w, w.type(i).shape.d[0], 0)};
  w.give(i, "ReverseSequence", {w.in(i, 0), w.emit("Clip", range)}, {attribute_of("batch_axis", 1), attribute_of("time_axis", 0)});
}
inline void write_arange(graph_writer& w, int i) {
  auto const a = w.attributes<ops::arange>(i);
  dtype const t = is_narrow(a.type) ? computed_in(a.type) : a.type;
  std::string const r = w.emit("Range", {w.number_of(t, a.start.bits(t)), w.number_of(t, a.stop.bits(t)), w.number_of(t, a.step.bits(t))});
  if (t == a.type) w.name(i, r);
  else w.give(i, "Cast", {r}, {to_type(a.type)});
}
// A TopK: the values and their places, of which one has the name of the node. ONNX has none of bool.
inline std::pair<std::string, std::string> emit_top(graph_writer& w, int i, std::string const& count, int axis, bool ascending,
                                                    bool is_places = false) {
  std::string const own = w.name_of(i);
  dtype const t = w.type_in(i, 0).type, ordered_in = t == dtype::boolean ? dtype::int32 : t;
  names const in{operand_as(w, i, 0, ordered_in), count};
  names const out{w.fresh(is_places ? own + ".values" : own), w.fresh(is_places ? own : own + ".places")};
  w.emit_to(out, "TopK", in, {attribute_of("axis", axis), attribute_of("largest", int{!ascending})});
  w.to.nodes.back().name = out[is_places];
  return {ordered_in == t ? out[0] : w.emit("Cast", {out[0]}, {to_type(t)}), out[1]};
}
inline void write_top(graph_writer& w, int i) {
  auto const a = w.attributes<ops::topk>(i);
  auto const [values, places] = emit_top(w, i, w.whole_numbers({a.top}, "k"), a.axis, a.ascending);
  w.give_result(i, 0, values), w.give_result(i, 1, places);
}
inline void write_sorted(graph_writer& w, int i, bool is_places) {
  auto const a = w.attributes<ops::sort>(i);
  auto const [values, places] = emit_top(w, i, w.extent_of(w.type_in(i, 0).shape.d[a.axis]), a.axis, a.ascending, is_places);
  w.name(i, is_places ? places : values);
}
// LayerNormalization is of the last axes alone, BatchNormalization of axis 1.
inline void write_layer_norm(graph_writer& w, int i) {
  auto const a = w.attributes<ops::layer_norm>(i);
  if (a.axis != w.type(i).shape.rank - 1) return w.write_definition(i);
  w.give(i, "LayerNormalization", operands_of(w, i), {attribute_of("axis", a.axis), attribute_of("epsilon", a.eps)});
}
inline void write_batch_norm(graph_writer& w, int i) {
  auto const a = w.attributes<ops::batch_norm>(i);
  if (a.axis != 1) return w.write_definition(i);
  w.give(i, "BatchNormalization", operands_of(w, i), {attribute_of("epsilon", a.eps)});
}
inline void write_group_norm(graph_writer& w, int i) {
  auto const a = w.attributes<ops::group_norm>(i);
  w.give(i, "GroupNormalization", operands_of(w, i), {attribute_of("epsilon", a.eps), attribute_of("num_groups", a.groups)});
}
template <class Op> void write_factor(graph_writer& w, int i, char const* op) {
  w.give(i, op, {w.in(i, 0)}, {attribute_of("alpha", w.attributes<Op>(i).factor)});
}
template <class Op> void write_along(graph_writer& w, int i, char const* op) {
  w.give(i, op, operands_of(w, i), {attribute_of("axis", w.attributes<Op>(i).axis)});
}
template <class Op> void write_squeezed(graph_writer& w, int i) {
  if constexpr (std::is_same_v<Op, ops::squeeze>)
    w.give(i, "Squeeze", {w.in(i, 0), w.whole_numbers(axes_of_bits(w.attributes<Op>(i).axes), "axes")});
  else w.give(i, "Unsqueeze", {w.in(i, 0), w.whole_numbers({w.attributes<Op>(i).axis}, "axes")});
}

// An input or output: dynamic dimensions by their names, or without.
inline value value_named(std::string name, array_type const& t, sinter::graph const& g) {
  value v;
  v.name = std::move(name), v.type = element_of(t.type), v.is_tensor = v.has_shape = true;
  for (int k = 0; k < t.shape.rank; ++k) {
    extent const e = t.shape.d[k];
    std::string const words = e >= 0 ? std::string{} : to_string(e, g.dimensions);
    v.shape.push_back({e >= 0 ? e : -1, words == "?" ? std::string{} : words});
  }
  return v;
}
// foreach: its body is a graph that sees the values around it. ONNX has the states before the sequences and the outputs.
inline void write_foreach(graph_writer& w, int i) {
  auto const a = w.attributes<ops::foreach>(i);
  graph_writer body(w.whole().bodies[a.body], w.all(), w.whole());
  body.parameter_names = w.parameter_names;
  std::string const name = w.name_of(i);
  names in, own;
  for (int j = 0; j < w.operands(i); ++j)
    own.push_back(j < a.sequences ? w.fresh(name + ".row") : j < a.sequences + a.states ? w.fresh(name + ".state") : w.in(i, j));
  body.input_names = own;
  body.write();
  auto const value_of = [&](std::string const& called, array_type const& t) { return value_named(called, t, w.whole()); };
  auto const input_type = [&](int j) {
    for (sinter::node const& k : body.g.nodes)
      if (*k.op == input_op && k.index == j) return k.type;
    w.fail(i, "its body has too few inputs");
  };
  for (int j = 0; j < a.sequences + a.states; ++j) {
    int const from = j < a.states ? a.sequences + j : j - a.states;
    in.push_back(w.in(i, from));
    body.to.inputs.push_back(value_of(own[static_cast<std::size_t>(from)], input_type(from)));
  }
  int const outputs = body.g.outputs.size(), stacked = outputs - a.states;
  names out(static_cast<std::size_t>(outputs));
  for (int j = 0; j < outputs; ++j) {
    int const from = j < a.states ? stacked + j : j - a.states, node = body.g.outputs[from];
    // Each output is a value of the body's own.
    body.to.outputs.push_back(value_of(body.emit_as(name + ".output", "Identity", {body.of(node)}), body.type(node)));
    out[static_cast<std::size_t>(j)] = w.fresh(name);
    w.give_result(i, from, out[static_cast<std::size_t>(j)]);
  }
  body.to.name = w.fresh(name + ".body");
  w.emit_to(out, "Scan", in, {attribute_of("body", std::move(body.to)), attribute_of("num_scan_inputs", a.sequences)});
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
