// SPDX-License-Identifier: Apache-2.0
// One head of the right width would stretch.
// expect: sinter: rotary_embedding<Units, Heads> turns the last axis of its operand, which has Units channels
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
  nn::rotary_embedding<8> const positions;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<1, 4, 16>> const x;
#else
  nd::tensor<float, shape<1, 4, 8>> const x;
#endif
  return positions(x)[0] != 0;
}
