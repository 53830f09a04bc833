// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the elements of this integer dtype cannot hold all numbers of the tensor that is assigned to them
// lines-gcc: 16
// lines-clang: 16
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<std::uint8_t, shape<2>> const bytes;
  nd::tensor<int, shape<2>> const numbers{7, 300};
#ifdef SINTER_FAIL
  bytes(all) = numbers;
#else
  bytes(all) = cast(numbers, as<std::uint8_t>);
#endif
  return bytes(0) != 7;
}
