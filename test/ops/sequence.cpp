// SPDX-License-Identifier: Apache-2.0
// cumsum and cumprod, positions, picked elements and sequences of several lengths, against loops.
#include "loops.hpp"

#include <ranges>

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

template <class X> auto at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }

// Sums and products of the elements of x up to each one along an axis.
template <bool Everywhere = false, class T, class S, class... K> void check_running(nd::tensor<T, S> const& x, int axis_, K...) {
  auto const all = [&](place_of p, auto start, auto combine) {
    auto r = start;
    for (extent const last = p[axis_]; extent i : std::views::iota(extent{0}, last + 1)) p[axis_] = i, r = combine(r, at(x, p));
    return r;
  };
  using number = std::conditional_t<std::is_floating_point_v<T>, long double, std::uint64_t>;
  auto const sums = [&](place_of const& p) { return all(p, number(0), [](number a, T b) { return a + static_cast<number>(b); }); };
  auto const sizes = [&](place_of const& p) { return all(p, 0.0, [](double a, T b) { return a + std::abs(static_cast<double>(b)); }); };
  auto const products = [&](place_of const& p) { return all(p, number(1), [](number a, T b) { return a * static_cast<number>(b); }); };
  auto const bound = [&](auto value) {
    return [=](place_of const& p) {
      return std::is_floating_point_v<T> ? static_cast<double>(p[axis_] + 1) * std::abs(static_cast<double>(value(p))) : 0;
    };
  };
  expect<ops::cumsum>(calling<Everywhere, ops::cumsum, K...>{}(x), x.shape(), sums, bound(sizes));
  expect<ops::cumprod>(calling<Everywhere, ops::cumprod, K...>{}(x), x.shape(), products, bound(products));
}

}  // namespace

TEMPLATE_TEST_CASE("running sums and products", "", NUMBERS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4>(1);
  check_running<true>(x, 1, axis<1>);
  check_running(x, 0, axis<0>);
  check_running(x, 2, axis<-1>);
  check_running(some<T, 37>(2), 0, axis<0>);
  check_running(some<T, 37>(2), 0);
  check_running(some<T, 5, 1>(3), 1, axis<1>);
  check_running(some<T, 0, 3>(), 0, axis<0>);
  check_running(transpose(some<T, 3, 5>(4)), 1, axis<1>);
  auto const flat = interpret<ops::cumsum>()(x);
  if constexpr (!std::is_same_v<decltype(flat), not_called const>) CHECK(flat.to_vector() == cumsum(reshape(x, into<-1>)).to_vector());
}

TEST_CASE("running sums of note") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  nd::tensor<float, shape<5>> const x{1, -inf, 2, inf, 3};
  auto const y = cumsum(x);
  CHECK((y[0] == 1 && y[1] == -inf && y[2] == -inf && std::isnan(y[3]) && std::isnan(y[4])));
  CHECK(std::signbit(cumsum(nd::tensor<float, shape<2>>{-0.0f, -0.0f})[1]));
  nd::tensor<std::int8_t, shape<3>> const small{100, 100, 100};
  static_assert(std::is_same_v<decltype(cumsum(small))::value_type, std::int32_t>);
  CHECK(cumsum(small).to_vector() == std::vector<std::int32_t>{100, 200, 300});
  nd::tensor<std::int32_t, shape<2>> const big{2147483647, 1};
  CHECK(cumsum(big)[1] == std::numeric_limits<std::int32_t>::min());
}

TEST_CASE("positions of an axis") {
  auto const x = some<float, 2, 3, 5>();
  expect<ops::arange_like>(call<ops::arange_like>(axis<-1>)(x), {5}, [](place_of const& p) { return p[0]; });
  expect<ops::arange_like>(interpret<ops::arange_like>()(x), {2}, [](place_of const& p) { return p[0]; });
  expect<ops::arange_like>(interpret<ops::arange_like>(axis<0>)(some<bool, 0, 3>()), {0}, [](place_of const&) { return 0; });
}

TEMPLATE_TEST_CASE("picked elements", "", NUMBERS, bool) {
  using T = TestType;
  auto const x = some<T, 3, 4, 5>(1);
  nd::tensor<std::int64_t, shape<3, 4>> const last{{0, 4, 2, 1}, {9, -3, 3, 4}, {1, 1, 0, 2}};
  auto const within = [](std::int64_t i, extent n) { return std::clamp<extent>(i, 0, n - 1); };
  expect<ops::pick>(call<ops::pick>()(x, last), {3, 4}, [&](place_of p) { return p[2] = within(last(p[0], p[1]), 5), at(x, p); });
  expect<ops::pick>(interpret<ops::pick>(keepdims)(x, last), {3, 4, 1},
                    [&](place_of p) { return p[2] = within(last(p[0], p[1]), 5), at(x, p); });
  nd::tensor<std::int32_t, shape<3, 1, 5>> const middle{{{0, 1, 2, 3, 4}}, {{3, 2, 1, 0, -1}}, {{1, 1, 1, 1, 1}}};
  expect<ops::pick>(interpret<ops::pick>(axis<1>)(x, middle), {3, 5},
                    [&](place_of const& p) { return at(x, {{p[0], within(middle(p[0], 0, p[1]), 4), p[1]}}); });
  expect<ops::pick>(interpret<ops::pick>(axis<0>)(some<T, 3>(2), nd::tensor<std::int64_t, shape<>>(1)), {},
                    [](place_of const&) { return at(some<T, 3>(2), {{1}}); });
  expect<ops::pick>(interpret<ops::pick>()(some<T, 0, 3>(), nd::tensor<std::int64_t, shape<0>>{}), {0},
                    [](place_of const&) { return T(0); });
}
TEST_CASE("picked numbers of note") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  nd::tensor<float, shape<5, 3>> const x{{nan, 1, inf}, {nan, 1, inf}, {-inf, inf, nan}, {-0.0f, 1, 0}, {inf, -inf, inf}};
  auto const y = pick(x, nd::tensor<std::int64_t, shape<5>>{0, 1, 0, 0, 1});
  CHECK(std::isnan(y[0]));
  CHECK(y[1] == 1);
  CHECK(y[2] == -inf);
  CHECK((y[3] == 0 && std::signbit(y[3])));
  CHECK(y[4] == -inf);
}

TEMPLATE_TEST_CASE("sequences of several lengths", "", float, std::int64_t, bool) {
  using T = TestType;
  auto const x = some<T, 4, 3, 2>(1);
  nd::tensor<std::int64_t, shape<3>> const by_column{2, 0, 9};
  nd::tensor<std::int32_t, shape<4>> const by_row{-1, 1, 3, 2};
  auto const length = [](auto const& lengths, extent i, extent most) { return std::clamp<extent>(lengths[i], 0, most); };
  expect<ops::sequence_mask>(call<ops::sequence_mask>()(x, by_column), {4, 3, 2},
                             [&](place_of const& p) { return p[0] < length(by_column, p[1], 4) ? at(x, p) : T(0); });
  expect<ops::sequence_mask>(interpret<ops::sequence_mask>(axis<1>, values<1>)(x, by_row), {4, 3, 2},
                             [&](place_of const& p) { return p[1] < length(by_row, p[0], 3) ? at(x, p) : T(1); });
  expect<ops::sequence_last>(call<ops::sequence_last>()(x, by_column), {3, 2},
                             [&](place_of const& p) { return at(x, {{std::max<extent>(length(by_column, p[0], 4) - 1, 0), p[0], p[1]}}); });
  expect<ops::sequence_last>(interpret<ops::sequence_last>(axis<1>)(x, by_row), {4, 2},
                             [&](place_of const& p) { return at(x, {{p[0], std::max<extent>(length(by_row, p[0], 3) - 1, 0), p[1]}}); });
  expect<ops::sequence_reverse>(call<ops::sequence_reverse>()(x, by_column), {4, 3, 2}, [&](place_of p) {
    if (extent const n = length(by_column, p[1], 4); p[0] < n) p[0] = n - 1 - p[0];
    return at(x, p);
  });
  nd::tensor<std::int32_t, shape<2>> const two{1, 3};
  expect<ops::sequence_reverse>(interpret<ops::sequence_reverse>()(some<T, 5, 2>(3), two), {5, 2}, [&](place_of p) {
    if (extent const n = length(two, p[1], 5); p[0] < n) p[0] = n - 1 - p[0];
    return at(some<T, 5, 2>(3), p);
  });
  CHECK(sequence_reverse(some<T, 0, 3>(), by_column).shape() == dims{0, 3});
}

TEST_CASE("a new shape like another array's") {
  auto const x = some<float, 2, 6>();
  auto const flat = [&](place_of const& p) { return at(x, {{(p[0] * 4 + p[1]) / 6, (p[0] * 4 + p[1]) % 6}}); };
  expect<ops::reshape_like>(call<ops::reshape_like>()(x, some<std::int64_t, 3, 4>()), {3, 4}, flat);
}

TEST_CASE("what does not fit sequences and indices") {
  using x = nd::tensor<float, shape<4, 3, 2>>;
  auto const fits = []<class Op, class X, class I, class... K>(std::type_identity<Op>, std::type_identity<X>, std::type_identity<I>, K...) {
    return ops::call_rule<Op, X, I, K...>::ok;
  };
  using three = nd::tensor<std::int64_t, shape<3>>;
  using four = nd::tensor<std::int64_t, shape<4>>;
  using real = nd::tensor<float, shape<3>>;
  std::type_identity<ops::sequence_mask> const mask;
  STATIC_REQUIRE(fits(mask, std::type_identity<x>{}, std::type_identity<three>{}));
  STATIC_REQUIRE(!fits(mask, std::type_identity<x>{}, std::type_identity<four>{}));
  STATIC_REQUIRE(fits(mask, std::type_identity<x>{}, std::type_identity<four>{}, axis<1>));
  STATIC_REQUIRE(!fits(mask, std::type_identity<x>{}, std::type_identity<three>{}, axis<2>));
  STATIC_REQUIRE(!fits(mask, std::type_identity<x>{}, std::type_identity<real>{}));
  STATIC_REQUIRE(!fits(mask, std::type_identity<nd::tensor<int, shape<4, 3>>>{}, std::type_identity<three>{}, values<0.5>));
  std::type_identity<ops::pick> const picks;
  STATIC_REQUIRE(!fits(picks, std::type_identity<x>{}, std::type_identity<three>{}));
  STATIC_REQUIRE(fits(picks, std::type_identity<x>{}, std::type_identity<nd::tensor<int, shape<4, 3>>>{}));
  STATIC_REQUIRE(!fits(picks, std::type_identity<nd::tensor<float, shape<3, 0>>>{}, std::type_identity<three>{}));
}

}  // namespace test
