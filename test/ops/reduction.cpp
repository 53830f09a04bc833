// SPDX-License-Identifier: Apache-2.0
// Sums, means and maxima over every choice of axes.
#include "reduction.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

TEMPLATE_TEST_CASE("reductions over every choice of axes", "", NUMBERS) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<2, 3, 4>>("cube");
  check_reductions(r, "cube.all", x);
  check_reductions(r, "cube.0", x, axis<0>);
  check_reductions(r, "cube.1", x, axis<1>);
  check_reductions(r, "cube.2", x, axis<-1>);
}

TEMPLATE_TEST_CASE("reductions over several axes, with and without keeping them", "", float, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<2, 3, 4>>("cube");
  check_reductions<false>(r, "cube.01", x, axes<0, 1>);
  check_reductions<false>(r, "cube.02", x, axes<2, 0>);
  check_reductions<false>(r, "cube.12", x, axes<1, -1>);
  check_reductions<false>(r, "cube.all", x, axes<0, 1, 2>);
  // The same elements lying the other way round.
  auto const turned = transpose(transpose(x).copy());
  check_reductions(r, "cube.all", turned);
  check_reductions(r, "cube.1", turned, axis<1>);
  auto const kept = r.get<T, shape<2, 3, 4>>("kept");
  check_reductions(r, "kept.1.keep", kept, axis<1>, keepdims);
  check_reductions<false>(r, "kept.02.keep", kept, keepdims, axes<0, 2>);
  check_reductions(r, "kept.all.keep", kept, keepdims);
}

}  // namespace test
