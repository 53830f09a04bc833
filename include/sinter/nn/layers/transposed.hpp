// SPDX-License-Identifier: Apache-2.0
// Transposed convolution layers of one, two and three spatial axes.
#pragma once
#include "convolution.hpp"

namespace sinter::nn {

// conv2d_transpose<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, UseBias>: x (N, C, H, W) gives
// (N, Channels, H', W') with H' = (H - 1) stride - 2 padding + dilation (kernel - 1) + 1 + output padding. weight (C, Channels / Groups,
// kernel...), bias (Channels,); the channels C are known from the first call. conv1d_transpose and conv3d_transpose are the same of one and
// three spatial axes.
//   nn::conv2d_transpose<32, 4, 2, 1>   doubles height and width
#define SINTER_TRANSPOSED(name, N)                                                                                                        \
  template <int Channels, spatial_size<N> Kernel, spatial_size<N> Strides = 1, spatial_size<N> Padding = 0,                               \
            spatial_size<N> OutputPadding = 0, spatial_size<N> Dilation = 1, int Groups = 1, class Activation = no_activation,            \
            class T = float, bool UseBias = true>                                                                                         \
  struct name : hybrid_block<name<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, UseBias>> {         \
    static_assert(detail::divides(Groups, Channels), "sinter: the groups of a transposed convolution divide its channels");               \
    static_assert(std::is_class_v<Activation>, SINTER_SAY_ACTIVATION);                                                                    \
    static_assert(detail::is_output_padding<N>(OutputPadding, Strides, Dilation),                                                         \
                  "sinter: the output padding of a transposed convolution is less than its stride, or than its dilation");                \
    static constexpr int channels = Channels, in_groups = Groups;                                                                         \
    static constexpr spatial_size<N> kernel = Kernel, strides = Strides, padding = Padding, dilation = Dilation,                          \
                                     output_padding = OutputPadding;                                                                      \
    using weight_type = basic_parameter<T, detail::kernel_of<name, N, -1>>;                                                               \
    using bias_type = basic_parameter<T, shape<Channels>>;                                                                                \
    BOOST_HANA_DEFINE_STRUCT(name, (weight_type, weight), (bias_type, bias));                                                             \
    constexpr auto hybrid_forward(auto F, auto const& x) const {                                                                          \
      return detail::convolution_forward<name, N, Activation>(F, x, weight, bias);                                                        \
    }                                                                                                                                     \
  };                                                                                                                                      \
  template <int Channels, spatial_size<N> Kernel, spatial_size<N> Strides, spatial_size<N> Padding, spatial_size<N> OutputPadding,        \
            spatial_size<N> Dilation, int Groups, class Activation, class T>                                                              \
  struct name<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, false>                                  \
      : hybrid_block<name<Channels, Kernel, Strides, Padding, OutputPadding, Dilation, Groups, Activation, T, false>> {                   \
    static_assert(detail::divides(Groups, Channels), "sinter: the groups of a transposed convolution divide its channels");               \
    static_assert(std::is_class_v<Activation>, SINTER_SAY_ACTIVATION);                                                                    \
    static_assert(detail::is_output_padding<N>(OutputPadding, Strides, Dilation),                                                         \
                  "sinter: the output padding of a transposed convolution is less than its stride, or than its dilation");                \
    static constexpr int channels = Channels, in_groups = Groups;                                                                         \
    static constexpr spatial_size<N> kernel = Kernel, strides = Strides, padding = Padding, dilation = Dilation,                          \
                                     output_padding = OutputPadding;                                                                      \
    using weight_type = basic_parameter<T, detail::kernel_of<name, N, -1>>;                                                               \
    BOOST_HANA_DEFINE_STRUCT(name, (weight_type, weight));                                                                                \
    constexpr auto hybrid_forward(auto F, auto const& x) const { return detail::convolution_forward<name, N, Activation>(F, x, weight); } \
  };
SINTER_TRANSPOSED(conv1d_transpose, 1)
SINTER_TRANSPOSED(conv2d_transpose, 2)
SINTER_TRANSPOSED(conv3d_transpose, 3)
#undef SINTER_TRANSPOSED

}  // namespace sinter::nn
