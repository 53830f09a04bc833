// SPDX-License-Identifier: Apache-2.0
// concat and take, of each width of elements one dtype.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;
namespace ops = sinter::ops;

TEMPLATE_TEST_CASE("concat", "", float, std::int64_t, bool) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  auto const a = r.get<T, shape<2, 2, 3>>("a");
  auto const b = r.get<T, shape<2, 1, 3>>("b");
  auto const c = r.get<T, shape<2, 0, 3>>("c");
  auto const d = r.get<T, shape<2, 4, 3>>("d");
  test::compare<ops::concat>(r, "concat.a", a);
  test::compare<ops::concat>(r, "concat.ab", a, b);
  test::compare<ops::concat>(r, "concat.abc", a, b, c, axis<1>);
  test::compare<ops::concat>(r, "concat.abcd", a, b, c, transpose(transpose(d).copy()), axis<-2>);
  test::compare<ops::concat>(r, "concat.0", a, slice(a, end<1>), a, axis<0>);
  test::compare<ops::concat>(r, "concat.2", a, slice(transpose(a, axes<0, 2, 1>), begin<0, 0, 0>, end<2, 2, 1>), a, axis<2>);
  test::compare<ops::concat>(r, "concat.list", r.get<T, shape<3>>("p"), r.get<T, shape<19>>("q"), r.get<T, shape<1>>("s"));
  auto const rows = r.get<T, shape<64, 3>>("rows");
  for (extent const n : test::batches) {
    auto const x = test::batch(reshape(rows, into<192>), n);
    nd::tensor<T, shape<dim<"batch">, 3>> y(x.shape());
    for (extent i = 0; i < x.size(); ++i) y[i] = static_cast<T>(x[i] * x[i]);
    test::compare<ops::concat>(r, "concat.rows" + std::to_string(n), x, y, axis<1>);
  }
}

TEMPLATE_TEST_CASE("take", "", float, std::int64_t, bool) {
  using T = TestType;
  test::records const r("movement", dtype_of<T>);
  auto const x = r.get<T, shape<3, 4, 5>>("cube");
  auto const check = [&]<class I>(I) {
    test::compare<ops::take>(r, "take.0", x, r.get<I, shape<3, 3>>("take.0.indices"));
    test::compare<ops::take>(r, "take.1", x, r.get<I, shape<3, 3>>("take.1.indices"), axis<1>);
    test::compare<ops::take>(r, "take.2", transpose(transpose(x).copy()),
                             transpose(transpose(r.get<I, shape<3, 3>>("take.2.indices")).copy()), axis<-1>);
    test::compare<ops::take>(r, "take.one", x, nd::tensor<I, shape<>>(2));
  };
  check(std::int32_t{});
  check(std::int64_t{});
  auto const rows = test::batch(reshape(r.get<T, shape<64, 3>>("rows"), into<192>), 64);
  test::compare<ops::take>(r, "take.rows", rows, nd::tensor<std::int64_t, shape<5>>{0, 63, 64, -5, 7});
}

}  // namespace test
