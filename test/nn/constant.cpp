// SPDX-License-Identifier: Apache-2.0
// Networks in constant expressions: most of this file has passed when it compiles.
#include <sinter/compile/hybridized.hpp>

#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

struct hybrid_net : nn::hybrid_block<hybrid_net> {
  BOOST_HANA_DEFINE_STRUCT(hybrid_net, (nn::dense<3>, hidden), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(hidden(x))); }
};
constexpr hybrid_net literal() {
  hybrid_net net;
  net.hidden.weight.set(f32<3, 2>{1, 2, -3, 4, 5, -6});
  net.hidden.bias.set(f32<3>{1, 0, -1});
  net.output.weight.set(f32<2, 3>{1, 0.5f, 2, -1, 3, 0.25f});
  net.output.bias.set(f32<2>{0.5f, -0.5f});
  return net;
}
constexpr bool eager_is_right() {
  f32<1, 2> const y = literal()(f32<1, 2>{1, 2});  // hidden: 6, 5, 0 (-8 before the relu)
  return y(0, 0) == 9 && y(0, 1) == 8.5f;
}
constexpr bool compiled_is_eager() {
  hybrid_net const net = literal();
  f32<1, 2> const x{0.1f, -0.7f};
  f32<1, 2> const a = net(x), b = net.hybridize()(x);
  return a(0, 0) == b(0, 0) && a(0, 1) == b(0, 1);
}
constexpr bool compiled_into() {
  f32<1, 2> out;
  literal().hybridize()(f32<1, 2>{1, 2}, out);
  return out(0, 0) == 9 && out(0, 1) == 8.5f;
}
constexpr bool dynamic_is_eager() {
  hybrid_net const net = literal();
  f32<dim<"batch">, 2> x({3, 2});
  for (int i = 0; i < 6; ++i) x[i] = static_cast<float>(i) - 2.5f;
  auto const a = net(x), b = net.hybridize()(x);
  for (int i = 0; i < 6; ++i)
    if (a[i] != b[i]) return false;
  return a.shape() == sinter::dims{3, 2};
}
constexpr bool initialised() {
  nn::dense<2> net;
  net.initialize(sinter::init::constant{2});
  return net(f32<1, 3>{1, 2, 3})(0, 1) == 12 && net.hybridize()(f32<1, 3>{1, 2, 3})(0, 0) == 12;
}
static_assert(eager_is_right());
static_assert(compiled_is_eager());
static_assert(compiled_into());
static_assert(dynamic_is_eager());
static_assert(initialised());

constexpr auto fancy = sinter::hybridize([](auto F, auto a, auto b, auto c, auto d) {
  auto const e = F.add(a, b);
  return F.add(e, F.add(c, d));
});
static_assert(fancy(1, 2, 3, 4) == 10);
static_assert(fancy(1.5, 2.5, 3.0, 4.0) == 11);

// One multiplication and one addition are one kernel; the network of this file two.
constexpr auto multiply_add = [](auto, auto a, auto b) { return b * a + 1; };
static_assert(sinter::compiled_t<nn::hybrid_lambda<std::remove_const_t<decltype(multiply_add)>>, shape<8>, shape<8>>::kernels == 1);
static_assert(sinter::compiled_t<hybrid_net, shape<1, 2>>::kernels == 2);
static_assert(sinter::compiled_t<hybrid_net, shape<1, 2>>::parameter_bytes == (6 + 3 + 6 + 2) * 4);

}  // namespace

TEST_CASE("the constants hold when the program runs too") {
  CHECK(eager_is_right());
  CHECK(compiled_is_eager());
  CHECK(compiled_into());
  CHECK(dynamic_is_eager());
  CHECK(initialised());
}

TEST_CASE("a constant function can be called with what is known later") {
  for (int later = 4; later < 7; ++later) CHECK(fancy(1, 2, 3, later) == 6 + later);
}

TEST_CASE("a constant network can be called with what is known later") {
  static constexpr nn::activation<nn::relu> net;
  static constexpr auto fast = net.hybridize();
  CHECK(fast(f32<3>{-1, 0, 2})(2) == 2);
  CHECK(fast(f32<3>{-1, 0, 2})(0) == 0);
}
