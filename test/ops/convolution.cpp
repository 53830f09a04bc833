// SPDX-License-Identifier: Apache-2.0
// convolution of every rank, with strides, padding, dilation and groups.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class S> struct with_batch;
template <auto N, auto... D> struct with_batch<shape<N, D...>> {
  using named = shape<dim<"batch">, D...>;
  using nameless = shape<dynamic, D...>;
};
template <class T, class X, class W, class... K> void check_convolution(test::records const& r, std::string const& name,
                                                                        K const&... keywords) {
  auto const x = r.get<T, X>(name + ".x");
  auto const w = r.get<T, W>(name + ".weight");
  auto const bias = r.get<T, shape<W::value.d[0]>>(name + ".bias");
  test::compare<ops::convolution>(r, name, x, w, keywords...);
  test::compare<ops::convolution>(r, name + ".biased", x, w, bias, keywords...);
  if constexpr (std::is_same_v<T, float>)  // any number of images, with and without a name
    test::compare<ops::convolution>(r, name + ".biased", nd::tensor<T, typename with_batch<X>::named>(x), w, bias, keywords...);
  if constexpr (std::is_same_v<T, double>)
    test::compare<ops::convolution>(r, name, nd::tensor<T, typename with_batch<X>::nameless>(x), w, keywords...);
  if constexpr (std::is_same_v<T, std::int32_t>)  // operands that lie the other way round
    test::compare<ops::convolution>(r, name, transpose(transpose(x).copy()), transpose(transpose(w).copy()), keywords...);
}

}  // namespace

TEMPLATE_TEST_CASE("convolution of lines and images", "", NUMBERS) {
  using T = TestType;
  test::records const r("convolution", dtype_of<T>);
  check_convolution<T, shape<2, 3, 11>, shape<4, 3, 3>>(r, "line");
  check_convolution<T, shape<2, 4, 13>, shape<6, 2, 3>>(r, "line_all", stride<2>, pad<2>, dilate<2>, groups<2>);
  check_convolution<T, shape<2, 3, 6, 7>, shape<5, 3, 3, 3>>(r, "image", pad<1>);
  check_convolution<T, shape<1, 3, 8, 9>, shape<4, 3, 3, 2>>(r, "strided", stride<2, 3>, pad<1, 0>);
  check_convolution<T, shape<2, 2, 9, 8>, shape<3, 2, 3, 3>>(r, "dilated", dilate<2, 1>, pad<2, 3>);
  check_convolution<T, shape<2, 6, 5, 5>, shape<4, 3, 3, 3>>(r, "grouped", groups<2>, pad<1, 1>);
  check_convolution<T, shape<2, 4, 6, 6>, shape<8, 1, 3, 3>>(r, "depthwise", groups<4>, pad<1>, stride<2>);
  check_convolution<T, shape<2, 5, 4, 3>, shape<7, 5, 1, 1>>(r, "point");
  check_convolution<T, shape<1, 3, 5, 6>, shape<4, 3, 1, 1>>(r, "point_strided", stride<2>, pad<1>);
  check_convolution<T, shape<2, 3, 4, 4>, shape<5, 3, 4, 4>>(r, "whole");
  check_convolution<T, shape<1, 1, 1, 1>, shape<1, 1, 1, 1>>(r, "ones", pad<1>);
}

TEMPLATE_TEST_CASE("convolution of volumes", "", NUMBERS) {
  using T = TestType;
  test::records const r("convolution", dtype_of<T>);
  check_convolution<T, shape<1, 2, 4, 5, 6>, shape<3, 2, 2, 3, 3>>(r, "volume", stride<1, 2, 1>, pad<1, 0, 1>, dilate<1, 1, 2>);
  check_convolution<T, shape<2, 4, 3, 4, 3>, shape<4, 2, 2, 2, 2>>(r, "volume_grouped", pad<1>, groups<2>);
}

TEMPLATE_TEST_CASE("convolution with an extent 0, and of numbers of note", "", NUMBERS) {
  using T = TestType;
  test::records const r("convolution", dtype_of<T>);
  check_convolution<T, shape<0, 3, 5, 5>, shape<2, 3, 3, 3>>(r, "none");
  check_convolution<T, shape<2, 0, 4, 4>, shape<3, 0, 3, 3>>(r, "no_channels", pad<1>);
  check_convolution<T, shape<2, 3, 4, 4>, shape<0, 3, 3, 3>>(r, "no_outputs");
  check_convolution<T, shape<1, 2, 0, 3>, shape<2, 2, 1, 1>>(r, "padding", pad<1>);
  check_convolution<T, shape<1, 2, 4, 5>, shape<3, 2, 3, 3>>(r, "special", pad<1>);
}

TEST_CASE("convolution of operands that lie the other way round") {
  test::records const r("convolution", dtype::float32);
  auto const reversed = [](auto const& x) { return transpose(transpose(x).copy()); };
  auto const x = r.get<float, shape<2, 6, 5, 5>>("grouped.x");
  auto const w = r.get<float, shape<4, 3, 3, 3>>("grouped.weight");
  test::compare<ops::convolution>(r, "grouped", reversed(x), reversed(w), groups<2>, pad<1>);
}

TEST_CASE("convolution of many channels") {
  test::records const r("convolution", dtype::float32);
  check_convolution<float, shape<1, 20, 12, 13>, shape<18, 20, 3, 3>>(r, "large", pad<1>);
  check_convolution<float, shape<1, 130, 3, 4>, shape<3, 130, 3, 3>>(r, "deep", pad<1>);
}

// An operand that is its own weight is read through windows on one side alone.
TEST_CASE("convolution of an array with itself") {
  nd::tensor<float, shape<1, 1, 1, 1>> const x{3};
  auto const y = convolution(x, x, pad<1>);
  static_assert(decltype(y)::shape_type::value == dims{1, 1, 3, 3});
  for (int i = 0; i < 9; ++i) CHECK(y[i] == (i == 4 ? 9.0f : 0.0f));
}

// Padding is multiplied, as in the definition: 0 * infinity and 0 * NaN are NaN, whatever the elements are.
TEST_CASE("padding is a zero that is multiplied") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  nd::tensor<float, shape<1, 1, 3>> const x{1, 2, 3};
  auto const y = convolution(x, nd::tensor<float, shape<1, 1, 3>>{inf, 1, 0}, pad<1>);
#ifndef SINTER_CUDNN  // which leaves padding out
  CHECK(std::isnan(y[0]));
#endif
  CHECK(y[1] == inf);
  CHECK(y[2] == inf);
  auto const z = convolution(nd::tensor<float, shape<1, 1, 3>>{inf, 2, 3}, nd::tensor<float, shape<1, 1, 3>>{1, 0, 2}, pad<1>);
  CHECK(std::isnan(z[0]));  // 0 * inf + 2 * 2
  CHECK(z[1] == inf);
  CHECK(z[2] == 2);
}

namespace {
constexpr bool in_a_constant_expression() {
  nd::tensor<float, shape<1, 1, 2, 3>> const x{1, 2, 3, 4, 5, 6};
  nd::tensor<float, shape<1, 1, 2, 2>> const w{1, 10, 100, 1000};
  auto const y = convolution(x, w, nd::tensor<float, shape<1>>{0.5f}, pad<1, 0>);
  return y.shape() == dims{1, 1, 3, 2} && y[0] == 2100.5f && y[1] == 3200.5f && y[2] == 5421.5f && y[3] == 6532.5f && y[4] == 54.5f &&
         y[5] == 65.5f;
}
static_assert(in_a_constant_expression());
}  // namespace

}  // namespace test
