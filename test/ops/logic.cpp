// SPDX-License-Identifier: Apache-2.0
// Comparison, logic, where, casts and copies.
#include "check.hpp"

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

TEMPLATE_TEST_CASE("comparisons", "", float, double, std::int32_t, std::int64_t) {
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

TEMPLATE_TEST_CASE("comparisons of different shapes", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("logic", dtype_of<T>);
  check_stretched<T, shape<3, 5>, shape<5>, shape<3, 5>>(r, "row");
  check_stretched<T, shape<3, 5>, shape<3, 1>, shape<3, 5>>(r, "column");
  check_stretched<T, shape<2, 1, 4>, shape<3, 1>, shape<2, 3, 4>>(r, "both");
  check_stretched<T, shape<>, shape<7>, shape<7>>(r, "scalar");
  check_stretched<T, shape<1>, shape<0>, shape<0>>(r, "nothing");
  check_stretched<T, shape<2, 0, 4>, shape<4>, shape<2, 0, 4>>(r, "middle");
  check_stretched<T, shape<1, 131>, shape<3, 1>, shape<3, 131>>(r, "long");
}

TEST_CASE("logic") {
  test::records const r("logic", dtype::boolean);
  auto const a = r.get<bool, shape<137>>("a"), b = r.get<bool, shape<137>>("b");
  check_op<ops::logical_and, bool>(r, "logical_and", a, b);
  check_op<ops::logical_or, bool>(r, "logical_or", a, b);
  check_op<ops::logical_xor, bool>(r, "logical_xor", a, b);
  check_op<ops::logical_not, bool>(r, "logical_not", a);
  test::expect(test::mismatch<ops::logical_and>(a && b, r.get<bool, shape<137>>("logical_and")));
  test::expect(test::mismatch<ops::logical_or>(a || b, r.get<bool, shape<137>>("logical_or")));
  test::expect(test::mismatch<ops::logical_not>(!a, r.get<bool, shape<137>>("logical_not")));
}

TEMPLATE_TEST_CASE("where and identity", "", float, double, std::int32_t, std::int64_t, bool) {
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

namespace {

template <class From, class To> void check_cast(test::records const& r) {
  constexpr bool safe = std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>;
  auto const x = r.get<From, shape<101>>(safe ? "cast.safe" : "cast.x");
  auto const want = r.get<test::wanted<To>, shape<101>>("cast." + std::string(name_of(dtype_of<To>)));
  INFO("from " << name_of(dtype_of<From>));
  test::in_main_layouts([](auto const& in, auto const& wanted) { test::expect(test::mismatch<ops::cast>(cast(in, as<To>), wanted)); }, x,
                        want);
}

}  // namespace

TEMPLATE_TEST_CASE("casts", "", float, double, std::int32_t, std::int64_t, bool) {
  test::records const r("logic", dtype_of<TestType>);
  check_cast<TestType, float>(r);
  check_cast<TestType, double>(r);
  check_cast<TestType, std::int32_t>(r);
  check_cast<TestType, std::int64_t>(r);
  check_cast<TestType, bool>(r);
}
