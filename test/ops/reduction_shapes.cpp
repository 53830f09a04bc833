// SPDX-License-Identifier: Apache-2.0
// Reductions of nothing, of one, of long rows and along dynamic extents.
#include "reduction.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

TEMPLATE_TEST_CASE("reductions of awkward shapes", "", float, std::int64_t) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  check_reductions(r, "seven.all", r.get<T, shape<7>>("seven"));
  check_reductions(r, "one.all", r.get<T, shape<1>>("one"), axis<0>);
  check_reductions<false>(r, "none.all", r.get<T, shape<0>>("none"));
  check_reductions(r, "scalar.all", r.get<T, shape<>>("scalar"));
  auto const tall = r.get<T, shape<0, 3>>("tall");
  check_reductions<false>(r, "tall.0", tall, axis<0>);
  check_reductions(r, "tall.1", tall, axis<1>);
  auto const flat = r.get<T, shape<3, 0>>("flat");
  check_reductions(r, "flat.0", flat, axis<0>);
  check_reductions<false>(r, "flat.1", flat, axis<1>);
}

TEMPLATE_TEST_CASE("reductions of long rows", "", NUMBERS) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const wide = r.get<T, shape<5, 131>>("long");
  check_reductions(r, "long.0", wide, axis<0>);
  check_reductions(r, "long.1", wide, axis<1>);
  check_reductions(r, "long.all", wide);
}

TEMPLATE_TEST_CASE("reductions along dynamic extents", "", NUMBERS) {
  using T = TestType;
  test::records const r("reduction", dtype_of<T>);
  auto const rows = r.get<T, shape<64, 3>>("rows");
  for (extent const n : test::batches) {
    auto const x = test::batch(reshape(rows, into<192>), n);
    std::string const name = "rows" + std::to_string(n);
    if (n > 0) test::compare<ops::argmax>(r, "argmax." + name + ".0", x, axis<0>);
    check_reductions<false>(r, name + ".0", x, axis<0>);
    check_reductions(r, name + ".1", x, axis<1>);
  }
}

}  // namespace test
