// SPDX-License-Identifier: Apache-2.0
// Reductions of NaN, infinities and the largest integers.
#include "reduction.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

TEMPLATE_TEST_CASE("reductions of special values", "", REALS) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<6, 5>>("odd");
  check_reductions(r, "odd.0", x, axis<0>);
  check_reductions(r, "odd.1", x, axis<1>);
  check_reductions(r, "odd.all", x);
  check_reductions(r, "odd.1", transpose(transpose(x).copy()), axis<1>);
}

TEMPLATE_TEST_CASE("reductions of the largest integers", "", std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<3, 3>>("odd");
  check_reductions(r, "odd.0", x, axis<0>);
  check_reductions(r, "odd.1", x, axis<1>);
  check_reductions(r, "odd.all", x);
}

}  // namespace test
