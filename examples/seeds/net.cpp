// SPDX-License-Identifier: Apache-2.0
// A network of three layers that says with what it is called: twice eagerly, and once when it is hybridized.
#include <sinter/sinter.hpp>

#include <iostream>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::into;

template <class X> constexpr char const* kind_of = nd::is_tensor<X> ? "an eager tensor" : "a symbol";

struct three_layers : nn::hybrid_block<three_layers> {
  BOOST_HANA_DEFINE_STRUCT(three_layers, (nn::dense<256>, fc1), (nn::dense<128>, fc2), (nn::dense<2>, fc3));
  constexpr auto hybrid_forward(auto F, auto x) const {
    if (!std::is_constant_evaluated()) std::cout << "x is " << kind_of<decltype(x)> << "\n";
    F.print("x", F.sum(x));
    auto h1 = F.relu(fc1(x));
    auto h2 = F.relu(fc2(h1));
    return fc3(h2);
  }
};

int main() {
  three_layers net;
  net.initialize();
  auto const x = sinter::ones(into<1, 512>);
  std::cout << "first pass\n";
  net(x);
  std::cout << "second pass\n";
  auto const y = net(x);
  auto const fast = net.hybridize();
  std::cout << "first pass, hybridized\n";
  (void)fast(x);
  std::cout << "second pass, hybridized\n";
  std::cout << "the same numbers: " << (fast(x).to_vector() == y.to_vector()) << "\n";
}
// prints: first pass
// prints: x is an eager tensor
// prints: x float32 ()
// prints: 512
// prints: second pass
// prints: x is an eager tensor
// prints: x float32 ()
// prints: 512
// prints: first pass, hybridized
// prints: x is a symbol
// prints: x <symbol ... float32 ()>
// prints: second pass, hybridized
// prints: the same numbers: 1
