// SPDX-License-Identifier: Apache-2.0
// expect: sinter: einsum: a keyword is missing, given twice, or has too many or too few values; call it as einsum(a, b, ..., subscripts<"ij,jk">)
// lines-gcc: 13
// lines-clang: 19
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<3, 8>> const x;
  nd::tensor<float, shape<8, 2>> const y;
#ifdef SINTER_FAIL
  auto const z = einsum("ij,jk->ik", x, y);
#else
  auto const z = einsum(x, y, subscripts<"ij,jk->ik">);
#endif
  (void)z;
}
