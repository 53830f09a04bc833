// SPDX-License-Identifier: Apache-2.0
// Rewrites, fusion and plans that are made in parts, as the compiler makes those of large networks, equal those that are made at once.
#include <sinter/graph/print.hpp>
#include <sinter/plan/parts.hpp>

#include "random_graph.hpp"

using namespace test;

namespace {

constexpr int size_of_part = 3;

// f(first, last) for each part of n.
template <class F> void in_parts(int n, F f) {
  for (int first = 0; first < n; first += size_of_part) f(first, std::min(first + size_of_part, n));
}
template <class Rule> graph rewritten(graph g, Rule rule) {
  passes::rewriting w(passes::without_nodes(g));
  rule.begin(w, g.nodes.size());
  in_parts(g.nodes.size(), [&](int first, int last) { w.advance(g, first, last, rule); });
  passes::finish(g, w.r, w.to);
  return rule.end(w);
}
graph optimised(graph g, passes::numerics mode) {
  for (int i = 0; i < passes::pipeline_steps; ++i) {
    if (i == 1) g = rewritten(std::move(g), passes::rule_of_step<1>(mode));
    else if (i == 2) g = rewritten(std::move(g), passes::rule_of_step<2>(mode));
    else if (i == 3) g = rewritten(std::move(g), passes::rule_of_step<3>(mode));
    else if (i == 4) g = rewritten(std::move(g), passes::rule_of_step<4>(mode));
    else passes::pipeline_step(i, g, mode);
  }
  return g;
}
passes::fusion fused(graph const& g) {
  passes::detail::fuser all(g);
  for (int round = 0; round < all.rounds; ++round)
    in_parts(g.nodes.size(), [&](int first, int last) {
      passes::detail::fuser part(g, all.f, all.notes);
      part.advance(round, first, last);
      all.f = part.f;
      all.notes = part.notes;
    });
  return all.f;
}
plan planned(graph traced, passes::numerics mode) {
  graph g = optimised(std::move(traced), mode);
  passes::placement const at = passes::place(g);
  passes::fusion const kernels = fused(g);
  detail::plan_builder b(g, at, kernels);
  b.begin();
  plan made;
  in_parts(b.notes.order.size(), [&](int first, int last) {
    detail::plan_builder part(g, at, kernels);
    part.notes = b.notes;
    part.p.buffers = b.p.buffers;
    part.p.parameter_at = b.p.parameter_at;
    part.p.parameter_types = b.p.parameter_types;
    part.number_parameters();
    part.add_groups(first, last, first);
    detail::append_kernels(made, part.p);
    part.p.results = b.p.results;
    b.notes = part.notes;
    b.p = std::move(part.p);
  });
  b.p.operands = made.operands;
  b.p.steps = made.steps;
  b.p.shapes = made.shapes;
  b.p.maps = made.maps;
  b.p.groups = made.groups;
  b.finish();
  complete(b.p);
  return std::move(b.p);
}

bool same(buffer_info const& a, buffer_info const& b) {
  return a.where == b.where && a.index == b.index && a.data == b.data && a.type == b.type && a.elements == b.elements &&
         a.first == b.first && a.last == b.last && a.node == b.node && a.home == b.home;
}
bool same(operand const& a, operand const& b) {
  return a.buffer == b.buffer && a.type == b.type && a.mode == b.mode && a.written == b.written && a.windowed == b.windowed &&
         a.offset == b.offset && std::equal(a.stride, a.stride + max_loop, b.stride) && a.touched == b.touched;
}
bool same(step_info const& a, step_info const& b) {
  return *a.op == *b.op && a.type == b.type && a.n == b.n && std::equal(a.from, a.from + a.n, b.from) && a.row == b.row &&
         a.phase == b.phase && a.needed == b.needed && a.keep == b.keep && a.store == b.store && a.node == b.node &&
         a.prologue == b.prologue;
}
bool same(group const& a, group const& b) {
  return a.kind == b.kind && a.steps == b.steps && a.operands == b.operands && a.inputs == b.inputs && a.rank == b.rank &&
         a.row_rank == b.row_rank && std::equal(a.extents, a.extents + max_loop, b.extents) && a.phases == b.phases && a.map == b.map &&
         a.anchor == b.anchor && a.attributes == b.attributes && a.shapes == b.shapes;
}
bool same(passes::missed const& a, passes::missed const& b) {
  return a.producer == b.producer && a.consumer == b.consumer && a.why == b.why;
}
bool same(preparation const& a, preparation const& b) { return a.group == b.group && a.operand == b.operand && a.like == b.like; }
template <class T> bool same(list<T> const& a, list<T> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](T const& x, T const& y) { return same(x, y); });
}
bool same(plan const& a, plan const& b) {
  return to_string(a.g) == to_string(b.g) && same(a.buffers, b.buffers) && same(a.operands, b.operands) && same(a.steps, b.steps) &&
         same(a.groups, b.groups) && same(a.misses, b.misses) && same(a.preparations, b.preparations) && a.shapes == b.shapes &&
         a.maps.size() == b.maps.size() && a.results == b.results && a.parameters == b.parameters && a.parameter_at == b.parameter_at;
}

}  // namespace

TEST_CASE("a plan in parts is the plan") {
  int differ = 0, compared = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    graph g;
    std::vector<int> node;
    if (!trace_into(program_writer(seed, true).p, g, node)) continue;
    auto const mode = seed % 2 ? passes::numerics::relaxed : passes::numerics::exact;
    try {
      differ += !same(planned(g, mode), make_plan(g, mode));
      ++compared;
    } catch (char const*) {  // a network that no plan fits
    }
  }
  CHECK(differ == 0);
  CHECK(compared > 1000);
}
