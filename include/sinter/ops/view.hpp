// SPDX-License-Identifier: Apache-2.0
// The same memory read another way. Elements are copied only for a reshape that strides cannot express.
#pragma once
#include "../core/part.hpp"
#include "arguments.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct view_base {
  static constexpr family kind = family::view;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
};
// A view that keeps the order of the elements.
struct same_order : view_base {
  static constexpr bool keeps_order = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  static constexpr bool view(layout const& in, dims const& from, dims const& to, auto const&, dimension_table& t, layout& out) {
    if (reshape_layout(in, from, to, t, out)) return true;
    bool nothing = false;
    for (int i = 0; i < to.rank; ++i) nothing = nothing || to.d[i] == 0;
    // Without elements any strides are right that move along an axis of extent 0: what stands still is read once for each row. An extent that
    // only the run can divide fits no axis, and what is row-major stays so.
    if (!nothing && !is_row_major(in, from, t)) return false;
    out = row_major(to, t);
    out.offset = in.offset;
    return true;
  }
};

// transpose(x) reverses the axes, transpose(x, axes<1, 0, 2>) permutes them.
struct transpose : view_base {
  static constexpr format_names formats{"transpose", "Transpose"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  using keywords = list_of<may<key::axis>>;
  struct attributes {
    int_list axes;  // of the operand, in the order of the result
    static constexpr void each(auto& a, auto&& f) { f("axes", a.axes); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    auto const& [axes, is_given] = k[key::axis{}];
    attributes a;
    for (int i = 0; i < (is_given ? axes.n : rank); ++i) a.axes.push(is_given ? place(axes[i], rank) : rank - 1 - i);
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    inferred r{{in[0].type, {}}};
    unsigned seen = 0;
    if (a.axes.n != in[0].shape.rank) return {{}, problem::keyword_count, 0, 0};
    for (int i = 0; i < a.axes.n; ++i) {
      std::int64_t const axis = a.axes[i];
      if (axis < 0) return {{}, problem::no_such_axis, 0, 0};
      if ((seen >> axis) & 1) return {{}, problem::axis_twice, 0, 0};
      seen |= 1u << axis;
      r.type.shape.push(in[0].shape.d[axis]);
    }
    return r;
  }
  static constexpr bool view(layout const& in, dims const& from, dims const&, attributes const& a, dimension_table&, layout& out) {
    out = in;
    for (int i = 0; i < from.rank; ++i) out.stride[i] = in.stride[a.axes[i]];
    return true;
  }
};
// The attributes of an operation whose result has a given shape.
struct shape_attribute {
  dims shape;
  static constexpr void each(auto& a, auto&& f) { f("shape", a.shape); }
};
// reshape(x, into<2, -1>): one extent may be -1 and is computed from the others. Where a dimension of x has no name, or is
// computed in a graph, the run checks that the numbers of elements fit.
struct reshape : same_order {
  static constexpr format_names formats{"reshape", "Reshape"};
  using keywords = list_of<must<key::into>>;
  using attributes = shape_attribute;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::into{}].value}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    inferred r{{in[0].type, {}}};
    int open = -1;
    size known{1, 0}, rest;
    for (int i = 0; i < a.shape.rank; ++i) {
      extent const e = a.shape.d[i];
      r.type.shape.push(e);
      if (e == -1) {
        if (open >= 0) return {{}, problem::reshape_count, 0, 0};
        open = i;
      } else known = known * t.size_of(e);
    }
    size const all = t.elements(in[0].shape);
    bool const fits = open >= 0 ? divides(all, known, rest) : all == known;
    bool const run_decides = known.k != 0 && !(all.fixed() && known.fixed()) && (!t.typed || has_nameless(in[0].shape));
    if (!fits && !run_decides) return {{}, problem::reshape_count, 0, 0};
    if (open >= 0) r.type.shape.d[open] = fits ? t.extent_of(rest) : t.quotient(all, known);
    else if (!fits) t.same(t.extent_of(known), t.extent_of(all));
    return r;
  }
};
// A vector along axis `axis` of `rank` axes.
constexpr int vector_along(auto& g, int vector, int axis, int rank) {
  if (axis == rank - 1) return vector;
  dims to = g.nodes[vector].type.shape;
  for (int i = axis + 1; i < rank; ++i) to.push(1);
  return make<reshape>(g, {to}, vector);
}
// flatten(x): (a, b, c, ...) becomes (a, b * c * ...)
struct flatten : same_order {
  static constexpr format_names formats{"Flatten", "Flatten"};
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    if (in[0].shape.rank < 1) return {{}, problem::rank_too_small, 0, 0};
    size rest{1, 0};
    for (int i = 1; i < in[0].shape.rank; ++i) rest = rest * t.size_of(in[0].shape.d[i]);
    return {{in[0].type, {in[0].shape.d[0], t.extent_of(rest)}}};
  }
};
// expand_dims(x, axis<1>): a new axis of extent 1 in that place of the result
struct expand_dims : same_order {
  static constexpr format_names formats{"expand_dims", "Unsqueeze"};
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {place(k[key::axis{}], 0, in[0].shape.rank + 1)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[0].shape.rank == max_rank) return {{}, problem::too_many_dimensions, 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i <= in[0].shape.rank; ++i) {
      if (i == a.axis) r.type.shape.push(1);
      if (i < in[0].shape.rank) r.type.shape.push(in[0].shape.d[i]);
    }
    return r;
  }
};
// squeeze(x, axis<0>): removes the axis, which must have extent 1; without a keyword, all such axes
struct squeeze : same_order {
  static constexpr format_names formats{"squeeze", "Squeeze"};
  using keywords = list_of<may<key::axis>>;
  struct attributes {
    std::int64_t axes = 0;  // as bits
    static constexpr void each(auto& a, auto&& f) { f("axes", a.axes); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    dims const& s = in[0].shape;
    auto const& [axes, is_given] = k[key::axis{}];
    if (is_given) return {axis_bits(axes, s.rank)};
    attributes a;
    for (int i = 0; i < s.rank; ++i) a.axes |= std::int64_t{s.d[i] == 1} << i;
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axes < 0) return {{}, wrong_axis(a.axes), 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (!((a.axes >> i) & 1)) r.type.shape.push(in[0].shape.d[i]);
      else if (in[0].shape.d[i] != 1) return {{}, problem::squeeze_extent, 0, 0};
    return r;
  }
};
// broadcast_to(x, into<4, 3>): stretched where the extent is 1
struct broadcast_to : view_base {
  static constexpr format_names formats{"broadcast_to", "Expand"};
  static constexpr int gradient(auto&, int, operand_nodes d, int) { return d[0]; }
  using keywords = list_of<must<key::into>>;
  using attributes = shape_attribute;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::into{}].value}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    dims const& s = in[0].shape;
    inferred r{{in[0].type, a.shape}};
    for (int i = 0; i < a.shape.rank; ++i)
      if (a.shape.d[i] == -1) return {{}, problem::keyword_value, 0, 0};
    if (s.rank > r.type.shape.rank) return {{}, problem::shapes_differ, 0, 0};
    for (int i = 1; i <= s.rank; ++i) {
      extent const x = s.d[s.rank - i], y = r.type.shape.d[r.type.shape.rank - i];
      if (x == 1 || x == y) continue;
      if (x >= 0 && y >= 0) return {{}, problem::shapes_differ, 0, 0};
      t.same(x, y);
    }
    return r;
  }
  static constexpr bool view(layout const& in, dims const& from, dims const& to, attributes const&, dimension_table&, layout& out) {
    out = layout{};
    out.offset = in.offset;
    for (int i = 1; i <= from.rank; ++i)
      if (from.d[from.rank - i] != 1) out.stride[to.rank - i] = in.stride[from.rank - i];
    return true;
  }
};
// slice(x, begin<0, 2>, end<open, 5>, step<1, 1>): NumPy's x[0:, 2:5]; ranges are clipped, a negative step runs backwards. A dynamic axis
// can only be taken whole, forwards or with the step -1 backwards, or cut at a fixed distance from its ends.
struct slice : view_base {
  static constexpr format_names formats{"slice", "Slice"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  using keywords = list_of<may<key::begin>, may<key::end>, may<key::step>>;
  // One number for each axis; `open` is the natural end.
  struct attributes {
    int_list begin, end, step;
    static constexpr void each(auto& a, auto&& f) { f("begin", a.begin), f("end", a.end), f("step", a.step); }
  };
  // What is left out, or open, is `otherwise`.
  static constexpr int_list filled(int_list given, int rank, std::int64_t otherwise) {
    while (given.n < rank) given.push(open);
    for (int i = 0; i < given.n; ++i)
      if (given[i] == open) given.at[i] = otherwise;
    return given;
  }
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    return {filled(k[key::begin{}].value, rank, open), filled(k[key::end{}].value, rank, open), filled(k[key::step{}].value, rank, 1)};
  }
  // Axis i, where it has n elements.
  static constexpr counted_range range_of(std::int64_t n, attributes const& a, int i) {
    return range_within(n, a.begin[i], a.end[i], a.step[i]);
  }
  // Whether all of axis i is taken from its end to its beginning.
  static constexpr bool is_backwards(attributes const& a, int i) { return a.step[i] == -1 && a.begin[i] == open && a.end[i] == open; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    dims const& s = in[0].shape;
    if (a.begin.n != s.rank || a.end.n != s.rank || a.step.n != s.rank) return {{}, problem::no_such_axis, 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < s.rank; ++i) {
      std::int64_t const from = a.begin[i], to = a.end[i], by = a.step[i];
      if (by == 0) return {{}, problem::slice_range, 0, 0};
      if (s.d[i] >= 0) r.type.shape.push(range_of(s.d[i], a, i).count);
      else if (is_backwards(a, i)) r.type.shape.push(s.d[i]);
      else if (by != 1 || (from != open && from < 0) || (to != open && to >= 0)) return {{}, problem::wants_number, 0, 0};
      else r.type.shape.push(t.sum(s.d[i], (to == open ? 0 : to) - (from == open ? 0 : from)));
    }
    return r;
  }
  static constexpr bool view(layout const& in, dims const& from, dims const&, attributes const& a, dimension_table& t, layout& out) {
    out = in;
    for (int i = 0; i < from.rank; ++i) {
      std::int64_t first = a.begin[i] == open ? 0 : a.begin[i];
      if (from.d[i] >= 0) first = range_of(from.d[i], a, i).begin;
      else if (is_backwards(a, i)) {
        if (!out.offset.add(t.size_of(from.d[i]) * in.stride[i])) return false;
        first = -1;
      }
      if (!out.offset.add(size{first, 0} * in.stride[i])) return false;
      out.stride[i] = size{a.step[i], 0} * in.stride[i];
    }
    return true;
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(slice, "(x, begin<0>, end<5>, step<1>)")

namespace sinter::ops::inline SINTER_ISA {

// split(x, parts<3>, axis<1>): slices of equal extent along an axis, by default the second.
struct split {
  static constexpr format_names formats{"SliceChannel", "Split"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  static constexpr bool moves = true;
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<must<key::parts, 1>, may<key::axis, 1>>;
  struct attributes {
    int axis = 0, parts = 1;
    static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("parts", a.parts); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {place(k[key::axis{}], 1, in[0].shape.rank), k[key::parts{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    extent const all = in[0].shape.d[a.axis];
    if (a.parts < 1 || all < 0 || all % a.parts != 0) return {{}, problem::split_uneven, 0, 0};
    inferred r{in[0]};
    r.type.shape.d[a.axis] = all / a.parts;
    return r;
  }
  static constexpr int results(attributes const& a) { return a.parts; }
  static constexpr array_type result(int, operand_types, attributes const&, array_type const& first) { return first; }
  // Part i as a slice.
  static constexpr slice::attributes part(int i, attributes const& a, dims const& from) {
    slice::attributes s;
    for (int k = 0; k < from.rank; ++k) {
      extent const n = from.d[k] / a.parts;
      s.begin.push(k == a.axis ? i * n : open);
      s.end.push(k == a.axis ? (i + 1) * n : open);
      s.step.push(1);
    }
    return s;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const from = g.nodes[in[0]].type.shape;
    list<int> all;
    for (int i = 0; i < a.parts; ++i) all.push(make<slice>(g, part(i, a, from), in[0]));
    return g.tuple({all.data(), all.size()});
  }
  // Eagerly the parts share the operand's elements.
  static constexpr bool view_of_result(int i, layout const& in, dims const& from, dims const& to, attributes const& a, dimension_table& t,
                                       layout& out) {
    return slice::view(in, from, to, part(i, a, from), t, out);
  }
};

using view_ops = list_of<transpose, reshape, flatten, expand_dims, squeeze, broadcast_to, slice, split>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(transpose, "(x, axes<1, 0>)")
SINTER_OP(reshape, "(x, into<2, -1>)")
SINTER_OP(flatten, "(x)")
SINTER_OP(expand_dims, "(x, axis<0>)")
SINTER_OP(squeeze, "(x, axis<0>)")
SINTER_OP(broadcast_to, "(x, into<2, 3>)")
SINTER_OP(split, "(x, parts<3>, axis<1>), where the extent of the axis is a multiple of the parts")

namespace sinter::ops::inline SINTER_ISA {

constexpr int same_order::gradient(auto& g, int y, operand_nodes d, int) {
  return make<reshape>(g, {g.nodes[operand_of(g, y, 0)].type.shape}, d[0]);
}
// In the reverse order of the axes.
constexpr int transpose::gradient(auto& g, int y, operand_nodes d, int) {
  int_list const axes = unpack<attributes>(g.words_of(g.nodes[y])).axes;
  attributes back;
  for (int i = 0; i < axes.n; ++i) back.axes.push(0);
  for (int i = 0; i < axes.n; ++i) back.axes.at[axes[i]] = i;
  return make<transpose>(g, back, d[0]);
}

}  // namespace sinter::ops::inline SINTER_ISA
