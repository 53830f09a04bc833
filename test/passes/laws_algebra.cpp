// SPDX-License-Identifier: Apache-2.0
// The laws of the passes that merge, simplify and place, and of all together.
#include "laws.hpp"

using namespace test;

namespace {
struct merge_common {
  constexpr graph operator()(graph g) const { return passes::merge_common(std::move(g)); }
};
struct simplify {
  constexpr graph operator()(graph g) const { return passes::simplify(std::move(g)); }
};
struct insert_copies {  // it wants a graph without composite operations
  constexpr graph operator()(graph g) const { return passes::insert_copies(passes::expand(std::move(g))); }
};
struct optimise {
  static constexpr bool has_more_to_do = true;  // merging merges the copies that come last
  constexpr graph operator()(graph g) const { return passes::optimise(std::move(g)); }
};
}  // namespace

TEST_CASE("merge_common keeps the laws") { check_laws_on_all_networks<merge_common>(); }
TEST_CASE("simplify keeps the laws") { check_laws_on_all_networks<simplify>(); }
TEST_CASE("insert_copies keeps the laws") { check_laws_on_all_networks<insert_copies>(); }
TEST_CASE("optimise keeps the laws") { check_laws_on_all_networks<optimise>(); }
