// SPDX-License-Identifier: Apache-2.0
// The path of a layer far behind in a network with many names: the compilers' limits suffice to find it.
// expect: sinter: these operands do not fit: the shapes do not broadcast; make them equal, or 1 where one should stretch
// expect: the_last_of_these_blocks
// lines-gcc: 23
// lines-clang: 60
#include <sinter/sinter.hpp>
namespace nn = sinter::nn;
using sinter::shape;

template <class Indices> struct many;
template <std::size_t... I> struct many<std::index_sequence<I...>> {
  template <class Layer, std::size_t> using same = Layer;
  using type = nn::hybrid_sequential<same<nn::dense<8>, I>...>;
};
using hundreds = many<std::make_index_sequence<200>>::type;
struct sum : nn::hybrid_block<sum> {
  BOOST_HANA_DEFINE_STRUCT(sum, (nn::dense<8>, fc));
  constexpr auto hybrid_forward(auto F, auto x, auto y) const { return F.add(fc(x), y); }
};
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (hundreds, blocks_in_a_row), (sum, the_last_of_these_blocks));
  constexpr auto hybrid_forward(auto, auto x, auto y) const { return the_last_of_these_blocks(blocks_in_a_row(x), y); }
};

int main() {
#ifdef SINTER_FAIL
  return sinter::compiled_t<network, shape<1, 8>, shape<1, 9>>::kernels;
#else
  return sinter::compiled_t<sum, shape<1, 8>, shape<1, 8>>::kernels - 1;  // all of them would cost seconds
#endif
}
