// SPDX-License-Identifier: Apache-2.0
// The report of a network that is not compiled.
// expect: sinter: a plan is reported by the compiled network: net.hybridize().report(x); net.summary() prints the layers
// expect: report_eager.cpp:15:
// lines-gcc: 12
// lines-clang: 13
#include <iostream>
#include <sinter/sinter.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  std::cout << net.report(x);
#else
  std::cout << net.hybridize().report(x);
#endif
}
