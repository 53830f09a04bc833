// SPDX-License-Identifier: Apache-2.0
// Eager calls in the scope of autograd::record: whose gradient backward() makes, when it adds, and what it refuses.
#include "steps.hpp"

namespace {

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace autograd = sinter::autograd;
using sinter::axis;
using sinter::grad_req;
using sinter::shape;
using vector = nd::tensor<float, shape<3>>;
using floats = std::vector<float>;
using test::refusal;

// w * x, so that the gradient of w is x.
struct scaled : nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (nn::basic_parameter<float, shape<3>>, w));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.get(w, shape<3>{}) * x; }
};
// In training twice as much.
struct by_phase : nn::hybrid_block<by_phase> {
  BOOST_HANA_DEFINE_STRUCT(by_phase, (scaled, inner));
  template <class F, class X> constexpr auto hybrid_forward(F, X x) const {
    if constexpr (F::training) return inner(x) * 2;
    else return inner(x);
  }
};
scaled begun() {
  scaled net;
  net.initialize(sinter::init::constant(2));
  return net;
}
floats gradient_of(scaled const& net) { return net.w.grad<shape<3>>().to_vector(); }
vector const x{1, 2, 3};

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("backward() leaves each parameter that was met its gradient") {
  scaled const net = begun();
  autograd::record on;
  auto const y = net(on(x));
  CHECK(y.to_vector() == floats{2, 4, 6});
  y.backward();
  CHECK(gradient_of(net) == floats{1, 2, 3});
}
TEST_CASE("on(x) is training, on.predict(x) is not") {
  by_phase net;
  net.initialize(sinter::init::constant(2));
  {
    autograd::record on;
    net(on(x)).backward();
  }
  CHECK(gradient_of(net.inner) == floats{2, 4, 6});
  autograd::record on;
  net(on.predict(x)).backward();
  CHECK(gradient_of(net.inner) == floats{1, 2, 3});
}
TEST_CASE("a parameter that is met twice has the sum of both gradients") {
  scaled const net = begun();
  autograd::record on;
  auto const y = net(net(on(x)));  // w w x
  y.backward();
  CHECK(gradient_of(net) == floats{4, 8, 12});
}
TEST_CASE("what a gradient is computed of stays as it was") {
  scaled net = begun();
  vector changing{1, 2, 3};
  autograd::record on;
  auto const y = sinter::square(net(on(changing)));
  changing.fill(100);
  net.w.set(floats{7, 7, 7});
  y.backward();  // 2 w x^2
  CHECK(gradient_of(net) == floats{4, 16, 36});
}
TEST_CASE("a gradient takes the place of the last one, is added to it, or is none") {
  scaled net = begun();
  auto const pass = [&] {
    autograd::record on;
    net(on(x)).backward();
  };
  pass();
  pass();
  CHECK(gradient_of(net) == floats{1, 2, 3});
  net.w.set_grad_req(grad_req::add);
  pass();
  pass();
  CHECK(gradient_of(net) == floats{3, 6, 9});
  net.w.zero_grad();
  CHECK(gradient_of(net) == floats{0, 0, 0});
  pass();
  CHECK(gradient_of(net) == floats{1, 2, 3});
  net.w.set_grad_req(grad_req::null);
  CHECK_THAT(refusal(pass), Contains("depends on no parameter"));
}
TEST_CASE("gradients by the names of parameters") {
  scaled const net = begun();
  auto const pass = [&] {
    autograd::record on;
    net(on(x)).backward();
  };
  nn::parameter_dict const all = net.collect_params();
  CHECK_THAT(refusal([&] { all["w"].grad<shape<3>>(); }), Contains("no gradient yet"));
  pass();
  CHECK(all["w"].grad<shape<3>>().to_vector() == floats{1, 2, 3});
  CHECK_THAT(refusal([&] { all["w"].grad<shape<3>, double>(); }), Contains("is float32"));
  all.set_grad_req(grad_req::add);
  pass();
  CHECK(gradient_of(net) == floats{2, 4, 6});
  all.zero_grad();
  CHECK(gradient_of(net) == floats{0, 0, 0});
  CHECK_THAT(refusal([&] { net.collect_params("v.*").set_grad_req(grad_req::null); }), Contains("no name matches `v.*`"));
  CHECK_THAT(refusal([&] { net.collect_params("v.*").zero_grad(); }), Contains("zero_grad() has no parameter: no name matches `v.*`"));
  net.collect_params("w").set_grad_req(grad_req::null);
  CHECK_THAT(refusal(pass), Contains("depends on no parameter"));
}
TEST_CASE("a tensor has a gradient of its own") {
  scaled const net = begun();
  auto const v = autograd::attach_grad(x);
  CHECK_THAT(refusal([&] { v.grad(); }), Contains("no gradient yet"));
  auto const pass = [&] {
    autograd::record on;
    sinter::square(net(on(v))).backward();  // 2 w^2 x
  };
  pass();
  CHECK(v.grad().to_vector() == floats{8, 16, 24});
  v.set_grad_req(grad_req::add);
  pass();
  CHECK(v.grad().to_vector() == floats{16, 32, 48});
  v.zero_grad();
  CHECK(v.grad().to_vector() == floats{0, 0, 0});
}
TEST_CASE("several heads, and gradients of their own") {
  scaled const net = begun();
  {
    autograd::record on;
    auto const y = net(on(x));
    autograd::backward(std::tuple(y, sinter::sum(y)));
  }
  CHECK(gradient_of(net) == floats{2, 4, 6});
  {
    autograd::record on;
    net(on(x)).backward(vector{1, 10, 100});
  }
  CHECK(gradient_of(net) == floats{1, 20, 300});
  autograd::record on;
  auto const y = net(on(x));
  autograd::backward(std::tuple(y, sinter::sum(y)), std::tuple(vector{1, 0, 0}, nd::tensor<float, shape<>>{2}));
  CHECK(gradient_of(net) == floats{3, 4, 6});
}
TEST_CASE("grad gives gradients and leaves parameters as they are") {
  scaled const net = begun();
  auto const v = autograd::attach_grad(x);
  autograd::record on;
  auto const in = on(v);
  auto const h = net(in);
  auto const y = sinter::sum(h * h);
  auto const [of_in, of_h] = autograd::grad(y, std::tuple(in, h));
  CHECK(of_in.to_vector() == floats{8, 16, 24});
  CHECK(of_h.to_vector() == floats{4, 8, 12});
  CHECK_THROWS_AS(net.w.grad<shape<3>>(), sinter::parameter_error);
  CHECK(autograd::grad(y, h, std::tuple(nd::tensor<float, shape<>>{3})).to_vector() == floats{12, 24, 36});
  y.backward();
  CHECK(gradient_of(net) == floats{4, 16, 36});
}
TEST_CASE("who has what was recorded cannot change it") {
  auto const v = autograd::attach_grad(nd::tensor<float, shape<3>>{1, 2, 3});
  autograd::record on;
  auto const h = on(v) * 2;
  auto paused = autograd::pause(h);
  auto value = h.value();
  auto const y = sinter::square(h);
  paused.fill(50);
  value.fill(60);
  y.backward();
  CHECK(v.grad().to_vector() == std::vector<float>{8, 16, 24});
}
TEST_CASE("an operand with a gradient is recorded anew after backward()") {
  auto const v = autograd::attach_grad(nd::tensor<float, shape<3>>{1, 2, 3});
  autograd::record on;
  auto const in = on(v);
  sinter::square(in).backward();
  CHECK_THAT(refusal([&] { sinter::square(in).backward(); }), Contains("call on(x) once more"));
  (on(v) * 3).backward();
  CHECK(v.grad().to_vector() == std::vector<float>{3, 3, 3});
}
TEST_CASE("nothing goes back through what is paused") {
  scaled const net = begun();
  autograd::record on;
  auto const h = net(on(x));
  (h * autograd::pause(h)).backward();
  CHECK(gradient_of(net) == floats{2, 8, 18});  // x times what h was
}
TEST_CASE("what was recorded may be kept for another backward()") {
  scaled const net = begun();
  autograd::record on;
  auto const y = net(on(x));
  y.backward(autograd::retain_graph);
  y.backward(vector{2, 2, 2});
  CHECK(gradient_of(net) == floats{2, 4, 6});
  CHECK_THAT(refusal([&] { y.backward(); }), Contains("backward() is called twice"));
}
TEST_CASE("what is computed of an earlier pass is a constant of the next one") {
  scaled const net = begun();
  autograd::record on;
  auto const h = net(on(x));
  h.backward();
  net(h).backward();
  CHECK(gradient_of(net) == floats{2, 4, 6});  // not 4 x
}
TEST_CASE("backward() refuses what has no gradient") {
  scaled const net = begun();
  auto const late = [&] {
    autograd::record on;
    return net(on(x));
  }();
  CHECK_THAT(refusal([&] { late.backward(); }), Contains("outside of the scope"));
  autograd::record on;
  CHECK_THAT(refusal([&] { on(x).backward(); }), Contains("depends on no parameter"));
  CHECK_THAT(refusal([&] { sinter::floor(net(on(x))).backward(); }), Contains("no gradient goes back"));
  CHECK_THAT(refusal([&] { net(on(x)).backward(nd::tensor<float, shape<sinter::dynamic>>::of(1)); }),
             Contains("is given a gradient of shape (1,)"));
  autograd::record other;
  auto const y = net(on(x)), z = net(other(x));
  CHECK_THAT(refusal([&] { autograd::backward(std::tuple(y, z)); }), Contains("two scopes"));
  CHECK_THAT(refusal([&] { autograd::grad(y, z); }), Contains("does not depend"));
  CHECK_THAT(refusal([&] { net(on(nd::tensor<float, shape<3>>{1, 2, 3})) + z; }), Contains("another one records"));
}
TEST_CASE("a compiled network is one call of the record, with the gradients of its operations") {
  using network = nn::hybrid_sequential<nn::dense<4, nn::relu>, nn::batch_norm<>, nn::dense<2>>;
  nd::tensor<float, shape<6, 3>> in;
  for (int i = 0; i < 18; ++i) in.data()[i] = static_cast<float>(i * 7 % 11) / 11;
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  net(in);
  network const other = net.copy();
  auto const fast = other.hybridize();
  auto const v = autograd::attach_grad(in), w = autograd::attach_grad(in);
  auto const same = [&] {
    CHECK(v.grad().to_vector() == w.grad().to_vector());
    CHECK(net.at<0>().weight.grad<shape<4, 3>>().to_vector() == other.at<0>().weight.grad<shape<4, 3>>().to_vector());
    CHECK(net.at<1>().gamma.grad<shape<4>>().to_vector() == other.at<1>().gamma.grad<shape<4>>().to_vector());
    CHECK(net.at<1>().running_mean.to_vector() == other.at<1>().running_mean.to_vector());
  };
  for (int i = 0; i < 2; ++i) {
    autograd::record on;
    sinter::square(net(on(v))).backward();
    sinter::square(fast(on(w))).backward();
    same();
  }
  autograd::record on;
  sinter::square(net(on.predict(v))).backward();
  sinter::square(fast(on.predict(w))).backward();
  same();
}
TEST_CASE("an operation without a gradient says so, and no parameter has half of one") {
  scaled const net = begun();
  autograd::record on;
  auto const y = sinter::sort(net(on(x)));
  CHECK_THAT(refusal([&] { y.backward(); }), Contains("sort"));
  CHECK_THROWS_AS(net.w.grad<shape<3>>(), sinter::parameter_error);
  scaled const other = begun();
  CHECK_THAT(refusal([&] { (sinter::sort(net(on(x))) + other(on(x))).backward(); }), Contains("sort"));
  CHECK_THROWS_AS(other.w.grad<shape<3>>(), sinter::parameter_error);
}
