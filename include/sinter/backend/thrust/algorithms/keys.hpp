// SPDX-License-Identifier: Apache-2.0
// Elements as unsigned numbers whose order is the wanted one, so that sorting them is the same for each dtype.
#pragma once
#include "../../../core/dtype.hpp"

namespace sinter::gpu {
inline namespace SINTER_ISA {

// The number of an element from its bits: all NaN are the largest, zeros of both signs are equal.
struct sort_keys {
  int bytes = 0;
  bool ascending = true, has_sign = false;
  std::uint64_t infinity = 0;  // of a floating dtype; otherwise 0

  constexpr sort_keys(dtype t, bool up)
      : bytes(bytes_of(t)),
        ascending(up),
        has_sign(t != dtype::uint8 && t != dtype::boolean),
        infinity(t == dtype::float64    ? 0x7ff0000000000000u
                 : t == dtype::float32  ? 0x7f800000u
                 : t == dtype::bfloat16 ? 0x7f80u
                 : t == dtype::float16  ? 0x7c00u
                                        : 0) {}
  constexpr int bits() const { return 8 * bytes; }

  SINTER_HD constexpr std::uint64_t of(std::uint64_t element) const {
    std::uint64_t const sign = std::uint64_t{1} << (8 * bytes - 1), all = sign | (sign - 1), magnitude = element & ~sign;
    if (infinity != 0) {
      if (magnitude > infinity) return all;
      element = magnitude == 0 ? sign : (element & sign) != 0 ? ~element : element | sign;
    } else if (has_sign) element ^= sign;
    return (ascending ? element : ~element) & all;
  }
  // Of element `i` of an array.
  SINTER_HD std::uint64_t of(void const* x, std::int64_t i) const {
    switch (bytes) {
      case 1: return of(static_cast<std::uint8_t const*>(x)[i]);
      case 2: return of(static_cast<std::uint16_t const*>(x)[i]);
      case 4: return of(static_cast<std::uint32_t const*>(x)[i]);
      default: return of(static_cast<std::uint64_t const*>(x)[i]);
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::gpu
