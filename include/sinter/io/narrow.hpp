// SPDX-License-Identifier: Apache-2.0
// Weights of products in int8 among other arrays, as programs embed them: beside an array of that dtype lies another one, whose name ends in
// `largest_suffix`, with the largest weight of each output. Weights that weights::int8 makes of what is read here are the same ones again.
#pragma once
#include "array.hpp"

namespace sinter::io::inline SINTER_ISA {

inline constexpr std::string_view largest_suffix = " (largest)";

// The largest itself is exact, so that the scale that follows from it is the same one.
inline float widened(std::int8_t q, float largest) {
  if (q == 127 || q == -127) return q < 0 ? -largest : largest;
  return static_cast<float>(q) * (largest / 127);
}
// `largest` is (n, 1) where the weights of an output lie beside each other, and (1, n) where those of an input do.
inline array widened(array const& a, array const& largest) {
  auto const count = static_cast<std::size_t>(element_count(a)), n = static_cast<std::size_t>(element_count(largest));
  if (a.type != dtype::int8 || largest.type != dtype::float32 || largest.shape.size() != 2 || n == 0 || count % n != 0)
    throw error("sinter: array " + in_quotes(a.name) + " is not in int8, or does not fit " + in_quotes(largest.name));
  array r{a.name, dtype::float32, a.shape, std::vector<std::byte>(count * sizeof(float))};
  for (std::size_t i = 0; i < count; ++i) {
    float most = 0;
    std::memcpy(&most, largest.data.data() + (largest.shape[1] == 1 ? i / (count / n) : i % n) * sizeof most, sizeof most);
    float const v = widened(std::bit_cast<std::int8_t>(a.data[i]), most);
    std::memcpy(r.data.data() + i * sizeof v, &v, sizeof v);
  }
  return r;
}
// The arrays with such weights in float32, and without those that belong to them.
inline std::vector<array> widened(std::vector<array> all) {
  std::vector<array> r;
  for (array& a : all) {
    if (a.name.ends_with(largest_suffix)) continue;
    auto const largest =
        std::find_if(all.begin(), all.end(), [&](array const& l) { return l.name == a.name + std::string(largest_suffix); });
    r.push_back(largest == all.end() ? std::move(a) : widened(a, *largest));
  }
  return r;
}

}  // namespace sinter::io::inline SINTER_ISA
