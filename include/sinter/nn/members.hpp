// SPDX-License-Identifier: Apache-2.0
// A function on each member of a block, whatever its type.
#pragma once
#include "visit.hpp"

namespace sinter::nn::detail::inline SINTER_ISA {

template <class L, class F> constexpr void each_child(L& child, F& f) {
  if constexpr (is_fork<std::remove_const_t<L>>) {
    each_child(child.first, f);
    each_child(child.second, f);
  } else f(child);
}
template <class M, class F, class... A> constexpr void each_of([[maybe_unused]] M& m, [[maybe_unused]] F& f, accessor_list<A...>) {
  (f(std::remove_cvref_t<decltype(hana::second(std::declval<A const&>()))>{}(m)), ...);
}
// f(member) for what stands in a block itself: parameters, states, blocks, compiled networks, and values in plain blocks.
template <class M, class F> constexpr void each_member(M& m, F& f) {
  using type = std::remove_const_t<M>;
  if constexpr (has_children<type>) each_child(m.children, f);
  else if constexpr (has_members<type>) each_of(m, f, accessors_of<type>{});
}

}  // namespace sinter::nn::detail::inline SINTER_ISA
