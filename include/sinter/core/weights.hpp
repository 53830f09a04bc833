// SPDX-License-Identifier: Apache-2.0
// In how many bits a compiled network keeps the weights of its float32 products: auto fast = net.hybridize(weights::bf16);
// A call reads fewer bytes; the parameters stay with `net` in float32.
#pragma once
#include <string_view>
#include <type_traits>

#include "config.hpp"

namespace sinter::weights {

// bfloat16, rounded to nearest, ties to even: half the bytes. Every finite weight stays finite, within 2^-8 of itself. The results are those of a network whose weights were rounded so, except for
// the order of additions.
struct bf16_format {
  static constexpr std::string_view name = "bfloat16";
};
// int8 from -127 to 127 with a float32 scale for each output, which is the output's largest weight over 127: a quarter of the bytes. In a
// product of a single row the input is rounded, too, to 16 bits: to within 2^-16 of the row's largest element. So the result for a row may
// depend on how many rows there are. An output with a weight that is not finite is NaN.
struct int8_format {
  static constexpr std::string_view name = "int8";
};
template <class W>
concept format = std::is_same_v<W, bf16_format> || std::is_same_v<W, int8_format>;

inline constexpr bf16_format bf16{};
inline constexpr int8_format int8{};

}  // namespace sinter::weights
