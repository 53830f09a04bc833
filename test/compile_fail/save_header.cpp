// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this function is in a header of its own; include sinter/nn/save.hpp
// expect: save_header.cpp:18:
// flags: -std=c++20
// lines-gcc: 16
// lines-clang: 14
#include <sinter/nn/layers/basic.hpp>
#ifndef SINTER_FAIL
#include <sinter/nn/save.hpp>
#endif
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() { network{}.save_parameters("network.params"); }
