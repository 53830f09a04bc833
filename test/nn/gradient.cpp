// SPDX-License-Identifier: Apache-2.0
// F.gradient in compiled networks, eagerly and in symbols: all agree, and with central differences in double. Eager ones alone are in recorded.cpp.
#include <sinter/gradient.hpp>
#include <sinter/symbol.hpp>
#include <sinter/symbol/gradient.hpp>
#include <sinter/viz/report.hpp>

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

// The second derivative of what a rule gives again: the results of the same operation.
struct of_determinant : nn::hybrid_block<of_determinant> {
  BOOST_HANA_DEFINE_STRUCT(of_determinant);
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.gradient(
        [&](auto u) {
          auto const [y, slope] = F.value_and_gradient([&](auto v) { return F.det(v) + F.sum(F.square(F.inverse(v))); }, u);
          return F.sum(F.square(slope)) + F.square(y);
        },
        x);
  }
};

struct mean_of_squares : nn::hybrid_block<mean_of_squares> {
  BOOST_HANA_DEFINE_STRUCT(mean_of_squares);
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.gradient([&](auto v) { return F.mean(F.square(F.softmax(v))); }, x);
  }
};

// Rounding that is none for gradients, a cube whose slope is said to be that of a square, a factor that no gradient goes to, and two operands.
struct own : nn::hybrid_block<own> {
  BOOST_HANA_DEFINE_STRUCT(own);
  constexpr auto hybrid_forward(auto F, auto x, auto y) const {
    auto const f = [&](auto v, auto w) {
      auto const steps = F.with_gradient([&](auto u) { return F.round(u * 4); }, [](auto d, auto) { return d * 4; }, v);
      auto const cube = F.with_gradient([&](auto u) { return F.sort(u) * u * u; }, [](auto d, auto u) { return 2 * d * u; }, F.square(v));
      auto const both =
          F.with_gradient([&](auto a, auto b) { return a * b + x; }, [](auto d, auto a, auto) { return std::tuple{d, d * a}; }, v, w);
      return F.sum(F.square(steps) + cube * F.stop_gradient(w) + F.exp(both)) + F.sum(F.stop_gradient(F.sort(v)) * v);
    };
    auto const [value, slopes] = F.value_and_gradient(f, x, y);
    auto const again = F.gradient([&](auto v) { return F.sum(F.square(std::get<0>(F.gradient(f, v, y)))); }, x);
    return std::tuple{value, std::get<0>(slopes), std::get<1>(slopes), again};
  }
};

template <class X> X filled(int seed) {
  X x;
  for (int i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<typename X::value_type>(
        2 * sinter::uniform_number(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i)) - 1);
  return x;
}
void check_equal(auto const& a, auto const& b) {
  for (int i = 0; i < b.size(); ++i) CHECK(a.data()[i] == Approx(b.data()[i]).epsilon(1e-12).margin(1e-15));
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
  auto const [eager_loss, eager_w, eager_v] = images{}(x, labels, w, v);
  CHECK(eager_loss.item() == Approx(loss.item()).epsilon(1e-12));
  check_equal(eager_w, of_w);
  check_equal(eager_v, of_v);

  auto const all = images{}(sym::var("x"), sym::var("labels"), sym::var("w"), sym::var("v"));
  sym::results const same =
      sym::group({std::get<0>(all), std::get<1>(all), std::get<2>(all)}).eval({{"x", x}, {"labels", labels}, {"w", w}, {"v", v}});
  check_equal(same[1].as<nd::tensor<double, shape<4, 2, 3, 3>>>(), of_w);
  check_equal(same[2].as<nd::tensor<double, shape<4, 72>>>(), of_v);
}
TEST_CASE("what a function captures does not change with its operands") {
  nd::tensor<float, shape<3>> const x{1, -2, 3};
  auto const [once, twice] = captured{}.hybridize()(x);
  CHECK(once.to_vector() == std::vector<float>{1, -2, 3});
  CHECK(twice.to_vector() == std::vector<float>{2, -4, 6});
  auto const [eager_once, eager_twice] = captured{}(x);
  CHECK(eager_once.to_vector() == once.to_vector());
  CHECK(eager_twice.to_vector() == twice.to_vector());
}
TEST_CASE("a gradient in a gradient, of a network with parameters") {
  penalty net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto x = filled<nd::tensor<float, shape<4, 3>>>(9);
  auto const [value, slope] = fast(x);
  std::string const report = fast.report(x);
  CHECK(report.find("backward.hidden.") != report.npos);
  CHECK(report.find("backward.backward") == report.npos);
  auto const [eager_value, eager_slope] = net(x);
  CHECK(eager_value.item() == Approx(value.item()));
  for (int i = 0; i < x.size(); ++i) CHECK(eager_slope.data()[i] == Approx(slope.data()[i]).margin(1e-6));
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
TEST_CASE("gradients that a network says itself, and where it stops them") {
  nd::tensor<double, shape<3>> const x{0.3, 0.9, -0.55}, y{1.5, -2, 0.25};
  auto const check = [&](auto const& value, auto const& of_x, auto const& of_y, auto const& again) {
    double sum = 0;
    double const sorted_squares[]{0.09, 0.3025, 0.81}, sorted[]{-0.55, 0.3, 0.9};
    for (int i = 0; i < 3; ++i) {
      double const v = x.data()[i], w = y.data()[i], s = std::round(4 * v), q = v * v, both = std::exp(v * w + v);
      sum += s * s + sorted_squares[i] * q * q * w + both + sorted[i] * v;
      // of steps^2, of the cube of q by v, of both by its first operand, and of the line
      double const slope = 2 * s * 4 + w * 2 * q * 2 * v + both + sorted[i];
      CHECK(of_x.data()[i] == Approx(slope));
      CHECK(of_y.data()[i] == Approx(both * v));
      // that of the slope: 8 s by v is 32, the slope of `both` is as said again, and `sorted` is a constant
      CHECK(again.data()[i] == Approx(2 * slope * (32 + 12 * w * v * v + both)));
    }
    CHECK(value.item() == Approx(sum));
  };
  std::apply(check, own{}(x, y));
  std::apply(check, own{}.hybridize()(x, y));
  std::apply(check, own{}(sinter::training(x), sinter::training(y)));
  std::apply(check, own{}.hybridize()(sinter::training(x), y));
  auto const all = own{}(sym::var("x"), sym::var("y"));
  sym::results const same = sym::group({std::get<0>(all), std::get<1>(all), std::get<2>(all), std::get<3>(all)}).eval({{"x", x}, {"y", y}});
  using three = nd::tensor<double, shape<3>>;
  check(same[0].as<nd::tensor<double, shape<>>>(), same[1].as<three>(), same[2].as<three>(), same[3].as<three>());
}
TEST_CASE("the second derivative of a determinant and an inverse") {
  nd::tensor<double, shape<2, 2>> const x{2, 0.3, 0.4, 3};
  auto const eager = of_determinant{}(x);
  check_equal(of_determinant{}.hybridize()(x), eager);
  check_equal(of_determinant{}(sym::var("x")).eval({{"x", x}})[0].as<nd::tensor<double, shape<2, 2>>>(), eager);
  auto const value = [&] {
    nd::functions const F;
    auto const y = F.det(x) + F.sum(F.square(F.inverse(x)));
    auto const slope = F.gradient([&](auto v) { return F.det(v) + F.sum(F.square(F.inverse(v))); }, x);
    return (F.sum(F.square(slope)) + F.square(y)).item();
  };
  for (int i = 0; i < 4; ++i) check_slope(eager.data()[i], value, x.data()[i]);
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
