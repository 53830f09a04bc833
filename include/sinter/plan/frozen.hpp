// SPDX-License-Identifier: Apache-2.0
// A plan in static storage.
#pragma once
#include "arena.hpp"

namespace sinter {
inline namespace SINTER_ISA {

struct plan_sizes {
  int buffers = 0, operands = 0, steps = 0, groups = 0, shapes = 0, attributes = 0, data = 0, results = 0, parameters = 0, dimensions = 0,
      equalities = 0, inputs = 0;
  bool full = false;
  int residents = 0, maps = 0, preparations = 0;
  int regions = 0;  // kernels that run bodies
  int once = 0;     // kernels that run when parameters have changed
  int together = 0; // kernels that run block of rows by block of rows
  int of_images = 0;  // of these, those over images
  int updates = 0;
  constexpr plan_sizes with_residents(int n) const {
    plan_sizes r = *this;
    r.residents = n;
    return r;
  }
  // `bounds`, where a plan of these sizes fits in them; else those in which it does.
  constexpr graph_sizes within(graph_sizes const& bounds) const {
    int nodes = buffers - bounds.memory;  // as bounded_plan counts them
    for (int n : {steps, groups, parameters, preparations})
      if (n > nodes) nodes = n;
    int const arrays = operands > shapes ? operands : shapes;
    if (nodes <= bounds.nodes && arrays <= bounds.operands + bounds.nodes + bounds.memory && attributes <= bounds.attributes &&
        data <= bounds.data && results <= bounds.outputs && equalities <= 2 * max_dimensions + bounds.equalities && maps <= bounds.maps &&
        updates <= bounds.updates)
      return bounds;
    return {nodes, arrays, attributes, data, results, dimensions, equalities, maps, bounds.memory, updates};
  }
};
constexpr int regions_of(plan const& p) {
  int n = 0;
  for (buffer_info const& f : p.buffers) n += f.body >= 0;
  return n;
}
constexpr int once_in(plan const& p) {
  int n = 0;
  for (group const& q : p.groups) n += q.once;
  return n;
}
constexpr int together_in(plan const& p) {
  int n = 0;
  for (group const& q : p.groups) n += q.together >= 0;
  return n;
}
constexpr int of_images_in(plan const& p) {
  int n = 0;
  for (group const& q : p.groups) n += q.of_images.row >= 0;
  return n;
}
constexpr plan_sizes sizes_of(plan const& p) {
  return {p.buffers.size(),
          p.operands.size(),
          p.steps.size(),
          p.groups.size(),
          p.shapes.size(),
          p.g.attributes.size(),
          p.g.data.size(),
          p.results.size(),
          p.parameters,
          p.g.dimensions.rows.size(),
          p.g.dimensions.equal.size(),
          p.g.inputs,
          p.g.dimensions.full,
          0,
          p.maps.size(),
          p.preparations.size(),
          regions_of(p),
          once_in(p),
          together_in(p),
          of_images_in(p),
          p.updates.size()};
}

// A plan at its exact size. `Tag` has `static constexpr plan_sizes sizes`, and the plan's steps beside it as `steps`: they point to their
// operations, and a program that used them at run time would contain all rules of these operations.
template <class Tag> struct frozen_plan {
  static constexpr plan_sizes n = Tag::sizes;
  frozen_list<buffer_info, n.buffers> buffers;
  frozen_list<resident, n.residents> residents;
  frozen_list<operand, n.operands> operands;
  frozen_list<group, n.groups> groups;
  frozen_list<dims, n.shapes> shapes;
  frozen_list<std::int64_t, n.attributes> attributes;
  frozen_list<std::uint64_t, n.data> data;
  frozen_list<array_type, n.results> results;
  frozen_list<int, n.parameters> parameter_at;
  frozen_list<array_type, n.parameters> parameter_types;
  frozen_list<dimension, n.dimensions> dimensions;
  frozen_list<equality, n.equalities> equalities;
  frozen_list<loop_map, n.maps> maps;
  frozen_list<preparation, n.preparations> preparations;
  frozen_list<update, n.updates> updates;

  constexpr frozen_plan() = default;
  // From a plan, or from a bounded_plan of it.
  template <class Plan>
  constexpr explicit frozen_plan(Plan const& p, auto const& stacked)
      : buffers(p.buffers),
        residents(stacked),
        operands(p.operands),
        groups(p.groups),
        shapes(p.shapes),
        attributes(p.attributes),
        data(p.data),
        results(p.results),
        parameter_at(p.parameter_at),
        parameter_types(p.parameter_types),
        dimensions(p.dimensions),
        equalities(p.equalities),
        maps(p.maps),
        preparations(p.preparations),
        updates(p.updates) {}
};

// The same before its exact size is known: the sizes N are bounds, taken from the graph.
template <graph_sizes N> struct bounded_plan {
  static constexpr int groups_ = N.nodes, buffers_ = N.nodes + N.memory, operands_ = N.operands + buffers_;
  bounded_list<buffer_info, buffers_> buffers;
  bounded_list<operand, operands_> operands;
  bounded_list<step_info, groups_> steps;
  bounded_list<group, groups_> groups;
  bounded_list<dims, operands_> shapes;
  bounded_list<std::int64_t, N.attributes> attributes;
  bounded_list<std::uint64_t, N.data> data;
  bounded_list<array_type, N.outputs> results;
  bounded_list<int, groups_> parameter_at;
  bounded_list<array_type, groups_> parameter_types;
  bounded_list<dimension, max_dimensions> dimensions;
  bounded_list<equality, 2 * max_dimensions + N.equalities> equalities;
  bounded_list<loop_map, N.maps> maps;
  bounded_list<preparation, groups_> preparations;
  bounded_list<update, N.updates> updates;
  plan_sizes sizes;
  constexpr explicit bounded_plan(plan const& p)
      : buffers(p.buffers),
        operands(p.operands),
        steps(p.steps),
        groups(p.groups),
        shapes(p.shapes),
        attributes(p.g.attributes),
        data(p.g.data),
        results(p.results),
        parameter_at(p.parameter_at),
        parameter_types(p.parameter_types),
        dimensions(p.g.dimensions.rows),
        equalities(p.g.dimensions.equal),
        maps(p.maps),
        preparations(p.preparations),
        updates(p.updates),
        sizes(sizes_of(p)) {}
};

}  // namespace SINTER_ISA
}  // namespace sinter
