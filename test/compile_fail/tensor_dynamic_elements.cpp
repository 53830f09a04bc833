// SPDX-License-Identifier: Apache-2.0
// Elements in one pair of braces do not say the extents of a dynamic shape.
// expect: sinter: these elements do not say the extents of a dynamic shape
// expect: tensor_dynamic_elements.cpp:12:
// lines-gcc: 16
// lines-clang: 7
#include <sinter/nd/tensor.hpp>
using sinter::dim, sinter::shape;

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<dim<"n">>> const b{1.5f, 2, 3};
#else
  sinter::nd::tensor<float, shape<dim<"n">>> const b(std::vector<float>{1.5f, 2, 3});
#endif
  return b.size() == 3 ? 0 : 1;
}
