// SPDX-License-Identifier: Apache-2.0
// The numbers of a batch norm in another library's order would compute something else without a word.
// expect: sinter: the epsilon of this batch_norm is greater than its momentum; their order is batch_norm<Axis, Momentum, Epsilon>
// expect: norm_order.cpp:12:
// lines-gcc: 8
// lines-clang: 8
#include <sinter/nn/layers/norms.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nn::batch_norm<1, 1e-5, 0.1> const norm;
#else
  nn::batch_norm<1, 0.1, 1e-5> const norm;
#endif
  return norm.gamma.has_values();
}
