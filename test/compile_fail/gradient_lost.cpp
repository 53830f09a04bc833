// SPDX-License-Identifier: Apache-2.0
// A capture of what is differentiated, whose gradient would be lost.
// expect: sinter: the first function of with_gradient captures what is differentiated, whose gradient would be lost; make it an operand, or capture F.stop_gradient of it
// lines-gcc: 26
// lines-clang: 42
#include <sinter/gradient.hpp>
#include <sinter/sinter.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    auto const own = [&](auto v) { return F.with_gradient([&](auto u) { return u * v; }, [](auto d, auto) { return d; }, v); };
#else
    auto const own = [&](auto v) { return F.with_gradient([&](auto u) { return u * x; }, [](auto d, auto) { return d; }, v); };
#endif
    return F.gradient([&](auto v) { return F.sum(own(v)); }, x);
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  return static_cast<int>(y(0, 0));
}
