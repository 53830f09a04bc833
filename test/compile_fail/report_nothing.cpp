// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 7
// lines-clang: 10
// expect: sinter: a plan is made for the shapes of a network's inputs: fast.report<shape<1, 64>>(), or fast.report(x) with a tensor
#include <sinter/viz/report.hpp>

int main() {
  auto const fast = sinter::nn::dense<4>{}.hybridize();
#ifdef SINTER_FAIL
  return fast.report().empty();
#else
  return fast.report(sinter::nd::tensor<float, sinter::shape<2, 4>>{}) != fast.report<sinter::shape<2, 4>>();
#endif
}
