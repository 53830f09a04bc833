// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a dense layer's inputs must be a number; only the batch may be dynamic
#include <sinter/nn/hybridized.hpp>
using sinter::dim;

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto fast = net.hybridize();
#ifdef SINTER_FAIL
  return fast(sinter::nd::tensor<float, sinter::shape<1, dim<"inputs">>>::of(1, 8)).size() == 0;
#else
  return fast(sinter::nd::tensor<float, sinter::shape<dim<"batch">, 8>>::of(1, 8)).size() == 0;
#endif
}
