// SPDX-License-Identifier: Apache-2.0
// Symbols composed while the program runs: what they say of themselves, and the numbers of eager and compiled calls.
#include "beside.hpp"

#include <algorithm>
#include <sstream>

#include "../plan/random_graph.hpp"

using namespace sinter;

namespace {

std::string text_of(auto const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}
using names = std::vector<std::string>;
using test::f32;
using test::numbers;
using test::same_as_compiled;

struct mlp : nn::hybrid_block<mlp> {
  BOOST_HANA_DEFINE_STRUCT(mlp, (nn::dense<32, nn::relu>, hidden), (nn::layer_norm<>, norm), (nn::dense<5>, out));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(out(norm(hidden(x)))); }
};
struct twice : nn::hybrid_block<twice> {
  BOOST_HANA_DEFINE_STRUCT(twice, (nn::dense<6, nn::tanh>, same), (nn::parameter, gamma));
  constexpr auto hybrid_forward(auto F, auto x) const { return same(same(x)) * F.get(gamma, shape<6>{}); }
};

struct first_half : nn::hybrid_block<first_half> {
  constexpr auto hybrid_forward(auto, auto x) const { return x(all, range<0, 3>); }
};
struct nested : nn::hybrid_block<nested> {
  BOOST_HANA_DEFINE_STRUCT(nested, (nn::hybrid_sequential<nn::dense<6>, twice>, chain), (first_half, part));
  constexpr auto hybrid_forward(auto, auto x) const { return part(chain(x)); }
};
struct three_logarithms : nn::hybrid_block<three_logarithms> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.log2(F.log(F.log(F.log(x)))); }
};
struct logarithms : nn::hybrid_block<logarithms> {
  BOOST_HANA_DEFINE_STRUCT(logarithms, (three_logarithms, a));
  constexpr auto hybrid_forward(auto, auto x) const { return a(x); }
};
names operations_of(symbol const& internals) {
  names r;
  for (int i = 0; i < internals.outputs(); ++i)
    if (internals.list_outputs()[static_cast<std::size_t>(i)].find("_output") != std::string::npos)
      r.push_back(internals.list_outputs()[static_cast<std::size_t>(i)]);
  return r;
}

}  // namespace

TEST_CASE("a symbol says what it is made of") {
  symbol const x = sym::var("x"), y = sym::var("y", {3});
  symbol const h = (x + y).named("h"), z = relu(h * 2 - x).named("z");
  CHECK(x.name() == "x");
  CHECK(z.list_arguments() == names{"x", "y"});
  CHECK(z.list_outputs() == names{"z_output"});
  CHECK(x.list_outputs() == names{"x"});
  symbol const all = z.get_internals();
  CHECK(all["h"].list_arguments() == names{"x", "y"});
  CHECK(all["h_output"].list_outputs() == names{"h_output"});
  CHECK(all[0].name() == "x");
  CHECK_THROWS_WITH(all["nothing"],
                    "sinter: no output of this symbol is called `nothing`; list_outputs() tells their names, and get_internals() has the "
                    "operations inside");
  CHECK_THROWS_WITH(z[1], "sinter: a symbol with 1 output has no output 1");
  CHECK_THROWS_WITH(all.name(), Catch::Contains("outputs has no name; s[0] is the first of them"));
  CHECK_THROWS_WITH(relu(all), Catch::Contains("outputs has no name"));

  symbol const noted = z.with_attr("lr_mult", "2");
  CHECK(noted.attr("lr_mult") == "2");
  CHECK(z.attr("lr_mult").empty());  // a node never changes
  symbol const both = sym::group({z, h});
  CHECK(both.list_outputs() == names{"z_output", "h_output"});
  symbol const u = (exp(x) / 2.5f).named("u");
  CHECK(text_of(u.get_internals()["u"]).ends_with(" = exp(x)\nu = divide(" + u.get_internals()[1].name() + ", 2.5)\noutputs: u_output\n"));
  auto const [largest, places] = topk(x, top<2>);
  CHECK(largest.list_outputs()[0].ends_with("_output0"));
  CHECK(places.list_outputs()[0].ends_with("_output1"));
}

TEST_CASE("shapes and dtypes follow from those of some variables") {
  symbol const x = sym::var("x"), w = sym::var("w"), b = sym::var("b");
  symbol const y = layer_norm(x, w, b);
  auto const s = y.infer_shape({{"x", {4, 7}}});
  CHECK(s.arguments == std::vector<dims>{{4, 7}, {7}, {7}});
  CHECK(s.outputs == std::vector<dims>{{4, 7}});
  CHECK(y.infer_shape({{"x", shape<dim<"batch">, 7>::value}}).outputs[0] == shape<dim<"batch">, 7>::value);
  symbol const p = sym::var("p"), q = sym::var("q");
  CHECK(batch_norm(x, w, b, p, q).infer_shape({{"x", {4, 7, 2}}}).arguments == std::vector<dims>{{4, 7, 2}, {7}, {7}, {7}, {7}});
  CHECK(group_norm(x, w, b, groups<2>).infer_shape({{"x", {4, 6}}}).arguments == std::vector<dims>{{4, 6}, {6}, {6}});
  CHECK(instance_norm(x, w, b).infer_shape({{"x", {4, 6, 2}}}).arguments == std::vector<dims>{{4, 6, 2}, {6}, {6}});
  CHECK(rms_norm(x, w).infer_shape({{"x", {4, 7}}}).arguments == std::vector<dims>{{4, 7}, {7}});
  symbol const whole = sym::var("i", {3}, dtype::int64);
  CHECK((whole * 2).infer_type().outputs == std::vector<dtype>{dtype::int64});
  CHECK((sym::var("d", {3}) + 1).infer_type({{"d", dtype::float64}}).outputs == std::vector<dtype>{dtype::float64});
  CHECK(to_string((x * 2).graph_of({{"x", {dtype::float32, {2}}}})).find("multiply") != std::string::npos);

  CHECK_THROWS_WITH((x + w).named("s").infer_shape({{"x", {4}}, {"w", {3}}}),
                    "sinter: s of float32 (4,), float32 (3,): the shapes do not broadcast; make them equal, or 1 where one should stretch");
  CHECK_THROWS_WITH(
      (x + w).infer_shape({{"x", {4}}}),
      "sinter: the shape of variable `w` is not known, and does not follow from others; give it a value, or a shape in sym::var");
  CHECK_THROWS_WITH(convolution(x, sym::var("k", {8, -1, 3, 3})).named("c").infer_shape({{"x", {2, 3, 8}}}),
                    "sinter: c of float32 (2, 3, 8), float32 (8, ?, 3, 3): the weights have as many dimensions as the operand, whose "
                    "first two are batch and channels");
  CHECK_THROWS_WITH(fully_connected(x, sym::var("k", {8, -1}), sym::var("b", {8})).named("d").infer_shape({{"x", dims{}}}),
                    "sinter: d of float32 (), float32 (8, ?), float32 (8,): an operand has too few dimensions");
  CHECK_THROWS_WITH(reshape(x, into<4, 5>).named("r").infer_shape({{"x", {2, 3}}}),
                    "sinter: r of float32 (2, 3) into (4, 5): the new shape holds another number of elements");
  CHECK_THROWS_WITH(sym::var("x", {4}).infer_shape({{"x", {5}}}), "sinter: variable `x` of shape (4,) is given the shape (5,)");
  CHECK_THROWS_WITH(x.infer_shape({{"y", {5}}}), "sinter: no variable of this symbol is called `y`; it has `x`");
}

TEST_CASE("two blocks with parameters of the same names") {
  twice first, second;
  first.initialize(init::uniform{}, 1);
  second.initialize(init::uniform{}, 2);
  auto const x = numbers<float, shape<4, 6>>({4, 6});
  symbol const data = sym::var("data"), both = first(data) + second(data) * first(data);
  CHECK(both.eval({{"data", x}})[0].as<f32<4, 6>>().to_vector() == (first(x) + second(x) * first(x)).to_vector());
  CHECK_THROWS_WITH(both.eval({{"data", x}, {"gamma", f32<6>{}}}), Catch::Contains("two variables of this symbol are called `gamma`"));
}

// What an executor was made of may be gone.
TEST_CASE("an executor of a network and a symbol that are gone") {
  auto const make = [](nd::tensor<float, shape<2, 6>> const& x) {
    twice net;
    net.initialize();
    return std::tuple(net(x), net(sym::var("data")).bind({{"data", x.copy()}}));
  };
  auto const x = numbers<float, shape<2, 6>>({2, 6});
  auto const made = std::make_unique<decltype(make(x))>(make(x));
  auto& [want, run] = *made;
  CHECK(run.forward()[0].as<f32<2, 6>>().to_vector() == want.to_vector());
}

// What is prepared of the weights follows them; these are packed for the product.
TEST_CASE("parameters of an executor move") {
  nn::dense<64> net;
  net.initialize(init::uniform{}, 1);
  auto const x = numbers<float, shape<70, 96>>({70, 96});
  auto run = net(sym::var("x")).bind({{"x", x}});
  CHECK(run.forward()[0].as<f32<70, 64>>().to_vector() == net.hybridize()(x).to_vector());
  net.weight.set(numbers<float, shape<64, 96>>({64, 96}, 9));
  auto const moved = net.hybridize()(x).to_vector();
  CHECK(run.forward()[0].as<f32<70, 64>>().to_vector() == moved);
  net.initialize(init::uniform{}, 2);
  CHECK(run.forward()[0].as<f32<70, 64>>().to_vector() == net.hybridize()(x).to_vector());
  CHECK(net.hybridize()(x).to_vector() != moved);

  twice wrong;
  wrong.initialize();
  wrong.gamma.set(f32<1>{2});
  CHECK_THROWS_WITH(wrong(sym::var("x")).eval({{"x", numbers<float, shape<4, 6>>({4, 6})}}),
                    "in gamma: sinter: a parameter of shape (1,) is used in shape (6,)");
}

// Larger than a tile of the interpreter, so that it would write over what it still has to read.
TEST_CASE("an executor reads its own output as it was before the run") {
  f32<4096> v;
  for (int i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  auto backwards = (sym::var("h")(range<open, open, -1>) * 1).bind({{"h", v}});
  std::vector<float> const reversed = backwards.forward()[0].as<f32<4096>>().to_vector();
  CHECK(reversed.front() == 4095);
  backwards.set("h", backwards.outputs()[0]);
  CHECK(backwards.forward()[0].as<f32<4096>>().to_vector() == v.to_vector());
  CHECK(backwards.forward()[0].as<f32<4096>>().to_vector() == reversed);  // what the run before left

  auto const m = numbers<float, shape<64, 64>>({64, 64});
  symbol const h = sym::var("h");
  auto run = (h - transpose(h) + 1).bind({{"h", m}});
  run.set("h", run.forward()[0]);
  f32<64, 64> const once = m - transpose(m) + 1, twice_over = once - transpose(once) + 1;
  CHECK(run.forward()[0].as<f32<64, 64>>().to_vector() == twice_over.to_vector());
}

TEST_CASE("dynamic dimensions of symbols") {
  dims const named = shape<dim<"n">, 3>::value;
  symbol const y = exp(sym::var("a", named) + sym::var("b", named));
  auto const a = numbers<float, shape<5, 3>>({5, 3}), b = numbers<float, shape<5, 3>>({5, 3}, 1);
  auto const result = y.eval({{"a", a}, {"b", b}});
  CHECK(result[0].shape() == dims{5, 3});
  CHECK(result[0].as<f32<5, 3>>().to_vector() == exp(a + b).to_vector());
  CHECK_THROWS_AS(y.eval({{"a", a}, {"b", f32<4, 3>{}}}), shape_error);
  CHECK_THROWS_AS((result[0].as<f32<3, 5>>()), shape_error);
  CHECK_THROWS_WITH(sym::var("i", {3}, dtype::int64).eval({{"i", f32<3>{}}}), "sinter: variable `i` of dtype int64 is given float32");
  CHECK_THROWS_WITH(sym::group({}), "sinter: a group of no symbols has no outputs");
  CHECK_THROWS_AS(sym::array(dtype::uint16, {2}), dtype_error);
  CHECK_THROWS_WITH((sym::var("x", {2}, dtype::uint32) + 1).infer(),
                    "sinter: variable `x` has dtype uint32, of which there are no tensors");
  CHECK_THROWS_AS(sym::array(dtype::float32, {-1}), shape_error);
}

TEST_CASE("two variables of one name are refused") {
  symbol const twins = sym::var("x") + sym::var("x");
  CHECK_THROWS_WITH(twins.infer_shape({{"x", {2}}}),
                    "sinter: two variables of this symbol are called `x`; give each a name of its own, or use one symbol twice");
  twice block;
  CHECK_THROWS_WITH(block(sym::var("gamma")).infer_shape({}),
                    Catch::StartsWith("sinter: an input and a parameter of this symbol are both called `gamma`;"));
  CHECK_THROWS_WITH(
      block(sym::var("x")).infer_shape({{"x", shape<dim<"batch">, dim<"n">>::value}}),
      Catch::Contains("the shape of parameter `same.weight` is not known, and does not follow from others: of (6, n); its extents are "
                      "those of the inputs, which are numbers there"));
}

TEST_CASE("symbols are evaluated") {
  symbol const x = sym::var("x"), y = sym::var("y");
  f32<2, 2> const a{{1, -2}, {3, 4}};
  f32<2> const b{1, 1};
  symbol const z = relu(x * 2 + y) / 4.0f;
  auto const result = z.eval({{"x", a}, {"y", b}})[0].as<f32<2, 2>>();
  CHECK(result.to_vector() == (relu(a * 2 + b) / 4.0f).to_vector());
  CHECK(text_of(z.eval({{"x", a}, {"y", b}})[0]) == text_of(result));
  // Again, with other elements in the same arguments.
  auto run = z.bind({{"x", a}, {"y", b}});
  run.forward();
  a.fill(3);
  CHECK(run.forward()[0].as<f32<2, 2>>().to_vector() == std::vector<float>(4, 1.75f));
  // What is not row-major is copied.
  CHECK((x + 0).eval({{"x", transpose(f32<2, 3>{{1, 2, 3}, {4, 5, 6}})}})[0].as<f32<3, 2>>().to_vector() ==
        std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK((x + 0).eval({{"x", f32<0, 3>{}}})[0].shape() == dims{0, 3});
  CHECK(sym::group({x, x, x * 1}).eval({{"x", b}})[2].as<f32<2>>().to_vector() == std::vector<float>{1, 1});
  auto const [values_of, places] = topk(x, top<1>);
  CHECK(places.eval({{"x", a}})[0].as<nd::tensor<std::int64_t, shape<2, 1>>>().size() == 2);
  // dtypes meet as in eager calls.
  auto const mixed = (x + y).eval({{"x", nd::tensor<double, shape<2>>{1, 2}}, {"y", b}});
  CHECK(mixed[0].type() == dtype::float64);
  CHECK_THROWS_AS((x + y).eval({{"x", nd::tensor<int, shape<2>>{1, 2}}, {"y", b}}), dtype_error);
  CHECK_THROWS_AS((x + 3000000000).eval({{"x", nd::tensor<int, shape<2>>{1, 2}}}), dtype_error);
  CHECK_THROWS_WITH(result.size() ? z.eval({{"x", a}, {"y", b}})[0].as<f32<4>>() : f32<4>{},
                    "sinter: an array of shape (2, 2) is no tensor of shape (4,)");
  CHECK_THROWS_WITH((z.eval({{"x", a}, {"y", b}})[0].as<nd::tensor<double, shape<2, 2>>>()),
                    "sinter: an array of dtype float32 is no tensor of float64");
  CHECK_THROWS_WITH(z.eval({{"x", a}}), Catch::Contains("the shape of variable `y` is not known"));
  CHECK_THROWS_WITH(sym::var("v", {2}).eval(), "sinter: variable `v` has no value; eval and bind are given one for each: {{\"v\", x}}");
  CHECK(fully_connected(x, sym::var("w", {4, -1})).eval({{"x", a}, {"w", f32<4, 2>{}}})[0].shape() == dims{2, 4});
  CHECK_THROWS_AS(broadcast_to(sym::var("n", shape<dynamic, 0>::value), into<2000000000, dynamic, 0>)
                      .eval({{"n", nd::tensor<float, shape<dynamic, 0>>({extent{1} << 40, 0})}}),
                  shape_error);
}

TEST_CASE("a block is called with a symbol") {
  mlp net;
  symbol const y = net(sym::var("data"));
  CHECK(y.list_arguments() == names{"data", "hidden.weight", "hidden.bias", "norm.gamma", "norm.beta", "out.weight", "out.bias"});
  // Operations have the names of their layers.
  CHECK(operations_of(y.get_internals()) == names{"hidden.fully_connected_output", "hidden.relu_output", "norm.layer_norm_output",
                                                  "out.fully_connected_output", y.list_outputs()[0]});
  CHECK(y.name().starts_with("softmax"));
  auto const s = y.infer_shape({{"data", {9, 10}}});
  CHECK(s.arguments[1] == dims{32, 10});
  CHECK(s.arguments[3] == dims{32});
  CHECK(s.outputs[0] == dims{9, 5});
  auto const x = numbers<float, shape<9, 10>>({9, 10});
  CHECK_THROWS_WITH(y.eval({{"data", x}}), Catch::Contains("in hidden.weight: sinter: a parameter of shape (32, 10) has no values; call"));
  net.initialize(init::xavier{}, 3);
  auto run = y.bind({{"data", x}});
  CHECK(run.forward()[0].as<f32<9, 5>>().to_vector() == net.hybridize()(x).to_vector());
  // Parameters that have moved; and one that is an argument.
  net.hidden.bias.set(f32<32>{});
  net.out.bias.set(numbers<float, shape<5>>({5}));
  CHECK(run.forward()[0].as<f32<9, 5>>().to_vector() == net.hybridize()(x).to_vector());
  auto const given = y.eval({{"data", x}, {"out.bias", f32<5>{}}})[0].as<f32<9, 5>>();
  net.out.bias.set(f32<5>{});
  CHECK(given.to_vector() == net.hybridize()(x).to_vector());
  CHECK_THROWS_WITH(y.infer_shape({{"data", {4}}}), Catch::Contains("an operand has too few dimensions"));
  // The symbol keeps the parameters when the network is gone.
  auto const kept = [&] {
    mlp other;
    other.initialize();
    return other(sym::var("x"));
  }();
  CHECK(kept.eval({{"x", x}})[0].shape() == dims{9, 5});

  twice again;
  again.initialize();
  CHECK(again(sym::var("x")).list_arguments() == names{"x", "same.weight", "same.bias", "gamma"});
  names const repeated = operations_of(again(sym::var("x")).get_internals());
  CHECK(names(repeated.begin(), repeated.end() - 1) ==
        names{"same.fully_connected_output", "same.tanh_output", "same.fully_connected_1_output", "same.tanh_1_output"});
  CHECK_THROWS_WITH(again(sym::var("x")).infer_shape({{"x", dims{}}}),
                    Catch::Contains("same.fully_connected of float32 (), ") && Catch::Contains("an operand has too few dimensions"));
  // Also what a layer in a layer composes, and a part by indices; what is composed outside of the call is not of a layer.
  symbol const inner = nested{}(sym::var("x"));
  CHECK(operations_of(inner.get_internals()) == names{"chain.0.fully_connected_output", "chain.1.same.fully_connected_output",
                                                      "chain.1.same.tanh_output", "chain.1.same.fully_connected_1_output",
                                                      "chain.1.same.tanh_1_output", "chain.1.multiply_output", "part.slice_output"});
  CHECK(sinter::relu(inner).name().starts_with("relu"));
  // A number behind a name is not a part of it.
  CHECK(operations_of(logarithms{}(sym::var("x")).get_internals()) ==
        names{"a.log_output", "a.log_1_output", "a.log_2_output", "a.log2_output"});
  CHECK_THROWS_WITH(inner.named(""), "sinter: an operation is called by a name of at least one letter");
  same_as_compiled(again, numbers<float, shape<4, 6>>({4, 6}));
  // The same block twice, called from outside.
  auto const t = numbers<float, shape<4, 6>>({4, 6});
  CHECK((again(sym::var("q")) + again(sym::var("r"))).eval({{"q", t}, {"r", t}})[0].as<f32<4, 6>>().to_vector() ==
        (again(t) + again(t)).to_vector());
}

TEST_CASE("symbols give the bits of compiled networks") {
  mlp net;
  net.initialize();
  same_as_compiled(net, numbers<float, shape<1, 24>>({1, 24}));
  same_as_compiled(net, numbers<float, shape<70, 24>>({70, 24}));
  nn::hybrid_sequential<nn::hybrid_concurrent<nn::dense<6, nn::tanh>, nn::dense<5, nn::sigmoid>, nn::identity>, nn::dense<3>> branches;
  branches.initialize();
  same_as_compiled(branches, numbers<float, shape<7, 4>>({7, 4}));
  auto const x = numbers<float, shape<33, 47>>({33, 47});
  auto const d = numbers<double, shape<47>>({47}, 3);
  same_as_compiled(nn::hybrid_lambda{[](auto F, auto a) { return F.sum(F.exp(F.tanh(a) * 0.5f), axis<0>, keepdims) / 3; }}, x);
  same_as_compiled(nn::hybrid_lambda{[](auto F, auto a, auto b) {
                     auto c = a + b;
                     return std::tuple(F.softmax(c), std::tuple(F.sort(c, axis<0>), F.max(c), c > 1));
                   }},
                   x, d);
  same_as_compiled(nn::hybrid_lambda{[](auto F, auto a) {
                     auto [first, second, third] = F.split(F.slice(a, begin<0, 1>, end<33, 46>), parts<3>, axis<1>);
                     return F.concat(F.where(first > second, third, first), F.transpose(F.reshape(second, into<15, -1>)).contiguous(),
                                     axis<-1>);
                   }},
                   numbers<float, shape<33, 47>>({33, 47}));
}

TEST_CASE("parts of symbols are those of tensors") {
  same_as_compiled(nn::hybrid_lambda{[](auto, auto a) {
                     return std::tuple(a(all, range<1, 3>), a(nth<-1>), a(newaxis, ellipsis, nth<2>, newaxis) + 1, a(range<open, open, -2>),
                                       a(ellipsis), a(newaxis));
                   }},
                   numbers<float, shape<3, 4, 5>>({3, 4, 5}));
  auto const a = numbers<float, shape<3, 4, 5>>({3, 4, 5});
  symbol const x = sym::var("x");
  for (int i = -3; i < 3; ++i) {
    auto const part = (x(i, ellipsis, range(1, i + 4)) * 2).eval({{"x", a}})[0];
    CHECK(part.as<f32<4, dynamic>>().to_vector() == (a(i, ellipsis, range(1, i + 4)) * 2).to_vector());
  }
  CHECK(x(all, nth<1>, newaxis).infer_shape({{"x", {3, 4, 5}}}).outputs[0] == dims{3, 1, 5});
  CHECK(x(range<1, open>).infer_shape({{"x", shape<dim<"n">, 4>::value}}).outputs[0].rank == 2);
  CHECK_THROWS_WITH(x(3, all).eval({{"x", a}}), "sinter: a tensor of shape (3, 4, 5) has no index 3 along dimension 0");
  CHECK_THROWS_WITH(x(nth<0>, all, all, all).eval({{"x", a}}),
                    "sinter: a symbol of shape (3, 4, 5) is given more indices than it has dimensions");
  CHECK_THROWS_WITH(x(newaxis, newaxis, newaxis, newaxis, newaxis, newaxis).eval({{"x", a}}),
                    "sinter: a symbol of shape (3, 4, 5) would have more than eight dimensions with these new axes");
  CHECK_THROWS_WITH(x(range(0, 2, 0)).eval({{"x", a}}), "sinter: the step of a range is not 0");
  CHECK_THROWS_WITH(x(0, all).infer_shape({{"x", shape<dim<"n">, 4>::value}}), Catch::Contains("has no index along a dynamic dimension"));
}

TEST_CASE("a part by more indices than a symbol has axes") {
  symbol const x = sym::var("x");
  CHECK_THROWS_AS(x(0, 0, 0, 0, 0, 0, 0, 0, 0, range<0, 1>()).infer_shape({{"x", {1, 1, 1, 1, 1, 1, 1, 1}}}), shape_error);
  CHECK_THROWS_AS(x(newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, all).infer_shape({{"x", {1}}}),
                  shape_error);
}
TEST_CASE("mistakes with names and shapes") {
  f32<2, 3> const a{1, 2, 3, 4, 5, 6};
  // More dimensions than an array has are not an unknown shape.
  dims const ten{1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK_THROWS_WITH(sym::var("x", ten), "sinter: variable `x` has 10 dimensions, and an array has at most " + std::to_string(max_rank));
  CHECK_THROWS_WITH((sym::var("x") * 2).infer_shape({{"x", ten}}), Catch::Contains("variable `x` has 10 dimensions"));
  // n to the power of 16.
  symbol const eight =
      reshape(sym::var("x", shape<dim<"n">, dim<"n">, dim<"n">, dim<"n">, dim<"n">, dim<"n">, dim<"n">, dim<"n">>::value), into<-1>);
  CHECK_THROWS_AS((reshape(eight, into<-1, 1>) * reshape(eight, into<1, -1>)).eval({{"x", f32<1, 1, 1, 1, 1, 1, 1, 1>{}}}), shape_error);
  // A dimension of one name has one extent.
  dims const named = shape<dim<"n">, 3>::value;
  symbol const both = exp(sym::var("a", named) + sym::var("b", named));
  CHECK_THROWS_WITH(both.eval({{"a", a}, {"b", f32<4, 3>{}}}),
                    "sinter: variable `b` of shape (n, 3) is given the extents (4, 3); dimension 0 must be 2, as in `a`");
  // Two operations of one name: they are computed, and nobody is given one for the other.
  symbol const x = sym::var("x"), twins = sym::group({exp(x).named("z"), (x * 2).named("z")});
  CHECK(twins.eval({{"x", a}})[1].as<f32<2, 3>>().to_vector() == (a * 2).to_vector());
  CHECK_THROWS_WITH(twins["z"], "sinter: two operations of this symbol are called `z`; named() gives one another name");
  CHECK_THROWS_WITH(twins.get_internals()["z_output"], Catch::Contains("two operations of this symbol are called `z`"));
  CHECK(text_of(sym::group({x, x + 1}).eval({{"x", a}})) == text_of(a) + "\n" + text_of(f32<2, 3>{2, 3, 4, 5, 6, 7}));
}

TEST_CASE("a symbol as a drawing") {
  nn::dense<4> const layer;
  symbol const x = sym::var("x"), h = layer(x).named("h");
  symbol const y = relu(h + sym::var("a<b", {4})).named("y");
  std::string const drawn = viz::dot(y);
  CHECK(drawn.starts_with("digraph symbol {"));
  CHECK(drawn.find("<b>h</b><br/>fully_connected<br/><font point-size=\"11\" color=\"#57606a\">weight, bias</font>") != std::string::npos);
  CHECK(drawn.find("[label=<a&lt;b<br/>(4,)>") != std::string::npos);
  CHECK(drawn.find("-> output0") != std::string::npos);
  CHECK(drawn.find("\"weight\"") == std::string::npos);
  auto const F = sym::composing{};
  auto const [all, last] = F.foreach ([](auto row, auto s) { return std::tuple(row * s, s + 1); }, x, sym::var("s"));
  std::string const loop = viz::dot(all);
  CHECK(loop.find("subgraph cluster0 {") != std::string::npos);
  CHECK(loop.find(".slice0") < loop.find(".state1"));
  // Where shapes are given, its kernels.
  std::string const planned = viz::dot(y, {{"x", {dtype::float32, {2, 3}}}});
  CHECK(planned == viz::dot(make_plan(y.graph_of({{"x", {dtype::float32, {2, 3}}}}))));
  CHECK(planned.find("kernel 0</b>: product") != std::string::npos);
}

// A chain longer than a stack is deep.
TEST_CASE("a symbol of a hundred thousand operations") {
  symbol y = sym::var("x");
  for (int i = 0; i < 100000; ++i) y = y + 1;
  CHECK(y.list_arguments() == names{"x"});
}

TEST_CASE("random networks composed as symbols are the graphs of their traces") {
  int compared = 0;
  for (unsigned seed = 0; seed < 16000; ++seed) {
    test::random_program const p = test::program_writer(seed).p;
    // A new shape that was drawn may contain numbers that a graph gives to extents without names, in the order of its nodes.
    auto const counts_nodes = [](test::line const& l) {
      dims const& s = l.given.shape;
      return std::any_of(s.d, s.d + s.rank, [](extent e) { return e < 0 && e != unknown_extent && !is_named(e); });
    };
    if (std::any_of(p.lines.begin(), p.lines.end(), counts_nodes)) continue;
    ++compared;
    graph traced;
    std::vector<int> node;
    REQUIRE(test::trace_into(p, traced, node));
    std::vector<symbol> of, outputs;
    for (std::size_t i = 0; i < p.lines.size(); ++i) {
      test::line const& l = p.lines[i];
      if (!l.op && !l.is_number) {
        of.push_back(sym::var("x" + std::to_string(i), l.input.shape, l.input.type));
        outputs.push_back(of.back());
        continue;
      }
      auto k = std::make_shared<sym::composed>();
      if (l.is_number) {
        k->is_number = true;
        k->type = l.input;
        k->value = sinter::number(l.number);
      } else {
        auto c = std::make_shared<sym::called>();
        c->op = l.op->info;
        c->attributes = [&l](operand_types in) { return l.op->attributes(l.given, in); };
        c->first_promoted = l.op->shares_dtype ? l.op->condition : -1;
        list<array_type> types;
        for (int j : l.in) types.push(traced.nodes[node[static_cast<std::size_t>(j)]].type);
        if (l.op->info->several) c->results = l.op->info->results(l.op->attributes(l.given, {types.data(), types.size()}).data());
        k->name = "k" + std::to_string(i);
        k->call = c;
        for (int j : l.in) k->in.push_back(of[static_cast<std::size_t>(j)]);
      }
      of.emplace_back(k, l.op && l.op->info->several ? l.result : 0);
    }
    int const inputs = static_cast<int>(outputs.size());
    for (int o : p.outputs) outputs.push_back(of[static_cast<std::size_t>(o)]);
    sym::typed_graph const composed(sym::group(outputs), {});
    test::interpreter const want(traced, p.sizes), got(composed.g, p.sizes);
    for (int o = 0; o < traced.outputs.size(); ++o) {
      int const a = traced.outputs[o], b = composed.g.outputs[inputs + o];
      INFO("seed " << seed << ", output " << o);
      REQUIRE(traced.nodes[a].type.type == composed.g.nodes[b].type.type);
      REQUIRE(want.shape[a] == got.shape[b]);
      REQUIRE(test::same_bits(traced.nodes[a].type.type, want.value[a], got.value[b]));
    }
  }
  CHECK(compared > 1000);
}
