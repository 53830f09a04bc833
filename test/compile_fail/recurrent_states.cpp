// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the states of a recurrent layer, h, and of an lstm c, have the shape (layers, batch, Hidden), in both directions twice as many layers: an lstm<16, 2> wants (2, 8, 16) where the batch is 8
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/recurrent.hpp>
using namespace sinter;

int main() {
  nn::lstm<3> net;
  net.initialize();
  nd::tensor<float, shape<4, 2, 5>> const x;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<1, 2, 4>> const h;
#else
  nd::tensor<float, shape<1, 2, 3>> const h;
#endif
  return std::get<0>(net(x, h, h))[0] != 0;
}
