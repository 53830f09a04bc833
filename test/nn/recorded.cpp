// SPDX-License-Identifier: Apache-2.0
// F.gradient of eager tensors: what is recorded, what is refused, and gradients in gradients.
#include <sinter/check_gradient.hpp>
#include <sinter/sinter.hpp>

#include <any>

#include "../catch.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::all;
using sinter::as;
using sinter::axis;
using sinter::dim;
using sinter::parts;
using sinter::range;
using sinter::shape;
using three = nd::tensor<float, shape<3>>;

namespace {
nd::functions const now;
std::vector<float> slope_at(three const& x, auto const& f) { return now.gradient(f, x).to_vector(); }
std::string said_by(auto const& f) {
  try {
    f();
  } catch (sinter::error const& e) { return e.what(); }
  return "nothing";
}

struct normal : nn::hybrid_block<normal> {
  BOOST_HANA_DEFINE_STRUCT(normal, (nn::dense<4, nn::relu>, hidden), (nn::batch_norm<>, norm), (nn::dropout<0.5>, drop),
                           (nn::dense<2>, out));
  constexpr auto hybrid_forward(auto, auto x) const {
    auto const n = norm(hidden(x));
    auto const d = drop(n);
    return out(d);
  }
};
struct slope_of_normal : nn::hybrid_block<slope_of_normal> {
  BOOST_HANA_DEFINE_STRUCT(slope_of_normal, (normal, net));
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.gradient([&](auto v) { return F.sum(F.square(net(v))); }, x);
  }
};
}  // namespace

TEST_CASE("eager gradients of operators, free functions and members of F") {
  three const x{1, -2, 3}, w{2, 0, -1};
  CHECK(slope_at(x, [&](auto v) { return now.sum(v * v * w); }) == std::vector<float>{4, 0, -6});
  CHECK(slope_at(x, [&](auto v) { return sinter::sum(2 * v / w * w - v + 1 - (-v)); })[0] == 2);
  CHECK(slope_at(x, [&](auto v) { return sinter::sum(w + v * 3); }) == std::vector<float>{3, 3, 3});
  CHECK(slope_at(x, [&](auto v) { return now.sum(v) * now.sum(w); }) == std::vector<float>{1, 1, 1});
  CHECK(slope_at(x, [&](auto v) { return now.max(v); }) == std::vector<float>{0, 0, 1});
  CHECK(slope_at(x, [&](auto v) { return now.sum(now.where(v > 0, v * v, v)); }) == std::vector<float>{2, 1, 6});
  CHECK(slope_at(x, [&](auto v) { return now.sum(now.floor(v)); }) == std::vector<float>{0, 0, 0});
  CHECK(slope_at(x, [&](auto v) { return now.sum(now.sort(now.floor(v)) + v); }) == std::vector<float>{1, 1, 1});
  CHECK(slope_at(x, [&](auto v) { return now.take(v, now.argmax(v)) + 0 * now.sum(v); }) == std::vector<float>{0, 0, 1});
  CHECK(slope_at(x, [&](auto v) { return now.sum(now.cast(now.cast(v, as<sinter::float16>) * 2, as<float>)); }) ==
        std::vector<float>{2, 2, 2});
  auto const wide = nd::tensor<double, shape<3>>{1, 2, 3};
  CHECK(slope_at(x, [&](auto v) { return now.cast(now.sum(v * wide), as<float>); }) == std::vector<float>{1, 2, 3});
  auto const half = nd::tensor<sinter::float16, shape<3>>(now.cast(w, as<sinter::float16>));
  CHECK(slope_at(x, [&](auto v) { return now.sum(v * half); }) == std::vector<float>{2, 0, -1});
}
TEST_CASE("the value of a function beside its gradients") {
  three const x{1, -2, 3};
  auto const [y, slopes] =
      now.value_and_gradient([&](auto v, auto s) { return now.sum(now.square(v) * s); }, x, nd::tensor<float, shape<>>(2));
  CHECK(y.item() == 28);
  CHECK(std::get<0>(slopes).to_vector() == std::vector<float>{4, -8, 12});
  CHECK(std::get<1>(slopes).item() == 14);
  auto const [same, one] = now.value_and_gradient([](auto s) { return s; }, nd::tensor<float, shape<>>(2));
  CHECK(same.item() == 2);
  CHECK(one.item() == 1);
}
TEST_CASE("eager gradients of parts, of several results and of branches") {
  nd::tensor<float, shape<2, 4>> const x{1, 2, 3, 4, 5, 6, 7, 8};
  auto const slope = [&](auto const& f) { return now.gradient(f, x).to_vector(); };
  CHECK(slope([&](auto v) { return now.sum(v(all, range<1, 3>) * v(all, range<2, 4>)); }) == std::vector<float>{0, 3, 6, 3, 0, 7, 14, 7});
  CHECK(slope([&](auto v) { return now.sum(v(sinter::nth<1>)); }) == std::vector<float>{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(slope([&](auto v) {
          auto const both = now.split(v, parts<2>, axis<1>);
          return now.sum(now.square(std::get<1>(both)));
        }) == std::vector<float>{0, 0, 6, 8, 0, 0, 14, 16});
  CHECK(slope([&](auto v) { return now.sum(now.transpose(v) * now.reshape(x, sinter::into<4, 2>)); }) ==
        std::vector<float>{1, 3, 5, 7, 2, 4, 6, 8});
  CHECK(slope([&](auto v) {
          auto const h = now.cond(now.sum(v) > 1, [&] { return v * 2; }, [&] { return v * 3; });
          return now.sum(h);
        }) == std::vector<float>(8, 2));
  CHECK(slope([&](auto v) {
          auto const h = now.cond(now.sum(x) > 1, [&] { return v * v; }, [&] { return v; });
          return now.sum(h);
        }) == std::vector<float>{2, 4, 6, 8, 10, 12, 14, 16});
  CHECK(slope([&](auto v) {
          if (v(1, 3) > 7 && now.sum(v).item() == 36) return now.sum(v);
          return now.sum(v * 0);
        }) == std::vector<float>(8, 1));
}
TEST_CASE("what is written to after a call was recorded does not change its gradient") {
  three x{1, -2, 3}, w{2, 0, -1};
  nd::tensor<float, shape<3, 1>> const column{1, 2, 3};
  auto const slope = slope_at(x, [&](auto v) {
    auto const y = now.sum(v * v * w) + now.sum(v * now.reshape(column, sinter::into<3>));
    w.fill(9);
    x.fill(9);
    column.fill(9);
    return y;
  });
  CHECK(slope == std::vector<float>{5, 2, -3});
  nd::tensor<float, shape<>> k(1);
  CHECK(slope_at(three{1, 2, 3}, [&](auto v) {
          auto y = v * 0;
          for (int i = 0; i < 3; ++i, k += 1) y = y + v * k;
          return now.sum(y);
        }) == std::vector<float>{6, 6, 6});
  float memory[]{2, 2, 2};
  auto const borrowed = three::borrow(static_cast<float const*>(memory), sinter::dims{3});
  CHECK(slope_at(three{1, 2, 3}, [&](auto v) {
          auto const y = now.sum(v * borrowed);
          memory[0] = 9;
          return y;
        }) == std::vector<float>{2, 2, 2});
}
TEST_CASE("what is kept of a record that has ended is a constant") {
  three const x{1, -2, 3};
  std::any kept;
  std::vector<float> last;
  for (int turn = 0; turn < 3; ++turn)
    last = slope_at(x, [&](auto v) {
      auto s = v * 1;
      if (kept.has_value()) s = std::any_cast<decltype(s)>(kept) * v;
      kept = s;
      return now.sum(s);
    });
  CHECK(last == std::vector<float>{1, 4, 9});
  auto const of_no_record = std::any_cast<sinter::autograd::recorded<three>>(kept) * 2;
  CHECK(of_no_record.to_vector() == std::vector<float>{2, -16, 54});
}
TEST_CASE("gradients of one's own are of the operands' shapes, and lose nothing silently") {
  three const x{1, -2, 3};
  nd::tensor<float, shape<sinter::dynamic>> any({3});
  any.fill(1);
  auto const doubled = [](auto u) { return u * 2; };
  CHECK(said_by([&] {
          now.gradient([&](auto v) { return now.sum(now.with_gradient(doubled, [](auto d, auto u) { return sinter::concat(d, u); }, v)); },
                       any);
        }) == "sinter: the second function of with_gradient gives a gradient of shape (6,) for an operand of shape (3,)");
  std::string const captures = "sinter: the first function of with_gradient captures what is differentiated";
  auto const passed = [](auto d, auto) { return d; };
  CHECK(said_by([&] {
          now.gradient([&](auto v) { return now.sum(now.with_gradient([&](auto u) { return u * v; }, passed, v)); }, x);
        }).starts_with(captures));
  CHECK(said_by([&] {
          now.gradient([&](auto v) { return now.sum(v) + now.sum(now.with_gradient([&](auto u) { return u * v; }, passed, x)); }, x);
        }).starts_with(captures));
  CHECK(slope_at(x, [&](auto v) { return now.sum(now.with_gradient([&](auto u) { return u * now.stop_gradient(v); }, passed, v)); }) ==
        std::vector<float>{1, 1, 1});
  auto const both = now.gradient(
      [&](auto v, auto u) {
        return now.sum(now.with_gradient([](auto a, auto c) { return a * c; }, [](auto d, auto, auto) { return std::tuple{d, d}; }, v, u));
      },
      x, x);
  std::get<0>(both).fill(100);
  CHECK(std::get<1>(both).to_vector() == std::vector<float>{1, 1, 1});
}
TEST_CASE("a number that is no operand gets no gradient, which may be none") {
  auto const slope =
      slope_at({0, 1, -1}, [&](auto u) { return now.sum(now.square(now.gradient([&](auto v) { return now.sum(now.power(v, 2)); }, u))); });
  CHECK(slope == std::vector<float>{0, 8, -8});
}
TEST_CASE("the third derivative, and one of a function that captures what is differentiated outside") {
  three const x{1, -2, 3};
  auto const third = slope_at(x, [&](auto u) {
    return now.sum(now.gradient([&](auto v) { return now.sum(now.gradient([&](auto t) { return now.sum(t * t * t * t); }, v)); }, u));
  });
  CHECK(third == std::vector<float>{24, -48, 72});
  // of u sum(v^2 u) by v is 2 v u, at v = u: 2 u^2
  auto const both = slope_at(x, [&](auto u) { return now.sum(now.gradient([&](auto v) { return now.sum(v * v * u); }, u)); });
  CHECK(both == std::vector<float>{4, -8, 12});
  auto const [value, slope] = now.value_and_gradient(
      [&](auto u) {
        auto const [y, g] = now.value_and_gradient([&](auto v) { return now.sum(now.exp(v)); }, x);
        return now.sum(g * u) + y;
      },
      x);
  CHECK(slope.to_vector() == now.exp(x).to_vector());
  CHECK(value.item() == Approx(now.sum(now.exp(x) * (x + 1)).item()));
}
TEST_CASE("eager gradients where a dimension is dynamic") {
  using rows = nd::tensor<double, shape<dim<"n">, 3>>;
  for (std::int64_t n : {1, 2, 7}) {
    rows x({n, 3});
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = 0.3 * static_cast<double>(i % 5) - 0.4;
    auto const slope = now.gradient(
        [&](auto v) {
          return now.sum(now.concat(v, v * v, axis<0>) * 2) + now.sum(now.slice(v, sinter::begin<1>, sinter::end<sinter::open>));
        },
        x);
    REQUIRE(slope.shape() == x.shape());
    for (std::int64_t i = 0; i < x.size(); ++i) CHECK(slope.data()[i] == Approx(2 + 4 * x.data()[i] + (i >= 3)));
  }
}
TEST_CASE("eager and compiled gradients of a network in training and in inference") {
  slope_of_normal net;
  net.initialize(sinter::init::xavier{}, 4);
  nd::tensor<float, shape<5, 3>> x;
  for (int i = 0; i < x.size(); ++i) x.data()[i] = 0.2f * static_cast<float>(i % 7) - 0.5f;
  net(x);
  auto const fast = net.hybridize();
  auto const same = [](auto const& a, auto const& b) {
    for (int i = 0; i < a.size(); ++i) CHECK(a.data()[i] == Approx(b.data()[i]).epsilon(1e-4).margin(1e-5));
  };
  same(net(x), fast(x));
  auto const twin = net.copy();
  sinter::random::seed(7);
  auto const eager = net(sinter::training(x));
  sinter::random::seed(7);
  auto const compiled = twin.hybridize()(sinter::training(x));
  same(eager, compiled);
  auto const mean = [](auto const& n) { return n.net.norm.running_mean.template data<shape<4>>().to_vector(); };
  CHECK(mean(net) == mean(twin));
  CHECK(mean(net)[0] != 0);
  CHECK(now.mean(net.net(sinter::training(x))).item() != 0);  // an F that knows of no training
}
TEST_CASE("check_gradient finds a gradient that is wrong") {
  normal net;
  net.initialize(sinter::init::xavier{}, 4);
  nd::tensor<float, shape<5, 3>> x;
  for (int i = 0; i < x.size(); ++i) x.data()[i] = 0.2f * static_cast<float>(i % 7) - 0.55f;
  CHECK(sinter::test::check_gradient(net, x));
  // A kernel for each channel is differentiated in a way of its own.
  nd::tensor<float, shape<2, 3, 7, 6>> image;
  nd::tensor<float, shape<3, 1, 2, 3>> kernels;
  for (int i = 0; i < image.size(); ++i) image.data()[i] = 0.1f * static_cast<float>(i * 7 % 31) - 1;
  for (int i = 0; i < kernels.size(); ++i) kernels.data()[i] = 0.3f * static_cast<float>(i * 5 % 11) - 1;
  auto const by_channels = sinter::test::check_gradient(
      [](auto v, auto w) { return now.convolution(v, w, sinter::stride<2, 1>, sinter::pad<1>, sinter::dilate<1, 2>, sinter::groups<3>); },
      image, kernels);
  CHECK(by_channels);
  CHECK(by_channels.compared == 270);
  auto const right = sinter::test::check_gradient([](auto v, auto i) { return sinter::exp(sinter::take(v, i)); }, x,
                                                  nd::tensor<std::int64_t, shape<2>>{4, 1});
  CHECK(right);
  CHECK(right.compared == 15);
  auto const wrong = sinter::test::check_gradient(
      [](auto v, auto w) {
        return now.with_gradient([](auto a, auto b) { return a * b; }, [](auto d, auto a, auto b) { return std::tuple{d * b, d * a * 2}; },
                                 v, w);
      },
      x, x);
  CHECK(!wrong);
  CHECK(wrong.what.starts_with("sinter: the gradient of element 0 of operand 2 is "));
  CHECK(!sinter::test::check_gradient([](auto v) { return sinter::floor(v) * 1e300; }, three{0, 1, 2}));
}
TEST_CASE("what has no eager gradient says so") {
  three const x{1, -2, 3};
  CHECK(said_by([&] { now.gradient([&](auto v) { return now.sum(now.sort(v)); }, x); }) ==
        "sinter: a gradient is asked for that goes through sort, of which there is none yet; docs/operations.md says which operations have "
        "one");
  CHECK(said_by([&] { now.gradient([&](auto) { return now.sum(x); }, x); }) ==
        "sinter: a gradient is asked for with respect to operand 1 of a function, on which the number that it gives does not depend");
  CHECK(said_by([&] { now.gradient([&](auto v, auto) { return now.sum(v); }, x, x); }) ==
        "sinter: a gradient is asked for with respect to operand 2 of a function, on which the number that it gives does not depend");
  auto const by_loop = [&](auto v) {
    auto const turn = [&](auto const& slice, auto const& s) { return std::tuple{slice * 2, s + slice * now.sum(x)}; };
    return now.sum(std::get<1>(now.foreach (turn, v, nd::tensor<float, shape<>>(0)))) + now.sum(v);
  };
  CHECK(said_by([&] { now.gradient(by_loop, x); }).starts_with("sinter: a gradient is asked for that goes through foreach, of which"));
  CHECK(said_by([&] {
          now.gradient([&](auto u) { return now.sum(now.gradient([&](auto v) { return now.sum(v * u); }, x)); }, x);
        }).starts_with("sinter: an operation of one gradient reads what another one records"));
  // A loop that the number does not depend on runs, and a loop on what is not recorded is a constant.
  CHECK(slope_at(x, [&](auto v) {
          auto const turn = [&](auto const& slice, auto const& s) { return std::tuple{slice, s + slice}; };
          return now.sum(v * std::get<0>(now.foreach (turn, x, nd::tensor<float, shape<>>(0))));
        }) == x.to_vector());
}
