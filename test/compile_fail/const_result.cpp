// SPDX-License-Identifier: Apache-2.0
// A const tensor is no place for the result of a compiled network.
// expect: sinter: the place for a result must not be const, and this tensor is; declare it without const
// expect: const_result.cpp:15:
// lines-gcc: 8
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto const fast = net.hybridize();
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<1, 4>> const out;
  fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}, out);
#else
  sinter::nd::tensor<float, sinter::shape<1, 4>> out;
  fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}, out);
#endif
  return out.size() == 0;
}
