// SPDX-License-Identifier: Apache-2.0
// Every operation of the shim against one element at a time, on random and special values; one program for each instruction set.
#include <sinter/backend/xsimd/batch.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "../../catch.hpp"

namespace simd = sinter::simd;
using simd::lanes;
using simd::vec;

namespace {

constexpr auto count = static_cast<std::size_t>(lanes);
template <class T>
using row = std::array<T, count>;

std::mt19937_64 bits(17);

// Small numbers, so that equal ones meet, and special values.
template <class T>
row<T> some() {
  row<T> r;
  for (T& x : r) {
    auto const b = bits();
    if constexpr (std::is_same_v<T, bool>) x = (b & 1) != 0;
    else if constexpr (std::is_integral_v<T>) {
      T const special[] = {0, 1, -1, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(1) << 24, (T(1) << 24) + 1};
      x = b % 4 == 0 ? special[(b >> 8) % 7] : b % 4 == 1 ? static_cast<T>(b >> 8) : static_cast<T>((b >> 8) % 9) - T(4);
    } else {
      using limits = std::numeric_limits<T>;
      T const special[] = {T(0),
                           -T(0),
                           limits::infinity(),
                           -limits::infinity(),
                           limits::quiet_NaN(),
                           limits::denorm_min(),
                           limits::max(),
                           T(0.5),
                           T(-2.5),
                           T(8388609),
                           T(-0.25),
                           T(1) / limits::epsilon() - T(0.5)};
      x = b % 4 == 0 ? special[(b >> 8) % 12] : static_cast<T>(static_cast<double>(b >> 11) * 0x1p-50 - 4);
      if (b % 4 == 1) x = std::trunc(x);
    }
  }
  return r;
}

template <class T>
vec<T> in(row<T> const& r) {
  return simd::load(r.data());
}
template <class T>
row<T> out(vec<T> const& v) {
  row<T> r;
  simd::store(r.data(), v);
  return r;
}

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}
template <class T, class F>
void check(vec<T> const& v, F expected) {
  auto const r = out(v);
  for (std::size_t i = 0; i < count; ++i)
    if (!same<T>(r[i], expected(i))) FAIL("lane " << i << ": " << +r[i] << " instead of " << +T(expected(i)));
}

template <class T>
T wrap(std::uint64_t x) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x));
}

constexpr int rounds = 500;

}  // namespace

TEMPLATE_TEST_CASE("simd: memory", "", float, double, std::int32_t, std::int64_t, bool) {
  using T = TestType;
  auto const a = some<T>();
  check(in(a), [&](std::size_t i) { return a[i]; });
  check(simd::splat(a[0]), [&](std::size_t) { return a[0]; });
    // Partial accesses on a heap block of exactly n elements, for the address sanitizer; stores between guards.
  for (int n = 0; n <= lanes; ++n) {
    auto const m = static_cast<std::size_t>(n);
    T* const block = new T[m];
    for (std::size_t i = 0; i < m; ++i) block[i] = a[i];
    auto const v = simd::load_partial(block, n);
    check(v, [&](std::size_t i) { return i < m ? a[i] : T(0); });
    for (std::size_t i = 0; i < m; ++i) block[i] = T(0);
    simd::store_partial(block, in(a), n);
    for (std::size_t i = 0; i < m; ++i) CHECK(same(block[i], a[i]));
    delete[] block;
    row<T> guarded;
    guarded.fill(T(1));
    simd::store_partial(guarded.data(), simd::splat(T(0)), n);
    for (std::size_t i = 0; i < count; ++i) CHECK(guarded[i] == T(i < m ? 0 : 1));
  }
  for (std::int64_t const stride : {1, 3, 0, -2}) {
    T wide[3 * count] = {};
    for (std::size_t i = 0; i < 3 * count; ++i) wide[i] = static_cast<T>(i % 3);
    T* const start = stride < 0 ? wide + 3 * count - 1 : wide;
    check(simd::gather<T>(start, stride), [&](std::size_t i) { return start[static_cast<std::int64_t>(i) * stride]; });
    if (stride == 0) continue;
    simd::scatter(start, stride, in(a));
    for (std::size_t i = 0; i < count; ++i) CHECK(same(start[static_cast<std::int64_t>(i) * stride], a[i]));
  }
  if constexpr (!std::is_same_v<T, bool>) check(simd::iota<T>(), [](std::size_t i) { return static_cast<T>(i); });
}

TEMPLATE_TEST_CASE("simd: arithmetic, comparison, choice", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  for (int round = 0; round < rounds; ++round) {
    auto const a = some<T>(), b = some<T>();
    auto const m = some<bool>();
    auto const x = in(a), y = in(b);
    if constexpr (std::is_integral_v<T>) {
      using U = std::uint64_t;
      check(x + y, [&](std::size_t i) { return wrap<T>(U(a[i]) + U(b[i])); });
      check(x - y, [&](std::size_t i) { return wrap<T>(U(a[i]) - U(b[i])); });
      check(x * y, [&](std::size_t i) { return wrap<T>(U(a[i]) * U(b[i])); });
      check(-x, [&](std::size_t i) { return wrap<T>(U(0) - U(a[i])); });
      check(simd::shift_left<3>(x), [&](std::size_t i) { return wrap<T>(U(a[i]) << 3); });
      check(simd::shift_right<5>(x), [&](std::size_t i) { return static_cast<T>(a[i] >> 5); });
      auto c = b;
      for (T& e : c) e = e == 0 || e == -1 ? T(3) : e;
      check(x / in(c), [&](std::size_t i) { return static_cast<T>(a[i] / c[i]); });
      check(simd::abs(x), [&](std::size_t i) { return a[i] < 0 ? wrap<T>(U(0) - U(a[i])) : a[i]; });
      std::uint64_t sum = 0;
      for (T const e : a) sum += U(e);
      CHECK(simd::reduce_add(x) == wrap<T>(sum));
      std::uint64_t product = 1;
      for (T const e : a) product *= U(e);
      CHECK(simd::reduce_multiply(x) == wrap<T>(product));
    } else {
      check(x + y, [&](std::size_t i) { return a[i] + b[i]; });
      check(x - y, [&](std::size_t i) { return a[i] - b[i]; });
      check(x * y, [&](std::size_t i) { return a[i] * b[i]; });
      check(x / y, [&](std::size_t i) { return a[i] / b[i]; });
      check(-x, [&](std::size_t i) { return -a[i]; });
      check(simd::abs(x), [&](std::size_t i) { return std::abs(a[i]); });
      check(simd::copysign(x, y), [&](std::size_t i) { return std::copysign(a[i], b[i]); });
      check(simd::sqrt(x), [&](std::size_t i) { return std::sqrt(a[i]); });
      check(simd::floor(x), [&](std::size_t i) { return std::floor(a[i]); });
      check(simd::ceil(x), [&](std::size_t i) { return std::ceil(a[i]); });
      check(simd::trunc(x), [&](std::size_t i) { return std::trunc(a[i]); });
      check(simd::rint(x), [&](std::size_t i) { return std::rint(a[i]); });
      if constexpr (simd::native::fused) check(simd::fma(x, y, in(a)), [&](std::size_t i) { return std::fma(a[i], b[i], a[i]); });
    }
    check(x == y, [&](std::size_t i) { return a[i] == b[i]; });
    check(x != y, [&](std::size_t i) { return a[i] != b[i]; });
    check(x < y, [&](std::size_t i) { return a[i] < b[i]; });
    check(x <= y, [&](std::size_t i) { return a[i] <= b[i]; });
    check(x > y, [&](std::size_t i) { return a[i] > b[i]; });
    check(x >= y, [&](std::size_t i) { return a[i] >= b[i]; });
    check(simd::select(in(m), x, y), [&](std::size_t i) { return m[i] ? a[i] : b[i]; });
    auto const least = [](T p, T q) { return p <= q || p != p ? p : q; };
    auto const most = [](T p, T q) { return p >= q || p != p ? p : q; };
    check(simd::min(x, y), [&](std::size_t i) { return least(a[i], b[i]); });
    check(simd::max(x, y), [&](std::size_t i) { return most(a[i], b[i]); });
    T low = a[0], high = a[0];
    for (T const e : a) low = e == e ? least(low, e) : e, high = e == e ? most(high, e) : e;
    bool const has_nan = [&] {
      for (T const e : a)
        if (e != e) return true;
      return false;
    }();
    CHECK((has_nan ? std::isnan(static_cast<double>(simd::reduce_min(x))) : simd::reduce_min(x) == low));
    CHECK((has_nan ? std::isnan(static_cast<double>(simd::reduce_max(x))) : simd::reduce_max(x) == high));
  }
}

TEMPLATE_TEST_CASE("simd: a stack is reduced as each of its vectors", "", float, double, std::int32_t) {
  using T = TestType;
  std::mt19937 random(11);
  simd::stack_of<T> s;
  T v[static_cast<std::size_t>(simd::lanes)];
  for (auto& x : s.v) {
    for (T& e : v) e = static_cast<T>(static_cast<int>(random() % 2001) - 1000) / T(7);
    x = simd::load(v);
  }
  constexpr auto width = static_cast<std::size_t>(simd::lanes);
  T sums[width], most[width], least[width], products[width];
  simd::store(sums, simd::reduce_add(s));
  simd::store(most, simd::reduce_max(s));
  simd::store(least, simd::reduce_min(s));
  simd::store(products, simd::reduce_multiply(s));
  for (int i = 0; i < simd::lanes; ++i) {
    CHECK(sums[i] == simd::reduce_add(s.v[i]));
    CHECK(most[i] == simd::reduce_max(s.v[i]));
    CHECK(least[i] == simd::reduce_min(s.v[i]));
    CHECK(products[i] == simd::reduce_multiply(s.v[i]));
  }
}

TEST_CASE("simd: the products of a sum are rounded, and only fma fuses") {
    // 1 + 2^-12 squared loses 2^-24; fused, the difference would show it.
  float volatile a = 1 + 0x1p-12f;
  double volatile c = 1 + 0x1p-27;
  auto const x = simd::splat(static_cast<float>(a));
  auto const y = simd::splat(static_cast<double>(c));
  check(x * x - simd::splat(1 + 0x1p-11f), [](std::size_t) { return 0.0f; });
  check(y * y - simd::splat(1 + 0x1p-26), [](std::size_t) { return 0.0; });
  float const fused = simd::native::fused ? 0x1p-24f : 0.0f;
  check(simd::fma(x, x, simd::splat(-1 - 0x1p-11f)), [&](std::size_t) { return fused; });
}

TEMPLATE_TEST_CASE("simd: sums have one order", "", float, double) {
  using T = TestType;
  for (int round = 0; round < rounds; ++round) {
    row<T> a;
    for (T& e : a) e = static_cast<T>(static_cast<double>(bits() >> 11) * 0x1p-53);
    auto tree = a;
    for (std::size_t half = count / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) tree[i] += tree[i + half];
    CHECK(simd::reduce_add(in(a)) == tree[0]);
  }
}

TEST_CASE("simd: masks") {
  for (int round = 0; round < rounds; ++round) {
    auto const a = some<bool>(), b = some<bool>(), c = some<bool>();
    auto const x = in(a), y = in(b);
    check(x & y, [&](std::size_t i) { return a[i] && b[i]; });
    check(x | y, [&](std::size_t i) { return a[i] || b[i]; });
    check(x ^ y, [&](std::size_t i) { return a[i] != b[i]; });
    check(!x, [&](std::size_t i) { return !a[i]; });
    check(x == y, [&](std::size_t i) { return a[i] == b[i]; });
    check(x != y, [&](std::size_t i) { return a[i] != b[i]; });
    check(simd::select(x, y, in(c)), [&](std::size_t i) { return a[i] ? b[i] : c[i]; });
    bool any = false, all = true;
    for (bool const e : a) any = any || e, all = all && e;
    CHECK(simd::any(x) == any);
    CHECK(simd::all(x) == all);
  }
  CHECK(simd::all(simd::splat(true)));
  CHECK_FALSE(simd::any(simd::splat(false)));
}

namespace {

template <class To, class From>
void casts() {
  for (int round = 0; round < rounds; ++round) {
    auto a = some<From>();
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
            // Out of range is undefined.
      auto const limit = static_cast<From>(sizeof(To) == 4 ? 2147480000.0 : 9.2e18);
      for (From& e : a) {
        e *= static_cast<From>(bits() % 3 == 0 ? 1e8 : 1);
        if (!(std::abs(e) < limit)) e = From(7.9);
      }
    }
    check(simd::cast<To>(in(a)), [&](std::size_t i) { return static_cast<To>(a[i]); });
  }
}

}  // namespace

TEMPLATE_TEST_CASE("simd: casts", "", float, double, std::int32_t, std::int64_t, bool) {
  casts<float, TestType>();
  casts<double, TestType>();
  casts<std::int32_t, TestType>();
  casts<std::int64_t, TestType>();
  casts<bool, TestType>();
}

// All numbers of 16 bits, and floats that lie on, and beside, the middle between two of them.
template <class T>
void check_stored(std::uint32_t& wrong) {
  for (std::uint32_t b = 0; b < 0x10000; b += count) {
    row<T> from;
    for (std::size_t i = 0; i < count; ++i) from[i].bits = static_cast<std::uint16_t>(b + i);
    row<float> const wide = out(simd::cast<float>(in(from)));
    for (std::size_t i = 0; i < count; ++i) {
      float const want = from[i];
      wrong += want == want ? std::memcmp(&wide[i], &want, sizeof want) != 0 : wide[i] == wide[i];
    }
    for (std::uint32_t beside : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u}) {
      row<float> f;
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t const bits_of_f = (std::bit_cast<std::uint32_t>(wide[i]) | (beside & 0xffffu)) + (beside == 0x7fffu ? 0x2000u : 0u);
        f[i] = std::bit_cast<float>(bits_of_f);
      }
      row<T> const got = out(simd::cast<T>(in(f)));
      row<double> d;
      for (std::size_t i = 0; i < count; ++i) d[i] = f[i];
      row<T> const of_double = out(simd::cast<T>(in(d)));
      for (std::size_t i = 0; i < count; ++i) {
        T const want = f[i];
        wrong += f[i] == f[i] ? got[i].bits != want.bits || of_double[i].bits != want.bits : float(got[i]) == float(got[i]);
      }
    }
  }
}
TEST_CASE("floats of 16 bits are cast as one by one") {
  std::uint32_t wrong = 0;
  check_stored<sinter::float16>(wrong);
  CHECK(wrong == 0);
  check_stored<sinter::bfloat16>(wrong);
  CHECK(wrong == 0);
}
TEMPLATE_TEST_CASE("integers of 8 and 16 bits are cast as one by one", "", std::int8_t, std::int16_t, std::uint8_t) {
  using T = TestType;
  for (int turn = 0; turn < 200; ++turn) {
    row<std::int32_t> const x = some<std::int32_t>();
    row<T> const stored = out(simd::cast<T>(in(x)));
    row<std::int32_t> const back = out(simd::cast<std::int32_t>(in(stored)));
    for (std::size_t i = 0; i < count; ++i) CHECK((stored[i] == static_cast<T>(x[i]) && back[i] == stored[i]));
    row<T> part{};
    int const n = static_cast<int>(bits() % (count + 1));
    simd::store_partial(part.data(), in(stored), n);
    row<T> const read = out(simd::load_partial(stored.data(), n));
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(part[i] == (static_cast<int>(i) < n ? stored[i] : T(0)));
      CHECK(read[i] == part[i]);
    }
  }
}
