// SPDX-License-Identifier: Apache-2.0
// Keywords of a call: `F.sum(x, axis<1>, keepdims)`. They are types, because they decide shapes.
#pragma once
#include <climits>

#include "registry.hpp"

namespace sinter {
namespace ops::inline SINTER_ISA {

// A number of a keyword, exact until it meets the dtype that it is to have.
struct number {
  double real = 0;
  std::int64_t whole = 0;
  bool is_whole = false;
  constexpr number() = default;
  template <class N> constexpr explicit number(N v) : real(static_cast<double>(v)) {
    if constexpr (std::is_integral_v<N>) {
      is_whole = holds(dtype::int64, v);
      if (is_whole) whole = static_cast<std::int64_t>(v);
    }
  }
  constexpr std::uint64_t bits(dtype t) const { return is_whole ? bits_of(t, whole) : bits_of(t, real); }
  // An integer holds no fraction.
  constexpr bool fits(dtype t) const {
    if (is_whole || (t != dtype::int32 && t != dtype::int64)) return !is_whole || holds(t, whole);
    double const bound = t == dtype::int32 ? 0x1p31 : 0x1p63;
    return real > -bound && real < bound && real == static_cast<double>(static_cast<std::int64_t>(real));
  }
};

// All keywords of a call together.
struct settings {
  unsigned given = 0;  // bits of ops::keyword
  int axes[max_rank]{}, n_axes = 0;
  bool keepdims = false, transpose_a = false, transpose_b = false, ascending = true;
  dims shape;
  int begin[max_rank]{}, n_begin = 0, end[max_rank]{}, n_end = 0, step[max_rank]{}, n_step = 0;
  bool flattened = true;
  double eps = 1e-5;
  number values[3]{};
  int n_values = 0;
  int depth = 0;
  int stride[max_rank]{}, n_stride = 0, pad[max_rank]{}, n_pad = 0, dilate[max_rank]{}, n_dilate = 0, groups = 1;
  dtype type = dtype::none;
};

struct keyword_base {};
template <class T>
concept is_keyword = std::is_base_of_v<keyword_base, T>;

// What is too much is left out: `keywords_fit` refuses the call.
constexpr void put(int const* v, int n, int* to, int& n_to) {
  for (n_to = 0; n_to < n && n_to < max_rank; ++n_to) to[n_to] = v[n_to];
}
template <int... A> struct axis_t : keyword_base {
  static constexpr unsigned bit = keyword::axis;
  static constexpr int values = sizeof...(A);
  constexpr void set(settings& s) const {
    int const v[]{A..., 0};
    put(v, sizeof...(A), s.axes, s.n_axes);
  }
};
struct keepdims_t : keyword_base {
  static constexpr unsigned bit = keyword::keepdims;
  constexpr void set(settings& s) const { s.keepdims = true; }
};
// A shape in which -1 stands for what is left over.
template <auto... D> struct new_shape {
  static_assert(
      ((sinter::detail::is_extent(D) || sinter::detail::extent_of(D) == -1) && ...),
      "sinter: an extent of a new shape is a number from 0 on, -1 for what is left over, sinter::dynamic or sinter::dim<\"name\">");
  static constexpr dims value{sinter::detail::extent_of(D)...};
};
template <class S> struct shape_t : keyword_base {
  static constexpr unsigned bit = keyword::shape;
  constexpr void set(settings& s) const { s.shape = S::value; }
};
template <int Which, int... V> struct range_t : keyword_base {
  static constexpr unsigned bit = Which == 0 ? keyword::begin : Which == 1 ? keyword::end : keyword::step;
  static constexpr int values = sizeof...(V);
  constexpr void set(settings& s) const {
    int const v[]{V..., 0};
    if constexpr (Which == 0) put(v, sizeof...(V), s.begin, s.n_begin);
    else if constexpr (Which == 1) put(v, sizeof...(V), s.end, s.n_end);
    else put(v, sizeof...(V), s.step, s.n_step);
  }
};
template <double E> struct eps_t : keyword_base {
  static_assert(E >= 0, "sinter: eps<1e-5> is added to a variance, so it takes no negative number");
  static constexpr unsigned bit = keyword::eps;
  constexpr void set(settings& s) const { s.eps = E; }
};
template <dtype D> struct type_t : keyword_base {
  static constexpr unsigned bit = keyword::type;
  constexpr void set(settings& s) const { s.type = D; }
};
template <int N> struct depth_t : keyword_base {
  static_assert(N >= 0, "sinter: depth<10> is the extent of a new axis, so it takes no negative number");
  static constexpr unsigned bit = keyword::depth;
  constexpr void set(settings& s) const { s.depth = N; }
};
template <int N> struct count_t : keyword_base {
  static constexpr unsigned bit = keyword::parts;
  constexpr void set(settings&) const {}
};
template <bool Up> struct order_t : keyword_base {
  static constexpr unsigned bit = keyword::order;
  constexpr void set(settings& s) const { s.ascending = Up; }
};
template <bool B> struct transpose_t : keyword_base {
  static constexpr unsigned bit = B ? keyword::transpose_b : keyword::transpose_a;
  constexpr void set(settings& s) const { (B ? s.transpose_b : s.transpose_a) = true; }
};
template <bool B> struct flattened_t : keyword_base {
  static constexpr unsigned bit = keyword::flattened;
  constexpr void set(settings& s) const { s.flattened = B; }
};
template <int Which, int... V> struct window_t : keyword_base {
  static_assert(((V >= (Which == 1 ? 0 : 1)) && ...), "sinter: stride<2> and dilate<2> take numbers from 1 on, pad<1> from 0 on");
  static constexpr unsigned bit = Which == 0 ? keyword::stride : Which == 1 ? keyword::pad : keyword::dilate;
  static constexpr int values = sizeof...(V);
  constexpr void set(settings& s) const {
    int const v[]{V..., 0};
    if constexpr (Which == 0) put(v, sizeof...(V), s.stride, s.n_stride);
    else if constexpr (Which == 1) put(v, sizeof...(V), s.pad, s.n_pad);
    else put(v, sizeof...(V), s.dilate, s.n_dilate);
  }
};
template <int N> struct groups_t : keyword_base {
  static_assert(N >= 1, "sinter: groups<2> is a number from 1 on");
  static constexpr unsigned bit = keyword::groups;
  constexpr void set(settings& s) const { s.groups = N; }
};
template <auto... V> struct values_t : keyword_base {
  static constexpr unsigned bit = keyword::values;
  static constexpr int values = sizeof...(V);
  constexpr void set(settings& s) const {
    if constexpr (values <= 3) ((s.values[s.n_values++] = number(V)), ...);
  }
};
template <class... K> constexpr settings collect() {
  settings s;
  ((K{}.set(s), s.given |= K::bit), ...);
  return s;
}

// An axis from the front; -1 when there is none.
constexpr int place(int axis, int rank) { return axis < -rank || axis >= rank ? -1 : axis < 0 ? axis + rank : axis; }
// The given axes as bits; negative where that cannot be, which `wrong_axis` explains.
constexpr std::int64_t axis_bits(settings const& s, int rank) {
  std::int64_t bits = 0;
  for (int i = 0; i < s.n_axes; ++i) {
    int const p = place(s.axes[i], rank);
    if (p < 0) return -1;
    if ((bits >> p) & 1) return -2;
    bits |= std::int64_t{1} << p;
  }
  return bits;
}
constexpr problem wrong_axis(std::int64_t bits) { return bits == -2 ? problem::axis_twice : problem::no_such_axis; }

}  // namespace ops::inline SINTER_ISA
inline namespace SINTER_ISA {

// The axis or axes that an operation works on; negative ones count from the end.
template <int... A> inline constexpr ops::axis_t<A...> axis{};
template <int... A> inline constexpr ops::axis_t<A...> axes{};
// Reduced axes stay, with extent 1.
inline constexpr ops::keepdims_t keepdims{};
// `F.reshape(x, into<2, -1>)`: one -1 stands for what is left over, dim<"..."> and numbers for themselves.
template <auto... D> inline constexpr ops::shape_t<ops::new_shape<D...>> into{};
// `F.slice(x, begin<0, 2>, end<open, 5>)`: NumPy's ranges, one entry an axis; `open` is the natural end, negative ones count from it.
inline constexpr int open = INT_MIN;
template <int... V> inline constexpr ops::range_t<0, V...> begin{};
template <int... V> inline constexpr ops::range_t<1, V...> end{};
template <int... V> inline constexpr ops::range_t<2, V...> step{};
template <double E> inline constexpr ops::eps_t<E> eps{};
template <element_type T> inline constexpr ops::type_t<dtype_of<std::remove_const_t<T>>> as{};
template <int N> inline constexpr ops::depth_t<N> depth{};
// Into how many parts `F.split` cuts.
template <int N> inline constexpr ops::count_t<N> parts{};
// `F.arange(values<0, 10, 2>)`: start, stop, step. `F.one_hot(i, depth<4>, values<1, 0>)`: on, off.
template <auto... V> inline constexpr ops::values_t<V...> values{};
// Whether `F.fully_connected` makes one row of all axes behind the first (true, as in Gluon) or works on the last axis alone.
template <bool B> inline constexpr ops::flattened_t<B> flattened{};
// `F.convolution(x, weight, stride<2>, pad<1, 0>, dilate<2>, groups<4>)`: one number for all spatial axes, or one for each.
template <int... V> inline constexpr ops::window_t<0, V...> stride{};
template <int... V> inline constexpr ops::window_t<1, V...> pad{};
template <int... V> inline constexpr ops::window_t<2, V...> dilate{};
template <int N> inline constexpr ops::groups_t<N> groups{};
inline constexpr ops::order_t<false> descending{};
inline constexpr ops::transpose_t<false> transpose_a{};
inline constexpr ops::transpose_t<true> transpose_b{};

}  // namespace SINTER_ISA
}  // namespace sinter
