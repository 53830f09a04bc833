// SPDX-License-Identifier: Apache-2.0
// Subscripts for two operands, and one of them.
// expect: sinter: these operands do not fit: subscripts<"ij,jk"> have as many operands as the call, between commas, and a letter for each of their axes
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  return einsum(a, subscripts<"ij,jk->ik">)[0] != 0;
#else
  return einsum(a, a, subscripts<"ij,kj->ik">)[0] != 0;
#endif
}
