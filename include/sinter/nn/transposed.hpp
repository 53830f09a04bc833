// SPDX-License-Identifier: Apache-2.0
// Transposed convolution layers of one, two and three spatial axes.
#pragma once
#include "convolution.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
constexpr bool divides(int groups, int channels) { return groups >= 1 && channels % groups == 0; }
template <class Layer, class Axes> struct transposed_windows;
template <class Layer, int... I> struct transposed_windows<Layer, std::integer_sequence<int, I...>> {
  static constexpr auto convolved(auto F, auto const& x, auto const&... weights) {
    return F.convolution_transpose(x, weights..., stride<Layer::strides.at[I]...>, pad<Layer::padding.at[I]...>,
                                   dilate<Layer::dilation.at[I]...>, groups<Layer::in_groups>, adjust<Layer::output_padding.at[I]...>);
  }
};
template <class Layer, int Inputs, int... I> auto transposed_shape(std::integer_sequence<int, I...>)
    -> shape<extent_from_operand<Inputs>(), Layer::channels / (Layer::in_groups < 1 ? 1 : Layer::in_groups), Layer::kernel.at[I]...>;
template <class Layer, int N, int Inputs>
using transposed_kernel_of = decltype(transposed_shape<Layer, Inputs>(std::make_integer_sequence<int, N>{}));

template <class Layer, int N, class Activation, class X>
constexpr auto transposed_forward(auto F, X const& x, auto const& weight, auto const&... bias) {
  using op = ops::convolution_transpose;
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<op, X>(F);
  else if constexpr (!is_dtype_for<X, decltype(weight)>()) return wants_cast<op>(F);
  else if constexpr (!has_spatial_axes<X, N>() || !has_sizes<Layer>()) return x;
  else if constexpr (constexpr int in = channels_of<X>(); in < 0 && !ops::is_untyped<X>) return wants_number<op>(F, x);
  else {
    auto const kernel = F.get(weight, transposed_kernel_of<Layer, N, in>{});
    using layer_windows = transposed_windows<Layer, std::make_integer_sequence<int, N>>;
    return Activation::apply(F, layer_windows::convolved(F, x, kernel, F.get(bias, shape<Layer::channels>{})...));
  }
}
}  // namespace detail::inline SINTER_ISA

// conv2d_transpose<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, UseBias>: x (N, C, H, W) gives
// (N, Channels, H', W') with H' = (H - 1) stride - 2 padding + dilation (kernel - 1) + 1 + output padding. weight (C, Channels / Groups,
// kernel...), bias (Channels,); the channels C are known from the first call. conv1d_transpose and conv3d_transpose are the same of one and
// three spatial axes.
//   nn::conv2d_transpose<32, 4, 2, 1>   doubles height and width
#define SINTER_TRANSPOSED(name, N)                                                                                                       \
  template <int Channels, spatial_size<N> Kernel, spatial_size<N> Strides = 1, spatial_size<N> Padding = 0,                              \
            spatial_size<N> OutputPadding = 0, spatial_size<N> Dilation = 1, int Groups = 1, class Activation = no_activation,           \
            class T = float, bool UseBias = true>                                                                                        \
  struct name : hybrid_block<name<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, UseBias>> {        \
    static_assert(detail::divides(Groups, Channels), "sinter: the groups of a transposed convolution divide its channels");              \
    static constexpr int channels = Channels, in_groups = Groups;                                                                        \
    static constexpr spatial_size<N> kernel = Kernel, strides = Strides, padding = Padding, dilation = Dilation,                         \
                                     output_padding = OutputPadding;                                                                     \
    using weight_type = basic_parameter<T, detail::transposed_kernel_of<name, N, -1>>;                                                   \
    using bias_type = basic_parameter<T, shape<Channels>>;                                                                               \
    BOOST_HANA_DEFINE_STRUCT(name, (weight_type, weight), (bias_type, bias));                                                            \
    constexpr auto hybrid_forward(auto F, auto const& x) const {                                                                         \
      return detail::transposed_forward<name, N, Activation>(F, x, weight, bias);                                                        \
    }                                                                                                                                    \
  };                                                                                                                                     \
  template <int Channels, spatial_size<N> Kernel, spatial_size<N> Strides, spatial_size<N> Padding, spatial_size<N> OutputPadding,       \
            spatial_size<N> Dilation, int Groups, class Activation, class T>                                                             \
  struct name<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, false>                                 \
      : hybrid_block<name<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, false>> {                  \
    static_assert(detail::divides(Groups, Channels), "sinter: the groups of a transposed convolution divide its channels");              \
    static constexpr int channels = Channels, in_groups = Groups;                                                                        \
    static constexpr spatial_size<N> kernel = Kernel, strides = Strides, padding = Padding, dilation = Dilation,                         \
                                     output_padding = OutputPadding;                                                                     \
    using weight_type = basic_parameter<T, detail::transposed_kernel_of<name, N, -1>>;                                                   \
    BOOST_HANA_DEFINE_STRUCT(name, (weight_type, weight));                                                                               \
    constexpr auto hybrid_forward(auto F, auto const& x) const { return detail::transposed_forward<name, N, Activation>(F, x, weight); } \
  };
SINTER_TRANSPOSED(conv1d_transpose, 1)
SINTER_TRANSPOSED(conv2d_transpose, 2)
SINTER_TRANSPOSED(conv3d_transpose, 3)
#undef SINTER_TRANSPOSED

}  // namespace sinter::nn
