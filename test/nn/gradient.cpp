// SPDX-License-Identifier: Apache-2.0
// F.gradient in compiled networks and in symbols: both agree, and with central differences in double.
#include <sinter/gradient.hpp>
#include <sinter/symbol.hpp>
#include <sinter/symbol/gradient.hpp>

#include <cmath>

#include "../catch.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace sym = sinter::sym;
using sinter::axis;
using sinter::into;
using sinter::pad;
using sinter::pool_size;
using sinter::shape;
using sinter::stride;

namespace {

// A small network of images: the loss, and its gradients with respect to the weights.
constexpr auto loss_of(auto const& F, auto const& x, auto const& labels, auto const& w, auto const& v) {
  auto const h = F.max_pool(F.relu(F.convolution(x, w, pad<1>)), pool_size<2>);
  auto const g = F.gelu(F.convolution(h, F.transpose(w, sinter::axes<1, 0, 2, 3>), stride<2>, pad<1>));
  return -F.mean(F.pick(F.log_softmax(F.fully_connected(F.concat(F.flatten(h), F.flatten(g)), v)), labels));
}
struct images : nn::hybrid_block<images> {
  BOOST_HANA_DEFINE_STRUCT(images);
  constexpr auto hybrid_forward(auto F, auto x, auto labels, auto w, auto v) const {
    auto const [loss, slopes] = F.value_and_gradient([&](auto a, auto b) { return loss_of(F, x, labels, a, b); }, w, v);
    return std::tuple{loss, std::get<0>(slopes), std::get<1>(slopes)};
  }
};
struct loss_alone : nn::hybrid_block<loss_alone> {
  BOOST_HANA_DEFINE_STRUCT(loss_alone);
  constexpr auto hybrid_forward(auto F, auto x, auto labels, auto w, auto v) const { return loss_of(F, x, labels, w, v); }
};
// What a function captures does not change with its operands, though it is the same array.
struct captured : nn::hybrid_block<captured> {
  BOOST_HANA_DEFINE_STRUCT(captured);
  constexpr auto hybrid_forward(auto F, auto x) const {
    return std::tuple{F.gradient([&](auto v) { return F.sum(v * x); }, x), F.gradient([&](auto v) { return F.sum(v * v); }, x)};
  }
};
// The slope of a line is one: what is far from it costs.
struct penalty : nn::hybrid_block<penalty> {
  BOOST_HANA_DEFINE_STRUCT(penalty, (nn::dense<5, nn::tanh>, hidden), (nn::dense<1>, out));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const cost = [&](auto v) {
      auto const slope = F.gradient([&](auto u) { return F.sum(out(hidden(u))); }, v);
      return F.mean(F.square(F.norm(slope, axis<1>) - 1));
    };
    auto const [value, g] = F.value_and_gradient(cost, x);
    return std::tuple{value, g};
  }
};

struct mean_of_squares : nn::hybrid_block<mean_of_squares> {
  BOOST_HANA_DEFINE_STRUCT(mean_of_squares);
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.gradient([&](auto v) { return F.mean(F.square(F.softmax(v))); }, x);
  }
};

template <class X> X filled(int seed) {
  X x;
  for (int i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<typename X::value_type>(
        2 * sinter::uniform_number(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i)) - 1);
  return x;
}
void check_slope(double got, auto const& value, double& at) {
  double const x = at, h = 1e-5;
  at = x + h;
  double const above = value();
  at = x - h;
  double const below = value();
  at = x;
  CHECK(got == Approx((above - below) / (2 * h)).epsilon(1e-6).margin(1e-9));
}

}  // namespace

TEST_CASE("gradients of a network of images, compiled, as symbols and by differences") {
  auto const x = filled<nd::tensor<double, shape<3, 2, 8, 8>>>(1);
  nd::tensor<std::int64_t, shape<3>> const labels{0, 3, 1};
  auto w = filled<nd::tensor<double, shape<4, 2, 3, 3>>>(2);
  auto v = filled<nd::tensor<double, shape<4, 72>>>(3);
  auto const net = images{}.hybridize();
  auto const alone = loss_alone{}.hybridize();
  auto const [loss, of_w, of_v] = net(x, labels, w, v);
  CHECK(loss.item() == Approx(alone(x, labels, w, v).item()).epsilon(1e-12));
  auto const value = [&] { return alone(x, labels, w, v).item(); };
  for (int i = 0; i < w.size(); i += 5) check_slope(of_w.data()[i], value, w.data()[i]);
  for (int i = 0; i < v.size(); i += 17) check_slope(of_v.data()[i], value, v.data()[i]);

  auto const all = images{}(sym::var("x"), sym::var("labels"), sym::var("w"), sym::var("v"));
  sym::results const same =
      sym::group({std::get<0>(all), std::get<1>(all), std::get<2>(all)}).eval({{"x", x}, {"labels", labels}, {"w", w}, {"v", v}});
  auto const same_w = same[1].as<nd::tensor<double, shape<4, 2, 3, 3>>>();
  auto const same_v = same[2].as<nd::tensor<double, shape<4, 72>>>();
  for (int i = 0; i < w.size(); ++i) CHECK(same_w.data()[i] == Approx(of_w.data()[i]).epsilon(1e-12).margin(1e-15));
  for (int i = 0; i < v.size(); ++i) CHECK(same_v.data()[i] == Approx(of_v.data()[i]).epsilon(1e-12).margin(1e-15));
}
TEST_CASE("what a function captures does not change with its operands") {
  nd::tensor<float, shape<3>> const x{1, -2, 3};
  auto const [once, twice] = captured{}.hybridize()(x);
  CHECK(once.to_vector() == std::vector<float>{1, -2, 3});
  CHECK(twice.to_vector() == std::vector<float>{2, -4, 6});
}
TEST_CASE("a gradient in a gradient, of a network with parameters") {
  penalty net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto x = filled<nd::tensor<float, shape<4, 3>>>(9);
  auto const [value, slope] = fast(x);
  for (int i = 0; i < x.size(); ++i) {
    float const before = x.data()[i], h = 1e-2f;
    x.data()[i] = before + h;
    double const above = std::get<0>(fast(x)).item();
    x.data()[i] = before - h;
    double const below = std::get<0>(fast(x)).item();
    x.data()[i] = before;
    CHECK(slope.data()[i] == Approx((above - below) / (2 * h)).epsilon(0.01).margin(2e-4));
  }
}
TEST_CASE("gradients where a dimension is dynamic") {
  using rows = nd::tensor<double, shape<sinter::dim<"n">, 3>>;
  auto const fast = mean_of_squares{}.hybridize();
  for (std::int64_t n : {1, 2, 7}) {
    rows x({n, 3});
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = 0.3 * static_cast<double>(i % 5) - 0.4;
    auto const slope = fast(x);
    REQUIRE(slope.shape() == x.shape());
    auto const value = [&] {
      auto const y = sinter::softmax(x);
      double sum = 0;
      for (double e : y.to_vector()) sum += e * e;
      return sum / static_cast<double>(x.size());
    };
    for (std::int64_t i = 0; i < x.size(); ++i) check_slope(slope.data()[i], value, x.data()[i]);
  }
}
