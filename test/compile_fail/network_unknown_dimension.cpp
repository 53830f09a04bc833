// SPDX-License-Identifier: Apache-2.0
// Nothing says how many rows there are where no input has the dimension.
// lines-clang: 28
// lines-gcc: 14
// expect: sinter: an operation of this network makes a shape with a dynamic dimension that none of the network's inputs has
#include <sinter/sinter.hpp>
using namespace sinter;

int main() {
  auto const rows = hybridize([](auto F, auto x, auto y) { return F.sum(F.broadcast_to(x, into<dim<"batch">, 6>) * 2) + F.sum(y); });
  nd::tensor<float, shape<6>> const bias;
#ifdef SINTER_FAIL
  return rows(bias, bias) > 0;
#else
  return rows(bias, nd::tensor<float, shape<dim<"batch">>>({3})) > 0;
#endif
}
