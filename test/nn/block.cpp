// SPDX-License-Identifier: Apache-2.0
// Blocks with named members: what they are called, which parameters they share, and what happens before there are values.
#include "network.hpp"

namespace {

struct hybrid_net : nn::hybrid_block<hybrid_net> {
  BOOST_HANA_DEFINE_STRUCT(hybrid_net, (nn::dense<10>, hidden), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(hidden(x))); }
};
struct twice : nn::hybrid_block<twice> {
  BOOST_HANA_DEFINE_STRUCT(twice, (nn::dense<4>, layer));
  constexpr auto hybrid_forward(auto F, auto x) const { return layer(F.tanh(layer(x))); }
};
struct scaled : nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (nn::parameter, scale), (hybrid_net, inner));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const y = inner(x);
    return y * F.get(scale, shape<2>{});
  }
};

struct family : nn::hybrid_block<family> {
  BOOST_HANA_DEFINE_STRUCT(family, (nn::dense<4>, children), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto, auto x) const { return output(children(x)); }
};

template <class Net> std::vector<std::string> names_of(Net const& net) {
  std::vector<std::string> names;
  nn::visit_parameters(net, [&](auto const&, std::string_view name) { names.emplace_back(name); });
  return names;
}
f32<1, 8> input() { return {1, -2, 3, -4, 5, -6, 7, -8}; }
}  // namespace

TEST_CASE("parameters are named by the path of members") {
  hybrid_net net;
  CHECK(names_of(net) == std::vector<std::string>{"hidden.weight", "hidden.bias", "output.weight", "output.bias"});
  CHECK(names_of(scaled{}) ==
        std::vector<std::string>{"scale", "inner.hidden.weight", "inner.hidden.bias", "inner.output.weight", "inner.output.bias"});
  nn::hybrid_sequential<nn::dense<3>, nn::activation<nn::relu>, hybrid_net> const chain;
  CHECK(names_of(chain) ==
        std::vector<std::string>{"0.weight", "0.bias", "2.hidden.weight", "2.hidden.bias", "2.output.weight", "2.output.bias"});
  CHECK(names_of(family{}) == std::vector<std::string>{"children.weight", "children.bias", "output.weight", "output.bias"});
}

TEST_CASE("the summary shows names and shapes, before and after the first call") {
  hybrid_net net;
  CHECK(net.summary() ==
        "hidden.weight (10, ?)\nhidden.bias (10,): 10\noutput.weight (2, ?)\noutput.bias (2,): 2\n"
        "12 values, and 2 of 4 shapes not known yet\n");
  net.initialize();
  net(input());
  CHECK(net.summary() ==
        "hidden.weight (10, 8): 80\nhidden.bias (10,): 10\noutput.weight (2, 10): 20\noutput.bias (2,): 2\n"
        "112 values\n");
  CHECK(nn::dense<3, nn::no_activation, double, false>{}.summary() == "weight float64 (3, ?)\n0 values, and 1 of 1 shapes not known yet\n");
  CHECK(scaled{}.summary().find("scale (unknown)\n") == 0);
}

TEST_CASE("copies of a network share its parameters") {
  hybrid_net net;
  net.initialize(sinter::init::xavier{}, 1);
  hybrid_net const copy = net;
  auto const before = copy(input());
  CHECK(before(0, 0) != 0);
  net.output.weight.set(f32<2, 10>{});
  net.output.bias.set(f32<2>{5, 6});
  CHECK(copy(input())(0, 0) == 5);
  CHECK(copy(input())(0, 1) == 6);
  CHECK(before(0, 0) != 5);
}

TEST_CASE("what changes in a network is seen by the compiled one") {
  hybrid_net net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  auto const again = fast;
  auto const x = input();
  CHECK(fast(x)(0, 0) == net(x)(0, 0));
  for (int i = 1; i < 4; ++i) {  // each set moves the version, and the weights are packed again
    f32<10, 8> weight;
    weight.fill(static_cast<float>(i) * 0.25f);
    net.hidden.weight.set(weight);
    f32<1, 2> const expected = net(x), got = fast(x), copied = again(x);
    for (int k = 0; k < 2; ++k) {
      CHECK(got(0, k) == expected(0, k));
      CHECK(copied(0, k) == expected(0, k));
    }
  }
  net.initialize(sinter::init::constant{0.5}, 2);
  CHECK(fast(x)(0, 0) == net(x)(0, 0));
}

TEST_CASE("weights that a product packed are packed again") {  // large enough for that
  nn::dense<80> net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  auto const x = filled<f32<dim<"batch">, 96>>({64, 96});
  auto const fixed = filled<f32<64, 96>>();
  for (int i = 0; i < 3; ++i) {
    check_same(fast(x), net(x));
    check_same(fast(fixed), net(fixed));
    f32<80, 96> weight;
    for (int k = 0; k < weight.size(); ++k) weight[k] = static_cast<float>((k * 7 + i) % 13 - 6) / 4;
    net.weight.set(weight);
  }
}

TEST_CASE("a layer that is used twice has one weight") {
  twice net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  f32<2, 4> const x{1, 2, 3, 4, 5, 6, 7, 8};
  f32<2, 4> const eager = net(x), compiled = fast(x);
  check_same(eager, compiled);
  CHECK(names_of(net) == std::vector<std::string>{"layer.weight", "layer.bias"});
  static_assert(sinter::compiled_t<twice, shape<2, 4>>::parameter_bytes == (16 + 4) * 4);
}

TEST_CASE("a network without values says which parameter lacks them and what to do") {
  hybrid_net const net;
  auto const eager = message_of<sinter::parameter_error>([&] { net(input()); });
  CHECK(eager == "in hidden.weight: sinter: a parameter of shape (10, 8) has no values; call initialize() or load_parameters() first");
  auto const fast = net.hybridize();
  auto const compiled = message_of<sinter::parameter_error>([&] { (void)fast(input()); });
  CHECK(compiled == "in hidden.weight: sinter: a parameter of shape (10, 8) has no values; call initialize() or load_parameters() first");
  scaled deep;
  deep.inner.hidden.initialize();
  CHECK(message_of<sinter::error>([&] { deep(input()); }).find("in inner.output.weight: ") == 0);
  deep.inner.output.initialize();
  CHECK(message_of<sinter::error>([&] { deep(input()); }) ==
        "in scale: sinter: a parameter of shape (2,) has no values; call initialize() or load_parameters() first");

  hybrid_net late;  // after the error both work
  CHECK(message_of<sinter::error>([&] { (void)late.hybridize()(input()); }) == compiled);
  late.initialize();
  CHECK(late.hybridize()(input()).size() == 2);
}

TEST_CASE("a parameter is not used in another shape than it has") {
  hybrid_net net;
  net.initialize();
  net(input());
  auto const eager = message_of<sinter::parameter_error>([&] { net(f32<1, 9>{}); });
  CHECK(
      eager ==
      "in hidden.weight: sinter: a parameter of shape (10, 8) is used in shape (10, 9); its values were made for inputs of other extents");
  auto const compiled = message_of<sinter::parameter_error>([&] { (void)net.hybridize()(f32<1, 9>{}); });
  CHECK(
      compiled ==
      "in hidden.weight: sinter: a parameter of shape (10, 8) is used in shape (10, 9); its values were made for inputs of other extents");
  CHECK(message_of<sinter::parameter_error>([&] { net.hidden.weight.set(f32<10, 9>{}); }) ==
        "sinter: a parameter of shape (10, 8) is given values of shape (10, 9)");
}

TEST_CASE("values of another shape than declared are refused at once, and nothing is changed") {
  hybrid_net net;
  net.initialize();
  CHECK(message_of<sinter::parameter_error>([&] { net.hidden.weight.set(f32<9, 8>{}); }) ==
        "sinter: a parameter of shape (10, ?) is given values of shape (9, 8)");
  CHECK(message_of<sinter::parameter_error>([&] { net.output.bias.set(f32<2, 1>{}); }) ==
        "sinter: a parameter of shape (2,) is given values of shape (2, 1)");
  CHECK(net(input()).size() == 2);
}

TEST_CASE("to read a parameter does not decide its shape") {
  hybrid_net net;
  net.initialize();
  for (auto const& read : {+[](hybrid_net const& n) { n.hidden.weight.data<shape<10, 8>>(); },
                           +[](hybrid_net const& n) { n.hidden.weight.data<shape<5, 3>>(); }})
    CHECK(message_of<sinter::parameter_error>([&] { read(net); }).find(" has no values yet; call ") != std::string::npos);
  CHECK(message_of<sinter::parameter_error>([&] { net.hidden.bias.data<shape<5>>(); }) ==
        "sinter: a parameter of shape (10,) is used in shape (5,)");
  CHECK(net.output.bias.data<shape<sinter::dynamic>>().size() == 2);  // declared whole
  CHECK(net.hidden.weight.shape().rank < 0);
  net(input());
  CHECK(net.hidden.weight.data<shape<10, 8>>().size() == 80);
}

TEST_CASE("row-major values for the shape that a parameter has, or that was declared") {
  hybrid_net net;
  net.output.bias.set(std::vector<float>{3, 4});
  CHECK(net.output.bias.data<shape<2>>().to_vector() == std::vector<float>{3, 4});
  CHECK(message_of<sinter::parameter_error>([&] { net.hidden.weight.set(std::vector<float>(80)); }) ==
        "sinter: a parameter whose shape is not known yet is given 80 values; give it a tensor, which has a shape, or call the network "
        "first");
  net.initialize();
  net(input());
  net.hidden.weight.set(std::vector<float>(80, 0.5f));
  CHECK(net.hidden.weight.data<shape<10, 8>>()(9, 7) == 0.5f);
  CHECK(message_of<sinter::parameter_error>([&] { net.hidden.weight.set(std::vector<float>(79)); }) ==
        "sinter: a parameter of shape (10, 8) is given 79 values");
}

TEST_CASE("values given before the first call are those that it uses") {
  hybrid_net net;
  net.initialize(sinter::init::constant{1});
  f32<10, 8> weight;
  weight.fill(2);
  net.hidden.weight.set(weight);
  f32<1, 8> ones;
  ones.fill(1);
  CHECK(net(ones)(0, 0) == 160);
  CHECK(net.hybridize()(ones)(0, 1) == 160);
  CHECK(net.hidden.weight.data<shape<10, 8>>()(3, 3) == 2);
  using any = shape<sinter::dynamic, sinter::dynamic>;  // a copy of the values need not know their extents
  auto const copy = net.hidden.weight.data<any>();
  CHECK((copy.shape() == sinter::dims{10, 8} && copy(9, 7) == 2));
  CHECK(message_of<sinter::parameter_error>([&] { net.hidden.weight.data<shape<sinter::dynamic>>(); }) ==
        "sinter: a parameter of shape (10, 8) is used in shape (?,)");
  CHECK(message_of<sinter::parameter_error>([&] { hybrid_net{}.hidden.weight.data<any>(); }).find("has no values yet") !=
        std::string::npos);
  f32<8, 10> turned;  // what is set may be a view
  turned(1, 0) = 8;
  net.hidden.weight.set(sinter::transpose(turned));
  CHECK(net.hidden.weight.data<shape<10, 8>>()(0, 1) == 8);
}
