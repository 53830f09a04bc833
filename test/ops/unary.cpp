// SPDX-License-Identifier: Apache-2.0
// Roots, exponentials and activation functions of floats.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using test::dims, test::shape, test::dim;
template <class T> using list = sinter::nd::tensor<T, shape<283>>;

template <class Op, class T> void check_exactly(test::records const& r, list<T> const& x) {
  test::in_main_layouts([](auto const& in, auto const& want) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in), want)); }, x,
                        r.get<double, shape<283>>(std::string(ops::op_name<Op>)));
}
template <class Op, class T> void check_bounded(test::records const& r, list<T> const& x) {
  test::in_every_layout(
      [](auto const& in, auto const& want, auto const& bound) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in), want, bound)); },
      x, r.get<double, shape<283>>(std::string(ops::op_name<Op>)), r.get<double, shape<283>>("gelu.bound"));
}

}  // namespace

TEMPLATE_TEST_CASE("functions of one float", "", REALS) {
  using T = TestType;
  test::records const r("unary", sinter::dtype_of<T>);
  auto const x = r.get<T, shape<283>>("x");
  check_exactly<ops::sqrt>(r, x);
  check_exactly<ops::rsqrt>(r, x);
  check_exactly<ops::exp>(r, x);
  check_exactly<ops::expm1>(r, x);
  check_exactly<ops::log>(r, x);
  check_exactly<ops::log1p>(r, x);
  check_exactly<ops::tanh>(r, x);
  check_exactly<ops::erf>(r, x);
  check_exactly<ops::sigmoid>(r, x);
  check_exactly<ops::relu>(r, x);
  check_exactly<ops::softrelu>(r, x);
  check_bounded<ops::gelu>(r, x);
  check_bounded<ops::gelu_tanh>(r, x);
}

}  // namespace test
