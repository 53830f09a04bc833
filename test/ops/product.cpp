// SPDX-License-Identifier: Apache-2.0
// matmul of all ranks, stretched and transposed.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <class T, class A, class B> void check_product(test::records const& r, std::string const& name) {
  test::compare<ops::matmul>(r, name, r.get<T, A>(name + ".a"), r.get<T, B>(name + ".b"));
}
// Also with either operand, and both, given transposed, and as views that lie transposed in memory.
template <class T, class A, class B> void check_transposed(test::records const& r, std::string const& name) {
  auto const a = r.get<T, A>(name + ".a");
  auto const b = r.get<T, B>(name + ".b");
  auto const at = transpose(a).copy();
  auto const bt = transpose(b).copy();
  test::compare<ops::matmul>(r, name, a, b);
  test::compare<ops::matmul>(r, name, at, b, transpose_a);
  test::compare<ops::matmul>(r, name, a, bt, transpose_b);
  test::compare<ops::matmul>(r, name, at, bt, transpose_b, transpose_a);
  test::compare<ops::matmul>(r, name, transpose(at), transpose(bt));
}

}  // namespace

TEMPLATE_TEST_CASE("matmul of matrices", "", NUMBERS) {
  using T = TestType;
  test::records const r("product", dtype_of<T>);
  check_transposed<T, shape<3, 5>, shape<5, 7>>(r, "odd");
  check_transposed<T, shape<9, 33>, shape<33, 19>>(r, "large");
  check_transposed<T, shape<4, 6>, shape<6, 5>>(r, "special");
  check_product<T, shape<1, 1>, shape<1, 1>>(r, "one");
  check_product<T, shape<7, 1>, shape<1, 6>>(r, "thin");
  check_product<T, shape<2, 0>, shape<0, 3>>(r, "k0");
  check_product<T, shape<0, 3>, shape<3, 2>>(r, "m0");
  check_product<T, shape<2, 3>, shape<3, 0>>(r, "n0");
  if constexpr (std::is_same_v<T, float>) check_transposed<T, shape<3, 70>, shape<70, 35>>(r, "wide");
}

TEMPLATE_TEST_CASE("matmul of vectors and of batches", "", NUMBERS) {
  using T = TestType;
  test::records const r("product", dtype_of<T>);
  check_product<T, shape<9>, shape<9>>(r, "dot");
  check_product<T, shape<0>, shape<0>>(r, "dot0");
  check_product<T, shape<5>, shape<5, 3>>(r, "row");
  check_product<T, shape<3, 5>, shape<5>>(r, "column");
  check_product<T, shape<2, 3, 4>, shape<2, 4, 5>>(r, "batch");
  check_product<T, shape<2, 1, 3, 4>, shape<3, 4, 5>>(r, "stretched");
  check_product<T, shape<2, 3, 4>, shape<4, 5>>(r, "left");
  check_product<T, shape<3, 4>, shape<2, 4, 5>>(r, "right");
  check_product<T, shape<4>, shape<2, 4, 3>>(r, "rows");
  check_product<T, shape<2, 3, 4>, shape<4>>(r, "columns");
  check_product<T, shape<0, 2, 3>, shape<3, 2>>(r, "batch0");
  auto const a = r.get<T, shape<2, 3, 4>>("batch.a");
  auto const b = r.get<T, shape<2, 4, 5>>("batch.b");
  test::compare<ops::matmul>(r, "batch", transpose(a, axes<0, 2, 1>).copy(), transpose(b, axes<0, 2, 1>).copy(), transpose_a, transpose_b);
  test::compare<ops::matmul>(r, "batch", transpose(transpose(a).copy()), transpose(transpose(b).copy()));
}

}  // namespace test
