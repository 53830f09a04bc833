// SPDX-License-Identifier: Apache-2.0
// Running sums and products of long lines, in tiles.
#include <sinter/thrust.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include "../../catch.hpp"

namespace nd = sinter::nd;
namespace device = sinter::device;
using sinter::axis;
using sinter::dims;

namespace {

template <class T> using cube = nd::tensor<T, sinter::shape<sinter::dynamic, sinter::dynamic, sinter::dynamic>>;

// Floats near 1 for products, between -1 and 1 for sums; any integers.
template <class T> cube<T> numbers(dims const& extents, bool multiplies) {
  cube<T> x(extents);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double const u = 2 * sinter::uniform_number(multiplies ? 2 : 1, static_cast<std::uint64_t>(i)) - 1;
    if constexpr (std::is_floating_point_v<T>) x.data()[i] = static_cast<T>(multiplies ? 1 + u / 64 : u);
    else x.data()[i] = static_cast<T>(u * 2e9);
  }
  return x;
}
template <int Axis, class T> void check(dims const& extents) {
  for (bool const multiplies : {false, true}) {
    cube<T> const x = numbers<T>(extents, multiplies);
    auto const there = x.to(device::gpu);
    std::int64_t const launches = device::gpu.launches();
    auto const result = multiplies ? sinter::cumprod(there, axis<Axis>) : sinter::cumsum(there, axis<Axis>);
    CHECK(device::gpu.launches() == launches + 1);
    cube<T> const y = result.to(device::cpu);
    sinter::ops::around const lines(extents, Axis);
    std::size_t wrong = 0;
    for (std::int64_t line = 0; line < lines.outer * lines.inner; ++line) {
      std::int64_t const first = line / lines.inner * lines.n * lines.inner + line % lines.inner;
      if constexpr (std::is_floating_point_v<T>) {
        long double sum = multiplies ? 1 : 0, magnitude = 0;
        for (std::int64_t k = 0; k < lines.n; ++k) {
          std::int64_t const at = first + k * lines.inner;
          auto const v = static_cast<long double>(x.data()[at]);
          sum = multiplies ? sum * v : sum + v;
          magnitude =
              multiplies ? std::abs(sum) * std::sqrt(static_cast<long double>(k + 1)) : std::sqrt(magnitude * magnitude + std::abs(v));
          long double const bound =
              16 * static_cast<long double>(std::numeric_limits<T>::epsilon()) * (multiplies ? magnitude : 16 * magnitude);
          wrong += !(std::abs(static_cast<long double>(y.data()[at]) - sum) <= bound);
        }
      } else {
        std::uint64_t all = multiplies ? 1 : 0;
        for (std::int64_t k = 0; k < lines.n; ++k) {
          std::int64_t const at = first + k * lines.inner;
          auto const v = static_cast<std::uint64_t>(x.data()[at]);
          all = multiplies ? all * v : all + v;
          wrong += y.data()[at] != static_cast<T>(all);
        }
      }
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("running sums and products of long lines", "", float, double, std::int32_t, std::int64_t) {
  check<2, TestType>({3, 2, 64});
  check<2, TestType>({1, 3, 2048});
  check<2, TestType>({1, 3, 2049});
  check<2, TestType>({1, 1, 100000});
  check<0, TestType>({5000, 70, 1});  // in tiles along each of two axes
  check<1, TestType>({70, 5000, 1});
  check<1, TestType>({2, 5000, 3});
  check<0, TestType>({4096, 2, 1});
  check<1, TestType>({2, 70, 3});  // a thread for each line
}
TEST_CASE("what is no number, and zeros with a sign, in tiles") {
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  cube<float> x(dims{1, 1, 10000});
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = -0.0f;
  auto const zeros = sinter::cumsum(x.to(device::gpu), axis<2>).to(device::cpu);
  for (std::int64_t i = 0; i < x.size(); i += 999) CHECK(std::signbit(zeros.data()[i]));
  x.data()[5000] = nan;
  auto const y = sinter::cumsum(x.to(device::gpu), axis<2>).to(device::cpu);
  for (std::int64_t const i : {0, 4999, 5000, 5001, 7000, 9999}) CHECK(std::isnan(y.data()[i]) == (i >= 5000));
  CHECK(sinter::cumsum(cube<float>(dims{0, 2, 5000}).to(device::gpu), axis<2>).shape() == dims{0, 2, 5000});
}
