// SPDX-License-Identifier: Apache-2.0
// canonicalise, remove_dead, expand and merge_common, each alone.
#include "networks.hpp"

using namespace test;

namespace {

// add(exp(x), log(y)) with its operands and inputs written down in any order
constexpr graph written(bool exp_first) {
  builder b;
  int const x = b.input<shape<3>>(), y = b.input<shape<3>>();
  int const first = exp_first ? b.call<ops::exp>(x) : b.call<ops::log>(y), second = exp_first ? b.call<ops::log>(y) : b.call<ops::exp>(x);
  return b.with_outputs(b.call<ops::add>(exp_first ? first : second, exp_first ? second : first));
}
constexpr bool order_is_ours() {
  graph const a = written(true), b = written(false);
  graph const c = passes::canonicalise(a);
  return fingerprint(a) != fingerprint(b) && fingerprint(c) == fingerprint(passes::canonicalise(b)) && c.is(0, input_op) &&
         c.is(1, input_op) && c.is(2, ops::info<ops::exp>) && c.is(3, ops::info<ops::log>) && c.is(4, ops::info<ops::add>);
}
constexpr bool prints_follow_their_nodes() {
  builder b;
  int const x = b.input<shape<3>>(), dead = b.call<ops::log>(x), y = b.call<ops::exp>(x);
  b.g.prints.push({b.g.intern("y"), y});
  b.g.prints.push({b.g.intern("dead"), dead});
  graph const g = passes::canonicalise(b.with_outputs(y));
  return g.prints.size() == 2 && g.is(g.prints[0].node, ops::info<ops::exp>) && g.str(g.prints[0].label) == "y" && g.prints[1].node == -1;
}
constexpr bool dead_nodes_go_and_inputs_stay() {
  builder b;
  int const x = b.input<shape<3>>(), unused = b.input<shape<3>>(), w = b.parameter<shape<3>>();
  int const y = b.call<ops::exp>(x);
  b.call<ops::add>(b.call<ops::log>(unused), w);
  graph const g = passes::remove_dead(b.with_outputs(y));
  return g.nodes.size() == 3 && g.inputs == 2 && count(g, input_op) == 2 && count(g, parameter_op) == 0 && count<ops::exp>(g) == 1;
}

constexpr bool composites_are_written_out() {
  graph const g = passes::expand(networks::row_operations());
  for (node const& k : g.nodes)
    if (k.op->kind == family::composite) {
      for (node const& user : g.nodes)  // what stands for it has taken its users over
        for (int j = 0; j < user.in.n; ++j)
          if (&g.nodes[g.operand(user, j)] == &k) return false;
      for (int o : g.outputs)
        if (&g.nodes[o] == &k) return false;
    }
  graph const t = tidied(g);
  return count<ops::exp>(t) == 2 && count<ops::max>(t) == 2 && count<ops::mean>(t) == 2 && count<ops::rsqrt>(t) == 1 &&
         count<ops::log>(t) == 1;
}
// sum(x, axis<1>) -> reshape(sum(x, axis<1>, keepdims))
constexpr bool reductions_keep_their_axes() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  graph const g = tidied(passes::expand(b.with_outputs(b.call<ops::sum>(x, axis<1>), b.call<ops::max>(x, axis<0>, keepdims))));
  bool kept = true;
  for (node const& k : g.nodes)
    if (k.op->kind == family::reduction) kept = kept && k.type.shape.rank == 2;
  return kept && output_op(g, 0) == &ops::info<ops::reshape> && output_op(g, 1) == &ops::info<ops::max> &&
         g.nodes[g.outputs[0]].type.shape == shape<2>::value;
}

template <class Op> constexpr bool commutes(bool expected) {
  builder b;
  int const x = b.input<shape<3>>(), y = b.input<shape<3>>();
  graph const g = tidied(passes::merge_common(b.with_outputs(b.call<Op>(x, y), b.call<Op>(y, x))));
  return (g.outputs[0] == g.outputs[1]) == expected && count<Op>(g) == (expected ? 1 : 2);
}
constexpr bool same_things_merge() {
  graph const g = tidied(passes::merge_common(networks::repeated()));
  return count<ops::exp>(g) == 2 && count<ops::add>(g) == 1 && count<ops::multiply>(g) == 1;
}
constexpr bool different_things_stay_apart() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.input<shape<2, 3>>(), w = b.parameter<shape<2, 3>>(), v = b.parameter<shape<2, 3>>();
  graph const g = tidied(passes::merge_common(b.with_outputs(b.call<ops::sum>(x, axis<0>, keepdims), b.call<ops::sum>(x, axis<1>, keepdims),
                                                             b.call<ops::max>(x, axis<0>, keepdims), b.call<ops::sum>(x, axis<0>),  //
                                                             b.call<ops::add>(x, b.number(0.)), b.call<ops::add>(x, b.number(-0.)),
                                                             b.call<ops::add>(x, y), b.call<ops::add>(x, w), b.call<ops::add>(x, v),
                                                             b.call<ops::reshape>(x, into<3, 2>), b.call<ops::transpose>(x),
                                                             b.call<ops::cast>(x, as<double>), b.call<ops::cast>(x, as<std::int32_t>))));
  for (int i = 0; i < g.outputs.size(); ++i)
    for (int j = 0; j < i; ++j)
      if (g.outputs[i] == g.outputs[j]) return false;
  return true;
}
constexpr bool equal_constants_merge() {
  builder b;
  int const x = b.input<shape<2>>();
  int const y = b.call<ops::add>(x, b.constant<shape<2>>({1, 2})), z = b.call<ops::add>(x, b.constant<shape<2>>({1, 2})),
            other = b.call<ops::add>(x, b.constant<shape<2>>({1, 3}));
  graph const g = tidied(passes::merge_common(b.with_outputs(y, z, other)));
  return g.outputs[0] == g.outputs[1] && g.outputs[0] != g.outputs[2] && count(g, constant_op) == 2;
}

}  // namespace

TEST_CASE("canonicalise makes one order of all") { SINTER_AT_BOTH_CLOCKS(order_is_ours()); }
TEST_CASE("prints follow their nodes") { SINTER_AT_BOTH_CLOCKS(prints_follow_their_nodes()); }
TEST_CASE("remove_dead keeps the inputs") { SINTER_AT_BOTH_CLOCKS(dead_nodes_go_and_inputs_stay()); }
TEST_CASE("expand writes composite operations out") {
  SINTER_AT_BOTH_CLOCKS(composites_are_written_out());
  SINTER_AT_BOTH_CLOCKS(reductions_keep_their_axes());
}
TEST_CASE("merge_common merges what is equal") {
  SINTER_AT_BOTH_CLOCKS(same_things_merge());
  SINTER_AT_BOTH_CLOCKS(equal_constants_merge());
  SINTER_AT_BOTH_CLOCKS((commutes<ops::add>(true) && commutes<ops::multiply>(true) && commutes<ops::equal>(true)));
  SINTER_AT_BOTH_CLOCKS(
      (commutes<ops::subtract>(false) && commutes<ops::divide>(false) && commutes<ops::power>(false) && commutes<ops::greater>(false)));
  // Of 0 and -0 the first is the result.
  SINTER_AT_BOTH_CLOCKS((commutes<ops::maximum>(false) && commutes<ops::minimum>(false)));
}
TEST_CASE("merge_common leaves apart what differs") { SINTER_AT_BOTH_CLOCKS(different_things_stay_apart()); }
