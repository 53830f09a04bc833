// SPDX-License-Identifier: Apache-2.0
// Four lines, and the memory that they take: eagerly each result has its own, hybridized they are one kernel and the results alone.
#include <sinter/sinter.hpp>

#include <iostream>

using sinter::as;
using sinter::into;
using sinter::shape;
namespace nn = sinter::nn;

struct of_inputs : nn::hybrid_block<of_inputs> {
  BOOST_HANA_DEFINE_STRUCT(of_inputs);
  constexpr auto hybrid_forward(auto, auto a, auto ones) const {
    auto b = ones * 2;
    auto c = b * a;
    auto d = c + 1;
    return d;
  }
};
struct of_constants : nn::hybrid_block<of_constants> {
  BOOST_HANA_DEFINE_STRUCT(of_constants);
  constexpr auto hybrid_forward(auto F, auto) const {
    auto a = F.ones(into<10>, as<double>);
    auto b = F.ones(into<10>, as<double>) * 2;
    return b * a + 1;
  }
};

int main() {
  auto a = sinter::ones(into<10>, as<double>);
  auto b = sinter::ones(into<10>, as<double>) * 2;
  auto c = b * a;
  auto d = c + 1;
  std::cout << "eager: " << sizeof(double) * static_cast<std::size_t>(a.size() + b.size() + c.size() + d.size()) << " bytes, " << d << "\n";

  using list = sinter::nd::tensor<double, shape<10>>;
  using plan = sinter::compiled_t<of_inputs, list, list>;
  static_assert(plan::kernels == 1 && plan::arena_bytes == 0);  // two arrays at once: an input and the result, 160 bytes
  std::cout << "hybridized: " << plan::kernels << " kernel, " << plan::arena_bytes << " bytes between, " << sizeof(double) * 10
            << " bytes of the result, " << of_inputs{}.hybridize()(a, sinter::ones(into<10>, as<double>)) << "\n";

  using constants = sinter::compiled_t<of_constants, list>;
  static_assert(constants::flops == 0 && constants::arena_bytes == 0);
  std::cout << "of constants: " << constants::flops << " operations, " << of_constants{}.hybridize()(a) << "\n";
}
// prints: eager: 320 bytes, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
// prints: hybridized: 1 kernel, 0 bytes between, 80 bytes of the result, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
// prints: of constants: 0 operations, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
