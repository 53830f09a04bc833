// SPDX-License-Identifier: Apache-2.0
// Convolution, pooling and batch normalization as layers: MXNet's networks that read the digits, training, symbols.
#include "digits.hpp"

#include <sinter/nn/layers/norms.hpp>
#include <sinter/nn/layers/pooling.hpp>

namespace {

using sinter::axis;
using sinter::dims;
using sinter::symbol;
using test::reads_the_digits;

using cnn = nn::hybrid_sequential<nn::conv2d<16, 3, 1, 1, 1, 1, nn::relu>, nn::max_pool2d<>, nn::conv2d<32, 3, 1, 1>, nn::batch_norm<>,
                                  nn::activation<nn::relu>, nn::avg_pool2d<>, nn::flatten, nn::dense<64, nn::relu>, nn::dropout<0.3>,
                                  nn::dense<10>>;
template <int Channels, int Stride> using plain_conv = nn::conv2d<Channels, 3, Stride, 1, 1, 1, nn::no_activation, float, false>;
template <int Channels> struct residual : nn::hybrid_block<residual<Channels>> {
  using conv = plain_conv<Channels, 1>;
  BOOST_HANA_DEFINE_STRUCT(residual, (conv, conv0), (nn::batch_norm<>, norm0), (conv, conv1), (nn::batch_norm<>, norm1));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(norm1(conv1(F.relu(norm0(conv0(x))))) + x); }
};
template <int Channels> struct strided : nn::hybrid_block<strided<Channels>> {
  using first = plain_conv<Channels, 2>;
  using second = plain_conv<Channels, 1>;
  using point = nn::conv2d<Channels, 1, 2, 0, 1, 1, nn::no_activation, float, false>;
  BOOST_HANA_DEFINE_STRUCT(strided, (first, conv0), (nn::batch_norm<>, norm0), (second, conv1), (nn::batch_norm<>, norm1), (point, skip),
                           (nn::batch_norm<>, norm2));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const y = norm1(conv1(F.relu(norm0(conv0(x)))));
    return F.relu(y + norm2(skip(x)));
  }
};
using resnet = nn::hybrid_sequential<plain_conv<16, 1>, nn::batch_norm<>, nn::activation<nn::relu>, residual<16>, strided<32>,
                                     nn::global_avg_pool2d<>, nn::dense<10>>;

}  // namespace

TEST_CASE("convolutional networks of MXNet read the digits as MXNet did") {
  reads_the_digits<cnn>("digits-cnn");
  reads_the_digits<resnet>("digits-resnet", {.by_order = true});
}

TEST_CASE("layers of one, two and three spatial axes") {
  auto const line = filled<f32<2, 4, 9>>();
  auto const image = filled<f32<2, 4, 6, 7>>();
  auto const volume = filled<f32<1, 2, 4, 5, 6>>();
  auto const check = [](auto net, auto const& x) {
    net.initialize(sinter::init::uniform{1}, 7);
    auto const y = net(x);
    if constexpr (test::compiles_networks) check_same(net.hybridize()(x), y);
    return y;
  };
  nn::conv1d<6, 3, 2, 1, 2, 2> grouped;
  static_assert(std::is_same_v<decltype(check(grouped, line))::shape_type, shape<2, 6, 4>>);
  check(grouped, line);
  grouped.initialize(sinter::init::uniform{1}, 7);
  check_same(grouped(line), sinter::convolution(line, grouped.weight.data<shape<6, 2, 3>>(), grouped.bias.data<shape<6>>(),
                                                sinter::stride<2>, sinter::pad<1>, sinter::dilate<2>, sinter::groups<2>));
  check(nn::conv2d<8, nn::size2d{3, 1}, nn::size2d{2, 1}, nn::size2d{1, 0}, 1, 4, nn::tanh>{}, image);
  check(nn::conv3d<3, nn::size3d{2, 3, 1}, 1, nn::size3d{0, 1, 0}>{}, volume);
  check_same(check(nn::max_pool1d<3, 2, 1>{}, line), sinter::max_pool(line, sinter::pool_size<3>, sinter::stride<2>, sinter::pad<1>));
  check_same(check(nn::avg_pool2d<3, 2, 1, true, false>{}, image),
             sinter::avg_pool(image, sinter::pool_size<3>, sinter::stride<2>, sinter::pad<1>, sinter::ceil_mode,
                              sinter::count_include_pad<false>));
  check_same(check(nn::max_pool3d<2, 2, 0, true>{}, volume), sinter::max_pool(volume, sinter::pool_size<2>, sinter::ceil_mode));
  check_same(check(nn::global_max_pool3d<>{}, volume), sinter::max(volume, axis<2, 3, 4>, sinter::keepdims));
  check_same(check(nn::global_avg_pool1d<>{}, line), sinter::mean(line, axis<2>, sinter::keepdims));
}

TEST_CASE("norms and activations as layers are their operations") {
  auto const image = filled<f32<2, 6, 3, 5>>();
  f32<6> const gamma{1, 2, -1, 0.5f, 3, -2}, beta{0, 1, 2, 3, 4, 5};
  auto const with_parameters = [&](auto net) {
    net.initialize();
    net.gamma.set(gamma);
    if constexpr (requires { net.beta; }) net.beta.set(beta);
    return net;
  };
  auto const same = [](auto const& net, auto const& x, auto const& want) {
    check_same(net(x), want);
    if constexpr (test::compiles_networks) check_same(net.hybridize()(x), want);
    CHECK(net(sinter::sym::var("x")).eval({{"x", x}})[0].template as<std::remove_cvref_t<decltype(want)>>().to_vector() ==
          want.to_vector());
  };
  same(with_parameters(nn::instance_norm<1e-3>{}), image, sinter::instance_norm(image, gamma, beta, sinter::eps<1e-3>));
  same(with_parameters(nn::group_norm<3>{}), image, sinter::group_norm(image, gamma, beta, sinter::groups<3>));
  auto const rows = filled<f32<4, 6>>();
  same(with_parameters(nn::rms_norm<>{}), rows, sinter::rms_norm(rows, gamma));
  same(nn::activation<nn::silu>{}, rows, sinter::silu(rows));
  same(nn::activation<nn::hard_swish>{}, rows, sinter::hard_swish(rows));
  same(nn::activation<nn::leaky_relu<0.1>>{}, rows, sinter::leaky_relu(rows, sinter::slope<0.1>));
  same(nn::activation<nn::elu<>>{}, rows, sinter::elu(rows));
}

TEST_CASE("batch_norm normalizes with the batch in training, and with what it has seen of batches in inference") {
  auto const x = filled<f32<5, 3, 4, 2>>();
  nn::batch_norm<1, 0.75> net, compiled;
  for (auto* n : {&net, &compiled}) {
    n->initialize();
    n->gamma.set(f32<3>{0.5f, 1, -2});
    n->beta.set(f32<3>{1, 0, 3});
  }
  auto const fast = compiled.hybridize();
  double mean[3]{}, variance[3]{};
  for (int i = 0; i < x.size(); ++i) mean[i / 8 % 3] += static_cast<double>(x[i]) / 40;
  for (int i = 0; i < x.size(); ++i) variance[i / 8 % 3] += std::pow(static_cast<double>(x[i]) - mean[i / 8 % 3], 2) / 40;
  double running_mean[3]{}, running_var[3]{1, 1, 1};
  double const gamma[]{0.5, 1, -2}, beta[]{1, 0, 3};
  auto const check = [&](f32<5, 3, 4, 2> const& y, double const* m, double const* v) {
    for (int i = 0; i < x.size(); ++i) {
      int const c = i / 8 % 3;
      double const want = (static_cast<double>(x[i]) - m[c]) / std::sqrt(v[c] + 1e-5) * gamma[c] + beta[c];
      CHECK(static_cast<double>(y[i]) == Approx(want).margin(1e-5));
    }
  };
  for (int pass = 0; pass < 3; ++pass) {
    auto const y = net(sinter::training(x));
    check(sinter::unmarked(y), mean, variance);
    check_same(sinter::unmarked(fast(sinter::training(x))), sinter::unmarked(y));
    for (int c = 0; c < 3; ++c) {
      running_mean[c] = running_mean[c] * 0.75 + mean[c] * 0.25;
      running_var[c] = running_var[c] * 0.75 + variance[c] * 0.25;
      CHECK(static_cast<double>(net.running_mean.data<shape<3>>()[c]) == Approx(running_mean[c]).margin(1e-6));
      CHECK(static_cast<double>(net.running_var.data<shape<3>>()[c]) == Approx(running_var[c]).margin(1e-6));
    }
    check_same(compiled.running_var.data<shape<3>>(), net.running_var.data<shape<3>>());
    check(net(x), running_mean, running_var);
    check_same(fast(x), net(x));
  }
  // As a symbol, in both ways.
  auto const s = net(sinter::sym::var("x")).eval({{"x", x}})[0].as<f32<5, 3, 4, 2>>();
  CHECK(s.to_vector() == fast(x).to_vector());
  auto const t = sinter::unmarked(net(sinter::training(sinter::sym::var("x")))).eval({{"x", x}})[0].as<f32<5, 3, 4, 2>>();
  CHECK(t.to_vector() == sinter::unmarked(fast(sinter::training(x))).to_vector());
  CHECK(net.running_mean.data<shape<3>>().to_vector() == compiled.running_mean.data<shape<3>>().to_vector());
  // Of parameters whose extents are not known yet.
  auto const fresh = []<class Net>(Net created) {
    created.initialize();
    return created;
  };
  auto const by_symbol = fresh(nn::batch_norm<>{}), by_call = fresh(nn::batch_norm<>{});
  symbol const trained = sinter::unmarked(by_symbol(sinter::training(sinter::sym::var("x"))));
  CHECK(trained.infer_shape({{"x", {5, 3, 4, 2}}}).outputs[0] == dims{5, 3, 4, 2});
  CHECK(trained.eval({{"x", x}})[0].as<f32<5, 3, 4, 2>>().to_vector() ==
        sinter::unmarked(by_call.hybridize()(sinter::training(x))).to_vector());
  CHECK(by_symbol.running_var.data<shape<3>>().to_vector() == by_call.running_var.data<shape<3>>().to_vector());
  auto const same_fresh = [&](auto const& one, auto const& other) {
    CHECK(one(sinter::sym::var("x")).eval({{"x", x}})[0].template as<f32<5, 3, 4, 2>>().to_vector() == other.hybridize()(x).to_vector());
  };
  using no_scale = nn::batch_norm<1, 0.9, 1e-5, true, false>;
  using no_shift = nn::batch_norm<-1, 0.9, 1e-5, false, true>;
  same_fresh(fresh(no_scale{}), fresh(no_scale{}));
  same_fresh(fresh(no_shift{}), fresh(no_shift{}));
  // Without scale and shift, along the last axis, and always with what it has seen.
  nn::batch_norm<-1, 0.9, 1e-3, false, false, true> plain;
  plain.initialize();
  plain.gamma.set(f32<2>{2, 2});
  plain.beta.set(f32<2>{3, 3});
  auto const y = plain(sinter::training(x));
  for (int i = 0; i < x.size(); ++i) CHECK(sinter::unmarked(y)[i] == Approx(x[i] / std::sqrt(1.001f)));
  CHECK(plain.running_mean.data<shape<2>>()[0] == 0);
}

TEST_CASE("a batch without elements leaves what batch_norm has seen as it is") {
  auto const check = []<class X>(X const& none, X const& some, auto const& run) {
    nn::batch_norm<> net;
    net.initialize();
    net.running_mean.set(f32<3>{1, -2, 0.5f});
    run(net, none);
    CHECK(net.running_mean.data<shape<3>>().to_vector() == std::vector<float>{1, -2, 0.5f});
    CHECK(net.running_var.data<shape<3>>().to_vector() == std::vector<float>{1, 1, 1});
    run(net, some);
    for (int c = 0; c < 3; ++c) CHECK(net.running_var.data<shape<3>>()[c] == Approx(0.9f));
    X nan = some.copy();
    nan.data()[0] = std::numeric_limits<float>::quiet_NaN();  // is one of the batch
    run(net, nan);
    CHECK(std::isnan(net.running_mean.data<shape<3>>()[0]));
  };
  auto const eager = [](auto const& net, auto const& x) { net(sinter::training(x)); };
  auto const compiled = [](auto const& net, auto const& x) { static_cast<void>(net.hybridize()(sinter::training(x))); };
  auto const composed = [](auto const& net, auto const& x) {
    sinter::unmarked(net(sinter::training(sinter::sym::var("x")))).eval({{"x", x}});
  };
  using rows = sinter::nd::tensor<float, shape<sinter::dim<"batch">, 3, 4>>;
  using columns = sinter::nd::tensor<float, shape<2, 3, sinter::dynamic>>;
  check(rows(dims{0, 3, 4}), rows(dims{2, 3, 4}), eager);
  check(rows(dims{0, 3, 4}), rows(dims{2, 3, 4}), compiled);
  check(rows(dims{0, 3, 4}), rows(dims{2, 3, 4}), composed);
  check(columns(dims{2, 3, 0}), columns(dims{2, 3, 5}), compiled);
  nn::batch_norm<> net;
  net.initialize();
  eager(net, f32<0, 3>());
  compiled(net, f32<0, 3>());
  CHECK(net.running_mean.data<shape<3>>().to_vector() == std::vector<float>{0, 0, 0});
}
