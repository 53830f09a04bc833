// SPDX-License-Identifier: Apache-2.0
// Elements that change place: concat, take, sort, and arrays made from nothing.
#pragma once
#include "elementwise.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// concat(a, b, ..., axis<1>): side by side along an axis, the second unless said otherwise. The branches are written in place.
struct concat {
  static constexpr std::string_view name = "concat";
  static constexpr format_names formats{"Concat", "Concat"};
  static constexpr family kind = family::join;
  static constexpr unsigned accepts = keyword::axis;
  static constexpr operand_count arity{1, operand_count::any};
  static constexpr int most_axes = 1;
  static constexpr bool wants_arrays = true;
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
// A thread's share of one: item number `item`, in which it does the inner elements lane, lane + lanes, ...
struct share {
  std::int64_t item = 0, lane = 0, lanes = 1;
};
// An operation that nothing joins is a number of `items(attributes, shapes of the result and the operands)` that do not touch one another,
// and `item(attributes, share, result, operands...)`, which does one. `run` does all of them, one after the other.
template <class Self> struct opaque_op {
  static constexpr family kind = family::opaque;
  static constexpr int cost = 100;
  template <class Out, class... In> static constexpr void run(attributes const& a, Out out, In... in) {
    dims const shapes[]{out.shape, in.shape...};
    std::int64_t const n = Self::items(a, shapes);
    for (std::int64_t i = 0; i < n; ++i) Self::item(a, share{i}, out, in...);
  }
};
// An axis in the middle of a shape: the extents before it, its own, and those behind it.
struct around {
  std::int64_t outer = 1, n = 1, inner = 1;
  SINTER_HD constexpr around(dims const& s, std::int64_t axis) {
    for (int i = 0; i < s.rank; ++i) (i < axis ? outer : i > axis ? inner : n) *= s.d[i];
  }
};

// take(data, indices, axis<0>): the slices that the indices name. An index out of range is clipped to the nearest, as in Gluon.
struct take : opaque_op<take> {
  static constexpr std::string_view name = "take";
  static constexpr format_names formats{"take", "Gather"};
  static constexpr bool promotes = false;
  static constexpr unsigned accepts = keyword::axis;
  static constexpr int arity = 2, most_axes = 1;
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
  // A slice each.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    return around(shapes[1], a.v[0]).outer * shapes[2].size();
  }
  template <class T, class I> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out,
                                                                   array_view<T const> data, array_view<I const> indices) {
    around const axis(data.shape, a.v[0]);
    std::int64_t const count = indices.shape.size(), last = axis.n - 1, asked = static_cast<std::int64_t>(indices.data[s.item % count]),
                       at = asked < 0 || last < 0 ? 0
                            : asked > last        ? last
                                                  : asked;
    T const* const from = data.data + (s.item / count * axis.n + at) * axis.inner;
    T* const to = out.data + s.item * axis.inner;
    for (std::int64_t i = s.lane; i < axis.inner; i += s.lanes) to[i] = last < 0 ? T{} : from[i];
  }
};

// sort(x, axis<-1>, descending): along an axis, NaN last, as in NumPy.
struct sort : opaque_op<sort> {
  static constexpr std::string_view name = "sort";
  static constexpr format_names formats{"sort", ""};
  static constexpr unsigned accepts = keyword::axis | keyword::order;
  static constexpr int arity = 1, most_axes = 1;
  static constexpr bool wants_arrays = true;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    return {2, {place(s.n_axes ? s.axes[0] : -1, in[0].shape.rank), s.ascending}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (a.v[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    return {in[0]};
  }
  // A line along the axis each, which one thread sorts.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    around const axis(shapes[1], a.v[0]);
    return axis.outer * axis.inner;
  }
  template <class T>
  static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out, array_view<T const> in) {
    if (s.lane != 0) return;
    around const axis(in.shape, a.v[0]);
    std::int64_t const first = s.item / axis.inner * axis.n * axis.inner + s.item % axis.inner;
    for (std::int64_t k = 0; k < axis.n; ++k) out.data[first + k * axis.inner] = in.data[first + k * axis.inner];
    heap_sort(out.data + first, axis.n, axis.inner, a.v[1] != 0);
  }

 private:
  template <class T> static SINTER_HD constexpr bool before(T a, T b, bool up) {
    if (a != a) return false;
    if (b != b) return true;
    return up ? a < b : b < a;
  }
  template <class T> static SINTER_HD constexpr void exchange(T& a, T& b) {
    T const c = a;
    a = b;
    b = c;
  }
  template <class T>
  static SINTER_HD constexpr void sink(T* v, std::int64_t root, std::int64_t end_, std::int64_t stride, bool up) {
    for (std::int64_t child = 2 * root + 1; child < end_; root = child, child = 2 * root + 1) {
      if (child + 1 < end_ && before(v[child * stride], v[(child + 1) * stride], up)) ++child;
      if (!before(v[root * stride], v[child * stride], up)) return;
      exchange(v[root * stride], v[child * stride]);
    }
  }
  // In place and along a stride, without memory: the library's sorts need contiguous rows.
  template <class T> static SINTER_HD constexpr void heap_sort(T* v, std::int64_t n, std::int64_t stride, bool up) {
    for (std::int64_t i = n / 2; i-- > 0;) sink(v, i, n, stride, up);
    for (std::int64_t end_ = n; end_-- > 1;) {
      exchange(v[0], v[end_ * stride]);
      sink(v, 0, end_, stride, up);
    }
  }
};

// arange(values<start, stop, step>, as<T>): start, start + step, ... below stop; float32 unless said otherwise. One value: from 0 to it.
struct arange : opaque_op<arange> {
  static constexpr std::string_view name = "arange";
  static constexpr format_names formats{"_arange", "Range"};
  static constexpr unsigned accepts = keyword::values | keyword::type, needs = keyword::values;
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
    return {{static_cast<dtype>(a.v[3]), {n > 0 ? static_cast<extent>(n) : 0}}};
  }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].d[0]; }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::int64_t i) {
    return static_cast<T>(math::mul(__builtin_bit_cast(double, a.v[2]), static_cast<double>(i)) + __builtin_bit_cast(double, a.v[0]));
  }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out) {
    if (s.lane == 0) out.data[s.item] = at<T>(a, s.item);
  }
};

}  // namespace sinter::ops

SINTER_OP(arange, "arange(values<0, 10, 2>, as<float>)")

namespace sinter::ops {

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
  static constexpr unsigned accepts = keyword::depth | keyword::values | keyword::type, needs = keyword::depth;
  static constexpr int arity = 1, most_values = 2;
  static constexpr attributes arguments(settings const& s, array_type const*, int) {
    return {4,
            {s.depth, std::bit_cast<std::int64_t>(s.n_values > 0 ? s.values[0] : 1.),
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

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(concat, "concat(a, b, ..., axis<1>)")
SINTER_OP(take, "take(x, indices, axis<0>)")
SINTER_OP(sort, "sort(x, axis<-1>, descending)")
SINTER_OP(zeros_like, "zeros_like(x)")
SINTER_OP(one_hot, "one_hot(indices, depth<10>, values<1, 0>, as<float>)")
