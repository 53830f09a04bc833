// SPDX-License-Identifier: Apache-2.0
// Every operation that F offers is compared with expected values by some test of this program.
#include <sinter/ops/all.hpp>

#include "check.hpp"

namespace {

namespace ops = sinter::ops;

template <class... Op> std::string unchecked(ops::list_of<Op...>) {
  std::string names;
  ((test::checked_ops().contains(Op::name) ? names : names.append(names.empty() ? "" : ", ").append(Op::name)), ...);
  return names;
}
template <class Mode, class... Op> auto list_in(ops::members<Mode, ops::list_of<Op...>> const*) -> ops::list_of<Op...>;
struct nothing {};
// all_members derives from the one list of everything that F has.
using everything = decltype(list_in<nothing>(static_cast<ops::all_members<nothing> const*>(nullptr)));

struct untested {
  static constexpr std::string_view name = "untested";
};

}  // namespace

TEST_CASE("every operation has a reference test") { CHECK(unchecked(everything{}) == ""); }

TEST_CASE("an operation without a reference test is found") {
  CHECK(unchecked(ops::list_of<ops::add, untested, ops::exp>{}) == "untested");
}
