// SPDX-License-Identifier: Apache-2.0
// Tests of how the parameters of a network find their arrays in a file.
#include <sinter/io/match.hpp>
#include <sinter/io/params.hpp>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using io_test::has;

namespace {

io::load_options const extra{.ignore_extra = true}, ordered{.by_order = true}, missing{.allow_missing = true};
constexpr auto f32 = dtype::float32;
using indices = std::vector<int>;
using shape_list = std::vector<extent>;

io::array an_array(std::string name, shape_list shape, dtype type = f32) { return {std::move(name), type, std::move(shape), {}}; }

std::string error_of(std::vector<io::array> const& have, std::vector<io::wanted> const& want, io::load_options const& options = {},
                     io::array_order order = io::array_order::kept) {
  try {
    io::match(have, want, "m.params", options, order);
  } catch (parameter_error const& e) { return e.what(); }
  return "no error";
}
indices matched(std::vector<io::array> const& have, std::vector<io::wanted> const& want, io::load_options const& options = {}) {
  return io::match(have, want, "m.params", options, io::array_order::kept);
}

std::vector<io::array> const mlp = {an_array("arg:dense0_weight", {8, 4}), an_array("arg:dense0_bias", {8}),
                                    an_array("arg:dense1_weight", {2, 8}), an_array("arg:dense1_bias", {2})};
std::vector<io::wanted> const network = {{"0.weight", f32, {8, 4}}, {"0.bias", f32, {8}}, {"2.weight", f32, {2, 8}}, {"2.bias", f32, {2}}};

}  // namespace

TEST_CASE("match: by name, in any order, with and without a prefix") {
  std::vector<io::array> have = {an_array("2.bias", {2}), an_array("arg:0.weight", {8, 4}), an_array("aux:2.weight", {2, 8}),
                                 an_array("0.bias", {8})};
  CHECK(matched(have, network) == indices{1, 3, 2, 0});
  have.push_back(an_array("3.weight", {9}));
  CHECK(has(error_of(have, network),
            "has no parameter for 1 of the 5 arrays of m.params: `3.weight` (float32 (9,)); {.ignore_extra = true} leaves them out"));
  CHECK(matched(have, network, extra) == indices{1, 3, 2, 0});
  have[1].shape = {4, 8};
  CHECK(error_of(have, network, extra) ==
        "sinter: parameter `0.weight` (float32 (8, 4)) does not fit the array of its name in m.params: `arg:0.weight` (float32 (4, 8)); "
        "is it transposed? The weight of a dense layer is (units, inputs), and Keras writes (inputs, units)");
  have[1] = an_array("0.weight", {8, 4}, dtype::float64);
  CHECK(has(error_of(have, network, extra),
            "(float32 (8, 4)) does not fit the array of its name in m.params: `0.weight` (float64 (8, 4)); "
            "{.cast_dtype = true} converts it"));
  CHECK(matched(have, network, {.ignore_extra = true, .cast_dtype = true}) == indices{1, 3, 2, 0});
  CHECK(matched({}, {}).empty());
}

TEST_CASE("match: all that is wrong is in one error") {
  std::vector<io::array> have = {an_array("2.bias", {3}), an_array("0.weight", {4, 8}), an_array("2.weight", {2, 8}, dtype::float64),
                                 an_array("0.bias", {8}), an_array("3.weight", {9})};
  CHECK(
      error_of(have, network) ==
      "sinter: parameters do not fit the arrays of their names in m.params: `0.weight` (float32 (8, 4)) and `0.weight` (float32 (4, 8)), "
      "`2.weight` (float32 (2, 8)) and `2.weight` (float64 (2, 8)), `2.bias` (float32 (2,)) and `2.bias` (float32 (3,)); is it transposed? "
      "The weight of a dense layer is (units, inputs), and Keras writes (inputs, units); {.cast_dtype = true} converts it; no parameter "
      "takes `3.weight` (float32 (9,))");
  CHECK(!has(error_of(have, network, extra), "3.weight"));
  have.erase(have.begin() + 3);
  CHECK(
      error_of(have, network) ==
      "sinter: the names in m.params are not those of the network: missing `0.bias` (float32 (8,)); parameters do not "
      "fit the arrays of their names in m.params: `0.weight` (float32 (8, 4)) and `0.weight` (float32 (4, 8)), `2.weight` (float32 (2, 8)) "
      "and `2.weight` (float64 (2, 8)), `2.bias` (float32 (2,)) and `2.bias` (float32 (3,)); is it transposed? The weight of a dense layer "
      "is (units, inputs), and Keras writes (inputs, units); {.cast_dtype = true} converts it; left over `3.weight` (float32 (9,))");
}

TEST_CASE("match: arrays are renamed by a map or a function") {
  std::vector<io::array> const have = {an_array("fc2.b", {2}), an_array("fc1.w", {8, 4}), an_array("2.weight", {2, 8}),
                                       an_array("fc1.b", {8})};
  std::map<std::string, std::string> const names = {{"fc1.w", "0.weight"}, {"fc1.b", "0.bias"}, {"fc2.b", "2.bias"}};
  CHECK(matched(have, network, {.names = names}) == indices{1, 3, 2, 0});
  CHECK(matched(have, network, {.names = {{"fc1.w", "0.weight"}, {"fc1.b", "0.bias"}, {"fc2.b", "2.bias"}}}) == indices{1, 3, 2, 0});
  CHECK(matched(have, network, {.names = [&](std::string const& name) { return name == "2.weight" ? name : names.at(name); }}) ==
        indices{1, 3, 2, 0});
  CHECK(matched({an_array("x", {8, 4})}, {{"weight", f32, {8, 4}}}, {.names = {{"x", "weight"}}}) == indices{0});
  CHECK(error_of(have, network, {.names = {{"fc1.v", "0.weight"}}}) == "sinter: m.params has no array `fc1.v`, which is to be `0.weight`");
  for (std::string const slip : {"0.wight", "0.weights", "0.wieght", "0.wejght"})
    CHECK(error_of(have, network, {.names = {{"fc1.w", slip}}}) ==
          "sinter: array `fc1.w` of m.params is to be `" + slip + "`, and the network has no such parameter; is `0.weight` meant?");
  for (std::string const other : {"1.weight", "0.w", "w"})  // another layer is no slip of the pen
    CHECK(error_of(have, network, {.names = {{"fc1.w", other}}}) ==
          "sinter: array `fc1.w` of m.params is to be `" + other + "`, and the network has no such parameter");
  // What a map names has that name alone; the others may stand behind a prefix.
  std::vector<io::array> const model = {an_array("model.fc.weight", {8, 4}), an_array("model.ln.bias", {8}),
                                        an_array("model.ln.weight", {8})};
  std::vector<io::wanted> const normed = {{"fc.weight", f32, {8, 4}}, {"ln.gamma", f32, {8}}, {"ln.beta", f32, {8}}};
  CHECK(matched(model, normed, {.names = {{"model.ln.weight", "ln.gamma"}, {"model.ln.bias", "ln.beta"}}}) == indices{0, 2, 1});
  CHECK(matched(model, normed, {.allow_missing = true, .ignore_extra = true, .names = {{"model.ln.bias", "ln.beta"}}}) ==
        indices{0, -1, 1});
  CHECK(matched({model[1]}, normed, {.allow_missing = true, .names = {{"model.ln.bias", "ln.beta"}}}) == indices{-1, -1, 0});
  CHECK(has(error_of(have, network, {.names = {{"fc1.w", "0.bias"}, {"fc1.b", "0.bias"}}}), "two arrays of m.params have the same name"));
}

TEST_CASE("match: what a map names is not counted where the others are taken in order") {
  std::vector<io::array> const have{an_array("first_weight", {4, 4}), an_array("first_bias", {4}), an_array("second_weight", {4, 4}),
                                    an_array("second_bias", {4})};
  std::vector<io::wanted> const want{{"0.weight", f32, {4, 4}}, {"0.bias", f32, {4}}, {"1.weight", f32, {4, 4}}, {"1.bias", f32, {4}}};
  CHECK(matched(have, want, ordered) == indices{0, 1, 2, 3});
  CHECK(matched(have, want, {.by_order = true, .names = {{"first_weight", "1.weight"}, {"first_bias", "1.bias"}}}) == indices{2, 3, 0, 1});
  CHECK(has(error_of(have, {want[0], {"1.weight", f32, {5, 4}}}, {.by_order = true, .names = {{"first_weight", "1.weight"}}}),
            "parameter `1.weight` (float32 (5, 4)) does not fit the array of its name in m.params: `1.weight` (float32 (4, 4))"));
  // The same of names that hold nothing but counters.
  CHECK(matched(mlp, network, {.names = {{"arg:dense1_bias", "2.bias"}}}) == indices{0, 1, 2, 3});
  std::vector<io::array> const alike{an_array("dense0_weight", {4, 4}), an_array("dense1_weight", {4, 4})};
  CHECK(matched(alike, {want[0], want[2]}, {.names = {{"dense0_weight", "1.weight"}}}) == indices{1, 0});
}
TEST_CASE("match: by order, ending and shape") {
  CHECK(matched(mlp, network) == indices{0, 1, 2, 3});
  std::vector<io::wanted> unknown = network;
  unknown[0].shape = {8, unknown_extent};
  unknown[2].shape = {-1, -1};
  CHECK(matched(mlp, unknown) == indices{0, 1, 2, 3});
  unknown[2].shape = {-1};
  CHECK(has(error_of(mlp, unknown), "parameter `2.weight` (float32 (?,)) does not fit array `arg:dense1_weight` (float32 (2, 8))"));
  // Weights first, then biases: the order inside each ending counts.
  CHECK(matched({mlp[0], mlp[2], mlp[1], mlp[3]}, network) == indices{0, 2, 1, 3});
  // Structural names of another numbering, as a network without activation layers has them.
  CHECK(matched({an_array("body.1.weight", {8, 4}), an_array("body.1.bias", {8}), an_array("body.3.weight", {2, 8}),
                 an_array("body.3.bias", {2})},
                network) == indices{0, 1, 2, 3});
}

TEST_CASE("match: endings of several parts") {
  std::vector<io::array> const have = {an_array("arg:net0_bn0_gamma", {4}),         an_array("arg:net0_bn0_beta", {4}),
                                       an_array("aux:net0_bn0_running_mean", {4}),  an_array("aux:net0_bn0_running_var", {4}),
                                       an_array("arg:net0_lstm0_l0_i2h_bias", {4}), an_array("arg:net0_lstm0_l0_h2h_bias", {4}),
                                       an_array("arg:net0_dense0_bias", {4})};
  std::vector<io::wanted> const want = {{"first.bias", f32, {4}},      {"bn.gamma", f32, {4}},       {"bn.beta", f32, {4}},
                                        {"bn.running_mean", f32, {4}}, {"bn.running_var", f32, {4}}, {"lstm.i2h_bias", f32, {4}},
                                        {"lstm.h2h_bias", f32, {4}}};
  CHECK(matched(have, want) == indices{6, 0, 1, 2, 3, 4, 5});
  CHECK(has(error_of({an_array("arg:overweight", {4})}, {{"0.weight", f32, {4}}}),
            "missing `0.weight` (float32 (4,)); left over `arg:overweight`"));
  CHECK(matched({an_array("arg:twoinputs0_w", {5, 5}), an_array("arg:twoinputs0_c", {5})}, {{"w", f32, {5, 5}}, {"c", f32, {5}}}) ==
        indices{0, 1});
}

TEST_CASE("match: what does not fit is said in one sentence") {
  auto wrong = network;
  wrong[2].shape = {3, 8};
  CHECK(error_of(mlp, wrong) ==
        "sinter: parameter `2.weight` (float32 (3, 8)) does not fit array `arg:dense1_weight` (float32 (2, 8)) of m.params, which has its "
        "place in order: "
        "the file has 2 arrays that end in `weight` and the network 2; candidates: `arg:dense0_weight` (float32 (8, 4)), "
        "`arg:dense1_weight` (float32 (2, 8))");
  wrong = network;
  wrong[1].type = dtype::float16;
  CHECK(has(error_of(mlp, wrong), "parameter `0.bias` (float16 (8,)) does not fit array `arg:dense0_bias` (float32 (8,)) of m.params"));
  CHECK(has(
      error_of({mlp[0], mlp[1], mlp[3]}, network),
      "parameter `2.weight` (float32 (2, 8)) has no array left in m.params: the file has 1 arrays that end in `weight` and the network 2"));
  CHECK(has(error_of({mlp[0], mlp[2]}, network),
            "the names in m.params are not those of the network: missing `0.weight` (float32 (8, 4); `arg:dense0_weight` is the only "
            "`weight` that fits), `0.bias`"));
  CHECK(has(error_of({}, network), "missing `0.weight` (float32 (8, 4)), `0.bias` (float32 (8,)), "));
  CHECK(has(error_of({}, network), "{.allow_missing = true} keeps what the network has"));
  CHECK(has(error_of(mlp, {}), "has no parameter for 4 of the 4 arrays of m.params: `arg:dense0_weight`"));
  CHECK(matched(mlp, {}, extra).empty());
  auto unnamed = mlp;
  for (auto& a : unnamed) a.name.clear();
  CHECK(has(error_of(unnamed, network), "the arrays of m.params have no names: parameter `0.weight`"));
  CHECK(has(error_of({an_array("arg:x", {1}), an_array("aux:x", {1})}, {{"x", f32, {1}}}),
            "two arrays of m.params have the same name: `arg:x`"));
  std::vector<io::array> many;
  for (int i = 0; i < 20; ++i) many.push_back(an_array("d" + std::to_string(i) + "_weight", {1}));
  CHECK(has(error_of(many, {{"0.weight", f32, {1}}}), "`d11_weight` (float32 (1,)) and 8 more"));
}

TEST_CASE("match: more arrays than parameters") {
  auto more = mlp;
  more.push_back(an_array("arg:dense2_weight", {2, 2}));
  more.push_back(an_array("arg:dense2_bias", {2}));
  CHECK(has(error_of(more, network),
            "the arrays of m.params are more than the parameters: the file has 3 arrays that end in `weight` and the network 2"));
  CHECK(has(error_of(more, network), "`arg:dense2_weight` (float32 (2, 2))"));
  // The bias of dense1 and that of dense2 have one shape.
  CHECK(error_of(more, network, extra) ==
        "sinter: parameter `2.bias` (float32 (2,)) is ambiguous: in m.params both `arg:dense1_bias` (float32 (2,)) and `arg:dense2_bias` "
        "(float32 (2,)) "
        "could be it, because the file has 3 arrays that end in `bias` and the network 2; give the arrays the names of the network");
  more.back().shape = {3};
  CHECK(matched(more, network, extra) == indices{0, 1, 2, 3});
  CHECK(matched(more, {{"0.weight", f32, {2, 8}}, {"0.bias", f32, {2}}}, extra) == indices{2, 3});
  CHECK(has(error_of(more, {{"0.weight", f32, {7, 7}}}, extra), "parameter `0.weight` (float32 (7, 7)) has no array left in m.params"));
  more = mlp;
  more.push_back(an_array("arg:scale0_gamma", {1}));
  CHECK(has(error_of(more, network), "has no parameter for 1 of the 5 arrays of m.params: `arg:scale0_gamma` (float32 (1,))"));
  CHECK(matched(more, network, extra) == indices{0, 1, 2, 3});
}

TEST_CASE("match: order that contradicts the names is not believed") {
  std::vector<io::wanted> const same = {{"a.weight", f32, {4, 4}}, {"b.weight", f32, {4, 4}}};
  CHECK(matched({an_array("dense9_weight", {4, 4}), an_array("dense10_weight", {4, 4})}, same) == indices{0, 1});
  CHECK(
      error_of({an_array("dense10_weight", {4, 4}), an_array("dense9_weight", {4, 4})}, same) ==
      "sinter: parameter `a.weight` (float32 (4, 4)) is ambiguous: by its place in m.params it is `dense10_weight`, which stands before "
      "`dense9_weight` although its number is larger; say with .names what they are called in the network, or write {.by_order = true} if "
      "the order is right");
  CHECK(matched({an_array("dense10_weight", {4, 4}), an_array("dense9_weight", {4, 4})}, same, ordered) == indices{0, 1});
  // Two numbers: the first that differs counts, and layers in layers have their own.
  CHECK(matched({an_array("cell0_dense1_weight", {4, 4}), an_array("cell1_dense0_weight", {4, 4})}, same) == indices{0, 1});
  CHECK(has(error_of({an_array("cell1_dense0_weight", {4, 4}), an_array("cell0_dense1_weight", {4, 4})}, same),
            "it is `cell1_dense0_weight`, which stands before `cell0_dense1_weight` although its number is larger"));
  CHECK(has(error_of({an_array("cell0_dense0_weight", {4, 4}), an_array("dense0_weight", {4, 4})}, same),
            "parameter `a.weight` (float32 (4, 4)) is ambiguous: by its place in m.params it is `cell0_dense0_weight`, but `dense0_weight` "
            "would fit as well, and no counter tells which comes first"));
  // Three that could move in a circle, with shapes that are not known yet.
  CHECK(has(error_of({an_array("d2_weight", {8, 4}), an_array("d0_weight", {8, 5}), an_array("d1_weight", {6, 4})},
                     {{"a.weight", f32, {-1, 4}}, {"b.weight", f32, {8, -1}}, {"c.weight", f32, {-1, -1}}}),
            "is ambiguous"));
  // Which of three the first is, is not said by the one that stands next.
  std::string const reversed = error_of({an_array("fc3_weight", {4, 4}), an_array("fc2_weight", {4, 4}), an_array("fc1_weight", {4, 4})},
                                        {{"a.weight", f32, {4, 4}}, {"b.weight", f32, {4, 4}}, {"c.weight", f32, {4, 4}}});
  CHECK(has(reversed, "it is `fc3_weight`, which stands before `fc2_weight` although its number is larger; say with .names"));
  // One array that fits two parameters is enough to be in doubt, in either direction.
  CHECK(
      has(error_of({an_array("d1_weight", {8, 4}), an_array("d0_weight", {8, 5})}, {{"a.weight", f32, {8, -1}}, {"b.weight", f32, {8, 5}}}),
          "is ambiguous"));
  CHECK(
      has(error_of({an_array("d1_weight", {8, 4}), an_array("d0_weight", {8, 5})}, {{"a.weight", f32, {8, 4}}, {"b.weight", f32, {8, -1}}}),
          "is ambiguous"));
  // Where the shapes decide, the numbers do not matter.
  CHECK(matched({an_array("dense1_weight", {4, 4}), an_array("dense0_weight", {2, 4})},
                {{"a.weight", f32, {4, 4}}, {"b.weight", f32, {2, 4}}}) == indices{0, 1});

  // The one bias belongs to the first layer of the file and to the second of the network.
  CHECK(has(error_of({an_array("dense0_weight", {4, 4}), an_array("dense0_bias", {4}), an_array("dense1_weight", {4, 4})},
                     {{"0.weight", f32, {4, 4}}, {"1.weight", f32, {4, 4}}, {"1.bias", f32, {4}}}),
            "sinter: parameters `1.weight` and `1.bias` are of one layer, but by order they are `dense1_weight` and `dense0_bias` of "
            "m.params, of different layers"));
  CHECK(has(error_of({an_array("dense0_weight", {4, 4}), an_array("dense0_bias", {4})}, {{"0.weight", f32, {4, 4}}, {"1.bias", f32, {4}}}),
            "parameters `0.weight` and `1.bias` are of different layers, but by order they are `dense0_weight` and `dense0_bias` of "
            "m.params, of one layer"));
}

TEST_CASE("match: names that somebody gave are not passed over") {
  std::vector<io::wanted> const attention = {
      {"query.weight", f32, {8, 8}}, {"key.weight", f32, {8, 8}}, {"value.weight", f32, {8, 8}}, {"out.weight", f32, {8, 8}}};
  std::vector<io::array> const sorted = {an_array("to_k.weight", {8, 8}), an_array("to_o.weight", {8, 8}), an_array("to_q.weight", {8, 8}),
                                         an_array("to_v.weight", {8, 8})};
  CHECK(error_of(sorted, attention) ==
        "sinter: the names in m.params are not those of the network: missing `query.weight` (float32 (8, 8)), "
        "`key.weight` (float32 (8, 8)), `value.weight` (float32 (8, 8)), `out.weight` "
        "(float32 (8, 8)); left over `to_k.weight` (float32 (8, 8)), `to_o.weight` (float32 (8, 8)), `to_q.weight` "
        "(float32 (8, 8)), `to_v.weight` (float32 (8, 8)); say with .names what they are called in the network: .names = "
        "{{\"to_k.weight\", \"its name in the network\"}}, and so on, or write {.by_order = true} if the order is right, or "
        "{.allow_missing = true} to keep what it has");
  CHECK(matched(sorted, attention, ordered) == indices{0, 1, 2, 3});
  CHECK(has(error_of(sorted, attention, extra), "the names in m.params are not those"));
  CHECK(has(error_of({an_array("q_weight", {4, 4}), an_array("k_weight", {4, 4})}, {{"a.weight", f32, {4, 4}}, {"b.weight", f32, {4, 4}}}),
            "are not those of the network"));
  // Even where the shapes would decide: it is another network's file.
  CHECK(has(error_of({an_array("encoder.weight", {8, 4}), an_array("decoder.weight", {4, 8})},
                     {{"hidden.weight", f32, {8, 4}}, {"output.weight", f32, {4, 8}}}),
            "are not those of the network"));
  // A layer alone, under another name.
  CHECK(has(
      error_of({an_array("to_q.weight", {8, 8}), an_array("to_q.bias", {8})}, {{"query.weight", f32, {8, 8}}, {"query.bias", f32, {8}}}),
      "are not those of the network"));
  // Some names are there, some are not.
  CHECK(error_of({an_array("hidden.weight", {4, 4}), an_array("out.weight", {4, 4})},
                 {{"hidden.weight", f32, {4, 4}}, {"output.weight", f32, {4, 4}}}) ==
        "sinter: the names in m.params are not those of the network: missing `output.weight` (float32 (4, 4)); left "
        "over `out.weight` (float32 (4, 4)); say with .names what they are called in the network: .names = {{\"out.weight\", \"its name in "
        "the network\"}}, or write {.by_order = true} if the order is right, or {.allow_missing = true} to keep what it has");
  // Numbered with the activations here, without them there: `3.weight` is in both, and `1.weight` is not.
  std::vector<io::wanted> const three = {{"0.weight", f32, {4, 4}}, {"1.weight", f32, {4, 4}}, {"3.weight", f32, {4, 4}}};
  std::vector<io::array> const other = {an_array("0.weight", {4, 4}), an_array("2.weight", {4, 4}), an_array("3.weight", {4, 4})};
  CHECK(has(error_of(other, three), "missing `1.weight` (float32 (4, 4)); left over `2.weight`"));
  CHECK(matched(other, three, ordered) == indices{0, 1, 2});
}

TEST_CASE("match: the weight and the bias of a norm of PyTorch are proposed for its gamma and beta") {
  std::vector<io::wanted> const want = {
      {"bn1.gamma", f32, {4}}, {"bn1.beta", f32, {4}}, {"bn1.running_mean", f32, {4}}, {"fc.weight", f32, {4, 4}}};
  std::vector<io::array> const have = {an_array("bn1.bias", {4}), an_array("bn1.running_mean", {4}), an_array("bn1.weight", {4}),
                                       an_array("fc.weight", {4, 4})};
  CHECK(error_of(have, want) ==
        "sinter: the names in m.params are not those of the network: missing `bn1.gamma` (float32 (4,); `bn1.weight` is PyTorch's name for "
        "it), `bn1.beta` (float32 (4,); `bn1.bias` is PyTorch's name for it); left over `bn1.bias` (float32 (4,)), `bn1.weight` (float32 "
        "(4,)); say with .names what they "
        "are called in the network: .names = {{\"bn1.weight\", \"bn1.gamma\"}, {\"bn1.bias\", \"bn1.beta\"}}, or write {.by_order = "
        "true} if the order is right, or {.allow_missing = true} to keep what it has");
  CHECK(matched(have, want, {.names = {{"bn1.weight", "bn1.gamma"}, {"bn1.bias", "bn1.beta"}}}) == indices{2, 0, 1, 3});
  // Behind a prefix, and of several norms.
  std::vector<io::wanted> const two = {{"a.gamma", f32, {4}}, {"b.gamma", f32, {4}}, {"c.gamma", f32, {4}}, {"fc.weight", f32, {4, 4}}};
  std::vector<io::array> const model = {an_array("m.c.weight", {4}), an_array("m.b.weight", {4}), an_array("m.a.weight", {4}),
                                        an_array("m.fc.weight", {4, 4})};
  CHECK(has(error_of(model, two),
            "missing `a.gamma` (float32 (4,); `m.a.weight` is PyTorch's name for it), `b.gamma` (float32 (4,); `m.b.weight` is "));
  CHECK(has(error_of(model, two), ": .names = {{\"m.a.weight\", \"a.gamma\"}, {\"m.b.weight\", \"b.gamma\"}}, and so on, or write"));
  CHECK(!has(error_of(model, two, {.names = [](std::string const& name) { return name; }}), ".names = {{"));
}

TEST_CASE("match: a file that is sorted by name is not offered an order") {
  std::vector<io::array> const have = {an_array("a.weight", {4, 4}), an_array("b.weight", {4, 4})};
  std::vector<io::wanted> const want = {{"b.weight", f32, {4, 4}}, {"c.weight", f32, {4, 4}}};
  CHECK(has(error_of(have, want), "{.by_order = true}"));
  try {
    io::match(have, want, "m.safetensors", {}, io::array_order::sorted);
    FAIL("nothing was thrown");
  } catch (parameter_error const& e) {
    CHECK(std::string(e.what()) ==
          "sinter: the names in m.safetensors are not those of the network: missing `c.weight` (float32 (4, 4)); left over `a.weight` "
          "(float32 "
          "(4, 4)); say with .names what they are called in the network: .names = {{\"a.weight\", \"its name in the network\"}}, or "
          "{.allow_missing = true} to keep what it has");
  }
}

TEST_CASE("match: order counts in a file that keeps it alone") {
  std::vector<io::array> const counted = {an_array("dense1.bias", {4}), an_array("dense1.weight", {4, 4}), an_array("dense2.bias", {4}),
                                          an_array("dense2.weight", {4, 4})};
  std::vector<io::wanted> const coder = {
      {"encode.weight", f32, {4, 4}}, {"encode.bias", f32, {4}}, {"decode.weight", f32, {4, 4}}, {"decode.bias", f32, {4}}};
  CHECK(matched(counted, coder) == indices{1, 0, 3, 2});
  std::string const differ =
      "sinter: the names in m.params are not those of the network: missing `encode.weight` (float32 (4, 4)), `encode.bias` (float32 "
      "(4,)), `decode.weight` (float32 (4, 4)), `decode.bias` (float32 (4,)); left over `dense1.bias` (float32 (4,)), `dense1.weight` "
      "(float32 (4, 4)), `dense2.bias` (float32 (4,)), `dense2.weight` (float32 (4, 4)); say with .names what they are called in the "
      "network: .names = {{\"dense1.bias\", \"its name in the network\"}}, and so on";
  CHECK(error_of(counted, coder, {}, io::array_order::sorted) == differ + ", or {.allow_missing = true} to keep what it has");
  CHECK(error_of(counted, coder, {}, io::array_order::unknown) ==
        differ + ", or write {.by_order = true} if the order is right, or {.allow_missing = true} to keep what it has");
  CHECK(io::match(counted, coder, "arrays", ordered) == indices{1, 0, 3, 2});  // who says so
  // Not even where shapes would tell: it is another network's file. They are proposed.
  std::vector<io::array> const apart = {an_array("dense1.weight", {8, 4}), an_array("dense2.weight", {2, 8})};
  std::vector<io::wanted> const turned = {{"decode.weight", f32, {2, -1}}, {"encode.weight", f32, {8, -1}}};
  CHECK(has(error_of(apart, turned, {}, io::array_order::sorted),
            "missing `decode.weight` (float32 (2, ?); `dense2.weight` is the only `weight` that fits), `encode.weight` (float32 (8, ?); "
            "`dense1.weight` is the only `weight` that fits); left over"));
  CHECK(has(error_of(apart, turned, {}, io::array_order::sorted),
            ": .names = {{\"dense2.weight\", \"decode.weight\"}, {\"dense1.weight\", \"encode.weight\"}}, or {.allow_missing"));
  // Nor for what MXNet's names are in a sequence, or a single ending.
  CHECK(error_of(mlp, network, {}, io::array_order::sorted) != "no error");
  CHECK(error_of({mlp[0], mlp[2]}, {{"0.weight", f32, {8, 4}}, {"1.weight", f32, {2, 8}}}, {}, io::array_order::unknown) != "no error");
  for (auto const& options : {missing, extra, io::load_options{.allow_missing = true, .ignore_extra = true}})
    CHECK(error_of(counted, coder, options, io::array_order::sorted) != "no error");
}

TEST_CASE("match: the numbers of a sequence may leave out others") {
  auto const weights = [](std::vector<std::string> const& names, shape_list const& shape = {4, 4}) {
    std::vector<io::array> r;
    for (auto const& name : names) r.push_back(an_array(name, shape));
    return r;
  };
  auto const wants = [](std::vector<std::string> const& names, shape_list const& shape = {4, 4}) {
    std::vector<io::wanted> r;
    for (auto const& name : names) r.push_back({name, f32, shape});
    return r;
  };
  auto const three = wants({"0.weight", "1.weight", "2.weight"});
  for (auto const order : {io::array_order::sorted, io::array_order::kept, io::array_order::unknown}) {
    auto const in = [&](std::vector<std::string> const& names, std::vector<io::wanted> const& want, io::load_options const& options = {}) {
      return io::match(weights(names), want, "m.params", options, order);
    };
    // PyTorch's activations have numbers.
    CHECK(in({"0.weight", "2.weight", "4.weight"}, three) == indices{0, 1, 2});
    CHECK(in({"4.weight", "0.weight", "2.weight"}, three) == indices{1, 2, 0});
    CHECK(in({"net.12.weight", "net.10.weight", "net.9.weight"}, three) == indices{2, 1, 0});  // as numbers, not as text
    CHECK(in({"0.weight", "1.weight", "2.weight"}, wants({"0.weight", "2.weight", "4.weight"})) == indices{0, 1, 2});
    CHECK(in({"model.layers.0.weight", "model.layers.2.weight", "model.layers.3.weight", "x"}, three, extra) == indices{0, 1, 2});
    CHECK(in({"0.weight", "2.weight", "4.weight"}, three, {.allow_missing = true, .ignore_extra = true}) == indices{0, 1, 2});
    CHECK(in({"0.weight", "2.weight", "4.weight"}, three, missing) == indices{0, 1, 2});
    // Sequences in sequences, and beside others.
    CHECK(in({"0.0.weight", "0.3.weight", "2.1.weight", "2.2.weight", "out.weight"},
             wants({"1.0.weight", "1.1.weight", "0.0.weight", "0.1.weight", "out.weight"})) == indices{2, 3, 0, 1, 4});
    CHECK(in({"a.2.weight", "a.0.weight", "b.1.weight", "b.0.weight"}, wants({"b.0.weight", "a.0.weight", "a.1.weight", "b.1.weight"})) ==
          indices{3, 1, 0, 2});
  }
  // Another number of children, and numbers left out here and there: which is which is not ours to say, nor to propose.
  auto const refused = [&](std::vector<std::string> const& names, io::load_options const& options = {}) {
    std::string const error = error_of(weights(names), three, options);
    CHECK(has(error, "are not those of the network: missing "));
    CHECK(!has(error, "its place"));
    return error;
  };
  for (auto const& options : {io::load_options{}, extra, io::load_options{.allow_missing = true, .ignore_extra = true}})
    CHECK(has(refused({"0.weight", "2.weight", "4.weight", "6.weight"}, options),
              "missing `1.weight` (float32 (4, 4)); left over `4.weight` (float32 (4, 4)), `6.weight` (float32 (4, 4)); file and "
              "network leave out different numbers of a sequence, so that the same number need not be the same layer; say with .names"));
  CHECK(error_of(weights({"0.weight", "2.weight", "4.weight", "6.weight"}), three, missing) != "no error");
  refused({"0.weight", "2.weight", "3.weight", "5.weight"});
  CHECK(has(error_of(weights({"0.weight", "2.weight", "3.weight"}), wants({"0.weight", "1.weight", "3.weight"})), "missing `1.weight`"));
  CHECK(has(error_of(weights({"layer_0.weight", "layer_2.weight"}), wants({"layer_0.weight", "layer_1.weight"})),
            "missing `layer_1.weight`"));
  CHECK(has(error_of(weights({"00.weight", "2.weight"}), wants({"0.weight", "1.weight"}), {}, io::array_order::sorted), "missing "));
  // A head that was replaced is no other numbering.
  auto headed = wants({"0.weight", "2.weight", "5.weight"});
  CHECK(matched(weights({"0.weight", "2.weight", "4.weight"}), headed) == indices{0, 1, 2});
  headed[2].shape = {9, 4};
  CHECK(matched(weights({"0.weight", "2.weight", "4.weight"}), headed, {.allow_missing = true, .ignore_extra = true}) == indices{0, 1, -1});
  // Two networks in one file, and a sequence of its exact names.
  CHECK(has(error_of(weights({"a.0.weight", "a.2.weight", "b.0.weight", "b.2.weight"}), wants({"0.weight", "1.weight"}), extra),
            "the network is ambiguous: m.params has its names behind more than one prefix"));
  CHECK(matched(weights({"a.0.weight", "a.2.weight", "0.weight", "1.weight"}), wants({"0.weight", "1.weight"}), extra) == indices{2, 3});
  CHECK(has(error_of(weights({"a.0.weight", "a.2.weight", "0.weight"}), wants({"0.weight", "1.weight"}), extra), "missing `1.weight`"));
  // The names behind one prefix, the order behind another.
  for (std::vector<std::string> const& others : {std::vector<std::string>{"opt.0.weight", "opt.1.weight", "m.0.weight", "m.2.weight"},
                                                 {"m.0.weight", "m.2.weight", "opt.0.weight", "opt.1.weight"}})
    CHECK(has(error_of(weights(others), wants({"0.weight", "1.weight"}), extra),
              "the network is ambiguous: m.params has its names behind more than one prefix"));
  CHECK(matched(weights({"opt.0.weight", "opt.1.weight", "m.0.weight", "m.2.weight", "m.4.weight"}), wants({"0.weight", "1.weight"}),
                extra) == indices{0, 1});
  // What may lack some, or have others: an array that has the name of a parameter, and its place in order as another.
  io::load_options const some{.allow_missing = true, .ignore_extra = true};
  for (auto const& options : {missing, some}) {
    CHECK(
        has(refused({"0.weight", "2.weight"}, options),
            "missing `1.weight` (float32 (4, 4)); file and network leave out different numbers of a sequence, so that the same number need "
            "not be the same layer; say with .names what they are called in the network: .names = {{\"0.weight\", \"its name in the "
            "network\"}}"));
    refused({"net.0.weight", "net.2.weight"}, options);
    CHECK(has(error_of(weights({"1.weight", "2.weight"}), wants({"0.weight", "1.weight"}), options), "missing `0.weight`"));
    CHECK(matched(weights({"1.weight", "2.weight"}), three, options) == indices{-1, 0, 1});  // no number is left out
    CHECK(matched(weights({"0.weight", "1.weight"}), three, options) == indices{0, 1, -1});
    CHECK(matched(weights({"1.weight"}), three, options) == indices{-1, 0, -1});
  }
  CHECK(matched(weights({"0.weight", "2.weight"}), three, {.allow_missing = true, .names = {{"2.weight", "2.weight"}}}) ==
        indices{0, -1, 1});
  auto other_shape = three;
  other_shape[1].shape = {4, 9};
  CHECK(matched(weights({"0.weight", "2.weight"}), other_shape, missing) == indices{0, -1, 1});
  // Shapes must agree, and dtypes.
  auto file = weights({"0.weight", "2.weight", "4.weight"});
  file[1].shape = {4, 5};
  CHECK(
      has(error_of(file, three),
          "missing `1.weight` (float32 (4, 4)), `2.weight` (float32 (4, 4); `4.weight` has its place in the order of the numbers); left "));
  file = weights({"0.weight", "2.weight", "4.weight"});
  file[2].type = dtype::float64;
  CHECK(has(error_of(file, three), "(float64 (4, 4)); {.cast_dtype = true} converts it"));
  CHECK(matched(file, three, {.cast_dtype = true}) == indices{0, 1, 2});
}

TEST_CASE("match: what PyTorch and MXNet call otherwise is proposed by its place") {
  // Of equal shapes, in the worst order.
  auto const lstm = [](std::string const& at) {
    return std::vector<io::wanted>{
        {at + "i2h_weight", f32, {8, 8}}, {at + "h2h_weight", f32, {8, 8}}, {at + "i2h_bias", f32, {8}}, {at + "h2h_bias", f32, {8}}};
  };
  auto const torch = [](std::string const& end) {
    return std::vector<io::array>{an_array("memory.bias_hh" + end, {8}), an_array("memory.bias_ih" + end, {8}),
                                  an_array("memory.weight_hh" + end, {8, 8}), an_array("memory.weight_ih" + end, {8, 8})};
  };
  auto const says = [](std::vector<io::array> const& have, std::vector<io::wanted> const& want, std::vector<std::string> const& names,
                       std::string const& reason) {
    std::string const error = error_of(have, want, {}, io::array_order::sorted);
    INFO(error);
    for (std::size_t i = 0; i < want.size(); ++i)
      CHECK(has(error, "`" + want[i].name + "` (float32 " + io::to_string(want[i].shape) + "; `" + names[i] + "` " + reason + ")"));
  };
  std::string const of_torch = "is PyTorch's name for it";
  says(torch("_l0"), lstm("memory.0."), {"memory.weight_ih_l0", "memory.weight_hh_l0", "memory.bias_ih_l0", "memory.bias_hh_l0"}, of_torch);
  says(torch("_l0"), lstm("0."), {"memory.weight_ih_l0", "memory.weight_hh_l0", "memory.bias_ih_l0", "memory.bias_hh_l0"}, of_torch);
  says(torch(""), lstm("memory."), {"memory.weight_ih", "memory.weight_hh", "memory.bias_ih", "memory.bias_hh"}, of_torch);
  auto both = lstm("0.");
  for (std::string const at : {"1.", "2.", "3."})
    for (auto const& w : lstm(at)) both.push_back(w);
  std::vector<io::array> two;
  std::vector<std::string> names;
  for (std::string const end : {"_l0", "_l0_reverse", "_l1", "_l1_reverse"}) {
    auto const some = torch(end);
    two.insert(two.begin(), some.begin(), some.end());
    for (int i : {3, 2, 1, 0}) names.push_back(some[static_cast<std::size_t>(i)].name);
  }
  std::string const of_two = error_of(two, both), both_ways = " in a layer of both directions";
  for (std::size_t i = 0; i < 12; ++i)  // as many as are listed
    CHECK(has(of_two,
              "`" + both[i].name + "` (float32 " + io::to_string(both[i].shape) + "; `" + names[i] + "` " + of_torch + both_ways + ")"));
  // Two cells may be two layers or two directions: the reason says which they are in the file.
  std::vector<io::array> layered = torch("_l0");
  for (auto const& a : torch("_l1")) layered.push_back(a);
  CHECK(has(error_of(layered, {both.begin(), both.begin() + 8}), "`memory.weight_ih_l1` " + of_torch + " in layers of one direction)"));
  // A weight alone is that of a norm, or of a PReLU where the network has one.
  says({an_array("0.weight", {4})}, {{"0.alpha", f32, {4}}}, {"0.weight"}, of_torch);
  says({an_array("0.weight", {4})}, {{"0.gamma", f32, {4}}}, {"0.weight"}, of_torch);
  says({an_array("0.weight", {4}), an_array("0.bias", {4}), an_array("1.weight", {4})},
       {{"0.gamma", f32, {4}}, {"0.beta", f32, {4}}, {"1.alpha", f32, {4}}}, {"0.weight", "0.bias", "1.weight"}, of_torch);
  // The only array to fit is none for two parameters, whichever of them comes first.
  std::vector<io::wanted> const twins{{"b.weight", f32, {5}}, {"c.weight", f32, {5}}};
  CHECK(!has(error_of({an_array("x.weight", {5}), an_array("y.weight", {6})}, twins), "that fits"));
  says({an_array("l0_h2h_weight", {8, 8}), an_array("r0_h2h_weight", {8, 8}), an_array("r0_i2h_weight", {8, 8}),
        an_array("l0_i2h_weight", {8, 8})},
       {{"0.i2h_weight", f32, {8, 8}}, {"0.h2h_weight", f32, {8, 8}}, {"1.i2h_weight", f32, {8, 8}}, {"1.h2h_weight", f32, {8, 8}}},
       {"l0_i2h_weight", "l0_h2h_weight", "r0_i2h_weight", "r0_h2h_weight"}, "is MXNet's name for it" + both_ways);
  // Norms in a sequence whose numbers leave out others: all of one extent.
  std::vector<io::array> const sequence = {
      an_array("0.bias", {4}),         an_array("0.weight", {4, 4}),   an_array("2.bias", {4}),   an_array("2.num_batches_tracked", {}),
      an_array("2.running_mean", {4}), an_array("2.running_var", {4}), an_array("2.weight", {4}), an_array("3.bias", {4}),
      an_array("3.weight", {4, 4})};
  std::vector<io::wanted> const layers = {{"0.weight", f32, {4, 4}}, {"0.bias", f32, {4}},         {"1.gamma", f32, {4}},
                                          {"1.beta", f32, {4}},      {"1.running_mean", f32, {4}}, {"1.running_var", f32, {4}},
                                          {"2.weight", f32, {4, 4}}, {"2.bias", f32, {4}}};
  std::string const error = error_of(sequence, layers);
  INFO(error);
  CHECK(
      has(error,
          "missing `1.gamma` (float32 (4,); `2.weight` is PyTorch's name for it, and has its place in the order of the numbers), `1.beta` "
          "(float32 (4,); `2.bias` is PyTorch's name for it, and has its place in the order of the numbers), `1.running_mean` (float32 "
          "(4,); `2.running_mean` has its place in the order of the numbers), `1.running_var` (float32 (4,); `2.running_var` has its "
          "place in the order of the numbers), `2.weight` (float32 (4, 4); `3.weight` has its place in the order of the numbers), "
          "`2.bias` (float32 (4,); `3.bias` has its place in the order of the numbers); left over"));
  CHECK(has(error, ": .names = {{\"2.weight\", \"1.gamma\"}, {\"2.bias\", \"1.beta\"}}, and so on"));
  // The names of the norm are enough: the others are found by their numbers.
  CHECK(matched(sequence, layers, {.ignore_extra = true, .names = {{"2.weight", "1.gamma"}, {"2.bias", "1.beta"}}}) ==
        indices{1, 0, 6, 2, 4, 5, 8, 7});
}

TEST_CASE("match: a prefix that all share, and other signs between the parts") {
  std::vector<io::wanted> const want = {{"hidden.weight", f32, {4, 4}}, {"output.weight", f32, {4, 4}}};
  CHECK(matched({an_array("arg:net0_output_weight", {4, 4}), an_array("arg:net0_hidden_weight", {4, 4})}, want) == indices{1, 0});
  CHECK(matched({an_array("model/output/weight", {4, 4}), an_array("model/hidden/weight", {4, 4})}, want) == indices{1, 0});
  // Members that are called like MXNet's layers, in another order.
  CHECK(matched({an_array("dense0_weight", {4, 4}), an_array("dense1_weight", {4, 4})},
                {{"dense1.weight", f32, {4, 4}}, {"dense0.weight", f32, {4, 4}}}) == indices{1, 0});
  CHECK(has(error_of({an_array("dense0_weight", {4, 4}), an_array("dense1_weight", {4, 4}), an_array("dense2_weight", {4, 4})},
                     {{"dense1.weight", f32, {4, 4}}, {"dense0.weight", f32, {4, 4}}, {"head.weight", f32, {4, 4}}}),
            "missing `head.weight` (float32 (4, 4)); left over `dense2_weight`"));
  // Two networks in one file.
  std::vector<io::array> const two = {an_array("a.hidden.weight", {4, 4}), an_array("a.output.weight", {4, 4}),
                                      an_array("b.hidden.weight", {4, 4}), an_array("b.output.weight", {4, 4})};
  CHECK(has(error_of(two, want, extra), "the network is ambiguous: m.params has its names behind more than one prefix, among them"));
  auto exact = two;
  exact.push_back(an_array("hidden.weight", {4, 4}));
  exact.push_back(an_array("output.weight", {4, 4}));
  CHECK(matched(exact, want, extra) == indices{4, 5});
  CHECK(has(error_of({an_array("dense0_weight", {4, 4}), an_array("dense1_weight", {4, 4})}, {{"weight", f32, {4, 4}}}, extra),
            "is ambiguous"));
  CHECK(matched({an_array("dense0_weight", {4, 4}), an_array("dense0_bias", {4})}, {{"weight", f32, {4, 4}}, {"bias", f32, {4}}}) ==
        indices{0, 1});
}

TEST_CASE("match: a prefix is no guess where a parameter has its own name, or only some names have it") {
  std::vector<io::wanted> const want = {{"stem.weight", f32, {4, 4}}, {"out.weight", f32, {4, 4}}};
  std::vector<io::array> const coded = {an_array("encoder.stem.weight", {4, 4}), an_array("encoder.out.weight", {4, 4}),
                                        an_array("out.weight", {4, 4})};
  CHECK(has(error_of(coded, want, extra), "missing `stem.weight` (float32 (4, 4)); left over `encoder.stem.weight`"));
  CHECK(has(error_of(coded, want), "missing `stem.weight` (float32 (4, 4)); left over `encoder.stem.weight`"));
  CHECK(matched(coded, want, {.allow_missing = true, .ignore_extra = true}) == indices{-1, 2});
  CHECK(matched(coded, want, {.ignore_extra = true, .names = {{"encoder.stem.weight", "stem.weight"}}}) == indices{0, 2});
  // All of them, and no exact name: a part of the file's network is loaded.
  std::vector<io::array> const part = {coded[0], coded[1], an_array("head.weight", {4, 4})};
  CHECK(matched(part, want, extra) == indices{0, 1});
  CHECK(has(error_of(part, want), "has no parameter for 1 of the 3 arrays of m.params: `head.weight`"));
  // Some of them, in the file of another network.
  std::vector<io::array> const other = {an_array("features.0.weight", {4, 4}), an_array("classifier.out.weight", {4, 4})};
  std::string const of_another = "the names in m.params are not those of the network: missing ";
  CHECK(has(error_of(other, want, {.allow_missing = true, .ignore_extra = true}), of_another));
  CHECK(has(error_of(other, want, missing), of_another));
  CHECK(has(error_of(part, want, {.allow_missing = true, .ignore_extra = true}), of_another));
  // A prefix that all share says whose they are.
  CHECK(matched({an_array("net.out.weight", {4, 4}), an_array("net.head.weight", {4, 4})}, want,
                {.allow_missing = true, .ignore_extra = true}) == indices{-1, 0});
}

TEST_CASE("match: one array is not two parameters") {
  CHECK(has(error_of({an_array("x_a_b", {4})}, {{"x.a_b", f32, {4}}, {"x.a.b", f32, {4}}}),
            "parameter `x.a_b` (float32 (4,)) and parameter `x.a.b` (float32 (4,)) would both be `x_a_b` (float32 (4,)) of m.params"));
  CHECK(matched({an_array("x.a.b", {4}), an_array("x.a_b", {4})}, {{"x.a_b", f32, {4}}, {"x.a.b", f32, {4}}}) == indices{1, 0});
}

TEST_CASE("match: parameters that the file lacks") {
  std::vector<io::array> have = {an_array("2.bias", {2}), an_array("0.weight", {8, 4})};
  CHECK(has(error_of(have, network),
            "missing `0.bias` (float32 (8,)), `2.weight` (float32 (2, 8)); "
            "{.allow_missing = true} keeps what the network has"));
  CHECK(matched(have, network, missing) == indices{1, -1, -1, 0});
  have.push_back(an_array("4.weight", {8, 4}));
  CHECK(has(error_of(have, network, missing), "has no parameter for 1 of the 3 arrays"));
  CHECK(matched(have, network, {.allow_missing = true, .ignore_extra = true}) == indices{1, -1, -1, 0});
  have[0].shape = {3};
  CHECK(has(error_of(have, network, {.allow_missing = true, .ignore_extra = true}), "does not fit the array of its name"));
  // A file that has none of the parameters is another network's, not one that lacks some.
  CHECK(has(error_of({an_array("encoder.weight", {8, 4})}, network, {.allow_missing = true, .ignore_extra = true}),
            "are not those of the network"));
  CHECK(has(error_of({}, network, missing), "are not those of the network"));
  // Names that all agree say more than an order.
  std::vector<io::array> const shuffled{an_array("1.weight", {4, 4}), an_array("0.weight", {4, 4})};
  std::vector<io::wanted> const two{{"0.weight", f32, {4, 4}}, {"1.weight", f32, {4, 4}}};
  CHECK(matched(shuffled, two, ordered) == indices{1, 0});
  // An exact name is no part of a longer one.
  CHECK(matched({an_array("a.weight", {4}), an_array("b.a.weight", {4})},
                {{"a.weight", f32, {4}}, {"b.a.weight", f32, {4}}, {"unused", f32, {4}}}, missing) == indices{0, 1, -1});
  // By order nobody knows which one is missing.
  CHECK(has(error_of({mlp[0], mlp[1]}, network, {.allow_missing = true, .by_order = true}), "has no array left in m.params"));
  CHECK(has(error_of({mlp[0], mlp[1]}, network, {.allow_missing = true, .by_order = true}),
            "{.allow_missing = true} needs names, because in order nothing says which array is missing"));
  auto unnamed = mlp;
  for (auto& a : unnamed) a.name.clear();
  CHECK(matched(unnamed, network, ordered) == indices{0, 1, 2, 3});
  // NumPy's names for what nobody named.
  auto numpys = mlp;
  for (std::size_t i = 0; i < numpys.size(); ++i) numpys[i].name = "arr_" + std::to_string(i);
  CHECK(has(error_of(numpys, network),
            "the arrays of m.params have no names: parameter `0.weight` (float32 (8, 4)) cannot be found; write "
            "{.by_order = true} if they lie in the order of the parameters"));
  CHECK(matched(numpys, network, ordered) == indices{0, 1, 2, 3});
  CHECK(matched({an_array("arr_0", {4})}, {{"arr_0", f32, {4}}}) == indices{0});
  unnamed.pop_back();
  CHECK(has(error_of(unnamed, network, ordered), "has no array left in m.params: the file has 3 arrays and the network 4; candidates: "));
}

TEST_CASE("match: files of MXNet") {
  auto const digits = io::read_params(SINTER_SOURCE_DIR "/examples/data/digits-mlp-0000.params");
  CHECK(matched(digits, {{"0.weight", f32, {128, 64}},
                         {"0.bias", f32, {128}},
                         {"2.weight", f32, {64, 128}},
                         {"2.bias", f32, {64}},
                         {"4.weight", f32, {10, 64}},
                         {"4.bias", f32, {10}}}) == indices{0, 1, 2, 3, 4, 5});
  auto const hybrid = io::read_params(SINTER_SOURCE_DIR "/test/data/models/hybrid-net/hybrid-net-0000.params");
  CHECK(matched(hybrid, {{"hidden.weight", f32, {10, unknown_extent}},
                         {"hidden.bias", f32, {10}},
                         {"out.weight", f32, {2, 10}},
                         {"out.bias", f32, {2}}}) == indices{0, 1, 2, 3});
}
