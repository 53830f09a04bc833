// SPDX-License-Identifier: Apache-2.0
// expect: sinter: hybridize() makes other types of the hybrid blocks in a plain block, and this one names theirs; it takes them from an argument: template <template <class> class Child = nn::eager_child> struct net : nn::block<net<Child>>, with members (Child<nn::dense<4>>, hidden)
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

#ifdef SINTER_FAIL
struct network : nn::block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  auto forward(auto const& x) const { return hidden(x); }
};
#else
template <template <class> class Child = nn::eager_child> struct network_of : nn::block<network_of<Child>> {
  BOOST_HANA_DEFINE_STRUCT(network_of, (Child<nn::dense<4>>, hidden));
  auto forward(auto const& x) const { return hidden(x); }
};
using network = network_of<>;
#endif

int main() {
  network net;
  net.initialize();
  auto const fast = net.hybridize();
  return fast(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
