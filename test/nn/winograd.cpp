// SPDX-License-Identifier: Apache-2.0
// Convolutions in Winograd's form beside direct ones.
#include <sinter/sinter.hpp>

#include <cmath>
#include <limits>
#include <sinter/viz/report.hpp>
#include <string>

#include "../catch.hpp"

namespace test {
inline namespace SINTER_ISA {
namespace {

namespace nd = sinter::nd;
namespace nn = sinter::nn;
namespace math = sinter::math;
using sinter::dim;
using sinter::shape;

template <class X> X filled(X x) {
  std::uint32_t s = 7;
  for (auto i = 0; i < x.size(); ++i) {
    s = s * 1664525u + 1013904223u;
    x.data()[i] = static_cast<typename X::value_type>(static_cast<float>(s >> 8) / 8388608.f - 1);
  }
  return x;
}
template <class S> nd::tensor<float, S> image() { return filled(nd::tensor<float, S>()); }

// The largest difference as a part of the largest value, and how many elements differ.
struct difference {
  double most = 0;
  int count = 0;
};
template <class A, class B> difference between(A const& a, B const& b) {
  REQUIRE(a.size() == b.size());
  difference d;
  double size = 0;
  for (auto i = 0; i < a.size(); ++i) {
    auto const x = static_cast<double>(a.data()[i]), y = static_cast<double>(b.data()[i]);
    d.most = std::max(d.most, std::abs(x - y));
    size = std::max(size, std::abs(y));
    d.count += x != y;
  }
  d.most /= size;
  return d;
}
template <class Net> Net with_values(Net net = {}) {
  net.initialize(sinter::init::uniform{0.5f}, 7);
  return net;
}
template <class Net, class X> void check_near(Net const& net, X const& x, double most = 2e-5) {
  auto const d = between(net.hybridize(math::winograd)(x), net(x));
  CHECK(d.count > 0);
  CHECK(d.most < most);
}
template <class Net, class X> void check_direct(Net const& net, X const& x) {
  CHECK(between(net.hybridize(math::winograd)(x), net.hybridize()(x)).count == 0);
}
template <int Out, int Pad = 1> using conv = nn::conv2d<Out, 3, 1, Pad>;

struct residual : nn::hybrid_block<residual> {
  BOOST_HANA_DEFINE_STRUCT(residual, (nn::batch_norm<>, norm), (conv<32>, first), (conv<32>, second));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.tanh(second(F.relu(first(F.relu(norm(x))))) + x); }
};

}  // namespace

TEST_CASE("sizes that no tiles fit, in steps of all paddings") {
  check_near(with_values<conv<32>>(), image<shape<1, 32, 12, 12>>());
  check_near(with_values<conv<41>>(), image<shape<1, 35, 13, 18>>());
  check_near(with_values<conv<33, 0>>(), image<shape<2, 40, 15, 29>>());
  check_near(with_values<conv<40, 2>>(), image<shape<1, 32, 17, 70>>());
  check_near(with_values<conv<36>>(), image<shape<15, 32, 7, 6>>());  // few tiles in each image
  check_near(with_values<conv<32>>(), image<shape<1, 32, 3, 700>>());
}
TEST_CASE("small images are cut into tiles of 2 x 2") {
  check_near(with_values<conv<32>>(), image<shape<1, 32, 7, 7>>(), 2e-6);
  check_near(with_values<conv<45>>(), image<shape<1, 37, 8, 8>>(), 2e-6);
  check_near(with_values<conv<33, 0>>(), image<shape<1, 40, 12, 11>>(), 2e-6);
  check_near(with_values<conv<40, 2>>(), image<shape<2, 32, 6, 5>>(), 2e-6);
  check_near(with_values<conv<32>>(), image<shape<1, 32, 2, 47>>(), 2e-6);
  check_near(with_values<nn::conv2d<32, 3, 1, 1, 1, 1, nn::relu, double>>(), filled(nd::tensor<double, shape<1, 32, 8, 7>>()), 1e-14);
}
TEST_CASE("an image has the same results in whatever calls came before") {
  auto const net = with_values<conv<34>>();
  using images = shape<dim<"n">, 32, 7, 7>;
  nd::tensor<float, images> const one({1, 32, 7, 7});
  auto const x = filled(one), many = filled(nd::tensor<float, images>({64, 32, 7, 7}));
  auto const fast = net.hybridize(math::winograd), other = net.hybridize(math::winograd);
  auto const of_many = fast(many), of_one = other(x);
  CHECK(between(of_many, net(many)).most < 2e-6);
  CHECK(between(fast(x), of_one).count == 0);
  CHECK(between(other(many), of_many).count == 0);
  for (auto i = 0; i < of_one.size(); ++i) REQUIRE(of_one.data()[i] == of_many.data()[i]);
}
TEST_CASE("as many images as a call gives") {
  auto const net = with_values<conv<34>>();
  auto const fast = net.hybridize(math::winograd);
  using images = shape<dim<"n">, 32, 14, 14>;
  for (sinter::extent n : {1, 5, 3, 40, 1}) {
    auto const x = filled(nd::tensor<float, images>({n, 32, 14, 14}));
    auto const d = between(fast(x), net(x));
    CHECK(d.count > 0);
    CHECK(d.most < 2e-5);
  }
  CHECK(fast(nd::tensor<float, images>({0, 32, 14, 14})).size() == 0);
}
TEST_CASE("what stands before and behind a convolution") {
  check_near(with_values<residual>(), image<shape<1, 32, 21, 22>>(), 1e-4);
  check_near(with_values<residual>(), filled(nd::tensor<float, shape<dim<"n">, 32, 14, 14>>({3, 32, 14, 14})), 1e-4);
}
TEST_CASE("float64 and float16") {
  auto const net = with_values<nn::conv2d<32, 3, 1, 1, 1, 1, nn::relu, double>>();
  check_near(net, filled(nd::tensor<double, shape<1, 32, 14, 14>>()), 1e-13);
  auto const half = with_values<nn::conv2d<32, 3, 1, 1, 1, 1, nn::relu, sinter::float16>>();
  auto const x = filled(nd::tensor<sinter::float16, shape<1, 32, 14, 14>>());
  CHECK(between(half.hybridize(math::winograd)(x), half(x)).most < 1e-3);
}
TEST_CASE("other convolutions, and images that are too small, are computed directly") {
  check_direct(with_values<nn::conv2d<32, 3, 2, 1>>(), image<shape<1, 32, 40, 40>>());
  check_direct(with_values<nn::conv2d<32, 5, 1, 2>>(), image<shape<1, 32, 20, 20>>());
  check_direct(with_values<nn::conv2d<32, 3, 1, 2, 2>>(), image<shape<1, 32, 20, 20>>());
  check_direct(with_values<nn::conv2d<64, 3, 1, 1, 1, 2>>(), image<shape<1, 64, 20, 20>>());
  check_direct(with_values<conv<31>>(), image<shape<1, 32, 20, 20>>());
  check_direct(with_values<conv<32>>(), image<shape<1, 31, 20, 20>>());
  check_direct(with_values<conv<32>>(), image<shape<1, 32, 6, 6>>());
  check_direct(with_values<conv<32>>(), image<shape<3, 32, 3, 3>>());
  check_direct(with_values<nn::conv1d<32, 3, 1, 1>>(), image<shape<1, 32, 400>>());
}
TEST_CASE("weights that are no parameters are used as they are") {
  auto const f = [](auto F, auto x, auto w) { return F.convolution(x, w, sinter::pad<1>); };
  auto const x = image<shape<1, 32, 14, 14>>();
  auto const w = image<shape<32, 32, 3, 3>>();
  CHECK(between(sinter::hybridize(f, math::winograd)(x, w), sinter::hybridize(f)(x, w)).count == 0);
  CHECK(sinter::hybridize(f, math::winograd).report(x, w).find("kernel 0 directly: its weights are no parameters") != std::string::npos);
}
TEST_CASE("weights that change are prepared again") {
  auto net = with_values<conv<32>>();
  auto const fast = net.hybridize(math::winograd);
  auto const x = image<shape<1, 32, 14, 14>>();
  auto const before = fast(x);
  net.initialize(sinter::init::uniform{0.5f}, 8);
  CHECK(between(fast(x), before).most > 0.1);
  CHECK(between(fast(x), net(x)).most < 2e-5);
}
TEST_CASE("threads give the same bits") {
  auto const net = with_values<conv<64>>();
  auto const fast = net.hybridize(math::winograd);
  auto const x = image<shape<3, 64, 30, 30>>();
  sinter::simd::set_threads(1);
  auto const one = fast(x);
  for (unsigned threads : {2u, 3u, 5u}) {
    sinter::simd::set_threads(threads);
    CHECK(between(fast(x), one).count == 0);
  }
  sinter::simd::set_threads(1);
}
template <int Tile, int Size> static void check_nan() {
  auto const net = with_values<conv<32>>();
  auto x = image<shape<1, 32, Size, Size>>();
  x(0, 3, 5, 6) = std::numeric_limits<float>::quiet_NaN();
  auto const y = net.hybridize(math::winograd)(x), direct = net(x);
  // Whether result `i` reads an element as one of its tile: the first and the last one count in the first and the last result alone.
  auto const reads = [](int i, int element) {
    int const at = element - (i / Tile * Tile - 1);
    return at == 0 ? i % Tile == 0 : at == Tile + 1 ? i % Tile == Tile - 1 : at > 0 && at <= Tile;
  };
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < Size; ++j) {
      CHECK(std::isnan(y(0, 0, i, j)) == (reads(i, 5) && reads(j, 6)));
      if (std::isnan(direct(0, 0, i, j))) CHECK(std::isnan(y(0, 0, i, j)));
    }
}
TEST_CASE("a NaN makes the tiles that read it NaN, and no other") {
  check_nan<4, 16>();
  check_nan<2, 8>();
}
TEST_CASE("together with other policies, in any order") {
  using net_type = nn::hybrid_sequential<conv<32>, nn::activation<nn::sigmoid>, nn::flatten, nn::dense<5>>;
  auto const net = with_values<net_type>();
  constexpr auto bf16 = sinter::weights::bf16;
  static_assert(
      std::is_same_v<decltype(net.hybridize(math::winograd, math::fast, bf16)), decltype(net.hybridize(bf16, math::fast, math::winograd))>);
  static_assert(std::is_same_v<decltype(net.hybridize(math::winograd, math::fast)), decltype(net.hybridize(math::fast, math::winograd))>);
  static_assert(std::is_same_v<decltype(net.hybridize(math::relaxed, bf16, math::winograd)),
                               decltype(net.hybridize(math::winograd, math::relaxed, bf16))>);
  auto const x = image<shape<2, 32, 14, 14>>();
  auto const both = net.hybridize(math::winograd, math::fast, bf16)(x);
  CHECK(between(both, net(x)).most < 0.02);
  CHECK(between(both, net.hybridize(math::fast, bf16)(x)).count > 0);
  CHECK(between(both, net.hybridize(math::winograd, bf16)(x)).count > 0);
  CHECK(between(both, net.hybridize(math::winograd, math::fast)(x)).count > 0);
  CHECK(between(both, net.hybridize(math::winograd, math::fast, bf16, math::relaxed)(x)).most < 1e-5);
}
TEST_CASE("the report says which convolutions take the form") {
  using layers = nn::hybrid_sequential<nn::conv2d<32, 7, 2, 3>, conv<32>, nn::conv2d<32, 3, 1, 1, 1, 2>, nn::conv2d<8, 3, 1, 1>>;
  std::string const text = decltype(layers{}.hybridize(math::winograd))::report<shape<1, 3, 32, 32>>();
  CHECK(text.find("convolutions:\n"
                  "  kernel 0 directly: its window is not 3 x 3 in steps of 1\n"
                  "  kernel 1 in Winograd's form F(4 x 4, 3 x 3)\n"
                  "  kernel 2 directly: its channels are in groups\n"
                  "  kernel 3 directly: it has fewer than 32 channels\n") != std::string::npos);
  CHECK(decltype(layers{}.hybridize())::report<shape<1, 3, 32, 32>>().find("Winograd") == std::string::npos);

  using small = decltype(nn::hybrid_sequential<conv<32>, nn::max_pool2d<>, conv<32>>{}.hybridize(math::winograd));
  std::string const of_small = small::report<shape<1, 32, 8, 8>>(), of_any = small::report<shape<dim<"n">, 32, 8, 8>>();
  std::string const said = "  kernel 0 in Winograd's form F(2 x 2, 3 x 3)\n  kernel 2 directly: its images are too small\n";
  CHECK(of_small.find(said) != std::string::npos);
  CHECK(of_any.find(said) != std::string::npos);
  CHECK(small::report<shape<64, 32, 8, 8>>().find(
            "  kernel 0 in Winograd's form F(4 x 4, 3 x 3)\n  kernel 2 in Winograd's form F(4 x 4, 3 x 3)\n") != std::string::npos);
}

}  // namespace SINTER_ISA
}  // namespace test
