// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these elements do not say the extents of a dynamic shape; write them in a pair of braces for each dimension, or along one dimension as b(std::vector<float>{1, 2, 3})
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nd/functions.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nd::tensor<float, shape<dynamic>> const x{1, 2, 3};
#else
  nd::tensor<float, shape<dynamic>> const x(std::vector<float>{1, 2, 3});
#endif
  return x[0] != 0;
}
