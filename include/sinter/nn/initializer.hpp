// SPDX-License-Identifier: Apache-2.0
// How parameters get their first values. The numbers depend on the seed and on the parameter's name alone.
#pragma once
#include <string_view>

#include "../core/math.hpp"
#include "../core/shape.hpp"

namespace sinter {

// Numbers from a counter (splitmix64, Steele et al., OOPSLA 2014): number i of a key, on every compiler and in any order.
constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t i) {
  std::uint64_t z = key + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
// In [0, 1), 53 bits.
constexpr double random_uniform(std::uint64_t key, std::uint64_t i) { return static_cast<double>(random_bits(key, i) >> 11) * 0x1p-53; }
// Mean 0 and deviation 1 (Box and Muller).
constexpr double random_normal(std::uint64_t key, std::uint64_t i) {
  double const u = 1 - random_uniform(key, 2 * i), v = random_uniform(key, 2 * i + 1);
  return math::sqrt(-2 * math::log(u)) * math::cos(6.283185307179586477 * v);
}

namespace init {

enum class kind : std::int8_t { none, constant, uniform, normal, xavier };
struct spec {
  kind how = kind::none;
  double a = 0;
};
// Values between -scale and scale.
struct uniform : spec {
  constexpr explicit uniform(double scale = 0.07) : spec{kind::uniform, scale} {}
};
// Mean 0 and deviation sigma.
struct normal : spec {
  constexpr explicit normal(double sigma = 0.01) : spec{kind::normal, sigma} {}
};
// Uniform within sqrt(3 / mean of inputs and outputs) (Glorot and Bengio, AISTATS 2010), as Gluon's default.
struct xavier : spec {
  constexpr explicit xavier(double magnitude = 3) : spec{kind::xavier, magnitude} {}
};
struct constant : spec {
  constexpr explicit constant(double v) : spec{kind::constant, v} {}
};
struct zeros : constant {
  constexpr zeros() : constant(0) {}
};
struct ones : constant {
  constexpr ones() : constant(1) {}
};

// Biases, betas and running means begin with 0, gammas and running variances with 1, the others as asked.
constexpr spec for_name(spec asked, std::string_view name) {
  auto const ends = [&](std::string_view s) { return name.size() >= s.size() && name.substr(name.size() - s.size()) == s; };
  if (ends("bias") || ends("beta") || ends("running_mean")) return zeros{};
  if (ends("gamma") || ends("running_var")) return ones{};
  return asked;
}
template <class T> constexpr void fill(spec const& s, std::uint64_t key, dims const& shape, T* to) {
  extent const n = shape.size();
  double scale = s.a;
  if (s.how == kind::xavier) {
    double field = 1;
    for (int i = 2; i < shape.rank; ++i) field *= static_cast<double>(shape.d[i]);
    double const inputs = shape.rank > 1 ? static_cast<double>(shape.d[1]) * field : 1,
                 outputs = shape.rank > 0 ? static_cast<double>(shape.d[0]) * field : 1;
    scale = math::sqrt(s.a / ((inputs + outputs) / 2));
  }
  for (extent i = 0; i < n; ++i) {
    std::uint64_t const at = static_cast<std::uint64_t>(i);
    switch (s.how) {
      case kind::none:
      case kind::constant: to[i] = static_cast<T>(s.a); break;
      case kind::normal: to[i] = static_cast<T>(random_normal(key, at) * scale); break;
      case kind::uniform:
      case kind::xavier: to[i] = static_cast<T>((2 * random_uniform(key, at) - 1) * scale); break;
    }
  }
}

}  // namespace init
}  // namespace sinter
