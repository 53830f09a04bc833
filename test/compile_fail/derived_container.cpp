// SPDX-License-Identifier: Apache-2.0
// A container has its children and nothing else: what is added to it would have no name.
// lines-clang: 28
// lines-gcc: 12
// expect: sinter: a block has a member that BOOST_HANA_DEFINE_STRUCT does not name
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_sequential<nn::dense<4>> {
#ifdef SINTER_FAIL
  nn::dense<2> output;
#endif
};

int main() {
  nn::hybrid_sequential<network, nn::dense<3>> net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
