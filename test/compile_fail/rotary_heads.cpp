// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the heads of rotary_embedding<64, 8> have an even number of channels each
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nn::rotary_embedding<6, 2> const positions;
#else
  nn::rotary_embedding<6, 3> const positions;
#endif
  return positions(nd::tensor<float, shape<1, 4, 6>>{})[0] != 0;
}
