// SPDX-License-Identifier: Apache-2.0
// A layer_norm over a dynamic axis, eagerly.
// expect: sinter: an axis along which a layer has parameters must have a number as its extent; only others may be dynamic
// lines-gcc: 9
// lines-clang: 32
#include <sinter/compile/hybridized.hpp>
using sinter::dim;

int main() {
  sinter::nn::layer_norm<> net;
  net.initialize();
#ifdef SINTER_FAIL
  return net(sinter::nd::tensor<float, sinter::shape<1, dim<"inputs">>>::of(1, 8)).size() == 0;
#else
  return net(sinter::nd::tensor<float, sinter::shape<dim<"batch">, 8>>::of(1, 8)).size() == 0;
#endif
}
