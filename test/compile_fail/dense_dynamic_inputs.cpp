// SPDX-License-Identifier: Apache-2.0
// A dense layer deep in a network whose inputs are dynamic: the layer's path and the operand's shape.
// expect: sinter: these operands do not fit: the operation needs a number as the extent of an axis that is dynamic here
// expect: body.output
// expect: ops::fully_connected
// lines-gcc: 25
// lines-clang: 49
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;
using sinter::dim;

struct body_block : nn::hybrid_block<body_block> {
  BOOST_HANA_DEFINE_STRUCT(body_block, (nn::dense<4>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(x)); }
};
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (body_block, body));
  constexpr auto hybrid_forward(auto, auto x) const { return body(x); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
#ifdef SINTER_FAIL
  return fast(sinter::nd::tensor<float, sinter::shape<1, dim<"inputs">>>::of(1, 8)).size() == 0;
#else
  return fast(sinter::nd::tensor<float, sinter::shape<dim<"batch">, 8>>::of(1, 8)).size() == 0;
#endif
}
