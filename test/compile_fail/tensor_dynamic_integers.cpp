// SPDX-License-Identifier: Apache-2.0
// Integers alone are neither extents nor elements of a dynamic shape. An overload that says so would make the extents in b({3, 2}) ambiguous,
// so the compiler says it, on the caller's line.
// expect-gcc: tensor_dynamic_integers.cpp:14:61: error: no matching function for call to
// expect-clang: tensor_dynamic_integers.cpp:14:55: error: no matching constructor for initialization of
// lines-gcc: 92
// after-gcc: 82
// lines-clang: 52
#include <sinter/nd/tensor.hpp>
using sinter::dim, sinter::shape;

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<dim<"n">, 2>> const b(3, 2);
#else
  sinter::nd::tensor<float, shape<dim<"n">, 2>> const b({3, 2});
#endif
  return b.size() == 6 ? 0 : 1;
}
