// SPDX-License-Identifier: Apache-2.0
// Sums, means and maxima over every choice of axes, of nothing, and of NaN and infinities.
#include "check.hpp"

namespace {

namespace ops = sinter::ops;
using namespace sinter;

// Every reduction that T has; argmax where it is defined, over one axis or all of something.
template <bool Argmax = true, class X, class... K> void check_all(test::records const& r, std::string const& tail, X const& x,
                                                                  K const&... keywords) {
  test::compare<ops::sum>(r, "sum." + tail, x, keywords...);
  test::compare<ops::max>(r, "max." + tail, x, keywords...);
  if constexpr (std::is_floating_point_v<typename X::value_type>) test::compare<ops::mean>(r, "mean." + tail, x, keywords...);
  if constexpr (Argmax) test::compare<ops::argmax>(r, "argmax." + tail, x, keywords...);
}

}  // namespace

TEMPLATE_TEST_CASE("reductions over every choice of axes", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<2, 3, 4>>("cube");
  check_all(r, "cube.all", x);
  check_all(r, "cube.0", x, axis<0>);
  check_all(r, "cube.1", x, axis<1>);
  check_all(r, "cube.2", x, axis<-1>);
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::int64_t>) {
    check_all<false>(r, "cube.01", x, axes<0, 1>);
    check_all<false>(r, "cube.02", x, axes<2, 0>);
    check_all<false>(r, "cube.12", x, axes<1, -1>);
    check_all<false>(r, "cube.all", x, axes<0, 1, 2>);
    // The same elements lying the other way round.
    auto const turned = transpose(transpose(x).copy());
    check_all(r, "cube.all", turned);
    check_all(r, "cube.1", turned, axis<1>);
  }
  auto const kept = r.get<T, shape<2, 3, 4>>("kept");
  check_all(r, "kept.1.keep", kept, axis<1>, keepdims);
  check_all<false>(r, "kept.02.keep", kept, keepdims, axes<0, 2>);
  check_all(r, "kept.all.keep", kept, keepdims);
}

TEMPLATE_TEST_CASE("reductions of awkward shapes", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  check_all(r, "seven.all", r.get<T, shape<7>>("seven"));
  check_all(r, "one.all", r.get<T, shape<1>>("one"), axis<0>);
  check_all<false>(r, "none.all", r.get<T, shape<0>>("none"));
  check_all(r, "scalar.all", r.get<T, shape<>>("scalar"));
  auto const tall = r.get<T, shape<0, 3>>("tall");
  check_all<false>(r, "tall.0", tall, axis<0>);
  check_all(r, "tall.1", tall, axis<1>);
  auto const flat = r.get<T, shape<3, 0>>("flat");
  check_all(r, "flat.0", flat, axis<0>);
  check_all<false>(r, "flat.1", flat, axis<1>);
  auto const wide = r.get<T, shape<5, 203>>("long");
  check_all(r, "long.0", wide, axis<0>);
  check_all(r, "long.1", wide, axis<1>);
  check_all(r, "long.all", wide);
}
