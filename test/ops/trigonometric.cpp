// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions of floats, of large numbers, too; logarithms to other bases and roots.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class Op, class... List> void check_op(test::records const& r, List const&... operand) {
  test::in_main_layouts([](auto const& want, auto const&... in) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in...), want)); },
                        r.get<double, shape<283>>(std::string(ops::op_name<Op>)), operand...);
}

}  // namespace

TEMPLATE_TEST_CASE("trigonometric and hyperbolic functions", "", REALS) {
  using T = TestType;
  test::records const r("trigonometric", dtype_of<T>);
  auto const x = r.get<T, shape<283>>("x");
  check_op<ops::sin>(r, x);
  check_op<ops::cos>(r, x);
  check_op<ops::tan>(r, x);
  check_op<ops::arcsin>(r, x);
  check_op<ops::arccos>(r, x);
  check_op<ops::arctan>(r, x);
  check_op<ops::sinh>(r, x);
  check_op<ops::cosh>(r, x);
  check_op<ops::arcsinh>(r, x);
  check_op<ops::arccosh>(r, x);
  check_op<ops::arctanh>(r, x);
  check_op<ops::log2>(r, x);
  check_op<ops::log10>(r, x);
  check_op<ops::cbrt>(r, x);
  check_op<ops::hypot>(r, r.get<T, shape<283>>("a"), r.get<T, shape<283>>("b"));
}

}  // namespace test
