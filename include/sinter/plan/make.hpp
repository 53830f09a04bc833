// SPDX-License-Identifier: Apache-2.0
// From a traced graph to a plan, in one call for both clocks.
#pragma once
#include "../passes/optimise.hpp"
#include "arena.hpp"
#include "build.hpp"
#include "verify.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// `optimised` has been through passes::optimise.
constexpr plan plan_of(graph optimised) {
  detail::plan_builder b(std::move(optimised));
  b.run();
  return verified(std::move(b.p), "the plan");
}
constexpr plan make_plan(graph traced, passes::numerics mode = passes::numerics::exact) {
  return plan_of(passes::optimise(std::move(traced), mode));
}

}  // namespace SINTER_ISA
}  // namespace sinter
