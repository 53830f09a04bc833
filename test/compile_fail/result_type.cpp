// SPDX-License-Identifier: Apache-2.0
// A tensor given for the result has the result's type.
// expect: sinter: what is given for the result, after one input of this network, has another shape, dtype or device than the result
// expect: shape<1, 3>
// lines-gcc: 9
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto fast = net.hybridize();
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<1, 3>> out;
#else
  sinter::nd::tensor<float, sinter::shape<1, 4>> out;
#endif
  fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}, out);
  return out.size() == 0;
}
