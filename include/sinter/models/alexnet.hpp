// SPDX-License-Identifier: Apache-2.0
// AlexNet with the sizes of "One weird trick for parallelizing convolutional neural networks" (Krizhevsky, arXiv 1404.5997), with Gluon's layers
// and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {

// Of images (N, 3, 224, 224), scores (N, Classes).
template <int Classes = 1000> using alexnet = detail::network<
    nn::hybrid_sequential<nn::conv2d<64, 11, 4, 2, 1, 1, nn::relu>, nn::max_pool2d<3, 2>, nn::conv2d<192, 5, 1, 2, 1, 1, nn::relu>,
                          nn::max_pool2d<3, 2>, nn::conv2d<384, 3, 1, 1, 1, 1, nn::relu>, nn::conv2d<256, 3, 1, 1, 1, 1, nn::relu>,
                          nn::conv2d<256, 3, 1, 1, 1, 1, nn::relu>, nn::max_pool2d<3, 2>, nn::flatten, nn::dense<4096, nn::relu>,
                          nn::dropout<0.5>, nn::dense<4096, nn::relu>, nn::dropout<0.5>>,
    nn::dense<Classes>>;

}  // namespace sinter::models
