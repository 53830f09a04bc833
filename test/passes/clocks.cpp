// SPDX-License-Identifier: Apache-2.0
// The compiler and the program make the same plan of the same graph, to the last stride.
#include "plans.hpp"

using namespace test;

namespace {

template <graph (*Make)()> constexpr std::uint64_t print_of(passes::numerics mode) { return fingerprint(make_plan(Make(), mode)); }
template <graph (*Make)()> void same_plan() {
  constexpr std::uint64_t exact = print_of<Make>(passes::numerics::exact), relaxed = print_of<Make>(passes::numerics::relaxed);
  CHECK(exact == print_of<Make>(passes::numerics::exact));
  CHECK(relaxed == print_of<Make>(passes::numerics::relaxed));
  SINTER_AT_BOTH_CLOCKS(memory_is_sound(make_plan(Make())));
}

}  // namespace

TEST_CASE("plans made at both clocks are equal") {
  same_plan<networks::mlp>();
  same_plan<networks::residual>();
  same_plan<networks::row_operations>();
  same_plan<networks::two_outputs>();
  same_plan<networks::joined>();
  same_plan<networks::views>();
  same_plan<networks::constants>();
  same_plan<networks::whole_numbers>();
  same_plan<networks::repeated>();
  same_plan<networks::long_winded>();
  same_plan<networks::products>();
}
