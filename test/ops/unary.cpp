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

// The comparison itself: what it must find, and what it must let pass.
TEST_CASE("a wrong number is found") {
  using one = sinter::nd::tensor<float, shape<1>>;
  using wide = sinter::nd::tensor<double, shape<1>>;
  float const inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN(),
              most = std::numeric_limits<float>::max();
  auto const differ = [](float got, double want) { return test::mismatch<ops::sqrt>(one{got}, wide{want}) != ""; };
  CHECK(!differ(1, 1));
  CHECK(!differ(1, 1 + 0x1p-25));
  CHECK(differ(1, 1 + 0x1p-23));
  CHECK(differ(1, 1 - 0x1p-24));
  CHECK(differ(1, nan));
  CHECK(differ(nan, 1));
  CHECK(!differ(nan, nan));
  CHECK(differ(inf, -inf));
  CHECK(differ(inf, most));
  CHECK(!differ(inf, 1e300));
  CHECK(differ(most, inf));
  CHECK(differ(0.f, -0.0));
  CHECK(!differ(0.f, 1e-60));
  CHECK(differ(0.f, 1e-40));
  CHECK(!differ(std::numeric_limits<float>::denorm_min(), 0x1.4p-149));
  CHECK(test::mismatch<ops::sqrt>(one{1}, sinter::nd::tensor<double, shape<2>>{1, 1}) != "");
  CHECK(test::mismatch<ops::gelu>(one{1}, wide{1 + 0x1p-20}, wide{18}) == "");
  CHECK(test::mismatch<ops::gelu>(one{1}, wide{1 + 0x1p-20}, wide{13}) != "");
}

}  // namespace test
