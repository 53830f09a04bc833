// SPDX-License-Identifier: Apache-2.0
// expect: sinter: files are read and written by the network itself: call it on what hybridize() was called on
// expect: hybridize_save.cpp:
// lines-gcc: 12
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/save.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() {
  network net;
  auto fast = net.hybridize();
#ifdef SINTER_FAIL
  fast.save_parameters("net.params");
#else
  net.save_parameters("net.params");
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
