// SPDX-License-Identifier: Apache-2.0
// Whether two numbers are the same bits; any NaN is one.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace test {

template <class T> constexpr bool same_bits(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return (a != a && b != b) || std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
  } else return a == b;
}
static_assert(!same_bits(0.f, -0.f) && !same_bits(0., -0.) && same_bits(-0., -0.));
static_assert(same_bits(std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()) && !same_bits(1, 2));

}  // namespace test
