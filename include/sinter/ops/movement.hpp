// SPDX-License-Identifier: Apache-2.0
// Elements that change place: concat and take.
#pragma once
#include "opaque.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// concat(a, b, ..., axis<1>): side by side along an axis, by default the second. Its operands are computed directly into the result.
struct concat {
  static constexpr format_names formats{"Concat", "Concat"};
  static constexpr family kind = family::join;
  static constexpr operand_count arity{1, operand_count::any};
  static constexpr bool wants_arrays = true;
  static constexpr void gradients(auto& g, gradient_request const& r);
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    return {place(k[key::axis{}], rank > 1 ? 1 : 0, rank)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    inferred r{in[0]};
    for (int i = 1; i < in.n; ++i) {
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
      if (in[i].shape.rank != in[0].shape.rank) return {{}, problem::parts_differ, 0, i};
      for (int k = 0; k < in[0].shape.rank; ++k) {
        extent const x = r.type.shape.d[k], y = in[i].shape.d[k];
        if (k == a.axis) r.type.shape.d[k] = t.sum(x, y);
        else if (x != y) {
          if (x == 1 || y == 1 || !broadcast_extent(x, y, r.type.shape.d[k])) return {{}, problem::parts_differ, 0, i};
          t.same(x, y);
        }
      }
    }
    return r;
  }
};

// take(data, indices, axis<0>): the slices that the indices name. An index out of range is clipped to the nearest, as in Gluon.
struct take : opaque_op<take> {
  static constexpr format_names formats{"take", "Gather"};
  static constexpr bool moves = true;
  static constexpr bool promotes = false;
  static constexpr bool lanes_share_items = true;
  static constexpr int arity = 2;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {place(k[key::axis{}], 0, in[0].shape.rank)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[1].type == dtype::boolean || is_floating(in[1].type)) return {{}, problem::wants_integer, 1, 1};
    if (in[0].shape.rank + in[1].shape.rank - 1 > max_rank) return {{}, problem::too_many_dimensions, 0, 1};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (i != a.axis) r.type.shape.push(in[0].shape.d[i]);
      else
        for (int k = 0; k < in[1].shape.rank; ++k) r.type.shape.push(in[1].shape.d[k]);
    return r;
  }
  // An item is one slice.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    return around(shapes[1], a.axis).outer * shapes[2].size();
  }
  template <class T, class I> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out,
                                                                   array_view<T const> data, array_view<I const> indices) {
    around const axis(data.shape, a.axis);
    std::int64_t const count = indices.shape.size(), last = axis.n - 1, asked = static_cast<std::int64_t>(indices.data[s.item % count]),
                       at = asked < 0 || last < 0 ? 0
                            : asked > last        ? last
                                                  : asked;
    T const* const from = data.data + (s.item / count * axis.n + at) * axis.inner;
    T* const to = out.data + s.item * axis.inner;
    for (std::int64_t i = s.lane; i < axis.inner; i += s.lanes) to[i] = last < 0 ? T{} : from[i];
  }
};

using movement_ops = list_of<concat, take>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(concat, "(a, b, ..., axis<1>)")
SINTER_OP(take, "(x, indices, axis<0>)")

namespace sinter::ops::inline SINTER_ISA {

// Zeros of the dtype of node x.
constexpr int zeros_beside(auto& g, int x, dims const& shape) {
  dtype const t = g.nodes[x].type.type;
  return g.fill(t, shape, bits_of(t, 0));
}
// x with so many zeros before and behind it along an axis.
constexpr int between_zeros(auto& g, int x, int axis, std::int64_t before, std::int64_t behind) {
  dims s = g.nodes[x].type.shape;
  if (before > 0) {
    s.d[axis] = before;
    x = make<concat>(g, {axis}, zeros_beside(g, x, s), x);
  }
  if (behind > 0) {
    s.d[axis] = behind;
    x = make<concat>(g, {axis}, x, zeros_beside(g, x, s));
  }
  return x;
}
// The elements of `parts` by turns along an axis, of which they all have the same extent, as far as n of them.
constexpr int by_turns(auto& g, list<int> const& parts, int axis, extent n) {
  if (parts.size() == 1) return parts[0];
  dims s = g.nodes[parts[0]].type.shape;
  list<int> apart;
  for (int p : parts) apart.push(make<expand_dims>(g, {axis + 1}, p));
  inferred why;
  int const beside = g.apply(info<concat>, {apart.data(), apart.size()}, pack(axis_attribute{axis + 1}), why);
  s.d[axis] *= parts.size();
  int const all = make<reshape>(g, {s}, beside);
  if (s.d[axis] == n) return all;
  slice::attributes part;
  for (int i = 0; i < s.rank; ++i) part.begin.push(open), part.end.push(i == axis ? n : open), part.step.push(1);
  return make<slice>(g, part, all);
}
// Each element where it came from, and zeros elsewhere.
constexpr int slice::gradient(auto& g, int y, operand_nodes d, int) {
  dims const s = g.nodes[operand_of(g, y, 0)].type.shape;
  attributes const a = unpack<attributes>(g.words_of(g.nodes[y]));
  attributes backwards;
  bool turn = false;
  for (int i = 0; i < s.rank; ++i) {
    backwards.begin.push(open), backwards.end.push(open), backwards.step.push(a.step[i] < 0 ? -1 : 1);
    turn = turn || a.step[i] < 0;
  }
  int r = turn ? make<slice>(g, backwards, d[0]) : d[0];
  for (int i = 0; i < s.rank; ++i) {
    if (s.d[i] < 0) {  // whole, or cut at fixed distances from the ends
      if (!is_backwards(a, i)) r = between_zeros(g, r, i, a.begin[i] == open ? 0 : a.begin[i], a.end[i] == open ? 0 : -a.end[i]);
      continue;
    }
    counted_range const of = range_of(s.d[i], a, i);
    if (of.count == 0) {
      dims none = g.nodes[r].type.shape;
      none.d[i] = s.d[i];
      r = zeros_beside(g, r, none);
      continue;
    }
    std::int64_t const step = a.step[i] < 0 ? -a.step[i] : a.step[i], last = of.begin + (of.count - 1) * a.step[i];
    std::int64_t const first = last < of.begin ? last : of.begin;
    list<int> parts;
    parts.push(r);
    for (std::int64_t k = 1; k < step && of.count > 1; ++k) parts.push(zeros_beside(g, r, g.nodes[r].type.shape));
    if (parts.size() > 1) r = by_turns(g, parts, i, (of.count - 1) * step + 1);
    r = between_zeros(g, r, i, first, s.d[i] - first - ((of.count - 1) * step + 1));
  }
  return r;
}
// The parts side by side again.
constexpr int split::gradient(auto& g, int y, operand_nodes d, int) {
  auto const a = unpack<attributes>(g.words_of(g.nodes[y]));
  int const x = operand_of(g, y, 0);
  dims s = g.nodes[x].type.shape;
  s.d[a.axis] /= a.parts;
  list<int> all;
  for (int p : d) all.push(p < 0 ? zeros_beside(g, x, s) : p);
  inferred why;
  return g.apply(info<concat>, {all.data(), all.size()}, pack(axis_attribute{a.axis}), why);
}
}  // namespace sinter::ops::inline SINTER_ISA
