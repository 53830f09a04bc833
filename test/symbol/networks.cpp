// SPDX-License-Identifier: Apache-2.0
// Networks called with symbols that do more than compute one value from another: convolutions, control flow, states and training.
#include "../nn/loops.hpp"
#include "beside.hpp"

#include <sinter/nn/layers/convolution.hpp>

using namespace sinter;

namespace {

using test::f32;
using test::loops_in_loops;
using test::numbers;
using test::recurrent;
using test::running;
using test::same_as_compiled;
using test::same_as_compiled_twice;
using test::unchanged;
using test::woven;

template <int Channels> using convolved = nn::conv2d<Channels, 3, 1, 1, 1, 1, nn::relu>;
struct images : nn::hybrid_block<images> {
  BOOST_HANA_DEFINE_STRUCT(images, (convolved<6>, first), (convolved<4>, second), (nn::dense<3>, out));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = second(F.tanh(first(x)) + 1);
    return F.softmax(out(F.mean(h, axis<2, 3>)));
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

// A loop that a seed decides: what its body computes of a slice, the state, what is outside and a parameter, and what runs inside of it.
constexpr unsigned bits_of(unsigned seed, unsigned i) { return static_cast<unsigned>(random_bits(seed, i) >> 33); }
template <unsigned Seed> struct random_loop : nn::hybrid_block<random_loop<Seed>> {
  BOOST_HANA_DEFINE_STRUCT(random_loop, (nn::dense<5>, fc), (nn::layer_norm<>, norm));
  template <unsigned I> constexpr auto step(auto F, auto a, auto b, auto c) const {
    constexpr unsigned which = bits_of(Seed, I) % 11;
    if constexpr (which == 0) return F.tanh(a) + b;
    else if constexpr (which == 1) return F.sigmoid(fc(a)) * b;
    else if constexpr (which == 2) return a - F.mean(c, axis<-1>, keepdims);
    else if constexpr (which == 3) return F.maximum(a, b * 0.5f) - c;
    else if constexpr (which == 4) return norm(a + c);
    else if constexpr (which == 5) return F.where(a > b, a * 0.25f, c);
    else if constexpr (which == 6) return F.softmax(a) + F.sort(b);
    else if constexpr (which == 7) return F.concat(F.slice(a, begin<0, 2>), F.slice(b, begin<0, 3>), axis<1>);
    else if constexpr (which == 8) return F.cond(F.sum(a) < F.sum(b), [&] { return a + c; }, [&] { return fc(b) - a; });
    else if constexpr (which == 9)
      return std::get<1>(F.while_loop([&](auto v) { return F.max(F.abs(v)) < 3; }, [&](auto v) { return std::tuple(v, v * 2 + b + c); },
                                      F.tanh(a), max_iterations<3>));
    else
      return F.sum(std::get<0>(F.foreach ([&](auto row, auto s) { return std::tuple(row + s, s * 0.5f); }, a, F.sum(b, axis<0>))), axis<0>,
                   keepdims) *
             c;
  }
  constexpr auto hybrid_forward(auto F, auto x, auto s) const {
    auto const outside = step<0>(F, F.sum(x, axis<0>), s, s);
    auto [all, last] = F.foreach (
        [&](auto row, auto state) {
          auto const p = step<1>(F, row, state, outside);
          auto const q = step<2>(F, p, row, state);
          auto const r = step<3>(F, q, p, outside);
          return std::tuple(std::tuple(q, r * 2), F.tanh(r));
        },
        x, s);
    return std::tuple(all, last, outside);
  }
};

struct replaced : nn::hybrid_block<replaced> {
  BOOST_HANA_DEFINE_STRUCT(replaced, (nn::state<shape<64, 96>, 1>, weight));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto y = F.fully_connected(x, F.get(weight, shape<64, 96>{}));
    F.assign(weight, F.get(weight, shape<64, 96>{}) * 0.5f);
    return y;
  }
};
struct assigns_in_a_body : nn::hybrid_block<assigns_in_a_body> {
  BOOST_HANA_DEFINE_STRUCT(assigns_in_a_body, (nn::state<shape<3>>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.foreach (
        [&](auto row, auto s) {
          F.assign(last, row);
          return std::tuple(row, s);
        },
        x, F.sum(x));
  }
};
struct drops : nn::hybrid_block<drops> {
  BOOST_HANA_DEFINE_STRUCT(drops, (nn::dense<20>, hidden), (nn::dropout<0.5>, first), (nn::dense<10>, out), (nn::dense<10>, side),
                           (nn::dropout<0.2>, second));
  constexpr auto hybrid_forward(auto, auto x) const {
    auto h = first(hidden(x));
    auto y = second(side(x));
    return std::tuple{y, out(h)};
  }
};
// A mean that moves in training.
struct normed : nn::hybrid_block<normed> {
  BOOST_HANA_DEFINE_STRUCT(normed, (nn::state<shape<6>>, mean));
  template <class Space, class X> constexpr auto hybrid_forward(Space F, X x) const {
    if constexpr (Space::training) F.assign(mean, F.get(mean, shape<6>{}) * 0.9f + F.mean(x, axis<0>) * 0.1f);
    return x - F.get(mean, shape<6>{});
  }
};
template <class Net> Net started() {
  Net net;
  net.initialize(init::uniform{0.5}, 7);
  return net;
}

}  // namespace

TEST_CASE("convolutions of symbols") {
  images const net = started<images>();
  auto const x = numbers<float, shape<3, 5, 9, 17>>({3, 5, 9, 17});
  symbol const y = net(sym::var("x"));
  auto const s = y.infer_shape({{"x", {3, 5, 9, 17}}});
  CHECK(s.arguments[1] == dims{6, 5, 3, 3});
  CHECK(s.outputs[0] == dims{3, 3});
  same_as_compiled(net, x);
  symbol const w = sym::var("w", {8, -1, 3});
  CHECK(convolution(sym::var("x"), w, sym::var("b"), groups<2>).infer_shape({{"x", {1, 6, 9}}}).arguments[1] == dims{8, 3, 3});
  CHECK_THROWS_WITH(convolution(sym::var("x"), w).infer_shape({{"x", {1, 6, 2}}}), Catch::Contains("kernel"));
}

TEST_CASE("control flow of symbols gives the bits of compiled loops") {
  same_as_compiled(started<recurrent>(), numbers<float, shape<5, 2, 3>>({5, 2, 3}), numbers<float, shape<2, 4>>({2, 4}, 1));
  same_as_compiled(started<recurrent>(), numbers<float, shape<40, 70, 96>>({40, 70, 96}), numbers<float, shape<70, 4>>({70, 4}, 1));
  same_as_compiled(woven{}, numbers<float, shape<4, 5>>({4, 5}), numbers<float, shape<4, 5>>({4, 5}, 1), numbers<float, shape<5>>({5}, 2));
  same_as_compiled(unchanged{}, numbers<float, shape<4, 5>>({4, 5}), numbers<float, shape<2>>({2}, 2));
  same_as_compiled(started<loops_in_loops>(), numbers<float, shape<5, 4, 3>>({5, 4, 3}), numbers<float, shape<3>>({3}, 2));
  for (float const scale : {1.0f, 8.0f}) {
    auto const x = numbers<float, shape<3, 6>>({3, 6}, 1);
    same_as_compiled(started<chosen>(), nd::tensor<float, shape<3, 6>>(x * scale));
  }
}
TEST_CASE("an executor with a loop sees parameters that change between runs, in the body and outside") {
  recurrent net = started<recurrent>();
  auto const x = numbers<float, shape<5, 2, 3>>({5, 2, 3});
  auto const h = numbers<float, shape<2, 4>>({2, 4}, 1);
  auto const [outputs, last] = net(sym::var("x"), sym::var("h"));
  auto run = sym::group({outputs, last}).bind({{"x", x}, {"h", h}});
  auto const fast = net.hybridize();
  auto const same = [&] {
    auto const want = fast(x, h);
    sym::results const& got = run.forward();
    CHECK(got[0].as<f32<5, 2, 4>>().to_vector() == std::get<0>(want).to_vector());
    CHECK(got[1].as<f32<2, 4>>().to_vector() == std::get<1>(want).to_vector());
    return got[1].as<f32<2, 4>>().to_vector();
  };
  std::vector<float> const before = same();
  net.i2h.weight.set(numbers<float, shape<4, 3>>({4, 3}, 5));
  std::vector<float> const between = same();
  CHECK(between != before);
  net.h2h.bias.set(numbers<float, shape<4>>({4}, 6));
  CHECK(same() != between);
}
TEST_CASE("loops of any number of turns") {
  recurrent const net = started<recurrent>();
  auto const [outputs, last] = net(sym::var("x", {-1, 2, 3}), sym::var("h"));
  for (extent const n : {0, 1, 4}) {
    auto const x = numbers<float, shape<dim<"time">, 2, 3>>({n, 2, 3});
    auto const h = numbers<float, shape<2, 4>>({2, 4});
    auto const want = net(x, h);
    auto const got = sym::group({outputs, last}).eval({{"x", x}, {"h", h}});
    CHECK(got[0].as<std::remove_cvref_t<decltype(std::get<0>(want))>>().to_vector() == std::get<0>(want).to_vector());
    CHECK(got[1].as<f32<2, 4>>().to_vector() == std::get<1>(want).to_vector());
  }
  // Dimensions with names go through a body.
  dims const named = shape<dim<"time">, dim<"batch">, 3>::value;
  auto const [o, l] = net(sym::var("x", named), sym::var("h", shape<dim<"batch">, 4>::value));
  CHECK(o.infer_shape().outputs[0] == shape<dim<"time">, dim<"batch">, 4>::value);
  CHECK(o.eval({{"x", numbers<float, shape<5, 2, 3>>({5, 2, 3})}, {"h", f32<2, 4>{}}})[0].shape() == dims{5, 2, 4});
}
TEST_CASE("a loop tells its arguments, and what does not fit in it") {
  recurrent const net = started<recurrent>();
  auto const [outputs, last] = net(sym::var("x"), sym::var("h"));
  CHECK(outputs.list_arguments() == std::vector<std::string>{"x", "h", "h2h.weight", "h2h.bias", "i2h.weight", "i2h.bias"});
  CHECK_THROWS_WITH(last.infer_shape({{"x", {5, 2, 3}}, {"h", {3, 4}}}), Catch::Contains("the shapes do not broadcast"));
  symbol const x = sym::var("x"), s = sym::var("s");
  auto const F = sym::composing{};
  auto const kept = F.foreach ([&](auto row, auto state) { return std::tuple(row, F.concat(state, state, axis<0>)); }, x, s);
  CHECK_THROWS_WITH(std::get<1>(kept).named("y").infer_shape({{"x", {5, 2}}, {"s", {3}}}),
                    Catch::Contains("a state keeps its dtype and shape from turn to turn, and this one is float32 (3,) and float32 (6,)"));
  auto const two = F.foreach ([&](auto rows, auto state) { return std::tuple(std::get<0>(rows), state); }, std::tuple(x, s), x);
  CHECK_THROWS_WITH(std::get<0>(two).infer_shape({{"x", {5, 2}}, {"s", {3}}}), Catch::Contains("two of them have different extents there"));
  CHECK_THROWS_WITH(std::get<0>(two).infer_shape({{"x", {}}, {"s", {3}}}), Catch::Contains("one of them has no axis"));
  symbol const z = F.cond(x, [&] { return s; }, [&] { return s + 1; });
  CHECK_THROWS_WITH(z.infer_shape({{"x", {}}, {"s", {3}}}), Catch::Contains("a condition is a tensor of one bool: F.sum(x) < 1"));
  symbol const u = F.cond(F.sum(x) < 1, [&] { return s; }, [&] { return s > 1; });
  CHECK_THROWS_WITH(u.infer_shape({{"x", {2}}, {"s", {3}}}),
                    Catch::Contains("its two functions give results of different shapes or dtypes: float32 (3,) and bool (3,)"));
  symbol leaked = x;
  F.foreach ([&](auto row, auto state) { return leaked = row + 1, std::tuple(row, state); }, x, s);
  CHECK_THROWS_WITH((leaked * 2).infer_shape(),
                    Catch::Contains("is used outside the function of a foreach, while_loop or cond in which it was made"));
}
namespace {
template <unsigned... Seed> void random_loops(std::integer_sequence<unsigned, Seed...>) {
  (
      [] {
        INFO("seed " << Seed);
        same_as_compiled(started<random_loop<Seed>>(), numbers<float, shape<4, 2, 5>>({4, 2, 5}, Seed),
                         numbers<float, shape<2, 5>>({2, 5}, Seed + 1));
      }(),
      ...);
}
}  // namespace
TEST_CASE("random loops of symbols give the bits of compiled ones") { random_loops(std::make_integer_sequence<unsigned, 6>{}); }

TEST_CASE("a run of symbols assigns states as a compiled call does") {
  same_as_compiled_twice(4, started<running>(), started<running>(), numbers<float, shape<4, 5>>({4, 5}));
  same_as_compiled_twice(3, started<replaced>(), started<replaced>(), numbers<float, shape<70, 96>>({70, 96}));
  running const net = started<running>(), other = started<running>();
  auto const x = numbers<float, shape<4, 5>>({4, 5});
  // Whatever of the network's results is used, and whatever is computed of it.
  symbol const y = sum(std::get<0>(net(sym::var("x"))));
  auto run = y.bind({{"x", x}});
  CHECK(net.calls.data<shape<>>().item() == 5);
  run.forward();
  run.forward();
  other(x);
  other(x);
  CHECK(net.calls.data<shape<>>().item() == 7);
  CHECK(net.mean.data<shape<3>>().to_vector() == other.mean.data<shape<3>>().to_vector());
  // A value of a state that was read before stays what it was.
  auto const [a, b] = std::tuple(net(sym::var("p")), net(sym::var("q")));
  CHECK_THROWS_WITH((std::get<0>(a) + std::get<0>(b)).eval({{"p", x}, {"q", x}}),
                    Catch::Contains("two calls of a network in one symbol assign the state `mean`"));
  CHECK_THROWS_WITH(assigns_in_a_body{}(sym::var("x")), Catch::Contains("assigns a state in the function of a foreach"));
}
TEST_CASE("symbols in training") {
  auto const x = numbers<float, shape<8, 30>>({8, 30});
  drops const net = started<drops>();
  same_as_compiled_twice(2, net, net, training(x));
  same_as_compiled_twice(1, net, net, x);
  same_as_compiled_twice(3, started<normed>(), started<normed>(), training(numbers<float, shape<5, 6>>({5, 6})));
  auto const [y, z] = net(training(sym::var("x")));
  CHECK(y.list_arguments() == std::vector<std::string>{"x", "side.weight", "side.bias"});
  auto run = z.bind({{"x", x}});
  random::seed(1);
  auto const first = run.forward()[0].as<f32<8, 10>>().to_vector();
  CHECK(run.forward()[0].as<f32<8, 10>>().to_vector() != first);
  random::seed(1);
  CHECK(run.forward()[0].as<f32<8, 10>>().to_vector() == first);
}
