// SPDX-License-Identifier: Apache-2.0
// Slices that are added where they go: the same order of additions as on the processor, so the same bits.
#include <sinter/thrust.hpp>

#include <cmath>

#include "../../catch.hpp"

namespace nd = sinter::nd;
namespace device = sinter::device;
using sinter::into;
using sinter::shape;

namespace {

template <class T, auto... D> nd::tensor<T, shape<D...>> numbers(std::uint64_t seed) {
  nd::tensor<T, shape<D...>> x;
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<T>(200 * sinter::uniform_number(seed, static_cast<std::uint64_t>(i)) - 100);
  return x;
}
// Coordinates from -2 to one beyond `n`.
template <class I, auto... D> nd::tensor<I, shape<D...>> coordinates(std::uint64_t n, std::uint64_t seed) {
  nd::tensor<I, shape<D...>> x;
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<I>(static_cast<std::int64_t>(sinter::number_below(n + 4, seed, static_cast<std::uint64_t>(i))) - 2);
  return x;
}
template <auto... To> void check(auto const& data, auto const& where) {
  auto const want = sinter::scatter_add(data, where, into<To...>);
  auto const there = data.to(device::gpu);
  auto const places = where.to(device::gpu);
  std::int64_t const launches = device::gpu.launches();
  auto const got = sinter::scatter_add(there, places, into<To...>);
  CHECK(device::gpu.launches() == launches + 1);
  CHECK(got.to(device::cpu).to_vector() == want.to_vector());
}

}  // namespace

TEMPLATE_TEST_CASE("slices are added in their order", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  check<50, 3>(numbers<T, 1000, 3>(1), coordinates<std::int64_t, 1, 1000>(50, 2));
  check<7, 5>(numbers<T, 30, 10>(3), coordinates<std::int32_t, 2, 30, 10>(6, 4));
  check<1>(numbers<T, 300>(5), coordinates<std::int64_t, 1, 300>(1, 6));
  check<4, 2>(numbers<T, 63, 2>(7), coordinates<std::int64_t, 1, 63>(4, 8));  // few: by the kernel that the processor has
}
TEST_CASE("all slices for one place, and none for any") {
  nd::tensor<std::int64_t, shape<1, 100>> same, nowhere;
  for (int i = 0; i < 100; ++i) same.data()[i] = 2, nowhere.data()[i] = -1;
  check<3, 4>(numbers<float, 100, 4>(1), same);
  check<3, 4>(numbers<float, 100, 4>(1), nowhere);
  nd::tensor<float, shape<100, 4>> zeros;
  zeros.fill(-0.0f);  // added to a zero: that has no sign
  auto const sums = sinter::scatter_add(zeros.to(device::gpu), same.to(device::gpu), into<3, 4>).to(device::cpu);
  for (float v : sums.to_vector()) CHECK(!std::signbit(v));
}
