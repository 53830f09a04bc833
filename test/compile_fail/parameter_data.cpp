// SPDX-License-Identifier: Apache-2.0
// The values of a parameter are a tensor of a shape that is said.
// expect: sinter: the values of a parameter are a tensor of a shape, data<shape<10, 8>>(), or a std::vector, to_vector()
// lines-gcc: 14
// lines-clang: 14
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::dense<2> net;
  net.initialize();
#ifdef SINTER_FAIL
  net.bias.data();
#else
  static_cast<void>(net.bias.data<sinter::shape<2>>());
#endif
}
