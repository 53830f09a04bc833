// SPDX-License-Identifier: Apache-2.0
// The same elements in other places, as often as asked for: swap_axes, flip, stack, tile, repeat, roll, and like another array: broadcast_like,
// slice_like, reshape_like.
#pragma once
#include "movement.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// swap_axes(x, axes<0, 2>)
struct swap_axes : transpose {
  static constexpr format_names formats{"SwapAxis", ""};
  using keywords = list_of<must<key::axis, 2>>;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    int_list const& v = k[key::axis{}].value;
    attributes a;
    if (v.n != 2) return a;
    int const p = place(v[0], rank), q = place(v[1], rank);
    if (p < 0 || q < 0) a.axes.push(-1);
    for (int i = 0; i < rank && p >= 0 && q >= 0; ++i) a.axes.push(i == p ? q : i == q ? p : i);
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (a.axes.n == 1 && a.axes[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    return transpose::infer(in, a, t);
  }
};
// flip(x, axis<1>): backwards along the axes, by default along all
struct flip : view_base {
  static constexpr format_names formats{"reverse", ""};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<flip>(g, unpack<attributes>(g.words_of(g.nodes[y])), d[0]);
  }
  using keywords = list_of<may<key::axis>>;
  struct attributes {
    std::int64_t axes = 0;  // as bits
    static constexpr void each(auto& a, auto&& f) { f("axes", a.axes); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    auto const& axes = k[key::axis{}];
    return {axes.is_given ? axis_bits(axes.value, rank) : (std::int64_t{1} << rank) - 1};
  }
  static constexpr slice::attributes as_slice(attributes const& a, int rank) {
    slice::attributes s;
    for (int i = 0; i < rank; ++i) s.begin.push(open), s.end.push(open), s.step.push((a.axes >> i) & 1 ? -1 : 1);
    return s;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axes < 0) return {{}, wrong_axis(a.axes), 0, 0};
    return {in[0]};
  }
  static constexpr bool view(layout const& in, dims const& from, dims const& to, attributes const& a, dimension_table& t, layout& out) {
    return slice::view(in, from, to, as_slice(a, from.rank), t, out);
  }
};

// What only moves elements, written with others.
struct arrangement {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true, moves = true;
};
// stack(a, b, ..., axis<0>): side by side along a new axis
struct stack : arrangement {
  static constexpr format_names formats{"stack", ""};
  static constexpr bool moves = false;  // more than its first operand
  static constexpr operand_count arity{1, operand_count::any};
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {place(k[key::axis{}], 0, in[0].shape.rank + 1)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    list<array_type> parts;
    for (array_type const& x : in) {
      if (x.shape.rank != in[0].shape.rank) return {{}, problem::parts_differ, 0, parts.size()};
      inferred const part = expand_dims::infer({&x, 1}, a, t);
      if (part.what != problem::none) return part;
      parts.push(part.type);
    }
    return concat::infer({parts.data(), parts.size()}, a, t);
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    list<int> parts;
    for (int x : in) parts.push(make<expand_dims>(g, a, x));
    inferred why;
    return g.apply(info<concat>, {parts.data(), parts.size()}, pack(a), why);
  }
};
// An axis n times: as a whole (0, 1, 0, 1), or `each` element (0, 0, 1, 1).
constexpr int several_times(auto& g, int x, int axis, std::int64_t n, bool each) {
  if (n == 1) return x;
  dims const from = g.nodes[x].type.shape;
  dims to = from;
  size outer{1, 0}, inner{1, 0};
  for (int i = 0; i < from.rank; ++i)
    if (size& s = i < axis ? outer : inner; i != axis) s = s * g.dimensions.size_of(from.d[i]);
  extent const before = g.dimensions.extent_of(outer), own = from.d[axis], behind = g.dimensions.extent_of(inner);
  to.d[axis] = g.dimensions.extent_of(g.dimensions.size_of(own) * size{n, 0});
  int const apart = make<reshape>(g, {each ? dims{before, own, 1, behind} : dims{before, 1, own, behind}}, x);
  int const stretched = make<broadcast_to>(g, {each ? dims{before, own, n, behind} : dims{before, n, own, behind}}, apart);
  return make<reshape>(g, {to}, stretched);
}
struct reps_attribute {
  int_list reps;
  static constexpr void each(auto& a, auto&& f) { f("reps", a.reps); }
};
// tile(x, reps<2, 3>): a number for each of the last axes, or more of them than x has axes
struct tile : arrangement {
  static constexpr format_names formats{"tile", "Tile"};
  using keywords = list_of<must<key::reps>>;
  using attributes = reps_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    attributes a;
    int_list const& v = k[key::reps{}].value;
    for (int i = v.n; i < in[0].shape.rank; ++i) a.reps.push(1);
    for (int i = 0; i < v.n; ++i) a.reps.push(v[i]);
    return a;
  }
  static constexpr dims with_axes(dims const& s, int rank) {
    dims r;
    for (int i = s.rank; i < rank; ++i) r.push(1);
    for (int i = 0; i < s.rank; ++i) r.push(s.d[i]);
    return r;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    inferred r{{in[0].type, with_axes(in[0].shape, a.reps.n)}};
    for (int i = 0; i < a.reps.n; ++i) {
      if (a.reps[i] < 0) return {{}, problem::keyword_value, 0, 0};
      r.type.shape.d[i] = t.extent_of(t.size_of(r.type.shape.d[i]) * size{a.reps[i], 0});
    }
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const s = g.nodes[in[0]].type.shape;
    int r = s.rank < a.reps.n ? make<reshape>(g, {with_axes(s, a.reps.n)}, in[0]) : in[0];
    for (int i = 0; i < a.reps.n; ++i) r = several_times(g, r, i, a.reps[i], false);
    return r;
  }
};
// repeat(x, reps<3>, axis<1>): each element so often; without an axis those of all axes, as one
struct repeat : arrangement {
  static constexpr format_names formats{"repeat", ""};
  using keywords = list_of<must<key::reps, 1>, may<key::axis, 1>>;
  struct attributes {
    std::int64_t reps = 1;
    int axis = 0;
    bool flat = false;
    static constexpr void each(auto& a, auto&& f) { f("reps", a.reps), f("axis", a.axis), f("flat", a.flat); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    bool const flat = !k[key::axis{}].is_given;
    return {k[key::reps{}].value[0], flat ? 0 : place(k[key::axis{}].value[0], in[0].shape.rank), flat};
  }
  static constexpr dims shape_of(dims const& s, attributes const& a, dimension_table& t) {
    return a.flat ? dims{t.extent_of(t.elements(s))} : s;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    if (a.reps < 0) return {{}, problem::keyword_value, 0, 0};
    inferred r{{in[0].type, shape_of(in[0].shape, a, t)}};
    r.type.shape.d[a.axis] = t.extent_of(t.size_of(r.type.shape.d[a.axis]) * size{a.reps, 0});
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const s = shape_of(g.nodes[in[0]].type.shape, a, g.dimensions);
    return several_times(g, make<reshape>(g, {s}, in[0]), a.axis, a.reps, true);
  }
};
// roll(x, shift<1>, axis<0>): what leaves an axis at its end enters at its beginning; a shift for each axis, or one for all of them. Without
// an axis the elements of all are one.
struct roll : arrangement {
  static constexpr format_names formats{"_npi_roll", ""};
  using keywords = list_of<must<key::shift>, may<key::axis>>;
  struct attributes {
    int_list shift;  // for each axis, or for all as one
    std::int64_t axes = 0;
    bool flat = false, fits = true;
    static constexpr void each(auto& a, auto&& f) { f("shift", a.shift), f("axes", a.axes), f("flat", a.flat), f("fits", a.fits); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    int_list const& v = k[key::shift{}].value;
    auto const& [axes, is_given] = k[key::axis{}];
    attributes a;
    a.flat = !is_given;
    a.fits = v.n == 1 || (is_given && v.n == axes.n);
    a.axes = is_given ? axis_bits(axes, rank) : 1;
    for (int i = 0; i < (a.flat ? 1 : rank); ++i) a.shift.push(a.flat && v.n > 0 ? v[0] : 0);
    for (int i = 0; i < axes.n && a.fits && is_given && a.axes >= 0; ++i) a.shift.at[place(axes[i], rank)] = v[v.n == 1 ? 0 : i];
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axes < 0) return {{}, wrong_axis(a.axes), 0, 0};
    if (!a.fits) return {{}, problem::keyword_count, 0, 0};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (in[0].shape.d[i] < 0 && (a.flat || a.shift[i] != 0)) return {{}, problem::wants_number, 0, 0};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const s = g.nodes[in[0]].type.shape;
    int r = a.flat ? make<reshape>(g, {{g.dimensions.extent_of(g.dimensions.elements(s))}}, in[0]) : in[0];
    for (int i = 0; i < a.shift.n; ++i) {
      extent const n = g.nodes[r].type.shape.d[i];
      if (n <= 0 || a.shift[i] % n == 0) continue;
      std::int64_t const first = n - (a.shift[i] % n + n) % n;
      int const behind = make<slice>(g, between(g.nodes[r].type.shape.rank, i, first, n), r);
      int const front = make<slice>(g, between(g.nodes[r].type.shape.rank, i, 0, first), r);
      r = make<concat>(g, {i}, behind, front);
    }
    return a.flat ? make<reshape>(g, {s}, r) : r;
  }
  // Of one axis the elements from `first` to before `last`.
  static constexpr slice::attributes between(int rank, int axis, std::int64_t first, std::int64_t last, std::int64_t step = 1) {
    slice::attributes s;
    for (int i = 0; i < rank; ++i)
      s.begin.push(i == axis ? first : open), s.end.push(i == axis ? last : open), s.step.push(i == axis ? step : 1);
    return s;
  }
};
// broadcast_like(x, y): x stretched to the shape of y
struct broadcast_like : arrangement {
  static constexpr format_names formats{"broadcast_like", ""};
  static constexpr int arity = 2;
  static constexpr bool promotes = false;
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    inferred r = broadcast_to::infer(in, {in[1].shape}, t);
    if (r.what != problem::none) r.b = 1;
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in) { return make<broadcast_to>(g, {g.nodes[in[1]].type.shape}, in[0]); }
};
// slice_like(x, y, axes<0, 1>): as much of the beginning of these axes, by default of all, as y has
struct slice_like : arrangement {
  static constexpr format_names formats{"slice_like", ""};
  static constexpr int arity = 2;
  static constexpr bool promotes = false;
  using keywords = list_of<may<key::axis>>;
  using attributes = flip::attributes;
  static constexpr attributes arguments(auto const& k, operand_types in) { return flip::arguments(k, in); }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axes < 0) return {{}, wrong_axis(a.axes), 0, 1};
    inferred r{in[0]};
    for (int i = 0; i < in[0].shape.rank; ++i) {
      if (!((a.axes >> i) & 1)) continue;
      if (i >= in[1].shape.rank) return {{}, problem::no_such_axis, 1, 1};
      extent const all = in[0].shape.d[i], some = in[1].shape.d[i];
      if (all != some && (all < 0 || some < 0)) return {{}, problem::wants_number, 0, 1};
      if (all != some && some > all) return {{}, problem::slice_range, 0, 1};
      r.type.shape.d[i] = some;
    }
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const s = g.nodes[in[0]].type.shape, like = g.nodes[in[1]].type.shape;
    slice::attributes part = flip::as_slice({0}, s.rank);
    for (int i = 0; i < s.rank; ++i)
      if (((a.axes >> i) & 1) && s.d[i] != like.d[i]) part.end.at[i] = like.d[i];
    return make<slice>(g, part, in[0]);
  }
};

// reshape_like(x, y): the elements of x in the shape of y
struct reshape_like : arrangement {
  static constexpr format_names formats{"reshape_like", ""};
  static constexpr int arity = 2;
  static constexpr bool promotes = false;
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    inferred r = reshape::infer(in, {in[1].shape}, t);
    if (r.what != problem::none) r.b = 1;
    return r;
  }
  // A shape that is not known is that of y.
  static constexpr void complete(list<array_type>& in, no_attributes const&) {
    if (in[0].shape.rank < 0 || in[0].shape == dims{unknown_extent}) in[0].shape = in[1].shape;
  }
  static constexpr int expand(auto& g, operand_nodes in) { return make<reshape>(g, {g.nodes[in[1]].type.shape}, in[0]); }
};

using arrange_ops = list_of<swap_axes, flip, stack, tile, repeat, roll, broadcast_like, slice_like, reshape_like>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(swap_axes, "(x, axes<0, 1>)")
SINTER_OP(flip, "(x, axis<1>)")
SINTER_OP(stack, "(a, b, ..., axis<0>)")
SINTER_OP(tile, "(x, reps<2, 3>)")
SINTER_OP(repeat, "(x, reps<3>, axis<1>)")
SINTER_OP(roll, "(x, shift<1>, axis<0>)")
SINTER_OP(broadcast_like, "(x, y)")
SINTER_OP(slice_like, "(x, y, axes<0, 1>)")
SINTER_OP(reshape_like, "(x, y)")
