// SPDX-License-Identifier: Apache-2.0
// MXNet's symbol JSON: MXNet's outputs for what it wrote, the same bytes when it is written again, and errors for what is none.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/io/npy.hpp>
#include <sinter/nn/layers/convolution.hpp>
#include <sinter/nn/layers/images.hpp>
#include <sinter/nn/layers/norms.hpp>
#include <sinter/nn/layers/pooling.hpp>
#include <sinter/nn/layers/transformer.hpp>
#include <sinter/nn/layers/transposed.hpp>
#include <sinter/nn/save.hpp>
#include <sinter/symbol.hpp>
#include <sinter/symbol/one_file.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "../catch.hpp"

using namespace sinter;

namespace {

std::string const data = SINTER_SOURCE_DIR "/test/data/";

double element(sym::array const& a, extent i) {
  return with_type(a.type(), [&]<class T>(T*) { return static_cast<double>(reinterpret_cast<T const*>(a.data())[i]); });
}
// Of the same dtype and shape, and nearly the same elements.
void same(sym::array const& got, sym::array const& want, double margin) {
  CHECK(name_of(got.type()) == name_of(want.type()));
  REQUIRE(got.shape() == want.shape());
  for (extent i = 0; i < got.shape().size(); ++i) {
    double const a = element(got, i), b = element(want, i);
    if (!(std::isnan(a) && std::isnan(b))) CHECK(a == Approx(b).margin(margin).epsilon(1e-5));
  }
}

}  // namespace

TEST_CASE("operations that MXNet wrote give its outputs") {
  auto const all = nlohmann::json::parse(sym::text_of_file(data + "symbol/cases.json"));
  sym::arrays_by_name arrays;
  for (io::array const& a : io::read_params(data + "symbol/cases.params")) arrays.emplace(a.name, sym::array_of(a));
  CHECK(all.size() > 150);
  for (auto const& [name, graph] : all.items()) {
    INFO(name);
    try {
      symbol const s = symbol::load_json(graph.dump());
      sym::arrays_by_name in;
      for (std::string const& v : s.list_arguments()) in.emplace(v, arrays.at(name + "/" + v));
      auto const y = s.eval(in);
      for (std::size_t i = 0; i < y.size(); ++i) same(y[i], arrays.at(name + "/out" + std::to_string(i)), 2e-6);
      CHECK_FALSE(arrays.contains(name + "/out" + std::to_string(y.size())));
      CHECK(symbol::load_json(s.tojson()).tojson() == s.tojson());
    } catch (error const& e) { FAIL_CHECK(e.what()); }
  }
}

namespace {

std::string const models = data + "models/";
std::string model(std::string const& name) { return models + name + "/" + name; }
sym::array read(std::string const& path) { return sym::array_of(io::read_npy(path)); }

// The first pictures of the digits, as the network takes them.
sym::array pictures(extent n, dims const& shape) {
  sym::array r(dtype::float32, shape);
  std::ifstream file(SINTER_SOURCE_DIR "/examples/data/digits.csv");
  std::string line;
  std::getline(file, line);  // the names of the columns
  for (extent i = 0; i < n * 64; ++i) {
    std::getline(file, line, ',');
    reinterpret_cast<float*>(r.data())[i] = std::stof(line) / 16;
    if (i % 64 == 63) std::getline(file, line);  // the label
  }
  return r;
}
sym::array first_rows(sym::array const& all, extent n) {
  dims shape = all.shape();
  shape.d[0] = n;
  sym::array r(all.type(), shape);
  std::memcpy(r.data(), all.data(), static_cast<std::size_t>(shape.size() * bytes_of(all.type())));
  return r;
}

// The graph of the fact sheet: 4-3-2 with known numbers.
char const* const small = R"json({"nodes": [
 {"op": "null", "name": "data", "inputs": []},
 {"op": "null", "name": "w1", "attrs": {"__dtype__": "0", "__shape__": "(3, 4)"}, "inputs": []},
 {"op": "null", "name": "b1", "attrs": {"__dtype__": "0", "__shape__": "(3,)"}, "inputs": []},
 {"op": "FullyConnected", "name": "fc1", "attrs": {"flatten": "True", "no_bias": "False", "num_hidden": "3"}, "inputs": [[0,0,0],[1,0,0],[2,0,0]]},
 {"op": "Activation", "name": "relu1", "attrs": {"act_type": "relu"}, "inputs": [[3,0,0]]},
 {"op": "null", "name": "w2", "attrs": {"__dtype__": "0", "__shape__": "(2, 3)"}, "inputs": []},
 {"op": "null", "name": "b2", "attrs": {"__dtype__": "0", "__shape__": "(2,)"}, "inputs": []},
 {"op": "FullyConnected", "name": "fc2", "attrs": {"flatten": "True", "no_bias": "False", "num_hidden": "2"}, "inputs": [[4,0,0],[5,0,0],[6,0]]},
 {"op": "softmax", "name": "prob", "attrs": {"axis": "-1"}, "inputs": [[7,0,0]]}],
 "arg_nodes": [0,1,2,5,6], "node_row_ptr": [0,1,2,3,4,5,6,7,8,9], "heads": [[8,0,0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
std::string with(std::string from, std::string const& part, std::string const& other) {
  auto const at = from.find(part);
  REQUIRE(at != std::string::npos);
  return from.replace(at, part.size(), other);
}
std::string scratch(std::string const& name) { return (std::filesystem::temp_directory_path() / ("sinter-files-" + name)).string(); }

struct everything : nn::hybrid_block<everything> {
  BOOST_HANA_DEFINE_STRUCT(everything, (nn::dense<6, nn::tanh>, same), (nn::parameter, gamma));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = F.where(x > 0.1, x * 2 - 1, 3 - x);
    auto const best = F.cast(F.argmax(h, axis<1>), as<float>) / 2;
    auto const [total, last] =
        F.foreach ([&](auto row, auto s) { return std::tuple(row + s, F.tanh(row * s + same(F.expand_dims(row, axis<0>)))); }, h,
                   F.sum(h, axis<0>, keepdims));
    auto const [steps, w] = F.while_loop([&](auto s) { return F.sum(s) < 100; },
                                         [&](auto s) { return std::tuple(s, s * 2 + F.gelu_tanh(s)); }, F.abs(last) + 1, max_iterations<9>);
    auto const c = F.cond(F.sum(w) > 150, [&] { return w * 2; }, [&] { return w - 1; });
    return std::tuple(F.softmax(same(x) * F.get(gamma, shape<6>{})), best, F.silu(F.slice(x, begin<0, 1>, end<open, 4>)),
                      F.matmul(h, h, transpose_b), total, steps, c);
  }
};

}  // namespace

TEST_CASE("networks that MXNet exported give its outputs") {
  std::size_t n = 0;
  for (auto const& folder : std::filesystem::directory_iterator(models)) {
    std::string const name = folder.path().filename().string(), file = model(name);
    INFO(name);
    bool const digits = name.starts_with("digits");
    if (!folder.is_directory() || (!digits && !std::filesystem::exists(folder.path() / "input0.npy"))) continue;
    ++n;
    std::vector<std::string> const inputs = name == "kitchen" || name == "loops" || name == "two-inputs"
                                                ? std::vector<std::string>{"data0", "data1"}
                                                : std::vector<std::string>{"data"};
    symbol_block const net = symbol_block::imports(file + "-symbol.json", inputs, file + "-0000.params");
    if (digits) {
      for (extent const batch : {7, 3}) {  // any number of them
        bool const rows = name == "digits-lstm" || name == "digits-transformer";
        auto const y = net(pictures(batch, rows ? dims{batch, 8, 8} : dims{batch, 1, 8, 8}));
        same(y[0], first_rows(read(models + name + "/output0.npy"), batch), 2e-5);
      }
      continue;
    }
    std::vector<sym::array> x;
    for (std::size_t i = 0; i < inputs.size(); ++i) x.push_back(read(models + name + "/input" + std::to_string(i) + ".npy"));
    auto const y = net.call(x);
    for (std::size_t i = 0; i < y.size(); ++i) same(y[i], read(models + name + "/output" + std::to_string(i) + ".npy"), 2e-5);
    CHECK_FALSE(std::filesystem::exists(models + name + "/output" + std::to_string(y.size()) + ".npy"));
    CHECK(symbol::load_json(net.graph().tojson()).tojson() == net.graph().tojson());
  }
  CHECK(n == 13);
}

TEST_CASE("a network is exported, and read again with the same numbers and the same bytes") {
  everything net;
  net.initialize(init::xavier{}, 3);
  nd::tensor<float, shape<4, 6>> x;
  for (int i = 0; i < 24; ++i) x[i] = std::sin(static_cast<float>(i));
  auto const s = std::apply([](auto const&... y) { return sym::group({y...}); }, net(sym::var("data")));
  auto const want = s.eval({{"data", x}});
  std::string const path = scratch("everything");
  net.export_(path);
  auto const text = [&] { return sym::text_of_file(path + "-symbol.json") + sym::text_of_file(path + "-0000.params"); };
  std::string const first = text();
  symbol_block const again = symbol_block::imports(path + "-symbol.json", {"data"}, path + "-0000.params");
  auto const got = again(x);
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) same(got[i], want[i], 0);
  sym::export_symbol(again.graph(), path);
  CHECK(text() == first);
  net.export_(path, 12);
  CHECK(sym::text_of_file(path + "-symbol.json") == first.substr(0, sym::text_of_file(path + "-symbol.json").size()));
  CHECK(std::filesystem::exists(path + "-0012.params"));
  for (int const epoch : {-1, 10000}) CHECK_THROWS_WITH(net.export_(path, epoch), Catch::Contains("an epoch is a number from 0 to 9999"));
  // Both files or none.
  std::filesystem::remove(path + "-symbol.json");
  std::filesystem::create_symlink(path + "-0000.params", path + "-symbol.json");
  CHECK_THROWS_WITH(net.export_(path), Catch::Contains("links to one file"));
  std::filesystem::remove(path + "-symbol.json");
  std::filesystem::create_directory(path + "-symbol.json");
  std::string const weights = sym::text_of_file(path + "-0000.params");
  everything other;
  other.initialize(init::xavier{}, 4);
  other(x);
  CHECK_THROWS_WITH(other.export_(path), Catch::Contains("-symbol.json: it is a directory, not a file"));
  CHECK(sym::text_of_file(path + "-0000.params") == weights);
  std::filesystem::remove(path + "-symbol.json");
  CHECK_THROWS_WITH(
      cumprod(sym::var("x"), axis<0>).named("c").tojson(),
      "sinter: c (cumprod) cannot be written for MXNet: MXNet has no such operation, nor several that give the same numbers, so its "
      "files (net.save, export_, symbol.tojson) cannot hold this network; export_onnx writes it as an ONNX model, and "
      "save_parameters its weights alone");
  CHECK_THROWS_WITH(upsample(sym::var("x"), scale<2>, mode<interpolation::bilinear>).named("u").tojson(),
                    "sinter: u (upsample) cannot be written for MXNet: it is not of the nearest elements");
  nd::tensor<float, shape<1, 2, 2, 3>> image;
  for (extent i = 0; i < image.size(); ++i) image.data()[i] = static_cast<float>(i);
  symbol const larger = upsample(sym::var("x"), scale<2>);
  CHECK(symbol::load_json(larger.tojson()).eval({{"x", image}})[0].as<nd::tensor<float, shape<1, 2, 4, 6>>>().to_vector() ==
        larger.eval({{"x", image}})[0].as<nd::tensor<float, shape<1, 2, 4, 6>>>().to_vector());
  CHECK_THROWS_WITH(
      fully_connected(sym::var("x"), sym::var("w")).named("f").tojson(),
      "sinter: f (fully_connected) has a weight whose shape is not known; call the network once, or say of which types its inputs are: "
      "net.export_<shape<dim<\"batch\">, 784>>(path)");
}

namespace {

template <class... Layer> using layers = nn::hybrid_sequential<Layer...>;
using digits = layers<nn::dense<16, nn::relu>, nn::dense<4>>;
struct sum_and_relu : nn::hybrid_block<sum_and_relu> {
  BOOST_HANA_DEFINE_STRUCT(sum_and_relu, (nn::dense<4>, a), (nn::parameter, unused));
  constexpr auto hybrid_forward(auto F, auto x, auto y) const { return std::tuple(a(x) + y, F.relu(y)); }
};
template <class S> nd::tensor<float, S> waves() {
  nd::tensor<float, S> x;
  for (int i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  return x;
}
// What a network says of a file that it is to take.
std::string refusal(auto net, std::string const& file) {
  try {
    net.load(file);
  } catch (error const& e) { return e.what(); }
  return "it was taken";
}

// The same bytes from the file that was read, as files of Gluon and as one file.
void is_written_again(auto const& net, std::string const& name) {
  using X = shape<dim<"batch">, 5, 8>;
  std::string const path = scratch(name), again = scratch(name + "-again");
  auto const both = [](std::string const& p) { return sym::text_of_file(p + "-symbol.json") + sym::text_of_file(p + "-0000.params"); };
  net.template export_<X>(path);
  symbol_block const read = symbol_block::imports(path + "-symbol.json", {"data"}, path + "-0000.params");
  read.export_(again);
  CHECK(both(again) == both(path));
  net.template save<X>(path + ".safetensors");
  symbol_block::load(path + ".safetensors").save(again + ".safetensors");
  CHECK(sym::text_of_file(again + ".safetensors") == sym::text_of_file(path + ".safetensors"));
  sym::export_symbol(read.graph(), path);  // without a signature
  symbol_block const unsigned_one = symbol_block::imports(path + "-symbol.json", {"data"}, path + "-0000.params");
  unsigned_one.export_(again);
  CHECK(both(again) == both(path));
  unsigned_one.save(path + ".safetensors");
  symbol_block::load(path + ".safetensors").save(again + ".safetensors");
  CHECK(sym::text_of_file(again + ".safetensors") == sym::text_of_file(path + ".safetensors"));
}

struct second_first : nn::hybrid_block<second_first> {
  constexpr auto hybrid_forward(auto F, auto a, auto b) const { return F.subtract(b, a); }
};

}  // namespace

TEST_CASE("what is read and written again has the same bytes") {
  nn::multi_head_attention<8, 2, true> attention;  // whose graph is written in another order than it was composed in
  attention.initialize(init::xavier{}, 3);
  is_written_again(attention, "attention");
  digits dense;
  dense.initialize(init::xavier{}, 3);
  is_written_again(dense, "dense");
}
TEST_CASE("what was read in the numpy mode is written in it") {
  std::string const from = SINTER_SOURCE_DIR "/test/data/models/numpy-mode/numpy-mode", to = scratch("numpy-mode");
  symbol_block::imports(from + "-symbol.json", {"data"}, from + "-0000.params").export_(to);
  CHECK(sym::text_of_file(to + "-0000.params") == sym::text_of_file(from + "-0000.params"));
}
TEST_CASE("one file holds a network and its weights") {
  std::string const file = scratch("one.safetensors"), other = scratch("other.safetensors");
  digits net;
  net.initialize(init::xavier{}, 3);
  auto const x = waves<shape<5, 8>>();
  auto const y = net(x);
  net.save<shape<dim<"batch">, 8>>(file);
  CHECK_THROWS_WITH((net.save<shape<1, 8>>(scratch("one.params"))),
                    Catch::Contains("graph and weights in one file are .safetensors, and not .params"));

  SECTION("the types of the inputs stand for a call") {
    std::string const path = scratch("uncalled");
    digits uncalled, exported, unready;
    uncalled.initialize(init::xavier{}, 3);
    uncalled.save<shape<dim<"batch">, 8>>(other);
    CHECK(io::read_file(other) == io::read_file(file));
    exported.initialize(init::xavier{}, 3);
    exported.export_<shape<2, 8>>(path);
    same(symbol_block::imports(path + "-symbol.json", {"data"}, path + "-0000.params")(x)[0], y, 0);
    CHECK_THROWS_WITH((unready.save<shape<2, 8>>(other)), Catch::Contains("in 0.weight: ") && Catch::Contains("initialize"));
    CHECK(io::read_file(other) == io::read_file(file));
  }
  SECTION("it is loaded into the same network, and run without its type") {
    digits again;
    auto const z = again.load(file)(x);
    symbol_block const block = symbol_block::load(file);
    same(block(x)[0], y, 0);
    same(z, y, 0);
    CHECK(block.inputs() == std::vector<std::string>{"data"});
    CHECK(block.signature() == "data: float32 (batch, 8) -> output0: float32 (batch, 4)");
    CHECK_THROWS_WITH(block(sym::array(dtype::float32, {2, 7})),
                      Catch::Contains("; the file notes data: float32 (batch, 8) -> output0: float32 (batch, 4)"));
    // What the signature says of an input holds in a call; its numbers alone may be others.
    CHECK_THROWS_WITH(block(sym::array(dtype::float64, {2, 8})),
                      "sinter: the input `data` of the model is given float64 (2, 8), and its elements are float32");
    CHECK_THROWS_WITH(
        block(sym::array(dtype::float32, {2, 1, 8})),
        Catch::StartsWith("sinter: the input `data` of the model is given float32 (2, 1, 8), and has 2 dimensions; the file notes "));
    auto const times = block.kernel_times({sym::array(x)});
    CHECK(static_cast<int>(times.size()) == block.plan({sym::array(x)}).groups.size());
    for (double const t : times) CHECK((t > 0 && t < 1));
    block.save(other);
    CHECK(io::read_file(other) == io::read_file(file));
    again.save<shape<dim<"batch">, 8>>(other);
    CHECK(io::read_file(other) == io::read_file(file));
    // Of other inputs the signature that the file notes is not.
    block.export_(other);
    std::string const weight = block.graph().list_arguments()[1], json = other + "-symbol.json", params = other + "-0000.params";
    CHECK(symbol_block::imports(json, {"data"}, params).signature() == block.signature());
    CHECK(symbol_block::imports(json, {"data", weight}, params).signature().starts_with("data, " + weight + " -> "));
    std::filesystem::remove(json), std::filesystem::remove(params);
    digits weights;  // other programs and load_parameters take the weights alone
    nn::load_parameters(weights, file);
    same(weights(x), y, 0);
    net.save(other);
    CHECK(symbol_block::load(other).signature() == "data -> 1.fully_connected_output");
  }
  SECTION("a network of another structure is refused with the first difference") {
    std::string const start = "sinter: " + file + ": it holds another network: ";
    CHECK(refusal(layers<nn::dense<16, nn::tanh>, nn::dense<4>>{}, file) ==
          start + "node 4 `0.relu` is relu() of 3 in the file, and tanh() of 3 in this network");
    CHECK(refusal(layers<nn::dense<12, nn::relu>, nn::dense<4>>{}, file) ==
          start + "parameter `0.weight` has the shape (16, 8) in the file, and (12, ?) in this one");
    CHECK(refusal(layers<nn::dense<16, nn::relu>, nn::dense<4, nn::relu>>{}, file) ==
          start + "node 8 is the output, of 7 in the file, and relu() of 7 in this network");
    CHECK(refusal(layers<nn::dense<16, nn::relu>>{}, file) == start + "the file has the parameter `1.bias`, and this one has not");
    CHECK(refusal(layers<nn::dense<16, nn::relu, double>, nn::dense<4, nn::no_activation, double>>{}, file) ==
          start +
              "node 1 is variable `0.weight` (__dtype__=0, __shape__=(16, 8)) in the file, and variable `0.weight` (__dtype__=1, "
              "__shape__=(16, 8)) in this network");
    CHECK(refusal(nn::dense<4>{}, file) == start + "this one has the parameter `weight`, and the file has not");
    digits taken;
    taken.initialize(init::xavier{}, 4);
    auto const before = taken(x);
    io::write_safetensors(other, nn::arrays_of(net));
    CHECK(refusal(taken, other) == "sinter: " + other +
                                       ": it has weights and no graph (no metadata `sinter.graph`); nn::load_parameters reads weights "
                                       "into a network that is written in C++");
    same(taken(x), before, 0);
  }
  SECTION("arrays that another program has converted") {
    io::safetensors const whole(file);
    std::vector<io::array> arrays;
    for (io::array const& one : whole.arrays()) {
      io::array a = whole.read(one.name);
      std::vector<double> wide(a.data.size() / sizeof(float));
      for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = reinterpret_cast<float const*>(a.data.data())[i];
      a.type = dtype::float64;
      a.data.assign(reinterpret_cast<std::byte const*>(wide.data()), reinterpret_cast<std::byte const*>(wide.data() + wide.size()));
      arrays.push_back(std::move(a));
    }
    io::write_safetensors(other, arrays, whole.metadata());
    CHECK(refusal(digits{}, other).find("{.cast_dtype = true} converts it") != std::string::npos);
    digits again;
    same(again.load(other, {.cast_dtype = true})(x), y, 0);
  }
  SECTION("an array that is missing is no input") {
    io::safetensors const whole(file);
    std::vector<io::array> arrays;
    for (io::array const& a : whole.arrays())
      if (a.name != "1.weight") arrays.push_back(whole.read(a.name));
    io::write_safetensors(other, arrays, whole.metadata());
    CHECK_THROWS_WITH(symbol_block::load(other), Catch::Contains("missing, and not named as inputs, are `1.weight`"));
    CHECK(refusal(digits{}, other) == "sinter: " + other + ": it has no array for the parameter `1.weight` of its graph");
    auto metadata = whole.metadata();
    CHECK(metadata.at(sym::inputs_key) == "[\"data\"]");
    metadata.erase(sym::inputs_key);  // of a file that notes none
    arrays.push_back(whole.read("1.weight"));
    io::write_safetensors(other, arrays, metadata);
    same(symbol_block::load(other)(x)[0], y, 0);
    for (char const* wrong : {"", "data", "[1]", "{\"data\": \"data\"}", "[[\"data\"]]"}) {
      metadata[sym::inputs_key] = wrong;
      io::write_safetensors(other, arrays, metadata);
      CHECK_THROWS_WITH(symbol_block::load(other), "sinter: " + other + ": its metadata `sinter.inputs` are no list of names");
    }
    metadata[sym::inputs_key] = "[\"other\"]";
    io::write_safetensors(other, arrays, metadata);
    CHECK_THROWS_AS(symbol_block::load(other), error);
  }
  SECTION("several inputs, and a parameter that the network does not read") {
    sum_and_relu two;
    two.initialize(init::xavier{}, 5);
    auto const h = waves<shape<5, 4>>();
    two(x, h);
    two.save<shape<dim<"n">, 8>, shape<dim<"n">, 4>>(other);
    symbol_block const block = symbol_block::load(other);
    CHECK(block.signature() == "data0: float32 (n, 8), data1: float32 (n, 4) -> output0: float32 (n, 4), output1: float32 (n, 4)");
    same(block(x, h)[0], std::get<0>(two(x, h)), 0);
    CHECK_THROWS_WITH(
        block(x, waves<shape<1, 4>>()),
        Catch::StartsWith("sinter: the input `data1` of the model is given float32 (1, 4); dimension 0, `n`, is 5 in input `data0`;"));
    CHECK(symbol_block(block.graph(), block.inputs())(x, waves<shape<1, 4>>())[1].shape() == dims{1, 4});
    sum_and_relu again;
    again.initialize(init::xavier{}, 6);
    same(std::get<0>(again.load(other)(x, h)), std::get<0>(two(x, h)), 0);
  }
  SECTION("inputs keep the order of a call, whichever the network reads first") {
    second_first two;
    auto const a = waves<shape<2, 3>>();
    nd::tensor<float, shape<2, 3>> const b = a * 3 + 1, want = b - a;
    two.save<shape<2, 3>, shape<dim<"n">, 3>>(file);
    symbol_block block = symbol_block::load(file);
    CHECK(block.inputs() == std::vector<std::string>{"data0", "data1"});
    CHECK(block.signature().starts_with("data0: float32 (2, 3), data1: float32 ("));
    same(block(a, b)[0], want, 0);
    two.save(file);
    same(symbol_block::load(file)(a, b)[0], want, 0);
    // Those of a graph with other names have the order that the program said.
    symbol const named = sym::var("q") - sym::var("p");
    named.save(other);
    symbol_block::imports(other, {"p", "q"}).save(file);
    same(symbol_block::load(file)(a, b)[0], want, 0);
    CHECK(sym::in_order_of_call({"data10", "data2", "data0"}) == std::vector<std::string>{"data0", "data2", "data10"});
    CHECK(sym::in_order_of_call({"data1", "x", "data0"}) == std::vector<std::string>{"data1", "x", "data0"});
  }
  SECTION("which result is read and what a loop does are of the structure") {
    sym::symbols const top = sym::call("topk", {sym::var("x")}, {{"top", 2}});
    auto const changed = [](symbol const& s, std::string const& part, std::string const& by, std::string const& why) {
      CHECK_THROWS_WITH(symbol::load_json(with(s.tojson(), part, by)), Catch::Contains("after sinter wrote it: " + why));
    };
    changed(relu(top[1]), "\"inputs\": [[1, 1, 0]]", "\"inputs\": [[1, 0, 0]]", "node 2 `relu0` is relu() of 1 now");
    changed(top[1], "\"heads\": [[1, 1, 0]]", "\"heads\": [[1, 0, 0]]", "node 2 is the output, of 1 now");
    auto const [all, last] = sym::composing{}.foreach ([](auto row, auto s) { return std::tuple(row + s, sym::composing{}.tanh(s)); },
                                                       sym::var("x"), sym::var("s"));
    changed(sym::group({all, last}), "\"op\": \"tanh\"", "\"op\": \"relu\"", "node 2, subgraph 0, node");
  }
  SECTION("the signature and the structure go through files of MXNet") {
    std::string const path = scratch("identity");
    net.export_<shape<dim<"batch">, 8>>(path);
    auto const text = [&] { return sym::text_of_file(path + "-symbol.json") + sym::text_of_file(path + "-0000.params"); };
    std::string const first = text();
    symbol_block const block = symbol_block::imports(path + "-symbol.json", {"data"}, path + "-0000.params");
    CHECK(block.signature() == "data: float32 (batch, 8) -> output0: float32 (batch, 4)");
    block.export_(path);
    CHECK(text() == first);
    std::string const json = sym::text_of_file(path + "-symbol.json");
    CHECK_THROWS_WITH(
        symbol::load_json(with(json, "\"op\": \"relu\"", "\"op\": \"tanh\"")),
        Catch::Contains("the graph was changed after sinter wrote it: node 4 `0.relu` is tanh() of 3 now; without the attribute"));
    CHECK_THROWS_WITH(symbol::load_json(with(json, "\"num_hidden\": \"16\"", "\"num_hidden\": \"17\"")),
                      Catch::Contains("num_hidden=17) of 0, 1, 2 now; "));
    std::string const note = "\"sinter_structure\": [\"str\", \"";
    auto const noted =
        json.substr(json.find(note) + note.size(), json.find('"', json.find(note) + note.size()) - json.find(note) - note.size());
    // Of a line that is missing, of a hash alone, of no hash.
    CHECK_THROWS_WITH(symbol::load_json(with(json, noted, "0" + noted.substr(1) + "1234")),
                      Catch::Contains("after sinter wrote it: what followed node 8 is missing; "));
    CHECK_THROWS_WITH(symbol::load_json(with(json, noted, "0" + noted.substr(1))), Catch::Contains("after sinter wrote it; without"));
    CHECK_THROWS_WITH(symbol::load_json(with(json, noted, "0123456789abcdef")), Catch::Contains("after sinter wrote it; without"));
    CHECK_THROWS_WITH(symbol::load_json(with(json, noted, noted.substr(0, 2))), Catch::Contains("after sinter wrote it; without"));
    CHECK_NOTHROW(symbol::load_json(with(json, noted, noted.substr(0, 16))));
    CHECK_NOTHROW(symbol::load_json(with(json, "\"name\": \"0.relu\"", "\"name\": \"0.relu9\"")));
    CHECK_THROWS_WITH(symbol::load_json(with(small, R"("mxnet_version": ["int", 10901])", R"("sinter_structure": ["str", 1])")),
                      "sinter: symbol JSON: the graph's attribute `sinter_structure` is no string");
    // Other weights are no other structure.
    digits other_weights;
    other_weights.initialize(init::xavier{}, 9);
    other_weights(x);
    other_weights.export_<shape<dim<"batch">, 8>>(path);
    CHECK(sym::text_of_file(path + "-symbol.json") == json);
  }
}

namespace {

// What is written as several nodes of MXNet's.
struct with_parts : nn::hybrid_block<with_parts> {
  BOOST_HANA_DEFINE_STRUCT(with_parts, (nn::multi_head_attention<8, 2>, attention), (nn::multi_head_attention<8, 4, true>, causal),
                           (nn::group_norm<2>, groups), (nn::rms_norm<>, root));
  constexpr auto hybrid_forward(auto F, auto x, auto seen) const {
    auto const flat = F.reshape(x, into<-1>);
    auto const q = F.slice(x, begin<open, 0>, end<open, 3>);
    return std::tuple(attention(x), causal(x), F.scaled_dot_product_attention(q, x, x, seen, num_heads<2>, alpha<0.5>, is_causal),
                      groups(F.swap_axes(x, axis<1, 2>)), root(x), F.logsumexp(x, axis<1>), F.logsumexp(x, axis<1, 2>, keepdims),
                      F.var(x, axis<2>, keepdims), F.stddev(x, axis<1, 2>, exclude), F.cumsum(x, axis<1>), F.cumsum(x), F.outer(flat, flat),
                      F.rint(x * 4), F.round(x * 3), F.cast(F.arange_like(x, axis<1>), as<float>),
                      F.cast(F.any_true(x > 1, axis<2>), as<float>), F.cast(F.all_true(x > -0.9, axis<1>), as<float>));
  }
};

// Operands of different ranks, and parts by indices.
struct of_ranks : nn::hybrid_block<of_ranks> {
  using row = nn::basic_parameter<float, shape<4>>;
  using square = nn::basic_parameter<float, shape<4, 4>>;
  BOOST_HANA_DEFINE_STRUCT(of_ranks, (row, w), (square, m), (nn::prelu<6>, slopes));
  constexpr auto hybrid_forward(auto F, auto x) const {  // (batch, 6, 4)
    auto const v = F.get(w, shape<4>{});
    auto const a = F.get(m, shape<4, 4>{});
    auto const y = slopes(x);
    return std::tuple{y,
                      F.concat(x, F.broadcast_like(v, x), axis<1>),
                      F.broadcast_to(v, into<3, 4>),
                      F.matmul(x, a),
                      F.matmul(x, v),
                      F.matmul(a, x, transpose_a, transpose_b),
                      x(all, nth<0>),
                      x(all, range<1, 5, 2>, nth<-1>),
                      x(all, newaxis, range<4, 1, -2>),
                      x(nth<1>, newaxis, all, newaxis)};
  }
};

// Sequences of lengths that no sequence has, too.
struct of_lengths : nn::hybrid_block<of_lengths> {
  constexpr auto hybrid_forward(auto F, auto x, auto n) const {  // (time, batch, 2)
    auto const turned = F.swap_axes(x, axis<0, 1>);
    return std::tuple{F.sequence_mask(x, n, values<7>), F.sequence_last(x, n), F.sequence_reverse(x, n),
                      F.sequence_mask(turned, n, axis<1>), F.sequence_last(turned, n, axis<1>)};
  }
};
// Dtypes that MXNet does not compute everything in.
struct of_types : nn::hybrid_block<of_types> {
  constexpr auto hybrid_forward(auto F, auto x, auto truths, auto i) const {  // float, bool and int32
    auto const h = F.cast(F.round(x * 8), as<float16>);
    auto const bytes = F.cast(x * 100, as<std::int8_t>);
    auto const whole = F.cast(x * 1e9, as<int>);
    return std::tuple{F.cast(F.matmul(h, h, transpose_b), as<float>),
                      F.cast(F.sort(h, axis<2>), as<float>),
                      F.argsort(F.cast(x, as<float16>), axis<2>, descending),
                      F.max_pool(bytes, pool_size<2, 2>, pad<1, 1>),
                      F.max_pool(whole, pool_size<2, 2>),
                      F.cast(F.any_true(truths, axis<1>), as<float>),
                      F.cast(F.all_true(truths, axis<1>, keepdims), as<float>),
                      F.cast(F.any_true(truths), as<float>),
                      F.arange_like(i, axis<1>),
                      F.arange_like(bytes, axis<3>),
                      F.cast(truths, as<std::uint8_t>)};
  }
};
nd::tensor<bool, shape<3, 2>> some_truths() { return {true, false, false, false, true, true}; }
// Pixels that are moved, and put around images.
struct of_pixels : nn::hybrid_block<of_pixels> {
  BOOST_HANA_DEFINE_STRUCT(of_pixels, (nn::pixel_shuffle1d<4>, line), (nn::pixel_shuffle2d<nn::size2d{2, 3}>, image),
                           (nn::pixel_shuffle3d<nn::size3d{2, 1, 3}>, space), (nn::reflection_pad2d<1, 0, 2, 3>, reflected));
  constexpr auto hybrid_forward(auto F, auto x, auto whole) const {  // (2, 12, 5, 4) of float, (1, 1, 2, 2) of int
    auto const cubes = F.reshape(x, into<2, 6, 2, 5, 4>);
    return std::tuple{line(F.reshape(x, into<2, 12, -1>)),
                      image(x),
                      space(cubes),
                      reflected(x),
                      F.padded(x, begin<0, 0, 1>, end<0, 0, 0, 2>, values<-0.5>),
                      F.padded(cubes, begin<0, 0, 1, 0, 2>, end<0, 0, 0, 1, 1>, border<borders::edge>),
                      F.padded(F.cast(whole, as<int>), begin<0, 0, 1, 0>, values<-16777217>),
                      F.tril(x),
                      F.tril(x, diagonal<-1>),
                      F.triu(x, diagonal<1>)};
  }
};
template <class I> nd::tensor<I, shape<6>> lengths() { return {-3, 0, 1, 3, 4, 9}; }
}  // namespace

TEST_CASE("the inputs of a signature") {
  auto const all = sym::inputs_in("a: float32 (), b: int64 (2,), c, d: bool (?, n, 12) -> y: float32 (n,)", {"a", "b", "c, d"});
  REQUIRE(all);
  REQUIRE(all->size() == 3);
  CHECK(((*all)[0].type == dtype::float32 && (*all)[0].shape.empty()));
  CHECK(((*all)[1].type == dtype::int64 && (*all)[1].shape.size() == 1 && (*all)[1].shape[0].e == 2));
  CHECK(((*all)[2].type == dtype::boolean && (*all)[2].shape.size() == 3));
  CHECK(((*all)[2].shape[0].e == -1 && (*all)[2].shape[0].name.empty() && (*all)[2].shape[1].name == "n" && (*all)[2].shape[2].e == 12));
  CHECK(sym::inputs_in(" -> y: float32 ()", {}));
  for (char const* text : {"", "a", "a: ", "a: float32", "a: float32 (", "a: float32 (2", "a: float32 (2,", "a: float32 (,) -> ",
                           "a: float32 (2)", "a: none () -> ", "a: uint64 () -> ", "b: float32 () -> ", "a: float32 (), b: float32 () -> "})
    CHECK_FALSE(sym::inputs_in(text, {"a"}));
}
TEST_CASE("operands of different ranks and parts by indices are written for MXNet") {
  of_ranks net;
  net.initialize(init::uniform{}, 3);
  auto const x = waves<shape<2, 6, 4>>();
  net(x);
  std::string const file = scratch("ranks.safetensors");
  net.save<shape<2, 6, 4>>(file);
  auto const got = symbol_block::load(file)(x);
  std::size_t i = 0;
  each_part(net(x), [&](auto const& want) { same(got[i++], want, 0); });
  CHECK(i == 10);
  CHECK_THROWS_WITH(sym::var("x")(ellipsis, nth<0>).tojson(),
                    Catch::EndsWith("MXNet's files have no part of an array with an ellipsis; write its axes out where it is to be saved: "
                                    "x(all, all, nth<0>)"));
}
struct backwards : nn::hybrid_block<backwards> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    return std::tuple{
        F.flip(x), F.slice(x, step<-1>), F.slice(x, step<1, -1>), F.slice(x, begin<1>, step<1, 2>), F.slice(x, end<open, 3>, step<-1>),
        F.slice(x)};
  }
};
TEST_CASE("arrays backwards and slices with lists of different lengths are written for MXNet") {
  auto const x = waves<shape<3, 4>>();
  std::string const file = scratch("backwards.safetensors");
  backwards().save<shape<dim<"n">, 4>>(file);
  auto const got = symbol_block::load(file)(x);
  std::size_t i = 0;
  each_part(backwards()(x), [&](auto const& want) { same(got[i++], want, 0); });
  CHECK(i == 6);
}
TEST_CASE("lengths that no sequence has are written for MXNet as what they mean") {
  auto const x = waves<shape<4, 6, 2>>();
  symbol const s = sym::symbol_of<shape<4, 6, 2>, nd::tensor<int, shape<6>>>(of_lengths());
  symbol const read = symbol::load_json(s.tojson());
  sym::arrays_by_name const in{{"data0", x}, {"data1", lengths<int>()}};
  auto const want = s.eval(in), got = read.eval(in);
  REQUIRE(got.size() == 5);
  for (std::size_t i = 0; i < got.size(); ++i) same(got[i], want[i], 0);
  auto const nodes = nlohmann::json::parse(s.tojson())["nodes"];
  int clipped = 0;
  for (auto const& n : nodes)
    if (n["op"].get<std::string>().starts_with("Sequence"))
      clipped += nodes[n["inputs"][1][0].get<std::size_t>()]["op"] == "_maximum_scalar";
  CHECK(clipped == 5);
  CHECK_THROWS_WITH(sequence_last(sym::var("x"), sym::var("n"), axis<-2>).tojson(), Catch::EndsWith(": its axis is negative"));
}
TEST_CASE("operations that MXNet does not have are written as their parts") {
  with_parts net;
  net.initialize(init::xavier{}, 3);
  auto const x = waves<shape<2, 5, 8>>();
  nd::tensor<bool, shape<3, 5>> seen;
  for (int i = 0; i < 15; ++i) seen[i] = i % 4 != 1;
  symbol const s = sym::symbol_of<shape<2, 5, 8>, nd::tensor<bool, shape<3, 5>>>(net);
  auto const want = s.eval({{"data0", x}, {"data1", seen}});
  std::string const file = scratch("parts.safetensors");
  net.save(file);
  symbol_block const block = symbol_block::load(file);
  auto const got = block(x, seen);
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    same(got[i], want[i], 1e-6);
  }
  CHECK(symbol::load_json(block.graph().tojson()).tojson() == block.graph().tojson());
  nd::tensor<float, shape<2, 3>> wide{1, 2, 3, 4, 5, 6};
  wide[0] = wide[1] = wide[2] = -std::numeric_limits<float>::infinity(), wide[4] = std::numeric_limits<float>::infinity();
  symbol const sums = sym::composing{}.logsumexp(sym::var("x"), axis<1>);
  same(symbol::load_json(sums.tojson()).eval({{"x", wide}})[0], sums.eval({{"x", wide}})[0], 0);
  CHECK_THROWS_WITH(var(sym::var("x"), axis<0>, ddof<1>).named("v").tojson(),
                    Catch::Contains("v (var) cannot be written for MXNet: with ddof"));
  CHECK_THROWS_WITH(group_norm(sym::var("x"), sym::var("g"), sym::var("b"), sinter::groups<3>).eval({{"x", waves<shape<2, 8>>()}}),
                    Catch::Contains("group_norm"));
}

struct of_halves : nn::hybrid_block<of_halves> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    return std::tuple{F.rint(x), F.round(x), F.rint(F.cast(x, as<double>)), F.cast(F.round(F.cast(x, as<float16>)), as<float>)};
  }
};

// in_mxnet.py gives what is written here to MXNet.
TEST_CASE("networks for MXNet", "[.mxnet]") {
  std::string const folder = std::getenv("SINTER_MXNET_EXPORT");
  auto const write = [&](std::string const& name, auto net, auto const&... x) {
    if constexpr (requires { net.initialize(); }) net.initialize(init::xavier{}, 3);
    symbol const s = sym::symbol_of<std::remove_cvref_t<decltype(x)>...>(net);
    sym::arrays_by_name in;
    int i = 0;
    (in.emplace(sym::input_name(i++, sizeof...(x)), x), ...);
    auto const y = s.eval(in);
    sym::export_symbol(s, folder + "/" + name, 0, sym::signature_of(s, sym::types_of_inputs<std::remove_cvref_t<decltype(x)>...>()));
    for (auto const& [input, a] : in) io::write_npy(folder + "/" + name + ".in." + input + ".npy", sym::file_array_of("", a));
    for (std::size_t k = 0; k < y.size(); ++k)
      io::write_npy(folder + "/" + name + ".out." + std::to_string(k) + ".npy", sym::file_array_of("", y[k]));
  };
  write("mlp", digits{}, waves<shape<5, 8>>());
  write("everything", everything{}, waves<shape<4, 6>>());
  nd::tensor<bool, shape<3, 5>> seen;
  for (int i = 0; i < 15; ++i) seen[i] = i % 4 != 1;
  write("parts", with_parts{}, waves<shape<2, 5, 8>>(), seen);
  write("ranks", of_ranks{}, waves<shape<2, 6, 4>>());
  write("lengths", of_lengths{}, waves<shape<4, 6, 2>>(), lengths<int>());
  nd::tensor<float, shape<8>> const x{.5f, 1.5f, 2.5f, -.5f, -1.5f, -2.5f, 3.5f, 8388609};
  write("halves", of_halves{}, x);
  write("types", of_types{}, waves<shape<1, 2, 4, 300>>(), some_truths(), nd::tensor<int, shape<2, 5>>());
  write("pixels", of_pixels{}, waves<shape<2, 12, 5, 4>>(), nd::tensor<int, shape<1, 1, 2, 2>>{16777219, 2, 3, 4});
  write("two", sum_and_relu{}, waves<shape<5, 8>>(), waves<shape<5, 4>>());
  write("transformer", nn::transformer_encoder_cell<16, 32, 4>{}, waves<shape<2, 5, 16>>());
  write("images",
        layers<nn::conv2d<8, 3, 1, 1>, nn::batch_norm<>, nn::activation<nn::relu>, nn::max_pool2d<2>, nn::conv2d<8, 3, 2, 1, 1, 4>,
               nn::avg_pool2d<3, 2, 1, true>, nn::conv2d_transpose<4, 3, 2, 1, 1>, nn::global_avg_pool2d<>, nn::dense<3>>{},
        waves<shape<2, 3, 13, 12>>());
}

TEST_CASE("the numbers of a small graph, and what the attributes say of shapes") {
  symbol const s = symbol::load_json(small);
  CHECK(s.list_arguments() == std::vector<std::string>{"data", "w1", "b1", "w2", "b2"});
  nd::tensor<float, shape<2, 4>> const x{1, 2, 3, 4, -1, 0.5f, 0.25f, 2};
  nd::tensor<float, shape<3, 4>> w1;
  nd::tensor<float, shape<2, 3>> w2;
  for (int i = 0; i < 12; ++i) w1[i] = 0.1f * static_cast<float>(i) - 0.5f;
  for (int i = 0; i < 6; ++i) w2[i] = 0.25f * static_cast<float>(i) - 0.5f;
  nd::tensor<float, shape<3>> const b1{0.1f, 0.2f, 0.3f};
  nd::tensor<float, shape<2>> const b2{0.5f, -0.5f};
  auto const y = s.eval({{"data", x}, {"w1", w1}, {"b1", b1}, {"w2", w2}, {"b2", b2}})[0];
  same(y, nd::tensor<float, shape<2, 2>>{0.02033235f, 0.9796677f, 0.3345895f, 0.6654106f}, 1e-7);
  std::string text = with(small, R"json("attrs": {"__dtype__": "0", "__shape__": "(3, 4)"}, )json", "");
  text = with(text, R"json("attrs": {"__dtype__": "0", "__shape__": "(3,)"})json", R"("param": {"__dtype__": "0"})");
  text = with(text, R"("attrs": {"flatten")", R"("attr": {"flatten")");  // as MXNet wrote it before 1.0
  CHECK(symbol::load_json(text).infer_shape({{"data", {5, 4}}}).arguments == std::vector<dims>{{5, 4}, {3, 4}, {3}, {2, 3}, {2}});
  CHECK_THROWS_WITH(s.infer_shape({{"data", {5, 9}}}), Catch::Contains("fc1"));
  CHECK_THROWS_WITH(
      symbol::load_json(with(text, R"("num_hidden": "3")", R"("num_hidden": "7")")).infer_shape({{"data", {5, 4}}, {"w1", {3, 4}}}),
      "sinter: node `fc1` (FullyConnected): `w1` has the shape (3, 4), and num_hidden=7 wants (7, ?)");
}

namespace {

// One operation of variables, in the numpy mode or not.
symbol alone(std::string const& op, std::string const& attributes, std::vector<std::string> const& variables, bool is_numpy = false) {
  std::string nodes, inputs, arguments;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    nodes += R"({"op": "null", "name": ")" + variables[i] + R"(", "inputs": []}, )";
    inputs += (i ? ", [" : "[") + std::to_string(i) + ", 0, 0]";
    arguments += (i ? ", " : "") + std::to_string(i);
  }
  return symbol::load_json(R"({"nodes": [)" + nodes + R"({"op": ")" + op + R"(", "name": "y", "attrs": {)" + attributes +
                           R"(}, "inputs": [)" + inputs + R"(]}], "arg_nodes": [)" + arguments + R"(], "heads": [[)" +
                           std::to_string(variables.size()) + R"(, 0, 0]], "attrs": {"is_np_shape": ["int", )" + (is_numpy ? "1" : "0") +
                           "]}}");
}

}  // namespace

TEST_CASE("a condition for each row, and in the numpy mode one that stretches") {
  nd::tensor<float, shape<2>> const c{1, 0};
  nd::tensor<float, shape<2, 2>> const a{1, 2, 3, 4}, b{-1, -2, -3, -4};
  sym::arrays_by_name const in{{"c", c}, {"a", a}, {"b", b}};
  same(alone("where", "", {"c", "a", "b"}).eval(in)[0], nd::tensor<float, shape<2, 2>>{1, 2, -3, -4}, 0);
  same(alone("_npi_where", "", {"c", "a", "b"}, true).eval(in)[0], nd::tensor<float, shape<2, 2>>{1, -2, 3, -4}, 0);
  symbol const own = where(sym::var("c") > 0, sym::var("a"), sym::var("b"));
  same(symbol::load_json(own.tojson()).eval(in)[0], own.eval(in)[0], 0);
}

TEST_CASE("an array of integers and a number that was a float become float64") {
  nd::tensor<std::int32_t, shape<3>> const x{-4, 0, 5};
  auto const y = [&](char const* op, char const* attributes) { return alone(op, attributes, {"x"}, true).eval({{"x", x}})[0]; };
  same(y("_npi_multiply_scalar", R"("scalar": "2.0", "is_int": "True")"), nd::tensor<std::int32_t, shape<3>>{-8, 0, 10}, 0);
  same(y("_npi_multiply_scalar", R"("scalar": "2.0", "is_int": "False")"), nd::tensor<double, shape<3>>{-8, 0, 10}, 0);
  same(y("_npi_rsubtract_scalar", R"("scalar": "1.5", "is_int": "False")"), nd::tensor<double, shape<3>>{5.5, 1.5, -3.5}, 0);
  same(y("_npi_greater_scalar", R"("scalar": "-0.5", "is_int": "False")"), nd::tensor<bool, shape<3>>{false, true, true}, 0);
  auto const plain = [&](char const* op) { return alone(op, R"("scalar": "-4.5", "is_int": "False")", {"x"}).eval({{"x", x}})[0]; };
  same(plain("_greater_scalar"), nd::tensor<double, shape<3>>{1, 1, 1}, 0);
  same(plain("_logical_xor_scalar"), nd::tensor<double, shape<3>>{0, 1, 0}, 0);
  CHECK_THROWS_WITH(y("_logical_xor_scalar", R"("scalar": "0.5")"), Catch::Contains("a number with a fraction beside an array of int32"));
  CHECK_THROWS_WITH(y("_npi_true_divide_scalar", R"("scalar": "2.0", "is_int": "False")"), Catch::Contains("cast them to floats"));
}

TEST_CASE("sums and products of small integers wrap around as MXNet's do, and sinter's own are int32") {
  using bytes = nd::tensor<std::int8_t, shape<2, 3>>;
  bytes const x{100, 100, 100, 1, 2, 3};
  nd::tensor<std::int8_t, shape<2>> const sums{44, 6}, products{64, 6};
  bytes const running{100, -56, 44, 1, 3, 6};
  for (bool const is_numpy : {false, true}) {
    auto const y = [&](char const* op, char const* attributes) { return alone(op, attributes, {"x"}, is_numpy).eval({{"x", x}})[0]; };
    same(y(is_numpy ? "_np_sum" : "sum", R"("axis": "1")"), sums, 0);
    same(y(is_numpy ? "_np_prod" : "prod", R"("axis": "1")"), products, 0);
    same(y("_np_cumsum", R"("axis": "1")"), running, 0);
    same(y("_np_cumsum", R"("axis": "1", "dtype": "int32")"), nd::tensor<std::int32_t, shape<2, 3>>{100, 200, 300, 1, 3, 6}, 0);
  }
  symbol const narrow = sym::var("x", unknown_dims, dtype::int8), of_cast = cast(sym::var("x"), as<std::int8_t>);
  symbol const computed = relu(narrow) + narrow * 1 - narrow,
               moved = concat(transpose(narrow), transpose(cast(narrow, as<std::int8_t>)), axis<1>);
  for (symbol const& s :
       {sum(narrow, axis<1>), prod(narrow, axis<1>), cumsum(narrow, axis<1>), sum(of_cast, axis<1>), sum(computed, axis<1>),
        sum(moved, axis<0>), sum(max(computed, axis<0>, keepdims), axis<1>), sum(min(computed, axis<0>, keepdims), axis<1>)})
    same(symbol::load_json(s.tojson()).eval({{"x", x}})[0], s.eval({{"x", x}})[0], 0);
}

TEST_CASE("a sum of uint8 is int32 again from its file") {
  nd::tensor<std::uint8_t, shape<2, 3>> const x{200, 100, 100, 1, 2, 3};
  symbol const s = sum(sym::var("x", unknown_dims, dtype::uint8), axis<1>);
  same(symbol::load_json(s.tojson()).eval({{"x", x}})[0], nd::tensor<std::int32_t, shape<2>>{400, 6}, 0);
}
TEST_CASE("a negative number is true in MXNet's logic") {
  nd::tensor<float, shape<2>> const x{0, 3};
  same(alone("_logical_and_scalar", R"("scalar": "-1")", {"x"}).eval({{"x", x}})[0], nd::tensor<float, shape<2>>{0, 1}, 0);
}

TEST_CASE("halves are rounded as MXNet rounds them, and sinter's own stay even") {
  nd::tensor<float, shape<8>> const x{.5f, 1.5f, 2.5f, -.5f, -1.5f, -2.5f, 3.5f, 8388609};
  nd::tensor<float, shape<8>> const down{0, 1, 2, -1, -2, -3, 3, 8388609}, even{0, 2, 2, 0, -2, -2, 4, 8388609},
      away{1, 2, 3, -1, -2, -3, 4, 8388609};
  auto const y = [&](char const* op, char const* attributes = "") { return alone(op, attributes, {"x"}, true).eval({{"x", x}})[0]; };
  same(y("rint"), down, 0);
  same(y("_npi_rint"), down, 0);
  same(y("_npi_around"), even, 0);
  same(y("_npi_around", R"("decimals": "0")"), even, 0);
  same(y("round"), away, 0);
  CHECK_THROWS_WITH(y("_npi_around", R"("decimals": "1")"), Catch::Contains("attribute `decimals` is `1`: sinter rounds to whole numbers"));
  for (symbol const& s : {rint(sym::var("x")), round(sym::var("x"))}) {
    CHECK(s.tojson().find("rint\",") == std::string::npos);
    same(symbol::load_json(s.tojson()).eval({{"x", x}})[0], even, 0);
  }
}
TEST_CASE("dtypes that MXNet does not compute in are cast for it, or refused") {
  using integers = nd::tensor<int, shape<2, 5>>;
  auto const x = waves<shape<1, 2, 4, 300>>();
  symbol const s = sym::symbol_of<shape<1, 2, 4, 300>, nd::tensor<bool, shape<3, 2>>, integers>(of_types());
  sym::arrays_by_name const in{{"data0", x}, {"data1", some_truths()}, {"data2", integers()}};
  auto const want = s.eval(in), got = symbol::load_json(s.tojson()).eval(in);
  REQUIRE(got.size() == 11);
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    if (i == 7) CHECK(got[i].shape() == dims{1});  // of all elements, with one axis
    else same(got[i], want[i], 0);
  }
  std::map<std::string, std::string> of;  // the dtype of what each of these reads
  for (auto const nodes = nlohmann::json::parse(s.tojson())["nodes"]; auto const& n : nodes)
    if (!n["inputs"].empty())
      if (auto const& from = nodes[n["inputs"][0][0].get<std::size_t>()]; from["op"] == "Cast")
        of[n["op"].get<std::string>()] += from["attrs"]["dtype"].get<std::string>() + " ";
  CHECK(of["_npi_matmul"] == "float32 ");
  CHECK(of["sort"] == "float32 ");
  CHECK(of["argsort"] == "float32 ");
  CHECK(of["Pooling"] == "float32 float64 ");
  CHECK(of["_contrib_arange_like"] == "int32 ");
  symbol const i = sym::var("i", unknown_dims, dtype::int32), large = sym::var("l", unknown_dims, dtype::int64);
  CHECK_THROWS_WITH(matmul(i, i).named("m").tojson(), Catch::EndsWith("MXNet multiplies matrices of floats alone; cast its operands"));
  CHECK_THROWS_WITH(max_pool(large, pool_size<2, 2>).tojson(),
                    Catch::EndsWith("MXNet computes it of floats, and none has all numbers of int64; cast its operand"));
  CHECK_THROWS_WITH(cast(i, as<std::int16_t>).tojson(), Catch::EndsWith("MXNet has no int16"));
  CHECK_THROWS_WITH(one_hot(i, depth<3>, as<std::int16_t>).tojson(), Catch::EndsWith("MXNet has no int16"));
}
TEST_CASE("numbers that mean another thing in MXNet are refused, and those that it cannot keep") {
  auto const call = [](char const* op, sym::symbols const& in, sym::keyword_values const& k) { return sym::call(op, in, k)[0]; };
  auto const numbers = [](number const& v) { return ops::number_list{1, {v}}; };
  auto const refused = [](symbol const& s, std::string const& why) {
    CHECK_THROWS_WITH(s.tojson(), Catch::EndsWith("cannot be written for MXNet: " + why));
  };
  symbol const x = sym::var("x"), row = sym::var("row", {1, 3}), whole = sym::var("i", {2}, dtype::int64);
  std::string const extent = "an extent of its shape is no number from 1 on";
  for (symbol const& s : {call("broadcast_to", {row}, {{"into", dims{0, 3}}}), call("broadcast_to", {relu(x)}, {{"into", dims{0, 3}}}),
                          call("broadcast_to", {x}, {{"into", dims{2, 0, 3}}}), call("reshape", {x}, {{"into", dims{0, -1}}}),
                          call("zeros", {}, {{"into", dims{0, 3}}}) + x, call("ones", {}, {{"into", dims{3, 0}}}) + x,
                          call("full", {}, {{"into", dims{0}}, {"values", numbers(number(2.0))}}) + x})
    refused(s, extent);
  std::int64_t const large = (std::int64_t{1} << 53) + 1, most = std::numeric_limits<std::int64_t>::max();
  std::string const none = "MXNet keeps its numbers in float64, which has no ";
  refused(whole + large, none + "9007199254740993");
  refused(most - whole, none + "9223372036854775807");
  refused(whole > -large, none + "-9007199254740993");
  refused(call("full", {}, {{"into", dims{2}}, {"values", numbers(number(large))}, {"as", dtype::int64}}) + whole,
          none + "9007199254740993");
  refused(clip(whole, 0, 16777217), "MXNet keeps its numbers in float32, which has no 16777217");
  refused(call("full", {}, {{"into", dims{2}}, {"values", numbers(number(std::nan("")))}}) + x, "a number of it is NaN");
  nd::tensor<std::int64_t, shape<2>> const two{1, 1 << 30};
  for (symbol const& s : {whole + (large - 1), clip(whole, 0, 16777216), call("reshape", {whole}, {{"into", dims{-1, 1}}}),
                          call("broadcast_to", {whole}, {{"into", dims{3, 2}}})})
    same(symbol::load_json(s.tojson()).eval({{"i", two}})[0], s.eval({{"i", two}})[0], 0);

  std::string const axis_more =
      "an operand has no axes, and MXNet gives it one, so that the result had one more; write F.reshape(x, into<1>) for that operand";
  refused(stack(sum(x), max(x) * 2), axis_more);
  refused(expand_dims(mean(x), axis<0>), axis_more);
  refused(take(x, argmax(row)), axis_more);
  refused(one_hot(argmin(x), depth<3>), axis_more);
  nd::tensor<float, shape<1, 3>> const three{1, 5, 2};
  for (symbol const& s : {stack(sum(row, axis<1>), max(row, axis<1>)), expand_dims(mean(row, keepdims), axis<0>),
                          concat(reshape(sum(row), into<1>), reshape(max(row), into<1>), axis<0>), row - mean(row)})
    same(symbol::load_json(s.tojson()).eval({{"row", three}})[0], s.eval({{"row", three}})[0], 0);
}
TEST_CASE("positions among many elements are the same again, though MXNet counts in the dtype of the elements") {
  nd::tensor<int, shape<1>> const at{4999};
  for (dtype const t : {dtype::int8, dtype::uint8, dtype::float16}) {
    symbol const all = sym::call("one_hot", {sym::var("at", {1}, dtype::int32)}, {{"depth", 5000}, {"as", t}})[0];
    for (symbol const& s : {argmax(all, axis<1>), argmax(all, axis<1>, keepdims), argmin(1 - all, axis<1>), arange_like(all, axis<1>)})
      same(symbol::load_json(s.tojson()).eval({{"at", at}})[0], s.eval({{"at", at}})[0], 0);
  }
}
TEST_CASE("truths are int64 beside numbers, and integers count themselves") {
  nd::tensor<bool, shape<2>> const x{true, false};
  auto const y = [&](char const* op, char const* attributes, bool is_numpy = false) {
    return alone(op, attributes, {"x"}, is_numpy).eval({{"x", x}})[0];
  };
  using integers = nd::tensor<std::int64_t, shape<2>>;
  same(y("_not_equal_scalar", R"("scalar": "0")"), integers{1, 0}, 0);
  same(y("_greater_scalar", R"("scalar": "0.5", "is_int": "False")"), nd::tensor<double, shape<2>>{1, 0}, 0);
  same(y("_npi_not_equal_scalar", R"("scalar": "0")", true), x, 0);
  same(y("_plus_scalar", R"("scalar": "1")"), integers{2, 1}, 0);
  same(y("_rminus_scalar", R"("scalar": "1", "is_int": "False")"), nd::tensor<double, shape<2>>{0, 1}, 0);
  same(y("_logical_xor_scalar", R"("scalar": "1")"), integers{0, 1}, 0);
  nd::tensor<std::int64_t, shape<2, 3>> const i;
  symbol const places = alone("_contrib_arange_like", R"("axis": "1", "start": "4", "step": "-2")", {"i"});
  same(places.eval({{"i", i}})[0], nd::tensor<std::int64_t, shape<3>>{4, 2, 0}, 0);
}
TEST_CASE("pixels that are moved and put around images are written for MXNet") {
  auto const x = waves<shape<2, 12, 5, 4>>();
  nd::tensor<int, shape<1, 1, 2, 2>> const whole{16777219, 2, 3, 4};
  std::string const file = scratch("pixels.safetensors");
  of_pixels const net;
  net.save<shape<dim<"batch">, 12, 5, 4>, nd::tensor<int, shape<1, 1, 2, 2>>>(file);
  auto const got = symbol_block::load(file)(x, whole);
  std::size_t i = 0;
  each_part(net(x, whole), [&](auto const& want) {
    CAPTURE(i);
    same(got[i++], want, 0);
  });
  CHECK(i == 10);
  auto const refused = [](symbol const& y, std::string const& why) { CHECK_THROWS_WITH(y.tojson(), Catch::EndsWith(why)); };
  symbol const y = sym::var("y"), flat = sym::var("f", {2, 12, 20});
  refused(padded(y, begin<1, 0, 0, 0>), "MXNet pads no axis before the third");
  refused(padded(flat, begin<0, 0, 1>), "MXNet pads arrays of four or five axes");
  refused(padded(y, begin<0, 0, 0, 0, 0, 1>), "MXNet pads arrays of four or five axes");
  symbol const all = pixel_shuffle(sym::var("x", {2, 12, 5, 4}), factor<2>);  // one factor for both axes
  same(symbol::load_json(all.tojson()).eval({{"x", x}})[0], all.eval({{"x", x}})[0], 0);
}
TEST_CASE("nodes that nobody has named take no name that somebody gave") {
  symbol const x = sym::var("x"), y = relu(relu(x).named("relu0") + relu(x)) + sym::var("relu2");
  std::set<std::string> names;
  auto const nodes = nlohmann::json::parse(y.tojson())["nodes"];
  for (auto const& n : nodes) names.insert(n["name"].get<std::string>());
  CHECK(names.size() == nodes.size());
  CHECK(names.contains("relu0"));
  CHECK(names.contains("relu1"));
}
TEST_CASE("extents that are numbers and others are an array") {
  symbol const s = alone("shape_array", "", {"x"});
  same(s.eval({{"x", waves<shape<4, 6, 2>>()}})[0], nd::tensor<std::int64_t, shape<3>>{4, 6, 2}, 0);
  std::string const file = scratch("extents.safetensors");
  of_lengths().save<shape<dim<"time">, dim<"batch">, 2>, nd::tensor<std::int64_t, shape<dim<"batch">>>>(file);
  auto const x = waves<shape<4, 6, 2>>();
  auto const got = symbol_block::load(file)(x, lengths<std::int64_t>());
  std::size_t i = 0;
  each_part(of_lengths()(x, lengths<std::int64_t>()), [&](auto const& want) { same(got[i++], want, 0); });
}
TEST_CASE("negative indices of gather_nd count from the end") {
  nd::tensor<float, shape<2, 3>> const x{0, 1, 2, 3, 4, 5};
  nd::tensor<float, shape<2, 3>> const at{-1, 0, 1, -3, -1, 2};
  same(alone("gather_nd", "", {"x", "i"}).eval({{"x", x}, {"i", at}})[0], nd::tensor<float, shape<3>>{3, 2, 5}, 0);
  nd::tensor<std::int64_t, shape<1, 2>> const rows{-2, -1};
  same(alone("gather_nd", "", {"x", "i"}).eval({{"x", x}, {"i", rows}})[0], x, 0);
  symbol const own = gather_nd(sym::var("x"), sym::var("i"));  // a negative one is out of range, and the first is taken
  same(symbol::load_json(own.tojson()).eval({{"x", x}, {"i", rows}})[0], own.eval({{"x", x}, {"i", rows}})[0], 0);
}

TEST_CASE("positions have the dtype of what they are positions in, and an axis is always left") {
  nd::tensor<double, shape<2, 3>> const x{0, 5, 1, 7, 2, 3};
  nd::tensor<std::int32_t, shape<2, 3>> const whole{0, 5, 1, 7, 2, 3};
  same(alone("argmax", R"("axis": "1")", {"x"}).eval({{"x", x}})[0], nd::tensor<double, shape<2>>{1, 0}, 0);
  same(alone("argmin", R"("axis": "1")", {"x"}).eval({{"x", whole}})[0], nd::tensor<std::int32_t, shape<2>>{0, 1}, 0);
  same(alone("argmax_channel", "", {"x"}).eval({{"x", x}})[0], nd::tensor<double, shape<2>>{1, 0}, 0);
  same(alone("_npi_argmax", R"("axis": "1")", {"x"}, true).eval({{"x", x}})[0], nd::tensor<std::int64_t, shape<2>>{1, 0}, 0);
  nd::tensor<double, shape<3>> const line{4, 5, 6};
  nd::tensor<float, shape<1>> const second{1};
  for (bool const is_numpy : {false, true})
    same(alone("pick", R"("axis": "0")", {"x", "i"}, is_numpy).eval({{"x", line}, {"i", second}})[0], nd::tensor<double, shape<1>>{5}, 0);
  nd::tensor<float, shape<1, 1>> const one{4};
  for (char const* axes : {"", R"json("axis": "(0, 1)")json"}) {
    CHECK(alone("squeeze", axes, {"x"}).eval({{"x", one}})[0].shape() == dims{1});
    CHECK(alone("squeeze", axes, {"x"}, true).eval({{"x", one}})[0].shape() == dims{});
  }
  CHECK(alone("squeeze", R"("axis": "0")", {"x"}).eval({{"x", one}})[0].shape() == dims{1});
}

TEST_CASE("a pooling whose last window shows nothing is refused, because MXNet gives the lowest number for it") {
  symbol const s = alone("Pooling", R"json("kernel": "(2,)", "stride": "(3,)", "pooling_convention": "full")json", {"x"});
  nd::tensor<float, shape<1, 1, 7>> const seven{0, 1, 2, 3, 4, 5, 6};
  same(s.eval({{"x", seven}})[0], nd::tensor<float, shape<1, 1, 3>>{1, 4, 6}, 0);
  CHECK_THROWS_WITH(s.eval({{"x", nd::tensor<float, shape<1, 1, 6>>()}}),
                    Catch::Contains("the last window of this pooling shows no element of an array of shape (1, 1, 6), only padding: MXNet "
                                    "counts such a window, and ceil_mode does not"));
}

TEST_CASE("a pooling that sums counts what it pads, whatever count_include_pad says, and _split_v2 has equal sections") {
  nd::tensor<float, shape<1, 1, 4>> const x{0, 1, 2, 3};
  for (char const* counts : {"True", "False"})
    same(alone("Pooling",
               R"json("kernel": "(2,)", "pad": "(1,)", "pool_type": "sum", "count_include_pad": ")json" + std::string(counts) + "\"", {"x"})
             .eval({{"x", x}})[0],
         nd::tensor<float, shape<1, 1, 5>>{0, 1, 3, 5, 3}, 0);
  nd::tensor<float, shape<6>> const six{0, 1, 2, 3, 4, 5};
  auto const thirds = symbol::load_json(
                          R"json({"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "_split_v2", "name": "y", "attrs":
                          {"indices": "(0,)", "axis": "0", "squeeze_axis": "False", "sections": "3"}, "inputs": [[0, 0, 0]]}],
                          "arg_nodes": [0], "heads": [[1, 0, 0], [1, 1, 0], [1, 2, 0]]})json")
                          .eval({{"x", six}});
  for (int i = 0; i < 3; ++i)
    same(thirds[static_cast<std::size_t>(i)], nd::tensor<float, shape<2>>{2.f * static_cast<float>(i), 2.f * static_cast<float>(i) + 1}, 0);
}

TEST_CASE("a pooling of power 1 is a sum, and squeeze_axis takes the axis of _split_v2 away") {
  nd::tensor<float, shape<1, 1, 4>> const x{0, 1, -2, 3};
  for (char const* p : {R"("pool_type": "sum")", R"("pool_type": "lp", "p_value": "1")"})
    same(alone("Pooling", R"json("kernel": "(2,)", )json" + std::string(p), {"x"}).eval({{"x", x}})[0],
         nd::tensor<float, shape<1, 1, 3>>{1, -1, 1}, 0);
  symbol const column = alone("_split_v2", R"json("indices": "(1, 2)", "axis": "1", "squeeze_axis": "True")json", {"x"});
  same(column.eval({{"x", nd::tensor<float, shape<2, 3>>{0, 1, 2, 3, 4, 5}}})[0], nd::tensor<float, shape<2>>{1, 4}, 0);
}

TEST_CASE("a BatchNorm of three inputs names its moments, and a softmax of length 0 is 0") {
  nd::tensor<float, shape<2, 2>> const x{1, 2, 5, 6};
  nd::tensor<float, shape<2>> const gamma{1, 1}, beta{0, 1}, means{1, 2}, variances{3.999f, 0.249f};
  symbol const layer = alone("BatchNorm", "", {"x", "gamma", "beta"});
  same(layer.eval({{"x", x}, {"gamma", gamma}, {"beta", beta}, {"y_moving_mean", means}, {"y_moving_var", variances}})[0],
       nd::tensor<float, shape<2, 2>>{0, 1, 2, 9}, 1e-6);
  symbol const cut = alone("softmax", R"("use_length": "True")", {"x", "n"});
  same(cut.eval({{"x", x}, {"n", nd::tensor<int, shape<2>>{0, 1}}})[0], nd::tensor<float, shape<2, 2>>{0, 0, 1, 0}, 0);
}

TEST_CASE("attributes that contradict each other are refused, and the root of an extent that is no number") {
  auto const refused = [](char const* op, char const* attributes, std::string const& why) {
    CHECK_THROWS_WITH(alone(op, attributes, {"x", "w"}), "sinter: symbol JSON: node `y` (" + std::string(op) + "): attribute " + why);
  };
  refused("Deconvolution", R"json("kernel": "(2, 2)", "num_filter": "3", "target_shape": "(4, 4)")json",
          "`target_shape` is `(4, 4)`: write `pad` and `adj` instead");
  refused("Convolution", R"json("kernel": "(2, 2)", "num_filter": "3", "num_group": "2", "no_bias": "True")json",
          "`num_group` is `2`: the filters are no multiple of it");
  CHECK_THROWS_WITH(alone("broadcast_axis", R"json("axis": "(0, 1)", "size": "(2,)")json", {"x"}),
                    Catch::EndsWith("attribute `size` is `(2,)`: there is not one for each axis"));
  symbol const rooted = alone("_contrib_div_sqrt_dim", "", {"x"});
  CHECK(rooted.infer_shape({{"x", shape<dim<"n">, 4>::value}}).outputs[0] == shape<dim<"n">, 4>::value);
  CHECK_THROWS_WITH(rooted.infer_shape({{"x", shape<4, dim<"n">>::value}}),
                    Catch::EndsWith("its last axis is dynamic, and the root of its extent is wanted"));
}

TEST_CASE("what a network says beside the defaults stays when it is written") {
  auto const with = [](char const* op, sym::symbols const& in, sym::keyword_values const& k) { return sym::call(op, in, k)[0]; };
  sym::arrays_by_name in;
  auto const array = [&](std::string const& name, dims const& shape) {
    sym::array a(dtype::float32, shape);
    for (extent i = 0; i < shape.size(); ++i) reinterpret_cast<float*>(a.data())[i] = 1 + std::sin(static_cast<float>(7 * i));
    in.emplace(name, a);
    return sym::var(name, shape);
  };
  symbol const x = array("x", {2, 2, 8, 7}), line = array("line", {2, 2, 7}), solid = array("solid", {1, 2, 4, 5, 6}),
               w = array("w", {4, 1, 2, 3}), v = array("v", {2, 2, 2, 3}), c = array("c", {2}), r = array("r", {7}), m = array("m", {2}),
               d = array("d", {2});
  for (symbol const& s :
       {with("convolution", {x, w}, {{"stride", int_list{1, 2}}, {"dilate", int_list{3, 2}}, {"pad", int_list{1, 0}}, {"groups", 2}}),
        with("convolution_transpose", {x, v},
             {{"stride", int_list{3, 2}}, {"dilate", int_list{2, 1}}, {"pad", int_list{1, 0}}, {"adjust", int_list{2, 1}}}),
        with("avg_pool", {x},
             {{"pool_size", int_list{3, 2}}, {"stride", int_list{2, 1}}, {"pad", int_list{1, 1}}, {"count_include_pad", false}}),
        with("avg_pool", {x}, {{"pool_size", int_list{3, 2}}, {"stride", int_list{2, 2}}, {"ceil_mode", true}}),
        with("max_pool", {x}, {{"pool_size", int_list{3, 2}}, {"stride", int_list{2, 2}}, {"ceil_mode", true}}),
        with("max_pool", {x}, {{"pool_size", int_list{2}}}), with("max_pool", {solid}, {{"pool_size", int_list{2}}}),
        with("avg_pool", {line}, {{"pool_size", int_list{3}}, {"pad", int_list{1}}}), with("batch_norm", {x, c, c, m, d}, {{"eps", 0.5}}),
        with("layer_norm", {x, r, r}, {{"eps", 0.5}}), with("instance_norm", {x, c, c}, {{"eps", 0.5}}),
        with("l2_normalize", {x}, {{"eps", 9.}}), with("leaky_relu", {x - 1}, {{"slope", 0.75}}),
        with("norm", {x}, {{"ord", 1}, {"axis", int_list{1}}}),
        with("take", {x, with("argmax", {r}, {{"axis", int_list{0}}, {"keepdims", true}})}, {{"axis", int_list{-1}}})}) {
    sym::arrays_by_name used;
    for (std::string const& name : s.list_arguments()) used.insert(*in.find(name));
    INFO(s.tojson());
    same(symbol::load_json(s.tojson()).eval(used)[0], s.eval(used)[0], 0);
  }
  sym::symbols operands{sym::var("x")};
  for (char const* name : {"gamma", "beta", "mean", "variance"}) operands.push_back(sym::held(name, in.at("c")));
  std::vector<std::string> names;
  for (io::array const& a : sym::parameters_of(with("batch_norm", operands, {}), {})) names.push_back(a.name);
  CHECK(names == std::vector<std::string>{"arg:gamma", "arg:beta", "aux:mean", "aux:variance"});
  nd::tensor<float, shape<2>> const two{-4, 4};
  same(alone("LeakyReLU", "", {"x"}).eval({{"x", two}})[0], nd::tensor<float, shape<2>>{-1, 4}, 0);
}

TEST_CASE("what is no graph is one error with the node's name") {
  auto const fails = [](std::string const& part, std::string const& other, std::string const& why) {
    CHECK_THROWS_WITH(symbol::load_json(with(small, part, other)), "sinter: symbol JSON" + why);
  };
  fails(R"("op": "softmax")", R"("op": "softmux")", ": node `prob` (softmux): sinter has no such operation");
  fails(R"("axis": "-1")", R"("axes": "-1")", ": node `prob` (softmax): attribute `axes` is unknown");
  fails(R"("axis": "-1")", R"("axis": "1.5")", ": node `prob` (softmax): attribute `axis` is `1.5`: it is not a whole number");
  fails(R"("axis": "-1")", R"("axis": "99999999999")",
        ": node `prob` (softmax): attribute `axis` is `99999999999`: it is not a whole number");
  fails(R"("axis": "-1")", R"("axis": 1)", ": node 8 `prob` has the attribute `axis`, which is no string");
  fails(R"("num_hidden": "3")", R"("num_hidden": "0")", ": node `fc1` (FullyConnected): attribute `num_hidden` is `0`: it is less than 1");
  fails(R"(, "num_hidden": "3")", "", ": node `fc1` (FullyConnected): attribute `num_hidden`: it is missing");
  fails(R"("no_bias": "False")", R"("no_bias": "True")",
        ": node `fc1` (FullyConnected): attribute `no_bias` is `True`: the node has 3 inputs");
  fails(R"("act_type": "relu")", R"("act_type": "Relu")",
        ": node `relu1` (Activation): attribute `act_type` is `Relu`: sinter knows relu, sigmoid, tanh, softrelu, softsign, mish, "
        "log_sigmoid");
  fails("[[7,0,0]]", "[[7,1,0]]", ": node `prob` (softmax): output 1 of node 7 is wanted, which has 1");
  fails("[[7,0,0]]", "[[8,0,0]]", ": node 8 `prob` names node 8, and only those before it can be named: 8");
  fails("[[7,0,0]]", "[[-1,0,0]]", ": node 8 `prob` has a number that is no index");
  fails("[[7,0,0]]", "[[7]]", ": node 8 `prob` has an entry that is not [node, output, version]");
  fails("[[7,0,0]]", "[[7,0,0],[1,0,0],[1,0,0]]", ": node `prob` (softmax): it has 3 inputs");
  fails(R"("name": "b2")", R"("name": "w2")", ": node `w2` (null): two variables have this name");
  fails(R"("heads": [[8,0,0]])", R"("heads": [])", ": `heads` names no output");
  fails(R"("heads")", R"("head")", ": the graph has the unknown key `head`");
  fails("[0,1,2,5,6]", "[0,1,2,5,7]", ": `arg_nodes` names node 7, which is no variable");
  fails(R"("name": "b2")", R"("name": "b2", "name": "b3")", ": key `name` stands twice in one object");
  fails(R"("axis": "-1"})", R"("axis": "-1"}, "subgraphs": [{}])", ": a subgraph has no array `nodes`");
  CHECK_THROWS_WITH(symbol::load_json(std::string(100, '[')), Catch::Contains("nested deeper"));
  CHECK_THROWS_WITH(symbol::load_json("{"), "sinter: symbol JSON, at byte 1: it is no JSON text, or it is cut off here");
  CHECK_THROWS_WITH(symbol::load_json("<html>"), Catch::Contains("it is no JSON text; it is text, an HTML page"));
  CHECK_THROWS_WITH(symbol::load_json("[1e999]"), "sinter: symbol JSON: it has a number that no computer holds");
  CHECK_THROWS_WITH(symbol::load_json("[]"), "sinter: symbol JSON: the graph is no JSON object");
  CHECK_THROWS_WITH(symbol::load(scratch("nothing")), Catch::Contains("cannot be opened"));
}

TEST_CASE("a graph that is cut or changed anywhere is an error or a graph") {
  std::string const text = small;
  for (std::size_t i = 0; i < text.size(); ++i) CHECK_THROWS_AS(symbol::load_json(text.substr(0, i)), file_error);
  std::size_t graphs = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int const bit : {0, 3, 6}) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      try {
        graphs += static_cast<std::size_t>(symbol::load_json(other).outputs() > 0);
      } catch (file_error const&) {}
    }
  CHECK(graphs > 0);
}

TEST_CASE("parameters and graph are compared by name") {
  std::string const graph = scratch("small.json"), params = scratch("small.params");
  io::write_file(graph, std::as_bytes(std::span(small, std::strlen(small))));
  auto const array = [](std::string name, dims const& shape) {
    return sym::file_array_of(std::move(name), sym::array(dtype::float32, shape));
  };
  auto const imports = [&](std::vector<io::array> const& all) {
    io::write_params(params, all);
    return symbol_block::imports(graph, {"data"}, params);
  };
  auto const w1 = array("arg:w1", {3, 4}), b1 = array("aux:b1", {3}), w2 = array("w2", {2, 3}), b2 = array("arg:b2", {2});
  symbol_block const net = imports({w1, b1, w2, b2});
  CHECK(net(sym::array(dtype::float32, {5, 4}))[0].shape() == dims{5, 2});
  CHECK_THROWS_WITH(net(sym::array(dtype::float32, {5, 9})), Catch::Contains("fc1"));
  CHECK_THROWS_WITH(net(sym::array(dtype::float32, {5, 4}), sym::array(dtype::float32, {5, 4})),
                    "sinter: a network with 1 input is called with 2");
  CHECK_THROWS_WITH(imports({array("arg:w1", {3, 5}), b1, w2, array("b3", {2})}),
                    "sinter: " + params +
                        " and the graph do not fit: missing, and not named as inputs, are `b2`; the graph has no `b3`; of another shape "
                        "are `w1` of shape "
                        "(3, 5) (the graph says (3, 4))");
  CHECK_THROWS_WITH(imports({w1, b1, w2, b2, array("aux:w1", {3, 4})}), Catch::Contains("two arrays are named `w1`"));
  imports({w1, b1, w2, b2});
  CHECK_THROWS_WITH(symbol_block::imports(graph, {"data"}),
                    "sinter: " + graph + ": no file of parameters was given, and these variables are no inputs: `w1`, `b1`, `w2`, `b2`");
  CHECK_THROWS_WITH(
      symbol_block::imports(graph, {"date"}),
      "sinter: " + graph +
          ": there is no variable `date`; no file of parameters was given, and the variables are `data`, `w1`, `b1`, `w2`, `b2`");
  CHECK_THROWS_WITH(symbol_block::imports(graph, {"date"}, params),
                    "sinter: " + graph + ": there is no variable `date`; those that " + params + " leaves are `data`");
  CHECK_THROWS_WITH(symbol_block::imports(graph, {"data", "data"}, params), "sinter: " + graph + ": the input `data` is named twice");
}

TEST_CASE("attributes are compared with parameters when these are bound") {
  std::string const graph = scratch("bound.json"), params = scratch("bound.params");
  auto const why = [&](std::string const& text, std::vector<io::array> const& all) -> std::string {
    io::write_file(graph, std::as_bytes(std::span(text)));
    io::write_params(params, all);
    try {
      symbol_block::imports(graph, {"data"}, params);
    } catch (file_error const& e) { return e.what(); }
    return "it was taken";
  };
  auto const array = [](std::string name, dims const& shape) {
    return sym::file_array_of(std::move(name), sym::array(dtype::float32, shape));
  };
  auto const one = [](std::string const& op, std::string const& attributes) { return alone(op, attributes, {"data", "w", "b"}).tojson(); };
  std::string const start = "sinter: " + graph + ": node `y` ";
  CHECK(why(one("FullyConnected", R"("num_hidden": "127")"), {array("w", {128, 64}), array("b", {127})}) ==
        start + "(FullyConnected): parameter `w` has the shape (128, 64), and num_hidden=127 wants (127, ?)");
  CHECK(why(one("FullyConnected", R"("num_hidden": "3")"), {array("w", {3, 4}), array("b", {4})}) ==
        start + "(FullyConnected): parameter `b` has the shape (4,), and num_hidden=3 wants (3,)");
  std::string const windows = R"json("kernel": "(3, 3)", "num_filter": "8", "num_group": "2")json";
  CHECK(why(one("Convolution", windows), {array("w", {8, 2, 5, 5}), array("b", {8})}) ==
        start + "(Convolution): parameter `w` has the shape (8, 2, 5, 5), and num_filter=8 and kernel=(3, 3) want (8, ?, 3, 3)");
  CHECK(why(one("Convolution", windows), {array("w", {4, 2, 3, 3}), array("b", {4})}).ends_with("want (8, ?, 3, 3); 1 more does not fit"));
  CHECK(why(one("Deconvolution", windows + R"(, "no_bias": "False")"), {array("w", {6, 8, 3, 3}), array("b", {8})}) ==
        start +
            "(Deconvolution): parameter `w` has the shape (6, 8, 3, 3), and num_filter=8 and num_group=2 and kernel=(3, 3) want (?, 4, "
            "3, 3)");
  CHECK(why(one("Deconvolution", windows + R"(, "no_bias": "False")"), {array("w", {6, 4, 3, 3}), array("b", {8})}) == "it was taken");
  CHECK(why(alone("Embedding", R"("input_dim": "9", "output_dim": "4")", {"data", "w"}).tojson(), {array("w", {9, 5})}) ==
        start + "(Embedding): parameter `w` has the shape (9, 5), and input_dim=9 and output_dim=4 want (9, 4)");
}

TEST_CASE("parameters come from files of other formats, too") {
  std::string const graph = scratch("formats.json"), params = scratch("formats.safetensors");
  io::write_file(graph, std::as_bytes(std::span(small, std::strlen(small))));
  std::vector<io::array> all;
  for (auto const& [name, shape] : std::vector<std::pair<std::string, dims>>{{"w1", {3, 4}}, {"b1", {3}}, {"w2", {2, 3}}, {"b2", {2}}})
    all.push_back(sym::file_array_of(name, sym::array(dtype::float32, shape)));
  io::write_safetensors(params, all);
  CHECK(symbol_block::imports(graph, {"data"}, params)(sym::array(dtype::float32, {5, 4}))[0].shape() == dims{5, 2});
  all.push_back(all[0]);
  all.back().name = "arg:w1";
  io::write_safetensors(params, all);
  CHECK_THROWS_WITH(symbol_block::imports(graph, {"data"}, params), "sinter: " + params + ": array `w1`: two arrays are named so");
  CHECK_THROWS_WITH(symbol_block::imports(graph, {"data"}, data + "safetensors/all.safetensors"),
                    "sinter: " + data + "safetensors/all.safetensors: array `layers.10.weight`: no array has the dtype uint16");
  CHECK_THROWS_WITH(symbol_block::imports(graph, {"data"}, data + "npz/stored.npz"), Catch::Contains("sinter/io/npz.hpp"));
}
