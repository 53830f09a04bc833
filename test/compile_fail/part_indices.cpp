// SPDX-License-Identifier: Apache-2.0
// expect: sinter: there are more indices than dimensions
// lines-gcc: 13
// lines-clang: 14
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3>> const x{1, 2, 3, 4, 5, 6};
#ifdef SINTER_FAIL
  return x(all, 0, 1).size() != 2;
#else
  return x(all, 1).size() != 2;
#endif
}
