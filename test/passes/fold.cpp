// SPDX-License-Identifier: Apache-2.0
// fold_constants alone: what depends on constants only is computed, if no bit can differ from what a kernel computes.
#include "build.hpp"

using namespace test;

namespace {

// What the pass makes of a graph without inputs.
constexpr graph folded(builder& b, int output) { return tidied(passes::fold_constants(b.with_outputs(output))); }
constexpr bool is_constant_of(graph const& g, dtype t, dims const& s, std::initializer_list<double> v) {
  node const& k = g.nodes[g.outputs[0]];
  if (g.nodes.size() != 1 || k.op != &constant_op || !(k.type == array_type{t, s}) || k.data != static_cast<int>(v.size())) return false;
  for (int i = 0; i < k.data; ++i)
    if (g.data[k.index + i] != bits_of(t, v.begin()[i])) return false;
  return true;
}

constexpr bool numbers() {
  builder b;
  return is_constant_of(folded(b, b.call<ops::multiply>(b.number(2), b.number(3))), dtype::float32, {}, {6});
}
constexpr bool rounds_to_its_type() {
  builder a, b;
  float const third = 1.f / 3.f;
  return is_constant_of(folded(a, a.call<ops::divide>(a.number(1), a.number(3))), dtype::float32, {}, {third}) &&
         is_constant_of(folded(b, b.call<ops::divide>(b.number<double>(1), b.number<double>(3))), dtype::float64, {}, {1. / 3.});
}
constexpr bool arrays_broadcast() {
  builder b;
  int const row = b.constant<shape<3>>({1, 2, 3}), column = b.constant<shape<2, 1>>({10, 20});
  return is_constant_of(folded(b, b.call<ops::add>(row, column)), dtype::float32, shape<2, 3>::value, {11, 12, 13, 21, 22, 23});
}
constexpr bool ranges() {
  builder b;
  return is_constant_of(folded(b, b.call<ops::arange>(values<1, 3, 0.5>)), dtype::float32, shape<4>::value, {1, 1.5, 2, 2.5});
}
constexpr bool chains() {
  builder b;
  int const c = b.call<ops::greater>(b.call<ops::arange>(values<3>), b.number(1));
  return is_constant_of(folded(b, b.call<ops::where>(c, b.number(7), b.constant<shape<3>>({1, 2, 3}))), dtype::float32, shape<3>::value,
                        {1, 2, 7});
}
constexpr bool casts() {
  builder b;
  int const x = b.constant<shape<3>>({-1.75, 0, 2.5});
  return is_constant_of(folded(b, b.call<ops::cast>(x, as<std::int32_t>)), dtype::int32, shape<3>::value, {-1, 0, 2});
}
// As a kernel casts them, which knows no double between two integers or an integer and a float.
template <class From, class To> constexpr bool casts_to(From from, To to) {
  builder b;
  int const x = b.g.fill(dtype_of<From>, dims{}, bits_of(dtype_of<From>, from));
  graph const g = folded(b, b.call<ops::cast>(x, as<To>));
  return g.nodes.size() == 1 && g.is(0, constant_op) && g.data[g.nodes[0].index] == bits_of(dtype_of<To>, to);
}
constexpr bool casts_are_exact() {
  std::int64_t const odd = 9007199254740993, high = (std::int64_t{1} << 54) + (std::int64_t{1} << 30) + 1;
  return casts_to(odd, 9007199254740992.) && casts_to(high, static_cast<float>(high)) && casts_to(odd, std::int32_t{1}) &&
         casts_to(odd, true) && casts_to(std::int32_t{-5}, std::int64_t{-5}) && casts_to(16777217.F, std::int64_t{16777216});
}
constexpr bool large_ranges() {
  constexpr std::int64_t odd = 9007199254740993;
  builder b;
  graph const g = folded(b, b.call<ops::arange>(values<odd, odd + 4, 2>, as<std::int64_t>));
  return g.nodes.size() == 1 && g.nodes[0].data == 2 && g.data[g.nodes[0].index + 1] == static_cast<std::uint64_t>(odd + 2);
}
constexpr bool whole_numbers_wrap() {
  builder b;
  int const big = b.number<std::int32_t>(2147483647), one = b.number<std::int32_t>(1);
  graph const g = folded(b, b.call<ops::add>(big, one));
  return g.nodes.size() == 1 && element_of<std::int32_t>(g.data[g.nodes[0].index]) == -2147483647 - 1;
}
constexpr bool views_of_a_fill() {
  builder b;
  int const five = b.call<ops::broadcast_to>(b.number(5), into<2, 3>);
  return is_constant_of(folded(b, b.call<ops::transpose>(five)), dtype::float32, shape<3, 2>::value, {5});
}

template <class Op> constexpr bool stays() {
  builder b;
  graph const g = folded(b, b.call<Op>(b.number(2)));
  return count<Op>(g) == 1;
}
// Their bits are the backend's.
constexpr bool rounded_otherwise_stay() { return stays<ops::exp>() && stays<ops::log>() && stays<ops::tanh>() && stays<ops::sigmoid>(); }
constexpr bool large_ones_stay() {
  builder b, c;
  graph const g = folded(b, b.call<ops::arange>(values<257>)), h = folded(c, c.call<ops::arange>(values<256>));
  return count<ops::arange>(g) == 1 && count(h, constant_op) == 1;
}
// The same values twice are data once, and others beside them.
constexpr bool equal_ones_share() {
  builder b;
  int const first = b.call<ops::arange>(values<5>), other = b.call<ops::arange>(values<1, 6>), again = b.call<ops::arange>(values<5>);
  graph const g = passes::fold_constants(b.with_outputs(first, other, again));
  node const &x = g.nodes[g.outputs[0]], &y = g.nodes[g.outputs[1]], &z = g.nodes[g.outputs[2]];
  for (int i = 0; i < 5; ++i)
    if (g.data[y.index + i] != bits_of(dtype::float32, i + 1)) return false;
  return x.index == z.index && z.data == 5 && g.data.size() == 10;
}
constexpr bool inputs_stay() {
  builder b;
  int const x = b.input<shape<3>>();
  graph const g = folded(b, b.call<ops::add>(x, b.number(1)));
  return count<ops::add>(g) == 1;
}
// What the compiler calls no constant is left to the program: divisions by zero, overflow, NaN, casts out of range.
template <class Op, class... V> constexpr bool left_to_the_program(V... v) {
  builder b;
  graph const g = folded(b, b.call<Op>(b.number(v)...));
  return count<Op>(g) == 1;
}
constexpr bool exceptional_ones_stay() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  builder b;
  return left_to_the_program<ops::divide>(1., 0.) && left_to_the_program<ops::rsqrt>(0.) &&
         left_to_the_program<ops::multiply>(3e38, 3e38) && left_to_the_program<ops::square>(3e38) &&
         left_to_the_program<ops::subtract>(infinite, infinite) &&
         count<ops::cast>(folded(b, b.call<ops::cast>(b.number(3e38), as<std::int32_t>))) == 1;
}

}  // namespace

TEST_CASE("constants are folded") {
  SINTER_AT_BOTH_CLOCKS(numbers());
  SINTER_AT_BOTH_CLOCKS(rounds_to_its_type());
  SINTER_AT_BOTH_CLOCKS(arrays_broadcast());
  SINTER_AT_BOTH_CLOCKS(ranges());
  SINTER_AT_BOTH_CLOCKS(chains());
  SINTER_AT_BOTH_CLOCKS(casts());
  SINTER_AT_BOTH_CLOCKS(casts_are_exact());
  SINTER_AT_BOTH_CLOCKS(large_ranges());
  SINTER_AT_BOTH_CLOCKS(whole_numbers_wrap());
  SINTER_AT_BOTH_CLOCKS(views_of_a_fill());
}
TEST_CASE("what could differ in a bit is not folded") { SINTER_AT_BOTH_CLOCKS(rounded_otherwise_stay()); }
TEST_CASE("large constants are not folded") { SINTER_AT_BOTH_CLOCKS(large_ones_stay()); }
TEST_CASE("equal constants share their data") { SINTER_AT_BOTH_CLOCKS(equal_ones_share()); }
TEST_CASE("inputs are not folded") { SINTER_AT_BOTH_CLOCKS(inputs_stay()); }
TEST_CASE("what is no constant expression is not folded") { SINTER_AT_BOTH_CLOCKS(exceptional_ones_stay()); }
