// SPDX-License-Identifier: Apache-2.0
// Subnormal numbers, as operands and as results, are numbers like others: eagerly, compiled and by the reference kernels, on every instruction
// set. Nothing here changes the mode of the processor that flushes them to zero.
#include <sinter/compile/hybridized.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>

#include "../bits.hpp"
#include "../catch.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace sinter;

namespace {

template <class T> constexpr T unit = std::numeric_limits<T>::denorm_min();
// Multiples of the smallest number, whose sums are exact, so that their order does not matter. A zero is among them.
constexpr std::int64_t multiple(extent i, int seed) { return (i * 7 + i / 5 + seed * 3) % 23 * 1009 - 11 * 1009; }
template <class T, auto... D> nd::tensor<T, shape<D...>> subnormal(int seed, T step = unit<T>) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(multiple(i, seed)) * step;
  return t;
}
// From `from` downwards, none with a short fraction.
template <class T, auto... D> nd::tensor<T, shape<D...>> falling(T from, T by) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = from - by * static_cast<T>(i);
  return t;
}

// How many floats lie between two of one sign.
template <class T> std::int64_t apart(T a, T b) {
  using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  return std::abs(static_cast<std::int64_t>(std::bit_cast<bits>(a)) - std::bit_cast<bits>(b));
}
// `ulps`: what an operation that is not exact may be away from the reference.
template <class T, class S> void same(nd::tensor<T, S> const& a, nd::tensor<T, S> const& b, char const* how, std::int64_t ulps = 0) {
  REQUIRE(a.size() == b.size());
  auto const x = a.contiguous(), y = b.contiguous();
  for (extent i = 0; i < x.size(); ++i) {
    if (test::same_bits(x.data()[i], y.data()[i])) continue;
    if constexpr (std::is_floating_point_v<T>)
      if (math::signbit(x.data()[i]) == math::signbit(y.data()[i]) && apart(x.data()[i], y.data()[i]) <= ulps) continue;
    FAIL_CHECK("element " << i << " is " << +x.data()[i] << " eagerly and " << +y.data()[i] << ' ' << how);
    return;
  }
}
// The results of `f`, in all three forms; it gives a tuple.
template <class F, class... X> auto check(char const* what, std::int64_t ulps, F f, X const&... x) {
  INFO(what);
  nn::hybrid_lambda<F> const net{f};
  auto const eager = net(x...);
  auto const compiled = net.hybridize()(x...);
  auto const reference = net.template hybridize<reference::backend>()(x...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&] {
          INFO("result " << I);
          same(std::get<I>(eager), std::get<I>(compiled), "compiled");
          same(std::get<I>(eager), std::get<I>(reference), "in the reference", ulps);
        }(),
        ...);
  }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(eager)>>>{});
  return eager;
}
template <class T, class S> void are(nd::tensor<T, S> const& t, T step, auto expected) {
  for (extent i = 0; i < t.size(); ++i) {
    auto const want = static_cast<T>(expected(i)) * step;
    if (t[i] != want) FAIL_CHECK("element " << i << " is " << t[i] << ", not " << want);
  }
}

struct arithmetic {
  constexpr auto operator()(auto F, auto x, auto y, auto z) const {
    auto const half = x * 0.5, third = x / 3;
    return std::tuple{-x,
                      F.abs(x) + y,
                      x - y,
                      half + third,
                      x * z + y,
                      F.maximum(x, y) * z - F.minimum(x, y),
                      x / (F.abs(y) + F.abs(z) * x),
                      1 / x,
                      F.relu(x) + F.clip(y, 0, 1),
                      F.where(x > 0, F.square(x * 1e19) * 1e-19, y),
                      x == 0,
                      x > y};
  }
};
struct roots {
  constexpr auto operator()(auto F, auto x) const {
    return std::tuple{F.sqrt(F.abs(x)), F.rsqrt(F.abs(x) + x * x), F.square(F.sqrt(F.abs(x)))};
  }
};
struct functions_near_zero {
  constexpr auto operator()(auto F, auto x) const {
    return std::tuple{F.exp(x), F.log(F.abs(x)), F.log1p(x), F.tanh(x), F.erf(x), F.sigmoid(x), F.softrelu(x), F.power(F.abs(x), 0.3)};
  }
};
struct gelus {
  constexpr auto operator()(auto F, auto x) const { return std::tuple{F.gelu(x), F.gelu_tanh(x)}; }
};
struct functions_far_down {
  constexpr auto operator()(auto F, auto v) const { return std::tuple{F.exp(v), F.sigmoid(v), F.softrelu(v), F.exp(v) * 0.7 + F.exp(v)}; }
};
struct reductions {
  constexpr auto operator()(auto F, auto x) const {
    return std::tuple{F.sum(x),
                      F.sum(x, axis<0>),
                      F.sum(x, axis<1>),
                      F.max(x, axis<1>),
                      F.max(x, axis<0>),
                      F.mean(x, axis<1>),
                      F.argmax(x, axis<1>),
                      F.sum(x + x, axis<1>),
                      F.sum(F.transpose(x), axis<1>),
                      F.sort(x)};
  }
};
struct rows {
  constexpr auto operator()(auto F, auto x, auto gamma, auto beta) const {
    return std::tuple{F.softmax(x), F.layer_norm(x, gamma, beta), F.layer_norm(x * 0.7, gamma * 1.3, beta * 0.9)};
  }
};
struct rows_far_down {
  constexpr auto operator()(auto F, auto v) const { return std::tuple{F.softmax(v), F.softmax(v, axis<0>)}; }
};
struct products {
  constexpr auto operator()(auto F, auto x, auto w, auto b) const {
    auto const one = F.slice(x, end<1>);
    return std::tuple{F.matmul(x, w), F.matmul(one, w), F.matmul(x, w) + b, F.matmul(w, x, transpose_a, transpose_b),
                      F.fully_connected(x, F.transpose(w), b)};
  }
};
struct images {
  constexpr auto operator()(auto F, auto x, auto w) const { return std::tuple{F.convolution(x, w, pad<1, 1>)}; }
};
struct conversions {
  constexpr auto operator()(auto F, auto x) const {
    auto const d = F.cast(x, as<double>) * 1.5;
    return std::tuple{F.cast(x, as<double>), F.cast(d, as<float>), F.cast(x, as<bool>), F.cast(d * 0x1p-24, as<float>)};
  }
};

}  // namespace

TEST_CASE("elementwise operations of subnormal numbers") {
  using T = float;
  auto const x = subnormal<T, 5, 37>(0), y = subnormal<T, 5, 37>(1);
  auto const z = falling<T, 5, 37>(T(1.23456789), T(0.0212343));
  auto const r = check("arithmetic", 0, arithmetic{}, x, y, z);
  are(std::get<0>(r), unit<T>, [](extent i) { return -multiple(i, 0); });
  are(std::get<2>(r), unit<T>, [](extent i) { return multiple(i, 0) - multiple(i, 1); });
  check("roots", 0, roots{}, x);
  auto const f = check("functions", 2, functions_near_zero{}, x);
  same(std::get<3>(f), x, "by tanh");
  same(std::get<2>(f), x, "by log1p");
  check("gelu", 1, gelus{}, x);
  for (extent i = 0; i < x.size(); ++i) {
    auto const v = static_cast<double>(x[i]);
    if (std::abs(static_cast<double>(std::get<4>(f)[i]) - std::erf(v)) > 2. * static_cast<double>(unit<T>)) FAIL_CHECK("erf of " << v);
  }
}

TEMPLATE_TEST_CASE("functions whose results are subnormal", "", float, double) {
  using T = TestType;
  T const from = sizeof(T) == 4 ? T(-86.9) : T(-707.8);
  auto const v = falling<T, 3, 41>(from, T(0.1371));
  auto const f = check("functions", 3, functions_far_down{}, v);
  int below = 0;
  for (extent i = 0; i < v.size(); ++i) {
    T const got = std::get<0>(f)[i], want = std::exp(v[i]);
    below += want > 0 && want < std::numeric_limits<T>::min() ? 1 : 0;
    if (apart(got, want) > 2) FAIL_CHECK("exp of " << v[i] << " is " << got << ", not " << want);
  }
  CHECK(below > 80);
}

TEST_CASE("rows of subnormal numbers") {
  using T = float;
  auto const x = subnormal<T, 5, 37>(2);
  auto const r = check("reductions", 0, reductions{}, x);
  std::int64_t all = 0;
  for (extent i = 0; i < x.size(); ++i) all += multiple(i, 2);
  CHECK(std::get<0>(r).item() == static_cast<T>(all) * unit<T>);
  are(std::get<2>(r), unit<T>, [](extent i) {
    std::int64_t s = 0;
    for (extent k = 0; k < 37; ++k) s += multiple(i * 37 + k, 2);
    return s;
  });
  nd::tensor<T, shape<37>> gamma, beta;
  gamma.fill(T(0.37));
  check("softmax and layer_norm", 2, rows{}, x, gamma, beta);
  auto const v = falling<T, 3, 41>(2, 2.731f);
  auto const s = check("softmax far down", 3, rows_far_down{}, v);
  int below = 0;
  for (T const e : std::get<0>(s)) below += e > 0 && e < std::numeric_limits<T>::min() ? 1 : 0;
  CHECK(below > 3);
}

TEST_CASE("products of subnormal numbers") {
  using T = float;
  auto const b = subnormal<T, 19>(3);
  auto const sum_at = [](extent i) {
    std::int64_t s = 0;
    for (extent k = 0; k < 53; ++k) s += multiple(i / 19 * 53 + k, 0) * (multiple(k * 19 + i % 19, 1) / 1009);
    return s;
  };
  nd::tensor<T, shape<53, 19>> w;
  for (extent i = 0; i < w.size(); ++i) w.data()[i] = static_cast<T>(multiple(i, 1) / 1009);
  {
    auto const x = subnormal<T, 5, 53>(0);  // subnormal operands
    are(std::get<0>(check("products", 0, products{}, x, w, b)), unit<T>, sum_at);
    check("convolution", 0, images{}, subnormal<T, 1, 3, 9, 11>(0), subnormal<T, 4, 3, 3, 3>(1, T(1)) / 1009);
  }
  {  // normal ones, whose products are subnormal
    auto const x = subnormal<T, 5, 53>(0, 0x1p-75f);
    are(std::get<0>(check("small products", 0, products{}, x, w * 0x1p-74f, b)), unit<T>, sum_at);
  }
}

TEST_CASE("conversions of subnormal numbers") {
  auto const x = subnormal<float, 5, 37>(0);
  auto const r = check("conversions", 0, conversions{}, x);
  are(std::get<0>(r), static_cast<double>(unit<float>), [](extent i) { return multiple(i, 0); });
}

TEST_CASE("helper threads and the caller keep subnormal numbers") {
  nd::tensor<float, shape<512, 1024>> const x = nd::tensor<float, shape<512, 1024>>{};
  x.fill(unit<float> * 3);
  auto const fast = hybridize([](auto F, auto v) { return std::tuple{v + v, F.sum(v, axis<1>)}; });
  auto const [twice, sums] = fast(x);
  std::int64_t wrong = 0;
  for (extent i = 0; i < twice.size(); ++i) wrong += twice.data()[i] == unit<float> * 6 ? 0 : 1;
  for (float const s : sums) wrong += s == unit<float> * 3072 ? 0 : 1;
  CHECK(wrong == 0);
#if defined(__x86_64__)
  CHECK((_mm_getcsr() & 0x8040u) == 0);
#endif
}
