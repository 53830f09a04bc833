// SPDX-License-Identifier: Apache-2.0
// scaled_dot_product_attention against its formula in long double: heads, masks, causal, cross, lengths of one and of none.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

using real = long double;
struct options {
  int heads = 1;
  real alpha = 0;  // 0: by the width of a head
  bool causal = false;
};
template <class X> real at(X const& x, extent a, extent b, extent c) {
  return static_cast<real>(any_array<typename X::value_type>(x)[index_in_array(x.shape(), {{a, b, c}})]);
}
// Output `c` of query i.
template <class Q, class K, class V> real attended(options const& o, Q const& q, K const& k, V const& v, auto const& may,
                                                   place_of const& p) {
  extent const width = q.shape().d[2] / o.heads, head = p[2] / (v.shape().d[2] / o.heads), keys = k.shape().d[1];
  real const alpha = o.alpha != 0 ? o.alpha : 1 / std::sqrt(static_cast<real>(width));
  std::vector<real> scores;
  for (extent j = 0; j < keys; ++j) {
    real s = 0;
    for (extent c = head * width; c < (head + 1) * width; ++c) s += at(q, p[0], p[1], c) * at(k, p[0], j, c);
    bool const sees = (!o.causal || j <= p[1]) && may(p[0], head, p[1], j);
    scores.push_back(sees ? s * alpha : -std::numeric_limits<real>::infinity());
  }
  real total = 0, sum = 0;
  for (extent j = 0; j < keys; ++j) {
    real const e = std::exp(scores[static_cast<std::size_t>(j)]);
    total += e, sum += e * at(v, p[0], j, p[2]);
  }
  return sum / total;
}
constexpr auto everything = [](extent, extent, extent, extent) { return true; };
double bound(place_of const&) { return 100; }

template <bool Everywhere, class T, auto N, auto Queries, auto Keys, auto Width, auto Outputs, class... K> void check(options const& o,
                                                                                                                      K const&... k) {
  using op = ops::scaled_dot_product_attention;
  auto const q = some<T, N, Queries, Width>(1);
  auto const key = some<T, N, Keys, Width>(2);
  auto const v = some<T, N, Keys, Outputs>(3);
  expect<op>(
      calling<Everywhere, op, K...>{}(q, key, v), {N, Queries, Outputs},
      [&](place_of const& p) { return attended(o, q, key, v, everything, p); }, bound);
  (void)std::tuple{k...};
}

}  // namespace

TEMPLATE_TEST_CASE("attention", "", REALS) {
  using T = TestType;
  check<true, T, 2, 5, 5, 8, 8>({.heads = 2}, num_heads<2>);
  check<false, T, 2, 5, 3, 6, 4>({});
  check<true, T, 1, 4, 4, 6, 12>({.heads = 3, .alpha = 0.5L, .causal = true}, num_heads<3>, alpha<0.5>, is_causal);
  check<false, T, 3, 1, 1, 4, 4>({.heads = 4, .causal = true}, num_heads<4>, is_causal);
  check<false, T, 2, 3, 7, 10, 5>({.heads = 5, .causal = true}, num_heads<5>, is_causal);
  check<false, T, 0, 3, 3, 4, 4>({.heads = 2}, num_heads<2>);
  check<false, T, 1, 0, 3, 4, 4>({.heads = 2}, num_heads<2>);
  check<false, T, 1, 33, 17, 70, 70>({.heads = 7}, num_heads<7>);
}

TEST_CASE("attention with a mask") {
  using op = ops::scaled_dot_product_attention;
  auto const q = some<float, 2, 4, 6>(1), k = some<float, 2, 4, 6>(2), v = some<float, 2, 4, 6>(3);
  nd::tensor<bool, shape<2, 1, 1, 4>> keys;
  nd::tensor<bool, shape<4, 4>> pairs;
  for (int i = 0; i < 8; ++i) keys.data()[i] = i % 4 < (i < 4 ? 3 : 1);
  for (int i = 0; i < 16; ++i) pairs.data()[i] = i / 4 == i % 4 || i % 3 == 0;
  expect<op>(
      call<op>(num_heads<2>)(q, k, v, keys), {2, 4, 6},
      [&](place_of const& p) {
        return attended({.heads = 2}, q, k, v, [&](extent n, extent, extent, extent j) { return keys(n, 0, 0, j); }, p);
      },
      bound);
  expect<op>(
      interpret<op>(num_heads<3>, is_causal)(q, k, v, pairs), {2, 4, 6},
      [&](place_of const& p) {
        return attended({.heads = 3, .causal = true}, q, k, v, [&](extent, extent, extent i, extent j) { return pairs(i, j); }, p);
      },
      bound);
  // One that attends to nothing says so.
  nd::tensor<bool, shape<4, 1>> const none{false, true, true, true};
  auto const y = scaled_dot_product_attention(q, k, v, none);
  CHECK(std::isnan(y(0, 0, 0)));
  CHECK_FALSE(std::isnan(y(0, 1, 0)));
}

namespace {
template <class T, auto... D> constexpr std::type_identity<nd::tensor<T, shape<D...>>> of{};
template <class K> constexpr std::type_identity<K> word(K) { return {}; }
template <class... X> constexpr bool fits(std::type_identity<X>...) { return ops::call_rule<ops::scaled_dot_product_attention, X...>::ok; }
}  // namespace

TEST_CASE("what does not fit attention") {
  constexpr auto q = of<float, 2, 5, 6>;
  constexpr auto k = of<float, 2, 3, 6>;
  constexpr auto v = of<float, 2, 3, 4>;
  STATIC_REQUIRE(fits(q, k, v));
  STATIC_REQUIRE(fits(q, k, v, word(num_heads<2>)));
  STATIC_REQUIRE(!fits(q, k, v, word(num_heads<3>)));
  STATIC_REQUIRE(!fits(q, v, v));
  STATIC_REQUIRE(!fits(q, k, q));
  STATIC_REQUIRE(!fits(q, of<float, 1, 3, 6>, v));
  STATIC_REQUIRE(!fits(q, k, of<double, 2, 3, 4>));
  STATIC_REQUIRE(!fits(of<int, 2, 5, 6>, of<int, 2, 5, 6>, of<int, 2, 5, 6>));
  STATIC_REQUIRE(fits(q, k, v, of<bool, 5, 3>));
  STATIC_REQUIRE(!fits(q, k, v, of<bool, 3, 5>));
  STATIC_REQUIRE(!fits(q, k, v, of<float, 5, 3>));
}

}  // namespace test
