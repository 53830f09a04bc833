// SPDX-License-Identifier: Apache-2.0
// Pooling layers of one, two and three spatial axes.
#pragma once
#include "convolution.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <int... I> constexpr auto axes_of(std::integer_sequence<int, I...>) { return axis<(I + 2)...>; }
template <class Layer, int N, class X> constexpr auto pooling_forward(auto F, X const& x, auto pool, auto... words) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::max_pool, X>(F);
  else if constexpr (!has_spatial_axes<X, N>()) return wants_spatial_axes<ops::max_pool>(F, x);
  else if constexpr (!has_sizes<Layer>()) return x;
  else return windows_of<Layer, N>::pooled(F, x, pool, words...);
}
}  // namespace detail::inline SINTER_ISA

// max_pool2d<Size, Strides, Padding, CeilMode> and avg_pool2d<Size, Strides, Padding, CeilMode, CountIncludePad>: of windows of the spatial
// axes; the strides are by default the size. global_max_pool2d<> and global_avg_pool2d<>: of whole spatial axes, (N, C, H, W) gives
// (N, C, 1, 1). The same with 1d and 3d.
#define SINTER_POOLING(N)                                                                                                 \
  template <spatial_size<N> Size = 2, spatial_size<N> Strides = Size, spatial_size<N> Padding = 0, bool CeilMode = false> \
  struct max_pool##N##d : hybrid_block<max_pool##N##d<Size, Strides, Padding, CeilMode>> {                                \
    static constexpr spatial_size<N> size = Size, strides = Strides, padding = Padding;                                   \
    constexpr auto hybrid_forward(auto F, auto const& x) const {                                                          \
      constexpr auto pool = [](auto G, auto const&... a) { return G.max_pool(a...); };                                    \
      if constexpr (CeilMode) return detail::pooling_forward<max_pool##N##d, N>(F, x, pool, ceil_mode);                   \
      else return detail::pooling_forward<max_pool##N##d, N>(F, x, pool);                                                 \
    }                                                                                                                     \
  };                                                                                                                      \
  template <spatial_size<N> Size = 2, spatial_size<N> Strides = Size, spatial_size<N> Padding = 0, bool CeilMode = false, \
            bool CountIncludePad = true>                                                                                  \
  struct avg_pool##N##d : hybrid_block<avg_pool##N##d<Size, Strides, Padding, CeilMode, CountIncludePad>> {               \
    static constexpr spatial_size<N> size = Size, strides = Strides, padding = Padding;                                   \
    constexpr auto hybrid_forward(auto F, auto const& x) const {                                                          \
      constexpr auto pool = [](auto G, auto const&... a) { return G.avg_pool(a...); };                                    \
      constexpr auto count = count_include_pad<CountIncludePad>;                                                          \
      if constexpr (CeilMode) return detail::pooling_forward<avg_pool##N##d, N>(F, x, pool, count, ceil_mode);            \
      else return detail::pooling_forward<avg_pool##N##d, N>(F, x, pool, count);                                          \
    }                                                                                                                     \
  };                                                                                                                      \
  template <class T = void> struct global_max_pool##N##d : hybrid_block<global_max_pool##N##d<T>> {                       \
    template <class X> constexpr auto hybrid_forward(auto F, X const& x) const {                                          \
      if constexpr (is_poison<X>) return x;                                                                               \
      else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::max, X>(F);                                          \
      else if constexpr (!detail::has_spatial_axes<X, N>()) return detail::wants_spatial_axes<ops::max>(F, x);            \
      else return F.max(x, detail::axes_of(std::make_integer_sequence<int, N>{}), keepdims);                              \
    }                                                                                                                     \
  };                                                                                                                      \
  template <class T = void> struct global_avg_pool##N##d : hybrid_block<global_avg_pool##N##d<T>> {                       \
    template <class X> constexpr auto hybrid_forward(auto F, X const& x) const {                                          \
      if constexpr (is_poison<X>) return x;                                                                               \
      else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::mean, X>(F);                                         \
      else if constexpr (!detail::has_spatial_axes<X, N>()) return detail::wants_spatial_axes<ops::mean>(F, x);           \
      else return F.mean(x, detail::axes_of(std::make_integer_sequence<int, N>{}), keepdims);                             \
    }                                                                                                                     \
  };
SINTER_POOLING(1)
SINTER_POOLING(2)
SINTER_POOLING(3)
#undef SINTER_POOLING

}  // namespace sinter::nn
