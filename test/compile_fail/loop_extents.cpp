// SPDX-License-Identifier: Apache-2.0
// Sequences of different lengths.
// expect: sinter: foreach runs along the first axis of its sequences, and two of them have different extents there
// lines-gcc: 14
// lines-clang: 37
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([&](auto rows, auto s) { return std::tuple(std::get<0>(rows), s); }, std::tuple(x, F.transpose(x)), F.sum(x));
#else
    return F.foreach ([&](auto rows, auto s) { return std::tuple(std::get<0>(rows), s); }, std::tuple(x, x * 2), F.sum(x));
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
