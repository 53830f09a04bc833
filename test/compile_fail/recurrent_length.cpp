// SPDX-License-Identifier: Apache-2.0
// A layer in both directions reads from the end, too.
// expect: sinter: a recurrent layer in both directions wants a number as the extent of time; only the batch may be dynamic. Texts of different lengths are padded to one, and turned with F.sequence_reverse
// lines-gcc: 14
// lines-clang: 41
#include <sinter/nn/hybridized.hpp>
#include <sinter/nn/recurrent.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nd::tensor<float, shape<dim<"t">, 2, 3>> const x({5, 2, 3});
#else
  nd::tensor<float, shape<5, dim<"n">, 3>> const x({5, 2, 3});
#endif
  nn::lstm<4, 1, nn::sequence::tnc, true> net;
  return (net.initialize(), net.hybridize()(x).size()) != 80;
}
