// SPDX-License-Identifier: Apache-2.0
// The README's classifier, with what its compiled form costs.
#include <iostream>
#include <sinter/sinter.hpp>

namespace nn = sinter::nn;

struct classifier : nn::hybrid_block<classifier> {
  BOOST_HANA_DEFINE_STRUCT(classifier, (nn::dense<128>, hidden), (nn::layer_norm<>, norm), (nn::dense<10>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(output(F.gelu(norm(hidden(x))))); }
};

int main() {
  classifier net;
  net.initialize(sinter::init::xavier{}, /*seed=*/1);
  sinter::nd::tensor<float, sinter::shape<1, 64>> x;
  std::cout << net.hybridize().report(x) << net.hybridize()(x) << '\n';
}
