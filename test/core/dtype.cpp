// SPDX-License-Identifier: Apache-2.0
// Element types: names, sizes, promotion.
#include <sinter/core/with_type.hpp>

#include "../catch.hpp"

using namespace sinter;

namespace {
constexpr dtype ours[]{dtype::float32, dtype::float64,  dtype::int32, dtype::int64, dtype::boolean,
                       dtype::float16, dtype::bfloat16, dtype::int8,  dtype::int16, dtype::uint8};

static_assert(dtype_of<float> == dtype::float32 && dtype_of<bool> == dtype::boolean && dtype_of<char> == dtype::none);
static_assert(element_type<double> && element_type<double const> && !element_type<unsigned> && !element_type<void*>);
static_assert(std::is_same_v<type_of<dtype::int64>, std::int64_t>);
static_assert(promote(dtype::float32, dtype::float64) == dtype::float64 && promote(dtype::int64, dtype::int32) == dtype::int64);
static_assert(promote(dtype::boolean, dtype::boolean) == dtype::boolean && promote(dtype::boolean, dtype::int32) == dtype::none);
static_assert(promote(dtype::int8, dtype::int16) == dtype::int16 && promote(dtype::int8, dtype::uint8) == dtype::int16);
static_assert(promote(dtype::float16, dtype::bfloat16) == dtype::float32 && promote(dtype::float64, dtype::float16) == dtype::float64);
static_assert(promote(dtype::float32, dtype::int64) == dtype::none && promote(dtype::none, dtype::float32) == dtype::none);
// The numbers of MXNet's files.
static_assert(static_cast<int>(dtype::float32) == 0 && static_cast<int>(dtype::float64) == 1 && static_cast<int>(dtype::float16) == 2);
static_assert(static_cast<int>(dtype::uint8) == 3 && static_cast<int>(dtype::int32) == 4 && static_cast<int>(dtype::int8) == 5);
static_assert(static_cast<int>(dtype::int64) == 6 && static_cast<int>(dtype::boolean) == 7 && static_cast<int>(dtype::bfloat16) == 12);
}  // namespace

TEST_CASE("names and sizes") {
  CHECK((name_of(dtype::float32) == "float32" && name_of(dtype::boolean) == "bool" && name_of(dtype::bfloat16) == "bfloat16" &&
         name_of(dtype::none) == "none"));
  for (dtype t : ours)
    with_type(t, [&]<class T>(T*) {
      CHECK(dtype_of<T> == t);
      CHECK(bytes_of(t) == static_cast<int>(sizeof(T)));
      CHECK(is_floating(t) == (std::is_floating_point_v<T> || is_float16<T>));
      CHECK(is_narrow(t) == (sizeof(T) < 4 && t != dtype::boolean));
      CHECK(has_tensors(t));
      CHECK((kind_of(computed_in(t)) == kind_of(t) && !is_narrow(computed_in(t))));
    });
  CHECK((bytes_of(dtype::float16) == 2 && bytes_of(dtype::none) == 0 && !is_floating(dtype::none) && is_floating(dtype::bfloat16)));
}

TEST_CASE("promotion is symmetric and stays within a kind") {
  for (dtype a : ours)
    for (dtype b : ours) {
      CHECK(promote(a, b) == promote(b, a));
      CHECK((promote(a, b) == dtype::none) == (kind_of(a) != kind_of(b)));
      if (kind_of(a) == kind_of(b)) CHECK((bytes_of(promote(a, b)) >= bytes_of(a) && promote(a, promote(a, b)) == promote(a, b)));
    }
}
