// SPDX-License-Identifier: Apache-2.0
// simplify alone: each rule, and what only a relaxed rewrite may do.
#include "build.hpp"

using namespace test;
using passes::numerics;

namespace {

// What the pass makes of an expression: the operation that gives the output, and how many there are beside the leaves.
struct outcome {
  op_info const* output = nullptr;
  int operations = 0;
  graph before, g;
  constexpr bool same() const { return well_formed(g) && same_values(before, g); }  // the values are the same bits
};
template <class Make> constexpr outcome simplified(Make make, numerics mode = numerics::exact) {
  builder b;
  graph const before = make(b);
  graph const after = tidied(passes::simplify(before, mode));
  outcome r{output_op(after), 0, before, after};
  for (node const& k : after.nodes) r.operations += k.op->kind != family::leaf;
  return r;
}
// The whole expression is the input.
template <class Make> constexpr bool gives_input(Make make, numerics mode = numerics::exact) {
  outcome const r = simplified(make, mode);
  return r.output == &input_op && r.operations == 0 && r.same();
}
template <class Op, class Make> constexpr bool gives(Make make, numerics mode = numerics::exact) {
  outcome const r = simplified(make, mode);
  return r.output == &ops::info<Op> && r.operations == 1;
}
template <class Make> constexpr bool gives_constant(Make make, double v, numerics mode = numerics::exact) {
  outcome const r = simplified(make, mode);
  node const& k = r.g.nodes[r.g.outputs[0]];
  return r.output == &constant_op && k.data == 1 && real_of(k.type.type, r.g.data[k.index]) == v;
}

// op(x, number) or op(number, x), over T
template <class Op, class T = float> constexpr auto with_number(double v, bool number_first = false) {
  return [=](builder& b) {
    int const x = b.input<shape<2, 3>, T>(), c = b.number<T>(v);
    return b.with_outputs(number_first ? b.call<Op>(c, x) : b.call<Op>(x, c));
  };
}
template <class Op, class T = float> constexpr auto with_itself() {
  return [](builder& b) {
    int const x = b.input<shape<2, 3>, T>();
    return b.with_outputs(b.call<Op>(x, x));
  };
}
template <class Outer, class Inner, class T = float> constexpr auto nested() {
  return [](builder& b) { return b.with_outputs(b.call<Outer>(b.call<Inner>(b.input<shape<2, 3>, T>()))); };
}
using int32 = std::int32_t;

constexpr bool neutral_numbers() {
  return gives_input(with_number<ops::multiply>(1)) && gives_input(with_number<ops::multiply>(1, true)) &&
         gives_input(with_number<ops::divide>(1)) && gives_input(with_number<ops::subtract>(0)) &&
         gives_input(with_number<ops::add>(-0.)) && gives_input(with_number<ops::add>(-0., true));
}
constexpr bool neutral_whole_numbers() {
  return gives_input(with_number<ops::multiply, int32>(1)) && gives_input(with_number<ops::subtract, int32>(0)) &&
         gives_input(with_number<ops::add, int32>(0)) && gives_input(with_number<ops::add, int32>(0, true)) &&
         gives_constant(with_number<ops::multiply, int32>(0), 0) && gives_constant(with_number<ops::multiply, int32>(0, true), 0);
}
constexpr bool a_number_that_stretches_stays() {  // x * 1 has the shape of 1 here
  return gives<ops::multiply>([](builder& b) {
    int const x = b.input<shape<3>>();
    return b.with_outputs(b.call<ops::multiply>(x, b.g.fill(dtype::float32, shape<2, 3>::value, bits_of(dtype::float32, 1))));
  });
}
constexpr bool powers_of_two() {
  outcome const r = simplified(with_number<ops::divide>(8));
  return gives<ops::multiply>(with_number<ops::divide>(8)) && r.same() && gives<ops::multiply>(with_number<ops::divide>(-0.25)) &&
         gives<ops::multiply>(with_number<ops::divide, double>(0x1p1000)) && gives<ops::divide>(with_number<ops::divide>(3)) &&
         gives<ops::divide>(with_number<ops::divide>(0)) && gives<ops::divide>(with_number<ops::divide>(8, true)) &&
         gives<ops::divide>(with_number<ops::divide>(0x1p127)) &&    // the inverse is subnormal: a backend may flush it
         gives<ops::divide>(with_number<ops::divide>(0x1p-149)) &&   // the inverse is infinite
         gives<ops::multiply>(with_number<ops::divide>(0x1p126)) && gives<ops::multiply>(with_number<ops::divide>(0x1p-127));
}
constexpr bool said_twice() {
  return gives_input(nested<ops::negative, ops::negative>()) && gives<ops::relu>(nested<ops::relu, ops::relu>()) &&
         gives<ops::abs>(nested<ops::abs, ops::abs>()) && gives_input(nested<ops::logical_not, ops::logical_not, bool>()) &&
         gives_input(with_itself<ops::maximum>()) && gives_input(with_itself<ops::minimum>()) &&
         gives_input(with_itself<ops::logical_and, bool>()) && gives_input(with_itself<ops::logical_or, bool>()) &&
         gives_input(nested<ops::transpose, ops::transpose>());
}
template <bool Condition> constexpr bool decided() {
  outcome const r = simplified([](builder& b) {
    int const x = b.input<shape<2, 3>>(), y = b.input<shape<2, 3>>();
    return b.with_outputs(b.call<ops::where>(b.number<bool>(Condition), x, y));
  });
  return r.operations == 0 && r.g.outputs[0] == (Condition ? 0 : 1) && r.same();
}
constexpr bool views() {
  auto const to_itself = [](builder& b) { return b.with_outputs(b.call<ops::reshape>(b.input<shape<2, 3>>(), into<2, 3>)); };
  auto const there_and_back = [](builder& b) {
    return b.with_outputs(b.call<ops::reshape>(b.call<ops::expand_dims>(b.input<shape<2, 3>>(), axis<1>), into<2, 3>));
  };
  auto const twice = [](builder& b) {
    return b.with_outputs(b.call<ops::flatten>(b.call<ops::reshape>(b.input<shape<2, 3>>(), into<1, 3, 2>)));
  };
  auto const in_order = [](builder& b) { return b.with_outputs(b.call<ops::transpose>(b.input<shape<2, 3>>(), axes<0, 1>)); };
  auto const permuted = [](builder& b) {
    return b.with_outputs(b.call<ops::transpose>(b.call<ops::transpose>(b.input<shape<2, 3, 4>>(), axes<1, 2, 0>), axes<1, 0, 2>));
  };
  auto const stretched_to_itself = [](builder& b) { return b.with_outputs(b.call<ops::broadcast_to>(b.input<shape<2, 3>>(), into<2, 3>)); };
  auto const cast_to_itself = [](builder& b) { return b.with_outputs(b.call<ops::cast>(b.input<shape<2, 3>>(), as<float>)); };
  return gives_input(to_itself) && gives_input(there_and_back) && gives<ops::reshape>(twice) && simplified(twice).same() &&
         gives_input(in_order) && gives<ops::transpose>(permuted) && simplified(permuted).same() && gives_input(stretched_to_itself) &&
         gives_input(cast_to_itself);
}
// relu(reshape(exp(x))) -> reshape(relu(exp(x))): the operation stands next to the kernel that it joins.
constexpr bool reshapes_sink() {
  auto const make = [](builder& b) {
    int const r = b.call<ops::reshape>(b.call<ops::exp>(b.input<shape<2, 3>>()), into<6>);
    return b.with_outputs(b.call<ops::add>(b.call<ops::relu>(r), b.number(1)));
  };
  outcome const r = simplified(make);
  return r.output == &ops::info<ops::reshape> && r.operations == 4 && r.same() &&
         r.g.nodes[r.g.operand(r.g.nodes[r.g.outputs[0]], 0)].op == &ops::info<ops::add>;
}
constexpr bool reshapes_of_leaves_stay() {
  outcome const r =
      simplified([](builder& b) { return b.with_outputs(b.call<ops::relu>(b.call<ops::reshape>(b.input<shape<2, 3>>(), into<6>))); });
  return r.output == &ops::info<ops::relu>;
}

// x * 0, x - x, x + 0, x / 3, x ^ 2 and exp(log(x)) differ for NaN, infinities, -0 or in the last bit.
constexpr bool exact_leaves_inexact_rules_alone() {
  return gives<ops::multiply>(with_number<ops::multiply>(0)) && gives<ops::multiply>(with_number<ops::multiply>(0, true)) &&
         gives<ops::subtract>(with_itself<ops::subtract>()) && gives<ops::add>(with_number<ops::add>(0)) &&
         gives<ops::add>(with_number<ops::add>(0, true)) && gives<ops::subtract>(with_number<ops::subtract>(-0.)) &&
         gives<ops::subtract>(with_number<ops::subtract>(0, true)) && gives<ops::divide>(with_number<ops::divide>(3)) &&
         gives<ops::power>(with_number<ops::power>(2)) && gives<ops::power>(with_number<ops::power>(0.5)) &&
         gives<ops::power>(with_number<ops::power>(1)) && simplified(nested<ops::exp, ops::log>()).operations == 2 &&
         simplified(nested<ops::log, ops::exp>()).operations == 2 && gives<ops::divide>(with_itself<ops::divide>());
}
constexpr bool relaxed_rules() {
  constexpr numerics relaxed = numerics::relaxed;
  return gives_constant(with_number<ops::multiply>(0), 0, relaxed) && gives_constant(with_number<ops::multiply>(0, true), 0, relaxed) &&
         gives_constant(with_itself<ops::subtract>(), 0, relaxed) && gives_input(with_number<ops::add>(0), relaxed) &&
         gives_input(with_number<ops::add>(0, true), relaxed) && gives<ops::multiply>(with_number<ops::divide>(3), relaxed) &&
         gives<ops::divide>(with_number<ops::divide>(0), relaxed) && gives<ops::square>(with_number<ops::power>(2), relaxed) &&
         gives<ops::sqrt>(with_number<ops::power>(0.5), relaxed) && gives_input(with_number<ops::power>(1), relaxed) &&
         simplified(nested<ops::exp, ops::log>(), relaxed).output == &input_op &&
         simplified(nested<ops::log, ops::exp>(), relaxed).output == &input_op;
}
// op(op(x, a), b), or with `first` op(b, op(x, a))
template <class Op, class Inner = Op> constexpr auto two_numbers(double a, double b, bool first = false) {
  return [=](builder& g) {
    int const inner = g.call<Inner>(g.input<shape<2, 3>>(), g.number(a)), c = g.number(b);
    return g.with_outputs(first ? g.call<Op>(c, inner) : g.call<Op>(inner, c));
  };
}
// One operation of the input and this number.
template <class Op, class Make> constexpr bool gives_number(Make make, double v) {
  outcome const r = simplified(make, numerics::relaxed);
  node const& k = r.g.nodes[r.g.outputs[0]];
  if (r.output != &ops::info<Op> || r.operations != 1 || !well_formed(r.g) || !r.g.is(r.g.operand(k, 0), input_op)) return false;
  node const& c = r.g.nodes[r.g.operand(k, 1)];
  return *c.op == constant_op && c.data == 1 && real_of(k.type.type, r.g.data[c.index]) == v;
}
constexpr bool relaxed_joins_numbers() {
  return gives_number<ops::multiply>(two_numbers<ops::multiply>(3, 5), 15) &&
         gives_number<ops::multiply>(two_numbers<ops::multiply>(3, 5, true), 15) &&
         gives_number<ops::add>(two_numbers<ops::add>(3, 5), 8) && gives_number<ops::add>(two_numbers<ops::add>(3, 5, true), 8) &&
         gives_number<ops::add>(two_numbers<ops::subtract>(3, 5), -8) && gives_number<ops::add>(with_number<ops::subtract>(3), -3) &&
         gives_number<ops::multiply>(two_numbers<ops::divide>(4, 8), 1. / 32) &&
         gives_number<ops::multiply>(two_numbers<ops::divide, ops::multiply>(3, 8), 0.375) &&
         gives_number<ops::multiply>(two_numbers<ops::multiply, ops::divide>(4, 3), 0.75);
}
constexpr bool numbers_that_stay_apart() {
  constexpr numerics relaxed = numerics::relaxed;
  outcome const stretched = simplified(
      [](builder& b) {  // x * c has more elements than x
        int const x = b.input<shape<3>>();
        int const c = b.call<ops::multiply>(x, b.g.fill(dtype::float32, shape<2, 3>::value, bits_of(dtype::float32, 3)));
        return b.with_outputs(b.call<ops::multiply>(c, b.number(5)));
      },
      relaxed);
  return stretched.operations == 2 && well_formed(stretched.g) && simplified(two_numbers<ops::multiply>(3, 5)).operations == 2 &&
         simplified(two_numbers<ops::add>(3, 5)).operations == 2 &&
         simplified(two_numbers<ops::multiply>(1e12, 1e12), relaxed).operations == 2 &&  // the product is too large
         simplified(two_numbers<ops::add>(3, -3), relaxed).operations == 2 &&            // 0 is no moderate number
         gives<ops::subtract>(with_number<ops::subtract>(3, true), relaxed) &&
         gives<ops::divide>(with_number<ops::divide>(3, true), relaxed);
}
constexpr bool relaxed_quotients() {
  constexpr numerics relaxed = numerics::relaxed;
  auto const by_row = [](builder& b) { return b.with_outputs(b.call<ops::divide>(b.input<shape<2, 3>>(), b.input<shape<2, 1>>())); };
  outcome const row = simplified(by_row, relaxed);
  node const& k = row.g.nodes[row.g.outputs[0]];
  bool const inverts = row.output == &ops::info<ops::multiply> && row.operations == 2 && well_formed(row.g) &&
                       row.g.is(row.g.operand(k, 1), ops::info<ops::divide>) &&
                       row.g.nodes[row.g.operand(k, 1)].type.shape == shape<2, 1>::value;
  auto const by_element = [](builder& b) { return b.with_outputs(b.call<ops::divide>(b.input<shape<2, 3>>(), b.input<shape<2, 3>>())); };
  return inverts && simplified(by_row).operations == 1 && gives<ops::divide>(by_element, relaxed) &&
         gives_constant(with_itself<ops::divide>(), 1, relaxed);
}
constexpr bool relaxed_powers() {
  constexpr numerics relaxed = numerics::relaxed;
  auto const wide = [](builder& b) {  // the exponents stretch the result
    return b.with_outputs(
        b.call<ops::power>(b.input<shape<3>>(), b.g.fill(dtype::float32, shape<2, 3>::value, bits_of(dtype::float32, 2))));
  };
  outcome const cube = simplified(with_number<ops::power>(3), relaxed);
  return gives<ops::power>(wide, relaxed) && gives<ops::rsqrt>(with_number<ops::power>(-0.5), relaxed) &&
         gives<ops::divide>(with_number<ops::power>(-1), relaxed) && gives_constant(with_number<ops::power>(0), 1, relaxed) &&
         cube.output == &ops::info<ops::multiply> && cube.operations == 2 && gives<ops::power>(with_number<ops::power>(2.5), relaxed) &&
         gives<ops::abs>(nested<ops::sqrt, ops::square>(), relaxed) &&
         simplified(nested<ops::square, ops::sqrt>(), relaxed).output == &input_op &&
         simplified(nested<ops::sqrt, ops::square>()).operations == 2 && simplified(nested<ops::square, ops::sqrt>()).operations == 2;
}
constexpr bool relaxed_keeps_exact_rules() {
  return gives_input(with_number<ops::multiply>(1), numerics::relaxed) &&
         gives<ops::multiply>(with_number<ops::divide>(8), numerics::relaxed);
}

}  // namespace

TEST_CASE("exact rules") {
  SINTER_AT_BOTH_CLOCKS(neutral_numbers());
  SINTER_AT_BOTH_CLOCKS(neutral_whole_numbers());
  SINTER_AT_BOTH_CLOCKS(a_number_that_stretches_stays());
  SINTER_AT_BOTH_CLOCKS(powers_of_two());
  SINTER_AT_BOTH_CLOCKS(said_twice());
  SINTER_AT_BOTH_CLOCKS(decided<true>());
  SINTER_AT_BOTH_CLOCKS(decided<false>());
  SINTER_AT_BOTH_CLOCKS(views());
}
TEST_CASE("reshapes sink below elementwise operations") {
  SINTER_AT_BOTH_CLOCKS(reshapes_sink());
  SINTER_AT_BOTH_CLOCKS(reshapes_of_leaves_stay());
}
TEST_CASE("exact mode leaves inexact rules alone") { SINTER_AT_BOTH_CLOCKS(exact_leaves_inexact_rules_alone()); }
TEST_CASE("relaxed rules") {
  SINTER_AT_BOTH_CLOCKS(relaxed_rules());
  SINTER_AT_BOTH_CLOCKS(relaxed_joins_numbers());
  SINTER_AT_BOTH_CLOCKS(numbers_that_stay_apart());
  SINTER_AT_BOTH_CLOCKS(relaxed_quotients());
  SINTER_AT_BOTH_CLOCKS(relaxed_powers());
  SINTER_AT_BOTH_CLOCKS(relaxed_keeps_exact_rules());
}
