// SPDX-License-Identifier: Apache-2.0
// Random arrays are a function of their key.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;
namespace ops = sinter::ops;
using key = nd::tensor<std::int64_t, shape<>>;

TEMPLATE_TEST_CASE("dropout_mask", "", REALS) {
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

TEMPLATE_TEST_CASE("random floats", "", REALS) {
  using T = TestType;
  test::records const r("random", dtype_of<T>);
  auto const both = [&](std::string const& name, key const& k, auto extents) {
    test::compare<ops::random_uniform>(r, "uniform." + name, k, extents, as<T>);
    test::compare<ops::random_uniform>(r, "uniform.wide." + name, k, extents, values<-3, 5>, as<T>);
    test::compare<ops::random_normal>(r, "normal." + name, k, extents, as<T>);
    test::compare<ops::random_normal>(r, "normal.moved." + name, k, values<10, 0.5>, extents, as<T>);
    test::compare<ops::random_normal>(r, "normal.far." + name, k, values<16777217, 3>, extents, as<T>);  // no float has this mean
  };
  both("plain", key(7), into<3, 5>);
  both("negative", key(-(std::int64_t{1} << 62) - 1), into<67>);
  both("one", key(1), into<>);
  both("none", key(1), into<0, 3>);
}

TEMPLATE_TEST_CASE("random integers", "", std::int32_t, std::int64_t) {
  using T = TestType;
  test::records const r("random", dtype_of<T>);
  constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  test::compare<ops::random_randint>(r, "randint.small", key(7), into<3, 5>, values<-3, 4>, as<T>);
  test::compare<ops::random_randint>(r, "randint.negative", key(-(std::int64_t{1} << 62) - 1), into<67>, values<0, 1000>, as<T>);
  test::compare<ops::random_randint>(r, "randint.one", key(1), into<>, values<5, 6>, as<T>);
  test::compare<ops::random_randint>(r, "randint.none", key(1), into<0, 3>, values<0, 9>, as<T>);
  test::compare<ops::random_randint>(r, "randint.all", key(3), into<9>, values<least, most>, as<T>);
}

TEMPLATE_TEST_CASE("shuffle", "", NUMBERS, bool) {
  using T = TestType;
  test::records const r("random", dtype_of<T>);
  auto const counted = [](auto x) {
    for (extent i = 0; i < x.size(); ++i) x[i] = std::is_same_v<T, bool> ? static_cast<T>(i % 3 == 0) : static_cast<T>(i);
    return x;
  };
  test::compare<ops::shuffle>(r, "shuffle.list", counted(nd::tensor<T, shape<61>>{}), key(7));
  auto const cube = counted(nd::tensor<T, shape<6, 5, 2>>{});
  test::compare<ops::shuffle>(r, "shuffle.cube", cube, key(-5));
  test::compare<ops::shuffle>(r, "shuffle.cube", transpose(transpose(cube).copy()), key(-5));
  test::compare<ops::shuffle>(r, "shuffle.one", counted(nd::tensor<T, shape<1, 4>>{}), key(1));
  test::compare<ops::shuffle>(r, "shuffle.none", nd::tensor<T, shape<0, 3>>{}, key(1));
  test::compare<ops::shuffle>(r, "shuffle.empty", nd::tensor<T, shape<3, 0>>{}, key(1));
}

TEST_CASE("every integer of a wide range is as likely as the others") {
  auto const x = random_randint(key(3), into<30000>, values<INT64_MIN, 4611686018427387904>);
  auto const low = static_cast<double>(std::count_if(x.begin(), x.end(), [](std::int64_t v) { return v < -4611686018427387904; }));
  CHECK(std::abs(low / 30000 - 1 / 3.) < 0.01);
}

TEST_CASE("arrays from the program's sequence of keys") {
  sinter::random::seed(3);
  auto const u = sinter::random::uniform(into<100>, values<-2, 3>);
  auto const v = sinter::random::normal(into<2, 3>, as<double>);
  auto const i = sinter::random::randint(into<50>, values<5, 8>, as<int>);
  auto const x = sinter::random::shuffle(arange(values<20>));
  static_assert(std::is_same_v<decltype(v), nd::tensor<double, shape<2, 3>> const>);
  CHECK(std::all_of(u.begin(), u.end(), [](float e) { return e >= -2 && e < 3; }));
  CHECK(std::set<int>(i.begin(), i.end()) == std::set{5, 6, 7});
  CHECK(sort(x).to_vector() == arange(values<20>).to_vector());
  CHECK(sinter::random::uniform(into<100>, values<-2, 3>).to_vector() != u.to_vector());
  sinter::random::seed(3);
  CHECK(sinter::random::uniform(into<100>, values<-2, 3>).to_vector() == u.to_vector());
  CHECK(sinter::random::normal(into<2, 3>, as<double>).to_vector() == v.to_vector());
  CHECK(sinter::random::randint(into<50>, values<5, 8>, as<int>).to_vector() == i.to_vector());
  CHECK(sinter::random::shuffle(arange(values<20>)).to_vector() == x.to_vector());
}

}  // namespace test
