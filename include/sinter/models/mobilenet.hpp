// SPDX-License-Identifier: Apache-2.0
// MobileNet (Howard et al., arXiv 1704.04861) and MobileNet v2 (Sandler et al., arXiv 1801.04381) of any width, with Gluon's layers and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

template <double Width> constexpr int scaled(int channels) { return static_cast<int>(channels * Width); }

// A convolution of each channel on its own, then one of all channels at each place.
template <int From, int Channels, int Stride> using separable =
    layers<conv<From, 3, Stride, 1, From>, norm, relu, conv<Channels, 1>, norm, relu>;
struct mobilenet_sizes {
  static constexpr int n = 13, channels[n + 1]{32, 64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024},
                       strides[n]{1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
  template <double W, int... I> static auto all(std::integer_sequence<int, I...>)
      -> joined_layers<separable<scaled<W>(channels[I]), scaled<W>(channels[I + 1]), strides[I]>...>;
  template <double W> using layers_of = decltype(all<W>(std::make_integer_sequence<int, n>{}));
};

using clipped = nn::activation<nn::relu6>;
template <int From, int Channels, int Expanded, int Stride>
struct linear_bottleneck : nn::hybrid_block<linear_bottleneck<From, Channels, Expanded, Stride>> {
  static constexpr int inner = From * Expanded;
  using out_type =
      nn::hybrid_sequential<conv<inner, 1>, norm, clipped, conv<inner, 3, Stride, 1, inner>, norm, clipped, conv<Channels, 1>, norm>;
  BOOST_HANA_DEFINE_STRUCT(linear_bottleneck, (out_type, out));
  constexpr auto hybrid_forward(auto, auto const& x) const {
    if constexpr (Stride == 1 && From == Channels) return out(x) + x;
    else return out(x);
  }
};
struct mobilenet_v2_sizes {
  static constexpr int n = 17, channels[n + 1]{32, 16, 24, 24, 32, 32, 32, 64, 64, 64, 64, 96, 96, 96, 160, 160, 160, 320},
                       strides[n]{1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1};
  template <double W, int... I> static auto all(std::integer_sequence<int, I...>)
      -> layers<linear_bottleneck<scaled<W>(channels[I]), scaled<W>(channels[I + 1]), I == 0 ? 1 : 6, strides[I]>...>;
  template <double W> using layers_of = decltype(all<W>(std::make_integer_sequence<int, n>{}));
};
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, H, W), scores (N, Classes). Width: the part of the channels that it has.
template <double Width = 1.0, int Classes = 1000> using mobilenet =
    detail::network<detail::sequence<detail::layers<detail::conv<detail::scaled<Width>(32), 3, 2, 1>, detail::norm, detail::relu>,
                                     detail::mobilenet_sizes::layers_of<Width>, detail::layers<nn::global_avg_pool2d<>, nn::flatten>>,
                    nn::dense<Classes>>;
template <double Width = 1.0, int Classes = 1000> using mobilenet_v2 =
    detail::network<detail::sequence<detail::layers<detail::conv<detail::scaled<Width>(32), 3, 2, 1>, detail::norm, detail::clipped>,
                                     detail::mobilenet_v2_sizes::layers_of<Width>,
                                     detail::layers<detail::conv<(Width > 1 ? detail::scaled<Width>(1280) : 1280), 1>, detail::norm,
                                                    detail::clipped, nn::global_avg_pool2d<>>>,
                    nn::hybrid_sequential<detail::conv<Classes, 1>, nn::flatten>>;

}  // namespace sinter::models
