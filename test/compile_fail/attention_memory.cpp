// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the second operand of an attention layer is its memory, of numbers; a mask is the third: attention(x, x, mask)
// lines-gcc: 16
// lines-clang: 36
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
  nn::multi_head_attention<8, 2> attention;
  attention.initialize();
  nd::tensor<float, shape<2, 5, 8>> const x;
  nd::tensor<bool, shape<5, 5>> const mask;
#ifdef SINTER_FAIL
  auto const y = attention.hybridize()(x, mask);
#else
  auto const y = attention.hybridize()(x, x, mask);
#endif
  return y.size() != 80;
}
