// SPDX-License-Identifier: Apache-2.0
// Random numbers from a counter: for one seed the same on every compiler and with any number of threads.
#pragma once
#include <atomic>
#include <cstdint>

#include "math.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// Numbers from a counter (splitmix64, Steele et al., OOPSLA 2014): number i of a key, on every compiler and in any order.
SINTER_HD constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t i) {
  std::uint64_t z = key + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
// The high 64 bits of a product.
SINTER_HD constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const low = 0xffffffffu, a1 = a >> 32, a0 = a & low, b1 = b >> 32, b0 = b & low;
  std::uint64_t const middle = a1 * b0 + (a0 * b0 >> 32);
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & low)) >> 32);
}
// From 0 on and below n, each as likely as the others up to n / 2^64 (Lemire, ACM TOMACS 2019).
SINTER_HD constexpr std::uint64_t number_below(std::uint64_t n, std::uint64_t key, std::uint64_t i) {
  return high_product(random_bits(key, i), n);
}
// In [0, 1), 53 bits.
SINTER_HD constexpr double uniform_number(std::uint64_t key, std::uint64_t i) {
  return static_cast<double>(random_bits(key, i) >> 11) * 0x1p-53;
}
// Mean 0 and deviation 1 (Box and Muller).
SINTER_HD constexpr double normal_number(std::uint64_t key, std::uint64_t i) {
  double const u = 1 - uniform_number(key, 2 * i), v = uniform_number(key, 2 * i + 1);
  return math::sqrt(-2 * math::log(u)) * math::cos_of_near_angle(6.283185307179586477 * v);
}

}  // namespace SINTER_ISA

namespace random {
namespace detail {
inline std::atomic<std::uint64_t> seed{0}, drawn{0};
}
inline namespace SINTER_ISA {
// Restarts the program's one sequence of keys. Each dropout of a training pass takes a key from it, in the order of the network.
inline void seed(std::uint64_t s) {
  detail::seed.store(s, std::memory_order_relaxed);
  detail::drawn.store(0, std::memory_order_relaxed);
}
// The next key. No two threads get the same one; which thread gets which depends on timing.
inline std::int64_t next_key() {
  std::uint64_t const i = detail::drawn.fetch_add(1, std::memory_order_relaxed);
  return static_cast<std::int64_t>(random_bits(detail::seed.load(std::memory_order_relaxed), i));
}
}  // namespace SINTER_ISA
}  // namespace random
}  // namespace sinter
