// SPDX-License-Identifier: Apache-2.0
// Random arrays are a function of their key.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;
namespace ops = sinter::ops;
using key = nd::tensor<std::int64_t, shape<>>;

TEMPLATE_TEST_CASE("dropout_mask", "", float, double) {
  using T = TestType;
  test::records const r("random", dtype_of<T>);
  test::compare<ops::dropout_mask>(r, "odd", nd::tensor<T, shape<3, 5, 7>>{}, key(7), values<0.3>);
  test::compare<ops::dropout_mask>(r, "negative", nd::tensor<T, shape<64>>{}, key(-(std::int64_t{1} << 62) - 1), values<0.5>);
  test::compare<ops::dropout_mask>(r, "one", nd::tensor<T, shape<>>(2), key(1), values<0.1>);
  test::compare<ops::dropout_mask>(r, "none", nd::tensor<T, shape<0, 3>>{}, key(1), values<0.1>);
  test::compare<ops::dropout_mask>(r, "all", nd::tensor<T, shape<4>>{}, key(1), values<0>);
  for (extent const n : test::batches)
    test::compare<ops::dropout_mask>(r, "rows" + std::to_string(n), nd::tensor<T, shape<dim<"batch">, 3>>({n, 3}), key(5), values<0.75>);
}

TEST_CASE("a mask needs a floating type and one int64 as its key") {
  using f = nd::tensor<float, shape<3>>;
  using half = std::remove_const_t<decltype(values<0.5>)>;
  static_assert(ops::function_fits<ops::dropout_mask, f, key, half>);
  static_assert(!ops::function_fits<ops::dropout_mask, nd::tensor<std::int32_t, shape<3>>, key, half>);
  static_assert(!ops::function_fits<ops::dropout_mask, f, nd::tensor<std::int32_t, shape<>>, half>);
  static_assert(!ops::function_fits<ops::dropout_mask, f, nd::tensor<std::int64_t, shape<0>>, half>);
}

}  // namespace test
