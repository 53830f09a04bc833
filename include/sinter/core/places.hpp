// SPDX-License-Identifier: Apache-2.0
// The indices of a pack of flags that are true, as a std::index_sequence: places_where<true, false, true>::type is that of 0 and 2.
#pragma once
#include <cstddef>
#include <utility>

#include "config.hpp"

namespace sinter::detail::inline SINTER_ISA {

template <bool... Wanted> struct wanted_places {
  std::size_t items[sizeof...(Wanted) + 1]{}, n = 0;
  constexpr wanted_places() {
    std::size_t place = 0;
    ((Wanted ? void(items[n++] = place) : void(), ++place), ...);
  }
};
template <bool... Wanted> struct places_where {
  static constexpr wanted_places<Wanted...> places{};
  template <std::size_t... I> static auto make(std::index_sequence<I...>) -> std::index_sequence<places.items[I]...>;
  using type = decltype(make(std::make_index_sequence<places.n>{}));
};

}  // namespace sinter::detail::inline SINTER_ISA
