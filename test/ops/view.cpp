// SPDX-License-Identifier: Apache-2.0
// Views: which elements they show, and that they copy nothing.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;
namespace ops = sinter::ops;

TEMPLATE_TEST_CASE("views of whole arrays", "", float, std::int64_t, bool) {
  using T = TestType;
  test::records const r("view", dtype_of<T>);
  auto const x = r.get<T, shape<2, 3, 4>>("cube");
  auto const turned = transpose(x);
  test::compare<ops::transpose>(r, "turned", x);
  test::compare<ops::transpose>(r, "021", x, axes<0, 2, 1>);
  test::compare<ops::transpose>(r, "201", x, axes<-1, 0, 1>);
  test::compare<ops::transpose>(r, "cube", turned);
  test::compare<ops::reshape>(r, "6x4", x, into<6, 4>);
  test::compare<ops::reshape>(r, "6x4", x, into<-1, 4>);
  test::compare<ops::reshape>(r, "24", x, into<-1>);
  test::compare<ops::reshape>(r, "1x24x1", x, into<1, 24, 1>);
  test::compare<ops::reshape>(r, "turned.24", turned, into<24>);
  test::compare<ops::flatten>(r, "2x12", x);
  test::compare<ops::expand_dims>(r, "new0", x);
  test::compare<ops::expand_dims>(r, "new1", x, axis<1>);
  test::compare<ops::expand_dims>(r, "new3", x, axis<-1>);
  test::compare<ops::squeeze>(r, "24", reshape(x, into<1, 24, 1>));
  test::compare<ops::squeeze>(r, "24", reshape(x, into<1, 24, 1>), axis<0, -1>);
  test::compare<ops::squeeze>(r, "cube", expand_dims(x, axis<1>), axis<1>);
  test::compare<ops::broadcast_to>(r, "stretched", slice(x, begin<0, 0>, end<open, 1>), into<5, 2, 3, 4>);
  test::compare<ops::broadcast_to>(r, "cube", x, into<2, 3, 4>);
}

TEMPLATE_TEST_CASE("slices", "", float, std::int64_t, bool) {
  using T = TestType;
  test::records const r("view", dtype_of<T>);
  auto const x = r.get<T, shape<7, 9>>("grid");
  test::compare<ops::slice>(r, "part", x, begin<1>, end<5>);
  test::compare<ops::slice>(r, "column", x, begin<open, 3>, end<open, 4>);
  test::compare<ops::slice>(r, "backwards", x, step<-1, -1>);
  test::compare<ops::slice>(r, "steps", x, begin<1, 8>, end<7, 0>, step<2, -3>);
  test::compare<ops::slice>(r, "last", x, begin<-2, -4>, end<open, -1>);
  test::compare<ops::slice>(r, "clipped", x, begin<3, -100>, end<100, 2>);
  test::compare<ops::slice>(r, "empty", x, begin<5>, end<2>);
  test::compare<ops::slice>(r, "nothing", x, begin<2, 1>, end<2>);
  test::compare<ops::slice>(r, "far", x, step<9, -20>);
  test::compare<ops::slice>(r, "past", x, begin<100>);
  test::compare<ops::slice>(r, "turned.steps", transpose(x), begin<open, 1>, end<open, 6>, step<-2, 3>);
  test::compare<ops::slice>(r, "twice", slice(x, begin<1>, end<6>, step<2>), begin<open, 2>, step<-1>);
  test::compare<ops::reshape>(r, "sliced.9", slice(x, begin<2, 1>, end<5, 4>), into<9>);
  test::compare<ops::reshape>(r, "row", slice(x, begin<4>, end<5>), into<9>);
}

TEMPLATE_TEST_CASE("split", "", float, std::int64_t, bool) {
  using T = TestType;
  test::records const r("view", dtype_of<T>);
  auto const x = r.get<T, shape<2, 3, 4>>("cube");
  test::compare_several<ops::split>(r, "split.1", x, parts<3>);
  test::compare_several<ops::split>(r, "split.last", x, parts<2>, axis<-1>);
  test::compare_several<ops::split>(r, "split.0", transpose(transpose(x).copy()), axis<0>, parts<2>);
  test::compare_several<ops::split>(r, "split.whole", x, parts<1>, axis<1>);
  auto const [a, b, c] = split(x, parts<3>, axis<1>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(c)>, nd::tensor<T, shape<2, 1, 4>>>);
  CHECK(c.data() == x.data() + 8);  // a view
  CHECK(b(1, 0, 3) == x(1, 1, 3));
}

TEMPLATE_TEST_CASE("views along dynamic extents", "", float, std::int64_t, bool) {
  using T = TestType;
  test::records const r("view", dtype_of<T>);
  auto const rows = r.get<T, shape<64, 3>>("rows");
  for (extent const n : test::batches) {
    auto const x = test::batch(reshape(rows, into<192>), n);
    std::string const name = "rows" + std::to_string(n);
    test::compare<ops::transpose>(r, name + ".turned", x);
    test::compare<ops::reshape>(r, name + ".flat", x, into<-1>);
    test::compare<ops::slice>(r, name + ".column", x, step<1, -2>);
    test::compare<ops::squeeze>(r, name + ".turned", transpose(expand_dims(x, axis<1>)), axis<1>);
  }
}

TEST_CASE("views share the elements") {
  nd::tensor<float, shape<2, 3>> const x{1, 2, 3, 4, 5, 6};
  CHECK(transpose(x).data() == x.data());
  CHECK(reshape(x, into<3, 2>).data() == x.data());
  CHECK(flatten(expand_dims(x, axis<0>)).data() == x.data());
  CHECK(slice(x, step<-1, -1>).data() == x.data() + 5);
  CHECK(reshape(transpose(x), into<6>).data() != x.data());  // no strides can express it
  slice(x, begin<1>)(0, 2) = 7;
  CHECK(x(1, 2) == 7);
}

}  // namespace test
