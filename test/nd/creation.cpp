// SPDX-License-Identifier: Apache-2.0
// Arrays from nothing, at the edges: what NumPy gives for the same arguments.
#include <sinter/nn/space.hpp>

#include "../catch.hpp"

using namespace sinter;
using floats = std::vector<float>;

TEST_CASE("arange with steps backwards, in fractions, and to nowhere") {
  CHECK(arange(values<5, 0, -2>).to_vector() == floats{5, 3, 1});
  CHECK(arange(values<1, 0, -0.25>).to_vector() == floats{1, 0.75f, 0.5f, 0.25f});
  CHECK(arange(values<0, 1, 0.3>).to_vector() == floats{0, 0.3f, 0.6f, 0.9f});  // each from a double: NumPy adds float32 here, 0.90000004
  CHECK(arange(values<0.5, 3, 0.5>).to_vector() == floats{0.5f, 1, 1.5f, 2, 2.5f});
  CHECK(arange(values<3, 3, 1>).shape() == dims{0});
  CHECK(arange(values<3, 0, 1>).shape() == dims{0});
  CHECK(arange(values<-3>, as<int>).shape() == dims{0});
  CHECK(arange(values<5, 0, -2>, as<std::int64_t>).to_vector() == std::vector<std::int64_t>{5, 3, 1});
}

TEST_CASE("linspace of no point, of one, and down") {
  CHECK(linspace(values<2, 3, 0>).shape() == dims{0});
  CHECK(linspace(values<2, 3, 1>).to_vector() == floats{2});
  CHECK(linspace(values<0, 1, 2>).to_vector() == floats{0, 1});
  CHECK(linspace(values<1, 0, 5>).to_vector() == floats{1, 0.75f, 0.5f, 0.25f, 0});
  auto const tenths = linspace(values<0, 0.7, 8>, as<double>);
  CHECK((tenths(7) == 0.7 && tenths.size() == 8));  // the end is exact
}

TEST_CASE("the others without elements, and not square") {
  CHECK(zeros(into<0, 3>).shape() == dims{0, 3});
  CHECK(full(into<>, values<7>).item() == 7);
  CHECK(ones(into<2>, as<bool>).to_vector() == std::vector<bool>{true, true});
  CHECK(eye(into<2, 3>).to_vector() == floats{1, 0, 0, 0, 1, 0});
  CHECK(eye(into<0>).shape() == dims{0, 0});
  CHECK(random::uniform(into<0, 2>).shape() == dims{0, 2});
  CHECK(random::randint(into<5>, values<3, 4>).to_vector() == std::vector<std::int64_t>(5, 3));
  CHECK(random::shuffle(nd::tensor<float, shape<1>>{5}).item() == 5);
  CHECK(random::shuffle(nd::tensor<float, shape<0, 2>>{}).size() == 0);
}
