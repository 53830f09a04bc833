// SPDX-License-Identifier: Apache-2.0
// Comparisons, of operands of the same shape and of different ones.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;
template <class T> using list = nd::tensor<T, shape<137>>;

template <class Op, class E, class... List> void check_op(test::records const& r, std::string const& name, List const&... operand) {
  auto const check = [](auto const& want, auto const&... in) { test::expect(test::mismatch<Op>(ops::function<Op>{}(in...), want)); };
  auto const want = r.get<test::wanted<E>, shape<137>>(name);
  if constexpr (std::is_same_v<Op, ops::lesser> || std::is_same_v<Op, ops::where> || std::is_same_v<Op, ops::logical_not>)
    test::in_every_layout(check, want, operand...);
  else test::in_main_layouts(check, want, operand...);
}

}  // namespace

TEMPLATE_TEST_CASE("comparisons", "", NUMBERS) {
  using T = TestType;
  test::records const r("logic", dtype_of<T>);
  auto const a = r.get<T, shape<137>>("a"), b = r.get<T, shape<137>>("b");
  check_op<ops::equal, bool>(r, "equal", a, b);
  check_op<ops::not_equal, bool>(r, "not_equal", a, b);
  check_op<ops::lesser, bool>(r, "lesser", a, b);
  check_op<ops::lesser_equal, bool>(r, "lesser_equal", a, b);
  check_op<ops::greater, bool>(r, "greater", a, b);
  check_op<ops::greater_equal, bool>(r, "greater_equal", a, b);
  auto const want = [&](char const* name) { return r.get<bool, shape<137>>(name); };
  test::expect(test::mismatch<ops::equal>(a == b, want("equal")));
  test::expect(test::mismatch<ops::not_equal>(a != b, want("not_equal")));
  test::expect(test::mismatch<ops::lesser>(a < b, want("lesser")));
  test::expect(test::mismatch<ops::lesser_equal>(a <= b, want("lesser_equal")));
  test::expect(test::mismatch<ops::greater>(a > b, want("greater")));
  test::expect(test::mismatch<ops::greater_equal>(a >= b, want("greater_equal")));
}

namespace {

template <class T, class A, class B, class Out> void check_stretched(test::records const& r, std::string const& name) {
  auto const a = r.get<T, A>(name + ".a");
  auto const b = r.get<T, B>(name + ".b");
  auto const want = r.get<bool, Out>(name + ".lesser");
  INFO(name);
  test::expect(test::mismatch<ops::lesser>(a < b, want));
  test::expect(test::mismatch<ops::greater>(transpose(transpose(b).copy()) > a, want));
}

}  // namespace

TEMPLATE_TEST_CASE("comparisons of different shapes", "", NUMBERS) {
  using T = TestType;
  test::records const r("logic", dtype_of<T>);
  check_stretched<T, shape<3, 5>, shape<5>, shape<3, 5>>(r, "row");
  check_stretched<T, shape<3, 5>, shape<3, 1>, shape<3, 5>>(r, "column");
  check_stretched<T, shape<2, 1, 4>, shape<3, 1>, shape<2, 3, 4>>(r, "both");
  check_stretched<T, shape<>, shape<7>, shape<7>>(r, "scalar");
  check_stretched<T, shape<1>, shape<0>, shape<0>>(r, "nothing");
  check_stretched<T, shape<2, 0, 4>, shape<4>, shape<2, 0, 4>>(r, "middle");
  check_stretched<T, shape<1, 67>, shape<3, 1>, shape<3, 67>>(r, "long");
}

}  // namespace test
