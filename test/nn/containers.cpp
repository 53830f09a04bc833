// SPDX-License-Identifier: Apache-2.0
// Blocks in blocks: one after the other, side by side, many.
#include "network.hpp"

namespace {
template <int I> struct shift : nn::hybrid_block<shift<I>> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.add(x, I); }
};
}  // namespace

TEST_CASE("concurrent layers draw their random numbers in order") {
  auto const net = nn::hybrid_concurrent{nn::dropout<0.5>{}, nn::dropout<0.5>{}, nn::dropout<0.5>{}};
  auto const fast = net.hybridize();
  auto const x = sinter::training(sinter::ones(sinter::into<1, 16>));
  sinter::random::seed(5);
  sinter::nd::tensor<float, shape<1, 48>> const eager = net(x);
  sinter::random::seed(5);
  sinter::nd::tensor<float, shape<1, 48>> const compiled = fast(x);
  CHECK(eager.to_vector() == compiled.to_vector());
}

TEST_CASE("a sequence runs its blocks in order, and nests") {
  auto net = nn::hybrid_sequential{nn::dense<4, nn::relu>{}, shift<1>{}, nn::dense<2>{}};
  both(net, filled<f32<3, 5>>());
  CHECK(net.summary() == "0.weight (4, 5): 20\n0.bias (4,): 4\n2.weight (2, 4): 8\n2.bias (2,): 2\n34 values\n");
  auto nested = nn::sequential_of(nn::sequential_of(nn::sequential_of(nn::dense<4>{}), shift<2>{}), nn::sequential_of(nn::dense<2>{}));
  both(nested, filled<f32<3, 5>>());
  CHECK(nested.summary() == "0.0.0.weight (4, 5): 20\n0.0.0.bias (4,): 4\n1.0.weight (2, 4): 8\n1.0.bias (2,): 2\n34 values\n");
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
  CHECK(net.summary() == "0.weight (4, 5): 20\n0.bias (4,): 4\n2.weight (2, 5): 10\n2.bias (2,): 2\n36 values\n");
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

TEST_CASE("a child of a container is reached by its number") {
  using namespace boost::hana::literals;
  auto net = nn::hybrid_sequential{nn::dense<4>{}, shift<1>{}, nn::hybrid_concurrent{nn::dense<2>{}, nn::identity{}}};
  static_assert(decltype(net)::size() == 3);
  static_assert(std::is_same_v<decltype(net.at<1>()), shift<1>&>);
  net.initialize();
  auto const x = filled<f32<3, 5>>();
  net.at<0>().weight.set(f32<4, 5>{});
  net[0_c].bias.set(f32<4>{1, 2, 3, 4});
  net.at<2>().at<0>().weight.set(f32<2, 4>{1, 1, 1, 1, 0, 0, 0, 1});
  CHECK(net(x)(1, 0) == 14);
  CHECK(net(x)(2, 1) == 5);
  CHECK(net(x)(2, 5) == 5);
  check_same(net.hybridize()(x), net(x));
  auto const& fixed = net;
  static_assert(std::is_same_v<decltype(fixed.at<1>()), shift<1> const&>);
  CHECK(fixed[std::integral_constant<int, 0>{}].bias.data<shape<4>>()(3) == 4);
  auto const many = []<int... I>(std::integer_sequence<int, I...>) {
    return nn::sequential_of(shift<I>{}...);
  }(std::make_integer_sequence<int, 13>{});
  static_assert(std::is_same_v<decltype(many.at<0>()), shift<0> const&> && std::is_same_v<decltype(many.at<7>()), shift<7> const&> &&
                std::is_same_v<decltype(many.at<12>()), shift<12> const&>);
}
