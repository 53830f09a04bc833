// SPDX-License-Identifier: Apache-2.0
// A function on every block of a network: net.apply(f)
#pragma once
#include "block_functions.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <class M, class F> constexpr void apply_to(M& m, F& f);
template <class L, class F> constexpr void apply_to_children(L& child, F& f) {
  if constexpr (is_fork<std::remove_const_t<L>>) {
    apply_to_children(child.first, f);
    apply_to_children(child.second, f);
  } else apply_to(child, f);
}
template <class M, class F, class... A> constexpr void apply_to_members([[maybe_unused]] M& m, [[maybe_unused]] F& f, accessor_list<A...>) {
  (apply_to(std::remove_cvref_t<decltype(hana::second(std::declval<A const&>()))>{}(m), f), ...);
}
template <class F, class M> constexpr bool takes_block() {
  static_assert(std::is_invocable_v<F&, M&>,
                "sinter: what apply() is given is called with every block of the network, of whatever type: [](auto& block) { ... }");
  return std::is_invocable_v<F&, M&>;
}
template <class M, class F> constexpr void apply_to(M& m, F& f) {
  using type = std::remove_const_t<M>;
  if constexpr (compiled_block<type>) apply_to(m.network(), f);
  else if constexpr (block_like<type>) {
    if constexpr (has_children<type>) apply_to_children(m.children, f);
    else if constexpr (has_members<type>) apply_to_members(m, f, accessors_of<type>{});
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
