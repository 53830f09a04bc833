// SPDX-License-Identifier: Apache-2.0
// Which kernels run together in blocks of rows, why others do not, and that a plan in which they cannot is found.
#include <sinter/plan/frozen.hpp>
#include <sinter/run/block_rows.hpp>

#include "run_plan.hpp"

using namespace test;

namespace {

template <class Q, class K = Q> constexpr graph attention() {
  builder b;
  int const q = b.input<Q>(), k = b.input<K>(), v = b.input<K>();
  return b.with_outputs(b.call<ops::scaled_dot_product_attention>(q, k, v, num_heads<2>));
}
using many = shape<1, 300, 8>;
using any = shape<dim<"n">, dim<"t">, 4>;
// relu(x y) z, where something else reads relu(x y), too.
constexpr graph read_twice() {
  builder b;
  int const x = b.input<shape<300, 8>>(), y = b.input<shape<8, 300>>();
  int const p = b.call<ops::softmax>(b.call<ops::matmul>(x, y));
  return b.with_outputs(b.call<ops::matmul>(p, b.input<shape<300, 8>>()), b.call<ops::sum>(p, axis<0>));
}
constexpr graph with_weights() {
  builder b;
  int const x = b.input<shape<300, 8>>();
  return b.with_outputs(b.dense<8, 300>(b.call<ops::softmax>(b.dense<300, 8>(x))));
}
constexpr graph other_order() {
  builder b;
  int const x = b.input<shape<300, 8>>(), y = b.input<shape<8, 300>>();
  int const p = b.call<ops::softmax>(b.call<ops::matmul>(x, y), axis<0>);
  return b.with_outputs(b.call<ops::matmul>(p, b.input<shape<300, 8>>()));
}
constexpr graph products_alone() {
  builder b;
  int const x = b.input<shape<300, 8>>(), y = b.input<shape<8, 300>>();
  return b.with_outputs(b.call<ops::matmul>(b.call<ops::exp>(b.call<ops::matmul>(x, y)), b.input<shape<300, 8>>()));
}
// relu(x) + 0.5 is an operand of all blocks, and read again behind them.
constexpr graph read_behind() {
  builder b;
  int const x = b.input<shape<700, 8>>(), z = b.input<shape<700, 8>>();
  int const a = b.call<ops::add>(b.call<ops::relu>(x), b.number(0.5));
  int const p = b.call<ops::softmax>(b.call<ops::matmul>(x, a, transpose_b));
  return b.with_outputs(b.call<ops::sort>(b.call<ops::add>(b.call<ops::matmul>(p, z), a), axis<0>));
}
constexpr graph sorted_attention() {
  builder b;
  int const x = b.input<many>();
  return b.with_outputs(b.call<ops::sort>(b.call<ops::scaled_dot_product_attention>(x, x, x, num_heads<2>)));
}
// One chain begins and ends within another.
constexpr graph interleaved() {
  builder b;
  int const x = b.input<shape<300, 8>>(), y = b.input<shape<300, 8>>();
  int const p = b.call<ops::softmax>(b.call<ops::matmul>(x, y, transpose_b));
  int const v = b.call<ops::matmul>(b.call<ops::softmax>(b.call<ops::matmul>(y, x, transpose_b)), x);
  return b.with_outputs(b.call<ops::matmul>(p, v));
}
constexpr int together(graph const& g) { return together_in(make_plan(g)); }
constexpr std::string_view why_not(graph const& g) {
  plan const p = make_plan(g);
  for (int q = 0; q < p.groups.size(); ++q) {
    if (detail::row_loops(p.groups[q]) == 0 || p.groups[q].kind != kernel_kind::product) continue;
    if (detail::row_chain const c = detail::chain_from(p, q); c.whole && detail::is_large(p, c)) return detail::why_not_in_blocks(p, c);
  }
  return "nothing large lies between two products";
}
// What is wrong after `spoil` has changed the plan.
template <class Spoil> constexpr std::string_view fault_after(Spoil spoil) {
  plan p = make_plan(sorted_attention());
  spoil(p);
  return fault_of(p);
}

}  // namespace

TEST_CASE("attention runs in blocks of rows, and its scores take no place in the arena") {
  SINTER_AT_BOTH_CLOCKS(together(attention<many>()) == 3);
  CHECK(together(attention<any>()) == 3);
  plan const p = make_plan(attention<many>());
  for (int q = 0; q < 3; ++q) CHECK(p.groups[q].together == 2);
  for (resident const& r : plan_arena(p)) CHECK(p.buffers[r.buffer].elements.k == 300 * 8);
  CHECK(fault_of(p).empty());
  CHECK(together_in(without_blocks(p)) == 0);
  CHECK(fault_of(without_blocks(p)).empty());
  CHECK(arena_at(without_blocks(p), plan_arena(without_blocks(p)), {}).bytes >= 2 * 300 * 300 * 4);
}
TEST_CASE("what other kernels or blocks still read is not overwritten by blocks") {
  plan const p = make_plan(read_behind());
  CHECK(together_in(p) == 3);
  CHECK(fault_of(p).empty());
}
TEST_CASE("what lies between kernels that could run together has bytes of its own where a backend keeps it whole") {
  plan const p = make_plan(interleaved());
  CHECK(together_in(p) == 6);
  CHECK(fault_of(p).empty());
  list<std::int64_t> offset(p.buffers.size());
  CHECK(place_blocks(p, {}, offset.begin()) >= 2 * 300 * 300 * 4);  // scores and softmax of one chain share theirs
  plan const alone = make_plan(read_behind());
  CHECK(place_blocks(alone, {}, offset.begin()) < 700 * 700 * 4 + 64);
}
TEST_CASE("what is no larger than a block, and what blocks cannot be cut from, runs as a whole") {
  CHECK(together(attention<shape<1, 100, 8>>()) == 0);
  CHECK(why_not(attention<shape<1, 100, 8>>()) == "nothing large lies between two products");
  CHECK(why_not(attention<shape<1, 20, 8>, shape<1, 3000, 8>>()) == "each matrix has few rows");
  CHECK(why_not(read_twice()) == "another kernel reads it, too");
  CHECK(why_not(with_weights()) == "each block would read all weights again");
  CHECK(why_not(other_order()) == "its rows are read in another order, or several as one");
  CHECK(why_not(products_alone()) == "two products alone gain nothing");
  for (graph const& g : {read_twice(), with_weights(), other_order(), products_alone()}) CHECK(together(g) == 0);
}
TEST_CASE("kernels in blocks give the values of their operations, whatever rows a block has") {
  for (extent t : {1, 2, 7}) {
    graph const g = attention<any>();
    plan const p = make_plan(g);
    binding b;
    REQUIRE(sample_binding(p.g.dimensions, t, b));
    extent const same[max_dimensions]{t, t, t, t, t, t};
    interpreter const want(g, same);
    for (unsigned seed = 0; seed < 10; ++seed) {
      plan_runner const got(p, b, same, seed, &sample);
      CHECK(got.output(0) == want.value[g.outputs[0]]);
    }
  }
}
TEST_CASE("a plan whose kernels cannot run in blocks is found") {
  CHECK(fault_after([](plan&) {}).empty());
  CHECK(fault_after([](plan& p) { p.groups[1].together = 1; }) == "a kernel needs what lay in a block of others");
  CHECK(fault_after([](plan& p) { p.groups[1].together = -1; }) == "a kernel needs what lay in a block of others");
  CHECK(fault_after([](plan& p) { p.groups[2].together = -1; }) == "kernels that run together have no last one");
  CHECK(fault_after([](plan& p) { p.groups[3].together = 3; }) == "a kernel without rows runs in blocks of them");
  CHECK(fault_after([](plan& p) { p.buffers[result_of(p, 2).buffer].where = storage::block; }) ==
        "a kernel that runs in blocks leaves more than the last of them gives");
  CHECK(fault_after([](plan& p) { p.buffers[result_of(p, 0).buffer].where = storage::arena; }) ==
        "a kernel that runs in blocks leaves more than the last of them gives");
  // The scores transposed: the same elements, but other rows.
  CHECK(fault_after([](plan& p) {
          group const& q = p.groups[0];
          operand& o = result_of(p, 0);
          std::swap(o.stride[q.rank - 3], o.stride[q.rank - 2]);
        }) == "a kernel reads or writes other rows of a block than its own");
  // The probabilities as the second operand, of which each row of the result needs all.
  CHECK(fault_after([](plan& p) {
          group const& q = p.groups[2];
          operand& o = within(p, 2);
          o.stride[q.rank - 3] = {};
        }) == "a kernel reads or writes other rows of a block than its own");
  // What the last one writes lies where the first one reads the next block.
  graph const g = [] {
    builder b;
    int const q = b.call<ops::sort>(b.input<shape<300, 300>>());
    int const p = b.call<ops::softmax>(b.call<ops::matmul>(q, b.input<shape<300, 300>>()));
    return b.with_outputs(b.call<ops::sort>(b.call<ops::matmul>(p, b.input<shape<300, 300>>())));
  }();
  plan p = make_plan(g);
  REQUIRE(together_in(p) == 3);
  CHECK(judge(p, {}).sound());
  p.buffers[result_of(p, 3).buffer].home = operand_of(p, 1, 0).buffer;
  CHECK(judge(p, {}).what == "a store destroys what the next block reads");
}
TEST_CASE("blocks are parts of one matrix, of at least eight rows, and all rows are in one of them") {
  for (std::int64_t height : {1, 4, 15, 16, 17, 31, 32, 33, 47, 61, 100, 300, 1024, 4099})
    for (std::int64_t row_bytes : {0, 4, 1000, 4096, 100000, 1 << 30})
      for (std::int64_t threads : {1, 2, 7, 32})
        for (std::int64_t matrices : {1, 2, 12}) {
          executor::block_rows const r(height * matrices, height, row_bytes, threads);
          std::int64_t next = 0;
          bool sound = true;
          for (std::int64_t i = 0; i < r.count(); ++i) {
            std::int64_t const n = r.size(i);
            sound = sound && r.first(i) == next && n > 0 && n <= r.most() && (r.count() == 1 || n >= 8);
            sound = sound && (n == r.all() || next / height == (next + n - 1) / height);
            next += n;
          }
          INFO(height << " rows of " << row_bytes << " bytes, " << threads << " threads");
          CHECK(sound);
          CHECK(next == height * matrices);
          if (row_bytes <= 4096 && height >= 32) CHECK(r.most() * row_bytes <= most_block_bytes + 12 * row_bytes);
        }
}
