// SPDX-License-Identifier: Apache-2.0
// What hybrid_forward sees: eagerly values, each time it is called; hybridized symbols, and only in the first call, because it prints.
#include <sinter/sinter.hpp>

#include <iostream>

namespace nn = sinter::nn;
using sinter::shape;

int calls = 0;  // of hybrid_forward, while the program runs

struct hybrid_net : nn::hybrid_block<hybrid_net> {
  BOOST_HANA_DEFINE_STRUCT(hybrid_net, (nn::dense<4>, hidden), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    if (!std::is_constant_evaluated()) ++calls;
    F.print("value x", x);
    auto h = F.relu(hidden(x));
    F.print("result", h);
    return output(h);
  }
};

int main() {
  hybrid_net net;
  net.initialize(sinter::init::constant{0.5});
  sinter::nd::tensor<float, shape<1, 3>> const x{{1, 2, 3}};
  std::cout << "eager\n";
  net(x);
  net(x);
  std::cout << calls << " calls of hybrid_forward\nhybridized, the first call\n";
  auto const fast = net.hybridize();
  (void)fast(x);
  std::cout << calls << " calls of hybrid_forward\nthe second call\n";
  auto const y = fast(x);
  std::cout << calls << " calls of hybrid_forward, " << y << "\n";
}
// prints: eager
// prints: value x float32 (1, 3)
// prints: [[1, 2, 3]]
// prints: result float32 (1, 4)
// prints: [[3, 3, 3, 3]]
// prints: value x float32 (1, 3)
// prints: [[1, 2, 3]]
// prints: result float32 (1, 4)
// prints: [[3, 3, 3, 3]]
// prints: 2 calls of hybrid_forward
// prints: hybridized, the first call
// prints: value x <symbol 0 float32 (1, 3)>
// prints: result <symbol ... float32 (1, 4)>
// prints: 3 calls of hybrid_forward
// prints: the second call
// prints: 3 calls of hybrid_forward, [[6, 6]]
