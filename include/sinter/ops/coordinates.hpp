// SPDX-License-Identifier: Apache-2.0
// Elements at coordinates: gather_nd reads them, scatter_nd writes them into a new array, scatter_add adds them there.
#pragma once
#include "arrange.hpp"
#include "sequence.hpp"

namespace sinter::ops::inline SINTER_ISA {

// What both have in common: the indices are of shape (n, ...), and along their first axis are the coordinates of one place, one for each of the
// first n axes of the array that it is in.
struct at_coordinates {
  static constexpr bool moves = true, promotes = false, wants_arrays = true;
  static constexpr int arity = 2;
  static constexpr problem check(array_type const& indices, dims const& array) {
    if (indices.type == dtype::boolean || is_floating(indices.type)) return problem::wants_integer;
    if (indices.shape.rank < 1) return problem::coordinates_shape;
    if (indices.shape.d[0] < 0) return problem::wants_number;
    if (indices.shape.d[0] < 1 || indices.shape.d[0] > array.rank) return problem::coordinates_shape;
    return indices.shape.rank - 1 + array.rank - indices.shape.d[0] > max_rank ? problem::too_many_dimensions : problem::none;
  }
  // The shape of what lies there: that of the indices without the coordinates, and then the axes of which there are none.
  static constexpr dims slices(dims const& indices, dims const& array) {
    dims r;
    for (int i = 1; i < indices.rank; ++i) r.push(indices.d[i]);
    for (int i = static_cast<int>(indices.d[0]); i < array.rank; ++i) r.push(array.d[i]);
    return r;
  }
};

// gather_nd(x, indices): x[indices[0], indices[1], ...]. A coordinate out of range is taken for the nearest in it, as in `take`.
struct gather_nd : at_coordinates {
  static constexpr format_names formats{"gather_nd", ""};
  static constexpr family kind = family::composite;
  static constexpr inferred infer(operand_types in, dimension_table&) {
    if (problem const p = check(in[1], in[0].shape); p != problem::none) return {{}, p, p == problem::wants_integer ? 1 : 0, 1};
    return {{in[0].type, slices(in[1].shape, in[0].shape)}};
  }
  // As `take` from the axes that have coordinates, made one.
  static constexpr int expand(auto& g, operand_nodes in) {
    dims const s = g.nodes[in[0]].type.shape, from = g.nodes[in[1]].type.shape;
    int const n = static_cast<int>(from.d[0]);
    size all{1, 0};
    dims one, places;
    for (int i = 0; i < n; ++i) all = all * g.dimensions.size_of(s.d[i]);
    one.push(g.dimensions.extent_of(all));
    for (int i = n; i < s.rank; ++i) one.push(s.d[i]);
    for (int i = 1; i < from.rank; ++i) places.push(from.d[i]);
    int const indices = make<cast>(g, {dtype::int64}, in[1]);
    int at = -1;
    for (int i = 0; i < n; ++i) {
      int const row = make<reshape>(g, {places}, make<slice>(g, roll::between(from.rank, 0, i, i + 1), indices));
      int const last = last_position(g, s.d[i]), within = make<minimum>(g, make<maximum>(g, row, g.scalar(dtype::int64, 0)), last);
      at = i == 0 ? within : make<add>(g, make<multiply>(g, at, make<add>(g, last, g.scalar(dtype::int64, 1))), within);
    }
    return make<take>(g, {0}, make<reshape>(g, {one}, in[0]), at);
  }
};

// Base of scatter_nd and scatter_add: an array of the shape of the attributes, zero but at the coordinates, where the slices of data go in their
// order. A slice for a place outside of the array is left out.
template <class Self> struct scattered : at_coordinates, opaque_op<Self> {
  static constexpr bool lanes_share_items = true;
  using keywords = list_of<must<key::into>>;
  using attributes = shape_attribute;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::into{}].value}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (!array_attribute{in[0].type, a.shape}.is_array()) return {{}, problem::keyword_value, 0, 0};
    if (problem const p = check(in[1], a.shape); p != problem::none) return {{}, p, p == problem::wants_integer ? 1 : 0, 1};
    dims const want = slices(in[1].shape, a.shape), &got = in[0].shape;
    if (got.rank != want.rank) return {{}, problem::coordinates_shape, 0, 1};
    for (int i = 0; i < got.rank; ++i) {
      if (got.d[i] == want.d[i]) continue;
      if (got.d[i] >= 0 && want.d[i] >= 0) return {{}, problem::coordinates_shape, 0, 1};
      t.same(got.d[i], want.d[i]);
    }
    return {{in[0].type, a.shape}};
  }
  // Of the first axes of an array, which have coordinates, and of the slices that lie there.
  struct places {
    std::int64_t axes = 0, count = 1, slices = 1, inner = 1;  // axes with coordinates; slices of data, of the array; elements of each
    SINTER_HD constexpr places(dims const& to, dims const& indices) : axes(indices.d[0]) {
      for (int i = 1; i < indices.rank; ++i) count *= indices.d[i];
      for (int i = 0; i < to.rank; ++i) (i < axes ? slices : inner) *= to.d[i];
    }
    // The slice of the array where slice `i` of data goes; -1: outside.
    template <class I> SINTER_HD constexpr std::int64_t of(std::int64_t i, dims const& to, I const* indices) const {
      std::int64_t at = 0;
      for (std::int64_t axis = 0; axis < axes; ++axis) {
        auto const c = static_cast<std::int64_t>(indices[axis * count + i]);
        if (c < 0 || c >= to.d[axis]) return -1;
        at = at * to.d[axis] + c;
      }
      return at;
    }
  };
  // An item is a part of the first axis, of which it looks for all that goes there: so threads keep the order.
  static SINTER_HD constexpr std::int64_t parts_of_first(dims const& s) { return s.d[0] < 16 ? s.d[0] : 16; }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return parts_of_first(shapes[0]); }
  template <class T, class I> static SINTER_HD constexpr void item(attributes const&, share s, array_view<T> out, array_view<T const> data,
                                                                   array_view<I const> indices) {
    places const p(out.shape, indices.shape);
    std::int64_t const parts = parts_of_first(out.shape), of_first = p.slices / out.shape.d[0],
                       first = out.shape.d[0] * s.item / parts * of_first, end_ = out.shape.d[0] * (s.item + 1) / parts * of_first;
    for (std::int64_t i = first; i < end_; ++i)
      for (std::int64_t k = s.lane; k < p.inner; k += s.lanes) out.data[i * p.inner + k] = T{};
    for (std::int64_t i = 0; i < p.count; ++i) {
      std::int64_t const at = p.of(i, out.shape, indices.data);
      if (at < first || at >= end_) continue;
      for (std::int64_t k = s.lane; k < p.inner; k += s.lanes) {
        T& element = out.data[at * p.inner + k];
        element = Self::put(element, data.data[i * p.inner + k]);
      }
    }
  }
};
// scatter_nd(data, indices, into<4, 5>): of several slices for one place the last one stays.
struct scatter_nd : scattered<scatter_nd> {
  static constexpr format_names formats{"scatter_nd", ""};
  template <class T> static SINTER_HD constexpr T put(T, T x) { return x; }
};
// scatter_add(data, indices, into<4, 5>): several slices for one place are added, in their order. What gather_nd and take are transposed. Integers
// wrap around.
struct scatter_add : scattered<scatter_add> {
  static constexpr format_names formats{"", ""};
  static constexpr bool moves = false;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 0};
    return scattered::infer(in, a, t);
  }
  template <class T> static SINTER_HD constexpr T put(T sum, T x) { return element::add(sum, x); }
};

using coordinate_ops = list_of<gather_nd, scatter_nd, scatter_add>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(gather_nd, "(x, indices)")
SINTER_OP(scatter_nd, "(data, indices, into<4, 5>)")
SINTER_OP(scatter_add, "(data, indices, into<4, 5>)")

namespace sinter::ops::inline SINTER_ISA {

// What lies at the coordinates, and zero for those outside, which gather_nd takes for the nearest inside.
constexpr int scatter_add::gradient(auto& g, int y, operand_nodes d, int) {
  int const indices = operand_of(g, y, 1);
  dims const s = g.nodes[y].type.shape, from = g.nodes[indices].type.shape;
  int const there = make<gather_nd>(g, d[0], indices);
  dims places;
  for (int i = 1; i < from.rank; ++i) places.push(from.d[i]);
  int inside = -1;
  int const whole = make<cast>(g, {dtype::int64}, indices);
  for (int i = 0; i < from.d[0]; ++i) {
    int const row = make<reshape>(g, {places}, make<slice>(g, roll::between(from.rank, 0, i, i + 1), whole));
    int const within =
        make<logical_and>(g, make<greater_equal>(g, row, g.scalar(dtype::int64, 0)), make<lesser_equal>(g, row, last_position(g, s.d[i])));
    inside = inside < 0 ? within : make<logical_and>(g, inside, within);
  }
  while (places.rank < g.nodes[there].type.shape.rank) places.push(1);
  return make<where>(g, make<reshape>(g, {places}, inside), there, number_beside(g, y, 0));
}
// Of each slice the sum of what was read from it, in the order of the indices.
constexpr int take::gradient(auto& g, int y, operand_nodes d, int) {
  int const data = operand_of(g, y, 0), indices = operand_of(g, y, 1);
  int const axis = unpack<axis_attribute>(g.words_of(g.nodes[y])).axis;
  dims const s = g.nodes[data].type.shape, at = g.nodes[indices].type.shape;
  int const within = nearest_in(g, make<cast>(g, {dtype::int64}, indices), s.d[axis]);
  dims row{1}, to{s.d[axis]};
  for (int i = 0; i < at.rank; ++i) row.push(at.d[i]);
  transpose::attributes first, back;  // the axes of the indices first, and then that axis back to its place
  for (int i = 0; i < at.rank; ++i) first.axes.push(axis + i);
  for (int i = 0; i < s.rank + at.rank - 1; ++i)
    if (i < axis || i >= axis + at.rank) first.axes.push(i);
  for (int i = 0; i < s.rank; ++i) {
    back.axes.push(i < axis ? i + 1 : i == axis ? 0 : i);
    if (i != axis) to.push(s.d[i]);
  }
  int const slices = axis == 0 ? d[0] : make<transpose>(g, first, d[0]);
  int const sums = make<scatter_add>(g, {to}, slices, make<reshape>(g, {row}, within));
  return axis == 0 ? sums : make<transpose>(g, back, sums);
}

}  // namespace sinter::ops::inline SINTER_ISA
