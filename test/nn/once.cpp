// SPDX-License-Identifier: Apache-2.0
// Kernels that depend on parameters alone: they run when parameters have changed, and not in every call.
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/basic.hpp>
#include <sinter/nn/layers/norms.hpp>

#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

template <auto... D> using weights = nn::basic_parameter<float, shape<D...>>;
template <class S> constexpr sinter::nd::tensor<float, S> numbers(float scale, float first) {
  sinter::nd::tensor<float, S> r;
  for (int i = 0; i < r.size(); ++i) r[i] = first + scale * static_cast<float>(i % 7);
  return r;
}
template <class A, class B> constexpr bool same(A const& a, B const& b) {
  if (a.shape() != b.shape()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

struct normed : nn::hybrid_block<normed> {
  BOOST_HANA_DEFINE_STRUCT(normed, (nn::dense<4>, fc), (nn::batch_norm<>, norm));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(norm(fc(x))); }
};
constexpr normed some_normed() {
  normed net;
  net.fc.weight.set(numbers<shape<4, 3>>(0.25f, -1));
  net.fc.bias.set(numbers<shape<4>>(0.5f, -1));
  net.norm.gamma.set(numbers<shape<4>>(0.5f, 1));
  net.norm.beta.set(numbers<shape<4>>(0.25f, 0));
  net.norm.running_mean.set(numbers<shape<4>>(0.125f, 0));
  net.norm.running_var.set(numbers<shape<4>>(1, 1));
  return net;
}
using normed_plan = sinter::compiled_t<normed, shape<2, 3>>;
static_assert(normed_plan::kernels == 1 && normed_plan::kernels_once == 1 && normed_plan::arena_bytes == 0);
constexpr bool constant_is_eager() {
  normed const net = some_normed();
  auto const x = numbers<shape<2, 3>>(0.5f, -1);
  return same(net.hybridize()(x), net(x));
}
static_assert(constant_is_eager());

// Weights that are computed from others, of which a product is one; both branches of the concat are prepared in one buffer.
struct woven : nn::hybrid_block<woven> {
  BOOST_HANA_DEFINE_STRUCT(woven, (weights<3, 2>, a), (weights<2, 4>, b), (weights<3, 1>, c));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const w = F.matmul(F.get(a, shape<3, 2>{}), F.tanh(F.get(b, shape<2, 4>{})));
    return F.matmul(x, F.concat(w, F.exp(F.get(c, shape<3, 1>{})), sinter::axis<1>)) + 1;
  }
};
// What depends on parameters alone is a result, too, and one value of it takes part in each call.
struct shown : nn::hybrid_block<shown> {
  BOOST_HANA_DEFINE_STRUCT(shown, (weights<3>, a));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const twice = F.get(a, shape<3>{}) * 2;
    return std::tuple(x + F.sum(twice), twice);
  }
};
// In the body of a loop; and a state, which every call assigns.
struct in_body : nn::hybrid_block<in_body> {
  BOOST_HANA_DEFINE_STRUCT(in_body, (weights<3, 3>, a), (nn::state<shape<3>>, seen));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const before = F.get(seen, shape<3>{});
    F.assign(seen, F.exp(before * -1) + 1);
    auto const kept = F.reshape(F.sqrt(before + 1), sinter::into<3, 1>);
    auto [all, last] = F.foreach (
        [&](auto row, auto state) {
          auto const next = F.matmul(state, F.softmax(F.get(a, shape<3, 3>{}))) + row;
          return std::tuple(next, next);
        },
        x, F.zeros_like(F.reshape(before, sinter::into<1, 3>)));
    return std::tuple(F.matmul(F.reshape(all, sinter::into<-1, 3>), kept), last);
  }
};
// Loops and weights whose extents a call decides, though what is read and written has one size.
template <class F> struct with_vector : nn::hybrid_block<with_vector<F>> {
  BOOST_HANA_DEFINE_STRUCT(with_vector, (weights<3>, w));
  constexpr auto hybrid_forward(auto space, auto x) const { return F{}(space, x, space.get(w, shape<3>{})); }
};
template <class F> void grows(F) {
  with_vector<F> net;
  net.w.set(f32<3>{1, 2, 3});
  auto const fast = net.hybridize();
  for (int n : {2, 5, 0, 3}) {
    f32<dim<"n">, 3> x({n, 3});
    for (int i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 5) - 1;
    CHECK(same(fast(x), net(x)));
  }
}
// Over parameters alone.
struct loop_of_parameters : nn::hybrid_block<loop_of_parameters> {
  BOOST_HANA_DEFINE_STRUCT(loop_of_parameters, (weights<4, 3>, a));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto [all, last] = F.foreach (
        [&](auto row, auto state) {
          auto const next = state * 0.5f + row;
          return std::tuple(next, next);
        },
        F.exp(F.get(a, shape<4, 3>{})), F.zeros(sinter::into<3>));
    return F.matmul(x, F.transpose(all)) + F.sum(last);
  }
};

template <class P> constexpr bool reads_parameter_once() {
  for (sinter::group const& q : P::plan.groups)
    for (int j = 0; q.once && j < q.inputs; ++j)
      if (P::plan.buffers[P::plan.operands[q.operands.at + j].buffer].where == sinter::storage::parameter) return true;
  return false;
}

}  // namespace

TEST_CASE("what parameters alone decide is computed when they have changed") {
  normed net = some_normed();
  auto const x = numbers<shape<2, 3>>(0.5f, -1);
  auto const fast = net.hybridize();
  auto const other = fast;
  CHECK(same(fast(x), net(x)));
  net.norm.running_var.set(numbers<shape<4>>(3, 2));
  CHECK(same(fast(x), net(x)));
  net.norm.gamma.set(f32<4>{0, -1, 2, 5});
  CHECK(same(other(x), net(x)));
  CHECK(same(fast(x), net(x)));
  net.norm.running_mean.set(f32<4>{1, 1, 1, 1});  // nothing is prepared of it
  CHECK(same(fast(x), net(x)));
  f32<dim<"batch">, 3> const many(numbers<shape<5, 3>>(0.5f, -1));
  CHECK(same(fast(many), net(many)));
}

TEST_CASE("weights that are computed from others are read as weights") {
  woven net;
  net.a.set(numbers<shape<3, 2>>(0.5f, -1));
  net.b.set(numbers<shape<2, 4>>(0.25f, -0.5f));
  net.c.set(numbers<shape<3, 1>>(0.5f, 0));
  using plan = sinter::compiled_t<woven, shape<9, 3>>;
  STATIC_REQUIRE(plan::kernels == 1);
  STATIC_REQUIRE(plan::kernels_once >= 2);
  STATIC_REQUIRE(plan::plan.preparations.size() == 1);
  auto const x = numbers<shape<9, 3>>(0.5f, -1);
  auto const fast = net.hybridize();
  CHECK(same(fast(x), net(x)));
  net.c.set(numbers<shape<3, 1>>(0.5f, 1));
  CHECK(same(fast(x), net(x)));
  net.b.set(numbers<shape<2, 4>>(0.75f, -1));
  CHECK(same(fast(x), net(x)));
}

TEST_CASE("a result that depends on parameters alone is written in every call") {
  shown net;
  net.a.set(f32<3>{1, 2, 3});
  auto const fast = net.hybridize();
  for (int i = 0; i < 2; ++i) {
    auto const [y, twice] = fast(f32<2>{1, 2});
    CHECK(same(y, f32<2>{13, 14}));
    CHECK(same(twice, f32<3>{2, 4, 6}));
  }
}

TEST_CASE("bodies have kernels that run once, and states have none") {
  in_body net;
  net.a.set(numbers<shape<3, 3>>(0.5f, -1));
  net.seen.set(f32<3>{0, 1, 2});
  using plan = sinter::compiled_t<in_body, shape<4, 1, 3>>;
  STATIC_REQUIRE(!reads_parameter_once<plan::program_type>());  // only the zeros with which the loop begins
  using body = sinter::program<plan::source::body<0>>;
  STATIC_REQUIRE((body::sizes.once == 1 && reads_parameter_once<body>()));
  auto const x = numbers<shape<4, 1, 3>>(0.25f, -1);
  in_body eager;
  eager.a.set(numbers<shape<3, 3>>(0.5f, -1));
  eager.seen.set(f32<3>{0, 1, 2});
  auto const fast = net.hybridize();
  for (int i = 0; i < 3; ++i) {
    auto const [a, b] = fast(x);
    auto const [c, d] = eager(x);
    CHECK(same(a, c));
    CHECK(same(b, d));
    if (i == 1) net.a.set(f32<3, 3>{1, 0, 0, 0, 1, 0, 0, 0, 1}), eager.a.set(f32<3, 3>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  }
}

TEST_CASE("what a call's extents decide runs in every call") {
  grows([](auto F, auto x, auto w) { return x + F.sum(F.ones_like(x) * w); });
  grows([](auto F, auto x, auto w) { return x + F.sum(F.exp(F.broadcast_like(w, x)), sinter::axis<0>); });
  grows([](auto F, auto x, auto w) { return x + F.sum(F.cumsum(F.broadcast_like(w, x), sinter::axis<0>), sinter::axis<0>); });
  grows([](auto F, auto x, auto w) { return F.matmul(x, F.transpose(F.broadcast_like(w, x))); });
  grows([](auto F, auto x, auto w) { return F.matmul(x, F.transpose(F.broadcast_like(F.sort(w), x))); });
  grows([](auto F, auto x, auto w) { return F.matmul(F.transpose(x), F.broadcast_like(w, x)); });
  // A part of a concat that is computed before the other one, which is of the call.
  constexpr auto beside = [](auto F, auto x, auto w) {
    auto const row = F.exp(F.reshape(w, sinter::into<1, 3>));
    return F.matmul(x, F.transpose(F.concat(row, F.tanh(x), sinter::axis<0>)));
  };
  with_vector<std::remove_const_t<decltype(beside)>> net;
  net.w.set(f32<3>{1, 2, 3});
  auto const x = numbers<shape<2, 3>>(0.5f, -1);
  CHECK(same(net.hybridize()(x), net(x)));
}

TEST_CASE("a loop over parameters runs in every call") {
  loop_of_parameters net;
  net.a.set(numbers<shape<4, 3>>(0.25f, -1));
  auto const fast = net.hybridize();
  auto const x = numbers<shape<2, 3>>(0.5f, -1);
  for (int i = 0; i < 3; ++i) {
    CHECK(same(fast(x), net(x)));
    net.a.set(numbers<shape<4, 3>>(0.25f, static_cast<float>(i)));
  }
}
