// SPDX-License-Identifier: Apache-2.0
// How parameters get their first values. The numbers depend on the seed and on the parameter's name alone.
#pragma once
#include <string_view>

#include "../core/list.hpp"
#include "../core/random.hpp"
#include "../core/shape.hpp"
#include "../graph/number.hpp"

namespace sinter {

namespace init {

enum class kind : std::int8_t { none, constant, uniform, normal, xavier, orthogonal };
// Which extents of a weight of shape (outputs, inputs, window...) scale its values: the mean of both, or one of them.
enum class factor : std::int8_t { avg, in, out };
enum class distribution : std::int8_t { uniform, gaussian };
struct spec {
  kind how = kind::none;
  double a = 0;
  factor of = factor::avg;
  distribution as = distribution::uniform;
};
// Values between -scale and scale.
struct uniform : spec {
  SINTER_OWN constexpr explicit uniform(double scale = 0.07) : spec{kind::uniform, scale} {}
};
// Mean 0 and deviation sigma.
struct normal : spec {
  SINTER_OWN constexpr explicit normal(double sigma = 0.01) : spec{kind::normal, sigma} {}
};
// With s = sqrt(magnitude / factor), between -s and s or of deviation s (Glorot and Bengio, AISTATS 2010; defaults as in Gluon).
struct xavier : spec {
  SINTER_OWN constexpr explicit xavier(double magnitude = 3, factor per = factor::avg, distribution drawn = distribution::uniform)
      : spec{kind::xavier, magnitude, per, drawn} {}
};
// Gaussian xavier of magnitude 2 / (1 + slope^2), for layers before a prelu of that slope; relu has slope 0 (He et al., ICCV 2015).
struct msra_prelu : xavier {
  SINTER_OWN constexpr explicit msra_prelu(factor per = factor::avg, double slope = 0.25)
      : xavier(2 / (1 + slope * slope), per, distribution::gaussian) {}
};
// Rows, or columns where there are more rows than columns, that are orthogonal to each other and of length `scale` (Saxe et al., ICLR 2014).
struct orthogonal : spec {
  SINTER_OWN constexpr explicit orthogonal(double scale = 1.414, distribution drawn = distribution::uniform)
      : spec{kind::orthogonal, scale, factor::avg, drawn} {}
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
using zero = zeros;  // as Gluon calls them
using one = ones;

inline namespace SINTER_ISA {
// Biases, betas and running means begin with 0, gammas and running variances with 1, the alpha of a prelu with 0.25, the others as asked.
constexpr spec for_name(spec asked, std::string_view name) {
  auto const ends = [&](std::string_view s) { return name.size() >= s.size() && name.substr(name.size() - s.size()) == s; };
  if (ends("bias") || ends("beta") || ends("running_mean")) return zeros{};
  if (ends("gamma") || ends("running_var")) return ones{};
  if (name == "alpha" || ends(".alpha")) return constant(0.25);
  return asked;
}
// Whether a parameter of dtype `t` can hold the values that `s` gives. Normal ones lie within 16 deviations; an integer drops the fraction.
constexpr bool fits(spec const& s, dtype t) {
  if (s.how == kind::none) return true;
  if (s.how == kind::constant) return t == dtype::boolean ? s.a == 0 || s.a == 1 : number(s.a).fits(t);
  bool const is_number = s.a >= -0x1p1000 && s.a <= 0x1p1000;  // neither infinite nor NaN, nor when multiplied by 16
  if (!is_number || t == dtype::boolean || (s.how == kind::xavier && s.a < 0)) return false;
  double const most = s.how == kind::normal || s.as == distribution::gaussian ? 16 * s.a : s.a;
  if (is_floating(t)) return holds(t, most);
  if (!(most > -0x1p31 && most < 0x1p31)) return false;
  auto const last = static_cast<std::int64_t>(most);
  return last == low_bits(t, last) && -last == low_bits(t, -last);
}
// The scale of xavier for a shape.
constexpr double scale_for(spec const& s, dims const& shape) {
  double field = 1;
  for (int i = 2; i < shape.rank; ++i) field *= static_cast<double>(shape.d[i]);
  double const inputs = shape.rank > 1 ? static_cast<double>(shape.d[1]) * field : 1,
               outputs = shape.rank > 0 ? static_cast<double>(shape.d[0]) * field : 1;
  return math::sqrt(s.a / (s.of == factor::in ? inputs : s.of == factor::out ? outputs : (inputs + outputs) / 2));
}
// Makes each of `n` vectors orthogonal to those before it and 1 long. Twice, because the first time leaves errors where two were close.
constexpr void orthonormalise(list<double>& v, extent n, extent length) {
  auto const at = [&](extent i) { return v.begin() + i * length; };
  auto const dot = [&](double const* x, double const* y) {
    double sum = 0;
    for (extent k = 0; k < length; ++k) sum += x[k] * y[k];
    return sum;
  };
  for (extent i = 0; i < n; ++i) {
    for (int again = 0; again < 2; ++again)
      for (extent j = 0; j < i; ++j) {
        double const part = dot(at(i), at(j));
        for (extent k = 0; k < length; ++k) at(i)[k] -= part * at(j)[k];
      }
    double const size = math::sqrt(dot(at(i), at(i)));
    for (extent k = 0; k < length; ++k) at(i)[k] /= size;
  }
}
constexpr double drawn(distribution as, std::uint64_t key, extent i) {
  auto const at = static_cast<std::uint64_t>(i);
  return as == distribution::gaussian ? normal_number(key, at) : 2 * uniform_number(key, at) - 1;
}
template <class T> constexpr void fill_orthogonal(spec const& s, std::uint64_t key, dims const& shape, T* to) {
  extent const all = shape.size(), rows = shape.rank > 0 ? shape.d[0] : 1, columns = rows > 0 ? all / rows : 0;
  bool const flat = rows <= columns;
  extent const n = flat ? rows : columns, length = flat ? columns : rows;
  list<double> v(static_cast<int>(all));
  for (extent i = 0; i < all; ++i) v[static_cast<int>(i)] = drawn(s.as, key, i);
  orthonormalise(v, n, length);
  for (extent i = 0; i < n; ++i)
    for (extent k = 0; k < length; ++k) to[flat ? i * length + k : k * n + i] = static_cast<T>(s.a * v[static_cast<int>(i * length + k)]);
}
template <class T> constexpr void fill(spec const& s, std::uint64_t key, dims const& shape, T* to) {
  if (s.how == kind::orthogonal) return fill_orthogonal(s, key, shape, to);
  extent const n = shape.size();
  double const scale = s.how == kind::xavier ? scale_for(s, shape) : s.a;
  distribution const as = s.how == kind::normal ? distribution::gaussian : s.as;
  bool const random = s.how != kind::none && s.how != kind::constant;
  for (extent i = 0; i < n; ++i) to[i] = static_cast<T>(random ? drawn(as, key, i) * scale : s.a);
}

}  // namespace SINTER_ISA
}  // namespace init
}  // namespace sinter
