// SPDX-License-Identifier: Apache-2.0
// Along a sorted axis: sort, argsort and topk.
#pragma once
#include <algorithm>

#include "opaque.hpp"

namespace sinter::ops::inline SINTER_ISA {

// sort(x, axis<-1>, descending): along an axis, NaN last, as in NumPy.
struct sort : opaque_op<sort> {
  static constexpr format_names formats{"sort", ""};
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::axis, 1>, may<key::ascending>>;
  struct attributes {
    int axis = 0;
    bool ascending = true;
    static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("ascending", a.ascending); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {place(k[key::axis{}], -1, in[0].shape.rank), k[key::ascending{}].or_else(true)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    return {in[0]};
  }
  // An item is one line along the axis, which one thread sorts.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    around const axis(shapes[1], a.axis);
    return axis.outer * axis.inner;
  }
  template <class T>
  static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out, array_view<T const> in) {
    around const axis(in.shape, a.axis);
    std::int64_t const first = s.item / axis.inner * axis.n * axis.inner + s.item % axis.inner;
    for (std::int64_t k = 0; k < axis.n; ++k) out.data[first + k * axis.inner] = in.data[first + k * axis.inner];
#if !defined(__CUDACC__)
    if (!SINTER_IS_CONSTANT && axis.inner == 1)
      return std::sort(out.data + first, out.data + first + axis.n, [up = a.ascending](T x, T y) { return before(x, y, up); });
#endif
    heap_sort(out.data + first, axis.n, axis.inner, a.ascending);
  }

  template <class T> static SINTER_HD constexpr bool before(T a, T b, bool up) {
    if (a != a) return false;
    if (b != b) return true;
    return up ? a < b : b < a;
  }

 private:
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
  // In place and along a stride, without memory, on a device, too: the library's sorts need contiguous rows.
  template <class T> static SINTER_HD constexpr void heap_sort(T* v, std::int64_t n, std::int64_t stride, bool up) {
    for (std::int64_t i = n / 2; i-- > 0;) sink(v, i, n, stride, up);
    for (std::int64_t end_ = n; end_-- > 1;) {
      exchange(v[0], v[end_ * stride]);
      sink(v, 0, end_, stride, up);
    }
  }
};

// argsort(x, axis<-1>, descending): the positions of the elements in the order in which `sort` puts them; of equal ones, among which all NaN
// are, the earlier one first. int64
struct argsort : opaque_op<argsort> {
  static constexpr format_names formats{"argsort", ""};
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true, flat = true;
  using keywords = sort::keywords;
  using attributes = sort::attributes;
  static constexpr attributes arguments(auto const& k, operand_types in) { return sort::arguments(k, in); }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    return {{dtype::int64, in[0].shape}};
  }
  // An item is one line along the axis, which one thread sorts.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) { return sort::items(a, shapes); }
  template <class T>
  static SINTER_HD constexpr void item(attributes const& a, share s, array_view<std::int64_t> out, array_view<T const> in) {
    around const axis(in.shape, a.axis);
    std::int64_t const first = s.item / axis.inner * axis.n * axis.inner + s.item % axis.inner;
    line<T> const places{out.data + first, in.data + first, axis.inner, a.ascending};
    for (std::int64_t k = 0; k < axis.n; ++k) places[k] = k;
#if !defined(__CUDACC__)
    if (!SINTER_IS_CONSTANT && axis.inner == 1)
      return std::sort(places.places, places.places + axis.n, [&](std::int64_t x, std::int64_t y) { return places.before(x, y); });
#endif
    for (std::int64_t i = axis.n / 2; i-- > 0;) places.sink(i, axis.n);
    for (std::int64_t end_ = axis.n; end_-- > 1;) {
      std::int64_t const last = places[0];
      places[0] = places[end_];
      places[end_] = last;
      places.sink(0, end_);
    }
  }

 private:
  // Positions that form a heap, of which the first comes last in the order.
  template <class T> struct line {
    std::int64_t* places;
    T const* values;
    std::int64_t step;
    bool up;
    SINTER_HD constexpr std::int64_t& operator[](std::int64_t i) const { return places[i * step]; }
    SINTER_HD constexpr bool before(std::int64_t a, std::int64_t b) const {
      T const x = values[a * step], y = values[b * step];
      return sort::before(x, y, up) || (!sort::before(y, x, up) && a < b);
    }
    SINTER_HD constexpr void sink(std::int64_t root, std::int64_t end_) const {
      std::int64_t const p = (*this)[root];
      for (std::int64_t child = 2 * root + 1; child < end_; root = child, child = 2 * root + 1) {
        if (child + 1 < end_ && before((*this)[child], (*this)[child + 1])) ++child;
        if (!before(p, (*this)[child])) break;
        (*this)[root] = (*this)[child];
      }
      (*this)[root] = p;
    }
  };
};

// topk(x, top<3>, axis<-1>, ascending): the first elements of a sorted axis and their positions, as two results: the largest, or with
// `ascending` the smallest. NaN comes last, and of equal elements the earlier one first.
struct topk : opaque_op<topk> {
  static constexpr format_names formats{"topk", "TopK"};
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<must<key::top>, may<key::axis, 1>, may<key::ascending>>;
  struct attributes {
    int axis = 0, top = 1;
    bool ascending = false;
    static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("top", a.top), f("ascending", a.ascending); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {place(k[key::axis{}], -1, in[0].shape.rank), k[key::top{}].value, k[key::ascending{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    extent const all = in[0].shape.d[a.axis];
    if (all < 0) return {{}, problem::wants_number, 0, 0};
    if (a.top < 1 || a.top > all) return {{}, problem::top_range, 0, 0};
    inferred r{in[0]};
    r.type.shape.d[a.axis] = a.top;
    return r;
  }
  static constexpr int results(attributes const&) { return 2; }
  static constexpr array_type result(int i, operand_types, attributes const&, array_type const& first) {
    return i == 0 ? first : array_type{dtype::int64, first.shape};
  }
  // An item is one line along the axis, which one thread searches.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    around const axis(shapes[0], a.axis);
    return axis.outer * axis.inner;
  }
  // The best elements so far form a heap, whose first element is the worst of them.
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> values,
                                                          array_view<std::int64_t> places, array_view<T const> in) {
    around const axis(in.shape, a.axis);
    std::int64_t const row = s.item / axis.inner, column = s.item % axis.inner, step = axis.inner;
    std::int64_t const first = row * a.top * step + column;
    T const* const x = in.data + row * axis.n * step + column;
    heap<T> const h{values.data + first, places.data + first, step, a.ascending};
    for (std::int64_t i = 0; i < axis.n; ++i) {
      if (i < a.top) h.set(i, {x[i * step], i});
      else if (h.before({x[i * step], i}, h[0])) h.set(0, {x[i * step], i}), h.sink(0, a.top);
      if (i == a.top - 1)
        for (std::int64_t root = a.top / 2; root-- > 0;) h.sink(root, a.top);
    }
    for (std::int64_t end_ = a.top; end_-- > 1;) {
      found<T> const last = h[0];
      h.set(0, h[end_]);
      h.set(end_, last);
      h.sink(0, end_);
    }
  }

 private:
  template <class T> struct found {
    T value;
    std::int64_t place;
  };
  template <class T> struct heap {
    T* values;
    std::int64_t* places;
    std::int64_t step;
    bool up;
    SINTER_HD constexpr found<T> operator[](std::int64_t i) const { return {values[i * step], places[i * step]}; }
    SINTER_HD constexpr void set(std::int64_t i, found<T> f) const {
      values[i * step] = f.value;
      places[i * step] = f.place;
    }
    SINTER_HD constexpr bool before(found<T> a, found<T> b) const {
      if (sort::before(a.value, b.value, up)) return true;
      return !sort::before(b.value, a.value, up) && a.place < b.place;
    }
    SINTER_HD constexpr void sink(std::int64_t root, std::int64_t end_) const {
      found<T> const f = (*this)[root];
      for (std::int64_t child = 2 * root + 1; child < end_; root = child, child = 2 * root + 1) {
        if (child + 1 < end_ && before((*this)[child], (*this)[child + 1])) ++child;
        if (!before(f, (*this)[child])) break;
        set(root, (*this)[child]);
      }
      set(root, f);
    }
  };
};

using order_ops = list_of<sort, argsort, topk>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_MATH_OP(sort, "(x, axis<-1>, descending)")
SINTER_OP(argsort, "(x, axis<-1>, descending)")
SINTER_OP(topk, "(x, top<3>, axis<-1>, ascending), where the axis has so many elements")
