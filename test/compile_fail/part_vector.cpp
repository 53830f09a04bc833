// SPDX-License-Identifier: Apache-2.0
// expect: sinter: numbers and tensors are assigned to elements; write nd::tensor<float, shape<4>>(v) for the elements of a std::vector
// lines-gcc: 16
// lines-clang: 16
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2>> const x;
  std::vector<float> const v{1, 2};
#ifdef SINTER_FAIL
  x(all) = v;
#else
  x(all) = nd::tensor<float, shape<2>>(v);
#endif
  return x(1) != 2;
}
