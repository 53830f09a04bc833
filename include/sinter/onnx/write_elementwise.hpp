// SPDX-License-Identifier: Apache-2.0
// Operations on one element of each operand that ONNX has otherwise, or not of every dtype, as nodes of it.
#pragma once
#include <utility>

#include "graph_writer.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline names operands_of(graph_writer const& w, int i) {
  names r;
  for (int j = 0; j < w.operands(i); ++j) r.push_back(w.in(i, j));
  return r;
}
inline attribute to_type(dtype t) { return attribute_of("to", static_cast<int>(element_of(t))); }
inline std::string operand_as(graph_writer& w, int i, int j, dtype t) {
  return w.type_in(i, j).type == t ? w.in(i, j) : w.emit("Cast", {w.in(i, j)}, {to_type(t)});
}
// Node i is this operation, whose result is of `t`.
inline void give_from(graph_writer& w, int i, dtype t, char const* op, names in, std::vector<attribute> a = {}) {
  dtype const wanted = w.type(i).type;
  if (wanted == t) return w.give(i, op, std::move(in), std::move(a));
  w.give(i, "Cast", {w.emit(op, std::move(in), std::move(a))}, {to_type(wanted)});
}
// What an operation is computed in that ONNX, or ONNX Runtime 1.32, has of no int16 or no bool. int32 holds them all.
constexpr dtype widened(dtype t) { return t == dtype::int16 || t == dtype::boolean ? dtype::int32 : t; }
// Such an operation of operands of one dtype, but for the first few of them.
inline void write_widened(graph_writer& w, int i, char const* op, int others = 0) {
  dtype const t = widened(w.type(i).type);
  names in;
  for (int j = 0; j < w.operands(i); ++j) in.push_back(j < others ? w.in(i, j) : operand_as(w, i, j, t));
  give_from(w, i, t, op, in);
}
inline void write_relu(graph_writer& w, int i) {
  dtype const t = w.type(i).type;
  if (t == dtype::uint8) return w.give(i, "Identity", {w.in(i, 0)});
  if (t == dtype::int64) return w.give(i, "Max", {w.in(i, 0), w.number_of(t, 0)});
  write_widened(w, i, "Relu");
}
inline void write_negative(graph_writer& w, int i) {
  if (dtype const t = w.type(i).type; t == dtype::uint8) return w.give(i, "Sub", {w.number_of(t, 0), w.in(i, 0)});
  w.give(i, "Neg", {w.in(i, 0)});
}
inline void write_clip(graph_writer& w, int i) {
  dtype const t = widened(w.type(i).type);
  std::string const above = w.emit("Max", {operand_as(w, i, 0, t), operand_as(w, i, 1, t)});
  give_from(w, i, t, "Min", {above, operand_as(w, i, 2, t)});
}
inline void write_bitwise(graph_writer& w, int i, char const* op, char const* of_bool) {
  w.give(i, w.type(i).type == dtype::boolean ? of_bool : op, operands_of(w, i));
}
// Whether an element is what no integer is.
inline void write_predicate(graph_writer& w, int i, char const* op) {
  if (is_floating(w.type_in(i, 0).type)) return w.give(i, op, {w.in(i, 0)});
  w.give(i, "Expand", {w.number_of(dtype::boolean, 0), w.shape_of(w.type(i).shape)});
}
inline void write_isfinite(graph_writer& w, int i) {
  if (is_floating(w.type_in(i, 0).type))
    return w.give(i, "Not", {w.emit("Or", {w.emit("IsInf", {w.in(i, 0)}), w.emit("IsNaN", {w.in(i, 0)})})});
  w.give(i, "Expand", {w.number_of(dtype::boolean, 1), w.shape_of(w.type(i).shape)});
}
// ONNX cuts quotients of integers towards 0: one less where a remainder has another sign than the divisor.
inline void write_floor_divide(graph_writer& w, int i) {
  dtype const t = w.type(i).type;
  if (is_floating(t)) w.refuse_operation(i);
  names const in{w.in(i, 0), w.in(i, 1)};
  std::string const same = w.emit("Equal", {w.emit("Mod", in, {attribute_of("fmod", 0)}), w.emit("Mod", in, {attribute_of("fmod", 1)})});
  std::string const one = w.emit("Cast", {w.emit("Not", {same})}, {to_type(t)});
  w.give(i, "Sub", {w.emit("Div", in), one});
}
// e^x - 1 = tanh(x / 2) (e^x + 1), which loses nothing near 0.
inline void write_expm1(graph_writer& w, int i) {
  dtype const t = w.type(i).type;
  std::string const half = w.emit("Tanh", {w.emit("Mul", {w.in(i, 0), w.number_of(t, 0.5)})});
  w.give(i, "Mul", {half, w.emit("Add", {w.emit("Exp", {w.in(i, 0)}), w.number_of(t, 1.)})});
}
// log(1 + x), near 0 as 2 atanh(x / (2 + x)).
inline void write_log1p(graph_writer& w, int i) {
  dtype const t = w.type(i).type;
  std::string const &x = w.in(i, 0), two = w.number_of(t, 2.);
  std::string const near_zero = w.emit("Mul", {two, w.emit("Atanh", {w.emit("Div", {x, w.emit("Add", {x, two})})})});
  std::string const is_near = w.emit("Less", {w.emit("Abs", {x}), w.number_of(t, 0.5)});
  w.give(i, "Where", {is_near, near_zero, w.emit("Log", {w.emit("Add", {x, w.number_of(t, 1.)})})});
}
inline void write_logarithm(graph_writer& w, int i, double base) {
  w.give(i, "Mul", {w.emit("Log", {w.in(i, 0)}), w.number_of(w.type(i).type, 1 / math::log(base))});
}
// An integer is its own result.
inline void write_rounding(graph_writer& w, int i, char const* op) {
  w.give(i, is_floating(w.type(i).type) ? op : "Identity", {w.in(i, 0)});
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
