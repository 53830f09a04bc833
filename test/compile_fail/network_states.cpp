// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the states of a recurrent layer, h, and of an lstm c, have the shape (layers, batch, Hidden)
// lines-gcc: 16
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/recurrent.hpp>
using namespace sinter;

int main() {
  nn::gru<6> net;
  net.initialize();
  nd::tensor<float, shape<4, 2, 3>> const x;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<1, dim<"batch">, 6>> const h({1, 2, 6});
#else
  nd::tensor<float, shape<1, 2, 6>> const h;
#endif
  auto const result = net.hybridize()(x, h);
  (void)result;
}
