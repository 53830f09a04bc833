// SPDX-License-Identifier: Apache-2.0
// Linear algebra against definitions in long double: minors for determinants and inverses, products for what is solved.
#include "loops.hpp"

#include <cmath>

namespace test {

using namespace sinter;

namespace {

// The matrices of an array in their order, in long double.
struct matrix {
  extent n = 0, m = 0;
  std::vector<long double> v;
  matrix(extent rows, extent columns) : n(rows), m(columns), v(static_cast<std::size_t>(rows * columns)) {}
  template <class X> matrix(X const& x, extent which) : matrix(x.shape().d[x.shape().rank - 2], x.shape().d[x.shape().rank - 1]) {
    any_array<typename X::value_type> const all(x);
    for (extent i = 0; i < n * m; ++i) v[static_cast<std::size_t>(i)] = static_cast<long double>(all[which * n * m + i]);
  }
  long double& operator()(extent i, extent j) { return v[static_cast<std::size_t>(i * m + j)]; }
  long double operator()(extent i, extent j) const { return v[static_cast<std::size_t>(i * m + j)]; }
  matrix transposed() const {
    matrix r(m, n);
    for (extent i = 0; i < n; ++i)
      for (extent j = 0; j < m; ++j) r(j, i) = (*this)(i, j);
    return r;
  }
  matrix without(extent row, extent column) const {
    matrix r(n - 1, m - 1);
    for (extent i = 0; i < n - 1; ++i)
      for (extent j = 0; j < m - 1; ++j) r(i, j) = (*this)(i + (i >= row), j + (j >= column));
    return r;
  }
  // By the minors of the first row; `all`: with the magnitudes of what is added.
  long double determinant(bool all = false) const {
    if (n == 0) return 1;
    long double r = 0;
    for (extent j = 0; j < n; ++j) {
      long double const a = (*this)(0, j) * without(0, j).determinant(all);
      r += all ? std::abs(a) : j % 2 ? -a : a;
    }
    return r;
  }
  long double size() const {
    long double r = 0;
    for (long double x : v) r = std::max(r, std::abs(x));
    return r;
  }
};
matrix product_of(matrix const& a, matrix const& b) {
  matrix r(a.n, b.m);
  for (extent i = 0; i < a.n; ++i)
    for (extent j = 0; j < b.m; ++j)
      for (extent k = 0; k < a.m; ++k) r(i, j) += a(i, k) * b(k, j);
  return r;
}
matrix inverse_of(matrix const& a) {
  matrix r(a.n, a.n);
  for (extent i = 0; i < a.n; ++i)
    for (extent j = 0; j < a.n; ++j) r(j, i) = ((i + j) % 2 ? -1 : 1) * a.without(i, j).determinant() / a.determinant();
  return r;
}
template <class X> extent matrices_of(X const& x) {
  extent n = 1;
  for (int i = 0; i < X::rank - 2; ++i) n *= x.shape().d[i];
  return n;
}
template <class T> constexpr long double rounding = std::is_same_v<T, float> ? 0x1p-24L : 0x1p-53L;

// Well conditioned: a diagonal that dominates, in other rows where it is `turned`.
template <class T, auto... D> nd::tensor<T, shape<D...>> regular(int seed = 0, bool turned = false) {
  auto x = some<T, D...>(seed);
  extent const n = x.shape().d[sizeof...(D) - 1];
  for (extent i = 0; i < x.size(); ++i)
    if (extent const row = i / (n ? n : 1) % n, column = i % n; column == (turned ? (row + 1) % n : row))
      x.data()[i] += T(row % 2 ? 5 : -6);
  return x;
}
// Symmetric and positive definite.
template <class T, auto... D> nd::tensor<T, shape<D...>> definite(int seed = 0) {
  auto x = some<T, D...>(seed);
  extent const n = x.shape().d[sizeof...(D) - 1];
  for (extent i = 0; i < x.size(); ++i) {
    extent const row = i / n % n, column = i % n, first = i - row * n - column;
    if (row == column) x.data()[i] = T(3 * n) + T(row);
    else if (row < column) x.data()[first + column * n + row] = x.data()[i];
  }
  return x;
}

template <class Op> void close(not_called, auto const&) {}
template <class Op, class X> void close(X const& got, auto const& wanted_of) {
  (void)checked<Op>::marked;
#if defined(SINTER_TEST_RECORD)
  any_array<double> all(got.shape()), bounds(got.shape());
  for (extent k = 0, e = 0; k < matrices_of(got); ++k) {
    matrix const want = wanted_of(k);
    for (long double v : want.v) {
      all.owner.data()[e] = static_cast<double>(v);
      bounds.owner.data()[e++] = static_cast<double>(40 * (want.size() + 1));
    }
  }
  record_result<typename X::value_type>(ops::op_name<Op>, got.data(), all, &bounds);
#endif
  for (extent k = 0; k < matrices_of(got); ++k) {
    matrix const y(got, k), want = wanted_of(k);
    REQUIRE((y.n == want.n && y.m == want.m));
    for (std::size_t i = 0; i < y.v.size(); ++i)
      CHECK(std::abs(y.v[i] - want.v[i]) <= 40 * rounding<typename X::value_type> * (want.size() + 1));
  }
}
// In matrix k of `b` the triangle of `a` that is read.
template <class X> matrix triangle(X const& a, extent k, bool high) {
  matrix r(a, k);
  for (extent i = 0; i < r.n; ++i)
    for (extent j = 0; j < r.n; ++j)
      if (high ? j < i : j > i) r(i, j) = 0;
  return r;
}

template <bool Everywhere = false, class X> void check_cholesky(X const& a) {
  auto const l = calling<Everywhere, ops::cholesky>{}(a);
  if constexpr (!std::is_same_v<decltype(l), not_called const>) {
    for (extent k = 0; k < matrices_of(a); ++k) {
      matrix const y(l, k), x(a, k), back = product_of(y, y.transposed());
      for (extent i = 0; i < y.n; ++i)
        for (extent j = 0; j < y.n; ++j) {
          CHECK((j > i ? y(i, j) == 0 : j < i || y(i, j) > 0));
          CHECK(std::abs(back(i, j) - x(i, j)) <= 20 * rounding<typename X::value_type> * x.size());
        }
    }
  }
  (void)checked<ops::cholesky>::marked;
}
template <bool Everywhere = false, class A, class B, class... K> void check_triangular(A const& a, B const& b, K...) {
  constexpr bool high = (std::is_same_v<typename K::key, ops::key::upper> || ...);
  constexpr bool across = (std::is_same_v<typename K::key, ops::key::transpose_a> || ...);
  close<ops::solve_triangular>(calling<Everywhere, ops::solve_triangular, K...>{}(a, b), [&](extent k) {
    matrix const t = triangle(a, k % matrices_of(a), high);
    return product_of(inverse_of(across ? t.transposed() : t), matrix(b, k % matrices_of(b)));
  });
}
template <bool Everywhere = false, class X> void check_inverse(X const& a) {
  close<ops::inverse>(calling<Everywhere, ops::inverse>{}(a), [&](extent k) { return inverse_of(matrix(a, k)); });
}
template <bool Everywhere = false, class X> void check_determinant(X const& a) {
  using T = typename X::value_type;
  dims front = a.shape();
  front.rank -= 2;
  auto const value = [&](place_of const& p) { return matrix(a, index_in_array(front, p)).determinant(); };
  auto const bound = [&](place_of const& p) { return 10 * matrix(a, index_in_array(front, p)).determinant(true); };
  expect<ops::det>(calling<Everywhere, ops::det>{}(a), front, value, bound);
  (void)checked<ops::slogdet>::marked;
  auto const check = [&](auto const& signs, auto const& logarithms) {
    REQUIRE((signs.shape() == front && logarithms.shape() == front));
    for (extent i = 0; i < front.size(); ++i) {
      long double const want = value(place_in_array(front, i));
      CHECK(static_cast<long double>(any_array<T>(signs)[i]) == (want > 0) - (want < 0));
      CHECK(std::abs(static_cast<long double>(any_array<T>(logarithms)[i]) - std::log(std::abs(want))) <= 100 * rounding<T>);
    }
  };
  if constexpr (Everywhere) {
    auto const [signs, logarithms] = slogdet(a);
    check(signs, logarithms);
  }
  if constexpr (has_interpreter) {
    auto const all = interpreted<ops::slogdet>(false, a);
#if defined(SINTER_TEST_RECORD)
    if (std::ostream* const out = recording()) {
      any_array<double> signs(front), logarithms(front), bounds(front);
      for (extent i = 0; i < front.size(); ++i) {
        long double const want = value(place_in_array(front, i));
        signs.owner.data()[i] = (want > 0) - (want < 0), bounds.owner.data()[i] = 100;
        logarithms.owner.data()[i] = static_cast<double>(std::log(std::abs(want)));
      }
      *out << text_of_call<ops::slogdet>(a) << " =";
      write_result(*out, name_of(dtype_of<T>), signs, nullptr);
      write_result(*out, name_of(dtype_of<T>), logarithms, &bounds);
      *out << (runs_with_names<ops::slogdet>(a) ? "\n" : " unnamed\n");
    }
#endif
    check(interpreted_result<0, ops::slogdet, X>(all), interpreted_result<1, ops::slogdet, X>(all));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("products with a factor", "", REALS) {
  using T = TestType;
  auto const check = []<bool Everywhere>(std::bool_constant<Everywhere>, auto const& a, auto const& b, double factor, bool ta, bool tb,
                                         auto... k) {
    close<ops::gemm2>(calling<Everywhere, ops::gemm2, decltype(k)...>{}(a, b), [&](extent i) {
      matrix const x(a, i % matrices_of(a)), y(b, i % matrices_of(b));
      matrix r = product_of(ta ? x.transposed() : x, tb ? y.transposed() : y);
      for (long double& v : r.v) v *= factor;
      return r;
    });
  };
  check(std::true_type{}, some<T, 2, 3, 4>(1), some<T, 5, 4>(2), 0.5, false, true, transpose_b, alpha<0.5>);
  check(std::false_type{}, some<T, 4, 3>(1), some<T, 2, 4, 5>(2), 1, true, false, transpose_a);
  check(std::false_type{}, some<T, 4, 3>(1), some<T, 5, 4>(2), -2, true, true, transpose_a, transpose_b, alpha<-2>);
  check(std::false_type{}, some<T, 4, 0>(1), some<T, 0, 2>(2), 3, false, false, alpha<3>);
}

TEMPLATE_TEST_CASE("lower triangles of symmetric matrices", "", REALS) {
  using T = TestType;
  check_cholesky<true>(definite<T, 2, 3, 3>(1));
  check_cholesky(definite<T, 6, 6>(2));
  check_cholesky(definite<T, 2, 2, 1, 1>(3));
  check_cholesky(definite<T, 0, 2, 2>());
  check_cholesky(definite<T, 2, 0, 0>());
}
TEST_CASE("what has no lower triangle is NaN") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  // Above the diagonal nothing is read; the others are not definite.
  nd::tensor<float, shape<5, 2, 2>> const a{{{4, nan}, {2, 2}}, {{1, 2}, {2, 1}}, {{-1, 0}, {0, 1}}, {{0, 0}, {0, 0}}, {{1, 0}, {nan, 1}}};
  auto const l = cholesky(a);
  CHECK((l(0, 0, 0) == 2 && l(0, 0, 1) == 0 && l(0, 1, 0) == 1 && l(0, 1, 1) == 1));
  for (extent i = 4; i < l.size(); ++i) CHECK(std::isnan(l[i]));
}

TEMPLATE_TEST_CASE("triangular matrices are solved", "", REALS) {
  using T = TestType;
  auto const a = regular<T, 4, 4>(1);
  auto const b = some<T, 2, 4, 3>(2);
  check_triangular<true>(a, b, upper);
  check_triangular(a, b);
  check_triangular(a, b, transpose_a);
  check_triangular(a, b, upper, transpose_a);
  check_triangular(regular<T, 2, 4, 4>(3), some<T, 4, 1>(4));
  check_triangular(regular<T, 2, 1, 1>(3), some<T, 2, 1, 5>(4), upper);
  check_triangular(regular<T, 3, 3>(3), some<T, 3, 0>());
  check_triangular(regular<T, 0, 0>(), some<T, 2, 0, 3>());
}
TEST_CASE("triangular matrices with a zero on the diagonal") {
  nd::tensor<float, shape<2, 2>> const a{{0, 0}, {1, 1}}, b{{1, 0}, {1, 1}};
  auto const x = solve_triangular(a, b);
  CHECK((std::isinf(x(0, 0)) && std::isnan(x(0, 1)) && std::isnan(x(1, 1))));
}

TEMPLATE_TEST_CASE("inverses and determinants", "", REALS) {
  using T = TestType;
  check_inverse<true>(regular<T, 2, 3, 3>(1));
  check_inverse(regular<T, 5, 5>(2, true));
  check_inverse(regular<T, 3, 1, 1>(3));
  check_inverse(regular<T, 0, 2, 2>());
  check_inverse(regular<T, 2, 0, 0>());
  check_inverse(regular<T, 2, 2, 4, 4>(1, true));
  check_determinant<true>(regular<T, 2, 3, 3>(1));
  check_determinant(regular<T, 5, 5>(2, true));
  check_determinant(regular<T, 2, 4, 4>(2, true));
  check_determinant(regular<T, 3, 1, 1>(3));
  check_determinant(regular<T, 0, 2, 2>());
  check_determinant(regular<T, 2, 0, 0>());
}
TEST_CASE("singular matrices, and such as need their rows exchanged") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  nd::tensor<float, shape<5, 2, 2>> const a{{{1, 2}, {2, 4}}, {{0, 1}, {1, 0}}, {{0, 0}, {0, 0}}, {{nan, 1}, {1, 1}}, {{1, nan}, {1, 1}}};
  auto const x = inverse(a);
  for (int k : {0, 2, 3, 4})
    for (int i = 0; i < 4; ++i) CHECK(std::isnan(x[4 * k + i]));
  CHECK((x(1, 0, 0) == 0 && x(1, 0, 1) == 1 && x(1, 1, 0) == 1 && x(1, 1, 1) == 0));
  auto const d = det(a);
  CHECK((d[0] == 0 && d[1] == -1 && d[2] == 0 && std::isnan(d[3]) && std::isnan(d[4])));
  auto const [signs, logarithms] = slogdet(a);
  CHECK((signs[0] == 0 && signs[1] == -1 && signs[2] == 0 && std::isnan(signs[3]) && std::isnan(signs[4])));
  CHECK((logarithms[0] == -inf && logarithms[1] == 0 && logarithms[2] == -inf && std::isnan(logarithms[3]) && std::isnan(logarithms[4])));
  // A small pivot would lose the 1.
  nd::tensor<float, shape<2, 2>> const small{{1e-10f, 1}, {1, 1}};
  CHECK(det(small).item() == Approx(-1));
  CHECK(inverse(small)(0, 1) == Approx(1));
}
TEST_CASE("matrices of float16 are computed in float32") {
  nd::tensor<float16, shape<2, 2>> const a{{4, 2}, {2, 3}};
  CHECK((static_cast<float>(inverse(a)(1, 1)) == 0.5f && static_cast<float>(cholesky(a)(1, 0)) == 1 &&
         static_cast<float>(det(a).item()) == 8));
}

constexpr bool in_constant_expressions() {
  double const a[]{0, 2, 4, 2};
  double x[4]{}, factors[4]{}, all[3]{};
  dims const s{2, 2};
  ops::array_view<double const> const in{a, s};
  ops::lu_inverse::run(no_attributes{}, ops::array_view<double>{x, s}, ops::array_view<double>{factors, s}, in);
  if (x[0] != -0.25 || x[1] != 0.25 || x[2] != 0.5 || x[3] != 0) return false;
  ops::lu_determinant::run(no_attributes{}, ops::array_view<double>{all, {}}, ops::array_view<double>{all + 1, {}},
                           ops::array_view<double>{all + 2, {}}, ops::array_view<double>{factors, s}, in);
  if (all[0] != -8 || all[1] != -1 || math::abs(all[2] - 2.0794415416798357) > 1e-15) return false;
  double const b[]{4, 2, 2, 5};
  ops::cholesky::run(no_attributes{}, ops::array_view<double>{x, s}, ops::array_view<double const>{b, s});
  if (x[0] != 2 || x[1] != 0 || x[2] != 1 || x[3] != 2) return false;
  ops::triangular_solution::run(ops::triangular_attributes{}, ops::array_view<double>{factors, {2, 1}}, ops::array_view<double const>{x, s},
                                ops::array_view<double const>{b, {2, 1}});
  return factors[0] == 2 && factors[1] == 0;
}
TEST_CASE("matrices in constant expressions") { STATIC_REQUIRE(in_constant_expressions()); }

}  // namespace test
