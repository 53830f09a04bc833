// SPDX-License-Identifier: Apache-2.0
// expect: sinter: x += y keeps the dtype of x, and this integer dtype cannot hold all numbers of x + y
// lines-gcc: 16
// lines-clang: 16
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<std::uint8_t, shape<2>> bytes;
  nd::tensor<int, shape<2>> const numbers{7, 300};
#ifdef SINTER_FAIL
  bytes += numbers;
#else
  bytes += cast(numbers, as<std::uint8_t>);
#endif
  return bytes(0) != 7;
}
