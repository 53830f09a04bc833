// SPDX-License-Identifier: Apache-2.0
// What translation units built for different instruction sets offer each other in one program.
#pragma once
#include <sinter/sinter.hpp>

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<96>, first), (nn::layer_norm<>, norm), (nn::dense<32>, second));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = norm(F.gelu(first(x)) + 1);
    auto const sorted = F.sort(second(h));
    return F.softmax(sorted * F.sigmoid(sorted));
  }
};
using input = f32<4, 64>;
using output = f32<4, 32>;
using any_input = f32<dim<"batch">, 64>;
using any_output = f32<dim<"batch">, 32>;
using compiled = decltype(std::declval<network>().hybridize());
using narrow = decltype(std::declval<network>().hybridize(sinter::weights::int8, sinter::math::fast));

struct unit {
  char const* name;
  bool fused;  // whether its products round once
  network (*make)();
  output (*eager)(network const&, input const&);
  output (*call)(compiled const&, input const&);
  void (*into)(compiled const&, input const&, output&);
  any_output (*any)(compiled const&, any_input const&);
  output (*train)(compiled const&, input const&);
  output (*call_narrow)(narrow const&, input const&);
  float (*round)();           // an eager product that shows how often it rounds
  float (*round_compiled)();  // a compiled one
  void (*set)(network const&, float);
  std::string (*describe)(network const&, compiled const&, output const&);
  void (*fail)(network const&);
};
unit unit_sse2();
unit unit_avx2();
unit unit_avx512();
