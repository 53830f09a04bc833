// SPDX-License-Identifier: Apache-2.0
// Plain blocks: what runs eagerly alone, beside and around hybrid blocks.
#include <sinter/compile/plain.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/nn/save.hpp>

#include <sstream>
#include <vector>

#include "network.hpp"

namespace {
using sinter::axis;

// Branches on values, loops as often as they say, and has members that no network could have.
struct repeated : nn::block<repeated> {
  BOOST_HANA_DEFINE_STRUCT(repeated, (nn::dense<4>, layer), (nn::basic_parameter<float, shape<4>>, shift), (int, most));
  repeated() { most = 3; }
  auto forward(f32<1, 4> x) const {
    for (int i = 0; i < most && x(0, 0) < 100; ++i) x = layer(x) + nn::values_of(shift, shape<4>{});
    return x;
  }
};

// Its hybrid blocks are compiled by hybridize(), because it takes their types from an argument.
template <template <class> class Child = nn::eager_child> struct chooser : nn::block<chooser<Child>> {
  using small = nn::dense<2>;
  using large = nn::hybrid_sequential<nn::dense<8, nn::relu>, nn::dense<2>>;
  BOOST_HANA_DEFINE_STRUCT(chooser, (Child<small>, quick), (Child<large>, slow), (nn::parameter, unused), (int, calls));
  template <class X> auto forward(X const& x) const { return x(0, 0) > 0 ? slow(x) : quick(x); }
};
template <int Units, template <class> class Child = nn::eager_child> struct sized : nn::block<sized<Units, Child>> {
  template <template <class> class Other> using with_children = sized<Units, Other>;
  BOOST_HANA_DEFINE_STRUCT(sized, (Child<nn::dense<Units>>, body));
  template <class X> auto forward(X const& x) const { return std::tuple(body(x), std::string("text")); }
};
struct without_layers : nn::block<without_layers> {
  BOOST_HANA_DEFINE_STRUCT(without_layers, (nn::basic_parameter<float, shape<2>>, factor));
  template <class X> auto forward(X const& x) const { return x * nn::values_of(factor, shape<2>{}); }
};
struct owner : nn::block<owner> {
  using part = nn::hybrid_sequential<nn::dense<3>>;
  BOOST_HANA_DEFINE_STRUCT(owner, (sinter::hybridized<part>, fast), (nn::dense<2>, last));
  template <class X> auto forward(X const& x) const { return last(fast(x)); }
};
struct gives_parameter : nn::block<gives_parameter> {
  BOOST_HANA_DEFINE_STRUCT(gives_parameter, (nn::basic_parameter<float, shape<2>>, w));
  template <class X> auto forward(X const&) const { return nn::values_of(w, shape<2>{}); }
};
struct silent : nn::block<silent> {
  template <class X> void forward(X const&, int& calls) const { ++calls; }
  void forward(int) const {}
};
}  // namespace

TEST_CASE("a plain block is ordinary C++") {
  repeated net;
  net.initialize(sinter::init::constant{1});
  net.shift.set(f32<4>{1, 1, 1, 1});
  CHECK(net(f32<1, 4>{1, 1, 1, 1})(0, 3) == 4 * (4 * (4 + 1) + 1) + 1);
  net.most = 1;
  CHECK(net(f32<1, 4>{1, 1, 1, 1})(0, 3) == 5);
  CHECK(net(f32<1, 4>{100, 1, 1, 1})(0, 3) == 1);
  CHECK(net.summary() == "layer.weight (4, 4): 16\nlayer.bias (4,): 4\nshift (4,): 4\n24 values\n");
  std::ostringstream text;
  text << net;
  CHECK(text.str() == "repeated(shift (4,)\n  (layer): dense(weight (4, 4), bias (4,))\n)");
  silent s;
  static_assert(std::is_void_v<decltype(s(1))>);
}

TEST_CASE("what a plain block gives is its caller's alone") {
  gives_parameter net;
  net.w.set(f32<2>{1, 2});
  auto y = net(1);
  y(0) = 7;
  CHECK(net(1)(0) == 1);
  nn::sequential<nn::identity> same;
  f32<2> x{1, 2};
  auto z = same(x);
  z(0) = 5;
  CHECK(x(0) == 1);
}

TEST_CASE("plain containers hold blocks of any kind") {
  int seen = 0;
  auto net = nn::sequential{nn::dense<4, nn::relu>{}, nn::lambda{[&seen](auto x) {
                              ++seen;
                              return x + x;
                            }},
                            nn::concurrent{nn::dense<2>{}, nn::lambda{[](auto const& x) { return x; }}, nn::identity{}}};
  net.initialize(sinter::init::constant{1});
  auto const y = net(f32<2, 3>{1, 1, 1, 2, 2, 2});
  static_assert(std::is_same_v<std::remove_const_t<decltype(y)>, f32<2, 10>>);
  CHECK(seen == 1);
  CHECK(y.to_vector() == std::vector<float>{24, 24, 6, 6, 6, 6, 6, 6, 6, 6, 48, 48, 12, 12, 12, 12, 12, 12, 12, 12});
  CHECK(net.summary() == "0.weight (4, 3): 12\n0.bias (4,): 4\n2.0.weight (2, 4): 8\n2.0.bias (2,): 2\n26 values\n");
  CHECK(net.at<2>().at<0>().weight.has_values());
  static_assert(decltype(net)::size() == 3);
  nn::sequential<> nothing;
  CHECK(nothing(3) == 3);
  nn::sequential<nn::lambda<int (*)(int)>> pointers{nn::lambda<int (*)(int)>{[](int i) { return i + 1; }}};
  CHECK(pointers(3) == 4);
}

TEST_CASE("hybridize compiles the hybrid blocks in plain containers") {
  auto net = nn::sequential{nn::dense<4, nn::relu>{}, nn::lambda{[](auto x) { return x(0, 0) > 0 ? x : -x; }},
                            nn::concurrent{nn::dense<2>{}, nn::lambda{[](auto x) { return x; }}},
                            nn::hybrid_sequential{nn::layer_norm<>{}, nn::dense<3>{}}};
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const fast = net.hybridize();
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(fast.at<0>())>, sinter::hybridized<nn::dense<4, nn::relu>>>);
  static_assert(std::is_same_v<decltype(fast.at<1>()), decltype(std::as_const(net).at<1>())>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(fast.at<2>().at<0>())>, sinter::hybridized<nn::dense<2>>>);
  auto const x = filled<f32<2, 5>>();
  check_same(fast(x), net(x));
  // One network: what is changed in either is seen in both.
  net.at<0>().bias.set(f32<4>{1, 2, 3, 4});
  check_same(fast(x), net(x));
  CHECK(fast.summary() == net.summary());
  auto again = fast;
  again.initialize(sinter::init::constant{0.25});
  check_same(fast(x), net(x));
  std::ostringstream text;
  text << nn::sequential{nn::dense<4>{}, nn::lambda{[](auto v) { return v; }}}.hybridize();
  CHECK(text.str() == "sequential(\n  (0): hybridized dense(weight (4, ?), bias (4,))\n  (1): lambda()\n)");
  auto const relaxed = net.hybridize(sinter::math::relaxed);
  static_assert(!std::is_same_v<decltype(relaxed), decltype(fast)>);
  CHECK(relaxed(x).shape() == sinter::dims{2, 3});
  auto const twice = fast.hybridize();  // nothing is left to compile
  static_assert(std::is_same_v<decltype(twice), decltype(fast)>);
  check_same(twice(x), net(x));
}

TEST_CASE("hybridize of a block of one's own") {
  chooser<> net;
  net.calls = 5;
  net.initialize(sinter::init::uniform{0.5}, 3);
  auto const fast = net.hybridize();
  static_assert(std::is_same_v<decltype(fast.slow), sinter::hybridized<chooser<>::large>>);
  CHECK(fast.calls == 5);
  f32<1, 3> const up{1, 2, 3}, down{-1, 2, 3};
  check_same(fast(up), net(up));
  check_same(fast(down), net(down));
  CHECK(net(up)(0, 0) != net(down)(0, 0));
  net.quick.weight.set(f32<2, 3>{1, 2, 3, 4, 5, 6});
  check_same(fast(down), net(down));
  CHECK(fast.summary() == net.summary());
  auto outer = nn::sequential{chooser<>{}, without_layers{}, sized<3>{}};
  outer.initialize(sinter::init::uniform{0.5}, 3);
  auto const compiled = outer.hybridize();
  auto const [y, words] = compiled(up);
  check_same(y, std::get<0>(outer(up)));
  CHECK(words == "text");
  static_assert(std::is_same_v<decltype(without_layers{}.hybridize()), without_layers>);
}

TEST_CASE("a compiled network is a member of a plain block") {
  owner net;
  net.initialize(sinter::init::constant{1});
  CHECK(net(f32<1, 2>{1, 2})(0, 1) == 9);
  CHECK(net.summary() == "fast.0.weight (3, 2): 6\nfast.0.bias (3,): 3\nlast.weight (2, 3): 6\nlast.bias (2,): 2\n17 values\n");
  owner other;
  CHECK(message_of<sinter::parameter_error>([&] { other(f32<1, 2>{1, 2}); }) ==
        "in fast.0.weight: sinter: a parameter of shape (3, 2) has no values; call initialize() or load_parameters() first");
  auto const in_container = nn::sequential{nn::identity{}, owner{}};
  CHECK(message_of<sinter::parameter_error>([&] { in_container(f32<1, 2>{1, 2}); }).starts_with("in 1.fast.0.weight: "));
}

TEST_CASE("training goes through plain blocks") {
  auto const net = nn::sequential{nn::dropout<0.5>{}, nn::lambda{[](auto x) { return x; }}, nn::dropout<0.5>{}};
  auto const fast = net.hybridize();
  auto const x = sinter::training(sinter::ones(sinter::into<1, 32>));
  sinter::random::seed(5);
  sinter::nd::tensor<float, shape<1, 32>> const eager = net(x);
  sinter::random::seed(5);
  sinter::nd::tensor<float, shape<1, 32>> const compiled = fast(x);
  CHECK(eager.to_vector() == compiled.to_vector());
  CHECK(eager.to_vector() != net(sinter::ones(sinter::into<1, 32>)).to_vector());
}

TEST_CASE("plain blocks are saved and loaded") {
  auto const make = [] { return nn::sequential{repeated{}, nn::concurrent{without_layers{}, nn::identity{}}}; };
  auto from = make();
  from.at<0>().layer.initialize(sinter::init::uniform{}, 3);
  from.at<0>().layer(f32<1, 4>{});
  from.at<0>().shift.set(f32<4>{1, 2, 3, 4});
  from.at<1>().at<0>().factor.set(f32<2>{5, 6});
  auto const arrays = nn::arrays_of(from);
  REQUIRE(arrays.size() == 4);
  CHECK(arrays[3].name == "1.0.factor");
  auto to = make();
  nn::set_parameters(to, arrays, "memory");
  CHECK(to.at<1>().at<0>().factor.data<shape<2>>()(1) == 6);
  check_same(to.at<0>()(f32<1, 4>{1, 2, 3, 4}), from.at<0>()(f32<1, 4>{1, 2, 3, 4}));
  auto compiled = nn::sequential{nn::dense<2>{}}.hybridize();
  nn::set_parameters(compiled,
                     {sinter::io::detail::array_of("0.weight", {2, 1}, f32<2>{1, 2}.data()),
                      sinter::io::detail::array_of("0.bias", {2}, f32<2>{3, 4}.data())},
                     "memory");
  CHECK(compiled(f32<1, 1>{1}).to_vector() == std::vector<float>{4, 6});
}
