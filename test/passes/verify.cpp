// SPDX-License-Identifier: Apache-2.0
// The verifiers at the rooms' doors: whole graphs and plans pass, and each way to break one is found. This program is built with
// SINTER_CHECK_LEVEL 1, so that all its passes verify too.
#include "plans.hpp"

namespace {
using namespace test;
static_assert(SINTER_CHECK_LEVEL == 1);

// relu(x w^T + b) * 2, with a constant of four data.
constexpr graph sound() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  int const y = b.call<ops::relu>(b.dense<4, 3>(x));
  return std::move(b.with_outputs(b.call<ops::multiply>(y, b.constant<shape<4>>({1, 2, 3, 4}))));
}
constexpr plan sound_plan() { return make_plan(sound()); }
constexpr bool all_is_well() { return fault_of(sound()).empty() && fault_of(sound_plan()).empty(); }
template <class Break> constexpr bool graph_fault(std::string_view want, Break break_it) {
  graph g = sound();
  break_it(g);
  return fault_of(g) == want;
}
template <class Break> constexpr bool plan_fault(std::string_view want, Break break_it) {
  plan p = sound_plan();
  break_it(p);
  return fault_of(p) == want;
}
// Operations that are written with others, of two batches whose extents the run compares: each of them goes on with that of the first.
constexpr bool composites_keep_extents() {
  builder b;
  int const x = b.input<shape<dynamic, 3>>(), y = b.input<shape<dynamic, 3>>();
  graph g = std::move(b.with_outputs(b.call<ops::subtract>(x, b.call<ops::prelu>(y, x))));
  return fault_of(passes::optimise(std::move(g))).empty();
}
constexpr int place_of(graph const& g, op_info const& op) {
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.is(i, op)) return i;
  throw "the graph has no such node";
}
}  // namespace

TEST_CASE("what is whole has no fault") {
  SINTER_AT_BOTH_CLOCKS(all_is_well());
  SINTER_AT_BOTH_CLOCKS(composites_keep_extents());
}

TEST_CASE("each fault of a graph is found") {
  SINTER_AT_BOTH_CLOCKS(graph_fault("a node has no operation", [](graph& g) { g.nodes[1].op = nullptr; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("a node's operands lie outside their list", [](graph& g) { g.nodes.back().in.at = 100; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("a node's attributes lie outside their list", [](graph& g) { g.nodes.back().attributes = {100, 1}; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("a leaf has operands", [](graph& g) { g.nodes[0].in = {0, 1}; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("an input has no such number", [](graph& g) { g.nodes[0].index = 1; }));
  SINTER_AT_BOTH_CLOCKS(
      graph_fault("a constant's data lie outside their list", [](graph& g) { g.nodes[place_of(g, constant_op)].index = 1; }));
  SINTER_AT_BOTH_CLOCKS(
      graph_fault("a constant has another number of data than its shape", [](graph& g) { g.nodes[place_of(g, constant_op)].data = 2; }));
  SINTER_AT_BOTH_CLOCKS(
      graph_fault("a node stands before its operand", [](graph& g) { g.operands[g.nodes.back().in.at] = g.nodes.size(); }));
  SINTER_AT_BOTH_CLOCKS(
      graph_fault("an operation has another number of operands than it takes", [](graph& g) { g.nodes.back().in.n = 1; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("an operation's operands do not fit", [](graph& g) { g.operands[g.nodes.back().in.at] = 0; }));
  SINTER_AT_BOTH_CLOCKS(
      graph_fault("a node has another type than its operation gives", [](graph& g) { g.nodes.back().type.type = dtype::float64; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("an output is no node", [](graph& g) { g.outputs[0] = -1; }));
  SINTER_AT_BOTH_CLOCKS(graph_fault("an input is missing", [](graph& g) { ++g.inputs; }));
}

TEST_CASE("each fault of a plan is found") {
  auto const at = [](plan& p) -> operand& { return p.operands[p.groups[0].operands.at]; };
  SINTER_AT_BOTH_CLOCKS(plan_fault("an output is no node", [](plan& p) { p.g.outputs[0] = 100; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a kernel lies outside its lists", [](plan& p) { p.groups[0].steps.n = 100; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a kernel has too many loops", [](plan& p) { p.groups[0].rank = max_loop + 1; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("an operand has no buffer", [&](plan& p) { at(p).buffer = p.buffers.size(); }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a kernel's results do not stand behind its operands", [&](plan& p) { at(p).written = true; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a kernel writes what is not its own",
                                   [](plan& p) { p.buffers[p.operands[p.groups[0].operands.n - 1].buffer].where = storage::parameter; }));
  SINTER_AT_BOTH_CLOCKS(
      plan_fault("a kernel reads what none has written", [&](plan& p) { p.buffers[at(p).buffer].where = storage::output; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a step reads what is not there", [](plan& p) { p.steps[0].from[0] = 3; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a step writes to no result", [](plan& p) { p.steps[p.groups[0].steps.n - 1].store = 0; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a preparation is for no kernel", [](plan& p) { p.preparations[0].group = p.groups.size(); }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a preparation is of no operand", [](plan& p) { p.preparations[0].operand = p.groups[0].inputs; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a preparation depends on more than the parameters", [](plan& p) { p.preparations[0].operand = 0; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a preparation is like none before it", [](plan& p) { p.preparations[0].like = 0; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a kernel that runs once writes what every call needs, or another kernel what is prepared",
                                   [](plan& p) { p.buffers[p.operands[p.groups[0].operands.n - 1].buffer].where = storage::prepared; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a kernel that runs once reads what differs between calls", [](plan& p) { p.groups[0].once = true; }));
  SINTER_AT_BOTH_CLOCKS(plan_fault("a result is missing", [](plan& p) { p.results.shrink(0); }));
}

TEST_CASE("a door says which one it is") {
  graph g = sound();
  g.outputs[0] = -1;
  try {
    passes::optimise(g);
    FAIL("nothing was thrown");
  } catch (error const& e) { CHECK(std::string(e.what()) == "sinter: behind the trace: an output is no node"); }
}
