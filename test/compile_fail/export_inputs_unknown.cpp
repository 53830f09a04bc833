// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 30
// lines-clang: 30
// expect: sinter: how many inputs this network takes is not known; write their shapes: net.export_<shape<8>, shape<4>>(file)
#include <sinter/symbol/network.hpp>

using sinter::shape;

struct network : sinter::nn::hybrid_block<network> {
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto a, auto b, auto c, auto d) const { return a + b + c + d; }
};

int main() {
#ifdef SINTER_FAIL
  return sinter::sym::symbol_of(network{}).outputs();
#else
  return sinter::sym::symbol_of<shape<8>, shape<8>, shape<8>, shape<8>>(network{}).outputs();
#endif
}
