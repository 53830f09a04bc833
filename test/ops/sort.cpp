// SPDX-License-Identifier: Apache-2.0
// sort, topk, one_hot and arrays made from nothing.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;
namespace ops = sinter::ops;

TEMPLATE_TEST_CASE("sort", "", NUMBERS) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  auto const x = r.get<T, shape<3, 4, 5>>("sort.x");
  test::compare<ops::sort>(r, "sort.2", x);
  test::compare<ops::sort>(r, "sort.0", x, axis<0>);
  test::compare<ops::sort>(r, "sort.1", transpose(transpose(x).copy()), axis<1>);
  test::compare<ops::sort>(r, "sort.0.down", x, descending, axis<0>);
  test::compare<ops::sort>(r, "sort.2.down", x, descending);
  constexpr int n = std::is_floating_point_v<T> ? 75 : 60;
  auto const list = r.get<T, shape<n>>("sort.long");
  test::compare<ops::sort>(r, "sort.long.up", list);
  test::compare<ops::sort>(r, "sort.long.down", list, descending);
  auto const rows = r.get<T, shape<64, 3>>("rows");
  for (extent const k : test::batches)
    test::compare<ops::sort>(r, "sort.rows" + std::to_string(k), test::batch(reshape(rows, into<192>), k), axis<0>);
}

TEMPLATE_TEST_CASE("topk", "", NUMBERS) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  auto const x = r.get<T, shape<3, 4, 5>>("sort.x");
  test::compare_several<ops::topk>(r, "topk.2", x, top<3>);
  test::compare_several<ops::topk>(r, "topk.0.up", x, top<3>, axis<0>, ascending);
  test::compare_several<ops::topk>(r, "topk.1", transpose(transpose(x).copy()), axis<1>, top<1>);
  constexpr int n = std::is_floating_point_v<T> ? 75 : 60;
  auto const list = r.get<T, shape<n>>("sort.long");
  test::compare_several<ops::topk>(r, "topk.long", list, top<(n == 75 ? 70 : 60)>);
  test::compare_several<ops::topk>(r, "topk.long.up", list, top<5>, ascending);
  auto const rows = slice(r.get<T, shape<64, 3>>("rows"), end<2>);
  nd::tensor<T, shape<2, 12>> ties;
  for (int i = 0; i < 24; ++i) ties(i / 12, i % 12) = rows(i / 12, i % 12 / 4);
  test::compare_several<ops::topk>(r, "topk.ties", ties, top<9>);
}

TEMPLATE_TEST_CASE("arange", "", NUMBERS) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  test::compare<ops::arange>(r, "arange.10", values<10>, as<T>);
  test::compare<ops::arange>(r, "arange.span", values<-3, 12, 4>, as<T>);
  test::compare<ops::arange>(r, "arange.down", values<5, -5, -3>, as<T>);
  test::compare<ops::arange>(r, "arange.none", values<0>, as<T>);
  test::compare<ops::arange>(r, "arange.wrong", values<3, 1>, as<T>);
  if constexpr (std::is_floating_point_v<T>) {
    test::compare<ops::arange>(r, "arange.quarter", values<0.5, 3, 0.25>, as<T>);
    test::compare<ops::arange>(r, "arange.tenth", values<0, 1, 0.1>, as<T>);
  }
}

TEMPLATE_TEST_CASE("arrays of one number and of a diagonal", "", NUMBERS, bool) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  auto const cube = r.get<T, shape<3, 4, 5>>("cube");
  test::compare<ops::zeros_like>(r, "zeros", cube);
  test::compare<ops::zeros>(r, "zeros", into<3, 4, 5>, as<T>);
  test::compare<ops::ones_like>(r, "ones", cube);
  test::compare<ops::ones>(r, "ones", into<3, 4, 5>, as<T>);
  if constexpr (std::is_same_v<T, bool>) {
    test::compare<ops::full>(r, "full", into<2, 3>, values<true>, as<T>);
    test::compare<ops::full_like>(r, "full", nd::tensor<T, shape<2, 3>>{}, values<true>);
  } else {
    test::compare<ops::full>(r, "full", as<T>, into<2, 3>, values<-7>);
    test::compare<ops::full_like>(r, "full", nd::tensor<T, shape<2, 3>>{}, values<-7>);
  }
  test::compare<ops::eye>(r, "eye", into<3, 4>, as<T>);
  test::compare<ops::eye>(r, "square", into<3>, as<T>);
}

TEST_CASE("a range of whole numbers that no float tells apart") {
  CHECK(arange(values<9223372036854775800, 9223372036854775807>, as<double>).size() == 7);
  CHECK(arange(values<9007199254740993, 9007199254740999>, as<double>).to_vector() ==
        std::vector<double>{9007199254740992., 9007199254740994., 9007199254740996., 9007199254740996., 9007199254740996.,
                            9007199254740998.});
  CHECK(arange(values<0, 9007199254740993, 9007199254740992>, as<double>).size() == 2);
}

TEMPLATE_TEST_CASE("linspace", "", REALS) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  test::compare<ops::linspace>(r, "linspace.unit", values<0, 1, 11>, as<T>);
  test::compare<ops::linspace>(r, "linspace.back", values<2.5, -1.25, 7>, as<T>);
  test::compare<ops::linspace>(r, "linspace.one", values<3, 5, 1>, as<T>);
  test::compare<ops::linspace>(r, "linspace.none", values<3, 5, 0>, as<T>);
  test::compare<ops::linspace>(r, "linspace.two", values<1, 3, 2>, as<T>);
  // The last number is the one that was asked for: the steps add up to less.
  static_assert(linspace(values<0, 1, 50>, as<double>)[49] == 1 && 1 / 49. * 49 < 1);
}

TEST_CASE("the dtype and the extents of arrays made from nothing") {
  nd::tensor<double, shape<dim<"n">, 2>> const x({3, 2});
  CHECK(full_like(x, values<2.5>).to_vector() == std::vector<double>(6, 2.5));
  CHECK(ones_like(nd::tensor<float, shape<0, 3>>{}).size() == 0);
  CHECK(full(into<>, values<7>).item() == 7);
  static_assert(std::is_same_v<decltype(zeros(into<2>)), nd::tensor<float, shape<2>>>);
  static_assert(std::is_same_v<decltype(arange(values<3>)), nd::tensor<float, shape<3>>>);
}

TEMPLATE_TEST_CASE("one_hot", "", std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  auto const i = r.get<T, shape<2, 3>>("one_hot.i");
  test::compare<ops::one_hot>(r, "one_hot.float32", i, depth<4>);
  test::compare<ops::one_hot>(r, "one_hot.int32", transpose(transpose(i).copy()), depth<4>, as<std::int32_t>);
  test::compare<ops::one_hot>(r, "one_hot.bool", i, depth<4>, as<bool>);
  test::compare<ops::one_hot>(r, "one_hot.values", i, depth<4>, values<-2.5, 0.5>);
  test::compare<ops::one_hot>(r, "one_hot.none", i, depth<0>);
  auto const rows = r.get<T, shape<64, 3>>("one_hot.rows");
  for (extent const n : test::batches)
    test::compare<ops::one_hot>(r, "one_hot.rows" + std::to_string(n), test::batch(reshape(rows, into<192>), n), depth<2>);
}

}  // namespace test
