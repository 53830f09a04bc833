// SPDX-License-Identifier: Apache-2.0
// math::relaxed: a compiled network asks for algebra that holds for real numbers only; one that does not ask stays exact.
#include <cmath>
#include <limits>
#include <sinter/viz/report.hpp>

#include "network.hpp"

namespace {

namespace math = sinter::math;
using sinter::axis;

// Every rule in one network: numbers that are joined, divisions that become products, a row divided by its sum, powers.
struct scaled : nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (nn::dense<7>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.square(hidden(x)) * 3 / 7 + 0.3f + 0.7f;
    auto p = F.power(h, 3) * 1.1f;
    return p / F.sum(p, axis<-1>, sinter::keepdims);
  }
};
scaled with_values() {
  scaled net;
  net.initialize(sinter::init::uniform{0.7f}, 7);
  return net;
}
using relaxed_network = decltype(scaled{}.hybridize(math::relaxed));

// The largest difference in units of what one rounding changes, 2^-24 of the value.
template <class A> double roundings(A const& a, A const& b) {
  double most = 0;
  for (int i = 0; i < a.size(); ++i)
    most =
        std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) / (std::abs(static_cast<double>(b[i])) * 0x1p-24));
  return most;
}
// Every value is positive, and at most 12 operations of one rounding lie between an input and a result, the power threefold; the sum of
// seven adds six. Each network is that near to the real numbers, so they differ by at most twice as much.
template <class X> void check_bound(X const& x) {
  auto const net = with_values();
  auto const exact = net.hybridize()(x), other = net.hybridize(math::relaxed)(x);
  check_same(exact, net(x));
  double const apart = roundings(other, exact);
  CHECK(apart > 0);
  CHECK(apart <= 2 * (3 * 12 + 6));
}

struct special : nn::hybrid_block<special> {
  constexpr auto hybrid_forward(auto F, auto x) const { return std::tuple{x * 0, x - x, F.exp(F.log(x)), x / x}; }
};
int divisions(sinter::graph const& g) {
  int n = 0;
  for (sinter::node const& k : g.nodes) n += *k.op == sinter::ops::info<sinter::ops::divide>;
  return n;
}

}  // namespace

TEST_CASE("relaxed and exact networks of one model live in one program, and differ by roundings alone") {
  check_bound(filled<f32<1, 5>>());
  check_bound(filled<f32<19, 5>>());
  check_bound(filled<f32<dim<"batch">, 5>>({3, 5}));
}
TEST_CASE("relaxed rewrites are a part of the compiled network's type, and so of its plan") {
  using exact = sinter::compiled_t<scaled, shape<4, 5>>;
  using relaxed = sinter::compiled_t<relaxed_network, shape<4, 5>>;
  STATIC_REQUIRE(!std::is_same_v<exact, relaxed>);
  STATIC_REQUIRE(std::is_same_v<exact, sinter::compiled_t<decltype(scaled{}.hybridize()), shape<4, 5>>>);
  STATIC_REQUIRE(relaxed::numerics == sinter::passes::numerics::relaxed);
  STATIC_REQUIRE(relaxed::flops < exact::flops);
  CHECK(divisions(exact::named_plan().g) == 2);
  CHECK(divisions(relaxed::named_plan().g) == 1);  // one for each row
}
TEST_CASE("what relaxed rewrites forget") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), not_a_number = std::numeric_limits<float>::quiet_NaN();
  special const net;
  f32<3> const x{infinity, not_a_number, -2};
  std::apply([](auto const&... exact) { (..., [&](auto const& e) { CHECK(!(e[0] == 0 && e[1] == 0)); }(exact)); }, net.hybridize()(x));
  auto const [zero, none, same, one] = net.hybridize(math::relaxed)(x);
  check_same(zero, f32<3>{0, 0, 0});
  check_same(none, f32<3>{0, 0, 0});
  check_same(same, x);
  check_same(one, f32<3>{1, 1, 1});
}
TEST_CASE("the report says that rewrites were relaxed") {
  CHECK(relaxed_network::report<shape<1, 5>>().find("its graph took relaxed rewrites\n") != std::string::npos);
  CHECK(decltype(scaled{}.hybridize())::report<shape<1, 5>>().find("relaxed") == std::string::npos);
}
TEST_CASE("functions are relaxed, too, in constant expressions and at run time") {
  constexpr auto f = sinter::hybridize([](auto, auto x) { return x * 3 / 3; }, math::relaxed);
  static_assert(f(2.0f).item() == 2.0f);
  CHECK(f(2.0f).item() == 2.0f);
}
#if defined(SINTER_XSIMD)
TEST_CASE("together with the other policies, in any order") {
  using sinter::weights::bf16;
  scaled const net = with_values();
  static_assert(
      std::is_same_v<decltype(net.hybridize(bf16, math::fast, math::relaxed)), decltype(net.hybridize(math::relaxed, math::fast, bf16))>);
  static_assert(std::is_same_v<decltype(net.hybridize(bf16, math::relaxed)), decltype(net.hybridize(math::relaxed, bf16))>);
  static_assert(!std::is_same_v<decltype(net.hybridize(bf16, math::relaxed)), decltype(net.hybridize(bf16))>);
  auto const x = filled<f32<4, 5>>();
  CHECK(roundings(net.hybridize(bf16, math::relaxed)(x), net.hybridize(bf16)(x)) <= 2 * (3 * 12 + 6));
}
#endif
TEST_CASE("a backend that is named has relaxed rewrites") {
  scaled const net = with_values();
  auto const x = filled<f32<4, 5>>();
  auto const y = net.hybridize<sinter::reference::backend>(math::relaxed)(x);
  CHECK(roundings(y, net.hybridize<sinter::reference::backend>()(x)) > 0);
}
