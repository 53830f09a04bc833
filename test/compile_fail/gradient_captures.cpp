// SPDX-License-Identifier: Apache-2.0
// A gradient of one's own that captures something, which may be gone when it is called.
// expect: sinter: the second function of with_gradient is called later, when what it captures may be gone; it captures nothing, and gets what it needs as operands: F.with_gradient(f, [](auto d, auto x) { return d * x; }, x)
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
    return F.with_gradient([&](auto v) { return F.round(v); }, [&](auto d, auto) { return F.multiply(d, 2); }, x);
#else
    return F.with_gradient([&](auto v) { return F.round(v); }, [&](auto d, auto) { return d * 2; }, x);
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  return static_cast<int>(y(0, 0));
}
