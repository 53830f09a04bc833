// SPDX-License-Identifier: Apache-2.0
// The largest error of each float function of backend/xsimd/math.hpp over all 2^32 floats (or every n-th: `ulp exp 64`), in units
// in the last place of the true value, against libm's double function; and its time for 16 floats, in cycles and nanoseconds.
#include <sinter/backend/xsimd/math.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace simd = sinter::simd;

// The distance in units in the last place of a float near the true value; 2^30 for a wrong special value.
double ulp(float got, double want) {
  constexpr double wrong = 1 << 30;
  if (std::isnan(want)) return std::isnan(got) ? 0 : wrong;
    // 2^128 stands in for infinity, as rounding has it.
  double const g = std::isinf(got) ? std::copysign(0x1p+128, got) : got;
  if (std::isinf(want) || std::abs(want) > 0x1p+128) want = std::copysign(0x1p+128, want);
  if (std::isnan(got)) return wrong;
  if (want == 0) return g == 0 && std::signbit(g) == std::signbit(want) ? 0 : wrong;
  auto const exponent = std::max(static_cast<int>(std::bit_cast<std::uint64_t>(want) >> 52 & 2047) - 1023, -126);
  return std::abs(g - want) / std::bit_cast<double>(static_cast<std::uint64_t>(exponent - 23 + 1023) << 52);
}

template <class F>
double cycles(F f) {
  using clock = std::chrono::steady_clock;
    // Where the functions do their work: both sides of every choice in each vector.
  alignas(64) static std::array<float, 4096> x, y;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 2654435761u) % 4096) / 512.0f - 4.0f;
  double best = 1e9, beat = 1e9;
  for (int round = 0; round < 400; ++round) {
    auto const a = clock::now();
    for (std::size_t i = 0; i < x.size(); i += static_cast<std::size_t>(simd::lanes)) simd::store(&y[i], f(simd::load(&x[i])));
    auto const b = clock::now();
    best = std::min(best, std::chrono::duration<double>(b - a).count() / static_cast<double>(x.size() / 16));
        // A chain of 1024 multiplications of four cycles each.
    float chain = 1.0f;
    float const factor = x[4095] - x[4095] + 1.0f;
    for (int i = 0; i < 1024; ++i) {
      chain *= factor;
#if defined(__x86_64__)
      __asm__ volatile("" : "+x"(chain));
#endif
    }
    beat = std::min(beat, std::chrono::duration<double>(clock::now() - b).count() / 4096);
    if (y[7] == 12345.0f) std::puts("");
  }
  std::printf("  %6.1f cycles, %5.2f ns per 16", best / beat, best * 1e9);
  return best;
}

template <class F, class G>
void sweep(char const* name, std::uint64_t step, bool time, F f, G g) {
  double worst = 0;
  float at = 0;
  std::vector<float> x(1024), y(1024);
  std::size_t n = 0;
  auto const flush = [&] {
    for (std::size_t i = 0; i < x.size(); i += static_cast<std::size_t>(simd::lanes)) simd::store(&y[i], f(simd::load(&x[i])));
    for (std::size_t i = 0; i < n; ++i)
      if (double const e = ulp(y[i], g(static_cast<double>(x[i]))); e > worst) worst = e, at = x[i];
    n = 0;
  };
  for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; i += step) {
    x[n++] = std::bit_cast<float>(static_cast<std::uint32_t>(i));
    if (n == x.size()) flush();
  }
  flush();
  std::printf("%-13s max %.3f ulp at %a (%.9g)", name, worst, static_cast<double>(at), static_cast<double>(at));
  if (time) cycles(f);
  std::puts("");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::string const only = argc > 1 ? argv[1] : "all";
  std::uint64_t const step = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  auto const wanted = [&](char const* name) { return only == "all" || only == name; };
#define SINTER_SWEEP(name, ...) \
  if (wanted(#name)) sweep(#name, step, true, [](auto const& x) { return simd::name(x); }, [](double x) { return __VA_ARGS__; })
#define SINTER_SWEEP_FAST(name, ...) \
  SINTER_SWEEP(name, __VA_ARGS__);   \
  SINTER_SWEEP(fast_##name, __VA_ARGS__)
  SINTER_SWEEP_FAST(exp, std::exp(x));
  SINTER_SWEEP(log, std::log(x));
  SINTER_SWEEP_FAST(tanh, std::tanh(x));
  SINTER_SWEEP_FAST(sigmoid, x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)));
  SINTER_SWEEP_FAST(erf, std::erf(x));
  SINTER_SWEEP(log1p, std::log1p(x));
  SINTER_SWEEP(expm1, std::expm1(x));
  SINTER_SWEEP(softrelu, std::isnan(x) ? x : (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x))));
  SINTER_SWEEP(rsqrt, 1 / std::sqrt(x));
  SINTER_SWEEP(sqrt, std::sqrt(x));
  SINTER_SWEEP(sin, std::sin(x));
  SINTER_SWEEP(cos, std::cos(x));
  SINTER_SWEEP(tan, std::tan(x));
  SINTER_SWEEP(arcsin, std::asin(x));
  SINTER_SWEEP(arccos, std::acos(x));
  SINTER_SWEEP(arctan, std::atan(x));
  SINTER_SWEEP(sinh, std::sinh(x));
  SINTER_SWEEP(cosh, std::cosh(x));
  SINTER_SWEEP(arcsinh, std::asinh(x));
  SINTER_SWEEP(arccosh, std::acosh(x));
  SINTER_SWEEP(gamma, std::tgamma(x));
  SINTER_SWEEP(gammaln, std::lgamma(x));
  SINTER_SWEEP(arctanh, std::atanh(x));
  SINTER_SWEEP(log2, std::log2(x));
  SINTER_SWEEP(log10, std::log10(x));
  SINTER_SWEEP(cbrt, std::cbrt(x));
  if (wanted("pow")) {
    static float const exponents[] = {2.0f, -1.0f, 0.5f, 2.75f, -7.3f, 3.0f, 100.5f, 1e-3f, 12345.0f};
    for (float const e : exponents)
      sweep(
          "pow", step * 64, e == 2.75f, [e](auto const& x) { return simd::pow(x, simd::splat(e)); },
          [e](double x) { return std::pow(x, static_cast<double>(e)); });
    sweep(
        "pow(2, x)", step * 64, false, [](auto const& x) { return simd::pow(simd::splat(2.0f), x); },
        [](double x) { return std::pow(2.0, x); });
    sweep(
        "pow(.9, x)", step * 64, false, [](auto const& x) { return simd::pow(simd::splat(0.9f), x); },
        [](double x) { return std::pow(static_cast<double>(0.9f), x); });
  }
}
