// SPDX-License-Identifier: Apache-2.0
// F.gradient and F.value_and_gradient in compiled networks. Those of symbols, and sym::gradient, are in symbol/gradient.hpp.
#pragma once
#include "compile/hybridized.hpp"
#include "sym/gradient.hpp"

namespace sinter {
namespace nd::inline SINTER_ISA {
template <class Device, class Function, class... X>
constexpr auto value_and_gradient_in(functions_on<Device> const&, Function const&, X const&... x) {
  static_assert(sizeof(Function) == 0,
                "sinter: gradients are derived in compiled networks and in symbols, not eagerly yet; call net.hybridize()(x)");
  return ops::unchanged(x...);
}
}  // namespace nd::inline SINTER_ISA
inline namespace SINTER_ISA {
// In training the function is given marked operands, too.
template <class Mode, class Function, class... X>
constexpr auto value_and_gradient_in(training_functions<Mode> const& F, Function const& f, X const&... x) {
  return training(F.mode.value_and_gradient([&](auto const&... v) { return unmarked_copy(f(training(v)...)); }, unmarked_copy(x)...));
}
}  // namespace SINTER_ISA
}  // namespace sinter
