// SPDX-License-Identifier: Apache-2.0
// GoogLeNet (Szegedy et al., arXiv 1409.4842) with batch norms, with the layers and names of torchvision, whose norms say weight and bias for
// gamma and beta, and which has windows of 3 in the third branch, where the paper has windows of 5. Without the scores from the middle, which
// serve training.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

template <int Channels, int Kernel, int Stride = 1> struct conv_bn : nn::hybrid_block<conv_bn<Channels, Kernel, Stride>> {
  using conv_type = detail::conv<Channels, Kernel, Stride, Kernel / 2>;
  using norm_type = nn::batch_norm<1, 0.9, 1e-3>;
  BOOST_HANA_DEFINE_STRUCT(conv_bn, (conv_type, conv), (norm_type, bn));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.relu(bn(conv(x))); }
};
// Windows of 1, of 3 behind one of 1, the same again, and of 1 behind a maximum, side by side.
template <int One, int Before2, int Two, int Before3, int Three, int Pooled>
struct inception : nn::hybrid_block<inception<One, Before2, Two, Before3, Three, Pooled>> {
  using first = conv_bn<One, 1>;
  using second = nn::hybrid_sequential<conv_bn<Before2, 1>, conv_bn<Two, 3>>;
  using third = nn::hybrid_sequential<conv_bn<Before3, 1>, conv_bn<Three, 3>>;
  using fourth = nn::hybrid_sequential<nn::max_pool2d<3, 1, 1, true>, conv_bn<Pooled, 1>>;
  BOOST_HANA_DEFINE_STRUCT(inception, (first, branch1), (second, branch2), (third, branch3), (fourth, branch4));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    auto const y1 = branch1(x);
    auto const y2 = branch2(x);
    auto const y3 = branch3(x);
    return F.concat(y1, y2, y3, branch4(x), axis<1>);
  }
};

template <int Classes> struct googlenet : nn::hybrid_block<googlenet<Classes>> {
  using stem1 = conv_bn<64, 7, 2>;
  using stem2 = conv_bn<64, 1>;
  using stem3 = conv_bn<192, 3>;
  using a3 = inception<64, 96, 128, 16, 32, 32>;
  using b3 = inception<128, 128, 192, 32, 96, 64>;
  using a4 = inception<192, 96, 208, 16, 48, 64>;
  using b4 = inception<160, 112, 224, 24, 64, 64>;
  using c4 = inception<128, 128, 256, 24, 64, 64>;
  using d4 = inception<112, 144, 288, 32, 64, 64>;
  using e4 = inception<256, 160, 320, 32, 128, 128>;
  using b5 = inception<384, 192, 384, 48, 128, 128>;
  using pool3 = nn::max_pool2d<3, 2, 0, true>;
  using pool2 = nn::max_pool2d<2, 2, 0, true>;
  using scores = nn::hybrid_sequential<nn::global_avg_pool2d<>, nn::dropout<0.2>>;
  BOOST_HANA_DEFINE_STRUCT(googlenet, (stem1, conv1), (pool3, maxpool1), (stem2, conv2), (stem3, conv3), (pool3, maxpool2),
                           (a3, inception3a), (b3, inception3b), (pool3, maxpool3), (a4, inception4a), (b4, inception4b), (c4, inception4c),
                           (d4, inception4d), (e4, inception4e), (pool2, maxpool4), (e4, inception5a), (b5, inception5b), (scores, avgpool),
                           (nn::dense<Classes>, fc));
  constexpr auto hybrid_forward(auto, auto const& x) const {
    auto const y2 = maxpool2(conv3(conv2(maxpool1(conv1(x)))));
    auto const y3 = maxpool3(inception3b(inception3a(y2)));
    auto const y4 = maxpool4(inception4e(inception4d(inception4c(inception4b(inception4a(y3))))));
    return fc(avgpool(inception5b(inception5a(y4))));
  }
};
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, H, W), scores (N, Classes).
template <int Classes = 1000> using googlenet = detail::googlenet<Classes>;

}  // namespace sinter::models
