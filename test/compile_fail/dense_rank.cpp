// SPDX-License-Identifier: Apache-2.0
// A dense layer wants an axis for the batch.
// expect: sinter: these operands do not fit: an operand has too few dimensions
// expect: "output"
// expect: ops::fully_connected
// expect: shape<8>
// lines-gcc: 24
// lines-clang: 55
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(x)); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
#ifdef SINTER_FAIL
  return fast(sinter::nd::tensor<float, sinter::shape<8>>{}).size() == 0;
#else
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
#endif
}
