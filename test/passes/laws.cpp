// SPDX-License-Identifier: Apache-2.0
// The laws of the passes that order, drop, expand and fold.
#include "laws.hpp"

using namespace test;

namespace {
struct canonicalise {
  constexpr graph operator()(graph g) const { return passes::canonicalise(std::move(g)); }
};
struct remove_dead {
  constexpr graph operator()(graph g) const { return passes::remove_dead(std::move(g)); }
};
struct expand {
  constexpr graph operator()(graph g) const { return passes::expand(std::move(g)); }
};
struct fold_constants {
  constexpr graph operator()(graph g) const { return passes::fold_constants(std::move(g)); }
};
}  // namespace

TEST_CASE("canonicalise keeps the laws") { check_laws_on_all_networks<canonicalise>(); }
TEST_CASE("remove_dead keeps the laws") { check_laws_on_all_networks<remove_dead>(); }
TEST_CASE("expand keeps the laws") { check_laws_on_all_networks<expand>(); }
TEST_CASE("fold_constants keeps the laws") { check_laws_on_all_networks<fold_constants>(); }
