// SPDX-License-Identifier: Apache-2.0
// The keywords of a call: `F.sum(x, axis<1>, keepdims)`.
#pragma once
#include "callable.hpp"

namespace sinter {
namespace ops::inline SINTER_ISA {

// The attributes of an operation that works along one axis.
struct axis_attribute {
  int axis = 0;
  static constexpr void each(auto& a, auto&& f) { f("axis", a.axis); }
};

// An axis from the front; -1 when there is none.
constexpr int place(std::int64_t axis, int rank) {
  return axis < -rank || axis >= rank ? -1 : static_cast<int>(axis < 0 ? axis + rank : axis);
}
// The one axis of a call, `otherwise` where it names none.
constexpr int place(slot<key::axis> const& given, int otherwise, int rank) {
  return place(given.is_given ? given.value[0] : otherwise, rank);
}
// The given axes as bits; negative if they are not valid, and `wrong_axis` says why.
constexpr std::int64_t axis_bits(int_list const& axes, int rank) {
  std::int64_t bits = 0;
  for (int i = 0; i < axes.n; ++i) {
    int const p = place(axes[i], rank);
    if (p < 0) return -1;
    if ((bits >> p) & 1) return -2;
    bits |= std::int64_t{1} << p;
  }
  return bits;
}
// What as<T> says.
template <class T> constexpr dtype dtype_of_elements() {
  static_assert(
      element_type<T>,
      "sinter: as<T>: the elements of a tensor are float, double, float16, bfloat16, bool, std::int8_t to std::int64_t or std::uint8_t");
  return element_type<T> ? dtype_of<std::remove_const_t<T>> : dtype::float32;
}
constexpr problem wrong_axis(std::int64_t bits) { return bits == -2 ? problem::axis_twice : problem::no_such_axis; }

}  // namespace ops::inline SINTER_ISA
inline namespace SINTER_ISA {

// The axis or axes that an operation works on; negative ones count from the end.
template <int... A> inline constexpr ops::keyword<ops::key::axis, A...> axis{};
template <int... A> inline constexpr ops::keyword<ops::key::axis, A...> axes{};
// Reduced axes stay, with extent 1.
inline constexpr ops::keyword<ops::key::keepdims, true> keepdims{};
// All axes but the given ones are reduced: `F.mean(x, axis<1>, exclude)`.
inline constexpr ops::keyword<ops::key::exclude, true> exclude{};
// `F.reshape(x, into<2, -1>)`: one extent may be -1 and is computed from the others; the rest are numbers or dim<"...">.
template <auto... D> inline constexpr ops::keyword<ops::key::into, D...> into{};
// `F.slice(x, begin<0, 2>, end<open, 5>)`: NumPy's ranges, one entry an axis; `open` is the natural end, negative ones count from it.
template <int... V> inline constexpr ops::keyword<ops::key::begin, V...> begin{};
template <int... V> inline constexpr ops::keyword<ops::key::end, V...> end{};
template <int... V> inline constexpr ops::keyword<ops::key::step, V...> step{};
template <double E> inline constexpr ops::keyword<ops::key::eps, E> eps{};
// What `F.elu` and `F.leaky_relu` multiply with below zero, and attention its products.
template <auto V> inline constexpr ops::keyword<ops::key::alpha, static_cast<double>(V)> alpha{};
template <auto V> inline constexpr ops::keyword<ops::key::slope, static_cast<double>(V)> slope{};
// How often `F.tile` and `F.repeat` take an axis, and how far `F.roll` moves one.
template <int... N> inline constexpr ops::keyword<ops::key::reps, N...> reps{};
template <int... N> inline constexpr ops::keyword<ops::key::shift, N...> shift{};
// `F.tril(x, diagonal<1>)`: the first one above the main diagonal; -1 is the first one below.
template <int N> inline constexpr ops::keyword<ops::key::diagonal, N> diagonal{};
// The side of the blocks of `F.space_to_depth`.
template <int N> inline constexpr ops::keyword<ops::key::block, N> block{};
template <borders B> inline constexpr ops::keyword<ops::key::border, B> border{};
template <parts_of P> inline constexpr ops::keyword<ops::key::over, P> over{};
// `F.var(x, ddof<1>)` divides by one less than the number of elements; `F.norm(x, ord<1>)` sums the magnitudes.
template <int N> inline constexpr ops::keyword<ops::key::ddof, N> ddof{};
template <int N> inline constexpr ops::keyword<ops::key::ord, N> ord{};
template <class T> inline constexpr ops::keyword<ops::key::as, ops::dtype_of_elements<T>()> as{};
template <int N> inline constexpr ops::keyword<ops::key::depth, N> depth{};
// Into how many parts `F.split` cuts.
template <int N> inline constexpr ops::keyword<ops::key::parts, N> parts{};
// How many elements `F.topk` finds.
template <int N> inline constexpr ops::keyword<ops::key::top, N> top{};
// `F.arange(values<0, 10, 2>)`: start, stop, step. `F.one_hot(i, depth<4>, values<1, 0>)`: on, off.
template <auto... V> inline constexpr ops::keyword<ops::key::values, V...> values{};
// Whether `F.fully_connected` flattens all axes behind the first (true, as in Gluon) or works on the last axis alone.
template <bool B> inline constexpr ops::keyword<ops::key::flattened, B> flattened{};
// `F.convolution(x, weight, stride<2>, pad<1, 0>, dilate<2>, groups<4>)`: one number for all spatial axes, or one for each.
template <int... V> inline constexpr ops::keyword<ops::key::stride, V...> stride{};
template <int... V> inline constexpr ops::keyword<ops::key::pad, V...> pad{};
template <int... V> inline constexpr ops::keyword<ops::key::dilate, V...> dilate{};
template <int N> inline constexpr ops::keyword<ops::key::groups, N> groups{};
// `F.convolution_transpose(x, weight, stride<2>, adjust<1>)`: so much longer is the result at its end.
template <int... V> inline constexpr ops::keyword<ops::key::adjust, V...> adjust{};
// `F.pixel_shuffle(x, factor<2>)`, `F.upsample(x, scale<2>, mode<interpolation::bilinear>)`
template <int... V> inline constexpr ops::keyword<ops::key::factor, V...> factor{};
template <auto V> inline constexpr ops::keyword<ops::key::scale, static_cast<double>(V)> scale{};
template <interpolation M> inline constexpr ops::keyword<ops::key::mode, M> mode{};
inline constexpr ops::keyword<ops::key::align_corners, true> align_corners{};
// `F.lrn(x, nsize<5>, alpha<1e-4>, beta<0.75>, knorm<2>)`
template <int N> inline constexpr ops::keyword<ops::key::nsize, N> nsize{};
template <auto V> inline constexpr ops::keyword<ops::key::beta, static_cast<double>(V)> beta{};
template <auto V> inline constexpr ops::keyword<ops::key::knorm, static_cast<double>(V)> knorm{};
// `F.avg_pool(x, pool_size<3>, stride<2>, pad<1>, ceil_mode, count_include_pad<false>)`
template <int... V> inline constexpr ops::keyword<ops::key::pool_size, V...> pool_size{};
inline constexpr ops::keyword<ops::key::ceil_mode, true> ceil_mode{};
template <bool B> inline constexpr ops::keyword<ops::key::count_include_pad, B> count_include_pad{};
// `F.scaled_dot_product_attention(q, k, v, num_heads<8>, is_causal)`
template <int N> inline constexpr ops::keyword<ops::key::num_heads, N> num_heads{};
inline constexpr ops::keyword<ops::key::is_causal, true> is_causal{};
inline constexpr ops::keyword<ops::key::ascending, true> ascending{};
inline constexpr ops::keyword<ops::key::ascending, false> descending{};
inline constexpr ops::keyword<ops::key::transpose_a, true> transpose_a{};
inline constexpr ops::keyword<ops::key::transpose_b, true> transpose_b{};

}  // namespace SINTER_ISA
}  // namespace sinter
