// SPDX-License-Identifier: Apache-2.0
// Every operation of F is compared with expected values by some test of this program, so that ops/recorded has cases of it.
#include "check.hpp"

namespace {

template <class... Op> std::string unchecked(sinter::ops::list_of<Op...>) {
  std::string r;
  for (std::string_view const name : {sinter::ops::op_name<Op>...})
    if (!test::checked_ops().contains(name)) r += (r.empty() ? "" : ", ") + std::string(name);
  return r;
}

}  // namespace

TEST_CASE("every operation has a reference test") { CHECK(unchecked(sinter::ops::all_ops{}) == ""); }
