// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a layer of one spatial axis (conv1d, max_pool1d) wants an operand of shape (batch, channels, width)
// lines-gcc: 9
// lines-clang: 32
#include <sinter/nn/layers/convolution.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 2, 4, 4>> const x;
  nn::conv1d<3, 3> line;
  nn::conv2d<3, 3> image;
  line.initialize();
  image.initialize();
#ifdef SINTER_FAIL
  auto const y = line(x);
#else
  auto const y = image(x);
#endif
  return y.size() != 12;
}
