// SPDX-License-Identifier: Apache-2.0
// Operands that do not fit are an error even where nobody looks at the result.
// expect: sinter: these operands do not fit:
// expect: "body"
// lines-gcc: 24
// lines-clang: 55
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct body_block : nn::hybrid_block<body_block> {
  BOOST_HANA_DEFINE_STRUCT(body_block, (nn::dense<3>, first));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = first(x);
#ifdef SINTER_FAIL
    [[maybe_unused]] auto const forgotten = F.add(h, x);
#else
    [[maybe_unused]] auto const forgotten = F.add(h, 1);
#endif
    return h;
  }
};
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (body_block, body));
  constexpr auto hybrid_forward(auto, auto x) const { return body(x); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
