// SPDX-License-Identifier: Apache-2.0
// The compiled network gives what the eager one gives, whatever the batch and however its input lies.
#include "network.hpp"

namespace {
using mlp = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::layer_norm<>, nn::dense<5, nn::softmax>>;
// The elements of tanh lie in the first result between the phases of a row, the last of which writes that result.
struct keeps_in_result : nn::hybrid_block<keeps_in_result> {
  BOOST_HANA_DEFINE_STRUCT(keeps_in_result);
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const e = F.exp(x);
    auto const s = F.sum(e, sinter::axis<1>, sinter::keepdims);
    auto const first = e / s;
    auto const t = F.tanh(e);
    return std::tuple(first, t * s + F.max(t, sinter::axis<1>, sinter::keepdims));
  }
};
}  // namespace

TEST_CASE("batches of many sizes, one after the other") {
  mlp net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  using input = f32<dim<"batch">, 12>;
  for (int n : {0, 1, 7, 64, 1, 64, 0, 7}) {
    auto const x = filled<input>({n, 12});
    INFO("batch " << n);
    check_same(fast(x), net(x));
    f32<dim<"batch">, 5> out({n, 5});
    fast(x, out);
    check_same(out, net(x));
  }
  check_same(fast(filled<f32<3, 12>>()), net(filled<f32<3, 12>>()));  // another plan, the same parameters
}

TEST_CASE("what a kernel keeps in a result is read before the result is written") {
  keeps_in_result net;
  auto const x = filled<f32<19, 13>>();
  auto const [first, second] = net(x);
  auto const [a, b] = net.hybridize()(x);
  check_same(a, first);
  check_same(b, second);
  auto const [c, d] = net.hybridize<sinter::reference::backend>()(x);
  for (int i = 0; i < x.size(); ++i) CHECK((c[i] == Approx(first[i]) && d[i] == Approx(second[i])));
}

TEST_CASE("a nameless dynamic batch") {
  nn::dense<3, nn::relu> net;
  net.initialize();
  auto const fast = net.hybridize();
  for (int n : {2, 5}) check_same(fast(filled<f32<sinter::dynamic, 4>>({n, 4})), net(filled<f32<sinter::dynamic, 4>>({n, 4})));
}

TEST_CASE("views as inputs") {
  mlp net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto const turned = sinter::transpose(filled<f32<12, 7>>());
  REQUIRE(!turned.is_contiguous());
  check_same(fast(turned), net(turned));
  check_same(fast(turned), net(turned.copy()));
  auto const every_second =
      sinter::slice(filled<f32<7, 24>>(), sinter::begin<sinter::open, 1>, sinter::end<sinter::open, sinter::open>, sinter::step<1, 2>);
  REQUIRE(!every_second.is_contiguous());
  check_same(fast(every_second), net(every_second));
  f32<7, 5> out;
  fast(every_second, out);
  check_same(out, net(every_second));
}

TEST_CASE("extents that do not fit are exceptions with both shapes") {
  mlp net;
  net.initialize();
  auto const fast = net.hybridize();
  using input = f32<dim<"batch">, 12>;
  f32<dim<"batch">, 5> wrong({3, 5});
  CHECK(message_of([&] { fast(filled<input>({2, 12}), wrong); }) ==
        "sinter: the result has shape (2, 5), and the tensor given for it (3, 5)");
  auto turned = sinter::transpose(f32<5, 7>{});
  f32<7, 5> const row_major = net(filled<f32<7, 12>>());
  CHECK(message_of([&] { fast(filled<f32<7, 12>>(), turned); }) ==
        "sinter: the result has shape (7, 5), and the tensor given for it (7, 5), which is not row-major; assign to its elements: "
        "z(ellipsis) = net(x)");
  CHECK(row_major.size() == 35);
  CHECK(message_of([] { input({2, 13}); }) == "sinter: a tensor of shape (batch, 12) cannot have the extents (2, 13)");

  auto const add = sinter::hybridize([](auto, auto a, auto b) { return a + b; });
  using named = f32<dim<"batch">, 2>;
  CHECK(message_of([&] { (void)add(named({2, 2}), named({3, 2})); }) ==
        "sinter: input 1 of shape (batch, 2) is given the extents (3, 2); dimension 0 must be 2");
  using nameless = f32<sinter::dynamic, 2>;
  CHECK(message_of([&] { (void)add(named({2, 2}), nameless({3, 2})); }).find("two dynamic dimensions meet that must be equal") !=
        std::string::npos);
  CHECK(message_of([&] { (void)add(f32<sinter::dim<"n">, 2>({3, 2}), f32<4, 2>()); }) == "sinter: dimension n must be 4, and is 3");
  auto const twice = sinter::hybridize([](auto F, auto a, auto b) { return F.concat(a, a, sinter::axis<0>) + b; });
  CHECK(message_of([&] { (void)twice(named({2, 2}), nameless({3, 2})); }) ==
        "sinter: two dynamic dimensions meet that must be equal: batch+batch is 4, dimension 0 of input 1 is 3");
  CHECK(message_of([&] { named({2, 2}) + nameless({3, 2}); }).find("sinter: add of (2, 2) and (3, 2): ") == 0);
  CHECK(add(named({2, 2}), nameless({2, 2})).shape() == sinter::dims{2, 2});
}

// One row against few weights takes a way of its own where they are packed, which eager operations' are not.
template <class T, int Inputs, int Units> void check_one_row() {
  INFO(Inputs << " inputs, " << Units << " units");
  nn::dense<Units, nn::tanh, T> net;
  net.initialize(sinter::init::xavier{}, 7);
  auto const fast = net.hybridize();
  using fixed = sinter::nd::tensor<T, shape<1, Inputs>>;
  using rows = sinter::nd::tensor<T, shape<dim<"batch">, Inputs>>;
  auto const x = filled<fixed>();
  check_same(fast(x), net(x));
  for (int n : {1, 3}) check_same(fast(filled<rows>({n, Inputs})), net(filled<rows>({n, Inputs})));
}
TEMPLATE_TEST_CASE("one row and few weights", "", float, double) {
  check_one_row<TestType, 1, 1>();
  check_one_row<TestType, 8, 16>();
  check_one_row<TestType, 16, 17>();
  check_one_row<TestType, 15, 3>();
  check_one_row<TestType, 31, 33>();
  check_one_row<TestType, 40, 70>();
  check_one_row<TestType, 300, 5>();
}
