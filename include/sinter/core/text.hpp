// SPDX-License-Identifier: Apache-2.0
// A string that can be a template argument.
#pragma once
#include <cstddef>
#include <string_view>

#include "config.hpp"

namespace sinter {

template <std::size_t N> struct text {
  char s[N]{};
  constexpr text() = default;
  consteval text(char const (&t)[N]) {
    for (std::size_t i = 0; i < N; ++i) s[i] = t[i];
  }
  SINTER_OWN constexpr std::string_view view() const { return {s, N - 1}; }
};

}  // namespace sinter
