// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 and 16 bits: an operation on them is the operation on float32 or int32, cast once at its end; eagerly, compiled and on a
// device alike. What the casts themselves do, core/float16.cpp and backend/xsimd/batch.cpp say.
#include <sinter/sinter.hpp>
#if defined(SINTER_THRUST_ONLY)
#include <sinter/thrust.hpp>
#endif

#include <cstring>
#include <tuple>

#include "../catch.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

template <class T> using wide = type_of<computed_in(dtype_of<T>)>;
// As many numbers as a type of 8 bits has, and more; of floats halves of odd numbers, some infinite, NaN and subnormal ones.
template <class T, auto... D> nd::tensor<T, shape<D...>> numbers(int seed = 0) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) {
    extent const n = (i * 97 + seed * 31) % 257 - 128;
    t.data()[i] = is_floating(dtype_of<T>) ? T(static_cast<double>(n) / 16 + 0.03125) : T(n);
  }
  if constexpr (is_float16<T>)
    if (t.size() > 100) t.data()[3] = T(INFINITY), t.data()[40] = T(NAN), t.data()[77] = T(1e-7), t.data()[90] = T(-0.0);
  return t;
}
template <class T, class S> bool same(nd::tensor<T, S> const& a, nd::tensor<T, S> const& b) {
  nd::tensor<T, S> const x = a.contiguous(), y = b.contiguous();
  if (!(x.shape() == y.shape())) return false;
  for (extent i = 0; i < x.size(); ++i) {
    if constexpr (is_floating(dtype_of<T>)) {
      auto const u = static_cast<double>(x.data()[i]), v = static_cast<double>(y.data()[i]);
      if (u != u && v != v) continue;
    }
    if (std::memcmp(x.data() + i, y.data() + i, sizeof(T)) != 0) return false;
  }
  return true;
}
template <class A, class B> bool same(A const& a, B const& b) {
  static_assert(sizeof(A) == 0, "the results have other types");
  return &a == nullptr || &b == nullptr;
}
template <class... A, class... B> bool same(std::tuple<A...> const& a, std::tuple<B...> const& b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (same(std::get<I>(a), std::get<I>(b)) && ...);
  }(std::index_sequence_for<A...>{});
}
// The numbers of one type in another, one after the other.
template <class To, class T, class S> nd::tensor<To, S> in_type(nd::tensor<T, S> const& x) {
  nd::tensor<To, S> r(x.shape());
  for (extent i = 0; i < x.size(); ++i) r.data()[i] = static_cast<To>(x.contiguous().data()[i]);
  return r;
}
template <class Like, class X> auto narrowed(X const& x) { return in_type<typename Like::value_type>(x); }
template <class... Like, class... X> auto narrowed_tuple(std::tuple<Like...> const&, std::tuple<X...> const& x) {
  return std::apply([](auto const&... k) { return std::tuple{narrowed<Like>(k)...}; }, x);
}
template <class Y, class W> auto narrowed_like(Y const& y, W const& w) {
  if constexpr (requires { std::tuple_size<Y>::value; }) return narrowed_tuple(y, w);
  else return narrowed<Y>(w);
}
template <class T> auto widened(T const& x) {
  if constexpr (is_narrow(dtype_of<typename T::value_type>)) return in_type<wide<typename T::value_type>>(x);
  else return x;
}
template <class Y> auto on_host(Y const& y) {
  if constexpr (requires { std::tuple_size<Y>::value; })
    return std::apply([](auto const&... k) { return std::tuple{k.to(device::cpu)...}; }, y);
  else return y.to(device::cpu);
}
#if defined(SINTER_THRUST_ONLY)
constexpr auto place = device::gpu;
#else
constexpr auto place = device::cpu;
#endif

// `f`: one operation that rounds, and others that do not.
template <class F, class... X> void check(char const* name, F f, X const&... x) {
  INFO(name);
  auto const eager = on_host(f(nd::functions{}, x.to(place)...));
  CHECK(same(eager, narrowed_like(eager, f(nd::functions{}, widened(x)...))));
  auto const compiled = nn::hybrid_lambda{f}.hybridize();
  CHECK(same(eager, on_host(compiled(x.to(place)...))));
}

template <class T> void elementwise() {
  auto const a = numbers<T, 300>(1), b = numbers<T, 300>(2), c = numbers<T, 300>(3);
  check("add", [](auto const&, auto const& x, auto const& y) { return x + y; }, a, b);
  check("subtract", [](auto const&, auto const& x, auto const& y) { return x - y; }, a, b);
  check("multiply", [](auto const&, auto const& x, auto const& y) { return x * y; }, a, b);
  check("maximum", [](auto const&, auto const& x, auto const& y) { return maximum(x, y); }, a, b);
  check("minimum", [](auto const&, auto const& x, auto const& y) { return minimum(x, y); }, a, b);
  check("clip", [](auto const&, auto const& x, auto const& y, auto const& z) { return clip(x, minimum(y, z), maximum(y, z)); }, a, b, c);
  check("negative, abs, square", [](auto const&, auto const& x) { return std::tuple{-x, abs(x), square(x)}; }, a);
  check(
      "comparisons", [](auto const&, auto const& x, auto const& y) { return std::tuple{x == y, x != y, x<y, x <= y, x> y, x >= y}; }, a, b);
  check("where", [](auto const&, auto const& x, auto const& y) { return where(x < y, x, y); }, a, b);
  check(
      "signs, remainders", [](auto const&, auto const& x, auto const& y) { return std::tuple{sign(x), round(x), mod(x, y), isnan(x)}; }, a,
      b);
  check("numbers", [](auto const&, auto const& x) { return std::tuple{x + 3, 2 * x, where(x > 1, x, 0)}; }, a);
  if constexpr (!is_float16<T>)
    check(
        "bits",
        [](auto const&, auto const& x, auto const& y) {
          return std::tuple{bitwise_not(bitwise_xor(x, y)), left_shift(x, y), right_shift(x, y)};
        },
        a, b);
  if constexpr (is_float16<T>) {
    check("divide", [](auto const&, auto const& x, auto const& y) { return x / y; }, a, b);
    check("functions", [](auto const&, auto const& x) { return std::tuple{exp(x), tanh(x), sigmoid(x), relu(x), erf(x), gelu(x)}; }, a);
    check("roots", [](auto const&, auto const& x) { return std::tuple{sqrt(abs(x)), log(abs(x)), power(abs(x), 0.5)}; }, a);
  }
}
template <class T> void rows() {
  auto const x = numbers<T, 6, 9>(1);
  check(
      "max, argmax", [](auto const&, auto const& k) { return std::tuple{sinter::max(k, axis<1>), argmax(k, axis<0>), sinter::max(k)}; }, x);
  check("sort", [](auto const&, auto const& k) { return std::tuple{sort(k, axis<1>), sort(k, axis<0>, descending)}; }, x);
  check("topk", [](auto const&, auto const& k) { return topk(k, top<3>); }, x);
  check("argsort", [](auto const&, auto const& k) { return argsort(k); }, x);
  check("sum", [](auto const&, auto const& k) { return std::tuple{sum(k, axis<1>), sum(k)}; }, x);
  check("matmul", [](auto const&, auto const& k) { return matmul(k, transpose(k)); }, x);
  check(
      "fully_connected", [](auto const&, auto const& k, auto const& w, auto const& v) { return fully_connected(k, w, v); }, x,
      numbers<T, 4, 9>(2), numbers<T, 4>(3));
  check(
      "convolution", [](auto const&, auto const& k, auto const& w) { return convolution(k, w, pad<1, 1>); }, numbers<T, 2, 3, 5, 4>(1),
      numbers<T, 2, 3, 3, 3>(2));
  if constexpr (is_float16<T>) {
    check("softmax", [](auto const&, auto const& k) { return std::tuple{softmax(k), log_softmax(k, axis<0>), mean(k, axis<1>)}; }, x);
    check(
        "layer_norm", [](auto const&, auto const& k, auto const& g, auto const& v) { return layer_norm(k, g, v); }, x, numbers<T, 9>(2),
        numbers<T, 9>(3));
  }
}
// What only moves numbers keeps their bits.
template <class T> void moved() {
  auto const x = numbers<T, 6, 9>(1);
  nd::tensor<std::uint8_t, shape<4>> const at{5, 0, 200, 2};
  check(
      "views",
      [](auto const&, auto const& k) {
        return std::tuple{transpose(k) + 0, slice(k, begin<1, 2>, step<2, -1>) + 0, reshape(k, into<9, -1>) + 0};
      },
      x);
  check("concat", [](auto const&, auto const& k) { return concat(k, k * 2, k); }, x);
  check("split", [](auto const&, auto const& k) { return split(k, parts<3>); }, x);
  check("take", [](auto const&, auto const& k, auto const& i) { return take(k, i); }, x, at);
  nd::tensor<std::uint8_t, shape<2, 3>> const places{5, 0, 200, 2, 8, 8};
  check(
      "gather_nd, scatter_nd", [](auto const&, auto const& k, auto const& i) { return scatter_nd(gather_nd(k, i), i, into<7, 9>); }, x,
      places);
  check("an input returned", [](auto const&, auto const& k) { return std::tuple{k * 1, k}; }, x);
  check(
      "copies of numbers", [](auto const&, auto const& k) { return std::tuple{zeros_like(k), ones_like(k), full_like(k, values<7>)}; }, x);
}
// By its definition: int8 of an integer is what is left modulo 256, a float16 of an integer that of the float32.
template <class To, class T, class S> nd::tensor<To, S> defined_cast(nd::tensor<T, S> const& x) {
  nd::tensor<To, S> r;
  for (extent i = 0; i < x.size(); ++i) {
    auto const v = static_cast<double>(x.data()[i]);
    if constexpr (std::is_same_v<To, bool>) r.data()[i] = v != 0;
    else if constexpr (is_floating(dtype_of<To>)) r.data()[i] = static_cast<To>(v);
    else r.data()[i] = static_cast<To>(static_cast<std::int64_t>(v));
  }
  return r;
}
template <class T, class... To> void check_casts() {
  nd::tensor<T, shape<40>> x = numbers<T, 40>(1);
  for (extent i = 0; i < 40; ++i)
    if (static_cast<double>(x.data()[i]) < 0 && is_floating(dtype_of<T>)) x.data()[i] = T(5);  // -1.5 as uint8 is not defined
  std::tuple const want{defined_cast<To>(x)...};
  auto const f = [](auto const&, auto const& k) { return std::tuple{cast(k, as<To>)...}; };
  CHECK(same(on_host(f(0, x.to(place))), want));
  CHECK(same(on_host(nn::hybrid_lambda{f}.hybridize()(x.to(place))), want));
}

}  // namespace

#if defined(SINTER_THRUST_ONLY)  // a type each: that takes a compiler two minutes otherwise
TEST_CASE("narrow numbers: operations on a device") {
  elementwise<std::uint8_t>();
  rows<bfloat16>();
  moved<float16>();
}
#else
TEMPLATE_TEST_CASE("narrow numbers: elementwise operations", "", float16, std::uint8_t) { elementwise<TestType>(); }
TEMPLATE_TEST_CASE("narrow numbers: rows and products", "", bfloat16, std::int8_t) { rows<TestType>(); }
TEMPLATE_TEST_CASE("narrow numbers: what moves them", "", float16, std::int16_t) { moved<TestType>(); }
#endif
TEST_CASE("narrow numbers: casts") {
  check_casts<float16, float, double, std::int32_t, std::int64_t, bool, bfloat16, std::int8_t, std::int16_t, std::uint8_t>();
  check_casts<bfloat16, float, double, std::int64_t, bool, float16, std::uint8_t>();
  check_casts<std::int8_t, float, double, std::int32_t, std::int64_t, bool, float16, bfloat16, std::int16_t, std::uint8_t>();
  check_casts<std::int16_t, std::int8_t, std::uint8_t, std::int64_t, float16>();
  check_casts<std::uint8_t, std::int8_t, std::int16_t, double, bool, bfloat16>();
  check_casts<double, float16, bfloat16, std::int8_t, std::int16_t, std::uint8_t>();
  check_casts<std::int64_t, float16, bfloat16, std::int8_t, std::int16_t, std::uint8_t>();
}
TEST_CASE("narrow numbers: a double becomes one of 16 bits in one rounding") {
  // Half of a step and a little more, which a float would not keep.
  nd::tensor<double, shape<2>> const x{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-8 + 0x1p-40};
  CHECK(static_cast<float>(cast(x, as<float16>).to_vector()[0]) == 1 + 0x1p-10f);
  CHECK(static_cast<float>(cast(x, as<bfloat16>).to_vector()[1]) == 1 + 0x1p-7f);
}
TEST_CASE("narrow numbers: the largest and the smallest of none") {
  auto const both = [](auto F, auto const& x) { return std::tuple{F.max(x, axis<1>), F.min(x, axis<1>)}; };
  auto const check = [&]<class T, class S>(nd::tensor<T, S> const& x) {
    for (auto const& [most, least] : {both(nd::functions{}, x), nn::hybrid_lambda{both}.hybridize()(x)}) {
      CHECK(+most[1] == +std::numeric_limits<T>::lowest());
      CHECK(+least[1] == +std::numeric_limits<T>::max());
    }
  };
  check(nd::tensor<std::int8_t, shape<2, 0>>{});
  check(nd::tensor<std::int16_t, shape<2, dim<"n">>>({2, 0}));
  check(nd::tensor<std::uint8_t, shape<2, 0>>{});
}
TEST_CASE("narrow numbers: dtypes of results") {
  nd::tensor<std::int8_t, shape<2, 2>> const i{{127, 127}, {-128, 1}};
  nd::tensor<std::uint8_t, shape<2, 2>> const u{{200, 100}, {0, 255}};
  nd::tensor<float16, shape<2, 2>> const h{{1, 2}, {3, 65504}};
  nd::tensor<bfloat16, shape<2, 2>> const b{{1, 2}, {3, 4}};
  auto const has = [](dtype t, auto const& x) { return dtype_of<typename std::remove_cvref_t<decltype(x)>::value_type> == t; };
  CHECK(has(dtype::int16, i + u));
  CHECK(has(dtype::float32, h + b));
  CHECK(has(dtype::float16, h * 2));
  CHECK(has(dtype::int32, sum(u)));
  CHECK(sum(u).item() == 555);
  CHECK(has(dtype::int32, matmul(i, i)));
  CHECK(matmul(i, i)(0, 0) == 127 * 127 - 127 * 128);
  CHECK(has(dtype::int8, sinter::max(i)));
  CHECK(has(dtype::int64, argmax(h)));
  CHECK(has(dtype::float16, sum(h)));
  CHECK((i + i)(0, 0) == -2);
  CHECK((u + u)(1, 1) == 254);
  CHECK(static_cast<float>((h + h)(1, 1)) == INFINITY);
}
TEST_CASE("narrow numbers: numbers beside them must fit") {
  nd::tensor<std::uint8_t, shape<2>> const u{1, 2};
  nd::tensor<float16, shape<2>> const h{1, 2};
  CHECK((u + 255).to_vector() == std::vector<std::uint8_t>{0, 1});
  CHECK_THROWS_AS(u + 256, dtype_error);
  CHECK_THROWS_AS(u + -1, dtype_error);
  CHECK_THROWS_AS(h * 65520, dtype_error);
  CHECK_THROWS_AS(h * 1e9, dtype_error);
  CHECK(static_cast<float>((h * 65519)(0)) == 65504);
}
TEST_CASE("narrow numbers: those of full are rounded once, and new arrays do not overflow") {
  constexpr double v = 1 + 0x1p-11 + 0x1p-40;
  CHECK(full(into<1>, values<v>, as<float16>)(0).bits == float16(v).bits);
  nd::tensor<float16, shape<3>> const x{3, 7, 11};
  CHECK(full_like(x, values<v>)(0).bits == float16(v).bits);
  auto const f = [](auto F, auto const& k) { return k * F.full(into<3>, values<0.1>, as<float16>) + F.full_like(k, values<v>); };
  CHECK(same(f(nd::functions{}, x), nn::hybrid_lambda{f}.hybridize()(x)));
  auto const cast_to_half = [](auto F, auto const& k) { return k * F.cast(F.full(into<3>, values<0.1>), as<float16>); };
  nd::tensor<float16, shape<3>> const large{1003, 7, 11};  // 100.25, and not 100.3 as with 0.1 of 32 bits
  CHECK(static_cast<float>(cast_to_half(nd::functions{}, large)(0)) == 100.25f);
  CHECK(same(cast_to_half(nd::functions{}, large), nn::hybrid_lambda{cast_to_half}.hybridize()(large)));
  CHECK((x * 0.1)(0).bits == (x * full(into<3>, values<0.1>, as<float16>))(0).bits);
  using half_of = ops::attributes_of<ops::linspace>;
  dimension_table none;
  CHECK(ops::linspace::infer({}, half_of{0, 100000, number(3), dtype::float16}, none).what == problem::keyword_value);
  CHECK(ops::linspace::infer({}, half_of{0, 60000, number(3), dtype::float16}, none).what == problem::none);
}

}  // namespace test
