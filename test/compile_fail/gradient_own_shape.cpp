// SPDX-License-Identifier: Apache-2.0
// A gradient of one's own has the shape of the operand.
// expect: sinter: the second function of with_gradient gives a gradient for each operand, of its shape and dtype, several as a std::tuple
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
    return F.with_gradient([&](auto v) { return F.round(v); }, [](auto d, auto) { return sinter::sum(d); }, x);
#else
    return F.with_gradient([&](auto v) { return F.round(v); }, [](auto d, auto) { return d * 2; }, x);
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  return static_cast<int>(y(0, 0));
}
