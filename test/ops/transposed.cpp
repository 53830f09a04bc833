// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions against a loop that scatters every product.
#include "loops.hpp"

#include <ranges>

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

template <class X> auto at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }
template <class T> using exact_of = std::conditional_t<std::is_floating_point_v<T>, long double, std::int64_t>;
struct window {
  int stride[3]{1, 1, 1}, pad[3]{}, dilate[3]{1, 1, 1}, groups = 1, adjust[3]{};
};
// Every element times every weight is added where it belongs. `sizes` are the sums of the magnitudes.
template <class T> struct scattered {
  dims shape;
  std::vector<exact_of<T>> sums;
  std::vector<double> sizes, terms;
  template <class X, class W> scattered(X const& x, W const& w, window const& v) {
    dims const s = x.shape(), k = w.shape();
    shape = {s.d[0], k.d[1] * v.groups};
    for (int i = 0; i + 2 < s.rank; ++i)
      shape.push((s.d[i + 2] - 1) * v.stride[i] - 2 * v.pad[i] + v.dilate[i] * (k.d[i + 2] - 1) + 1 + v.adjust[i]);
    auto const all = static_cast<std::size_t>(shape.size());
    sums.resize(all), sizes.resize(all), terms.resize(all);
    for (extent i : std::views::iota(extent{0}, s.size()))
      for (extent j : std::views::iota(extent{0}, k.size())) {
        place_of const p = place_in_array(s, i), q = place_in_array(k, j);
        if (p[1] != q[0]) continue;
        place_of to{{p[0], p[1] / (s.d[1] / v.groups) * k.d[1] + q[1]}};
        bool inside = true;
        for (int a = 0; a + 2 < s.rank; ++a) {
          to[a + 2] = p[a + 2] * v.stride[a] + q[a + 2] * v.dilate[a] - v.pad[a];
          inside = inside && to[a + 2] >= 0 && to[a + 2] < shape.d[a + 2];
        }
        if (!inside) continue;
        auto const e = static_cast<std::size_t>(index_in_array(shape, to));
        auto const term = static_cast<exact_of<T>>(at(x, p)) * static_cast<exact_of<T>>(at(w, q));
        sums[e] += term;
        sizes[e] += std::abs(static_cast<double>(term));
        terms[e] += 1;
      }
  }
  auto value(extent channels_first = 0) const {
    return [=, this](place_of const& p) { return sums[static_cast<std::size_t>(index_in_array(shape, p) + channels_first)]; };
  }
  auto bound() const {
    return [this](place_of const& p) {
      auto const e = static_cast<std::size_t>(index_in_array(shape, p));
      return std::is_floating_point_v<T> ? (terms[e] + 2) * (sizes[e] + 2) : 0;
    };
  }
};
template <bool Everywhere = false, class X, class W, class... K> void check_transposed(X const& x, W const& w, window const& v, K...) {
  using T = typename X::value_type;
  scattered<T> const want(x, w, v);
  expect<ops::convolution_transpose>(calling < Everywhere && std::is_same_v<T, float>, ops::convolution_transpose, K... > {}(x, w),
                                     want.shape, want.value(), want.bound());
}

}  // namespace

TEMPLATE_TEST_CASE("transposed convolutions", "", NUMBERS) {
  using T = TestType;
  check_transposed<true>(some<T, 2, 3, 4, 5>(1), some<T, 3, 2, 3, 4>(2), {.stride{2, 3}, .pad{1, 0}}, stride<2, 3>, pad<1, 0>);
  check_transposed(some<T, 2, 3, 7>(1), some<T, 3, 4, 3>(2), {});
  check_transposed(some<T, 2, 3, 4>(1), some<T, 3, 5, 3>(2), {.stride{2}, .pad{1}, .adjust{1}}, stride<2>, pad<1>, adjust<1>);
  check_transposed(some<T, 1, 4, 5>(3), some<T, 4, 3, 2>(4), {.stride{3}, .groups = 2, .adjust{2}}, stride<3>, groups<2>, adjust<2>);
  check_transposed(some<T, 2, 2, 5>(3), some<T, 2, 1, 4>(4), {.stride{2}, .pad{5}, .dilate{3}, .groups = 2}, stride<2>, pad<5>, dilate<3>,
                   groups<2>);
  check_transposed(some<T, 1, 6, 3, 4>(5), some<T, 6, 1, 2, 3>(6), {.stride{1, 2}, .dilate{3, 2}, .groups = 3, .adjust{2, 1}}, stride<1, 2>,
                   dilate<3, 2>, groups<3>, adjust<2, 1>);
  check_transposed(some<T, 2, 3, 1, 1>(7), some<T, 3, 2, 4, 4>(8), {});
  check_transposed(some<T, 2, 3, 4, 3>(7), some<T, 3, 2, 1, 1>(8), {.stride{2, 2}, .adjust{1, 1}}, stride<2>, adjust<1>);
  check_transposed(some<T, 1, 2, 2, 3, 2>(9), some<T, 2, 3, 3, 2, 3>(10), {.stride{2, 1, 2}, .pad{1, 0, 1}, .adjust{1, 0, 0}},
                   stride<2, 1, 2>, pad<1, 0, 1>, adjust<1, 0, 0>);
  check_transposed(some<T, 2, 4, 2, 2, 2>(9), some<T, 4, 1, 2, 2, 2>(10), {.stride{2, 2, 2}, .groups = 2}, stride<2>, groups<2>);
  check_transposed(some<T, 0, 3, 4>(), some<T, 3, 2, 3>(), {.stride{2}}, stride<2>);
  check_transposed(some<T, 2, 0, 4>(), some<T, 0, 2, 3>(), {.stride{2}}, stride<2>);
  check_transposed(some<T, 2, 3, 4>(), some<T, 3, 0, 3>(), {});
  check_transposed(some<T, 1, 2, 0>(), some<T, 2, 2, 3>(), {});
  check_transposed(transpose(some<T, 4, 3, 2>(1)), transpose(some<T, 3, 5, 3>(2)), {.stride{2}}, stride<2>);
}
TEST_CASE("transposed convolutions with a bias, and of numbers of note") {
  auto const x = some<float, 2, 3, 4>(1);
  auto const w = some<float, 3, 2, 3>(2);
  nd::tensor<float, shape<2>> const bias{1, -3};
  scattered<float> const want(x, w, {.stride{2}});
  auto const with_bias = [&](place_of const& p) { return want.value()(p) + static_cast<long double>(bias[p[1]]); };
  expect<ops::convolution_transpose>(call<ops::convolution_transpose>(stride<2>)(x, w, bias), want.shape, with_bias, want.bound());
  // No zero is multiplied that is not there: an infinite weight meets elements alone, and what is dropped is not seen.
  nd::tensor<float, shape<1, 1, 2>> const two{1, 2};
  nd::tensor<float, shape<1, 1, 3>> const wide{std::numeric_limits<float>::infinity(), 1, std::numeric_limits<float>::quiet_NaN()};
  auto const y = convolution_transpose(two, wide, stride<2>, pad<1>);
  CHECK((y.shape() == dims{1, 1, 3} && y[0] == 1 && std::isnan(y[1]) && y[2] == 2));
  nd::tensor<std::int8_t, shape<1, 1, 2>> const small{100, 100};
  auto const sums = convolution_transpose(small, nd::tensor<std::int8_t, shape<1, 1, 2>>{100, 100});
  static_assert(std::is_same_v<decltype(sums)::value_type, std::int32_t>);
  CHECK(sums.to_vector() == std::vector<std::int32_t>{10000, 20000, 10000});
}
// With the same weight, stride and padding it is the transposed matrix of the convolution: the sums of y conv(x) and x conv_transpose(y) agree.
TEST_CASE("a transposed convolution is the gradient of a convolution") {
  auto const x = some<std::int64_t, 2, 4, 7, 6>(1);
  auto const w = some<std::int64_t, 6, 2, 3, 2>(2);
  auto const y = some<std::int64_t, 2, 6, 4, 3>(3);
  auto const forward = convolution(x, w, stride<2>, pad<1, 0>, groups<2>);
  auto const back = convolution_transpose(y, w, stride<2>, pad<1, 0>, groups<2>, adjust<0, 0>);
  static_assert(decltype(forward)::shape_type::value == dims{2, 6, 4, 3} && decltype(back)::shape_type::value == dims{2, 4, 7, 6});
  CHECK(sum(forward * y).item() == sum(back * x).item());
}

TEST_CASE("what does not fit a transposed convolution") {
  auto const fits = []<class Op, class X, class... A>(std::type_identity<Op>, std::type_identity<X>, A...) {
    return ops::call_rule<Op, X, A...>::ok;
  };
  std::type_identity<nd::tensor<float, shape<1, 6, 4, 5>>> const x;
  std::type_identity<ops::convolution_transpose> const transposed;
  STATIC_REQUIRE(fits(transposed, x, nd::tensor<float, shape<6, 2, 3, 3>>{}, stride<2>, adjust<1>));
  STATIC_REQUIRE(!fits(transposed, x, nd::tensor<float, shape<6, 2, 3, 3>>{}, stride<2>, adjust<2>));
  STATIC_REQUIRE(fits(transposed, x, nd::tensor<float, shape<6, 2, 3, 3>>{}, dilate<3>, adjust<2>));
  STATIC_REQUIRE(!fits(transposed, x, nd::tensor<float, shape<2, 6, 3, 3>>{}));
  STATIC_REQUIRE(!fits(transposed, x, nd::tensor<float, shape<6, 2, 3, 3>>{}, groups<4>));
  STATIC_REQUIRE(!fits(transposed, x, nd::tensor<float, shape<6, 2, 3, 3>>{}, pad<4>));
  STATIC_REQUIRE(!fits(transposed, x, nd::tensor<float, shape<6, 2, 0, 3>>{}));
  STATIC_REQUIRE(!fits(transposed, x, nd::tensor<float, shape<6, 2, 3>>{}));
}

}  // namespace test
