// SPDX-License-Identifier: Apache-2.0
// Activation functions that are written with other operations.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class Op, class T, class... List> void check_op(test::records const& r, List const&... operand) {
  std::string const name(ops::op_name<Op>);
  auto const want = r.get<double, shape<211>>(name);
  if (r.has<double>(name + ".bound")) {
    test::in_main_layouts(
        [](auto const& w, auto const& bound, auto const&... in) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in...), w, bound)); },
        want, r.get<double, shape<211>>(name + ".bound"), operand...);
  } else {
    test::in_main_layouts([](auto const& w, auto const&... in) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in...), w)); }, want,
                          operand...);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("activation functions", "", REALS) {
  using T = TestType;
  test::records const r("activation", dtype_of<T>);
  auto const x = r.get<T, shape<211>>("x");
  check_op<ops::silu, T>(r, x);
  check_op<ops::softsign, T>(r, x);
  check_op<ops::hard_sigmoid, T>(r, x);
  check_op<ops::hard_swish, T>(r, x);
  check_op<ops::mish, T>(r, x);
  check_op<ops::elu, T>(r, x);
  check_op<ops::selu, T>(r, x);
  check_op<ops::leaky_relu, T>(r, x);
  check_op<ops::prelu, T>(r, x, r.get<T, shape<211>>("alpha"));
  check_op<ops::logaddexp, T>(r, r.get<T, shape<211>>("a"), r.get<T, shape<211>>("b"));
  check_op<ops::degrees, T>(r, x);
  check_op<ops::radians, T>(r, x);
  test::compare<ops::elu>(r, "elu.half", x, alpha<0.5>);
  test::compare<ops::leaky_relu>(r, "leaky_relu.tenth", x, slope<0.1>);
}

TEST_CASE("an activation function broadcasts its second operand") {
  nd::tensor<float, shape<2, 2, 2>> const x{-1, 2, -3, 4, -5, 6, -7, -8};
  nd::tensor<float, shape<2, 1>> const each{0.5, 2};
  CHECK(prelu(x, each).to_vector() == std::vector<float>{-0.5, 2, -6, 4, -2.5, 6, -14, -16});
  CHECK(prelu(x, 0.25).to_vector() == leaky_relu(x).to_vector());
  CHECK(logaddexp(x, x).shape() == dims{2, 2, 2});
}

TEMPLATE_TEST_CASE("smooth_l1 is a parabola between two lines", "", REALS) {
  using T = TestType;
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  nd::tensor<T, shape<4, 5>> const x{0,   -T(0),  1,        -1,       T(0.25), -T(0.25), T(0.99), T(-1.01), inf,    -inf,
                                     nan, T(3.7), T(-1e10), T(1e-10), T(0.2),  4,        -4,      T(0.1),   T(0.5), -2};
  auto const check = [&](auto const& got, long double s) {
    expect<ops::smooth_l1>(got, x.shape(), [&](place_of const& p) {
      auto const v = static_cast<long double>(any_array<T>(x)[index_in_array(x.shape(), p)]), size = std::abs(v);
      return static_cast<double>(size > 1 / (s * s) ? size - 1 / (2 * s * s) : s * v * (s * v) / 2);
    });
  };
  check(call<ops::smooth_l1>()(x), 1);
  check(interpret<ops::smooth_l1>(values<1>)(x), 1);
  check(interpret<ops::smooth_l1>(values<2>)(x), 2);
  check(interpret<ops::smooth_l1>(values<0.7>)(x), 0.7);
  STATIC_REQUIRE(!ops::call_rule<ops::smooth_l1, nd::tensor<T, shape<3>>, decltype(values<0>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::smooth_l1, nd::tensor<std::int32_t, shape<3>>>::ok);
}

}  // namespace test
