// SPDX-License-Identifier: Apache-2.0
// A network that reads values runs eagerly alone (docs/why.md); F.where, F.cond and F.while_loop decide on values in both modes.
#include <sinter/sinter.hpp>

#include <iostream>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::shape;

struct reads : nn::hybrid_block<reads> {
  BOOST_HANA_DEFINE_STRUCT(reads);
  constexpr auto hybrid_forward(auto F, auto x) const {
    if (x(0) > 0) return F.sum(x);
    while (x(0) < 0) x = x + 1;
    return F.sum(x) * 10;
  }
};
struct decides : nn::hybrid_block<decides> {
  BOOST_HANA_DEFINE_STRUCT(decides);
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const first = [&](auto v) { return F.squeeze(F.slice(v, sinter::begin<0>, sinter::end<1>)); };
    auto const up = [&] {
      auto const negative = [&](auto v) { return first(v) < 0; };
      auto const [none, y] = F.while_loop(negative, [&](auto v) { return std::tuple(first(v), v + 1); }, x, sinter::max_iterations<8>);
      return F.sum(y) * 10;
    };
    return F.cond(first(x) > 0, [&] { return F.sum(x); }, up);
  }
};

int main() {
  nd::tensor<float, shape<2>> const above{1, 2}, below{-3, 2};
  std::cout << "eager, with if and while: " << reads{}(above) << ", " << reads{}(below) << "\n";
  // reads{}.hybridize()(above) does not compile: "sinter: a symbol has no value to read", with the line that reads one.
  auto const fast = decides{}.hybridize();
  std::cout << "eager, with F.cond and F.while_loop: " << decides{}(above) << ", " << decides{}(below) << "\n";
  std::cout << "hybridized: " << fast(above) << ", " << fast(below) << "\n";
}
// prints: eager, with if and while: 3, 50
// prints: eager, with F.cond and F.while_loop: 3, 50
// prints: hybridized: 3, 50
