// SPDX-License-Identifier: Apache-2.0
// erfinv, gamma and gammaln, against the functions of long double and, of erfinv, against a search for the number.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

// By halves: erf and erfc of long double are increasing and decreasing.
long double inverse_of_erf(long double x) {
  long double const size = std::abs(x);
  if (!(size <= 1)) return std::numeric_limits<long double>::quiet_NaN();
  if (size == 1) return std::copysign(std::numeric_limits<long double>::infinity(), x);
  long double const pi = std::acos(-1.0L);
  if (size < 1e-5L) return x * (std::sqrt(pi) / 2 * (1 + pi / 12 * x * x));
  long double low = 0, high = 7;
  for (int i = 0; i < 100; ++i) {
    long double const middle = (low + high) / 2;
    bool const below = size < 0.5L ? std::erf(middle) < size : std::erfc(middle) > 1 - size;
    (below ? low : high) = middle;
  }
  return std::copysign((low + high) / 2, x);
}
// What C's lgamma says, which is no function for threads, and its sign.
long double gamma_of(long double x) { return std::tgamma(x); }
long double logarithm_of_gamma(long double x) { return std::isinf(x) ? std::numeric_limits<long double>::infinity() : std::lgamma(x); }

template <class T, auto... D> nd::tensor<T, shape<D...>> between(double from, double to, std::initializer_list<double> also) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i)
    t.data()[i] = i < static_cast<extent>(also.size())
                      ? static_cast<T>(also.begin()[i])
                      : static_cast<T>(from + (to - from) * std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0));
  return t;
}
// In roundings; where gammaln is near one of its zeros below 0, its error is not relative to it.
template <class Op, bool Everywhere = false, class X, class F> void check_function(X const& x, F f, double bound = 0) {
  auto const want = [&](place_of const& p) {
    return static_cast<double>(f(static_cast<long double>(any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)])));
  };
  auto const got = calling<Everywhere, Op>{}(x);
  if (bound > 0) expect<Op>(got, x.shape(), want, [&](place_of const&) { return bound; });
  else expect<Op>(got, x.shape(), want);
}

}  // namespace

TEMPLATE_TEST_CASE("the inverse of erf", "", REALS) {
  using T = TestType;
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double below_one = 1 - std::numeric_limits<T>::epsilon() / 2;
  check_function<ops::erfinv, true>(
      between<T, 3, 97>(-1, 1, {0, -0.0, 1, -1, inf, -inf, nan, 1.5, -1.0001, below_one, -below_one, 0.5, -0.5, 1e-30, -1e-38, 1e-310}),
      inverse_of_erf);
  check_function<ops::erfinv>(between<T, 401>(0.999, 1, {}), inverse_of_erf);
  check_function<ops::erfinv>(between<T, 401>(-0.01, 0.01, {}), inverse_of_erf);
  check_function<ops::erfinv>(between<T, 0>(0, 1, {}), inverse_of_erf);
}

TEMPLATE_TEST_CASE("the gamma function", "", REALS) {
  using T = TestType;
  using limits = std::numeric_limits<T>;
  auto const inf = static_cast<double>(limits::infinity()), nan = std::numeric_limits<double>::quiet_NaN();
  auto const tiny = static_cast<double>(limits::denorm_min());
  check_function<ops::gamma, true>(
      between<T, 3, 97>(-8, 36, {0, -0.0, 1, 2, -1, -7, -1e30, inf, -inf, nan, tiny, -tiny, 1e-20, -1e-38, 7.9999, 8, 1e30, 35.04, 35.05}),
      gamma_of);
  check_function<ops::gamma>(between<T, 501>(-46, -8, {-170.5, -181.25, -182.25, -183.75, -200.5}), gamma_of);
  check_function<ops::gamma>(between<T, 501>(0, 3, {}), gamma_of);
  if constexpr (sizeof(T) == 8) check_function<ops::gamma>(between<T, 501>(-184, 171.62, {171.7, 172.1, 1e-308, 1e-309}), gamma_of);
  double factorial = 1;
  for (int n = 1; factorial < 0x1p53; factorial *= n++) CHECK(static_cast<double>(ops::gamma::eval(static_cast<double>(n))) == factorial);
}

TEMPLATE_TEST_CASE("the logarithm of the gamma function", "", REALS) {
  using T = TestType;
  using limits = std::numeric_limits<T>;
  auto const inf = static_cast<double>(limits::infinity()), nan = std::numeric_limits<double>::quiet_NaN();
  auto const tiny = static_cast<double>(limits::denorm_min()), most = static_cast<double>(limits::max());
  check_function<ops::gammaln, true>(
      between<T, 3, 97>(0, 12, {0, -0.0, 1, 2, -1, -7, -1e30, inf, -inf, nan, tiny, -tiny, 1e-20, -1e-38, 0.9, 2.15, 8, 1e10, 1e30, most}),
      logarithm_of_gamma);
  check_function<ops::gammaln>(between<T, 501>(0.99, 1.01, {}), logarithm_of_gamma);
  check_function<ops::gammaln>(between<T, 501>(1.99, 2.01, {}), logarithm_of_gamma);
  check_function<ops::gammaln>(between<T, 501>(8, 3e5, {1e25, 4e36}), logarithm_of_gamma);
  check_function<ops::gammaln>(between<T, 501>(-8, 0, {-2.4570247382208006, -2.7476826467274127, -3.143580888}), logarithm_of_gamma, 0.01);
  check_function<ops::gammaln>(between<T, 501>(-200, -8, {-8.0000248, -9.99999972, -1e10 + 0.25}), logarithm_of_gamma, 8);
  if constexpr (sizeof(T) == 8) {
    check_function<ops::gammaln>(between<T, 201>(1e200, 2.5e305, {2.5599833278516383e305, 2.56e305}), logarithm_of_gamma);
    static_assert(ops::gammaln::eval(1.0) == 0 && !math::signbit(ops::gammaln::eval(1.0)) && ops::gammaln::eval(2.0) == 0);
  }
}

}  // namespace test
