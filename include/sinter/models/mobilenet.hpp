// SPDX-License-Identifier: Apache-2.0
// MobileNet (Howard et al., arXiv 1704.04861) and MobileNet v2 (Sandler et al., arXiv 1801.04381) of any width, with Gluon's layers and names.
// MobileNet v3 (Howard et al., arXiv 1905.02244), with those of torchvision, whose norms say weight and bias for gamma and beta.
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

// The multiple of 8 next to a number of channels, and not below nine tenths of it.
constexpr int multiple_of_8(double channels) {
  int const near = channels < 8 ? 8 : static_cast<int>(channels + 4) / 8 * 8;
  return near < 0.9 * channels ? near + 8 : near;
}
template <int Channels, int Kernel, int Stride, int Groups, class... Activation> using conv_norm =
    nn::hybrid_sequential<conv<Channels, Kernel, Stride, Kernel / 2, Groups>, nn::batch_norm<1, 0.99, 1e-3>, Activation...>;
using hard_swish = nn::activation<nn::hard_swish>;
// Each channel times a number from 0 to 1 that follows from the means of all (Hu et al., arXiv 1709.01507).
template <int Channels> struct squeeze_excitation : nn::hybrid_block<squeeze_excitation<Channels>> {
  static constexpr int quarter = Channels / 4;
  using squeezing = nn::conv2d<multiple_of_8(quarter), 1>;
  using exciting = nn::conv2d<Channels, 1>;
  BOOST_HANA_DEFINE_STRUCT(squeeze_excitation, (squeezing, fc1), (exciting, fc2));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    auto const y = fc2(F.relu(fc1(F.mean(x, axis<2, 3>, keepdims))));
    return x * (F.clip(y + 3, 0, 6) / 6);
  }
};

template <int From, int Kernel, int Expanded, int Channels, int Stride, bool Squeezes, class Function>
struct inverted_residual : nn::hybrid_block<inverted_residual<From, Kernel, Expanded, Channels, Stride, Squeezes, Function>> {
  using widened = std::conditional_t<Expanded == From, layers<>, layers<conv_norm<Expanded, 1, 1, 1, Function>>>;
  using spatial = layers<conv_norm<Expanded, Kernel, Stride, Expanded, Function>>;
  using squeezed = std::conditional_t<Squeezes, layers<squeeze_excitation<Expanded>>, layers<>>;
  using block_layers = sequence<widened, spatial, squeezed, layers<conv_norm<Channels, 1, 1, 1>>>;
  BOOST_HANA_DEFINE_STRUCT(inverted_residual, (block_layers, block));
  constexpr auto hybrid_forward(auto, auto const& x) const {
    if constexpr (Stride == 1 && From == Channels) return block(x) + x;
    else return block(x);
  }
};
struct bottleneck_row {
  int kernel, expanded, channels, stride;
  bool squeezes, is_hard;  // whether its activation is hard_swish, else relu
};
struct mobilenet_v3_small_sizes {
  static constexpr int last = 1024;
  static constexpr bottleneck_row rows[]{{3, 16, 16, 2, true, false}, {3, 72, 24, 2, false, false}, {3, 88, 24, 1, false, false},
                                         {5, 96, 40, 2, true, true},  {5, 240, 40, 1, true, true},  {5, 240, 40, 1, true, true},
                                         {5, 120, 48, 1, true, true}, {5, 144, 48, 1, true, true},  {5, 288, 96, 2, true, true},
                                         {5, 576, 96, 1, true, true}, {5, 576, 96, 1, true, true}};
};
struct mobilenet_v3_large_sizes {
  static constexpr int last = 1280;
  static constexpr bottleneck_row rows[]{{3, 16, 16, 1, false, false}, {3, 64, 24, 2, false, false}, {3, 72, 24, 1, false, false},
                                         {5, 72, 40, 2, true, false},  {5, 120, 40, 1, true, false}, {5, 120, 40, 1, true, false},
                                         {3, 240, 80, 2, false, true}, {3, 200, 80, 1, false, true}, {3, 184, 80, 1, false, true},
                                         {3, 184, 80, 1, false, true}, {3, 480, 112, 1, true, true}, {3, 672, 112, 1, true, true},
                                         {5, 672, 160, 2, true, true}, {5, 960, 160, 1, true, true}, {5, 960, 160, 1, true, true}};
};
template <class Sizes, double Width, int Classes> struct mobilenet_v3 : nn::hybrid_block<mobilenet_v3<Sizes, Width, Classes>> {
  static constexpr int n = static_cast<int>(std::size(Sizes::rows));
  // The channels of what block i is given; those of the last one's result for i = n.
  static constexpr int channels(int i) { return multiple_of_8((i == 0 ? 16 : Sizes::rows[i - 1].channels) * Width); }
  template <int I> using nth_block =
      inverted_residual<channels(I), Sizes::rows[I].kernel, multiple_of_8(Sizes::rows[I].expanded* Width), channels(I + 1),
                        Sizes::rows[I].stride, Sizes::rows[I].squeezes, std::conditional_t<Sizes::rows[I].is_hard, hard_swish, relu>>;
  template <int... I> static auto all(std::integer_sequence<int, I...>) -> layers<nth_block<I>...>;
  using blocks = decltype(all(std::make_integer_sequence<int, n>{}));
  using features_type = sequence<layers<conv_norm<channels(0), 3, 2, 1, hard_swish>>, blocks,
                                 layers<conv_norm<6 * channels(n), 1, 1, 1, hard_swish>, nn::global_avg_pool2d<>>>;
  using classifier_type =
      nn::hybrid_sequential<nn::dense<multiple_of_8(Sizes::last* Width)>, hard_swish, nn::dropout<0.2>, nn::dense<Classes>>;
  BOOST_HANA_DEFINE_STRUCT(mobilenet_v3, (features_type, features), (classifier_type, classifier));
  constexpr auto hybrid_forward(auto, auto const& x) const { return classifier(features(x)); }
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
template <double Width = 1.0, int Classes = 1000> using mobilenet_v3_small =
    detail::mobilenet_v3<detail::mobilenet_v3_small_sizes, Width, Classes>;
template <double Width = 1.0, int Classes = 1000> using mobilenet_v3_large =
    detail::mobilenet_v3<detail::mobilenet_v3_large_sizes, Width, Classes>;

}  // namespace sinter::models
