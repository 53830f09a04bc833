// SPDX-License-Identifier: Apache-2.0
// Special values through every elementwise operation: numbers, vectors, parts of vectors and several vectors in step agree on NaN, infinities,
// the sign of zero and the edges of integers, and, where an operation is exact, on every bit.
#include <sinter/backend/xsimd/kernels/common.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

#include "../../bits.hpp"
#include "../../catch.hpp"
#include "../../sanitized.hpp"

namespace ops = sinter::ops;
namespace simd = sinter::simd;

namespace {

constexpr auto count = static_cast<std::size_t>(simd::lanes);

using unary_trigonometric_ops = ops::list_of<ops::sin, ops::cos, ops::tan, ops::arcsin, ops::arccos, ops::arctan, ops::sinh, ops::cosh,
                                             ops::arcsinh, ops::arccosh, ops::arctanh, ops::log2, ops::log10, ops::cbrt>;

template <class T> std::vector<T> const& notable() {
  static std::vector<T> const values = [] {
    std::vector<T> v;
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, bool>) return std::vector<T>{false, true};
    else if constexpr (std::is_integral_v<T>)
      return std::vector<T>{0, 1, -1, 2, -7, 13, limits::min(), limits::max(), limits::min() + 1, limits::max() - 1};
    else {
      for (T const x : {T(0),
                        limits::infinity(),
                        limits::quiet_NaN(),
                        limits::denorm_min(),
                        limits::min() / 2,
                        limits::min(),
                        limits::max(),
                        limits::max() / 2,
                        T(1),
                        1 + limits::epsilon(),
                        1 - limits::epsilon() / 2,
                        T(0.5),
                        T(2),
                        T(3),
                        T(7.25),
                        T(1e-20),
                        1 / limits::epsilon(),
                        2 / limits::epsilon() + 2,
                        T(5.6),
                        T(10),
                        T(20),
                        T(40),
                        T(88.7),
                        T(104),
                        T(709.7),
                        T(746)}) {
        v.push_back(x);
        v.push_back(-x);
      }
      return v;
    }
  }();
  return values;
}

template <class T> std::int64_t in_order(T x) {
  using bits = simd::integer_of<T>;
  auto const b = std::bit_cast<bits>(x);
  return b < 0 ? std::numeric_limits<bits>::min() - b : b;
}
// Of an operation that is not exact the last bits may differ: 3 units in the last place, for GELU roundings of its operand.
template <class Op, class T> bool agree(T got, T want, [[maybe_unused]] T x) {
  if constexpr (std::is_floating_point_v<T>) {
    if (test::same_bits(got, want)) return true;
    if (got != got || want != want || Op::exact || sinter::math::signbit(got) != sinter::math::signbit(want)) return false;
    if (std::is_same_v<Op, ops::gelu> || std::is_same_v<Op, ops::gelu_tanh>)
      return sinter::math::abs(got - want) <= 4 * std::numeric_limits<T>::epsilon() * sinter::math::abs(x);
    std::int64_t const away = in_order(got) - in_order(want);
    return away >= -3 && away <= 3;
  } else return got == want;
}

template <class T> auto put(simd::vec<T> const& v) {
  std::array<T, count> r{};
  simd::store(r.data(), v);
  return r;
}

// All of `x` through Op, whole vectors, a part of one, and four in step; said once where something differs.
template <class Op, class T, class F, class... U> void check(std::vector<F> const& first, U const&... more) {
  std::ostringstream wrong;
  wrong.precision(17);
  auto const compare = [&](auto const& got, std::size_t at, char const* how) {
    if (wrong.tellp() > 400) return;
    for (std::size_t i = 0; i < count && at + i < first.size(); ++i) {
      auto const want = Op::eval(first[at + i], more[at + i]...);
      if (agree<Op>(got[i], want, static_cast<decltype(want)>(first[at + i]))) continue;
      wrong << ops::op_name<Op> << '(' << +first[at + i];
      ((wrong << ", " << +more[at + i]), ...);
      wrong << "): " << +got[i] << " in " << how << ", " << +want << " of numbers\n";
    }
  };
  auto const whole = [](auto const& v, std::size_t at) {
    using E = typename std::remove_cvref_t<decltype(v)>::value_type;
    std::array<E, count> r{};
    for (std::size_t i = 0; i < count; ++i) r[i] = v[(at + i) % v.size()];
    return r;
  };
  for (std::size_t at = 0; at < first.size(); at += count) {
    compare(put(simd::kernels::apply<Op, T>(simd::load(whole(first, at).data()), simd::load(whole(more, at).data())...)), at, "a vector");
    int const some = 1 + static_cast<int>(at / count % (count - 1));
    auto const part = [&](auto const& v) { return simd::load_partial(whole(v, at).data(), some); };
    auto got = put(simd::kernels::apply<Op, T>(part(first), part(more)...));
    auto const full = put(simd::kernels::apply<Op, T>(simd::load(whole(first, at).data()), simd::load(whole(more, at).data())...));
    for (auto i = static_cast<std::size_t>(some); i < count; ++i) got[i] = full[i];
    compare(got, at, "a part");
    if constexpr (sizeof...(more) == 0 && simd::kernels::is_chain<Op, T>) {
      auto const v = [&](std::size_t k) { return simd::load(whole(first, at + k * count).data()); };
      auto const r = simd::kernels::apply<Op, T>(simd::four<T>{{v(0), v(1)}, {v(2), v(3)}});
      compare(put(r.a.a), at, "four vectors");
      compare(put(r.b.b), at + 3 * count, "four vectors");
    }
  }
  UNSCOPED_INFO(wrong.str());
  CHECK(wrong.str().empty());
}

template <class Op, class T> void check_all() {
  if constexpr (Op::template takes<T>) {
    auto const& v = notable<T>();
    if constexpr (Op::arity == 1) check<Op, T>(v);
    else if constexpr (Op::condition) {
      for (bool const c : {false, true})
        for (T const b : v) check<Op, T>(std::vector<bool>(v.size(), c), v, std::vector<T>(v.size(), b));
    } else {
      for (std::size_t i = 0; i < v.size(); ++i) {
        std::vector<T> const b(v.size(), v[i]);
        if constexpr (Op::arity == 2) check<Op, T>(v, b);
        else check<Op, T>(v, b, std::vector<T>(v.size(), v[(i * 7 + 1) % v.size()]));
      }
    }
  }
}
template <class T, class... Op> void check_list(ops::list_of<Op...>) {
  (
      [] {
        if constexpr (!std::is_same_v<Op, ops::cast>) check_all<Op, T>();
      }(),
      ...);
}

}  // namespace

TEMPLATE_TEST_CASE("simd: special values are those of numbers", "", float, double, std::int32_t, std::int64_t, bool) {
  check_list<TestType>(ops::arithmetic_ops{});
  check_list<TestType>(ops::bitwise_ops{});
  check_list<TestType>(ops::rounding_ops{});
  check_list<TestType>(ops::transcendental_ops{});
  check_list<TestType>(ops::trigonometric_ops{});
}

namespace {
// What passes merge in either order has the same bits in either order; which of two NaNs it is, nobody asks.
template <class T, class... Op> void check_order(ops::list_of<Op...>) {
  auto const one = []<class O>(O) {
    if constexpr (O::arity == 2 && O::template takes<T>)
      if constexpr (O::commutative)
        for (T const a : notable<T>())
          for (T const b : notable<T>())
            if (auto const x = O::eval(a, b); !agree<ops::identity>(x, O::eval(b, a), x))
              FAIL_CHECK(ops::op_name<O> << '(' << +a << ", " << +b << ')');
  };
  (one(Op{}), ...);
}
template <class... Op> void check_dense(ops::list_of<Op...>) {
  std::vector<float> all;
  for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; i += SINTER_SANITIZED ? 262144 : 4096)
    all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i)));
  (check<Op, float>(all), ...);
}
}  // namespace

namespace {
// What every type can hold is the same in all; and the ends of what a conversion allows.
template <class From, class To> std::vector<From> convertible() {
  std::vector<From> v = notable<From>();
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    From const end = -static_cast<From>(std::numeric_limits<To>::min());  // a power of two: the first number that is too large
    std::erase_if(v, [&](From x) { return !(x >= -end && x < end); });
    From const last = end * (1 - std::numeric_limits<From>::epsilon() / 2);
    for (From const x : {-end, last, -last, last / 2, From(0.999), From(-0.999), From(-1.5), From(2.5)}) v.push_back(x);
    if constexpr (sizeof(From) > sizeof(To)) v.insert(v.end(), {end - From(0.001), -end - From(0.999)});
  } else if constexpr (std::is_integral_v<From> && !std::is_same_v<From, bool>) {
    for (int bits : {23, 24, 25, 30, 52, 53, 54, 61})
      if (bits < static_cast<int>(8 * sizeof(From)) - 1)
        for (int more = -2; more <= 3; ++more)
          v.insert(v.end(), {static_cast<From>((From(1) << bits) + more), static_cast<From>(-(From(1) << bits) - more)});
  } else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>) {  // halfway cases, overflow, subnormal results
    for (double const x :
         {1 + 0x1p-24, 1 + 0x3p-24, 1 + 0x1p-24 + 0x1p-52, 0x1.ffffffp+3, 0x1p-149, 0x1p-150, 0x1.8p-149, 0x1.fffffep+127, 0x1.fffffdp-127})
      v.insert(v.end(), {x, -x});
  }
  return v;
}
template <class From, class To> void check_cast() {
  auto const all = convertible<From, To>();
  for (std::size_t at = 0; at < all.size(); at += count) {
    std::array<From, count> x{};
    for (std::size_t i = 0; i < count; ++i) x[i] = all[(at + i) % all.size()];
    auto const got = put(simd::cast<To>(simd::load(x.data())));
    for (std::size_t i = 0; i < count; ++i) {
      To const want = sinter::element::lanes<From>::template cast<To>(x[i]);
      if (!test::same_bits(got[i], want)) FAIL_CHECK(+x[i] << " is " << +got[i] << " in a vector, " << +want << " as a number");
    }
  }
}
template <class From, class... To> void check_casts() { (check_cast<From, To>(), ...); }
}  // namespace

TEMPLATE_TEST_CASE("simd: conversions of the ends of every type are those of numbers", "", float, double, std::int32_t, std::int64_t,
                   bool) {
  check_casts<TestType, float, double, std::int32_t, std::int64_t, bool>();
}

TEMPLATE_TEST_CASE("powers of special values are those of C", "", float, double) {
  for (TestType const x : notable<TestType>())
    for (TestType const y : notable<TestType>())
      if (!agree<ops::power>(sinter::math::pow(x, y), std::pow(x, y), x))
        FAIL_CHECK(x << " to the power " << y << " is " << sinter::math::pow(x, y) << ", not " << std::pow(x, y));
}

TEMPLATE_TEST_CASE("commutative operations have the same bits in either order", "", float, double, std::int32_t, std::int64_t, bool) {
  check_order<TestType>(ops::arithmetic_ops{});
}

#if defined(__x86_64__)
namespace {
// As -ffast-math of another file of the program leaves it at its start.
struct flushing {
  unsigned before = _mm_getcsr();
  flushing() { _mm_setcsr(before | 0x8040u); }
  flushing(flushing const&) = delete;
  ~flushing() { _mm_setcsr(before); }
};
template <class T> bool is_subnormal(T x) { return x != 0 && sinter::math::abs(x) < std::numeric_limits<T>::min(); }
template <class Op, class T> void check_flushed(std::vector<T> const& all) {
  std::size_t wrong = 0;
  T first = 0;
  for (std::size_t at = 0; at + count <= all.size(); at += count) {
    auto const want = put(simd::kernels::apply<Op, T>(simd::load(&all[at])));
    std::array<T, count> got{};
    {
      flushing const mode;
      got = put(simd::kernels::apply<Op, T>(simd::load(&all[at])));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (is_subnormal(all[at + i]) || agree<ops::identity>(got[i], want[i], want[i])) continue;
      if (sinter::math::abs(got[i] - want[i]) <= 16 * std::numeric_limits<T>::min()) continue;
      if (wrong++ == 0) first = all[at + i];
    }
  }
  INFO(ops::op_name<Op> << " at " << first);
  CHECK(wrong == 0);
}
template <class T, class... Op> void check_all_flushed(ops::list_of<Op...>) {
  std::vector<T> all = notable<T>();
  if constexpr (sizeof(T) == 4)
    for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; i += SINTER_SANITIZED ? 262144 : 4096)
      all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i)));
  else
    for (double x = -800; x < 800; x += SINTER_SANITIZED ? 0.219 : 0.0137) all.push_back(x);
  (check_flushed<Op, T>(all), ...);
}
}  // namespace

TEMPLATE_TEST_CASE("simd: a mode that flushes subnormal numbers changes next to nothing", "", float, double) {
  check_all_flushed<TestType>(ops::transcendental_ops{});
  check_all_flushed<TestType>(unary_trigonometric_ops{});
}
#endif

TEST_CASE("simd: functions of one float agree with numbers everywhere") {
  check_dense(ops::transcendental_ops{});
  check_dense(unary_trigonometric_ops{});
  check_dense(ops::list_of<ops::abs, ops::negative, ops::square>{});
}
