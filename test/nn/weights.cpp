// SPDX-License-Identifier: Apache-2.0
// Weights in fewer bits: what comes out is what double precision gives with weights that were rounded here, by other means.
#include <cmath>
#include <limits>
#include <sinter/viz/report.hpp>

#include "network.hpp"

namespace {

using sinter::weights::bf16;
using sinter::weights::int8;
using std::size_t;
constexpr float infinity = std::numeric_limits<float>::infinity(), not_a_number = std::numeric_limits<float>::quiet_NaN();

// The nearest number of 8 significant bits, of two the even one.
double rounded(decltype(bf16), double v, double) {
  int e = 0;
  double const m = std::frexp(v, &e);
  return std::ldexp(std::nearbyint(std::ldexp(m, 8)), e - 8);
}
double rounded(decltype(int8), double v, double largest) {
  float const scale = static_cast<float>(largest) / 127;
  return largest == 0 ? 0 : static_cast<double>(scale) * static_cast<double>(std::nearbyint(static_cast<float>(v) / scale));
}
// How far one row of input may be taken from itself, in its largest element.
constexpr double input_error(decltype(bf16)) { return 0; }
constexpr double input_error(decltype(int8)) { return 0x1p-16; }

// One product: each output within the error of its own additions. The network has weight[Out][In] alone.
template <class Format, class X, class Y, class W> void check_product(Format form, X const& x, Y const& y, W const& weight) {
  int const rows = static_cast<int>(x.shape().d[0]), in = static_cast<int>(weight.shape().d[1]),
            out = static_cast<int>(weight.shape().d[0]);
  for (int j = 0; j < out; ++j) {
    double most = 0;
    for (int k = 0; k < in; ++k) most = std::max(most, std::abs(static_cast<double>(weight(j, k))));
    for (int i = 0; i < rows; ++i) {
      double sum = 0, size = 0, taken = 0, largest = 0;
      for (int k = 0; k < in; ++k) largest = std::max(largest, std::abs(static_cast<double>(x(i, k))));
      for (int k = 0; k < in; ++k) {
        double const w = rounded(form, static_cast<double>(weight(j, k)), most);
        sum += w * static_cast<double>(x(i, k));
        size += std::abs(w * static_cast<double>(x(i, k)));
        taken += std::abs(w) * largest * input_error(form);
      }
      INFO("row " << i << ", output " << j << " of " << rows << " x " << in << " x " << out);
      CHECK(std::abs(static_cast<double>(y(i, j)) - sum) <= (in + 4) * 0x1p-24 * size + taken);
    }
  }
}
template <int Rows, int In, int Out, class Format> void check_sizes(Format form) {
  nn::dense<Out> net;
  net.initialize(sinter::init::uniform{0.7f}, static_cast<std::uint64_t>(Rows * In + Out));
  f32<Rows, In> x;
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 7919) % 2003 - 1001) / 700;
  auto const y = net.hybridize(form)(x);
  check_product(form, x, y, net.weight.template data<shape<Out, In>>());
}
template <class Format> void check_all_sizes(Format form) {
  check_sizes<1, 1, 1>(form);
  check_sizes<1, 2, 3>(form);
  check_sizes<1, 7, 17>(form);
  check_sizes<1, 33, 40>(form);
  check_sizes<1, 64, 53>(form);
  check_sizes<1, 65, 70>(form);
  check_sizes<1, 31, 101>(form);
  check_sizes<1, 40, 128>(form);
  check_sizes<1, 30, 131>(form);
  check_sizes<1, 2001, 9>(form);
  check_sizes<2, 5, 3>(form);
  check_sizes<3, 64, 33>(form);
  check_sizes<13, 31, 70>(form);
  check_sizes<30, 2001, 50>(form);
}

// Weights as given, in the layer's own shape.
template <int In, int Out> nn::dense<Out> layer_with(f32<Out, In> const& weight) {
  nn::dense<Out> net;
  net.initialize();
  net(f32<1, In>{});
  net.weight.set(weight);
  return net;
}

struct prologue : nn::hybrid_block<prologue> {
  BOOST_HANA_DEFINE_STRUCT(prologue, (nn::dense<20>, inner));
  constexpr auto hybrid_forward(auto F, auto x) const { return inner(F.exp(x)); }
};
struct turned : nn::hybrid_block<turned> {
  BOOST_HANA_DEFINE_STRUCT(turned, (nn::dense<20>, inner));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(inner(F.transpose(x))); }
};
// The largest difference, as a part of the largest value.
template <class A> double distance(A const& a, A const& b) {
  double most = 0, size = 0;
  for (int i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    size = std::max(size, std::abs(static_cast<double>(b[i])));
  }
  return most / size;
}

}  // namespace

TEST_CASE("products of all sizes with bfloat16 weights") { check_all_sizes(bf16); }
TEST_CASE("products of all sizes with int8 weights") { check_all_sizes(int8); }

TEST_CASE("bfloat16 weights that are so already give the bits of float32") {
  f32<70, 40> weight;
  for (int i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i * 37 % 255 - 127) / 64;
  auto const net = layer_with<40, 70>(weight);
  check_same(net.hybridize(bf16)(filled<f32<13, 40>>()), net.hybridize()(filled<f32<13, 40>>()));
}
TEST_CASE("int8 weights of the largest size stay finite") {
  constexpr float largest = std::numeric_limits<float>::max();
  f32<3, 2> weight;
  float const some[] = {largest, 1, -largest, largest / 2, 3.395e38f, 0};
  for (int i = 0; i < 6; ++i) weight[i] = some[i];
  auto const check = [&](auto const& y) {
    for (int i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] / (weight[i % 3 * 2] / 2) - 1) < 1e-4f);
  };
  auto const net = layer_with<2, 3>(weight);
  f32<1, 2> one;  // a single row, which is multiplied as integers, and several
  f32<2, 2> two;
  for (int i = 0; i < 4; ++i) one[i % 2] = two[i] = i % 2 == 0 ? 0.5f : 0.0f;
  check(net.hybridize(int8)(one));
  check(net.hybridize(int8)(two));
}
TEST_CASE("rounding to bfloat16") {
  f32<9, 1> weight;
  float const some[] = {0.0f, -0.0f, 1.00390625f, 1.01171875f, 3.4028235e38f, infinity, -infinity, not_a_number, -3.3961775e38f};
  for (int i = 0; i < 9; ++i) weight[i] = some[i];
  f32<1, 1> one;
  one[0] = 1;
  auto const y = layer_with<1, 9>(weight).hybridize(bf16)(one);
  CHECK(y[0] == 0);
  CHECK(y[1] == 0);
  CHECK(y[2] == 1);           // between 1 and 1.0078125, and even
  CHECK(y[3] == 1.015625f);   // between 1.0078125 and 1.015625, and even
  CHECK(y[4] == 0x1.fep127f);  // the largest: a finite weight stays finite
  CHECK(y[5] == infinity);
  CHECK(y[6] == -infinity);
  CHECK(y[7] != y[7]);
  CHECK(y[8] == -0x1.fep127f);
  // The farthest from its neighbours: beside a power of two.
  f32<1, 1> far;
  far[0] = 1.00390625f;
  CHECK(layer_with<1, 1>(far).hybridize(bf16)(one)[0] == far[0] - 0x1p-8f);
}
TEST_CASE("int8 weights that are not finite make their output NaN and no other") {
  auto weight = filled<f32<5, 6>>();
  weight(1, 2) = infinity;
  weight(3, 0) = not_a_number;
  for (int k = 0; k < 6; ++k) weight(4, k) = 0;
  auto const fast = layer_with<6, 5>(weight).hybridize(int8);
  auto const look = [](auto const& y) {
    CHECK(std::isfinite(y[0]));
    CHECK(y[1] != y[1]);
    CHECK(std::isfinite(y[2]));
    CHECK(y[3] != y[3]);
    CHECK(y[4] == 0);
  };
  look(fast(filled<f32<1, 6>>()));
  look(fast(filled<f32<2, 6>>()));
}
TEST_CASE("a row that 16 bits cannot hold") {
  f32<3, 4> weight;
  for (int i = 0; i < 12; ++i) weight[i] = static_cast<float>(i % 4 + 1);
  auto const fast = layer_with<4, 3>(weight).hybridize(int8);
  f32<1, 4> x;
  CHECK(fast(x)[0] == 0);
  x[1] = infinity;
  CHECK(fast(x)[0] == infinity);
  x[1] = not_a_number;
  CHECK(fast(x)[0] != fast(x)[0]);
  x[1] = 1e-36f;
  CHECK(std::abs(fast(x)[0] / 2e-36f - 1) < 0.01f);
  x[0] = 1e38f;
  x[1] = 0;
  CHECK(std::abs(fast(x)[0] / 1e38f - 1) < 0.01f);
}
TEST_CASE("a weight and an input that are large, where they do not meet") {
  f32<1, 4> weight, x;
  weight[1] = 1e30f;
  x[0] = 1e30f;
  CHECK(layer_with<4, 1>(weight).hybridize(int8)(x)[0] == 0);
}
TEST_CASE("sums of int8 products do not overflow") {
  f32<3, 5000> weight;
  f32<1, 5000> x;
  for (int i = 0; i < weight.size(); ++i) weight[i] = -1;
  for (int i = 0; i < 5000; ++i) x[i] = -1;
  CHECK(std::abs(layer_with<5000, 3>(weight).hybridize(int8)(x)[2] - 5000) < 0.01f);
}

TEST_CASE("large weights, and inputs that make their sum finite") {
  for (auto const& [w, v] : {std::pair{1e33f, 1e-20f}, {3e38f, 1e-20f}, {1e-20f, 1e33f}}) {
    f32<1, 24> weight, x;
    weight.fill(w);
    x.fill(v);
    CHECK(std::abs(layer_with<24, 1>(weight).hybridize(int8)(x)[0] / (w * v * 24) - 1) < 0.01f);
  }
}

TEST_CASE("what is computed before a product, or lies in columns") {
  prologue before;
  before.initialize(sinter::init::xavier{}, 5);
  auto const x = filled<f32<1, 37>>();
  auto const y = before(x);
  CHECK(distance(before.hybridize(bf16)(x), y) < 0.01);
  CHECK(distance(before.hybridize(int8)(x), y) < 0.02);
  turned t;
  t.initialize(sinter::init::xavier{}, 5);
  auto const one = filled<f32<37, 1>>();
  auto const some = filled<f32<37, 9>>();
  CHECK(distance(t.hybridize(bf16)(one), t(one)) < 0.01);
  CHECK(distance(t.hybridize(int8)(one), t(one)) < 0.02);
  CHECK(distance(t.hybridize(bf16)(some), t(some)) < 0.01);
  CHECK(distance(t.hybridize(int8)(some), t(some)) < 0.02);
}
TEST_CASE("batches, one after the other, of one network") {
  nn::hybrid_sequential<nn::dense<40, nn::relu>, nn::dense<5>> net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize(int8);
  for (int n : {0, 1, 7, 1, 64}) {
    auto const x = filled<f32<dim<"batch">, 12>>({n, 12});
    auto const y = fast(x);
    REQUIRE(y.shape().d[0] == n);
    if (n > 0) CHECK(distance(y, net(x)) < 0.03);
  }
  auto const cube = filled<f32<3, 2, 12>>();
  nn::dense<5, nn::relu, float, true, false> flat;
  flat.initialize(sinter::init::xavier{}, 3);
  CHECK(distance(flat.hybridize(bf16)(cube), flat(cube)) < 0.01);
}
TEST_CASE("new values of a parameter are packed again") {
  auto net = layer_with<12, 5>(filled<f32<5, 12>>());
  auto const fast = net.hybridize(bf16);
  auto const x = filled<f32<1, 12>>();
  auto const before = fast(x);
  f32<5, 12> weight;
  for (int i = 0; i < 60; ++i) weight[i] = 2 * filled<f32<5, 12>>()[i];
  net.weight.set(weight);
  auto const after = fast(x);
  for (int i = 0; i < 5; ++i) CHECK(after[i] == 2 * before[i]);
}
TEST_CASE("what is no weight of float32 stays as it is") {
  nn::dense<9, nn::relu, double> wide;
  wide.initialize(sinter::init::xavier{}, 3);
  auto const x = filled<sinter::nd::tensor<double, shape<2, 6>>>();
  check_same(wide.hybridize(bf16)(x), wide.hybridize()(x));
  nn::layer_norm<> norm;
  norm.initialize();
  check_same(norm.hybridize(int8)(filled<f32<2, 6>>()), norm.hybridize()(filled<f32<2, 6>>()));
}
TEST_CASE("the same bits on one thread and on two") {
  nn::dense<700> net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const one = filled<f32<1, 1501>>();
  auto const some = filled<f32<33, 1501>>();
  auto const with = [&](auto form, unsigned threads, auto const& x) {
    sinter::simd::set_threads(threads);
    return net.hybridize(form)(x);
  };
  check_same(with(bf16, 2, one), with(bf16, 1, one));
  check_same(with(int8, 2, one), with(int8, 1, one));
  check_same(with(bf16, 2, some), with(bf16, 1, some));
}
TEST_CASE("the report says in what form weights are kept") {
  nn::dense<3> const net;
  CHECK(decltype(net.hybridize(bf16))::report<shape<1, 4>>().find("weights of float32 products are kept as bfloat16, ") !=
        std::string::npos);
  CHECK(decltype(net.hybridize())::report<shape<1, 4>>().find("kept as") == std::string::npos);
}
