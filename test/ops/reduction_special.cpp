// SPDX-License-Identifier: Apache-2.0
// Reductions of NaN, infinities and the largest integers, and along dynamic extents.
#include "check.hpp"

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <bool Argmax = true, class X, class... K> void check_all(test::records const& r, std::string const& tail, X const& x,
                                                                  K const&... keywords) {
  test::compare<ops::sum>(r, "sum." + tail, x, keywords...);
  test::compare<ops::max>(r, "max." + tail, x, keywords...);
  if constexpr (std::is_floating_point_v<typename X::value_type>) test::compare<ops::mean>(r, "mean." + tail, x, keywords...);
  if constexpr (Argmax) test::compare<ops::argmax>(r, "argmax." + tail, x, keywords...);
}

}  // namespace

TEMPLATE_TEST_CASE("reductions of special values", "", float, double) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<6, 5>>("odd");
  check_all(r, "odd.0", x, axis<0>);
  check_all(r, "odd.1", x, axis<1>);
  check_all(r, "odd.all", x);
  check_all(r, "odd.1", transpose(transpose(x).copy()), axis<1>);
}

TEMPLATE_TEST_CASE("reductions of the largest integers", "", std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const x = r.get<T, shape<3, 3>>("odd");
  check_all(r, "odd.0", x, axis<0>);
  check_all(r, "odd.1", x, axis<1>);
  check_all(r, "odd.all", x);
}

TEMPLATE_TEST_CASE("reductions along dynamic extents", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const rows = r.get<T, shape<64, 3>>("rows");
  for (extent const n : test::batches) {
    auto const x = test::batch(reshape(rows, to<192>), n);
    std::string const name = "rows" + std::to_string(n);
    if (n > 0) test::compare<ops::argmax>(r, "argmax." + name + ".0", x, axis<0>);
    check_all<false>(r, name + ".0", x, axis<0>);
    check_all(r, name + ".1", x, axis<1>);
  }
}
