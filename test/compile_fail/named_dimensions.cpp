// SPDX-License-Identifier: Apache-2.0
// Two names that meet are an error, whatever the program would give them.
// expect: sinter: these operands do not fit: the shapes do not broadcast
// expect: batch
// expect: time
// lines-gcc: 12
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x, auto y) const { return F.relu(x + y); }
};

int main() {
  auto fast = network{}.hybridize();
  auto const x = sinter::nd::tensor<float, shape<dim<"batch">, 4>>::of(2, 4);
#ifdef SINTER_FAIL
  auto const y = sinter::nd::tensor<float, shape<dim<"time">, 4>>::of(2, 4);
#else
  auto const y = sinter::nd::tensor<float, shape<dim<"batch">, 4>>::of(2, 4);
#endif
  return fast(x, y).size() == 0;
}
