// SPDX-License-Identifier: Apache-2.0
// What every pass keeps: values, well-formedness, and its own result; the same on every network at both clocks.
#pragma once
#include <sinter/graph/print.hpp>

#include "networks.hpp"

namespace test {

// A pass gives a well-formed graph with the same values, in which it finds nothing more to do. The fingerprint of the result; 0 where a
// law is broken.
template <class Pass> constexpr std::uint64_t lawful(graph const& before, Pass pass) {
  graph const once = pass(before);
  if (!well_formed(before) || !well_formed(once) || !same_values(before, once)) return 0;
  std::uint64_t const print = fingerprint(tidied(once));
  if constexpr (requires { Pass::has_more_to_do; }) return print;
  else return fingerprint(tidied(pass(once))) == print ? print : 0;
}
template <graph (*Make)(), class Pass> void check_laws() {
  constexpr std::uint64_t built = lawful(Make(), Pass{});
  static_assert(built != 0);
  INFO(to_string(Make()));
  CHECK(built == lawful(Make(), Pass{}));
}
template <class Pass> void check_laws_on_all_networks() {
  check_laws<networks::mlp, Pass>();
  check_laws<networks::residual, Pass>();
  check_laws<networks::row_operations, Pass>();
  check_laws<networks::two_outputs, Pass>();
  check_laws<networks::joined, Pass>();
  check_laws<networks::views, Pass>();
  check_laws<networks::constants, Pass>();
  check_laws<networks::whole_numbers, Pass>();
  check_laws<networks::repeated, Pass>();
  check_laws<networks::long_winded, Pass>();
  check_laws<networks::products, Pass>();
  check_laws<networks::convolutions, Pass>();
}

}  // namespace test
