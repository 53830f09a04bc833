// SPDX-License-Identifier: Apache-2.0
// One function, three meanings: of numbers it is computed by the compiler, of tensors at once, and of symbols it is a graph, which the
// compiler folds.
#include <sinter/sinter.hpp>

#include <iostream>

namespace nn = sinter::nn;
namespace passes = sinter::passes;
using sinter::into;
using sinter::shape;
using sinter::values;

constexpr auto add(auto a, auto b) { return a + b; }
constexpr auto fancy_func(auto a, auto b, auto c, auto d) {
  auto e = add(a, b);
  auto f = add(c, d);
  auto g = add(e, f);
  return g;
}
static_assert(fancy_func(1, 2, 3, 4) == 10);

struct program : nn::hybrid_block<program> {
  BOOST_HANA_DEFINE_STRUCT(program);
  constexpr auto hybrid_forward(auto, auto a, auto b, auto c, auto d) const { return fancy_func(a, b, c, d); }
};
struct program_of_constants : nn::hybrid_block<program_of_constants> {
  BOOST_HANA_DEFINE_STRUCT(program_of_constants);
  constexpr auto hybrid_forward(auto F, auto) const {
    auto const number = [&](auto v) { return F.full(into<>, v, sinter::as<int>); };
    return fancy_func(number(values<1>), number(values<2>), number(values<3>), number(values<4>));
  }
};

int main() {
  sinter::nd::tensor<int, shape<>> const one{1}, two{2}, three{3}, four{4};
  std::cout << "eager: " << fancy_func(one, two, three, four) << "\n";

  using one_number = sinter::nd::tensor<int, shape<>>;
  using of_inputs = sinter::compiled_t<program, one_number, one_number, one_number, one_number>;
  std::cout << "graph: " << expression(of_inputs::traced()) << "\n";

  using of_constants = sinter::compiled_t<program_of_constants, one_number>;
  auto graph = passes::expand(passes::canonicalise(of_constants::traced()));
  std::cout << "with constants: " << expression(graph) << "\n";
  graph = passes::remove_dead(passes::fold_constants(std::move(graph)));
  std::cout << "folded: " << expression(graph) << "\n";
  static_assert(of_constants::flops == 0);  // the number is copied to the result, and nothing is computed
  std::cout << "hybridized: " << program_of_constants{}.hybridize()(one) << "\n";
}
// prints: eager: 10
// prints: graph: (data0+data1)+(data2+data3)
// prints: with constants: (1+2)+(3+4)
// prints: folded: 10
// prints: hybridized: 10
