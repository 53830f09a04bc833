// SPDX-License-Identifier: Apache-2.0
// The judge of a plan's memory finds each way to spoil it, and plans that once were wrong are right.
#include <sinter/plan/judge.hpp>

#include "run_plan.hpp"

using namespace test;

namespace {

// Rows of two inputs: a sum, a maximum, elements that use both, and their sum for each row, which something else reads.
constexpr graph row_values() {
  builder b;
  int const x = b.input<shape<4, 6>>(), z = b.input<shape<4, 5>>();
  int const s = b.call<ops::sum>(z, axis<1>, keepdims), m = b.call<ops::max>(x, axis<1>, keepdims);
  int const o = b.call<ops::multiply>(b.call<ops::subtract>(x, m), s);
  return b.with_outputs(o, b.call<ops::sort>(b.call<ops::add>(m, s), axis<0>));
}
// A product could compute what is in front of it while it reads, but for what is inside of that: something else reads it, too.
constexpr graph read_beside_a_product() {
  builder b;
  int const a = b.call<ops::negative>(b.input<shape<7, 5>>());
  return b.with_outputs(b.dense<6, 5>(b.call<ops::relu>(a)), b.call<ops::sort>(a, axis<0>));
}
// One value a row, stored before the elements of its row, and computed of one that stands in memory of the same size.
constexpr graph row_value_in_place() {
  builder b;
  int const x = b.input<shape<4, 6>>(), z = b.input<shape<4, 1>>(), c = b.input<shape<4, 1>>();
  int const t = b.call<ops::add>(b.call<ops::sort>(z, axis<0>), c);
  return b.with_outputs(b.call<ops::add>(b.call<ops::max>(x, axis<1>, keepdims), t), b.call<ops::sort>(t, axis<0>),
                        b.call<ops::multiply>(x, t));
}
// exp(x), sorted, added to x: three kernels.
constexpr graph three_kernels() {
  builder b;
  int const x = b.input<shape<dim<"n">, 4>>();
  int const sorted = b.call<ops::sort>(b.call<ops::exp>(x));
  return b.with_outputs(b.call<ops::sort>(b.call<ops::add>(sorted, x)));
}
constexpr graph softmax_of_product() {
  builder b;
  int const x = b.input<shape<3, 4>>();
  return b.with_outputs(b.call<ops::sort>(b.call<ops::softmax>(b.dense<5, 4>(x))));
}
// A branch of a concat that is cut from an array with two dynamic axes, whose beginning is a sum of two products of them.
constexpr graph cut_twice() {
  builder b;
  int const x = b.input<shape<4, dim<"n">, dim<"m">>>();
  return b.with_outputs(b.call<ops::slice>(x, begin<3, 1>));
}
constexpr graph cut_a_fill() {
  builder b;
  int const x = b.input<shape<1000>>();
  int const zeros = b.call<ops::zeros_like>(x);
  int const threes = b.call<ops::add>(zeros, b.number(3));
  return b.with_outputs(b.call<ops::slice>(threes, begin<900>),
                        b.call<ops::slice>(b.call<ops::where>(b.call<ops::greater>(x, zeros), x, threes), begin<3>));
}
// A stretched array with a dynamic axis in front of an operation that wants its elements in a row.
constexpr graph sorted_stretch() {
  builder b;
  int const x = b.input<shape<dim<"n">, 3>>();
  return b.with_outputs(b.call<ops::sort>(b.call<ops::broadcast_to>(x, into<2, dim<"n">, 3>)));
}
// A concat of concats along a dynamic axis.
constexpr graph joined_joins() {
  builder b;
  int const x = b.input<shape<2, dim<"n">>>(), y = b.input<shape<2, dim<"m">>>();
  int const inner = b.call<ops::concat>(b.call<ops::exp>(y), b.call<ops::exp>(x), axis<1>);
  return b.with_outputs(b.call<ops::concat>(b.call<ops::relu>(x), inner, b.call<ops::relu>(y), axis<1>));
}
// Two kernels write the halves of what a third one reads.
constexpr graph joined() {
  builder b;
  int const x = b.input<shape<1, 4>>(), y = b.input<shape<1, dim<"n">>>();
  int const both = b.call<ops::concat>(b.call<ops::relu>(x), b.call<ops::exp>(y), axis<1>);
  return b.with_outputs(b.call<ops::sum>(b.call<ops::multiply>(both, b.number(2)), axis<1>));
}
constexpr graph slice_of_slice() {
  builder b;
  int const x = b.input<shape<dim<"n">, dim<"m">>>();
  int const y = b.call<ops::slice>(b.call<ops::slice>(x, begin<1>), begin<1, 2>);
  return b.with_outputs(b.call<ops::exp>(y), b.call<ops::exp>(x));
}
constexpr graph last_axis_of_nothing() {
  builder b;
  int const x = b.input<shape<2, 5, 0>>();
  return b.with_outputs(b.call<ops::fully_connected>(x, b.parameter<shape<4, 0>>(), flattened<false>));
}

// A convolution through windows of what is computed while it is read.
constexpr graph windows() {
  builder b;
  int const x = b.input<shape<dim<"n">, 2, 3, 4>>(), w = b.input<shape<3, 2, 3, 3>>();
  return b.with_outputs(b.call<ops::relu>(b.call<ops::convolution>(b.call<ops::relu>(x), w, pad<1, 2>, stride<2, 1>)));
}
constexpr graph windows_twice() {
  builder b;
  int const x = b.input<shape<1, 1, 3, 4>>(), w = b.input<shape<1, 1, 3, 3>>();
  int const y = b.call<ops::convolution>(b.call<ops::convolution>(x, w, pad<1>), w, pad<1>);
  return b.with_outputs(b.call<ops::sort>(b.call<ops::add>(y, x)));
}
constexpr binding binding_of(plan const& p, std::int64_t n) {
  binding b;
  if (!sample_binding(p.g.dimensions, n, b)) throw "there is no such binding";
  return b;
}
constexpr bool is_judged_sound(graph const& g, std::int64_t n = 3) {
  plan const p = make_plan(g);
  binding const b = binding_of(p, n);
  arena_layout const a = arena_at(p, plan_arena(p), b);
  return judge(p, b, &a).sound();
}
// What the judge says after `spoil` has changed the plan.
template <class Spoil> constexpr std::string_view verdict_on(graph const& g, Spoil spoil) {
  plan p = make_plan(g);
  binding const b = binding_of(p, 3);
  arena_layout a = arena_at(p, plan_arena(p), b);
  spoil(p, a);
  return judge(p, b, &a).what;
}
constexpr int arena_buffer(plan const& p, int n) {
  for (int i = 0; i < p.buffers.size(); ++i)
    if (p.buffers[i].where == storage::arena && n-- == 0) return i;
  throw "there are not so many buffers in the arena";
}
// The result of kernel q takes the bytes of its operand j.
constexpr void take_bytes_of(plan& p, int q, int j) {
  group const& g = p.groups[q];
  for (int k = g.inputs; k < g.operands.n; ++k)
    if (int const b = p.operands[g.operands.at + k].buffer; p.buffers[b].where == storage::arena)
      p.buffers[b].home = p.operands[g.operands.at + j].buffer;
}
bool gives_its_values(graph const& g, std::initializer_list<extent> of) {
  extent sizes[max_dimensions]{};
  int n = 0;
  for (extent e : of) sizes[n++] = e;
  plan const p = make_plan(g);
  binding b;
  for (int i = 0, next = 0; i < p.g.dimensions.rows.size(); ++i)
    if (p.g.dimensions.rows[i].from == dimension::origin::input) b.value[i] = sizes[next++];
  b = with_computed(p.g.dimensions.rows, b);
  interpreter const want(g, sizes);
  for (unsigned seed = 0; seed < 20; ++seed) {
    plan_runner const got(p, b, sizes, seed, &sample);
    for (int j = 0; j < g.outputs.size(); ++j)
      if (!(got.output(j) == want.value[g.outputs[j]])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("plans that once were wrong are sound and give their values") {
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(row_values()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(row_value_in_place()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(read_beside_a_product()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(cut_twice()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(sorted_stretch()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(joined_joins()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(last_axis_of_nothing()));
  CHECK(is_judged_sound(cut_a_fill()));
  CHECK(gives_its_values(row_values(), {}));
  CHECK(gives_its_values(row_value_in_place(), {}));
  CHECK(gives_its_values(read_beside_a_product(), {}));
  CHECK(gives_its_values(cut_twice(), {3, 5}));
  CHECK(gives_its_values(cut_a_fill(), {}));
  CHECK(gives_its_values(sorted_stretch(), {4}));
  CHECK(gives_its_values(joined_joins(), {3, 2}));
  CHECK(gives_its_values(slice_of_slice(), {4, 5}));
  CHECK(gives_its_values(last_axis_of_nothing(), {}));
}
TEST_CASE("what lies outside of windows is not read") {
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(windows()));
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(windows_twice()));
  CHECK(gives_its_values(windows(), {3}));
  CHECK(gives_its_values(windows(), {0}));
  CHECK(gives_its_values(windows_twice(), {}));
  for (int w : {0, 1}) {
    INFO("window " << w);
    CHECK(verdict_on(windows(), [&](plan& p, arena_layout&) { ++p.maps[0].window_at[w].extent; }) == "an operand lies outside its buffer");
  }
  // Not at the compiler's clock, where only the ends of long loops are looked at.
  CHECK(verdict_on(windows_twice(), [](plan& p, arena_layout&) { take_bytes_of(p, 1, 0); }) == "a store destroys what is still read");
}
TEST_CASE("a store that destroys what is still read is found") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(row_values(), [](plan& p, arena_layout&) { take_bytes_of(p, 1, p.groups[1].inputs - 1); }) ==
                        "a store destroys what is still read");
  // Of an operation that never fuses, and of a product.
  SINTER_AT_BOTH_CLOCKS(verdict_on(three_kernels(), [](plan& p, arena_layout&) { take_bytes_of(p, 1, 0); }) ==
                        "a store destroys what is still read");
}
TEST_CASE("values that live at the same time in the same bytes are found") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(row_values(), [](plan& p, arena_layout& a) {
                          a.offset[arena_buffer(p, 1)] = a.offset[arena_buffer(p, 0)];
                        }) == "two live values overlap in the arena");
  SINTER_AT_BOTH_CLOCKS(verdict_on(three_kernels(), [](plan&, arena_layout& a) { a.bytes -= 64; }) ==
                        "a value lies outside the arena, or not aligned");
  SINTER_AT_BOTH_CLOCKS(verdict_on(softmax_of_product(), [](plan& p, arena_layout&) {
                          p.buffers[arena_buffer(p, 1)].home = arena_buffer(p, 0);
                          p.operands[p.groups[1].operands.at].stride[0] = {1, 0};
                        }) == "a store destroys what is still read");
}
TEST_CASE("a buffer that is read before all of its writers have run is found") {
  SINTER_AT_BOTH_CLOCKS(is_judged_sound(joined()));
  SINTER_AT_BOTH_CLOCKS(verdict_on(joined(), [](plan& p, arena_layout&) { std::swap(p.groups[1], p.groups[2]); }) ==
                        "a kernel reads what a later one writes");
}
TEST_CASE("two kernels that store to one place are found") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(joined(), [](plan& p, arena_layout&) { p.operands[p.groups[1].operands.at + 1].offset = {}; }) ==
                        "two kernels store to one place");
  SINTER_AT_BOTH_CLOCKS(verdict_on(joined(), [](plan& p, arena_layout&) { p.operands[p.groups[1].operands.at + 1].offset.fixed = 3; }) !=
                        "");
}
TEST_CASE("an operand outside its buffer is found") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(three_kernels(), [](plan& p, arena_layout&) { p.operands[0].offset.fixed = 1; }) ==
                        "an operand lies outside its buffer");
  SINTER_AT_BOTH_CLOCKS(verdict_on(three_kernels(), [](plan& p, arena_layout&) { p.operands[0].stride[0] = {2, 0}; }) ==
                        "an operand lies outside its buffer");
}
TEST_CASE("a value that is not written whole is found") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(joined_joins(), [](plan& p, arena_layout&) {
                          for (operand& o : p.operands)
                            if (o.written) o.stride[0] = {};
                        }) != "");
  SINTER_AT_BOTH_CLOCKS(verdict_on(softmax_of_product(), [](plan& p, arena_layout&) { p.groups[0].extents[0] = {2, 0}; }) ==
                        "a value is not written whole");
}
