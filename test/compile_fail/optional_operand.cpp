// SPDX-License-Identifier: Apache-2.0
// A tensor that could be the memory of the attention, which may be left out, as well as the place for the result.
// expect: sinter: the last operand of this network may be left out, so that this tensor could be that operand or the place for the result; write fast(x, nd::out(y)) for the result
// expect: fast.network()(x, memory)
// expect: optional_operand.cpp:18:
// lines-gcc: 8
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
  nn::multi_head_attention<8, 2> attention;
  attention.initialize();
  auto const fast = attention.hybridize();
  nd::tensor<float, shape<2, 5, 8>> x, y;
#ifdef SINTER_FAIL
  fast(x, y);
#else
  fast(x, nd::out(y));
  y = fast(x, std::as_const(x));
#endif
  return y.size() != 80;
}
