// SPDX-License-Identifier: Apache-2.0
// The weights of a loss may be left out, and these have the shape of the result, not one that fits its operands.
// expect: sinter: the last operand of this network may be left out, so that this tensor could be that operand or the place for the result; write fast(x, nd::out(y)) for the result
// expect: optional_weights.cpp:16:
// lines-gcc: 8
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/loss.hpp>
using namespace sinter;

int main() {
  auto const loss = nn::l2_loss<>{}.hybridize();
  nd::tensor<float, shape<3, 2>> const p, t;
  nd::tensor<float, shape<3>> o;
#ifdef SINTER_FAIL
  loss(p, t, o);
#else
  loss(p, t, nd::out(o));
#endif
  return o.size() != 3;
}
