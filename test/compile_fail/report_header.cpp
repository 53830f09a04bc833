// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this function is in a header of its own; include sinter/viz/report.hpp
// expect: report_header.cpp:17:
// flags: -std=c++20
// lines-gcc: 20
// lines-clang: 11
#include <iostream>
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/basic.hpp>
#ifndef SINTER_FAIL
#include <sinter/viz/report.hpp>
#endif

int main() {
  sinter::nn::dense<4> net;
  auto const fast = net.hybridize();
  std::cout << fast.report<sinter::shape<2, 3>>();
}
