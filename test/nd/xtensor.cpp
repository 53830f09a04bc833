// SPDX-License-Identifier: Apache-2.0
// Tensors of sinter and of xtensor over the same memory.
#include <sinter/nd/xtensor.hpp>
#include <sinter/nn/space.hpp>

#if __has_include(<xtensor/core/xmath.hpp>)
#include <xtensor/core/xmath.hpp>
#else
#include <xtensor/xmath.hpp>
#endif

#include "../catch.hpp"

// Clang 19 finds xtensor 0.24's xarray ambiguous.
#if !defined(__clang__) || XTENSOR_VERSION_MINOR > 24
#define SINTER_TEST_XARRAY 1
#endif

namespace nd = sinter::nd;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = nd::tensor<float, shape<D...>>;

TEST_CASE("a tensor seen by xtensor is the same memory") {
  f32<2, 3> const t{1, 2, 3, 4, 5, 6};
  auto const read = nd::as_xtensor(t);
  CHECK(&read(1, 2) == &t(1, 2));
  CHECK(read.size() == 6);
  auto x = nd::as_writable_xtensor(t);
  x(0, 1) = 20;
  CHECK((t(0, 1) == 20 && read(0, 1) == 20));
  x *= 2.f;
  x = x + read;
  CHECK((t(1, 2) == 24 && t.data() == &read(0, 0)));
  CHECK(xt::sum(read)() == 156);
}

TEST_CASE("views keep their strides") {
  f32<2, 4> const t{1, 2, 3, 4, 5, 6, 7, 8};
  auto const turned = sinter::transpose(t);
  auto const x = nd::as_xtensor(turned);
  CHECK((x.shape()[0] == 4 && x.shape()[1] == 2));
  CHECK(&x(3, 1) == &t(1, 3));
  auto const half = sinter::slice(t, sinter::begin<0, 1>, sinter::end<2, 4>, sinter::step<1, 2>);  // 2 4; 6 8
  CHECK(xt::sum(nd::as_xtensor(half))() == 20);
  nd::assign(half, nd::as_xtensor(half) * 10.f);  // the elements between stay
  float const expected[]{1, 20, 3, 40, 5, 60, 7, 80};
  for (int i = 0; i < 8; ++i) CHECK(t[i] == expected[i]);
  CHECK_THROWS_AS(nd::as_writable_xtensor(half), sinter::shape_error);
  CHECK_THROWS_AS(nd::as_writable_xtensor(turned), sinter::shape_error);
  auto const back = sinter::slice(f32<4>{1, 2, 3, 4}, sinter::begin<sinter::open>, sinter::end<sinter::open>, sinter::step<-1>);
  xt::xtensor<float, 1> const copy = nd::as_xtensor(back);
  CHECK((copy(0) == 4 && copy(3) == 1));
}

TEST_CASE("any rank and size") {
  f32<> const scalar(3.f);
  CHECK(nd::as_xtensor(scalar)() == 3);
  f32<dim<"n">, 2> const empty({0, 2});
  CHECK(nd::as_xtensor(empty).size() == 0);
  f32<1, 3, 1> const ones{1, 2, 3};
  CHECK(nd::as_xtensor(ones)(0, 2, 0) == 3);
  nd::tensor<bool, shape<2>> const flags{true, false};
  CHECK(nd::as_xtensor(flags)(0));
}

TEST_CASE("an xtensor is borrowed") {
  xt::xtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  auto const t = nd::borrow_xtensor(x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(t)>, f32<sinter::dynamic, sinter::dynamic>>);
  CHECK(t.data() == x.data());
  CHECK(t.shape() == sinter::dims{2, 3});
  t(1, 1) = 50;
  CHECK(x(1, 1) == 50);
  auto const doubled = t * 2;
  CHECK(doubled(1, 1) == 100);
  auto const fixed = nd::borrow_xtensor<shape<2, 3>>(x);
  CHECK(sinter::transpose(fixed)(2, 0) == 3);
  CHECK_THROWS_AS((nd::borrow_xtensor<shape<3, 2>>(x)), sinter::shape_error);

#ifdef SINTER_TEST_XARRAY
  xt::xarray<double> a{{1, 2}, {3, 4}, {5, 6}};
  auto const named = nd::borrow_xtensor<shape<dim<"batch">, 2>>(a);
  CHECK((named.shape().d[0] == 3 && named(2, 1) == 6));
  CHECK_THROWS_AS((nd::borrow_xtensor<shape<3>>(a)), sinter::shape_error);
#endif
  xt::xtensor<float, 2, xt::layout_type::column_major> columns{{1, 2, 3}, {4, 5, 6}};
  auto const c = nd::borrow_xtensor(columns);
  CHECK((c(0, 1) == 2 && c(1, 0) == 4 && !c.is_contiguous()));
}

TEST_CASE("an xtensor that nobody else needs is taken over") {
  xt::xtensor<float, 1> x{1, 2, 3};
  float const* const memory = x.data();
  auto t = nd::borrow_xtensor(std::move(x));
  CHECK(t.data() == memory);
  auto const copy = t;
  t = {};
  CHECK((copy.data() == memory && copy(2) == 3));
  xt::xtensor<float, 2> a{{1, 2}};
  CHECK_THROWS_AS((nd::borrow_xtensor<shape<2, 2>>(std::move(a))), sinter::shape_error);
}

TEST_CASE("an expression is assigned in place") {
  f32<2, 3> const a{1, 2, 3, 4, 5, 6}, y;
  f32<3> const b{10, 20, 30};
  float const* const memory = y.data();
  nd::assign(y, nd::as_xtensor(a) * 2.f + nd::as_xtensor(b));
  CHECK(y.data() == memory);
  CHECK((y(0, 0) == 12 && y(1, 2) == 42));
  f32<3, 2> const turned_memory;
  auto const turned = sinter::transpose(turned_memory);
  nd::assign(turned, nd::as_xtensor(a));
  CHECK((turned_memory(2, 1) == 6 && turned_memory(0, 1) == 4));
  nd::assign(y, -nd::as_xtensor(y));
  CHECK(y(1, 2) == -42);
  CHECK_THROWS_AS(nd::assign(y, nd::as_xtensor(b) + 1.f), sinter::shape_error);
  CHECK_THROWS_AS(nd::assign(f32<2>{}, nd::as_xtensor(b) + 1.f), sinter::shape_error);
}

TEST_CASE("nobody writes to a parameter or to a view that repeats elements through xtensor") {
  f32<2, 3> const a{1, 2, 3, 4, 5, 6};
  auto const parameter = f32<2, 3>::share(a.owner(), sinter::dims{2, 3}, true);
  CHECK(nd::as_xtensor(parameter)(1, 2) == 6);
  CHECK_THROWS_AS(nd::as_writable_xtensor(parameter), sinter::parameter_error);
  CHECK_THROWS_AS(nd::assign(parameter, nd::as_xtensor(a) * 2.f), sinter::parameter_error);
  CHECK_THROWS_AS(nd::assign(sinter::transpose(parameter), xt::transpose(nd::as_xtensor(a))), sinter::parameter_error);
  auto const repeated = sinter::broadcast_to(f32<3>{1, 2, 3}, sinter::into<2, 3>);
  CHECK_THROWS_AS(nd::assign(repeated, nd::as_xtensor(a)), sinter::shape_error);
  CHECK(a(1, 2) == 6);
}
