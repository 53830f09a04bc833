// SPDX-License-Identifier: Apache-2.0
// A constant expression has the weights of the network, not a format.
// expect: sinter: weights become bf16 or int8 when the program runs, not in a constant expression
// lines-gcc: 10
// lines-clang: 19
#include <sinter/compile/hybridized.hpp>

constexpr float first() {
  sinter::nn::dense<2> net;
  net.initialize(sinter::init::zeros{});
#ifdef SINTER_FAIL
  auto const fast = net.hybridize(sinter::weights::bf16);
#else
  auto const fast = net.hybridize();
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<1, 3>>{})[0];
}
static_assert(first() == 0);

int main() {}
