// SPDX-License-Identifier: Apache-2.0
// Minima, products, truth, variance, norms and logsumexp: over each axis, over several and over all, of nothing, of one and of special values.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

// The elements of each line that a reduction over `axes` (bits) folds, in their order, and the shape of the result.
template <class T> struct lines {
  dims shape;
  std::vector<std::vector<T>> at;
  template <class S> lines(nd::tensor<T, S> const& x, unsigned axes, bool keepdims_) {
    any_array<T> const all(x);
    dims kept;
    for (int i = 0; i < all.shape.rank; ++i) {
      bool const folded = (axes >> i) & 1;
      kept.push(folded ? 1 : all.shape.d[i]);
      if (!folded || keepdims_) shape.push(folded ? 1 : all.shape.d[i]);
    }
    at.resize(static_cast<std::size_t>(kept.size()));
    for (extent i = 0; i < all.shape.size(); ++i) {
      place_of p = place_in_array(all.shape, i);
      for (int k = 0; k < all.shape.rank; ++k)
        if ((axes >> k) & 1) p[k] = 0;
      at[static_cast<std::size_t>(index_in_array(kept, p))].push_back(all[i]);
    }
  }
  std::vector<T> const& operator()(place_of const& p) const { return at[static_cast<std::size_t>(index_in_array(shape, p))]; }
};

template <class T> T least_of(std::vector<T> const& v) {
  T r = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  for (T e : v)
    if (e != e || r != r) r = r != r ? r : e;
    else if (e < r) r = e;
  return r;
}
template <class T> std::int64_t place_of_least(std::vector<T> const& v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v[i] != v[i]) return static_cast<std::int64_t>(i);
  return static_cast<std::int64_t>(std::min_element(v.begin(), v.end()) - v.begin());
}
template <class T> auto product_of(std::vector<T> const& v) {
  if constexpr (std::is_floating_point_v<T>) {
    long double r = 1;
    for (T e : v) r *= e;
    return static_cast<double>(r);
  } else {
    std::uint64_t r = 1;
    for (T e : v) r *= static_cast<std::uint64_t>(e);
    return static_cast<T>(r);
  }
}
template <class T> long double sum_of(std::vector<T> const& v, auto f) {
  long double r = 0;
  for (T e : v) r += f(static_cast<long double>(e));
  return r;
}
template <class T> long double mean_of(std::vector<T> const& v) {
  return sum_of(v, [](long double e) { return e; }) / static_cast<long double>(v.size());
}
template <class T> double variance(std::vector<T> const& v, std::size_t ddof_ = 0) {
  long double const middle = mean_of(v);
  long double const n = v.size() > ddof_ ? static_cast<long double>(v.size() - ddof_) : 0;
  return static_cast<double>(sum_of(v, [&](long double e) { return (e - middle) * (e - middle); }) / n);
}
template <class T> double logarithm(std::vector<T> const& v) {
  long double most = -std::numeric_limits<long double>::infinity();
  for (T e : v) {
    if (e != e) return std::numeric_limits<double>::quiet_NaN();
    most = std::max<long double>(most, e);
  }
  if (std::isinf(most)) return static_cast<double>(most);
  return static_cast<double>(std::log(sum_of(v, [&](long double e) { return std::exp(e - most); })) + most);
}
template <class T> double bound_of(double value, std::vector<T> const& v, double factor) {
  return std::isfinite(value) ? factor * (static_cast<double>(v.size()) + 4) : 0;
}

constexpr unsigned every = ~0U;
// Numbers: min and prod, over one axis or all also argmin.
template <bool Everywhere = false, bool Indexed = true, class T, class S, class... K> void check_numbers(nd::tensor<T, S> const& x,
                                                                                                         unsigned axes_, K const&...) {
  lines<T> const l(x, axes_, (std::is_same_v<K, std::remove_const_t<decltype(keepdims)>> || ...));
  expect<ops::min>(calling<Everywhere, ops::min, K...>{}(x), l.shape, [&](place_of const& p) { return least_of(l(p)); });
  expect<ops::prod>(
      calling<Everywhere, ops::prod, K...>{}(x), l.shape, [&](place_of const& p) { return product_of(l(p)); },
      [&](place_of const& p) {
        return bound_of(static_cast<double>(product_of(l(p))), l(p), 2 * std::abs(static_cast<double>(product_of(l(p)))));
      });
  if constexpr (Indexed)
    expect<ops::argmin>(calling<Everywhere, ops::argmin, K...>{}(x), l.shape, [&](place_of const& p) { return place_of_least(l(p)); });
}
template <bool Everywhere = false, class T, class S, class... K> void check_floats(nd::tensor<T, S> const& x, unsigned axes_,
                                                                                   K const&... k) {
  lines<T> const l(x, axes_, (std::is_same_v<K, std::remove_const_t<decltype(keepdims)>> || ...));
  auto const squares = [](std::vector<T> const& v) { return static_cast<double>(sum_of(v, [](long double e) { return e * e; })); };
  auto const within = [&](auto f, double factor, auto scale) {
    return [=, &l](place_of const& p) { return bound_of(f(l(p)), l(p), factor * scale(l(p))); };
  };
  auto const of_line = [&](auto f) { return [=, &l](place_of const& p) { return f(l(p)); }; };
  auto const one = [](std::vector<T> const&) { return 1.0; };
  auto const flat = [](std::vector<T> const& v) { return variance(v); };
  auto const root = [](std::vector<T> const& v) { return std::sqrt(variance(v)); };
  auto const sample = [](std::vector<T> const& v) { return variance(v, 1); };
  auto const length = [&](std::vector<T> const& v) { return std::sqrt(squares(v)); };
  auto const sizes = [](std::vector<T> const& v) { return static_cast<double>(sum_of(v, [](long double e) { return std::abs(e); })); };
  expect<ops::var>(calling<Everywhere, ops::var, K...>{}(x), l.shape, of_line(flat), within(flat, 4, squares));
  expect<ops::var>(interpret<ops::var>(k..., ddof<1>)(x), l.shape, of_line(sample), within(sample, 4, squares));
  expect<ops::stddev>(calling<Everywhere, ops::stddev, K...>{}(x), l.shape, of_line(root), within(root, 4, length));
  expect<ops::norm>(calling<Everywhere, ops::norm, K...>{}(x), l.shape, of_line(length), within(length, 2, length));
  expect<ops::norm>(interpret<ops::norm>(k..., ord<1>)(x), l.shape, of_line(sizes), within(sizes, 1, sizes));
  auto const logs = [](std::vector<T> const& v) { return logarithm(v); };
  expect<ops::logsumexp>(calling<Everywhere, ops::logsumexp, K...>{}(x), l.shape, of_line(logs), within(logs, 4, one));
}
template <bool Everywhere = false, class S, class... K> void check_truth(nd::tensor<bool, S> const& x, unsigned axes_, K const&...) {
  lines<bool> const l(x, axes_, (std::is_same_v<K, std::remove_const_t<decltype(keepdims)>> || ...));
  expect<ops::any_true>(calling<Everywhere, ops::any_true, K...>{}(x), l.shape,
                        [&](place_of const& p) { return std::ranges::count(l(p), true) > 0; });
  expect<ops::all_true>(calling<Everywhere, ops::all_true, K...>{}(x), l.shape,
                        [&](place_of const& p) { return std::ranges::count(l(p), false) == 0; });
}

}  // namespace

TEMPLATE_TEST_CASE("minima and products", "", NUMBERS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4>(1);
  check_numbers(x, every);
  check_numbers<true>(x, 2, axis<1>, keepdims);
  check_numbers(some<T, 5, 131>(2), 2, axis<1>);
  if constexpr (std::is_same_v<T, float>) {  // shapes are the same for all dtypes
    check_numbers<true>(x, 1, axis<0>);
    check_numbers(x, 4, axis<-1>);
    check_numbers<false, false>(x, 5, axes<2, 0>);
    check_numbers(transpose(some<T, 3, 5>()), 1, axis<0>);
    check_numbers(some<T, 1>(3), every);
    check_numbers(some<T, 131, 5>(2), 1, axis<0>);
    check_numbers<false, false>(some<T, 0, 3>(), 1, axis<0>);
    check_numbers(some<T, 0, 3>(), 2, axis<1>);
    check_numbers(some<T, 3, 1>(), 2, axis<1>);
    check_numbers<false, false>(x, 3, axis<-1>, exclude);
  }
}

TEMPLATE_TEST_CASE("minima of NaN, infinities and zeros", "", REALS) {
  using T = TestType;
  T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  nd::tensor<T, shape<6, 5>> const x{{1, nan, 3, 2, nan},  {inf, 1, 2, 3, inf},  {-inf, -inf, -inf, -inf, -inf},
                                     {inf, -inf, 0, 1, 2}, {-0., 0, -0., 0, -1}, {inf, inf, inf, inf, inf}};
  check_numbers(x, 2, axis<1>);
  check_numbers(x, 1, axis<0>);
  lines<T> const l(x, 2, false);
  auto const of_line = [&](place_of const& p) { return logarithm(l(p)); };
  expect<ops::logsumexp>(interpret<ops::logsumexp>(axis<1>)(x), l.shape, of_line,
                         [&](place_of const& p) { return bound_of(of_line(p), l(p), 4); });
}

TEMPLATE_TEST_CASE("minima of the largest integers", "", std::int32_t, std::int64_t) {
  using T = TestType;
  T const low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  nd::tensor<T, shape<3, 3>> const x{{high, 1, 5}, {low, -1, 7}, {low, low, low}};
  check_numbers(x, 2, axis<1>);
  check_numbers(x, 1, axis<0>);
}

TEMPLATE_TEST_CASE("variances, norms and logsumexp", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4>(1);
  check_floats<true>(x, 2, axis<1>, keepdims);
  check_floats(some<T, 5, 131>(2), 2, axis<1>);
  if constexpr (std::is_same_v<T, float>) {
    check_floats(x, every);
    check_floats<true>(x, 1, axis<0>);
    check_floats(x, 5, axes<-1, 0>);
    check_floats(some<T, 1>(3), every);
    check_floats(some<T, 0, 3>(), 1, axis<0>);
    check_floats(some<T, 0, 3>(), 2, axis<1>);
    check_floats(some<T, 3, 1>(), 2, axis<1>);
    check_floats(x, 5, axis<1>, exclude);
  }
}

TEST_CASE("any and all") {
  auto const x = some<bool, 2, 3, 4>(1);
  check_truth(x, every);
  check_truth(x, 1, axis<0>);
  check_truth<true>(x, 2, axis<1>, keepdims);
  check_truth(x, 5, axes<-1, 0>);
  check_truth(x, 6, axis<0>, exclude);
  check_truth(some<bool, 0, 3>(), 1, axis<0>);
  check_truth(some<bool, 3, 1>(), 2, axis<1>);
  check_truth(some<bool, 7, 65>() == some<bool, 7, 65>(), 2, axis<1>);
}

TEST_CASE("what the keywords and operands of reductions may be") {
  using f = nd::tensor<float, shape<2, 3>>;
  using named = sym::tensor<float, shape<dim<"n">, 3>>;
  auto const fits = []<class Op, class X, class... K>(std::type_identity<Op>, std::type_identity<X>, K...) {
    return ops::call_rule<Op, X, K...>::ok;
  };
  STATIC_REQUIRE(!fits(std::type_identity<ops::norm>{}, std::type_identity<f>{}, ord<3>));
  STATIC_REQUIRE(fits(std::type_identity<ops::norm>{}, std::type_identity<f>{}, ord<2>));
  STATIC_REQUIRE(!fits(std::type_identity<ops::any_true>{}, std::type_identity<f>{}));
  STATIC_REQUIRE(!fits(std::type_identity<ops::var>{}, std::type_identity<nd::tensor<int, shape<3>>>{}));
  STATIC_REQUIRE(fits(std::type_identity<ops::var>{}, std::type_identity<named>{}, axis<0>));
  STATIC_REQUIRE(fits(std::type_identity<ops::var>{}, std::type_identity<named>{}, axis<1>, ddof<1>));
  STATIC_REQUIRE(!fits(std::type_identity<ops::var>{}, std::type_identity<named>{}, axis<0>, ddof<1>));
}

}  // namespace test
