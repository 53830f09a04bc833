// SPDX-License-Identifier: Apache-2.0
// What is loaded has a type, which the file cannot say.
// expect: sinter: a tensor has a type, which a file is loaded as: io::load<nd::tensor<float, shape<dim<"n">, 64>>>(path); io::read_npy(path) gives an array of the shape and dtype that it has
// lines-gcc: 6
// lines-clang: 10
#include <sinter/sinter.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const x = sinter::io::load("x.npy");
#else
  auto const x = sinter::io::load<sinter::nd::tensor<float, sinter::shape<3>>>("x.npy");
#endif
  return sizeof(x) == 0;
}
