// SPDX-License-Identifier: Apache-2.0
// gather_nd, scatter_nd, argsort and outer, against loops.
#include "loops.hpp"

#include <algorithm>
#include <numeric>

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

template <class X> auto at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }

// x at the coordinates that stand along the first axis of the indices, behind them the axes of p that have none.
template <class X, class I> auto gathered(X const& x, I const& indices, place_of const& p) {
  int const n = static_cast<int>(indices.shape().d[0]), places = indices.shape().rank - 1;
  place_of from, in_x;
  for (int k = 0; k < places; ++k) from[k + 1] = p[k];
  for (int k = 0; k < x.shape().rank; ++k) {
    from[0] = k;
    in_x[k] = k < n ? std::clamp<extent>(static_cast<extent>(at(indices, from)), 0, x.shape().d[k] - 1) : p[places + k - n];
  }
  return at(x, in_x);
}
template <bool Everywhere = false, class X, class I> void check_gather(X const& x, I const& indices, dims const& s) {
  expect<ops::gather_nd>(calling<Everywhere, ops::gather_nd>{}(x, indices), s, [&](place_of const& p) { return gathered(x, indices, p); });
}
// The last of the slices whose coordinates are p's.
template <class X, class I> auto scattered(X const& data, I const& indices, dims const& s, place_of const& p) {
  using T = typename X::value_type;
  dims places = indices.shape();
  int const n = static_cast<int>(places.d[0]), rank = places.rank - 1;
  for (int k = 0; k < rank; ++k) places.d[k] = places.d[k + 1];
  places.rank = rank;
  T r{};
  for (extent i = 0; i < places.size(); ++i) {
    place_of in = place_in_array(places, i), from;
    for (int k = 0; k < rank; ++k) from[k + 1] = in[k];
    bool here = true;
    for (int k = 0; k < n; ++k) from[0] = k, here = here && static_cast<extent>(at(indices, from)) == p[k];
    for (int k = n; k < s.rank; ++k) in[rank + k - n] = p[k];
    if (here) r = at(data, in);
  }
  return r;
}

// The places in the order of the values: NaN last, equal ones as they came.
template <class X> extent ordered(X const& x, int axis_, bool up, place_of p) {
  std::vector<extent> order(static_cast<std::size_t>(x.shape().d[axis_]));
  std::iota(order.begin(), order.end(), extent{0});
  extent const rank = p[axis_];
  std::sort(order.begin(), order.end(), [&](extent a, extent b) {
    p[axis_] = a;
    auto const u = at(x, p);
    p[axis_] = b;
    auto const v = at(x, p);
    if (u != u || v != v) return (u == u) == (v == v) ? a < b : u == u;
    if (u == v) return a < b;
    return up ? u < v : v < u;
  });
  return order[static_cast<std::size_t>(rank)];
}
template <bool Everywhere = false, class X, class... K> void check_order(X const& x, int axis_, bool up, K...) {
  expect<ops::argsort>(calling<Everywhere, ops::argsort, K...>{}(x), x.shape(),
                       [&](place_of const& p) { return ordered(x, axis_, up, p); });
}

}  // namespace

TEMPLATE_TEST_CASE("elements at coordinates", "", NUMBERS, bool) {
  using T = TestType;
  auto const x = some<T, 3, 4, 5>(1);
  nd::tensor<std::int64_t, shape<2, 2, 3>> const two{0, 1, 2, 2, 9, -4, 3, 2, 1, 0, -1, 77};
  nd::tensor<std::int32_t, shape<3, 4>> const three{0, 1, 2, 2, 3, 9, -1, 0, 4, 2, 0, 5};
  check_gather<std::is_same_v<T, float>>(x, two, {2, 3, 5});
  check_gather(x, three, {4});
  check_gather(x, nd::tensor<std::int64_t, shape<1>>{2}, {4, 5});
  check_gather(x, nd::tensor<std::int64_t, shape<1, 2>>{1, -3}, {2, 4, 5});
  check_gather(x, nd::tensor<std::int64_t, shape<3>>{1, 2, 3}, {});
  check_gather(transpose(x), three, {4});
  check_gather(some<T, 7>(2), nd::tensor<std::int32_t, shape<1, 3, 1>>{6, 0, 3}, {3, 1});
  check_gather(x, nd::tensor<std::int64_t, shape<2, 0>>{}, {0, 5});
  check_gather(some<T, 3, 0>(), nd::tensor<std::int64_t, shape<1, 2>>{1, 0}, {2, 0});
  nd::tensor<std::int8_t, shape<1, 2>> const narrow{2, -100};
  CHECK(any_array<T>(gather_nd(x, narrow))[0] == at(x, {{2, 0, 0}}));
  // Of an array without elements there is nothing to gather, as in `take`.
  CHECK(any_array<T>(gather_nd(some<T, 0, 3>(), nd::tensor<std::int64_t, shape<2, 1>>{1, 1}))[0] == T{});
}

TEMPLATE_TEST_CASE("slices that go to coordinates", "", NUMBERS, bool) {
  using T = TestType;
  nd::tensor<std::int64_t, shape<2, 5>> const two{0, 2, 2, 0, 1, 3, 1, 1, 4, -1};
  auto const check = [](auto const& got, auto const& data, auto const& indices, dims const& s) {
    expect<ops::scatter_nd>(got, s, [&](place_of const& p) { return scattered(data, indices, s, p); });
  };
  auto const pairs = some<T, 5, 2>(1);
  check(calling<std::is_same_v<T, float>, ops::scatter_nd, std::remove_const_t<decltype(into<3, 4, 2>)>>{}(pairs, two), pairs, two,
        {3, 4, 2});
  auto const numbers = some<T, 5>(2);
  check(interpret<ops::scatter_nd>(into<3, 4>)(numbers, two), numbers, two, {3, 4});
  check(interpret<ops::scatter_nd>(into<2, 2>)(numbers, two), numbers, two, {2, 2});
  nd::tensor<std::int32_t, shape<1, 3, 4>> const rows{40, 1, 2, 3, 17, 39, 0, 2, -1, 17, 5, 6};
  auto const many = some<T, 3, 4, 3>(3);
  check(interpret<ops::scatter_nd>(into<40, 3>)(many, rows), many, rows, {40, 3});
  check(interpret<ops::scatter_nd>(into<1, 3>)(many, rows), many, rows, {1, 3});
  check(interpret<ops::scatter_nd>(into<4, 3>)(some<T, 3>(4), nd::tensor<std::int64_t, shape<1>>{2}), some<T, 3>(4),
        nd::tensor<std::int64_t, shape<1>>{2}, {4, 3});
  check(interpret<ops::scatter_nd>(into<3>)(some<T, 0>(), nd::tensor<std::int64_t, shape<1, 0>>{}), some<T, 0>(),
        nd::tensor<std::int64_t, shape<1, 0>>{}, {3});
  CHECK(scatter_nd(some<T, 2>(), nd::tensor<std::int64_t, shape<1, 2>>{0, 1}, into<0>).shape() == dims{0});
}
TEST_CASE("scattered numbers of note") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  nd::tensor<float, shape<4>> const data{nan, -0.0f, -inf, 7};
  auto const y = scatter_nd(data, nd::tensor<std::int64_t, shape<1, 4>>{2, 0, 1, 1}, into<4>);
  CHECK((std::signbit(y[0]) && y[1] == 7 && std::isnan(y[2]) && y[3] == 0));
  nd::tensor<float16, shape<2>> const halves{float16(1.5), float16(-2)};
  CHECK(static_cast<float>(scatter_nd(halves, nd::tensor<std::uint8_t, shape<1, 2>>{200, 1}, into<3>)[1]) == -2);
  // Gathered from where it was scattered to.
  nd::tensor<std::int64_t, shape<1, 4>> const apart{3, 0, 2, 1};
  CHECK(gather_nd(scatter_nd(data, apart, into<4>), apart)[3] == 7);
}

TEMPLATE_TEST_CASE("places in order", "", NUMBERS, bool) {
  using T = TestType;
  auto const x = some<T, 3, 4, 5>(1);
  check_order<std::is_same_v<T, float>>(x, 2, true);
  check_order(x, 2, false, descending);
  check_order(x, 0, true, axis<0>);
  check_order(x, 1, false, axis<-2>, descending);
  check_order(transpose(x), 2, true);
  check_order(some<T, 97>(2), 0, true);
  check_order(some<T, 97>(3), 0, false, descending);
  check_order(some<T, 1>(4), 0, true);
  check_order(some<T, 0>(), 0, true);
  check_order(some<T, 3, 0>(), 0, true, axis<0>);
}
TEST_CASE("places of numbers of note") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  nd::tensor<float, shape<9>> const x{nan, 0, -inf, -0.0f, inf, nan, 1, 0, -inf};
  check_order(x, 0, true);
  check_order(x, 0, false, descending);
  CHECK(argsort(x).to_vector() == std::vector<std::int64_t>{2, 8, 1, 3, 7, 6, 4, 0, 5});
  CHECK(argsort(x, descending).to_vector() == std::vector<std::int64_t>{4, 6, 1, 3, 7, 2, 8, 0, 5});
  CHECK(argsort(nd::tensor<std::uint8_t, shape<3>>{200, 7, 100}).to_vector() == std::vector<std::int64_t>{1, 2, 0});
  CHECK(argsort(nd::tensor<float16, shape<3>>{float16(2), float16(-1), float16(NAN)}).to_vector() == std::vector<std::int64_t>{1, 0, 2});
}

TEMPLATE_TEST_CASE("outer products", "", NUMBERS) {
  using T = TestType;
  auto const check = [](auto const& got, auto const& a, auto const& b) {
    expect<ops::outer>(got, {a.size(), b.size()}, [&](place_of const& p) {
      T const x = any_array<T>(a)[p[0]], y = any_array<T>(b)[p[1]];
      if constexpr (std::is_floating_point_v<T>) return static_cast<double>(static_cast<T>(static_cast<long double>(x) * y));
      else return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
    });
  };
  auto const a = some<T, 5>(1);
  auto const b = some<T, 7>(2);
  check(calling<std::is_same_v<T, float>, ops::outer>{}(a, b), a, b);
  auto const cube = some<T, 2, 3, 2>(3);
  check(interpret<ops::outer>()(cube, b), cube, b);
  check(interpret<ops::outer>()(a, transpose(cube)), a, transpose(cube));
  check(interpret<ops::outer>()(some<T>(4), some<T, 1>(5)), some<T>(4), some<T, 1>(5));
  check(interpret<ops::outer>()(some<T, 0>(), b), some<T, 0>(), b);
}

}  // namespace test
