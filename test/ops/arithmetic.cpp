// SPDX-License-Identifier: Apache-2.0
// Arithmetic of one to three operands, of floats and of integers, which wrap.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;
template <class T> using list = nd::tensor<T, shape<211>>;

// In every layout for one operation of each arity, else in those for which kernels differ.
template <class Op, class T, class... List> void check_op(test::records const& r, List const&... operand) {
  auto const check = [](auto const& want, auto const&... in) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in...), want)); };
  auto const want = r.get<test::wanted<T>, shape<211>>(std::string(ops::op_name<Op>));
  if constexpr (std::is_same_v<Op, ops::negative> || std::is_same_v<Op, ops::subtract> || std::is_same_v<Op, ops::clip>)
    test::in_every_layout(check, want, operand...);
  else test::in_main_layouts(check, want, operand...);
}

}  // namespace

TEMPLATE_TEST_CASE("arithmetic of one and three operands", "", NUMBERS) {
  using T = TestType;
  test::records const r("binary", dtype_of<T>);
  auto const a = r.get<T, shape<211>>("a"), b = r.get<T, shape<211>>("b"), c = r.get<T, shape<211>>("c");
  check_op<ops::negative, T>(r, a);
  check_op<ops::abs, T>(r, a);
  check_op<ops::square, T>(r, a);
  check_op<ops::relu, T>(r, a);
  check_op<ops::clip, T>(r, a, b, c);
  test::expect(test::mismatch<ops::negative>(-a, r.get<test::wanted<T>, shape<211>>("negative")));
}

TEMPLATE_TEST_CASE("arithmetic of two operands", "", NUMBERS) {
  using T = TestType;
  test::records const r("binary", dtype_of<T>);
  auto const a = r.get<T, shape<211>>("a"), b = r.get<T, shape<211>>("b");
  check_op<ops::add, T>(r, a, b);
  check_op<ops::subtract, T>(r, a, b);
  check_op<ops::multiply, T>(r, a, b);
  check_op<ops::maximum, T>(r, a, b);
  check_op<ops::minimum, T>(r, a, b);
  if constexpr (std::is_floating_point_v<T>) {
    check_op<ops::divide, T>(r, a, b);
    check_op<ops::power, T>(r, a, b);
    test::expect(test::mismatch<ops::divide>(a / b, r.get<double, shape<211>>("divide")));
  }
  test::expect(test::mismatch<ops::add>(a + b, r.get<test::wanted<T>, shape<211>>("add")));
  test::expect(test::mismatch<ops::subtract>(a - b, r.get<test::wanted<T>, shape<211>>("subtract")));
  test::expect(test::mismatch<ops::multiply>(a * b, r.get<test::wanted<T>, shape<211>>("multiply")));
}

}  // namespace test
