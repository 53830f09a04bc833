// SPDX-License-Identifier: Apache-2.0
// A letter of the result that no operand has.
// expect: sinter: subscripts<"ij,jk->ik"> are letters for the axes of each operand, between commas, and behind -> those of the result, each once and one of theirs; ... stands for further axes on both sides, and 64 characters are the most
// lines-gcc: 8
// lines-clang: 34
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  return einsum(a, subscripts<"ij->jk">)[0] != 0;
#else
  return einsum(a, subscripts<"ij->ji">)[0] != 0;
#endif
}
