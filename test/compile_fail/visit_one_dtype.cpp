// SPDX-License-Identifier: Apache-2.0
// What visits parameters compiles for every dtype that one of them has.
// expect: sinter: what visits parameters is called with parameters of each dtype that the network has: [](auto const& p, std::string_view name) { ... }
// lines-gcc: 8
// lines-clang: 20
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

struct counting : nn::hybrid_block<counting> {
  BOOST_HANA_DEFINE_STRUCT(counting, (nn::dense<4>, layer), (nn::basic_state<std::int64_t, sinter::shape<>, 5>, calls));
  constexpr auto hybrid_forward(auto, auto x) const { return layer(x); }
};
int main() {
  counting layer;
  int n = 0;
#ifdef SINTER_FAIL
  nn::visit_parameters(layer, [&](nn::parameter_of<float> const& p, std::string_view) { n += p.has_values(); });
#else
  nn::visit_parameters(layer, [&](auto const& p, std::string_view) { n += p.has_values(); });
#endif
  return n;
}
