// SPDX-License-Identifier: Apache-2.0
// std::max compares whole tensors.
// expect: sinter: several elements are neither true nor false together
// expect: write sinter::maximum(x, y) for std::max(x, y)
// expect: tensor_maximum.cpp:14:
// lines-gcc: 26
// lines-clang: 19
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<3>> const x{1, 2, 3}, y{3, 2, 1};
#ifdef SINTER_FAIL
  auto const z = std::max(x, y);
#else
  auto const z = sinter::maximum(x, y);
#endif
  return z.size() == 0;
}
