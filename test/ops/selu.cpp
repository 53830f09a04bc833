// SPDX-License-Identifier: Apache-2.0
// An operation that a user adds: outside sinter, in one place, and it fuses like ours.
#include <sinter/compile/hybridized.hpp>

#include <cmath>

#include "../catch.hpp"

namespace my {

// scale * x above zero, scale * alpha * (exp(x) - 1) below: scaled exponential linear units (Klambauer et al., arXiv 1706.02515)
struct selu_op : sinter::ops::elementwise<selu_op, 1, sinter::ops::domain::floating> {
  static constexpr std::string_view name = "my.selu";
  static constexpr int flops = 4, cost = 14;
  template <class V> static SINTER_HD constexpr V eval(V x) {
    namespace element = sinter::element;
    V const zero = element::number<V>(0), scale = element::number<V>(1.0507009873554804934);
    V const below = element::multiply(element::number<V>(1.6732632423543772848), element::exp(x) - element::number<V>(1));
    return element::multiply(scale, element::select(x > zero, x, below));
  }
};

// The largest probability that softmax gives: written with operations that are written with others.
struct confidence_op {
  static constexpr std::string_view name = "my.confidence";
  static constexpr sinter::family kind = sinter::family::composite;
  static constexpr int arity = 1;
  static constexpr sinter::inferred infer(sinter::operand_types in, sinter::dimension_table&) {
    sinter::inferred r{in[0]};
    --r.type.shape.rank;
    return r;
  }
  static constexpr int expand(sinter::graph& g, sinter::operand_nodes in) {
    int const last = g.nodes[in[0]].type.shape.rank - 1;
    int const p = sinter::ops::make<sinter::ops::softmax>(g, {last}, in[0]);
    return sinter::ops::make<sinter::ops::max>(g, {std::int64_t{1} << last, false}, p);
  }
};

// x + 1, with the number written as any V allows.
struct next_op : sinter::ops::elementwise<next_op, 1> {
  static constexpr std::string_view name = "my.next";
  template <class V> static constexpr V eval(V x) { return x + V(1); }
};

}  // namespace my

SINTER_USER_OP(my::next_op);
SINTER_USER_OP(my::selu_op);
SINTER_USER_OP(my::confidence_op);

namespace my {

inline constexpr sinter::ops::function<selu_op> selu{};
inline constexpr sinter::ops::function<confidence_op> confidence{};

struct activation {  // for dense<8, my::activation>
  static constexpr auto apply(auto, auto x) { return selu(x); }
};

}  // namespace my

using namespace sinter;

namespace {

constexpr double expected(double x) { return 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * (std::exp(x) - 1)); }
constexpr float samples[]{-30, -2, -0.5F, -0.F, 0, 0.25F, 1, 3};

using network = nn::hybrid_sequential<nn::dense<8, my::activation>, nn::dense<3>>;
using batch = nd::tensor<float, shape<dim<"batch">, 5>>;

}  // namespace

TEST_CASE("a user's operation is called like ours") {
  nd::tensor<float, shape<8>> x;
  for (int i = 0; i < 8; ++i) x(i) = samples[i];
  auto const y = my::selu(x), z = nd::functions{}(my::selu_op{}, x);
  for (int i = 0; i < 8; ++i) {
    CHECK(std::abs(y(i) - expected(samples[i])) <= 4e-7 * std::abs(expected(samples[i])));
    CHECK(y(i) == z(i));
  }
  nd::tensor<double, shape<>> const one(1.);
  CHECK(std::abs(my::selu(one).item() - expected(1)) < 1e-15);
  CHECK(std::isnan(my::selu(nd::tensor<float, shape<>>(NAN)).item()));
}

TEST_CASE("a user's operation stands in constant expressions") {
  constexpr float at_two = my::selu(nd::tensor<float, shape<>>(2.F)).item();
  static_assert(at_two > 2.10140F && at_two < 2.10141F);
  static_assert(my::selu(nd::tensor<float, shape<2>>{0, 0})(1) == 0);
}

TEST_CASE("a user's operation fuses like ours") {
  using C = compiled_t<network, batch>;
  static_assert(C::kernels == 2);  // two products, and selu is the first one's epilogue
  static_assert(C::plan.groups[0].kind == kernel_kind::product && C::plan.groups[0].steps.n == 3);
  static_assert(compiled_t<nn::hybrid_lambda<decltype([](auto, auto x) { return my::selu(my::selu(x) + 1); })>, shape<4>>::kernels == 1);

  network net;
  net.initialize(init::xavier{}, 1);
  auto const fast = net.hybridize();
  batch x({9, 5});
  for (extent i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 7) - 3;
  auto const eager = net(x), compiled = fast(x);
  CHECK(eager.shape() == dims{9, 3});
  bool same = true;
  for (extent i = 0; i < eager.size(); ++i) same = same && eager[i] == compiled[i];
  CHECK(same);
}

TEST_CASE("a user's operation is written with composite ones") {
  nd::tensor<float, shape<2, 3>> const x{1, 2, 3, 3, 3, 3};
  auto const fast = hybridize([](auto, auto y) { return my::confidence(y + 1); });
  auto const want = max(softmax(x), axis<1>), eager = my::confidence(x), compiled = fast(x);
  STATIC_REQUIRE(std::is_same_v<decltype(eager), nd::tensor<float, shape<2>> const>);
  for (int i = 0; i < 2; ++i) {
    CHECK(eager(i) == want(i));
    CHECK(std::abs(compiled(i) - want(i)) < 1e-6F);
  }
}

TEMPLATE_TEST_CASE("V(1) in an element function is 1 in every lane", "", float, double, std::int32_t, std::int64_t) {
  nd::tensor<TestType, shape<37>> x;
  for (int i = 0; i < 37; ++i) x(i) = static_cast<TestType>(i);
  auto const y = nd::functions{}(my::next_op{}, x);
  for (int i = 0; i < 37; ++i) CHECK(y(i) == x(i) + 1);
}
