// SPDX-License-Identifier: Apache-2.0
// What sinter::compiled has compiled is what eager operations and networks run: a kernel that no operation has any more would cost those who
// link it, and help nobody.
#include <sinter/sinter.hpp>

#include <cmath>

#include "../../catch.hpp"

namespace nd = sinter::nd;
namespace nn = sinter::nn;
namespace ops = sinter::ops;
namespace compiled = sinter::simd::compiled;
using sinter::axis;
using sinter::shape;

namespace {
using row = nd::tensor<float, shape<1, 64>>;
using rows = nd::tensor<float, shape<5, 64>>;
using vector = nd::tensor<float, shape<64>>;
using bias = nd::tensor<float, shape<32>>;

template <class Op, class... A> using kernel_of =
    typename sinter::program<nd::detail::single_op<ops::call_rule<Op, A...>>>::template kernel_at<0>;
template <class... T> struct same_types;
template <class T> struct same_types<T, T> {
  static constexpr bool value = true;
};
template <class Op, class... X> using step_of =
    typename nd::detail::one_step<Op, float, std::make_integer_sequence<int, sizeof...(X)>, X...>::type;

static_assert(same_types<kernel_of<ops::softmax, rows>, compiled::softmax>::value);
static_assert(same_types<kernel_of<ops::softmax, row>, compiled::softmax>::value);
static_assert(same_types<kernel_of<ops::log_softmax, rows>, compiled::log_softmax>::value);
static_assert(same_types<kernel_of<ops::layer_norm, rows, vector, vector>, compiled::layer_norm>::value);
static_assert(same_types<kernel_of<ops::sum, rows, decltype(axis<-1>)>, compiled::reduction<ops::sum>>::value);
static_assert(same_types<kernel_of<ops::mean, rows, decltype(axis<-1>)>, compiled::reduction<ops::mean>>::value);
static_assert(same_types<kernel_of<ops::max, rows, decltype(axis<-1>)>, compiled::reduction<ops::max>>::value);
static_assert(
    same_types<kernel_of<ops::matmul, rows, nd::tensor<float, shape<64, 32>>>, compiled::product<compiled::matrix, false>>::value);
static_assert(same_types<kernel_of<ops::matmul, row, nd::tensor<float, shape<64, 32>>>, compiled::product<compiled::matrix, true>>::value);
static_assert(same_types<kernel_of<ops::fully_connected, rows, nd::tensor<float, shape<32, 64>>>,
                         compiled::product<compiled::weights, false>>::value);
static_assert(
    same_types<kernel_of<ops::fully_connected, row, nd::tensor<float, shape<32, 64>>>, compiled::product<compiled::weights, true>>::value);
static_assert(same_types<kernel_of<ops::fully_connected, rows, nd::tensor<float, shape<32, 64>>, bias>, compiled::dense<false>>::value);
static_assert(same_types<kernel_of<ops::fully_connected, row, nd::tensor<float, shape<32, 64>>, bias>, compiled::dense<true>>::value);
static_assert(same_types<step_of<ops::gelu, compiled::in<>>, compiled::unary<ops::gelu>>::value);
static_assert(same_types<step_of<ops::add, compiled::in<>, compiled::in<>>, compiled::binary<ops::add>>::value);
static_assert(same_types<step_of<ops::add, compiled::in<>, compiled::one>, compiled::binary<ops::add, compiled::one>>::value);

struct small : nn::hybrid_block<small> {
  BOOST_HANA_DEFINE_STRUCT(small, (nn::dense<32, nn::relu>, hidden));
  constexpr auto hybrid_forward(auto, auto x) const { return hidden(x); }
};
static_assert(same_types<sinter::compiled_t<small, shape<1, 64>>::kernel_at<0>, compiled::dense_relu<true>>::value);
static_assert(same_types<sinter::compiled_t<small, shape<5, 64>>::kernel_at<0>, compiled::dense_relu<false>>::value);
}  // namespace

TEST_CASE("operations from sinter::compiled give what their definitions say") {
  rows x;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 64; ++j) x(i, j) = static_cast<float>((i * 7 + j * 13) % 23) / 8 - 1;
  auto const near = [](float is, double wanted) { return std::fabs(is - wanted) <= 1e-5 * (1 + std::fabs(wanted)); };
  auto const y = sinter::softmax(x);
  auto const logs = sinter::log_softmax(x);
  auto const copy = x.copy();
  auto const sums = sinter::sum(x, axis<-1>);
  auto const shifted = sinter::add(sinter::exp(x), 1.0f);
  vector gamma, beta;
  gamma.fill(2);
  beta.fill(1);
  auto const normed = sinter::layer_norm(x, gamma, beta);
  for (int i = 0; i < 5; ++i) {
    double sum = 0, square = 0, all = 0;
    for (int j = 0; j < 64; ++j) {
      sum += x(i, j);
      square += double{x(i, j)} * x(i, j);
      all += std::exp(double{x(i, j)});
    }
    double const mean = sum / 64, variance = square / 64 - mean * mean;
    CHECK(near(sums(i), sum));
    for (int j = 0; j < 64; ++j) {
      CHECK(near(y(i, j), std::exp(double{x(i, j)}) / all));
      CHECK(near(logs(i, j), x(i, j) - std::log(all)));
      CHECK(near(shifted(i, j), std::exp(double{x(i, j)}) + 1));
      CHECK(near(normed(i, j), (x(i, j) - mean) / std::sqrt(variance + 1e-5) * 2 + 1));
      CHECK(copy(i, j) == x(i, j));
    }
  }
}

TEST_CASE("products from sinter::compiled give what their definition says, in threads, too") {
  small net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  nd::tensor<float, shape<700, 64>> x;
  for (int i = 0; i < 700; ++i)
    for (int j = 0; j < 64; ++j) x(i, j) = static_cast<float>((i * 5 + j * 11) % 19) / 16 - 0.5f;
  sinter::simd::set_threads(3);
  auto const y = net(x), z = fast(x);
  auto const w = net.hidden.weight.template data<shape<32, 64>>();
  for (int i = 0; i < 700; i += 33)
    for (int n = 0; n < 32; ++n) {
      double sum = 0;
      for (int j = 0; j < 64; ++j) sum += double{x(i, j)} * w(n, j);
      CHECK(std::fabs(y(i, n) - std::fmax(sum, 0)) < 1e-5);
      CHECK(y(i, n) == z(i, n));
    }
}
