// SPDX-License-Identifier: Apache-2.0
// The dynamic dimensions of a call, from the extents that its inputs have, and the extents of its results. `Plan` is a frozen_plan, or what
// has its lists of the same names: a program that made its plan itself knows no Tag.
#pragma once
#include <string>

#include "../core/error.hpp"
#include "../graph/print.hpp"
#include "../plan/frozen.hpp"

namespace sinter::executor::inline SINTER_ISA {

// An extent of a call, by its name or its place.
template <class Rows> std::string extent_in_words(Rows const& rows, extent e) {
  for (int i = 0; i < rows.size(); ++i)
    if (dimension const& d = rows[i]; d.code == e && d.from == dimension::origin::input && !is_named(e))
      return "dimension " + std::to_string(d.axis) + " of input " + std::to_string(d.input);
  return to_string_in(e, rows);
}
template <class Rows> [[noreturn]] SINTER_NOINLINE void refuse_unequal(Rows const& rows, binding const& b, equality const& e) {
  for (int i = 0; i < rows.size(); ++i)
    if (dimension const& d = rows[i]; d.from == dimension::origin::quotient && d.a == e.b)
      if (std::int64_t const all = extent_in(rows, b, d.a), by = extent_in(rows, b, d.b); by == 0 || all % by != 0)
        throw shape_error("sinter: a reshape wants " + extent_in_words(rows, d.a) + " to be a multiple of " + extent_in_words(rows, d.b) +
                          ", and it is " + std::to_string(all));
  auto const [number, other] = e.a >= 0 ? e : equality{e.b, e.a};
  auto const is = [&](extent x) { return " is " + std::to_string(extent_in(rows, b, x)); };
  if (number >= 0)
    throw shape_error("sinter: " + (is_named(other) ? "dimension " : std::string()) + extent_in_words(rows, other) + " must be " +
                      std::to_string(number) + ", and" + is(other));
  throw shape_error("sinter: two dynamic dimensions meet that must be equal: " + extent_in_words(rows, e.a) + is(e.a) + ", " +
                    extent_in_words(rows, e.b) + is(e.b));
}
// What the inputs must have in common. `typed`: their shapes as the network's type says them.
template <class Plan> constexpr void check_extents(Plan const& p, binding const& b, dims const* actual, dims const* typed, int inputs) {
  for (int i = 0; i < inputs; ++i)
    for (int k = 0; k < typed[i].rank; ++k)
      if (extent const e = typed[i].d[k]; e != unknown_extent && extent_in(p.dimensions, b, e) != actual[i].d[k])
        throw shape_error("sinter: input " + std::to_string(i) + " of shape " + to_string(typed[i]) + " is given the extents " +
                          to_string(actual[i]) + "; dimension " + std::to_string(k) + " must be " +
                          std::to_string(extent_in(p.dimensions, b, e)));
  for (equality const& e : p.equalities)
    if (extent_in(p.dimensions, b, e.a) != extent_in(p.dimensions, b, e.b)) refuse_unequal(p.dimensions, b, e);
}
template <class Plan> constexpr binding bind(Plan const& p, dims const* actual, dims const* typed, int inputs) {
  binding b;
  for (int i = 0; i < p.dimensions.size(); ++i)
    if (dimension const& d = p.dimensions[i]; d.from == dimension::origin::input) b.value[i] = actual[d.input].d[d.axis];
  b = with_computed(p.dimensions, b);
  check_extents(p, b, actual, typed, inputs);
  return b;
}

// The shape of result `i`.
template <class Plan> constexpr dims result_shape(Plan const& p, binding const& b, int i) {
  dims d = p.results[i].shape;
  for (int k = 0; k < d.rank; ++k) d.d[k] = extent_in(p.dimensions, b, d.d[k]);
  return d;
}
[[noreturn]] SINTER_NOINLINE inline void refuse_result(dims const& d, dims const& given, bool row_major) {
  throw shape_error("sinter: the result has shape " + to_string(d) + ", and the tensor given for it " + to_string(given) +
                    (row_major ? "" : ", which is not row-major; assign to its elements: z(ellipsis) = net(x)"));
}
// Whether a result of shape `d` can be written where the caller wants it.
constexpr void check_result(dims const& d, dims const& given, bool row_major) {
  if (!(d == given) || !row_major) refuse_result(d, given, row_major);
}

}  // namespace sinter::executor::inline SINTER_ISA
