// SPDX-License-Identifier: Apache-2.0
// The names of sinter beside those of <cmath>, and what a symbol knows of its shape.
#include <cmath>
#include <cstdlib>

#include "network.hpp"

using namespace sinter;

namespace {
struct halves : nn::hybrid_block<halves> {
  BOOST_HANA_DEFINE_STRUCT(halves, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto, auto x) const {
    auto const [a, b] = sinter::split(exp(x), parts<2>, axis<1>);
    return relu(hidden(a.copy())) * static_cast<float>(x.shape()[1] + b.size() + x.rank) + sqrt(abs(hidden(b)));
  }
};
}  // namespace

TEST_CASE("names that <cmath> has too, eagerly and compiled") {
  auto const x = filled<f32<2, 6>>();
  check_same(exp(x), nd::functions{}.exp(x));
  check_same(sqrt(abs(x)), nd::functions{}.sqrt(nd::functions{}.abs(x)));
  CHECK(exp(0.0) == 1);
  CHECK(abs(-2) == 2);
  halves net;
  net.initialize(init::uniform{1}, 3);
  check_same(net(x), net.hybridize()(x));
}

TEST_CASE("split is a function too") {
  auto const x = filled<f32<2, 6>>();
  auto const [a, b] = sinter::split(x, parts<2>, axis<0>);
  check_same(a, nd::functions{}.slice(x, sinter::begin<0>, sinter::end<1>));
  check_same(b, nd::functions{}.slice(x, sinter::begin<1>, sinter::end<2>));
  CHECK(b.data() == x.data() + 6);  // a view
  CHECK(std::tuple_size_v<decltype(sinter::split(x, parts<3>))> == 3);
}
