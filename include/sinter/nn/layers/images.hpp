// SPDX-License-Identifier: Apache-2.0
// Layers for images: pixels that are shuffled or reflected, and prelu.
#pragma once
#include "convolution.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <class Factor, class Axes> struct shuffled;
template <class Layer, int... I> struct shuffled<Layer, std::integer_sequence<int, I...>> {
  static constexpr auto apply(auto F, auto const& x) { return F.pixel_shuffle(x, factor<Layer::factors.at[I]...>); }
};
template <class Layer, int N, class X> constexpr auto shuffle_forward(auto F, X const& x) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::pixel_shuffle, X>(F);
  else if constexpr (!has_spatial_axes<X, N>()) return wants_spatial_axes<ops::pixel_shuffle>(F, x);
  else return shuffled<Layer, std::make_integer_sequence<int, N>>::apply(F, x);
}
}  // namespace detail::inline SINTER_ISA

// pixel_shuffle2d<Factor>: channels become places, (N, 4 C, H, W) to (N, C, 2 H, 2 W) with Factor 2; size2d{2, 3} where they differ
#define SINTER_SHUFFLE(N)                                                                                                        \
  template <spatial_size<N> Factor> struct pixel_shuffle##N##d : hybrid_block<pixel_shuffle##N##d<Factor>> {                     \
    static constexpr spatial_size<N> factors = Factor;                                                                           \
    constexpr auto hybrid_forward(auto F, auto const& x) const { return detail::shuffle_forward<pixel_shuffle##N##d, N>(F, x); } \
  };
SINTER_SHUFFLE(1)
SINTER_SHUFFLE(2)
SINTER_SHUFFLE(3)
#undef SINTER_SHUFFLE

// reflection_pad2d<Top, Bottom, Left, Right>: so many rows and columns of (N, C, H, W) more, those behind the edge in the opposite order. One
// number is for all sides.
template <int Top, int Bottom = Top, int Left = Top, int Right = Left>
struct reflection_pad2d : hybrid_block<reflection_pad2d<Top, Bottom, Left, Right>> {
  static_assert(Top >= 0 && Bottom >= 0 && Left >= 0 && Right >= 0, "sinter: a padding is from 0 on");
  template <class X> constexpr auto hybrid_forward(auto F, X const& x) const {
    if constexpr (is_poison<X>) return x;
    else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::padded, X>(F);
    else if constexpr (!detail::has_spatial_axes<X, 2>()) return detail::wants_spatial_axes<ops::padded>(F, x);
    else return F.padded(x, begin<0, 0, Top, Left>, end<0, 0, Bottom, Right>, border<borders::reflect>);
  }
};

// prelu<Channels>: x above zero, alpha x below, with an alpha for each of the channels of (N, C, ...), or with one for all; they begin with
// 0.25 (He et al., ICCV 2015).
template <int Channels = 1, class T = float> struct prelu : hybrid_block<prelu<Channels, T>> {
  static_assert(Channels >= 1, "sinter: prelu<64> has an alpha for each of 64 channels, prelu<> one for all");
  using vector_type = basic_parameter<T, shape<Channels>>;
  BOOST_HANA_DEFINE_STRUCT(prelu, (vector_type, alpha));
  template <class X> constexpr auto hybrid_forward(auto F, X const& x) const {
    if constexpr (is_poison<X>) return x;
    else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::prelu, X>(F);
    else if constexpr (!is_dtype_for<X, vector_type>()) return wants_cast<ops::prelu>(F);
    else if constexpr (Channels == 1) return F.prelu(x, F.get(alpha, shape<Channels>{}));
    else if constexpr (ops::is_untyped<X>) {
      auto const last = F.swap_axes(x, axes<1, -1>);  // whatever the rank is
      return F.swap_axes(F.prelu(last, F.broadcast_like(F.get(alpha, shape<Channels>{}), last)), axes<1, -1>);
    } else if constexpr (constexpr int rank = X::shape_type::rank; rank < 2 || detail::channels_of<X>() != Channels) {
      static_assert(sizeof(X) == 0, "sinter: prelu<64> wants an operand of shape (batch, 64, ...)");
      return x;
    } else return along_channels(F, x, F.get(alpha, shape<Channels>{}), std::make_integer_sequence<int, rank - 2>{});
  }

 private:
  template <int... I> static constexpr auto along_channels(auto F, auto const& x, auto const& each, std::integer_sequence<int, I...>) {
    return F.prelu(x, F.reshape(each, into<Channels, (I * 0 + 1)...>));
  }
};

}  // namespace sinter::nn
