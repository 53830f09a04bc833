// SPDX-License-Identifier: Apache-2.0
// expect: sinter: summary(x) runs the network, so a dynamic dimension needs a tensor that has a number for it
// lines-gcc: 12
// lines-clang: 25
#include <sinter/sinter.hpp>
namespace nn = sinter::nn;
using sinter::shape;

int main() {
  nn::dense<4> net;
  net.initialize();
#ifdef SINTER_FAIL
  return net.summary(shape<sinter::dynamic, 3>{}).empty();
#else
  return net.summary(shape<1, 3>{}).empty();
#endif
}
