// SPDX-License-Identifier: Apache-2.0
// Along an axis of positions: cumsum, cumprod, arange_like, pick, and sequences of several lengths side by side (sequence_mask, sequence_last,
// sequence_reverse).
#pragma once
#include "creation.hpp"
#include "movement.hpp"
#include "order.hpp"
#include "reduction.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// What cumsum and cumprod are made of: each element combined with those before it along the axis, in their order.
template <class Self> struct running : opaque_op<Self> {
  static constexpr int arity = 1;
  using attributes = axis_attribute;
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table&) { return {in[0]}; }
  // An item is one line along the axis.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    around const axis(shapes[1], a.axis);
    return axis.outer * axis.inner;
  }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out, array_view<T const> in) {
    around const axis(in.shape, a.axis);
    std::int64_t const first = s.item / axis.inner * axis.n * axis.inner + s.item % axis.inner;
    for (std::int64_t k = 0; k < axis.n; ++k) {
      std::int64_t const at = first + k * axis.inner;
      out.data[at] = k == 0 ? in.data[at] : Self::combine(out.data[at - axis.inner], in.data[at]);
    }
  }
};
struct running_sum : running<running_sum> {
  static constexpr std::string_view name = "running_sum";
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  template <class T> static SINTER_HD constexpr T combine(T a, T b) { return element::add(a, b); }
};
struct running_product : running<running_product> {
  static constexpr std::string_view name = "running_product";
  template <class T> static SINTER_HD constexpr T combine(T a, T b) { return element::multiply(a, b); }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::running_sum);
SINTER_USER_OP(sinter::ops::running_product);

namespace sinter::ops::inline SINTER_ISA {

struct cumulative_attributes {
  int axis = 0;
  bool flat = false;
  static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("flat", a.flat); }
};
template <class Running> struct cumulative {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = cumulative_attributes;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {place(k[key::axis{}], 0, in[0].shape.rank), !k[key::axis{}].is_given};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 0};
    if (a.axis < 0 && !a.flat) return {{}, problem::no_such_axis, 0, 0};
    inferred r{{summed_in(in[0].type), in[0].shape}};
    if (a.flat) r.type.shape = {t.extent_of(t.elements(in[0].shape))};
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    int const x = summed_in(t.type) == t.type ? in[0] : make<cast>(g, {summed_in(t.type)}, in[0]);
    return a.flat ? make<Running>(g, {0}, make<reshape>(g, {{-1}}, x)) : make<Running>(g, {a.axis}, x);
  }
};
// cumsum(x, axis<0>): sums of the elements up to each, in their order; without an axis of all elements, as in NumPy
struct cumsum : cumulative<running_sum> {
  static constexpr format_names formats{"_np_cumsum", "CumSum"};
};
// cumprod(x, axis<0>): products. Integers wrap around.
struct cumprod : cumulative<running_product> {
  static constexpr format_names formats{"", ""};
  static constexpr auto derives = derivative::unknown;
};

// Of the elements from each on.
constexpr int running_sum::gradient(auto& g, int y, operand_nodes d, int) {
  int const axis = unpack<axis_attribute>(g.words_of(g.nodes[y])).axis;
  slice::attributes backwards;
  for (int i = 0; i < g.nodes[y].type.shape.rank; ++i)
    backwards.begin.push(open), backwards.end.push(open), backwards.step.push(i == axis ? -1 : 1);
  return make<slice>(g, backwards, make<running_sum>(g, {axis}, make<slice>(g, backwards, d[0])));
}
// The positions 0, 1, ... of an axis of this extent; int64.
constexpr int positions(auto& g, extent n) {
  if (n >= 0) return make<arange>(g, {number(0), number(n), number(1), dtype::int64});
  return make<subtract>(g, make<running_sum>(g, {0}, g.fill(dtype::int64, {n}, 1)), g.scalar(dtype::int64, 1));
}
// A dynamic extent as a scalar, int64: as many ones, added.
constexpr int dynamic_extent(auto& g, extent n) { return make<sum>(g, {1, false}, g.fill(dtype::int64, {n}, 1)); }
// The last position as a scalar; int64.
constexpr int last_position(auto& g, extent n) {
  if (n >= 0) return g.scalar(dtype::int64, static_cast<double>(n - 1));
  return make<subtract>(g, dynamic_extent(g, n), g.scalar(dtype::int64, 1));
}
// An int64 index of an axis of this extent, that of the nearest element where it is out of range.
constexpr int nearest_in(auto& g, int index, extent n) {
  return make<minimum>(g, make<maximum>(g, index, g.scalar(dtype::int64, 0)), last_position(g, n));
}
// arange_like(x, axis<0>): 0, 1, ... along an axis of x, which may be dynamic; int64
struct arange_like {
  static constexpr format_names formats{"_contrib_arange_like", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {place(k[key::axis{}], 0, in[0].shape.rank)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0 || a.axis >= in[0].shape.rank) return {{}, problem::no_such_axis, 0, 0};
    return {{dtype::int64, {in[0].shape.d[a.axis]}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) { return positions(g, g.nodes[in[0]].type.shape.d[a.axis]); }
};

// To each its part: a slice, or, where other extents along the axis are dynamic as well, what lies at its positions.
constexpr void concat::gradients(auto& g, gradient_request const& r) {
  node const k = g.nodes[r.y];
  int const axis = unpack<axis_attribute>(g.words_of(k)).axis;
  auto const extent_of = [&](int i) { return g.nodes[g.operand(k, i)].type.shape.d[axis]; };
  std::int64_t behind = 0, before = 0;  // of the operands with fixed extents
  int dynamic_behind = 0, dynamic_before = 0;
  for (int i = 0; i < k.in.n; ++i) {
    if (extent const n = extent_of(i); n >= 0) behind += n;
    else ++dynamic_behind;
  }
  for (int i = 0; i < k.in.n; ++i) {
    extent const own = extent_of(i);
    if (own >= 0) behind -= own;
    else --dynamic_behind;
    if (r.wanted[i] && dynamic_before + dynamic_behind > 0) {
      int at = make<add>(g, positions(g, own), g.scalar(dtype::int64, static_cast<double>(before)));
      for (int j = 0; j < i; ++j)
        if (extent const n = extent_of(j); n < 0) at = make<add>(g, at, dynamic_extent(g, n));
      r.to[i] = make<take>(g, {axis}, r.d[0], at);
    } else if (r.wanted[i]) {
      slice::attributes part;
      for (int j = 0; j < k.type.shape.rank; ++j) part.begin.push(open), part.end.push(open), part.step.push(1);
      if (own >= 0 || before > 0) part.begin.at[axis] = before;
      if (own >= 0) part.end.at[axis] = before + own;
      else if (behind > 0) part.end.at[axis] = -behind;
      r.to[i] = make<slice>(g, part, r.d[0]);
    }
    if (own >= 0) before += own;
    else ++dynamic_before;
  }
}

// pick(x, index, axis<-1>, keepdims): of each line along the axis the element at its index, which has the shape of x without that axis, or
// with 1 there. An index out of range is taken for the nearest in it, as in `take`.
struct pick {
  static constexpr format_names formats{"pick", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true, promotes = false;
  using keywords = list_of<may<key::axis, 1>, may<key::keepdims>>;
  struct attributes {
    int axis = 0;
    bool keepdims = false;
    static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("keepdims", a.keepdims); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {place(k[key::axis{}], -1, in[0].shape.rank), k[key::keepdims{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[1].type == dtype::boolean || is_floating(in[1].type)) return {{}, problem::wants_integer, 1, 1};
    dims const& x = in[0].shape;
    if (x.d[a.axis] == 0) return {{}, problem::slice_range, 0, 0};
    dims without, with = x;
    with.d[a.axis] = 1;
    for (int i = 0; i < x.rank; ++i)
      if (i != a.axis) without.push(x.d[i]);
    if (in[1].shape != without && in[1].shape != with) return {{}, problem::index_shape, 0, 1};
    return {{in[0].type, a.keepdims ? with : without}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    return picked(g, in[0], place_in_line(g, in[0], in[1], a.axis), a.axis, a.keepdims);
  }
  // The picked element's is that of the result, that of all others is zero.
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    int const x = operand_of(g, y, 0);
    auto const a = unpack<attributes>(g.words_of(g.nodes[y]));
    int const from = a.keepdims ? d[0] : make<expand_dims>(g, {a.axis}, d[0]);
    return make<where>(g, chosen_in(g, x, place_in_line(g, x, operand_of(g, y, 1), a.axis), a.axis), from, number_beside(g, x, 0));
  }
  // With an int64 index that has 1 as its extent of the axis. The other elements become the lowest number, so that the maximum is the picked one.
  static constexpr int picked(auto& g, int x, int index, int axis, bool keepdims) {
    array_type const t = g.nodes[x].type;
    int const chosen = chosen_in(g, x, index, axis);
    reduction_attributes const folded{std::int64_t{1} << axis, keepdims};
    if (t.type == dtype::boolean) {
      int const one = make<max>(g, folded, make<cast>(g, {dtype::int32}, make<logical_and>(g, chosen, x)));
      return make<greater>(g, one, g.scalar(dtype::int32, 0));
    }
    return make<max>(g, folded, make<where>(g, chosen, x, g.fill(t.type, dims{}, bits_of_lowest(t.type))));
  }

 private:
  static constexpr int place_in_line(auto& g, int x, int index, int axis) {
    if (g.nodes[index].type.shape.rank < g.nodes[x].type.shape.rank) index = make<expand_dims>(g, {axis}, index);
    return make<cast>(g, {dtype::int64}, index);
  }
  // Where the picked elements are.
  static constexpr int chosen_in(auto& g, int x, int index, int axis) {
    dims const s = g.nodes[x].type.shape;
    return make<equal>(g, vector_along(g, positions(g, s.d[axis]), axis, s.rank), nearest_in(g, index, s.d[axis]));
  }
};

// Sequences side by side: time along one axis of x, the first or the second, and along the other one of them a length for each.
struct sequence_op {
  static constexpr family kind = family::composite;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true, promotes = false;
  static constexpr problem check(operand_types in, int time) {
    if (in[0].shape.rank < 2) return problem::rank_too_small;
    if (time < 0 || time > 1) return problem::no_such_axis;
    if (in[1].type == dtype::boolean || is_floating(in[1].type)) return problem::wants_integer;
    return in[1].shape.rank == 1 && in[1].shape.d[0] == in[0].shape.d[1 - time] ? problem::none : problem::lengths_shape;
  }
  static constexpr inferred refused(problem p) { return {{}, p, p == problem::wants_integer ? 1 : 0, p == problem::no_such_axis ? 0 : 1}; }
  static constexpr int time_of(auto const& k, operand_types in) { return place(k[key::axis{}], 0, in[0].shape.rank); }
  static constexpr int whole(auto& g, int lengths) { return make<cast>(g, {dtype::int64}, lengths); }
};
// sequence_mask(x, lengths, axis<0>, values<0>): the elements behind the end of each sequence become a number
struct sequence_mask : sequence_op {
  static constexpr format_names formats{"SequenceMask", ""};
  using keywords = list_of<may<key::axis, 1>, may<key::values, 1>>;
  struct attributes {
    int axis = 0;
    number value{0};
    static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("value", a.value); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    number_list const& v = k[key::values{}].value;
    return {time_of(k, in), v.n > 0 ? v.at[0] : number(0)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (problem const p = check(in, a.axis); p != problem::none) return refused(p);
    if (!a.value.fits(in[0].type)) return {{}, problem::keyword_value, 0, 0};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    int const rank = t.shape.rank, lengths = vector_along(g, whole(g, in[1]), 1 - a.axis, rank);
    int const inside = make<lesser>(g, vector_along(g, positions(g, t.shape.d[a.axis]), a.axis, rank), lengths);
    return make<where>(g, inside, in[0], g.fill(t.type, dims{}, a.value.bits(t.type)));
  }
};
// sequence_last(x, lengths, axis<0>): the last element of each sequence; of one without elements the first of its places
struct sequence_last : sequence_op {
  static constexpr format_names formats{"SequenceLast", ""};
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {time_of(k, in)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (problem const p = check(in, a.axis); p != problem::none) return refused(p);
    if (in[0].shape.d[a.axis] == 0) return {{}, problem::slice_range, 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (i != a.axis) r.type.shape.push(in[0].shape.d[i]);
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const last = make<subtract>(g, whole(g, in[1]), g.scalar(dtype::int64, 1));
    return pick::picked(g, in[0], vector_along(g, last, 1 - a.axis, g.nodes[in[0]].type.shape.rank), a.axis, false);
  }
};
// sequence_reverse(x, lengths): each sequence of (time, batch, ...) backwards; what is behind its end stays where it is
struct sequence_reverse : opaque_op<sequence_reverse> {
  static constexpr format_names formats{"SequenceReverse", ""};
  static constexpr bool lanes_share_items = true;
  static constexpr bool moves = true, promotes = false, wants_arrays = true;
  static constexpr int arity = 2;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) { return make<sequence_reverse>(g, d[0], operand_of(g, y, 1)); }
  static constexpr inferred infer(operand_types in, dimension_table&) {
    if (problem const p = sequence_op::check(in, 0); p != problem::none) return sequence_op::refused(p);
    return {in[0]};
  }
  // An item is what one sequence has at one time.
  static constexpr std::int64_t items(no_attributes const&, dims const* shapes) { return shapes[0].d[0] * shapes[0].d[1]; }
  template <class T, class I> static SINTER_HD constexpr void item(no_attributes const&, share s, array_view<T> out,
                                                                   array_view<T const> data, array_view<I const> lengths) {
    std::int64_t const batch = data.shape.d[1], time = data.shape.d[0], t = s.item / batch,
                       asked = static_cast<std::int64_t>(lengths.data[s.item % batch]), length = asked < time ? asked : time,
                       from = t < length ? length - 1 - t : t;
    std::int64_t inner = 1;
    for (int i = 2; i < data.shape.rank; ++i) inner *= data.shape.d[i];
    T const* const x = data.data + (from * batch + s.item % batch) * inner;
    T* const y = out.data + s.item * inner;
    for (std::int64_t i = s.lane; i < inner; i += s.lanes) y[i] = x[i];
  }
};

using sequence_ops = list_of<cumsum, cumprod, arange_like, pick, sequence_mask, sequence_last, sequence_reverse>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(cumsum, "(x, axis<0>)")
SINTER_OP(cumprod, "(x, axis<0>)")
SINTER_OP(arange_like, "(x, axis<0>)")
SINTER_OP(pick, "(x, index, axis<-1>, keepdims)")
SINTER_OP(sequence_mask, "(x, lengths, axis<0>, values<0>)")
SINTER_OP(sequence_last, "(x, lengths, axis<0>)")
SINTER_OP(sequence_reverse, "(x, lengths)")
