// SPDX-License-Identifier: Apache-2.0
// One letter for 3 and 2.
// expect: sinter: these operands do not fit: a letter of the subscripts stands for two different extents
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  return einsum(a, a, subscripts<"ij,jk->ik">)[0] != 0;
#else
  return einsum(a, a, subscripts<"ij,kj->ik">)[0] != 0;
#endif
}
