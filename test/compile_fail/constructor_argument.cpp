// SPDX-License-Identifier: Apache-2.0
// A value that a constructor takes cannot shape the graph.
// expect: sinter: a network is traced by default-constructing it, so a block may not need constructor arguments
// lines-gcc: 7
// lines-clang: 10
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

#ifdef SINTER_FAIL
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (int, times));
  constexpr explicit network(int n) : times(n) {}
  constexpr auto hybrid_forward(auto F, auto x) const { return F.multiply(x, times); }
};
#else
template <int Times> struct network_of : nn::hybrid_block<network_of<Times>> {
  constexpr explicit network_of(int) {}
  constexpr network_of() = default;
  constexpr auto hybrid_forward(auto F, auto x) const { return F.multiply(x, Times); }
};
using network = network_of<3>;
#endif

int main() {
  network net(3);
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
