// SPDX-License-Identifier: Apache-2.0
// Blocks in blocks: one after the other, side by side, many.
#include "network.hpp"

namespace {
template <int I> struct shift : nn::hybrid_block<shift<I>> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.add(x, I); }
};
}  // namespace

TEST_CASE("a sequence runs its blocks in order, and nests") {
  auto net = nn::hybrid_sequential{nn::dense<4, nn::relu>{}, shift<1>{}, nn::dense<2>{}};
  both(net, filled<f32<3, 5>>());
  CHECK(net.summary() == "0.weight (4, 5)\n0.bias (4,)\n2.weight (2, 4)\n2.bias (2,)\n");
  auto nested = nn::sequential_of(nn::sequential_of(nn::sequential_of(nn::dense<4>{}), shift<2>{}), nn::sequential_of(nn::dense<2>{}));
  both(nested, filled<f32<3, 5>>());
  CHECK(nested.summary() == "0.0.0.weight (4, 5)\n0.0.0.bias (4,)\n1.0.weight (2, 4)\n1.0.bias (2,)\n");
  nn::hybrid_sequential<> nothing;
  check_same(both(nothing, filled<f32<3, 5>>()), filled<f32<3, 5>>());
}

TEST_CASE("branches side by side") {
  auto net = nn::hybrid_concurrent{nn::dense<4, nn::relu>{}, nn::identity{}, nn::dense<2>{}};
  auto const x = filled<f32<3, 5>>();
  auto const y = both(net, x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(y)>, f32<3, 11>>);
  CHECK(y(2, 4) == x(2, 0));
  CHECK(y(2, 8) == x(2, 4));
  CHECK(net.summary() == "0.weight (4, 5)\n0.bias (4,)\n2.weight (2, 5)\n2.bias (2,)\n");
  nn::hybrid_concurrent<nn::identity> one;
  check_same(both(one, x), x);
}

TEST_CASE("a sequence of 120 blocks") {
  auto const net = []<int... I>(std::integer_sequence<int, I...>) {
    return nn::sequential_of(shift<I % 3 - 1>{}...);
  }(std::make_integer_sequence<int, 120>{});
  auto const x = filled<f32<2, 3>>();
  check_same(net(x), x);
  check_same(net.hybridize()(x), x);
  int blocks = 0;
  std::string last;
  nn::visit_parameters(
      net, [](auto const&, std::string_view) {},
      [&](void const*, void const*, std::string_view name) {
        ++blocks;
        last = name;
      });
  CHECK(blocks == 121);
  CHECK(last == "119");
}
