// SPDX-License-Identifier: Apache-2.0
// Sorting of long lines by Thrust, beside std::sort and the operations of the processor.
#include <sinter/thrust.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "../../catch.hpp"

namespace nd = sinter::nd;
namespace device = sinter::device;
namespace gpu = sinter::gpu;
using sinter::axis;
using sinter::descending;
using sinter::dims;

namespace {

template <class T> using cube = nd::tensor<T, sinter::shape<sinter::dynamic, sinter::dynamic, sinter::dynamic>>;

template <class T> using on_device = nd::tensor<T, sinter::shape<sinter::dynamic>, device::gpu_t>;

// Few different numbers, so that many are equal; with NaN of both signs, infinities and both zeros, or the ends of the dtype.
template <class T> cube<T> numbers(dims const& extents, std::uint64_t seed) {
  cube<T> x(extents);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    auto const n = static_cast<int>(sinter::number_below(150, seed, static_cast<std::uint64_t>(i)));
    T& v = x.data()[i];
    if constexpr (std::is_same_v<T, bool>) v = n % 2 == 0;
    else if constexpr (std::is_integral_v<T>)
      v = n == 0   ? std::numeric_limits<T>::lowest()
          : n == 1 ? std::numeric_limits<T>::max()
                   : static_cast<T>(std::is_signed_v<T> ? n - 75 : n);
    else {
      float const infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
      v = static_cast<T>(n == 0   ? infinity
                         : n == 1 ? -infinity
                         : n == 2 ? nan
                         : n == 3 ? -nan
                         : n < 8  ? 0.0f
                         : n < 12 ? -0.0f
                                  : static_cast<float>(n - 75) / 8);
    }
  }
  return x;
}
template <class T> bool is_nan(T v) { return v != v; }
template <class T> bool before(T a, T b, bool up) {
  if (is_nan(a)) return false;
  if (is_nan(b)) return true;
  return up ? a < b : b < a;
}
// A line is too short or too long; the places of an element are numbers of 32 bits.
bool is_worth_it(std::int64_t n) { return gpu::line_sort{sinter::dtype::float32, sinter::ops::around(dims{n}, 0), n, true}.is_worth_it(); }

// The first `top` of each line along an axis, against the places in the order of std::sort.
template <class T> void check(dims const& extents, int axis, std::int64_t top, bool up, std::uint64_t seed = 1) {
  cube<T> const x = numbers<T>(extents, seed);
  gpu::line_sort const s{sinter::dtype_of<T>, sinter::ops::around(extents, axis), top, up};
  REQUIRE(s.is_worth_it());
  auto const there = x.to(device::gpu);
  on_device<T> const sorted(dims{s.count() * top});
  on_device<std::int64_t> const where(dims{s.count() * top});
  on_device<std::int8_t> const scratch(dims{static_cast<std::int64_t>(gpu::sinter_thrust_algorithms_hpp::scratch_bytes(s))});
  gpu::sinter_thrust_algorithms_hpp::sort(s, there.data(), sorted.data(), where.data(), reinterpret_cast<std::byte*>(scratch.data()),
                                          gpu::current().handle);
  auto const values = sorted.to(device::cpu);
  auto const places = where.to_vector();
  auto const [outer, n, inner] = s.lines;
  std::size_t wrong = 0;
  for (std::int64_t line = 0; line < outer * inner; ++line) {
    std::int64_t const o = line / inner, c = line % inner;
    std::vector<std::int64_t> want(static_cast<std::size_t>(n));
    std::iota(want.begin(), want.end(), 0);
    auto const at = [&, count = n, step = inner](std::int64_t k) { return x.data()[(o * count + k) * step + c]; };
    std::sort(want.begin(), want.end(),
              [&](std::int64_t a, std::int64_t b) { return before(at(a), at(b), up) || (!before(at(b), at(a), up) && a < b); });
    for (std::int64_t k = 0; k < top; ++k) {
      std::int64_t const place = want[static_cast<std::size_t>(k)], i = (o * top + k) * inner + c;
      wrong += places[static_cast<std::size_t>(i)] != place;
      T const got = values.data()[i], element = at(place);
      wrong += std::memcmp(&got, &element, sizeof got) != 0;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("long lines of every dtype are sorted", "", float, double, sinter::float16, sinter::bfloat16, std::int8_t, std::uint8_t,
                   std::int16_t, std::int32_t, std::int64_t, bool) {
  for (bool const up : {true, false}) {
    check<TestType>({3, 2, 64}, 2, 5, up);
    check<TestType>({1, 1, 1000}, 2, 1000, up);
    check<TestType>({2, 300, 3}, 1, 300, up);
    check<TestType>({5000, 1, 2}, 0, 70, up);
  }
}
TEST_CASE("many lines, and a long one") {
  CHECK((!is_worth_it(0) && !is_worth_it(63) && is_worth_it(64)));
  CHECK((is_worth_it((std::int64_t{1} << 32) - 1) && !is_worth_it(std::int64_t{1} << 32)));
  check<float>({70, 5, 65}, 2, 1, true, 5);
  check<float>({1, 1, 100000}, 2, 100000, false, 6);
}
TEST_CASE("the operations sort long lines so, short ones by a thread each") {
  nd::tensor<float, sinter::shape<2, 100, 3>> x;
  auto const random = numbers<float>({2, 100, 3}, 7);
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = std::isnan(random.data()[i]) ? 7.0f : random.data()[i];
  auto const y = x.to(device::gpu);
  std::int64_t const launches = device::gpu.launches();
  auto const sorted = sinter::sort(y, axis<1>);
  auto const places = sinter::argsort(y, axis<1>, descending);
  auto const [best, where] = sinter::topk(y, sinter::top<7>, axis<1>);
  CHECK(device::gpu.launches() == launches + 3);
  CHECK(sorted.to(device::cpu).to_vector() == sinter::sort(x, axis<1>).to_vector());
  CHECK(places.to(device::cpu).to_vector() == sinter::argsort(x, axis<1>, descending).to_vector());
  auto const [same_best, same_where] = sinter::topk(x, sinter::top<7>, axis<1>);
  CHECK(best.to(device::cpu).to_vector() == same_best.to_vector());
  CHECK(where.to(device::cpu).to_vector() == same_where.to_vector());
  CHECK(sinter::sort(y).to(device::cpu).to_vector() == sinter::sort(x).to_vector());
  // Long lines along two axes.
  nd::tensor<float, sinter::shape<2, 70, 80>> square;
  auto const more = numbers<float>({2, 70, 80}, 8);
  for (std::int64_t i = 0; i < square.size(); ++i) square.data()[i] = std::isnan(more.data()[i]) ? 7.0f : more.data()[i];
  auto const check_along = [&](auto along) {
    auto const there = square.to(device::gpu);
    auto const [most, at] = sinter::topk(there, sinter::top<5>, along);
    auto const [want, want_at] = sinter::topk(square, sinter::top<5>, along);
    CHECK(most.to(device::cpu).to_vector() == want.to_vector());
    CHECK(at.to(device::cpu).to_vector() == want_at.to_vector());
    CHECK(sinter::argsort(there, along).to(device::cpu).to_vector() == sinter::argsort(square, along).to_vector());
    CHECK(sinter::sort(there, along).to(device::cpu).to_vector() == sinter::sort(square, along).to_vector());
  };
  check_along(axis<1>), check_along(axis<2>);
  CHECK(sinter::sort(cube<float>({0, 3, 100}).to(device::gpu)).shape() == dims{0, 3, 100});
}
