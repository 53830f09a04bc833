// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a compiled network does not run layer by layer; ask the network that it was made of for summary(x), and the compiled one for report(x)
// lines-gcc: 12
// lines-clang: 25
#include <sinter/sinter.hpp>
namespace nn = sinter::nn;
using sinter::shape;

int main() {
  nn::sequential net{nn::dense<4>{}, nn::lambda{[](auto x) { return x; }}};
  net.initialize();
#ifdef SINTER_FAIL
  return net.hybridize().summary(shape<1, 3>{}).empty();
#else
  return net.summary(shape<1, 3>{}).empty();
#endif
}
