// SPDX-License-Identifier: Apache-2.0
// LeNet-5 (LeCun et al., Proceedings of the IEEE 86, 1998), with each convolution over all channels and a plain last layer.
#pragma once
#include "parts.hpp"

namespace sinter::models {

// Of images (N, C, 28, 28), scores (N, Classes).
template <int Classes = 10> using lenet =
    nn::hybrid_sequential<nn::conv2d<6, 5, 1, 2, 1, 1, nn::tanh>, nn::avg_pool2d<>, nn::conv2d<16, 5, 1, 0, 1, 1, nn::tanh>,
                          nn::avg_pool2d<>, nn::dense<120, nn::tanh>, nn::dense<84, nn::tanh>, nn::dense<Classes>>;

}  // namespace sinter::models
