// SPDX-License-Identifier: Apache-2.0
// ONNX's reductions, softmax and its kin, and what is done along an axis.
#pragma once
#include "../site.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// The axes that a node reduces: an attribute in old opsets, an operand in new ones. None: as `noop_with_empty_axes` says.
struct reduced_axes {
  int_list axes;
  bool keepdims = true, is_noop = false;
  reduced_axes(site& k, int since_operand) : keepdims(k.truth("keepdims", true)) {
    std::optional<std::vector<std::int64_t>> given;
    if (k.opset < since_operand) given = k.wholes("axes");
    else if (k.has(1)) given = k.integers(1);
    int const rank = k[0].rank();
    if (given && !given->empty()) axes = k.list(*given);
    else if (k.truth("noop_with_empty_axes", false)) is_noop = true;
    else
      for (int i = 0; i < rank; ++i) axes.push(i);
  }
  // An operation of F over these axes.
  term of(site& k, std::string_view op, term const& x) const {
    if (axes.n == 0) return x;
    return k(op, {x}, {{"axis", axes}, {"keepdims", keepdims}});
  }
};
// A reduction in which narrow integers keep their dtype, as in ONNX.
template <class Before, class After> void reduce(site& k, int since_operand, std::string_view op, Before before, After after) {
  reduced_axes const a(k, since_operand);
  dtype const t = k[0].type.type;
  term const x = before(k[0]);
  k.give(k.cast(after(a.is_noop ? x : a.of(k, op, x)), t));
}
inline constexpr auto unchanged = [](term const& x) { return x; };
inline void compose_extreme(site& k, std::string_view op, std::string_view of_truths) {
  if (k[0].type.type == dtype::boolean) op = of_truths;
  reduce(k, 18, op, unchanged, unchanged);
}
inline void compose_reduce_l1(site& k) {
  reduce(k, 18, "sum", [&](term const& x) { return k("abs", {x}); }, unchanged);
}
inline void compose_reduce_l2(site& k) {
  if (is_floating(k[0].type.type))
    return reduce(k, 18, "sum", [&](term const& x) { return k("square", {x}); }, [&](term const& x) { return k("sqrt", {x}); });
  reduce(
      k, 18, "sum", [&](term const& x) { return k("square", {k.cast(x, dtype::float64)}); }, [&](term const& x) { return k("sqrt", {x}); });
}
inline void compose_reduce_log_sum(site& k) {
  reduce(k, 18, "sum", unchanged, [&](term const& x) { return k("log", {x}); });
}
// Integers: the quotient of their sum in int64, cut towards 0.
inline void compose_reduce_mean(site& k) {
  dtype const t = k[0].type.type;
  if (is_floating(t)) return reduce(k, 18, "mean", unchanged, unchanged);
  auto const wide = [&](term const& x) { return k.cast(x, dtype::int64); };
  reduce(k, 18, "sum", wide, [&](term const& sum) {
    extent const n = sum.size() == 0 ? 1 : k[0].size() / sum.size();
    if (n == 0) k.fail("there is no mean of no integers");
    return divided_towards_zero(k, sum, k.number(n, dtype::int64));
  });
}
inline void compose_reduce_sum_square(site& k) {
  reduce(k, 18, "sum", [&](term const& x) { return k("multiply", {x, x}); }, unchanged);
}
inline void compose_arg(site& k, std::string_view op) {
  int const axis = k.axis(k.whole("axis", 0), k[0].rank());
  bool const last = k.truth("select_last_index", false);
  term const x = last ? k("flip", {k[0]}, {{"axis", int_list{axis}}}) : k[0];
  term const r = k(op, {x}, {{"axis", int_list{axis}}, {"keepdims", k.truth("keepdims", true)}});
  k.give(last ? k("subtract", {k.number(k[0][axis] - 1, dtype::int64), r}) : r);
}

// Before opset 13 the axes from one on are one.
inline void compose_softmax(site& k, std::string_view op) {
  term const& x = k[0];
  if (k.opset >= 13) return k.give(k(op, {x}, {{"axis", int_list{k.axis(k.whole("axis", -1), x.rank())}}}));
  int const axis = k.axis(k.whole("axis", 1), x.rank());
  if (axis == x.rank() - 1) return k.give(k(op, {x}, {{"axis", int_list{axis}}}));
  extent outer = 1, inner = 1;
  for (int i = 0; i < x.rank(); ++i) {
    extent& all = i < axis ? outer : inner;
    all = k.c.product(all, x.free(i));
  }
  k.give(k.reshape(k(op, {k.reshape(x, {outer, inner})}, {{"axis", int_list{1}}}), x.type.shape));
}
inline term first_maximum(site& k, term const& x, int axis) {
  term const at = k("argmax", {x}, {{"axis", int_list{axis}}, {"keepdims", true}});
  return k.cast(k("equal", {k.along(k.positions(x[axis]), axis, x.rank()), at}), x.type.type);
}
inline void compose_hardmax(site& k) {
  term const& x = k[0];
  if (k.opset >= 13) return k.give(first_maximum(k, x, k.axis(k.whole("axis", -1), x.rank())));
  int const axis = k.axis(k.whole("axis", 1), x.rank());
  extent outer = 1, inner = 1;
  for (int i = 0; i < x.rank(); ++i) (i < axis ? outer : inner) *= x[i];
  k.give(k.reshape(first_maximum(k, k.reshape(x, {outer, inner}), 1), x.type.shape));
}

inline void compose_cumulative(site& k, std::string_view op, int neutral) {
  term const& x = k[0];
  int const axis = k.axis(k.integer(1), x.rank());
  keywords const along{{"axis", int_list{axis}}};
  bool const reverse = k.truth("reverse", false);
  term y = reverse ? k("flip", {x}, along) : x;
  if (k.truth("exclusive", false) && x[axis] > 0) {
    dims first = x.type.shape;
    first.d[axis] = 1;
    y = k("concat", {k.c.number_of(x.type.type, neutral, first), k.part(y, axis, 0, x[axis] - 1)}, along);
  }
  y = k.cast(k(op, {y}, along), x.type.type);
  k.give(reverse ? k("flip", {y}, along) : y);
}
inline void compose_top_k(site& k) {
  term const& x = k[0];
  int const axis = k.axis(k.whole("axis", -1), x.rank());
  std::int64_t const top = k.opset < 10 ? k.wanted_whole("k") : k.integer(1);
  if (top < 0 || top > x[axis])
    k.fail("k is " + std::to_string(top) + ", and axis " + std::to_string(axis) + " has " + std::to_string(x[axis]));
  if (top == 0) {
    term const none = k.part(x, axis, 0, 0);
    k.give(none);
    return k.give(k.cast(none, dtype::int64));
  }
  k.results =
      k.c.results("topk", {x}, {{"top", static_cast<int>(top)}, {"axis", int_list{axis}}, {"ascending", !k.truth("largest", true)}});
}

#define SINTER_REDUCE(name, op)                                                                                   \
  {name, 1, 17, 1, "axes keepdims", "", [](site& k) { reduce(k, 18, op, unchanged, unchanged); }}, {                                                       \
    name, 18, 0, 2, "keepdims noop_with_empty_axes", "", [](site& k) { reduce(k, 18, op, unchanged, unchanged); } \
  }
#define SINTER_REDUCE_BY(name, function) \
  {name, 1, 17, 1, "axes keepdims", "", function}, { name, 18, 0, 2, "keepdims noop_with_empty_axes", "", function }

inline constexpr operator_row reduce_rows[] = {
    {"ArgMax", 1, 11, 1, "axis keepdims", "", [](site& k) { compose_arg(k, "argmax"); }},
    {"ArgMax", 12, 0, 1, "axis keepdims select_last_index", "", [](site& k) { compose_arg(k, "argmax"); }},
    {"ArgMin", 1, 11, 1, "axis keepdims", "", [](site& k) { compose_arg(k, "argmin"); }},
    {"ArgMin", 12, 0, 1, "axis keepdims select_last_index", "", [](site& k) { compose_arg(k, "argmin"); }},
    {"CumProd", 26, 0, 2, "exclusive reverse", "", [](site& k) { compose_cumulative(k, "cumprod", 1); }},
    {"CumSum", 11, 0, 2, "exclusive reverse", "", [](site& k) { compose_cumulative(k, "cumsum", 0); }},
    {"Hardmax", 1, 0, 1, "axis", "", compose_hardmax},
    {"LogSoftmax", 1, 0, 1, "axis", "", [](site& k) { compose_softmax(k, "log_softmax"); }},
    SINTER_REDUCE_BY("ReduceL1", in_float32<compose_reduce_l1>),
    SINTER_REDUCE_BY("ReduceL2", in_float32<compose_reduce_l2>),
    SINTER_REDUCE_BY("ReduceLogSum", in_float32<compose_reduce_log_sum>),
    SINTER_REDUCE("ReduceLogSumExp", "logsumexp"),
    SINTER_REDUCE_BY("ReduceMax", [](site& k) { compose_extreme(k, "max", "any_true"); }),
    SINTER_REDUCE_BY("ReduceMean", compose_reduce_mean),
    SINTER_REDUCE_BY("ReduceMin", [](site& k) { compose_extreme(k, "min", "all_true"); }),
    SINTER_REDUCE("ReduceProd", "prod"),
    {"ReduceSum", 1, 12, 1, "axes keepdims", "", [](site& k) { reduce(k, 13, "sum", unchanged, unchanged); }},
    {"ReduceSum", 13, 0, 2, "keepdims noop_with_empty_axes", "", [](site& k) { reduce(k, 13, "sum", unchanged, unchanged); }},
    SINTER_REDUCE_BY("ReduceSumSquare", in_float32<compose_reduce_sum_square>),
    {"Softmax", 1, 0, 1, "axis", "", [](site& k) { compose_softmax(k, "softmax"); }},
    {"TopK", 1, 9, 1, "axis k", "", compose_top_k},
    {"TopK", 10, 10, 2, "axis", "", compose_top_k},
    {"TopK", 11, 0, 2, "axis largest sorted", "", compose_top_k},
};
#undef SINTER_REDUCE
#undef SINTER_REDUCE_BY

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
