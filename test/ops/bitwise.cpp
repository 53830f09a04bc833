// SPDX-License-Identifier: Apache-2.0
// The bits of integers, and shifts by counts of every kind, bit by bit.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

template <class T> constexpr int bits_in = std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T));
// Bit `i` of v; beyond the last one its sign.
template <class T> bool bit(T v, int i) {
  auto const wide = static_cast<std::int64_t>(v);
  return ((i < 63 ? wide >> i : wide >> 63) & 1) != 0;
}
// The number whose bits are f(0), f(1), ...
template <class T, class F> T number_of(F f) {
  if constexpr (std::is_same_v<T, bool>) return f(0);
  else {
    std::uint64_t r = 0;
    for (int i = 0; i < bits_in<T>; ++i) r |= static_cast<std::uint64_t>(f(i)) << i;
    return static_cast<T>(r);
  }
}
// Numbers of all sizes, and the ends of the type; counts from below zero to beyond the last bit.
template <class T, auto... D> nd::tensor<T, shape<D...>> all_sizes(int seed) {
  using limits = std::numeric_limits<T>;
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) {
    auto const n = static_cast<std::uint64_t>(i + seed) * 0x9e3779b97f4a7c15u;
    if constexpr (std::is_same_v<T, bool>) t.data()[i] = n >> 63 != 0;
    else
      t.data()[i] = i % 11 == 3   ? limits::min()
                    : i % 11 == 5 ? limits::max()
                    : i % 11 == 7 ? static_cast<T>(i % 5 - 2)
                                  : static_cast<T>(n >> (i % 7 == 0 ? 32 : 0));
  }
  return t;
}
template <class T, auto... D> nd::tensor<T, shape<D...>> counts(int seed) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) {
    t.data()[i] = static_cast<T>((i * 5 + seed) % (bits_in<T> + 6) - (std::is_signed_v<T> ? 3 : 0));
    if (i % 23 == 9) t.data()[i] = std::numeric_limits<T>::min();
    if (i % 23 == 11) t.data()[i] = std::numeric_limits<T>::max();
  }
  return t;
}
template <class X> auto at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }

// The shift as it is defined: one place after the other, as often as the count says, in a word that is longer than x.
template <class T> T shifted_left(T x, T n) {
  if (n < 0 || n >= bits_in<T>) return 0;
  return number_of<T>([&](int i) { return i >= n && bit(x, i - static_cast<int>(n)); });
}
template <class T> T shifted_right(T x, T n) {
  bool const out = n < 0 || n >= bits_in<T>;
  return number_of<T>([&](int i) { return out ? x < 0 : i + static_cast<int>(n) < bits_in<T> ? bit(x, i + static_cast<int>(n)) : x < 0; });
}

template <bool Everywhere, class A, class B> void check_logic(A const& a, B const& b, dims const& s) {
  using T = typename A::value_type;
  auto const two = [&](place_of const& p, auto f) {
    place_of q;
    for (int k = 0; k < b.shape().rank; ++k) q[k] = b.shape().d[k] == 1 ? 0 : p[s.rank - b.shape().rank + k];
    T const x = at(a, p), y = at(b, q);
    return number_of<T>([&](int i) { return f(bit(x, i), bit(y, i)); });
  };
  expect<ops::bitwise_and>(calling<Everywhere, ops::bitwise_and>{}(a, b), s,
                           [&](place_of const& p) { return two(p, [](bool x, bool y) { return x && y; }); });
  expect<ops::bitwise_or>(calling<Everywhere, ops::bitwise_or>{}(a, b), s,
                          [&](place_of const& p) { return two(p, [](bool x, bool y) { return x || y; }); });
  expect<ops::bitwise_xor>(calling<Everywhere, ops::bitwise_xor>{}(a, b), s,
                           [&](place_of const& p) { return two(p, [](bool x, bool y) { return x != y; }); });
  expect<ops::bitwise_not>(calling<Everywhere, ops::bitwise_not>{}(a), s,
                           [&](place_of const& p) { return number_of<T>([&](int i) { return !bit(at(a, p), i); }); });
}
template <bool Everywhere, class A> void check_shifts(A const& a, A const& n) {
  expect<ops::left_shift>(calling<Everywhere, ops::left_shift>{}(a, n), a.shape(),
                          [&](place_of const& p) { return shifted_left(at(a, p), at(n, p)); });
  expect<ops::right_shift>(calling<Everywhere, ops::right_shift>{}(a, n), a.shape(),
                           [&](place_of const& p) { return shifted_right(at(a, p), at(n, p)); });
}

}  // namespace

TEMPLATE_TEST_CASE("bits of integers and truth values", "", bool, std::int32_t, std::int64_t) {
  using T = TestType;
  check_logic<true>(all_sizes<T, 5, 29>(1), all_sizes<T, 5, 29>(2), {5, 29});
  check_logic<false>(all_sizes<T, 2, 3, 4>(3), all_sizes<T, 3, 1>(4), {2, 3, 4});
  check_logic<false>(transpose(all_sizes<T, 7, 4>(5)), all_sizes<T, 7>(6), {4, 7});
  check_logic<false>(all_sizes<T, 0, 3>(7), all_sizes<T, 1>(8), {0, 3});
}
TEMPLATE_TEST_CASE("shifted integers", "", std::int32_t, std::int64_t) {
  using T = TestType;
  check_shifts<true>(all_sizes<T, 11, 23>(1), counts<T, 11, 23>(1));
  check_shifts<false>(all_sizes<T, 3, 1, 5>(2), counts<T, 3, 1, 5>(3));
  check_shifts<false>(all_sizes<T, 0>(3), counts<T, 0>(5));
}
TEMPLATE_TEST_CASE("bits of narrow integers", "", std::int8_t, std::uint8_t, std::int16_t) {
  using T = TestType;
  check_logic<false>(all_sizes<T, 37>(1), all_sizes<T, 37>(2), {37});
  check_shifts<false>(all_sizes<T, 97>(1), counts<T, 97>(2));
}

TEST_CASE("bits of note") {
  nd::tensor<std::int32_t, shape<4>> const x{1, -1, -8, 2147483647};
  CHECK(left_shift(x, 31).to_vector() == std::vector<std::int32_t>{INT32_MIN, INT32_MIN, 0, INT32_MIN});
  CHECK(left_shift(x, 32).to_vector() == std::vector<std::int32_t>{0, 0, 0, 0});
  CHECK(right_shift(x, 32).to_vector() == std::vector<std::int32_t>{0, -1, -1, 0});
  CHECK(right_shift(x, -1).to_vector() == std::vector<std::int32_t>{0, -1, -1, 0});
  CHECK(right_shift(x, 2).to_vector() == std::vector<std::int32_t>{0, -1, -2, 536870911});
  CHECK(bitwise_not(bitwise_xor(x, 5)).to_vector() == std::vector<std::int32_t>{-5, 5, 2, -2147483643});
  static_assert(ops::left_shift::eval(-3, 4) == -48 && ops::right_shift::eval(-3, 40) == -1 && !ops::bitwise_not::eval(true));
}

}  // namespace test
