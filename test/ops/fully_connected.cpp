// SPDX-License-Identifier: Apache-2.0
// fully_connected with and without a bias, and products with a dynamic number of rows.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class T, class X, class... K> void check_layer(test::records const& r, std::string const& name, K const&... keywords) {
  auto const x = r.get<T, X>(name + ".x");
  auto const w = r.get<T, shape<5, 6>>(name + ".weight");
  auto const bias = r.get<T, shape<5>>(name + ".bias");
  test::compare<ops::fully_connected>(r, name + ".fc", x, w, keywords...);
  test::compare<ops::fully_connected>(r, name + ".biased", x, w, bias, keywords...);
  // Operands that lie the other way round.
  test::compare<ops::fully_connected>(r, name + ".biased", transpose(transpose(x).copy()), transpose(transpose(w).copy()), bias,
                                      keywords...);
}

}  // namespace

TEMPLATE_TEST_CASE("fully_connected", "", NUMBERS) {
  using T = TestType;
  test::records const r("product", dtype_of<T>);
  check_layer<T, shape<7, 6>>(r, "matrix");
  check_layer<T, shape<7, 6>>(r, "matrix", flattened<false>);
  check_layer<T, shape<4, 2, 3>>(r, "images");
  check_layer<T, shape<0, 6>>(r, "none");
  check_layer<T, shape<2, 3, 6>>(r, "deep", flattened<false>);
  check_layer<T, shape<6>>(r, "vector", flattened<false>);
}

TEMPLATE_TEST_CASE("products with a dynamic number of rows", "", NUMBERS) {
  using T = TestType;
  test::records const r("product", dtype_of<T>);
  auto const rows = r.get<T, shape<64, 3>>("rows64.a");
  auto const w = r.get<T, shape<3, 5>>("rows64.b");
  auto const none = nd::tensor<T, shape<5>>();
  for (extent const n : test::batches) {
    auto const x = test::batch(reshape(rows, into<192>), n);
    std::string const name = "rows" + std::to_string(n);
    test::compare<ops::matmul>(r, name, x, w);
    test::compare<ops::matmul>(r, name, transpose(x).copy(), w, transpose_a);
    test::compare<ops::fully_connected>(r, name, x, transpose(w));
    test::compare<ops::fully_connected>(r, name, x, transpose(w), none);
  }
}

}  // namespace test
