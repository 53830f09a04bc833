// SPDX-License-Identifier: Apache-2.0
// Parameters as a dictionary, a function on every block, constants.
#include <sinter/compile/plain.hpp>
#include <sinter/nn/apply.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/nn/save.hpp>
#include <sinter/nn/share.hpp>

#include <cstring>
#include <regex>
#include <sstream>
#include <vector>

#include "network.hpp"

namespace {
using sinter::parameter_error;

struct keeps : nn::hybrid_block<keeps> {
  using memory = nn::state<shape<2>, 3>;
  BOOST_HANA_DEFINE_STRUCT(keeps, (memory, seen));
  constexpr auto hybrid_forward(auto, auto x) const { return x; }
};
struct model : nn::hybrid_block<model> {
  using vector = nn::state<shape<2>, 1>;
  using table = nn::constant<shape<2, 3>, 1, 2, 3, 4, 5, 6>;
  using wide = nn::dense<2, nn::no_activation, double>;
  BOOST_HANA_DEFINE_STRUCT(model, (nn::dense<3>, hidden), (vector, mean), (table, weights), (wide, other));
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.fully_connected(hidden(x), F.get(weights, shape<2, 3>{})) + F.get(mean, shape<2>{});
  }
};
struct numbers : nn::hybrid_block<numbers> {
  using steps = nn::basic_constant<int, shape<4>, [](int i) { return i * i; }>;
  using halves = nn::constant<shape<2, 2>, 0.5>;
  BOOST_HANA_DEFINE_STRUCT(numbers, (steps, n), (halves, h), (nn::constant<shape<>, 3>, c));
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.sum(F.cast(F.get(n, shape<4>{}), sinter::as<float>) * x) * F.get(c, shape<>{}) + F.get(h, shape<2, 2>{});
  }
};
std::vector<std::string> names_of(nn::parameter_dict const& all) {
  std::vector<std::string> names;
  for (auto const& p : all) names.push_back(p.name());
  return names;
}
using names = std::vector<std::string>;
std::string text_of(auto const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}
}  // namespace

TEST_CASE("a dictionary of parameters") {
  model net;
  auto const all = net.collect_params();
  CHECK(names_of(all) == names{"hidden.weight", "hidden.bias", "mean", "weights", "other.weight", "other.bias"});
  CHECK(text_of(all) ==
        "(\n  parameter hidden.weight (shape=(3, ?), dtype=float32)\n  parameter hidden.bias (shape=(3,), dtype=float32)\n"
        "  state mean (shape=(2,), dtype=float32)\n  constant weights (shape=(2, 3), dtype=float32)\n"
        "  parameter other.weight (shape=(2, ?), dtype=float64)\n  parameter other.bias (shape=(2,), dtype=float64)\n)");
  CHECK(all.size() == 6);
  CHECK((all.contains("mean") && !all.contains("hidden")));
  CHECK(message_of<parameter_error>([&] { all["hidden"]; }) ==
        "sinter: there is no parameter `hidden` among `hidden.weight`, `hidden.bias`, `mean`, `weights`, `other.weight`, `other.bias`");
  auto const fast = net.hybridize();
  net.initialize();
  net(f32<1, 2>{1, 2});
  // Handles, whose values are the network's; they outlive it.
  all["hidden.weight"].set(f32<3, 2>{1, 2, 3, 4, 5, 6});
  CHECK(net.hidden.weight.data<shape<3, 2>>()(2, 1) == 6);
  CHECK(all["hidden.weight"].to_vector() == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(all["hidden.weight"].data<shape<3, sinter::dynamic>>()(2, 0) == 5);
  CHECK(to_string(all["hidden.weight"].shape()) == "(3, 2)");
  CHECK(net(f32<1, 2>{1, 1})(0, 0) == 3 + 2 * 7 + 3 * 11 + 1);
  check_same(fast(f32<1, 2>{1, 1}), net(f32<1, 2>{1, 1}));
  CHECK((all["hidden.bias"].has_values() && !all["other.weight"].has_values()));
  all["other.bias"].as<double>().set(sinter::nd::tensor<double, shape<2>>{1, 2});
  CHECK(all["other.bias"].to_vector<double>() == std::vector<double>{1, 2});
  CHECK(message_of<sinter::dtype_error>([&] { all["other.bias"].set(f32<2>{1, 2}); }) ==
        "sinter: parameter `other.bias` is float64, and is given values of float32");
  CHECK(message_of<parameter_error>([&] { all["hidden.bias"].set(f32<4>{}); }) ==
        "sinter: parameter `hidden.bias` of shape (3,) is given values of shape (4,)");
  CHECK(message_of<parameter_error>([&] { all["other.weight"].set(sinter::nd::tensor<double, shape<3, 3>>{}); }) ==
        "sinter: parameter `other.weight` of shape (2, ?) is given values of shape (3, 3)");
  CHECK(message_of<parameter_error>([&] { all["other.weight"].to_vector<double>(); }) ==
        "sinter: parameter `other.weight` has no values yet");
  all["hidden.bias"].set(std::vector<float>{5, 6, 7});
  CHECK(all["hidden.bias"].to_vector() == std::vector<float>{5, 6, 7});
  CHECK(message_of<parameter_error>([&] { all["hidden.bias"].set(std::vector<float>(4)); }) ==
        "in hidden.bias: sinter: a parameter of shape (3,) is given 4 values");
}

TEST_CASE("a dictionary reads values of the shape that is known, and decides none") {
  model net;
  net.initialize();
  auto const all = net.collect_params();
  CHECK(message_of<parameter_error>([&] { all["hidden.weight"].data<shape<3, 4>>(); }).find(" has no values yet; call ") !=
        std::string::npos);
  CHECK(!all["hidden.weight"].shape().fixed());
  CHECK(all["hidden.bias"].data<shape<3>>()(2) == 0);
  CHECK(message_of<sinter::dtype_error>([&] { all["hidden.bias"].set(sinter::nd::tensor<double, shape<3>>{}); }) ==
        "sinter: parameter `hidden.bias` is float32, and is given values of float64");
}

TEST_CASE("a dictionary is initialized as its network is") {
  model net, other;
  f32<1, 2> const x{1, 2};
  net.initialize(sinter::init::normal{0.1}, 5);
  other.collect_params().initialize(sinter::init::normal{0.1}, 5);
  check_same(net(x), other(x));
  other.collect_params("hidden.*").initialize(sinter::init::constant{2});
  CHECK(other.hidden.weight.data<shape<3, 2>>()(0, 0) == 2);
  CHECK(other.hidden.bias.data<shape<3>>()(0) == 0);
  other.collect_params()["hidden.bias"].as<float>().initialize(sinter::init::one{}, 0);
  CHECK(other.hidden.bias.data<shape<3>>()(0) == 1);
  CHECK_THROWS_AS(other.collect_params().initialize(sinter::init::constant{1e300}), parameter_error);
  CHECK(other.hidden.weight.data<shape<3, 2>>()(0, 0) == 2);
}

TEST_CASE("a pattern chooses parameters as in Gluon") {
  model const net;
  CHECK(names_of(net.collect_params(".*weight")) == names{"hidden.weight", "weights", "other.weight"});
  CHECK(names_of(net.collect_params(".*weight$")) == names{"hidden.weight", "other.weight"});
  CHECK(names_of(net.collect_params("hidden")) == names{"hidden.weight", "hidden.bias"});
  CHECK(names_of(net.collect_params("weight|mean")) == names{"mean", "weights"});
  CHECK(net.collect_params("eight").empty());
  CHECK(text_of(net.collect_params("x")) == "(\n)");
}

TEST_CASE("patterns mean what they mean to std::regex") {
  char const* const patterns[] = {"",
                                  ".*weight",
                                  ".*weight|.*bias",
                                  "(a|b)+c",
                                  "a?b*c+",
                                  "(ab|a)(bc|c)$",
                                  "[a-c]+\\.w",
                                  "[^0-9]*$",
                                  "^0\\.",
                                  "a$|b",
                                  "((a*)*)*b",
                                  "(a|ab)(c|bcd)(d*)$",
                                  "[]a]+",
                                  "(|a)b",
                                  "a(b(c|d)*)?e$",
                                  "..",
                                  "(0|1)\\.(weight|bias)$",
                                  "[.]",
                                  "(a*)+$",
                                  "x*",
                                  "(ab)*c|d"};
  char const* const texts[] = {"",    "a",    "b",   "ab", "abc", "abcd", "abcde",   "0.weight", "1.bias", "10.weight", "hidden.weight",
                               "aab", "aaac", "a.w", "]a", "abe", "ae",   "abcdcde", "ababc",    "d",      "bac",       "ab.bias",
                               "\\",  "-"};
  for (auto const* const p : patterns) {
    nn::detail::pattern const ours(p);
    std::regex const theirs(p, std::regex::ECMAScript);
    if (std::string_view(p) == "[]a]+") {  // to ECMAScript [] is an empty set, to Python ] is its first
      CHECK((ours.matches("]") && !ours.matches("b")));
      continue;
    }
    for (std::string const text : texts) {
      INFO(p << " on " << text);
      CHECK(ours.matches(text) == std::regex_search(text, theirs, std::regex_constants::match_continuous));
    }
  }
  CHECK(!nn::detail::pattern("((a*)*)*b").matches(std::string(60, 'a')));  // at once
  auto const why = [](std::string const& p) { return message_of([&] { nn::detail::pattern{p}; }); };
  CHECK(why("*a") == "sinter: collect_params cannot read the pattern \"*a\": * follows nothing that could be repeated");
  CHECK(why("a(b") == "sinter: collect_params cannot read the pattern \"a(b\": a ( without a )");
  CHECK(why("a)") == "sinter: collect_params cannot read the pattern \"a)\": a ) without a (");
  CHECK(why("(a))b") == "sinter: collect_params cannot read the pattern \"(a))b\": a ) without a (");
  CHECK(why("[ab") == "sinter: collect_params cannot read the pattern \"[ab\": a [ without a ]");
  CHECK(why("([)") == "sinter: collect_params cannot read the pattern \"([)\": a [ without a ]");
  CHECK(why("a{2}") == "sinter: collect_params cannot read the pattern \"a{2}\": it knows . [] () | * + ? ^ $ and \\ alone");
  CHECK(why("\\d") == "sinter: collect_params cannot read the pattern \"\\d\": a \\ stands before signs alone");
  CHECK(why("a\\") == "sinter: collect_params cannot read the pattern \"a\\\": a \\ at its end");
  for (char const* const p : {"a**", "a|*", "(*a)", "a+?", "(?:a)", "^*"}) CHECK(why(p) != "nothing was thrown");
}

TEST_CASE("apply calls a function on every block, children first") {
  auto net = nn::sequential{model{}, nn::hybrid_concurrent{nn::dense<2>{}, nn::identity{}}, nn::lambda{[](auto x) { return x; }}};
  std::vector<std::string> seen;
  auto& same = net.apply([&](auto& block) {
    std::string const text = text_of(block);
    seen.push_back(text.substr(0, text.find('(')));
  });
  CHECK(&same == &net);
  CHECK(seen == names{"dense", "dense", "model", "dense", "identity", "hybrid_concurrent", "lambda", "sequential"});
  net.apply([]<class B>(B& block) {
    if constexpr (requires { block.bias; }) block.initialize(sinter::init::constant{3});
  });
  CHECK(net.at<1>().at<0>().weight.has_values() == false);
  net.at<1>().at<0>()(f32<1, 2>{1, 1});
  CHECK(net.at<1>().at<0>().weight.data<shape<2, 2>>()(0, 0) == 3);
  int blocks = 0;
  std::as_const(net).apply([&](auto const&) { ++blocks; });
  CHECK(blocks == 8);
  net.hybridize().apply([&](auto const&) { ++blocks; });
  CHECK(blocks == 16);
}

TEST_CASE("constants are no parameters, and are saved") {
  numbers net;
  net.initialize(sinter::init::uniform{}, 3);
  f32<4> const x{1, 1, 1, 2};
  auto const y = both(net, x);
  CHECK(y.to_vector() == std::vector<float>(4, (0 + 1 + 4 + 18) * 3 + 0.5f));
  CHECK(net.summary() == "n int32 (4,): 4\nh (2, 2): 4\nc (): 1\n9 values\n");
  auto const arrays = nn::arrays_of(net);
  numbers other;
  auto const fast = other.hybridize();
  check_same(fast(x), y);
  other.c.set(f32<>{5});
  CHECK(fast(x)(0, 0) == 23 * 5 + 0.5f);
  CHECK(other.collect_params()["c"].to_vector() == std::vector<float>{5});
  other.initialize(sinter::init::constant{7});  // as they begin
  check_same(fast(x), y);
  other.c.set(f32<>{5});
  nn::set_parameters(other, arrays, "memory");
  check_same(fast(x), y);
  static_assert([] {
    numbers n;
    n.initialize();
    return n(f32<4>{1, 1, 1, 2})(1, 1) == 69.5f && n.hybridize()(f32<4>{1, 1, 1, 2})(0, 1) == 69.5f;
  }());
  numbers third;
  third.share_parameters(other);
  other.c.set(f32<>{6});
  CHECK(third(x)(0, 0) == 23 * 6 + 0.5f);
  third.initialize();
  CHECK(other(x)(0, 0) == 69.5f);
}

TEST_CASE("one handle is initialized as asked, whatever its name") {
  nn::dense<4> layer;
  layer.initialize();
  layer(sinter::nd::tensor<float, shape<1, 2>>{});
  layer.collect_params(".*bias")["bias"].initialize(sinter::init::constant{3});
  CHECK(layer.bias.data<shape<4>>()(0) == 3);
  layer.collect_params(".*bias").initialize(sinter::init::constant{3});
  CHECK(layer.bias.data<shape<4>>()(0) == 0);
}

TEST_CASE("patterns of sets, and those that are refused") {
  using nn::detail::pattern;
  CHECK((pattern("[a-]$").matches("-") && pattern("[-a]$").matches("-") && pattern("[a-c-]$").matches("-")));
  CHECK((!pattern("[a-]$").matches("b") && pattern("[a-c-]$").matches("b") && pattern("[]a]$").matches("]")));
  CHECK_THROWS_AS(pattern("[\\w]+"), sinter::error);
  CHECK_THROWS_AS(pattern("[z-a]"), sinter::error);
  CHECK_THROWS_AS(pattern("(((((((a)))))))"), sinter::error);
}
TEST_CASE("a state is saved as it begins where no call has read it") {
  keeps net;
  net.initialize();
  auto const saved = nn::arrays_of(net);
  REQUIRE(saved.size() == 1);
  float first = 0;
  std::memcpy(&first, saved[0].data.data(), sizeof first);
  CHECK(first == 3);
}
