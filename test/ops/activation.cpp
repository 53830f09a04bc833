// SPDX-License-Identifier: Apache-2.0
// Activation functions that are written with other operations.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class Op, class T, class... List> void check_op(test::records const& r, List const&... operand) {
  std::string const name(Op::name);
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

TEMPLATE_TEST_CASE("activation functions", "", float, double) {
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

}  // namespace test
