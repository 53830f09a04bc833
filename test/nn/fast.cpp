// SPDX-License-Identifier: Apache-2.0
// The faster forms of elementary functions: within 5 ulp of double precision wherever a kernel has them, and nowhere unless asked for.
#include <bit>
#include <cmath>
#include <limits>
#include <sinter/viz/report.hpp>

#include "network.hpp"

namespace {

namespace math = sinter::math;
using sinter::weights::bf16;
using sinter::weights::int8;
constexpr float infinity = std::numeric_limits<float>::infinity(), not_a_number = std::numeric_limits<float>::quiet_NaN();

constexpr auto exp_of = [](auto F, auto x) { return F.exp(x); };
constexpr auto sigmoid_of = [](auto F, auto x) { return F.sigmoid(x); };
constexpr auto tanh_of = [](auto F, auto x) { return F.tanh(x); };
constexpr auto erf_of = [](auto F, auto x) { return F.erf(x); };
double logistic(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

// Units in the last place of the true value; a wrong zero, infinity or NaN counts as a million.
double ulp(float got, double want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : 1e6;
  double const g = std::isinf(got) ? std::copysign(0x1p+128, got) : static_cast<double>(got);
  if (std::abs(want) > 0x1p+128) want = std::copysign(0x1p+128, want);
  if (want == 0) return g == 0 && std::signbit(g) == std::signbit(want) ? 0 : 1e6;
  return std::abs(g - want) / std::ldexp(1.0, std::max(std::ilogb(want), -126) - 23);
}

// Floats of every exponent and both signs, where the functions do their work, and what is special. Not a multiple of any vector.
f32<9001> const& sample() {
  static f32<9001> const x = [] {
    f32<9001> v;
    for (std::uint32_t i = 0; i < 9001; ++i)
      v[i] =
          i % 2 == 0 ? std::bit_cast<float>(i * 477227u) : static_cast<float>(static_cast<int>(i) - 4500) / (i % 4 == 1 ? 43.0f : 1000.0f);
    using limits = std::numeric_limits<float>;
    int n = 0;
    for (float const special : {0.0f, infinity, not_a_number, limits::max(), limits::min(), limits::denorm_min(), 88.722f, 88.73f, 103.9f,
                                104.1f, 150.0f, 8.1f, 9.0f, 3.67f, 16.7f, 30.1f, 1e-4f}) {
      v[n++] = special;
      v[n++] = -special;
    }
    return v;
  }();
  return x;
}
template <class F> void check_function(F f, double (*want)(double), float least, float most, bool faster = true) {
  auto const& x = sample();
  auto const plain = sinter::hybridize(f)(x), y = sinter::hybridize(f, math::fast)(x);
  int other = 0;
  for (int i = 0; i < x.size(); ++i) {
    INFO("at " << x[i] << ": " << y[i] << ", exactly " << want(static_cast<double>(x[i])));
    CHECK(ulp(y[i], want(static_cast<double>(x[i]))) <= 5);
    CHECK(ulp(plain[i], want(static_cast<double>(x[i]))) <= 2);
    CHECK_FALSE((y[i] < least || y[i] > most));
    other += y[i] != plain[i] && y[i] == y[i];
  }
  CHECK((faster ? other > 100 : other == 0));
}

// The largest difference from the network as it is, as a part of its largest value, and the number of elements that differ.
struct difference {
  double most = 0;
  int count = 0;
};
template <class A> difference between(A const& a, A const& b) {
  difference d;
  double size = 0;
  for (int i = 0; i < a.size(); ++i) {
    d.most = std::max(d.most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    size = std::max(size, std::abs(static_cast<double>(b[i])));
    d.count += a[i] != b[i];
  }
  d.most /= size;
  return d;
}
template <class Net, class X> void check_close(Net const& net, X const& x) {
  auto const d = between(net.hybridize(math::fast)(x), net(x));
  CHECK(d.count > 0);
  CHECK(d.most < 1e-6);
}

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<33, nn::tanh>, hidden), (nn::dense<21>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(output(F.multiply(hidden(x), F.sigmoid(hidden(x))))); }
};
struct linear : nn::hybrid_block<linear> {
  BOOST_HANA_DEFINE_STRUCT(linear, (nn::dense<33, nn::relu>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.gelu(hidden(x)); }
};
template <class Net> Net with_values() {
  Net net;
  net.initialize(sinter::init::uniform{0.7f}, 7);
  return net;
}

}  // namespace

TEST_CASE("exp within 5 ulp") {
  check_function(exp_of, [](double x) { return std::exp(x); }, 0, infinity);
}
TEST_CASE("sigmoid within 5 ulp and from 0 to 1") { check_function(sigmoid_of, logistic, 0, 1); }
TEST_CASE("tanh within 5 ulp and from -1 to 1") {
  check_function(tanh_of, [](double x) { return std::tanh(x); }, -1, 1, sinter::simd::native::fused);
}
TEST_CASE("erf within 5 ulp and from -1 to 1") {
  check_function(erf_of, [](double x) { return std::erf(x); }, -1, 1, sinter::simd::native::fused);
}

TEST_CASE("in the epilogue of a product, in rows and between strides") {
  auto const net = with_values<network>();
  check_close(net, filled<f32<1, 40>>());
  check_close(net, filled<f32<37, 40>>());
  check_close(net, filled<f32<dim<"batch">, 40>>({19, 40}));
  auto const turned = [](auto F, auto x) { return F.transpose(F.softmax(F.erf(F.transpose(x)))); };
  auto const x = filled<f32<37, 19>>();
  auto const d = between(sinter::hybridize(turned, math::fast)(x), sinter::hybridize(turned)(x));
  CHECK(d.count > 0);
  CHECK(d.most < 1e-6);
}
TEST_CASE("without the policy a network has the bits of eager calls") {
  auto const net = with_values<network>();
  auto const x = filled<f32<1, 40>>();
  check_same(net.hybridize()(x), net(x));
  CHECK(decltype(net.hybridize())::report<shape<1, 40>>().find("faster") == std::string::npos);
}
TEST_CASE("what has no faster form stays as it is") {
  auto const net = with_values<linear>();
  auto const x = filled<f32<5, 40>>();
  check_same(net.hybridize(math::fast)(x), net.hybridize()(x));
  auto const wide = [](auto F, auto v) { return F.tanh(F.exp(v)); };
  auto const v = filled<sinter::nd::tensor<double, shape<77>>>();
  check_same(sinter::hybridize(wide, math::fast)(v), sinter::hybridize(wide)(v));
}
TEST_CASE("a constant expression has the reference's functions") {
  constexpr auto at = [](auto compiled) {
    f32<1> x;
    x[0] = 0.75f;
    return compiled(x)[0];
  };
  static_assert(at(sinter::hybridize(tanh_of, math::fast)) == at(sinter::hybridize(tanh_of)));
}
TEST_CASE("together with weights in fewer bits, in either order") {
  auto const net = with_values<network>();
  static_assert(std::is_same_v<decltype(net.hybridize(int8, math::fast)), decltype(net.hybridize(math::fast, int8))>);
  static_assert(std::is_same_v<decltype(net.hybridize(bf16, math::fast)), decltype(net.hybridize(math::fast, bf16))>);
  auto const x = filled<f32<13, 40>>();
  auto const d = between(net.hybridize(math::fast, bf16)(x), net.hybridize(bf16)(x));
  CHECK(d.count > 0);
  CHECK(d.most < 1e-6);
  auto const one = filled<f32<1, 40>>();
  auto const e = between(net.hybridize(int8, math::fast)(one), net.hybridize(int8)(one));
  CHECK(e.count > 0);
  CHECK(e.most < 1e-6);
  auto const other = with_values<linear>();
  check_same(other.hybridize(int8, math::fast)(x), other.hybridize(int8)(x));
}
TEST_CASE("the report says that functions take their faster forms") {
  network const net;
  std::string const both = decltype(net.hybridize(math::fast, int8))::report<shape<1, 4>>();
  CHECK(both.find("weights of float32 products are kept as int8, ") != std::string::npos);
  CHECK(both.find("elementary functions of float32 take their faster forms\n") != std::string::npos);
}
