// SPDX-License-Identifier: Apache-2.0
// How parameters get their first values. The numbers depend on the seed and on the parameter's name alone.
#pragma once
#include <string_view>

#include "../core/random.hpp"
#include "../core/shape.hpp"

namespace sinter {

namespace init {

enum class kind : std::int8_t { none, constant, uniform, normal, xavier };
struct spec {
  kind how = kind::none;
  double a = 0;
};
// Values between -scale and scale.
struct uniform : spec {
  SINTER_OWN constexpr explicit uniform(double scale = 0.07) : spec{kind::uniform, scale} {}
};
// Mean 0 and deviation sigma.
struct normal : spec {
  SINTER_OWN constexpr explicit normal(double sigma = 0.01) : spec{kind::normal, sigma} {}
};
// Uniform within sqrt(3 / mean of inputs and outputs) (Glorot and Bengio, AISTATS 2010), as Gluon's default.
struct xavier : spec {
  SINTER_OWN constexpr explicit xavier(double magnitude = 3) : spec{kind::xavier, magnitude} {}
};
struct constant : spec {
  SINTER_OWN constexpr explicit constant(double v) : spec{kind::constant, v} {}
};
struct zeros : constant {
  SINTER_OWN constexpr zeros() : constant(0) {}
};
struct ones : constant {
  SINTER_OWN constexpr ones() : constant(1) {}
};

inline namespace SINTER_ISA {
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

}  // namespace SINTER_ISA
}  // namespace init
}  // namespace sinter
