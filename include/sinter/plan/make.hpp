// SPDX-License-Identifier: Apache-2.0
// From a traced graph to a plan: every step, in order. docs/pipeline.md shows what each makes of a small network.
#pragma once
#include "../passes/optimise.hpp"
#include "arena.hpp"
#include "blocks.hpp"
#include "build.hpp"
#include "image_blocks.hpp"
#include "in_place.hpp"
#include "preparations.hpp"
#include "sharing.hpp"
#include "verify.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is decided when all kernels are known.
constexpr void complete(plan& p) {
  detail::find_once(p);                            // kernels that run when parameters have changed, and not in every call
  detail::run_in_blocks(p);                        // products with rows between them go block of rows by block of rows
  detail::run_in_image_blocks(p);                  // kernels with large images between them go some rows of an image after the other
  detail::share_in_place(p);                       // a result takes the bytes of an operand that dies in the same kernel
  detail::find_preparations(p);                    // weights that a backend may read in an order of its own
  detail::find_updates(p);                         // parameters that are changed where they are
  verify(p, "the plan");                           // the arena's offsets depend on a call's extents: plan/arena.hpp
}
// From an optimised graph, where its arrays lie, and which nodes one kernel computes. Placing may add dimensions to the graph.
constexpr plan plan_of(graph placed, passes::placement where, passes::fusion kernels) {
  detail::plan_builder b(std::move(placed), std::move(where), std::move(kernels));
  b.run();                                         // loops, operands with their strides, steps with their phases, buffers
  complete(b.p);
  return std::move(b.p);
}
// References to graphs: see passes/optimise.hpp.
constexpr plan plan_of(graph&& optimised) {
  passes::placement where = passes::place(optimised);  // views and the branches of a concat share a buffer
  passes::fusion kernels = passes::fuse(optimised);    // which nodes one kernel computes, and why it ends there
  return plan_of(std::move(optimised), std::move(where), std::move(kernels));
}
constexpr plan make_plan(graph&& traced, passes::numerics mode = passes::numerics::exact) {
  list<graph> bodies = std::move(traced.bodies);
  graph optimised = passes::optimise(std::move(traced), mode);
  plan p = plan_of(std::move(optimised));
  for (graph& body : bodies) {
    graph of_body = passes::optimise(std::move(body), mode);
    p.bodies.push(plan_of(std::move(of_body)));
  }
  return p;
}
constexpr plan make_plan(graph const& traced, passes::numerics mode = passes::numerics::exact) {
  graph g = traced;
  return make_plan(std::move(g), mode);
}

}  // namespace SINTER_ISA
}  // namespace sinter
