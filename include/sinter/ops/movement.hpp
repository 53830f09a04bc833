// SPDX-License-Identifier: Apache-2.0
// Elements that change place: concat, take, sort, and arrays made from nothing.
#pragma once
#include <algorithm>

#include "elementwise.hpp"
#include "view.hpp"

namespace sinter::ops {

// concat(a, b, ..., axis<1>): side by side along an axis, the second unless said otherwise. The branches are written in place.
struct concat {
  static constexpr std::string_view name = "concat";
  static constexpr format_names formats{"Concat", "Concat"};
  static constexpr family kind = family::join;
  static constexpr unsigned accepts = keyword::axis;
  static constexpr int arity = -1;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    int const rank = in[0].shape.rank;
    return {1, {place(s.n_axes ? s.axes[0] : rank > 1 ? 1 : 0, rank)}};
  }
  static constexpr inferred infer(array_type const* in, int n, attributes const& a, dimension_table& t) {
    if (a.v[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    inferred r{in[0]};
    for (int i = 1; i < n; ++i) {
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
      if (in[i].shape.rank != in[0].shape.rank) return {{}, problem::shapes_differ, 0, i};
      for (int k = 0; k < in[0].shape.rank; ++k) {
        extent const x = r.type.shape.d[k], y = in[i].shape.d[k];
        if (k == a.v[0]) r.type.shape.d[k] = t.sum(x, y);
        else if (x != y) {
          if (x == 1 || y == 1 || !broadcast_extent(x, y, r.type.shape.d[k])) return {{}, problem::shapes_differ, 0, i};
          t.same(x, y);
        }
      }
    }
    return r;
  }
};

// What a kernel of an opaque operation is given: row-major arrays with their extents.
template <class T> struct array_view {
  T* data = nullptr;
  dims shape;
};
struct opaque_op {
  static constexpr family kind = family::opaque;
  static constexpr int cost = 100;
};

// take(data, indices, axis<0>): the slices that the indices name. An index out of range is clipped to the nearest, as in Gluon.
struct take : opaque_op {
  static constexpr std::string_view name = "take";
  static constexpr format_names formats{"take", "Gather"};
  static constexpr bool promotes = false;
  static constexpr unsigned accepts = keyword::axis;
  static constexpr int arity = 2;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    return {1, {place(s.n_axes ? s.axes[0] : 0, in[0].shape.rank)}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (a.v[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[1].type == dtype::boolean || is_floating(in[1].type)) return {{}, problem::wants_integer, 1, 1};
    if (in[0].shape.rank + in[1].shape.rank - 1 > max_rank) return {{}, problem::too_many_dimensions, 0, 1};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (i != a.v[0]) r.type.shape.push(in[0].shape.d[i]);
      else
        for (int k = 0; k < in[1].shape.rank; ++k) r.type.shape.push(in[1].shape.d[k]);
    return r;
  }
  template <class T, class I> static constexpr void run(attributes const& a, array_view<T> out, array_view<T const> data,
                                                        array_view<I const> indices) {
    std::int64_t outer = 1, inner = 1;
    for (int i = 0; i < data.shape.rank; ++i) (i < a.v[0] ? outer : inner) *= i == a.v[0] ? 1 : data.shape.d[i];
    std::int64_t const n = data.shape.d[a.v[0]], count = indices.shape.size();
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t j = 0; j < count; ++j) {
        std::int64_t const at = std::clamp<std::int64_t>(static_cast<std::int64_t>(indices.data[j]), 0, n > 0 ? n - 1 : 0);
        for (std::int64_t i = 0; i < inner; ++i) out.data[(o * count + j) * inner + i] = n > 0 ? data.data[(o * n + at) * inner + i] : T{};
      }
  }
};

// sort(x, axis<-1>, descending): along an axis, NaN last, as in NumPy.
struct sort : opaque_op {
  static constexpr std::string_view name = "sort";
  static constexpr format_names formats{"sort", ""};
  static constexpr unsigned accepts = keyword::axis | keyword::order;
  static constexpr int arity = 1;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    return {2, {place(s.n_axes ? s.axes[0] : -1, in[0].shape.rank), s.ascending}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (a.v[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    return {in[0]};
  }
  template <class T> static constexpr void run(attributes const& a, array_view<T> out, array_view<T const> in) {
    std::int64_t outer = 1, inner = 1;
    for (int i = 0; i < in.shape.rank; ++i) (i < a.v[0] ? outer : inner) *= i == a.v[0] ? 1 : in.shape.d[i];
    std::int64_t const n = in.shape.d[a.v[0]];
    bool const up = a.v[1] != 0;
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t i = 0; i < inner; ++i) {
        T* const to = out.data + o * n * inner + i;
        T const* const from = in.data + o * n * inner + i;
        for (std::int64_t k = 0; k < n; ++k) to[k * inner] = from[k * inner];
        heap_sort(to, n, inner, up);
      }
  }

 private:
  template <class T> static constexpr bool before(T a, T b, bool up) {
    if (a != a) return false;
    if (b != b) return true;
    return up ? a < b : b < a;
  }
  // In place and along a stride, without memory: the library's sorts need contiguous rows.
  template <class T> static constexpr void heap_sort(T* v, std::int64_t n, std::int64_t stride, bool up) {
    auto const sink = [&](std::int64_t root, std::int64_t end_) {
      for (std::int64_t child = 2 * root + 1; child < end_; root = child, child = 2 * root + 1) {
        if (child + 1 < end_ && before(v[child * stride], v[(child + 1) * stride], up)) ++child;
        if (!before(v[root * stride], v[child * stride], up)) return;
        std::swap(v[root * stride], v[child * stride]);
      }
    };
    for (std::int64_t i = n / 2; i-- > 0;) sink(i, n);
    for (std::int64_t end_ = n; end_-- > 1;) {
      std::swap(v[0], v[end_ * stride]);
      sink(0, end_);
    }
  }
};

// arange(values<start, stop, step>, as<T>): start, start + step, ... below stop; float32 unless said otherwise. One value: from 0 to it.
struct arange : opaque_op {
  static constexpr std::string_view name = "arange";
  static constexpr format_names formats{"_arange", "Range"};
  static constexpr unsigned accepts = keyword::values | keyword::type;
  static constexpr int arity = 0;
  static constexpr attributes arguments(settings const& s, array_type const*, int) {
    double const start = s.n_values > 1 ? s.values[0] : 0, stop = s.n_values > 1 ? s.values[1] : s.values[0],
                 by = s.n_values > 2 ? s.values[2] : 1;
    return {4,
            {std::bit_cast<std::int64_t>(start), std::bit_cast<std::int64_t>(stop), std::bit_cast<std::int64_t>(by),
             static_cast<std::int64_t>(s.type == dtype::none ? dtype::float32 : s.type)}};
  }
  static constexpr inferred infer(array_type const*, int, attributes const& a, dimension_table&) {
    double const start = std::bit_cast<double>(a.v[0]), stop = std::bit_cast<double>(a.v[1]), by = std::bit_cast<double>(a.v[2]);
    if (by == 0) return {{}, problem::slice_range, 0, 0};
    double const n = math::ceil((stop - start) / by);
    return {{static_cast<dtype>(a.v[3]), {1, {n > 0 ? static_cast<extent>(n) : 0}}}};
  }
  template <class T> static constexpr T at(attributes const& a, std::int64_t i) {
    return static_cast<T>(math::rounded(std::bit_cast<double>(a.v[2]) * static_cast<double>(i)) + std::bit_cast<double>(a.v[0]));
  }
  template <class T> static constexpr void run(attributes const& a, array_view<T> out) {
    for (std::int64_t i = 0; i < out.shape.d[0]; ++i) out.data[i] = at<T>(a, i);
  }
};

// zeros_like(x): the shape and dtype of x, filled with 0
struct zeros_like {
  static constexpr std::string_view name = "zeros_like";
  static constexpr format_names formats{"zeros_like", ""};
  static constexpr family kind = family::composite;
  static constexpr unsigned accepts = 0;
  static constexpr int arity = 1;
  static constexpr attributes arguments(settings const&, array_type const*, int) { return {}; }
  static constexpr inferred infer(array_type const* in, int, attributes const&, dimension_table&) { return {in[0]}; }
  static constexpr int expand(graph& g, int const* in, int, attributes const&) {
    array_type const t = g.nodes[in[0]].type;
    return g.fill(t.type, t.shape, 0);
  }
};

// one_hot(i, depth<N>, values<on, off>, as<T>): a new last axis that holds `on` at the index; an index out of range gives a row of `off`.
struct one_hot {
  static constexpr std::string_view name = "one_hot";
  static constexpr format_names formats{"one_hot", "OneHot"};
  static constexpr family kind = family::composite;
  static constexpr unsigned accepts = keyword::count | keyword::values | keyword::type;
  static constexpr int arity = 1;
  static constexpr attributes arguments(settings const& s, array_type const*, int) {
    return {4,
            {s.count, std::bit_cast<std::int64_t>(s.n_values > 0 ? s.values[0] : 1.),
             std::bit_cast<std::int64_t>(s.n_values > 1 ? s.values[1] : 0.),
             static_cast<std::int64_t>(s.type == dtype::none ? dtype::float32 : s.type)}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (in[0].type == dtype::boolean || is_floating(in[0].type)) return {{}, problem::wants_integer, 0, 0};
    if (in[0].shape.rank == max_rank) return {{}, problem::too_many_dimensions, 0, 0};
    inferred r{{static_cast<dtype>(a.v[3]), in[0].shape}};
    r.type.shape.push(a.v[0]);
    return r;
  }
  static constexpr int expand(graph& g, int const* in, int, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    dtype const to = static_cast<dtype>(a.v[3]);
    int const column = g.make(info<expand_dims>, attributes{1, {t.shape.rank}}, in[0]);
    int const steps =
        g.make(info<arange>, attributes{4,
                                        {std::bit_cast<std::int64_t>(0.), std::bit_cast<std::int64_t>(static_cast<double>(a.v[0])),
                                         std::bit_cast<std::int64_t>(1.), static_cast<std::int64_t>(t.type)}});
    int const hit = g.make(info<equal>, {}, column, steps);
    return g.make(info<where>, {}, hit, g.scalar(to, std::bit_cast<double>(a.v[1])), g.scalar(to, std::bit_cast<double>(a.v[2])));
  }
};

using movement_ops = list_of<concat, take, sort, arange, zeros_like, one_hot>;

}  // namespace sinter::ops

SINTER_OP(concat)
SINTER_OP(take)
SINTER_OP(sort)
SINTER_OP(arange)
SINTER_OP(zeros_like)
SINTER_OP(one_hot)
