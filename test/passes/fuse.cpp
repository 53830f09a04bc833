// SPDX-License-Identifier: Apache-2.0
// Which operations become one kernel.
#include "plans.hpp"

using namespace test;
using enum sinter::kernel_kind;

namespace {

// The plan holds what it must: its kernels in order, and sound memory.
constexpr bool planned(plan const& p, std::initializer_list<kernel_kind> kernels) { return kernels_are(p, kernels) && memory_is_sound(p); }

constexpr plan chain(int length) {
  builder b;
  int x = b.input<shape<2, 3>>();
  for (int i = 0; i < length; ++i) x = i % 2 ? b.call<ops::relu>(x) : b.call<ops::add>(x, b.parameter<shape<3>>());
  return make_plan(b.with_outputs(x));
}
constexpr plan two_outputs() { return make_plan(networks::two_outputs()); }
constexpr plan diamond() {
  builder b;
  int const x = b.input<shape<2, 3>>(), e = b.call<ops::exp>(x);
  return make_plan(b.with_outputs(b.call<ops::add>(b.call<ops::relu>(e), b.call<ops::square>(e))));
}
constexpr plan epilogue() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.input<shape<2, 4>>();
  int const p = b.dense<4, 3>(x);
  return make_plan(b.with_outputs(b.call<ops::add>(b.call<ops::relu>(p), y), p));
}
constexpr plan prologue(bool read_twice) {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.call<ops::relu>(b.call<ops::add>(x, b.parameter<shape<3>>()));
  int const p = b.product(y, b.parameter<shape<3, 4>>());
  if (read_twice) return make_plan(b.with_outputs(p, y));
  return make_plan(b.with_outputs(p));
}
template <class Op, class... K> constexpr plan row_operation(K... keywords) {
  builder b;
  int const x = b.input<shape<dim<"batch">, 3>>();
  if constexpr (std::is_same_v<Op, ops::layer_norm>)
    return make_plan(b.with_outputs(b.call<Op>(x, b.parameter<shape<3>>(), b.parameter<shape<3>>(), keywords...)));
  else return make_plan(b.with_outputs(b.call<Op>(x, keywords...)));
}
constexpr plan rows_with_neighbours() {
  builder b;
  int const x = b.input<shape<2, 3>>(), s = b.call<ops::sum>(b.call<ops::exp>(x), axis<1>, keepdims);
  return make_plan(b.with_outputs(b.call<ops::relu>(b.call<ops::subtract>(x, b.call<ops::log>(s)))));
}
constexpr plan siblings() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  return make_plan(b.with_outputs(b.call<ops::exp>(x), b.call<ops::square>(x), b.call<ops::relu>(x)));
}
constexpr plan two_reductions() {
  builder b;
  int const x = b.input<shape<2, 3>>(), e = b.call<ops::exp>(x);
  return make_plan(b.with_outputs(b.call<ops::sum>(e, axis<1>, keepdims), b.call<ops::max>(e, axis<1>, keepdims)));
}
constexpr plan mlp() { return make_plan(networks::mlp()); }

// ---- one network for each reason
constexpr bool different_space() {
  builder b;
  int const x = b.input<shape<2, 3>>(), column = b.input<shape<2, 1>>();
  plan const p = make_plan(b.with_outputs(b.call<ops::multiply>(x, b.call<ops::exp>(column))));
  return apart<ops::exp, ops::multiply>(p, reason::different_space) && planned(p, {pointwise, pointwise});
}
constexpr bool view_between() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  plan const p = make_plan(b.with_outputs(b.call<ops::exp>(b.call<ops::transpose>(b.call<ops::relu>(x)))));
  return apart<ops::relu, ops::exp>(p, reason::view_between) && planned(p, {pointwise, pointwise});
}
constexpr bool opaque_between() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  plan const p = make_plan(b.with_outputs(b.call<ops::exp>(b.call<ops::sort>(b.call<ops::relu>(x)))));
  return apart<ops::relu, ops::sort>(p, reason::opaque) && apart<ops::sort, ops::exp>(p, reason::opaque) &&
         planned(p, {pointwise, opaque, pointwise});
}
constexpr bool product_operand() {
  builder b;
  int const x = b.input<shape<2, 3>>(), w = b.input<shape<3, 4>>();
  plan const p = make_plan(b.with_outputs(b.product(b.call<ops::exp>(x), b.call<ops::relu>(w))));  // exp costs too much for a prologue
  return apart<ops::exp, ops::product>(p, reason::product_operand) && apart<ops::relu, ops::product>(p, reason::product_operand) &&
         planned(p, {pointwise, pointwise, product});
}
constexpr bool product_reduced() {
  builder b;
  int const p_ = b.product(b.input<shape<2, 3>>(), b.parameter<shape<3, 4>>());
  plan const p = make_plan(b.with_outputs(b.call<ops::sum>(p_, axis<1>)));
  return apart<ops::product, ops::sum>(p, reason::product_reduced) && planned(p, {product, rows});
}
constexpr bool second_product() {
  builder b;
  int const x = b.input<shape<3, 3>>(), y = b.input<shape<3, 3>>();
  plan const chain = make_plan(b.with_outputs(b.product(b.product(x, y), y)));
  builder c;
  int const u = c.input<shape<3, 3>>(), v = c.input<shape<3, 3>>();
  plan const sum = make_plan(c.with_outputs(c.call<ops::add>(c.product(u, v), c.product(v, u))));
  return apart<ops::product, ops::product>(chain, reason::second_product) && planned(chain, {product, product}) &&
         apart<ops::product, ops::add>(sum, reason::second_product) && planned(sum, {product, product});
}
constexpr bool different_axes() {
  builder b;
  int const e = b.call<ops::exp>(b.input<shape<2, 3>>());
  plan const p = make_plan(b.with_outputs(b.call<ops::sum>(e, axis<0>, keepdims), b.call<ops::max>(e, axis<1>, keepdims)));
  return apart<ops::exp, ops::max>(p, reason::different_axes) && planned(p, {rows, rows});
}
constexpr bool would_cycle() {
  builder b;
  int const y = b.call<ops::relu>(b.input<shape<2, 3>>());
  plan const p = make_plan(b.with_outputs(b.call<ops::add>(y, b.call<ops::sort>(y))));
  return apart<ops::relu, ops::add>(p, reason::would_cycle) && apart<ops::sort, ops::add>(p, reason::opaque) &&
         planned(p, {pointwise, opaque, pointwise});
}
// What a kernel computes cannot come back into it through memory: not through a view, nor through another kernel that joins it.
constexpr bool no_kernel_reads_itself() {
  builder a;
  int const y = a.call<ops::relu>(a.input<shape<3, 3>>());
  plan const view = make_plan(a.with_outputs(a.call<ops::add>(y, a.call<ops::transpose>(y))));
  builder b;
  int const x = b.input<shape<2, 3>>(), z = b.call<ops::exp>(x), shifted = b.call<ops::subtract>(x, b.call<ops::max>(z, axis<0>));
  plan const row = make_plan(b.with_outputs(b.call<ops::add>(shifted, z)));
  builder c;
  int const e = c.call<ops::exp>(c.input<shape<3, 3>>()), p = c.product(e, c.parameter<shape<3, 3>>());
  plan const operand = make_plan(c.with_outputs(c.call<ops::add>(p, e)));
  return planned(view, {pointwise, pointwise}) && view.misses.size() == 2 && view.misses[0].why == reason::would_cycle &&
         view.misses[1].why == reason::view_between && planned(row, {rows, pointwise}) &&
         apart<ops::exp, ops::add>(row, reason::would_cycle) && planned(operand, {pointwise, product}) &&
         apart<ops::exp, ops::add>(operand, reason::would_cycle);
}
constexpr bool budget() {
  plan const p = chain(passes::step_budget + 2);
  return apart<ops::relu, ops::add>(p, reason::budget) && planned(p, {pointwise, pointwise}) &&
         p.groups[0].steps.n == passes::step_budget && planned(chain(passes::step_budget), {pointwise});
}

constexpr bool every_reason_has_a_sentence() {
  for (int r = 0; r <= static_cast<int>(reason::budget); ++r)
    if (sentence(static_cast<reason>(r)).empty()) return false;
  return sentence(static_cast<reason>(static_cast<int>(reason::budget) + 1)).empty();
}

}  // namespace

TEST_CASE("elementwise operations over one shape are one kernel") {
  SINTER_AT_BOTH_CLOCKS(planned(chain(5), {pointwise}));
  SINTER_AT_BOTH_CLOCKS(planned(two_outputs(), {pointwise}));
  SINTER_AT_BOTH_CLOCKS(outputs_of(two_outputs(), 0) == 2);
  SINTER_AT_BOTH_CLOCKS(planned(diamond(), {pointwise}));
  SINTER_AT_BOTH_CLOCKS((planned(siblings(), {pointwise}) && outputs_of(siblings(), 0) == 3));
}
TEST_CASE("a product takes an epilogue and a prologue") {
  SINTER_AT_BOTH_CLOCKS(planned(epilogue(), {product}));
  SINTER_AT_BOTH_CLOCKS(outputs_of(epilogue(), 0) == 2);
  SINTER_AT_BOTH_CLOCKS(planned(mlp(), {product, product}));
  SINTER_AT_BOTH_CLOCKS(planned(prologue(false), {product}));
  SINTER_AT_BOTH_CLOCKS(planned(prologue(true), {pointwise, product}));
  SINTER_AT_BOTH_CLOCKS((apart<ops::relu, ops::product>(prologue(true), reason::product_operand)));
}
TEST_CASE("row operations are one kernel") {
  SINTER_AT_BOTH_CLOCKS(planned(row_operation<ops::softmax>(), {rows}));
  SINTER_AT_BOTH_CLOCKS(planned(row_operation<ops::softmax>(axis<0>), {rows}));
  SINTER_AT_BOTH_CLOCKS(planned(row_operation<ops::log_softmax>(), {rows}));
  SINTER_AT_BOTH_CLOCKS(planned(row_operation<ops::layer_norm>(), {rows}));
  SINTER_AT_BOTH_CLOCKS(planned(rows_with_neighbours(), {rows}));
  SINTER_AT_BOTH_CLOCKS((planned(two_reductions(), {rows}) && outputs_of(two_reductions(), 0) == 2));
}
TEST_CASE("every fusion not made has its reason") {
  SINTER_AT_BOTH_CLOCKS(different_space());
  SINTER_AT_BOTH_CLOCKS(view_between());
  SINTER_AT_BOTH_CLOCKS(opaque_between());
  SINTER_AT_BOTH_CLOCKS(product_operand());
  SINTER_AT_BOTH_CLOCKS(product_reduced());
  SINTER_AT_BOTH_CLOCKS(second_product());
  SINTER_AT_BOTH_CLOCKS(different_axes());
  SINTER_AT_BOTH_CLOCKS(would_cycle());
  SINTER_AT_BOTH_CLOCKS(no_kernel_reads_itself());
  SINTER_AT_BOTH_CLOCKS(budget());
  SINTER_AT_BOTH_CLOCKS(every_reason_has_a_sentence());
}
