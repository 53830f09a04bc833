// SPDX-License-Identifier: Apache-2.0
// From a traced graph to a plan: every step, in order. docs/pipeline.md shows what each makes of a small network.
#pragma once
#include "../passes/optimise.hpp"
#include "arena.hpp"
#include "build.hpp"
#include "in_place.hpp"
#include "verify.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The second half. The compiler evaluates the two halves one by one, because it limits the steps of one evaluation.
constexpr plan plan_of(graph optimised) {
  passes::placement where = passes::place(optimised);  // views and the branches of a concat share a buffer
  passes::fusion kernels = passes::fuse(optimised);    // which nodes one kernel computes, and why it ends there
  detail::plan_builder b(std::move(optimised), std::move(where), std::move(kernels));
  b.run();                                             // loops, operands with their strides, steps with their phases, buffers
  detail::share_in_place(b.p);                         // a result takes the bytes of an operand that dies in the same kernel
  return verified(std::move(b.p), "the plan");         // the arena's offsets depend on a call's extents: plan/arena.hpp
}
constexpr plan make_plan(graph traced, passes::numerics mode = passes::numerics::exact) {
  return plan_of(passes::optimise(std::move(traced), mode));
}

}  // namespace SINTER_ISA
}  // namespace sinter
