// SPDX-License-Identifier: Apache-2.0
// Shapes as types and as values, the names of dimensions, broadcasting.
#include <sinter/core/error.hpp>

#include "../catch.hpp"

using namespace sinter;

namespace {
template <auto... D> constexpr dims value = shape<D...>::value;
constexpr extent batch = value<dim<"batch">>[0], steps = value<dim<"time">>[0];

static_assert(shape<2, 3>::rank == 2 && shape<2, 3>::fixed && value<2, 3>.size() == 6 && shape<>::value.size() == 1);
static_assert(!shape<dynamic, 3>::fixed && value<dynamic>[0] == unknown_extent && !value<dynamic, 3>.fixed());
static_assert(is_named(batch) && !is_named(unknown_extent) && !is_named(5) && is_number(0) && batch != steps);
static_assert(value<dim<"a">>[0] != value<dim<"aa">>[0] && value<dim<"_">>[0] != value<dim<"__">>[0]);
static_assert(value<2, 3> == value<2, 3> && !(value<2, 3> == value<3, 2>) && !(value<1, 2> == value<2>));
struct spelled {
  static constexpr dims value{batch, 4, unknown_extent};
};
static_assert(std::is_same_v<shape_of_value<spelled>, shape<dim<"batch">, 4, dynamic>>);
static_assert(shape_of_value<shape<5'000'000'000, 2>>::value[0] == 5'000'000'000);

constexpr bool broadcasts(dims const& a, dims const& b, dims const& to) {
  broadcasted const r = broadcast(a, b), s = broadcast(b, a);
  return r.ok && s.ok && r.shape == to && s.shape == to;
}
static_assert(broadcasts(value<2, 1, 3>, value<4, 1>, value<2, 4, 3>));
static_assert(broadcasts(value<>, value<2, 3>, value<2, 3>));
static_assert(broadcasts(value<0>, value<1>, value<0>));
static_assert(broadcasts(value<dim<"batch">, 1>, value<1, 3>, value<dim<"batch">, 3>));
static_assert(broadcasts(value<dim<"batch">>, value<7>, value<7>));
static_assert(broadcasts(value<dim<"batch">>, value<dynamic>, value<dim<"batch">>));
static_assert(!broadcast(value<2>, value<3>).ok && !broadcast(value<0>, value<3>).ok);
static_assert(!broadcast(value<dim<"batch">>, value<dim<"time">>).ok);
}  // namespace

TEST_CASE("shapes as people write them") {
  CHECK(to_string(value<>) == "()");
  CHECK(to_string(value<7>) == "(7,)");
  CHECK(to_string(value<dim<"batch">, 512, dynamic>) == "(batch, 512, ?)");
  CHECK(to_string(value<dim<"a_Z09">>[0]) == "a_Z09");
  CHECK(to_string(value<dim<"abcdefghij">>[0]) == "abcdefghij");  // ten letters: the longest
  CHECK(to_string(value<dim<"9999999999">>[0]) == "9999999999");  // the most negative code
  CHECK(to_string(unknown_dims) == "(unknown)");
}

TEST_CASE("a value that grows") {
  dims d;
  CHECK((d.rank == 0 && d.size() == 1 && d.fixed()));
  d.push(3);
  d.push(unknown_extent);
  CHECK((d.rank == 2 && d[0] == 3 && !d.fixed()));
  CHECK(!unknown_dims.fixed());
}
