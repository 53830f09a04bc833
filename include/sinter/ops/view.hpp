// SPDX-License-Identifier: Apache-2.0
// The same memory read another way. No element moves unless a reshape meets strides that cannot express it.
#pragma once
#include <tuple>
#include <utility>

#include "arguments.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct view_base {
  static constexpr family kind = family::view;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
};
// A view that keeps the order of the elements.
struct same_order : view_base {
  static constexpr bool view(layout const& in, dims const& from, dims const& to, attributes const&, dimension_table& t, layout& out) {
    if (reshape_layout(in, from, to, t, out)) return true;
    bool nothing = false;  // then no stride is wrong
    for (int i = 0; i < to.rank; ++i) nothing = nothing || to.d[i] == 0;
    return nothing;
  }
};

// transpose(x) reverses the axes, transpose(x, axes<1, 0, 2>) permutes them.
struct transpose : view_base {
  static constexpr std::string_view name = "transpose";
  static constexpr format_names formats{"transpose", "Transpose"};
  static constexpr unsigned accepts = keyword::axis;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    int const rank = in[0].shape.rank;
    attributes a{rank, {}};
    for (int i = 0; i < rank; ++i) a.v[i] = s.n_axes ? place(s.axes[i], rank) : rank - 1 - i;
    if (s.n_axes && s.n_axes != rank) a.v[0] = -1;
    return a;
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    inferred r{{in[0].type, {}}};
    unsigned seen = 0;
    for (int i = 0; i < in[0].shape.rank; ++i) {
      if (a.v[i] < 0) return {{}, problem::no_such_axis, 0, 0};
      if ((seen >> a.v[i]) & 1) return {{}, problem::axis_twice, 0, 0};
      seen |= 1u << a.v[i];
      r.type.shape.push(in[0].shape.d[a.v[i]]);
    }
    return r;
  }
  static constexpr bool view(layout const& in, dims const& from, dims const&, attributes const& a, dimension_table&, layout& out) {
    out = in;
    for (int i = 0; i < from.rank; ++i) out.stride[i] = in.stride[a.v[i]];
    return true;
  }
};
// reshape(x, into<2, -1>): one -1 takes what is left.
struct reshape : same_order {
  static constexpr std::string_view name = "reshape";
  static constexpr format_names formats{"reshape", "Reshape"};
  static constexpr unsigned accepts = keyword::shape, needs = keyword::shape;
  static constexpr attributes arguments(settings const& s, array_type const*, int) { return to_shape(s.shape); }
  static constexpr attributes to_shape(dims const& s) {
    attributes a{s.rank, {}};
    if (s.rank == 0) a.n = -1;  // () is not "nothing given"
    for (int i = 0; i < s.rank; ++i) a.v[i] = s.d[i];
    return a;
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table& t) {
    inferred r{{in[0].type, {}}};
    int open = -1;
    size known{1, 0}, rest;
    for (int i = 0; i < a.n; ++i) {
      r.type.shape.push(a.v[i]);
      if (a.v[i] == -1) {
        if (open >= 0) return {{}, problem::reshape_count, 0, 0};
        open = i;
      } else known = known * t.size_of(a.v[i]);
    }
    size const all = t.elements(in[0].shape);
    if (open >= 0) {
      if (!divides(all, known, rest)) return {{}, problem::reshape_count, 0, 0};
      r.type.shape.d[open] = t.extent_of(rest);
    } else if (!(all == known)) return {{}, problem::reshape_count, 0, 0};
    return r;
  }
};
// flatten(x): (a, b, c, ...) becomes (a, b * c * ...)
struct flatten : same_order {
  static constexpr std::string_view name = "flatten";
  static constexpr format_names formats{"Flatten", "Flatten"};
  static constexpr unsigned accepts = 0;
  static constexpr attributes arguments(settings const&, array_type const*, int) { return {}; }
  static constexpr inferred infer(array_type const* in, int, attributes const&, dimension_table& t) {
    if (in[0].shape.rank < 1) return {{}, problem::rank_too_small, 0, 0};
    size rest{1, 0};
    for (int i = 1; i < in[0].shape.rank; ++i) rest = rest * t.size_of(in[0].shape.d[i]);
    return {{in[0].type, {in[0].shape.d[0], t.extent_of(rest)}}};
  }
};
// expand_dims(x, axis<1>): a new axis of extent 1 in that place of the result
struct expand_dims : same_order {
  static constexpr std::string_view name = "expand_dims";
  static constexpr format_names formats{"expand_dims", "Unsqueeze"};
  static constexpr unsigned accepts = keyword::axis;
  static constexpr int most_axes = 1;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    return {1, {place(s.n_axes ? s.axes[0] : 0, in[0].shape.rank + 1)}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (a.v[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[0].shape.rank == max_rank) return {{}, problem::too_many_dimensions, 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i <= in[0].shape.rank; ++i) {
      if (i == a.v[0]) r.type.shape.push(1);
      if (i < in[0].shape.rank) r.type.shape.push(in[0].shape.d[i]);
    }
    return r;
  }
};
// squeeze(x, axis<0>): without the axis, which has extent 1; without a keyword all such axes
struct squeeze : same_order {
  static constexpr std::string_view name = "squeeze";
  static constexpr format_names formats{"squeeze", "Squeeze"};
  static constexpr unsigned accepts = keyword::axis;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    dims const& d = in[0].shape;
    attributes a{1, {0}};
    for (int i = 0; i < d.rank && !s.n_axes; ++i) a.v[0] |= std::int64_t{d.d[i] == 1} << i;
    if (s.n_axes) a.v[0] = axis_bits(s, d.rank);
    return a;
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (a.v[0] < 0) return {{}, wrong_axis(a.v[0]), 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (!((a.v[0] >> i) & 1)) r.type.shape.push(in[0].shape.d[i]);
      else if (in[0].shape.d[i] != 1) return {{}, problem::squeeze_extent, 0, 0};
    return r;
  }
};
// broadcast_to(x, into<4, 3>): stretched where the extent is 1
struct broadcast_to : view_base {
  static constexpr std::string_view name = "broadcast_to";
  static constexpr format_names formats{"broadcast_to", "Expand"};
  static constexpr unsigned accepts = keyword::shape, needs = keyword::shape;
  static constexpr attributes arguments(settings const& s, array_type const*, int) { return reshape::to_shape(s.shape); }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table& t) {
    dims const& s = in[0].shape;
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < a.n; ++i) r.type.shape.push(a.v[i]);
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
// slice(x, begin<0, 2>, end<open, 5>, step<1, 1>): NumPy's x[0:, 2:5]; ranges are clipped, a negative step runs backwards. Along a dynamic
// axis only whole ranges and cuts at a fixed distance from its ends.
struct slice : view_base {
  static constexpr std::string_view name = "slice";
  static constexpr format_names formats{"slice", "Slice"};
  static constexpr unsigned accepts = keyword::range;
  // attributes: begin, end (INT_MIN: natural), step for each axis
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    int const rank = in[0].shape.rank;
    attributes a{3 * rank, {}};
    for (int i = 0; i < rank; ++i) {
      a.v[3 * i] = i < s.n_begin ? s.begin[i] : open;
      a.v[3 * i + 1] = i < s.n_end ? s.end[i] : open;
      a.v[3 * i + 2] = i < s.n_step && s.step[i] != open ? s.step[i] : 1;
    }
    if (s.n_begin > rank || s.n_end > rank || s.n_step > rank) a.n = 0;
    return a;
  }
  static constexpr std::int64_t clip(std::int64_t v, std::int64_t low, std::int64_t high) { return v < low ? low : v > high ? high : v; }
  // begin (from the front) and count of a numeric axis
  static constexpr void range(std::int64_t n, std::int64_t const* v, std::int64_t& begin_, std::int64_t& count) {
    std::int64_t const step_ = v[2], low = step_ > 0 ? 0 : -1, high = step_ > 0 ? n : n - 1;
    begin_ = v[0] == open ? (step_ > 0 ? 0 : n - 1) : clip(v[0] < 0 ? v[0] + n : v[0], low, high);
    std::int64_t const end_ = v[1] == open ? (step_ > 0 ? n : -1) : clip(v[1] < 0 ? v[1] + n : v[1], low, high);
    std::int64_t const span = step_ > 0 ? end_ - begin_ : begin_ - end_, unit = step_ > 0 ? step_ : -step_;
    count = span <= 0 ? 0 : (span + unit - 1) / unit;
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table& t) {
    dims const& s = in[0].shape;
    if (a.n != 3 * s.rank) return {{}, problem::no_such_axis, 0, 0};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < s.rank; ++i) {
      std::int64_t const* v = a.v + 3 * i;
      if (v[2] == 0) return {{}, problem::slice_range, 0, 0};
      if (s.d[i] >= 0) {
        std::int64_t b = 0, n = 0;
        range(s.d[i], v, b, n);
        r.type.shape.push(n);
      } else if (v[2] != 1 || (v[0] != open && v[0] < 0) || (v[1] != open && v[1] >= 0)) return {{}, problem::slice_range, 0, 0};
      else r.type.shape.push(t.sum(s.d[i], (v[1] == open ? 0 : v[1]) - (v[0] == open ? 0 : v[0])));
    }
    return r;
  }
  static constexpr bool view(layout const& in, dims const& from, dims const&, attributes const& a, dimension_table&, layout& out) {
    out = in;
    for (int i = 0; i < from.rank; ++i) {
      std::int64_t const* v = a.v + 3 * i;
      std::int64_t b = v[0] == open ? 0 : v[0], n = 0;
      if (from.d[i] >= 0) range(from.d[i], v, b, n);
      if (!out.offset.add(size{b, 0} * in.stride[i])) return false;
      out.stride[i] = size{v[2], 0} * in.stride[i];
    }
    return true;
  }
};

// Slices of equal extent along an axis, made with the slice of mode F.
template <int Axis, int Rank, int From, int To> struct cut {
  template <int I> static constexpr int begin_at = I == Axis ? From : open;
  template <int I> static constexpr int end_at = I == Axis ? To : open;
  template <class F, class X, int... I> static constexpr auto of(F const& f, X const& x, std::integer_sequence<int, I...>) {
    return f.template call<slice>(x, range_t<0, begin_at<I>...>{}, range_t<1, end_at<I>...>{});
  }
};
template <int N, int Axis, class X> constexpr problem split_problem() {
  constexpr int at = place(Axis, X::shape_type::rank);
  if (at < 0) return problem::no_such_axis;
  constexpr extent all = X::shape_type::value.d[at < 0 ? 0 : at];
  return N < 1 || all < 0 || all % (N < 1 ? 1 : N) != 0 ? problem::split_uneven : problem::none;
}
template <int N, int Axis, class F, class X> constexpr auto split(F const& f, X const& x) {
  constexpr int rank = X::shape_type::rank, at = place(Axis, rank);
  constexpr int part = static_cast<int>(X::shape_type::value.d[at] / N);
  return [&]<int... P>(std::integer_sequence<int, P...>) {
    return std::tuple{cut<at, rank, P * part, (P + 1) * part>::of(f, x, std::make_integer_sequence<int, rank>{})...};
  }(std::make_integer_sequence<int, N>{});
}

using view_ops = list_of<transpose, reshape, flatten, expand_dims, squeeze, broadcast_to, slice>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(transpose, "transpose(x, axes<1, 0>)")
SINTER_OP(reshape, "reshape(x, into<2, -1>)")
SINTER_OP(flatten, "flatten(x)")
SINTER_OP(expand_dims, "expand_dims(x, axis<0>)")
SINTER_OP(squeeze, "squeeze(x, axis<0>)")
SINTER_OP(broadcast_to, "broadcast_to(x, into<2, 3>)")
SINTER_OP(slice, "slice(x, begin<0>, end<5>, step<1>)")
