// SPDX-License-Identifier: Apache-2.0
// foreach, while_loop and cond: eager loops of C++, and bodies planned by the compiler, give the same bits.
#include <algorithm>
#include <cmath>
#include <sinter/viz/report.hpp>
#include <thread>
#include <vector>

#include "loops.hpp"
#include "network.hpp"

namespace {

using sinter::axis;
using sinter::max_iterations;
using test::recurrent;
using test::unchanged;
using test::woven;

template <class Y, class F> void each(Y const& y, F const& f) { sinter::each_part(y, f); }
template <class A, class B> void check_parts(A const& a, B const& b) {
  sinter::each_pair(a, b, [](auto const& x, auto const& y) { check_same(x, y); });
}
// Eagerly and compiled; the eager result.
template <class Net, class... X> auto in_both_modes(Net const& net, X const&... x) {
  auto const y = net(x...);
  check_parts(net.hybridize()(x...), y);
  return y;
}

struct nested : nn::hybrid_block<nested> {
  BOOST_HANA_DEFINE_STRUCT(nested, (nn::dense<3>, fc));
  constexpr auto hybrid_forward(auto F, auto x, auto s) const {
    return F.foreach (
        [&](auto matrix, auto state) {
          auto [rows, inner] = F.foreach (
              [&](auto row, auto t) {
                auto y = F.cond(
                    F.sum(row) < F.sum(s), [&] { return t + row; },
                    [&] { return F.reshape(fc(F.reshape(t, sinter::into<1, 3>)), sinter::into<3>); });
                return std::tuple(y * state, y);
              },
              matrix, state);
          return std::tuple(F.sum(rows, axis<0>), inner / 2);
        },
        x, s);
  }
};
struct doubled : nn::hybrid_block<doubled> {
  BOOST_HANA_DEFINE_STRUCT(doubled);
  constexpr auto hybrid_forward(auto F, auto x, auto limit) const {
    return F.while_loop([&](auto, auto v) { return F.sum(v) < limit; },
                        [&](auto turn, auto v) { return std::tuple(v - 1, std::tuple(turn + 1, v * 2)); }, std::tuple(F.sum(x) * 0, x),
                        max_iterations<5>);
  }
};
struct chosen : nn::hybrid_block<chosen> {
  BOOST_HANA_DEFINE_STRUCT(chosen, (nn::dense<2>, left), (nn::dense<2>, right));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const y = F.exp(x);
    auto const z = x * 3;
    return F.cond(F.max(x) > 1, [&] { return std::tuple(left(y), y); }, [&] { return std::tuple(right(z) + left(x), z); });
  }
};

struct marked : nn::hybrid_block<marked> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.foreach (
        [&](auto row, auto s) {
          static_assert(sinter::is_training<decltype(row)> == sinter::is_training<decltype(x)>);
          return std::tuple(row + s, s * 2);
        },
        x, F.sum(x, axis<0>));
  }
};

}  // namespace

TEST_CASE("what a loop or a branch gives shares no elements with what it was given") {
  auto const F = sinter::nd::functions{};
  f32<2> const h{1, 2};
  auto const no_turn = F.foreach ([](auto row, auto state) { return std::tuple(row, state + row); }, f32<0, 2>{}, h);
  std::get<1>(no_turn)(0) = 50;
  auto const captured = F.foreach ([&](auto row, auto) { return std::tuple(row, h); }, f32<3, 2>{}, f32<2>{});
  std::get<1>(captured)(0) = 60;
  auto const chosen = F.cond(sinter::sum(h) > 0, [&] { return h; }, [&] { return h * 2; });
  chosen(0) = 70;
  CHECK(h.to_vector() == std::vector<float>{1, 2});
}

TEST_CASE("foreach gives what the same loop gives by hand") {
  recurrent net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const x = filled<f32<5, 2, 3>>();
  auto const h = filled<f32<2, 4>>();
  auto const [outputs, last] = in_both_modes(net, x, h);
  STATIC_REQUIRE(std::is_same_v<decltype(outputs), f32<5, 2, 4> const>);
  auto const w = net.i2h.weight.data<shape<4, 3>>();
  auto const v = net.h2h.weight.data<shape<4, 4>>();
  auto const w_bias = net.i2h.bias.data<shape<4>>(), v_bias = net.h2h.bias.data<shape<4>>();
  double state[2][4], before[2][4];
  auto const times_v = [&](double const(&from)[2][4], int r, int c) {
    double sum = v_bias[c];
    for (int k = 0; k < 4; ++k) sum += v(c, k) * from[r][k];
    return sum;
  };
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 4; ++c) before[r][c] = h(r, c);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 4; ++c) state[r][c] = times_v(before, r, c);
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < 8; ++i) before[i / 4][i % 4] = state[i / 4][i % 4];
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 4; ++c) {
        double sum = times_v(before, r, c) + w_bias[c];
        for (int k = 0; k < 3; ++k) sum += w(c, k) * x(t, r, k);
        state[r][c] = std::tanh(sum);
        CHECK(outputs(t, r, c) == Approx(2 * state[r][c] + 1).margin(1e-5));
      }
  }
  for (int i = 0; i < 8; ++i) CHECK(last[i] == Approx(state[i / 4][i % 4]).margin(1e-5));
}
TEST_CASE("a loop over several sequences with several states, and what it captures") {
  woven const net;
  auto const x = filled<f32<4, 3>>();
  f32<4, 3> y = filled<f32<4, 3>>();
  y *= -2.f;
  auto const [outputs, states] = in_both_modes(net, x, y, filled<f32<3>>());
  CHECK(std::get<1>(states).item() == 4);
  float s[3]{-1.375f, .375f, 2.125f - 1.125f};
  f32<3> const first = filled<f32<3>>();
  for (int i = 0; i < 3; ++i) s[i] = first[i];
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 3; ++i) {
      float row = 0;
      for (int k = 0; k < 4; ++k) row += x(k, i);
      CHECK(std::get<0>(outputs)(t, i) == Approx(x(t, i) * s[i] + row));
      s[i] = s[i] * 2 - y(t, i);
      if (i > 0) CHECK(std::get<1>(outputs)(t, i - 1) <= std::get<1>(outputs)(t, i));
    }
  for (int i = 0; i < 3; ++i) CHECK(std::get<0>(states)[i] == Approx(s[i]));
}
TEST_CASE("loops of dynamic extents: one turn, none, and as many as the input has") {
  recurrent net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const fast = net.hybridize();
  for (int turns : {3, 1, 0, 2, 7})
    for (int batch : {2, 1, 5}) {
      auto const x = filled<f32<dim<"time">, dim<"batch">, 3>>({turns, batch, 3});
      auto const h = filled<f32<dim<"batch">, 4>>({batch, 4});
      auto const want = net(x, h);
      CHECK(std::get<0>(want).shape() == sinter::dims{turns, batch, 4});
      check_parts(fast(x, h), want);
    }
  woven const other;
  auto const fast_other = other.hybridize();
  for (int turns : {2, 0, 1, 5}) {
    auto const x = filled<f32<sinter::dynamic, 3>>({turns, 3});
    check_parts(fast_other(x, x, filled<f32<3>>()), other(x, x, filled<f32<3>>()));
  }
  auto const x = filled<f32<sinter::dynamic, 3>>({2, 3}), y = filled<f32<sinter::dynamic, 3>>({3, 3});
  CHECK(message_of([&] { other(x, y, filled<f32<3>>()); }) ==
        "sinter: foreach runs along the first axis of its sequences, and these have the shapes (2, 3) and (3, 3)");
  CHECK(message_of([&] { (void)fast_other(x, y, filled<f32<3>>()); }).find("two dynamic dimensions meet that must be equal") !=
        std::string::npos);
}
TEST_CASE("a state that stays, and inputs as outputs") {
  unchanged const net;
  auto const x = filled<f32<3, 2>>();
  f32<2> const s{5, 6};
  auto const [outputs, last] = in_both_modes(net, x, s);
  check_same(std::get<0>(outputs), x);
  check_same(std::get<1>(outputs), f32<3, 2>{5, 6, 5, 6, 5, 6});
  check_same(last, s);
  CHECK(last.data() != s.data());
  auto const none = filled<f32<sinter::dynamic, 2>>({0, 2});
  CHECK(std::get<1>(net(none, s)).data() != s.data());
}
TEST_CASE("a loop in a loop with a branch in it") {
  nested net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const x = filled<f32<3, 4, 3>>();
  in_both_modes(net, x, f32<3>{1, -0.5f, 0.25f});
  in_both_modes(net, x, f32<3>{-100, 0, 0});  // the other branch in every turn
  in_both_modes(net, x, f32<3>{100, 0, 0});
  in_both_modes(net, filled<f32<sinter::dynamic, sinter::dynamic, 3>>({3, 4, 3}), f32<3>{1, -0.5f, 0.25f});
  STATIC_REQUIRE(sinter::compiled_t<nested, shape<3, 4, 3>, shape<3>>::bodies == 4);
}
TEST_CASE("while_loop stops with its condition or after the most turns") {
  doubled const net;
  f32<2> const x{1, 2};
  struct expected {
    float limit;
    int turns;
  };
  for (auto const [limit, turns] : {expected{0, 0}, {4, 1}, {7, 2}, {25, 4}, {40, 4}, {48, 4}, {49, 5}, {1000, 5}}) {
    f32<> const l{limit};
    auto const [outputs, states] = in_both_modes(net, x, l);
    CHECK(std::get<0>(states).item() == static_cast<float>(turns));
    for (int t = 0; t < 5; ++t)
      for (int i = 0; i < 2; ++i) CHECK(outputs(t, i) == (t < turns ? x[i] * static_cast<float>(1 << t) - 1 : 0));
    for (int i = 0; i < 2; ++i) CHECK(std::get<1>(states)[i] == x[i] * static_cast<float>(1 << turns));
  }
  for (int n : {2, 0, 3}) {
    auto const d = filled<f32<dim<"n">>>({n});
    for (float limit : {-50.f, 3.f}) in_both_modes(net, d, f32<>{limit});
  }
}
TEST_CASE("cond runs one of two functions") {
  chosen net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  f32<2, 3> x = filled<f32<2, 3>>();
  for (float by : {0.f, 4.f, -4.f}) {
    x += by;
    auto const [y, z] = in_both_modes(net, x);
    bool const then = *std::max_element(x.begin(), x.end()) > 1;
    check_same(z, then ? sinter::exp(x) : x * 3);
    check_same(y, then ? net.left(sinter::exp(x)) : net.right(x * 3) + net.left(x));
  }
  auto const d = filled<f32<dim<"batch">, 3>>({5, 3});
  in_both_modes(net, d);
}
TEST_CASE("the parameters of a body are those of the network, whenever they change") {
  recurrent net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const fast = net.hybridize();
  auto const x = filled<f32<3, 70, 3>>();
  auto const h = filled<f32<70, 4>>();
  for (unsigned seed = 1; seed < 4; ++seed) {
    check_parts(fast(x, h), net(x, h));
    net.initialize(sinter::init::uniform{0.5}, seed);
  }
  using network = sinter::compiled_t<recurrent, shape<3, 70, 3>, shape<70, 4>>;
  STATIC_REQUIRE(network::bodies == 1);
  STATIC_REQUIRE(network::parameter_bytes == 4 * (12 + 4 + 16 + 4));  // each once, wherever it is used
}
TEST_CASE("results into tensors that are there, one of them an input") {
  recurrent net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const fast = net.hybridize();
  auto const x = filled<f32<5, 2, 3>>();
  auto const h = filled<f32<2, 4>>();
  auto const want = net(x, h);
  f32<5, 2, 4> outputs;
  fast(x, h, std::tuple(outputs, h));
  check_same(outputs, std::get<0>(want));
  check_same(h, std::get<1>(want));
}
TEST_CASE("threads share a network with control flow") {
  nested net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const fast = net.hybridize();
  auto const x = filled<f32<3, 4, 3>>();
  f32<3> const s{1, -0.5f, 0.25f};
  auto const want = net(x, s);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) check_parts(fast(x, s), want);
    });
  for (std::thread& t : threads) t.join();
}
namespace {
// One branch needs memory for what lies between its kernels, and the other none.
template <bool First> struct one_large_branch : nn::hybrid_block<one_large_branch<First>> {
  BOOST_HANA_DEFINE_STRUCT(one_large_branch);
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const small = [&] { return x * 2; };
    auto const large = [&] {
      auto a = F.sort(x, axis<0>);
      return F.sort(F.transpose(F.sort(a * a, axis<1>)), axis<0>) + F.transpose(a);
    };
    auto const many = F.sum(x) > 0;
    if constexpr (First) return F.cond(many, large, small);
    else return F.cond(many, small, large);
  }
};
template <bool First> void check_large_branch() {
  using network = sinter::compiled_t<one_large_branch<First>, shape<12, 12>>;
  constexpr auto large = sinter::executor::body_program < typename network::program_type, First ? 0 : 1 > ::bytes_at({});
  constexpr auto small = sinter::executor::body_program < typename network::program_type, First ? 1 : 0 > ::bytes_at({});
  STATIC_REQUIRE(large >= small + 12 * 12 * 4);
  STATIC_REQUIRE(network::arena_bytes >= large);
  f32<12, 12> x;
  for (float sign : {1.f, -1.f}) {
    for (int i = 0; i < 144; ++i) x[i] = sign * static_cast<float>(i * 37 % 101);
    one_large_branch<First> const net{};
    CHECK(net.hybridize()(x).to_vector() == net(x).to_vector());
  }
}
}  // namespace
TEST_CASE("the arena has room for the larger branch, whichever it is") {
  check_large_branch<true>();
  check_large_branch<false>();
}
TEST_CASE("the arena of a network contains those of its bodies") {
  using network = sinter::compiled_t<recurrent, shape<3, 2, 3>, shape<2, 4>>;
  using body = sinter::executor::body_program<network::program_type, 0>;
  constexpr auto own = body::bytes_at({});
  STATIC_REQUIRE(own > 0);
  STATIC_REQUIRE(network::arena_bytes >= own + 64);  // and a second place for the state
  STATIC_REQUIRE(network::arena_bytes == network::arena_lower_bound);
  auto const report = recurrent{}.hybridize().report<shape<3, 2, 3>, shape<2, 4>>();
  CHECK(report.find("body 0, in foreach: 2 kernels\n  kernel 0  product  i2h.fully_connected") != std::string::npos);
  CHECK(report.find("arena " + std::to_string(network::arena_bytes) + " bytes") != std::string::npos);
}
#if !SINTER_THRUST_ONLY
namespace {
struct scan : nn::hybrid_block<scan> {
  BOOST_HANA_DEFINE_STRUCT(scan);
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto [sums, last] = F.foreach (
        [&](auto v, auto sum) {
          auto next = F.cond(v < 3, [&] { return sum + v; }, [&] { return sum * v; });
          return std::tuple(next, next);
        },
        x, F.sum(x) * 0);
    return std::tuple(
        sums, last,
        F.while_loop([&](auto s) { return s < 20; }, [&](auto s) { return std::tuple(std::tuple<>{}, s + 7); }, last, max_iterations<9>));
  }
};
constexpr bool is_known_while_it_is_built() {
  f32<4> const x{1, 2, 3, 4};
  auto const check = [](auto const& y) {
    auto const& [sums, last, looped] = y;
    return sums[0] == 1 && sums[1] == 3 && sums[2] == 9 && sums[3] == 36 && last.item() == 36 && std::get<1>(looped).item() == 36;
  };
  return check(scan{}(x)) && check(scan{}.hybridize()(x));
}
static_assert(is_known_while_it_is_built());
}  // namespace
#endif
TEST_CASE("control flow in training: what functions get and give is of training") {
  auto const x = filled<f32<3, 2>>();
  marked const net;
  auto const fast = net.hybridize();
  check_parts(sinter::unmarked(fast(sinter::training(x))), fast(x));
  check_parts(sinter::unmarked(net(sinter::training(x))), net(x));
}

// Types say that an extent is dynamic, and not that it is the same everywhere.
#define SINTER_TEST_GROWING(name, ...)                                          \
  struct name : nn::hybrid_block<name> {                                        \
    constexpr auto hybrid_forward(auto F, auto x) const { return __VA_ARGS__; } \
  };
namespace {
using sinter::begin;
SINTER_TEST_GROWING(cond_differs, F.cond(F.sum(x) > 0, [&] { return F.slice(x, begin<1>); }, [&] { return F.slice(x, begin<2>); }))
SINTER_TEST_GROWING(cond_overflows, F.cond(F.sum(x) > 0, [&] { return F.slice(x, begin<1>); }, [&] { return F.concat(x, x, axis<0>); }))
SINTER_TEST_GROWING(while_shrinks, F.while_loop([&](auto s) { return F.sum(s) < 1000; },
                                                [&](auto s) { return std::tuple(F.sum(s), F.slice(s, begin<1>)); }, F.slice(x, begin<1>),
                                                max_iterations<3>))
SINTER_TEST_GROWING(while_grows, F.while_loop([&](auto s) { return F.sum(s) < 1000; },
                                              [&](auto s) { return std::tuple(F.sum(s), F.concat(s, s, axis<0>)); },
                                              F.concat(x, x, axis<0>), max_iterations<3>))
SINTER_TEST_GROWING(foreach_shrinks,
                    F.foreach ([&](auto, auto s) { return std::tuple(F.sum(s), F.slice(s, begin<1>)); }, x, F.slice(x, begin<1>)))
SINTER_TEST_GROWING(foreach_swaps, F.foreach (
                                       [&](auto row, auto s) {
                                         auto [a, b] = s;
                                         return std::tuple(row, std::tuple(b, a));
                                       },
                                       x, std::tuple(F.slice(x, begin<1>), F.concat(x, x, axis<0>))))
#undef SINTER_TEST_GROWING
}  // namespace

TEST_CASE("what a loop or a branch gives keeps its extents") {
  f32<dim<"n">, 3> const x = f32<dim<"n">, 3>::of(4, 3);
  x.fill(-1);
  auto const refused = [&](auto const& net) {
    CHECK_THROWS_AS(net(x), sinter::shape_error);
    CHECK_THROWS_AS(net.hybridize()(x), sinter::shape_error);
  };
  refused(while_shrinks{});
  refused(while_grows{});
  refused(foreach_shrinks{});
  refused(foreach_swaps{});
  // Eagerly one of two functions runs, and nobody sees that the other would give something else.
  CHECK(to_string(cond_differs{}(x).shape()) == "(2, 3)");
  CHECK_THROWS_AS(cond_differs{}.hybridize()(x), sinter::shape_error);
  CHECK_THROWS_AS(cond_overflows{}.hybridize()(x), sinter::shape_error);
  auto const two = f32<dim<"n">, 3>::of(1, 3);  // both are empty
  CHECK(cond_differs{}.hybridize()(two).size() == 0);
}
TEST_CASE("states that change places in every turn") {
  auto const swaps = sinter::hybridize([](auto F, auto x, auto p, auto q) {
    return F.foreach ([&](auto row, auto s) { return std::tuple(row + std::get<0>(s), std::tuple(std::get<1>(s), std::get<0>(s) + row)); },
                      x, std::tuple(p, q));
  });
  f32<5> const x{1, 10, 100, 1000, 10000};
  auto const [y, s] = swaps(x, f32<>(2), f32<>(3));
  CHECK(y.to_vector() == std::vector<float>{3, 13, 103, 1013, 10103});
  CHECK(std::get<0>(s).item() == 1013);
  CHECK(std::get<1>(s).item() == 10103);
}
