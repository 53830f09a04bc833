// SPDX-License-Identifier: Apache-2.0
// Where arrays lie: views without copies, branches of a concat in place, results in place of what they consume.
#include "plans.hpp"

using namespace test;

namespace {

// The plan copies so many arrays, and its memory is sound; the graph with its copies has the values of the graph without.
constexpr bool copies_are(graph const& g, int n) {
  graph const after = passes::optimise(g);
  plan const p = plan_of(graph(after));
  return copies(p) == n && memory_is_sound(p) && well_formed(after) && same_values(g, after, two_rows);
}

constexpr graph concat_of_results() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 3>>();
  return b.with_outputs(
      b.call<ops::concat>(b.call<ops::relu>(x), b.call<ops::exp>(x), b.call<ops::fully_connected>(x, b.parameter<shape<2, 3>>())));
}
constexpr graph concat_of_input() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  return b.with_outputs(b.call<ops::concat>(b.call<ops::relu>(x), x));
}
constexpr graph nested_concat() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  int const inner = b.call<ops::concat>(b.call<ops::relu>(x), b.call<ops::exp>(x), axis<0>);
  return b.with_outputs(b.call<ops::concat>(inner, b.call<ops::concat>(b.call<ops::square>(x), b.call<ops::abs>(x), axis<0>), axis<1>));
}
constexpr graph one_branch_twice() {
  builder b;
  int const y = b.call<ops::relu>(b.input<shape<2, 3>>());
  return b.with_outputs(b.call<ops::concat>(y, y));
}
constexpr graph branch_that_is_read_too() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.call<ops::relu>(x);
  return b.with_outputs(b.call<ops::concat>(y, b.call<ops::exp>(x)), b.call<ops::sum>(y, axis<1>));
}
constexpr graph branch_that_is_an_output() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.call<ops::relu>(x);
  return b.with_outputs(y, b.call<ops::concat>(y, b.call<ops::exp>(x)));
}
constexpr graph output_is_input() {
  builder b;
  return b.with_outputs(b.input<shape<2, 3>>());
}
constexpr graph output_is_parameter() {
  builder b;
  return b.with_outputs(b.parameter<shape<2, 3>>());
}
constexpr graph output_is_constant() {
  builder b;
  return b.with_outputs(b.call<ops::zeros_like>(b.input<shape<2, 3>>()));
}
constexpr graph one_value_twice() {
  builder b;
  int const y = b.call<ops::relu>(b.input<shape<2, 3>>());
  return b.with_outputs(y, y);
}
constexpr graph output_is_whole_view() {  // written in place
  builder b;
  return b.with_outputs(b.call<ops::reshape>(b.call<ops::relu>(b.input<shape<2, 3>>()), into<3, 2>));
}
constexpr graph output_is_other_view() {
  builder b;
  return b.with_outputs(b.call<ops::transpose>(b.call<ops::relu>(b.input<shape<2, 3>>())));
}
constexpr graph output_is_part() {
  builder b;
  return b.with_outputs(b.call<ops::slice>(b.call<ops::relu>(b.input<shape<2, 3>>()), begin<0, 1>, end<open, 3>));
}
constexpr graph transposed_reshape() {
  builder b;
  int const t = b.call<ops::transpose>(b.input<shape<2, 3>>());
  return b.with_outputs(b.call<ops::relu>(b.call<ops::reshape>(t, into<6>)));
}
constexpr graph output_is_transposed_reshape() {  // the copy that the reshape needs is the output
  builder b;
  int const t = b.call<ops::transpose>(b.call<ops::relu>(b.input<shape<2, 3>>()));
  return b.with_outputs(b.call<ops::reshape>(t, into<6>));
}
constexpr graph outputs_of_one_transposed_reshape() {
  builder b;
  int const r = b.call<ops::reshape>(b.call<ops::transpose>(b.input<shape<2, 3>>()), into<6>);
  return b.with_outputs(r, b.call<ops::reshape>(r, into<3, 2>));
}
constexpr graph views_of_views() {  // every one is strides
  builder b;
  int const t = b.call<ops::transpose>(b.input<shape<2, 3, 4>>(), axes<1, 0, 2>);
  int const s = b.call<ops::slice>(t, begin<0, open, 3>, end<2, open, open>, step<1, -1, -2>);
  return b.with_outputs(b.call<ops::relu>(b.call<ops::reshape>(b.call<ops::expand_dims>(s, axis<1>), into<2, 2, 2>)));
}
// A product of (heads, rows, columns) that is read as (rows, heads, columns).
template <class Read> constexpr graph heads(Read read) {
  builder b;
  int const p = b.call<ops::matmul>(b.input<shape<2, 3, 4>>(), b.input<shape<2, 4, 5>>());
  return read(b, p, b.call<ops::transpose>(p, axes<1, 0, 2>));
}
constexpr graph merged_heads() {
  return heads([](builder& b, int, int t) { return b.with_outputs(b.call<ops::relu>(b.call<ops::reshape>(t, into<3, 10>))); });
}
constexpr graph output_is_merged_heads() {
  return heads([](builder& b, int, int t) { return b.with_outputs(b.call<ops::reshape>(t, into<3, 10>)); });
}
constexpr graph output_is_heads() {
  return heads([](builder& b, int, int t) { return b.with_outputs(t); });
}
constexpr graph sorted_heads() {
  return heads([](builder& b, int, int t) { return b.with_outputs(b.call<ops::sort>(t)); });
}
constexpr graph outputs_are_heads() {
  return heads([](builder& b, int, int t) { return b.with_outputs(t, b.call<ops::reshape>(t, into<3, 10>)); });
}
constexpr graph heads_read_twice() {
  return heads([](builder& b, int p, int t) { return b.with_outputs(b.call<ops::reshape>(t, into<3, 10>), b.call<ops::sum>(p, axis<1>)); });
}
constexpr graph heads_that_are_an_output() {
  return heads([](builder& b, int p, int t) { return b.with_outputs(p, b.call<ops::reshape>(t, into<3, 10>)); });
}
constexpr graph heads_of_columns() {  // whose rows would not be written one element after the other
  builder b;
  int const p = b.call<ops::matmul>(b.input<shape<2, 3, 4>>(), b.input<shape<2, 4, 5>>());
  return b.with_outputs(b.call<ops::reshape>(b.call<ops::transpose>(p, axes<2, 0, 1>), into<5, 6>));
}
// Operations that never fuse read whole arrays in order.
constexpr graph opaque_of_view() {
  builder b;
  return b.with_outputs(b.call<ops::sort>(b.call<ops::transpose>(b.call<ops::relu>(b.input<shape<2, 3>>()))));
}
constexpr graph opaque_of_branch() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.call<ops::relu>(x);
  return b.with_outputs(b.call<ops::concat>(y, b.call<ops::exp>(x)), b.call<ops::sort>(y));
}
constexpr graph opaque_of_fill() {
  builder b;
  int const x = b.input<shape<2, 3>, std::int32_t>();
  return b.with_outputs(b.call<ops::sort>(b.call<ops::zeros_like>(x)));
}
constexpr graph opaque_of_whole_view() {
  builder b;
  return b.with_outputs(b.call<ops::sort>(b.call<ops::reshape>(b.call<ops::relu>(b.input<shape<2, 3>>()), into<3, 2>)));
}
// Branches along a dynamic axis.
constexpr graph dynamic_branches() {
  builder b;
  int const x = b.input<shape<dim<"m">, 3>>(), y = b.input<shape<dim<"n">, 3>>();
  return b.with_outputs(b.call<ops::concat>(b.call<ops::relu>(x), b.call<ops::exp>(y), b.call<ops::square>(x), axis<0>));
}
constexpr graph nested_dynamic_branches() {
  builder b;
  int const x = b.input<shape<dim<"m">, 3>>(), y = b.input<shape<dim<"n">, 3>>();
  int const inner = b.call<ops::concat>(b.call<ops::exp>(y), b.call<ops::square>(x), axis<0>);
  return b.with_outputs(b.call<ops::concat>(b.call<ops::relu>(x), inner, axis<0>));
}

// A result takes the place of an operand that nobody needs any more.
constexpr bool in_place(bool wider) {
  builder b;
  int const x = b.input<shape<4, 3>>(), y = b.input<shape<4, 3>>();
  int const s = b.call<ops::sort>(x);
  int const e = wider ? b.call<ops::cast>(s, as<double>) : b.call<ops::exp>(s);
  plan const p = make_plan(b.with_outputs(b.call<ops::sort>(e), y));
  arena_layout const a = arena_at(p, plan_arena(p), {});
  int shared = 0;
  for (int i = 0; i < p.buffers.size(); ++i) shared += p.buffers[i].home != i;
  return shared == (wider ? 0 : 1) && memory_is_sound(p) && a.bytes == (wider ? 192 : 64);
}

// The operand is needed again by a later kernel.
constexpr bool not_in_place_of_what_lives_on() {
  builder b;
  int const s = b.call<ops::sort>(b.input<shape<4, 3>>()), e = b.call<ops::exp>(s);
  plan const p = make_plan(b.with_outputs(b.call<ops::subtract>(b.call<ops::sort>(e), s)));
  bool shared = false;
  for (int i = 0; i < p.buffers.size(); ++i) shared = shared || p.buffers[i].home != i;
  return !shared && memory_is_sound(p);
}

}  // namespace

TEST_CASE("branches of a concat are written in place") {
  SINTER_AT_BOTH_CLOCKS(copies_are(concat_of_results(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(concat_of_input(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(nested_concat(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(one_branch_twice(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(branch_that_is_read_too(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(branch_that_is_an_output(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(dynamic_branches(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(nested_dynamic_branches(), 0));
}
TEST_CASE("outputs have a place of their own") {
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_input(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_parameter(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_constant(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(one_value_twice(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_whole_view(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_other_view(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_part(), 1));
}
TEST_CASE("views are strides where strides can say it") {
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_transposed_reshape(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(outputs_of_one_transposed_reshape(), 2));
  SINTER_AT_BOTH_CLOCKS(copies_are(transposed_reshape(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(views_of_views(), 0));
}
TEST_CASE("a product is written in the order in which a view alone reads it") {
  SINTER_AT_BOTH_CLOCKS(copies_are(merged_heads(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_merged_heads(), 0));
  SINTER_AT_BOTH_CLOCKS(copies_are(output_is_heads(), 0));
  SINTER_AT_BOTH_CLOCKS(copies(make_plan(sorted_heads())) == 0);
  SINTER_AT_BOTH_CLOCKS(copies_are(outputs_are_heads(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(heads_read_twice(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(heads_that_are_an_output(), 1));
  SINTER_AT_BOTH_CLOCKS(copies_are(heads_of_columns(), 1));
}
TEST_CASE("operations that never fuse read arrays in order") {
  SINTER_AT_BOTH_CLOCKS(copies(make_plan(opaque_of_view())) == 1);
  SINTER_AT_BOTH_CLOCKS(copies(make_plan(opaque_of_branch())) == 1);
  SINTER_AT_BOTH_CLOCKS(copies(make_plan(opaque_of_fill())) == 1);
  SINTER_AT_BOTH_CLOCKS(copies(make_plan(opaque_of_whole_view())) == 0);
}
TEST_CASE("an array turned round along more dynamic axes than its place has products") {
  auto const turned = [](bool at_once) {
    builder b;
    int const x = b.input<shape<dim<"a">, dim<"b">, dim<"c">, dim<"d">, dim<"e">>>();
    if (at_once) return b.with_outputs(b.call<ops::flip>(x, axes<0, 2, 4>));
    return b.with_outputs(b.call<ops::flip>(b.call<ops::flip>(x, axis<0>), axes<2, 4>));
  };
  CHECK_THROWS_WITH(make_plan(turned(true)), Catch::Contains("more dynamic axes than a view can say"));
  CHECK(memory_is_sound(make_plan(turned(false))));
}

TEST_CASE("a result takes the place of what it consumes") {
  SINTER_AT_BOTH_CLOCKS(in_place(false));
  SINTER_AT_BOTH_CLOCKS(in_place(true));
  SINTER_AT_BOTH_CLOCKS(not_in_place_of_what_lives_on());
}
