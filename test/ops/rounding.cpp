// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers, signs, predicates and remainders, which are NumPy's to the last bit.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class Op, class E, class... List> void check_op(test::records const& r, List const&... operand) {
  auto const check = [](auto const& want, auto const&... in) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in...), want)); };
  auto const want = r.get<test::wanted<E>, shape<211>>(std::string(ops::op_name<Op>));
  if constexpr (std::is_same_v<Op, ops::mod>) test::in_every_layout(check, want, operand...);
  else test::in_main_layouts(check, want, operand...);
}

}  // namespace

TEMPLATE_TEST_CASE("rounding, signs and predicates", "", NUMBERS) {
  using T = TestType;
  test::records const r("rounding", dtype_of<T>);
  auto const x = r.get<T, shape<211>>("x");
  check_op<ops::floor, T>(r, x);
  check_op<ops::ceil, T>(r, x);
  check_op<ops::trunc, T>(r, x);
  check_op<ops::rint, T>(r, x);
  check_op<ops::round, T>(r, x);
  check_op<ops::sign, T>(r, x);
  check_op<ops::isnan, bool>(r, x);
  check_op<ops::isinf, bool>(r, x);
  check_op<ops::isfinite, bool>(r, x);
  if constexpr (std::is_floating_point_v<T>) check_op<ops::reciprocal, T>(r, x);
}

TEMPLATE_TEST_CASE("remainders", "", NUMBERS) {
  using T = TestType;
  test::records const r("rounding", dtype_of<T>);
  auto const a = r.get<T, shape<211>>("a"), b = r.get<T, shape<211>>("b");
  check_op<ops::mod, T>(r, a, b);
  check_op<ops::floor_divide, T>(r, a, b);
}

TEST_CASE("quotients that a float nearly does not count are cut exactly") {
  nd::tensor<float, shape<211>> a, b;
  nd::tensor<wanted<float>, shape<211>> want;
  for (int i = 0; i < 211; ++i) {
    b[i] = (i % 2 ? -0.75f : 1.f) + static_cast<float>(i) / 512;
    a[i] = (i % 3 ? 1.f : -1.f) * (static_cast<float>((1 << 20) + (i * 39119 & 0x6fffff)) * std::abs(b[i]) + 0.25f);
    want[i] = std::floor(static_cast<double>(a[i]) / static_cast<double>(b[i]));  // a double is near enough
  }
  auto const check = [](auto const& expected, auto const&... in) {
    test::expect(test::mismatch<ops::floor_divide>(ops::function<ops::floor_divide>{}(in...), expected));
  };
  test::in_main_layouts(check, want, a, b);
}

}  // namespace test
