// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the operand has no such axis
// lines-gcc: 25
// lines-clang: 49
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/norms.hpp>

int main() {
#ifdef SINTER_FAIL
  sinter::nn::hybrid_sequential<sinter::nn::batch_norm<2>> net;
#else
  sinter::nn::hybrid_sequential<sinter::nn::batch_norm<1>> net;
#endif
  net.initialize();
  auto const y = net.hybridize()(sinter::nd::tensor<float, sinter::shape<2, 5>>{});
  (void)y;
}
