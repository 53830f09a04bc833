// SPDX-License-Identifier: Apache-2.0
// The function of another library, which wants a number: its name says where it is looked for, so that only the compiler can say it.
// expect-gcc: tensor_exponential.cpp:16:26: error: no matching function for call to 'exp(
// expect-clang: tensor_exponential.cpp:16:18: error: no matching function for call to 'exp'
// lines-gcc: 58
// after-gcc: 38
// lines-clang: 42
#include <cmath>
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<3>> const x{1, 2, 3};
#ifdef SINTER_FAIL
  // sinter::exp(x), or exp(x): the tensor finds it
  auto const y = std::exp(x);
#else
  auto const y = exp(x);
#endif
  return y.size() == 0;
}
