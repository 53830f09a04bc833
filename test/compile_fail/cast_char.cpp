// SPDX-License-Identifier: Apache-2.0
// A type of elements that there is not.
// lines-clang: 16
// lines-gcc: 10
// expect: sinter: as<T>: the elements of a tensor are float, double, float16, bfloat16, bool, std::int8_t to std::int64_t or std::uint8_t
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2>> const x;
#ifdef SINTER_FAIL
  auto const y = sinter::cast(x, sinter::as<char>);
#else
  auto const y = sinter::cast(x, sinter::as<int>);
#endif
  (void)y;
}
