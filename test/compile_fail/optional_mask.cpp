// SPDX-License-Identifier: Apache-2.0
// A third operand of an attention is its mask, of truth values; a place for the result there is told as such.
// expect: sinter: the last operand of this network may be left out, so that this tensor could be that operand or the place for the result; write fast(x, nd::out(y)) for the result
// expect: optional_mask.cpp:18:
// lines-gcc: 8
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
  nn::multi_head_attention<8, 2> attention;
  attention.initialize();
  auto const fast = attention.hybridize();
  nd::tensor<float, shape<2, 5, 8>> const x, memory;
  nd::tensor<float, shape<2, 5, 8>> y;
#ifdef SINTER_FAIL
  fast(x, memory, y);
#else
  fast(x, memory, nd::out(y));
#endif
  return y.size() != 80;
}
