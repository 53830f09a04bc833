// SPDX-License-Identifier: Apache-2.0
// A function of a tensor alone does not take what is recorded.
// expect: sinter: the function of gradient is called with tensors that are recorded, which have a type of their own; write its parameters with auto: [&](auto v) { return F.sum(v * v); }
// lines-gcc: 26
// lines-clang: 42
#include <sinter/gradient.hpp>
#include <sinter/sinter.hpp>

using sinter::shape;

int main() {
  sinter::nd::functions const F;
  sinter::nd::tensor<float, shape<3>> const x{1, 2, 3};
#ifdef SINTER_FAIL
  auto const slope = F.gradient([](sinter::nd::tensor<float, shape<3>> const& v) { return sinter::sum(v * v); }, x);
#else
  auto const slope = F.gradient([](auto const& v) { return sinter::sum(v * v); }, x);
#endif
  return static_cast<int>(slope(0));
}
