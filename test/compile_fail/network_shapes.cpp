// SPDX-License-Identifier: Apache-2.0
// Shapes that do not fit deep in a network: the operation and both shapes, the line of hybrid_forward, the path of the layer.
// expect: sinter: these operands do not fit: the shapes do not broadcast
// expect: network_shapes.cpp:18:29
// expect: body.merge
// expect: ops::add
// expect: shape<1, 10>
// expect: shape<1, 2>
// lines-gcc: 25
// lines-clang: 52
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct merge_block : nn::hybrid_block<merge_block> {
  BOOST_HANA_DEFINE_STRUCT(merge_block, (nn::dense<10>, hidden), (nn::dense<2>, shortcut));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.relu(hidden(x) + shortcut(x));
#else
    return F.relu(hidden(x)) + F.sum(shortcut(x));
#endif
  }
};
struct body_block : nn::hybrid_block<body_block> {
  BOOST_HANA_DEFINE_STRUCT(body_block, (nn::dense<3>, first), (merge_block, merge), (nn::dense<4>, last));
  constexpr auto hybrid_forward(auto, auto x) const { return last(merge(first(x))); }
};
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (body_block, body));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(body(x)); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
