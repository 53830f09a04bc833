// SPDX-License-Identifier: Apache-2.0
// The hash of a text.
#pragma once
#include <cstdint>
#include <string_view>

#include "config.hpp"

namespace sinter::inline SINTER_ISA {

// FNV-1a. It tells texts apart that differ by mistake; nobody is kept from making two of one hash.
constexpr std::uint64_t hash_of(std::string_view s) {
  std::uint64_t h = 14695981039346656037u;
  for (char c : s) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

}  // namespace sinter::inline SINTER_ISA
