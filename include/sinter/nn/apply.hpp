// SPDX-License-Identifier: Apache-2.0
// A function on every block of a network: net.apply(f)
#pragma once
#include "block_functions.hpp"
#include "members.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <class F, class M> constexpr bool takes_block() {
  static_assert(std::is_invocable_v<F&, M&>,
                "sinter: what apply() is given is called with every block of the network, of whatever type: [](auto& block) { ... }");
  return std::is_invocable_v<F&, M&>;
}
template <class M, class F> constexpr void apply_to(M& m, F& f) {
  using type = std::remove_const_t<M>;
  if constexpr (compiled_block<type>) apply_to(m.network(), f);
  else if constexpr (block_like<type>) {
    auto const inside = [&f](auto& part) { apply_to(part, f); };
    each_member(m, inside);
    if constexpr (takes_block<F, M>()) f(m);
  }
}
}  // namespace detail::inline SINTER_ISA

template <class D> template <class F> constexpr D& block_functions<D>::apply(F f) {
  detail::apply_to(self(), f);
  return self();
}
template <class D> template <class F> constexpr D const& block_functions<D>::apply(F f) const {
  detail::apply_to(self(), f);
  return self();
}

}  // namespace sinter::nn
