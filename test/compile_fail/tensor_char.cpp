// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 6
// lines-clang: 10
// expect: sinter: the elements of a tensor are float, double, float16, bfloat16, bool, std::int8_t to std::int64_t or std::uint8_t
#include <sinter/nd/tensor.hpp>

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<char, sinter::shape<4>> const x;
#else
  sinter::nd::tensor<int, sinter::shape<4>> const x;
#endif
  return x.size() == 0;
}
