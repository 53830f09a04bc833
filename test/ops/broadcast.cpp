// SPDX-License-Identifier: Apache-2.0
// Operands of different shapes and dtypes, and numbers beside arrays.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

// The operands both ways round, and each of them lying transposed.
template <class T, class A, class B, class Out> void check_stretched(test::records const& r, std::string const& name) {
  using W = test::wanted<T>;
  auto const a = r.get<T, A>(name + ".a");
  auto const b = r.get<T, B>(name + ".b");
  auto const forwards = r.get<W, Out>(name + ".subtract"), backwards = r.get<W, Out>(name + ".reverse");
  INFO(name);
  test::expect(test::mismatch<ops::subtract>(a - b, forwards));
  test::expect(test::mismatch<ops::subtract>(b - a, backwards));
  auto const turned = transpose(transpose(a).copy());
  auto const reversed = transpose(transpose(b).copy());
  test::expect(test::mismatch<ops::subtract>(turned - b, forwards));
  test::expect(test::mismatch<ops::subtract>(reversed - turned, backwards));
  if constexpr (std::is_same_v<T, float>) test::expect(test::mismatch<ops::power>(power(a, b), r.get<double, Out>(name + ".power")));
}

}  // namespace

TEMPLATE_TEST_CASE("operands of different shapes", "", NUMBERS) {
  using T = TestType;
  test::records const r("binary", dtype_of<T>);
  check_stretched<T, shape<3, 5>, shape<5>, shape<3, 5>>(r, "row");
  check_stretched<T, shape<3, 5>, shape<3, 1>, shape<3, 5>>(r, "column");
  check_stretched<T, shape<2, 1, 4>, shape<3, 1>, shape<2, 3, 4>>(r, "both");
  check_stretched<T, shape<>, shape<7>, shape<7>>(r, "scalar");
  check_stretched<T, shape<1>, shape<0>, shape<0>>(r, "nothing");
  check_stretched<T, shape<4, 1>, shape<1, 5>, shape<4, 5>>(r, "cross");
  check_stretched<T, shape<0, 3>, shape<1, 3>, shape<0, 3>>(r, "empty");
  check_stretched<T, shape<2, 0, 4>, shape<4>, shape<2, 0, 4>>(r, "middle");
  check_stretched<T, shape<4, 3, 2>, shape<2>, shape<4, 3, 2>>(r, "deep");
  check_stretched<T, shape<1, 67>, shape<3, 1>, shape<3, 67>>(r, "long");
}

TEST_CASE("numbers and other dtypes beside an array") {
  nd::tensor<float, shape<2>> const x{1, -2};
  nd::tensor<double, shape<2>> const y{0.25, 0.5};
  nd::tensor<std::int32_t, shape<2>> const i{5, -6};
  nd::tensor<std::int64_t, shape<2>> const k{std::int64_t{1} << 40, 2};
  using wide = nd::tensor<double, shape<2>>;
  test::expect(test::mismatch<ops::add>(x + 1, wide{2, -1}));
  test::expect(test::mismatch<ops::subtract>(1.5 - x, wide{0.5, 3.5}));
  test::expect(test::mismatch<ops::divide>(1 / x, wide{1, -0.5}));
  test::expect(test::mismatch<ops::multiply>(x * y, wide{0.25, -1}));
  test::expect(test::mismatch<ops::add>(i + k, nd::tensor<std::int64_t, shape<2>>{(std::int64_t{1} << 40) + 5, -4}));
  test::expect(test::mismatch<ops::subtract>(2 - i, nd::tensor<std::int32_t, shape<2>>{-3, 8}));
  test::expect(test::mismatch<ops::clip>(clip(x, -1, 0.5), wide{0.5, -1}));
  test::expect(test::mismatch<ops::maximum>(maximum(i, 0), nd::tensor<std::int32_t, shape<2>>{5, 0}));
  test::expect(test::mismatch<ops::power>(power(x, 2), wide{1, 4}));
}

}  // namespace test
