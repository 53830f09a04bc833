// SPDX-License-Identifier: Apache-2.0
// Logic, where and copies.
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

TEST_CASE("logic") {
  test::records const r("logic", dtype::boolean);
  auto const a = r.get<bool, shape<137>>("a"), b = r.get<bool, shape<137>>("b");
  check_op<ops::logical_and, bool>(r, "logical_and", a, b);
  check_op<ops::logical_or, bool>(r, "logical_or", a, b);
  check_op<ops::logical_xor, bool>(r, "logical_xor", a, b);
  check_op<ops::not_equal, bool>(r, "logical_xor", a, b);
  check_op<ops::equal, bool>(r, "logical_xor", a, !b);
  check_op<ops::logical_not, bool>(r, "logical_not", a);
  test::expect(test::mismatch<ops::logical_and>(a && b, r.get<bool, shape<137>>("logical_and")));
  test::expect(test::mismatch<ops::logical_or>(a || b, r.get<bool, shape<137>>("logical_or")));
  test::expect(test::mismatch<ops::logical_not>(!a, r.get<bool, shape<137>>("logical_not")));
}

TEMPLATE_TEST_CASE("where and identity", "", NUMBERS, bool) {
  using T = TestType;
  using W = test::wanted<T>;
  test::records const r("logic", dtype_of<T>);
  auto const condition = r.get<bool, shape<137>>("condition");
  auto const a = r.get<T, shape<137>>("where.a"), b = r.get<T, shape<137>>("where.b");
  check_op<ops::where, T>(r, "where", condition, a, b);
  check_op<ops::identity, T>(r, "where.a", a);

  auto const one = r.get<bool, shape<3, 1>>("stretched.condition");
  auto const row = r.get<T, shape<5>>("stretched.a");
  auto const number = r.get<T, shape<>>("stretched.b");
  auto const want = r.get<W, shape<3, 5>>("stretched.where");
  test::expect(test::mismatch<ops::where>(where(one, row, number), want));
  test::expect(test::mismatch<ops::where>(where(!one, number, row), want));
  test::expect(test::mismatch<ops::where>(where(one, row, static_cast<T>(number)), want));
}

}  // namespace test
