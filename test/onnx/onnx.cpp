// SPDX-License-Identifier: Apache-2.0
// Models from ONNX files: what they give, what is said of bad ones, and that no byte of a file can do harm. nodes.py compares every operator
// with ONNX's own results.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/onnx.hpp>

#include <cmath>
#include <filesystem>

#include "catch.hpp"

namespace onnx = sinter::onnx;
namespace nd = sinter::nd;
namespace sym = sinter::sym;
using sinter::shape;

static std::string corpus(std::string const& name) { return SINTER_SOURCE_DIR "/test/fuzz/corpus/onnx/" + name + ".onnx"; }
template <class S> static sym::arrays_by_name floats(std::string const& name, std::initializer_list<float> v) {
  nd::tensor<float, S> x;
  std::copy(v.begin(), v.end(), x.data());
  return {{name, x}};
}
static void is_near(sym::array const& a, std::vector<double> const& want) {
  REQUIRE(a.shape().size() == static_cast<std::int64_t>(want.size()));
  for (std::size_t i = 0; i < want.size(); ++i) {
    double const got = a.type() == sinter::dtype::float64 ? reinterpret_cast<double const*>(a.data())[i]
                                                          : double{reinterpret_cast<float const*>(a.data())[i]};
    CHECK(std::abs(got - want[i]) < 1e-6 * (1 + std::abs(want[i])));
  }
}
template <class F> static std::string error_of(F f) {
  try {
    f();
  } catch (sinter::error const& e) { return e.what(); }
  return "no error";
}
static bool says(std::string const& what, std::string const& words) {
  INFO(what);
  return what.find(words) != std::string::npos;
}

// The numbers are those of ONNX Runtime 1.32.
TEST_CASE("models from files give what ONNX Runtime gives", "[onnx]") {
  onnx::model mlp = onnx::load(corpus("mlp"));
  CHECK(mlp.input_names() == std::vector<std::string>{"x"});
  CHECK(mlp.output_names() == std::vector<std::string>{"y"});
  is_near(mlp(floats<shape<1, 3>>("x", {1, -2, .5f}))[0], {0.9952743, 0.00472571});
  is_near(mlp(floats<shape<2, 3>>("x", {1, -2, .5f, 1, -2, .5f}))[0], {0.9952743, 0.00472571, 0.9952743, 0.00472571});  // another batch
  is_near(onnx::load(corpus("recurrent"))(
              floats<shape<3, 2, 2>>("x", {-.6f, -.475f, -.35f, -.225f, -.1f, .025f, .15f, .275f, .4f, .525f, .65f, .775f}))[0],
          {0.06901763, -0.02352982, 0.13444835, -0.01608369, 0.1799844, -0.02054207, 0.20148157, -0.01859755, 0.19578451, -0.0171412,
           0.17655595, -0.01406613});
  nd::tensor<double, shape<2>> x;
  x.data()[0] = 0, x.data()[1] = 1000;
  is_near(onnx::load(corpus("carriers"))({{"x", x}})[0], {123.6, 1133.2});
}
TEST_CASE("shapes of a model are computed when those of its inputs are known", "[onnx]") {
  onnx::model const net = onnx::load(corpus("shapes"));
  CHECK(net(floats<shape<1, 2, 2>>("x", {1, 2, 3, 4}))[0].shape() == sinter::dims{1, 4});
  CHECK(net(floats<shape<2, 2, 2>>("x", {1, 2, 3, 4, 5, 6, 7, 8}))[0].shape() == sinter::dims{2, 4});
}
TEST_CASE("branches and turns of a model follow the elements of its inputs", "[onnx]") {
  onnx::model const net = onnx::load(corpus("control"));
  auto in = floats<shape<2>>("x", {1, -2});
  for (bool yes : {true, false, true}) {
    nd::tensor<bool, shape<>> k;
    *k.data() = yes;
    in.insert_or_assign("k", k);
    is_near(net(in)[0], yes ? std::vector<double>{2, -4} : std::vector<double>{4, -8});
  }
}
TEST_CASE("a call that does not fit a model says why", "[onnx]") {
  onnx::model const net = onnx::load(corpus("mlp"));
  CHECK(says(error_of([&] { net(floats<shape<1, 4>>("x", {1, 2, 3, 4})); }),
             "the input `x` of the model is given float32 (1, 4); dimension 1 is 3"));
  CHECK(says(error_of([&] { net(floats<shape<3>>("x", {1, 2, 3})); }), "and has 2 dimensions"));
  CHECK(says(error_of([&] { net(floats<shape<1, 3>>("z", {1, 2, 3})); }), "the input `x` of the model has no value"));
  auto more = floats<shape<1, 3>>("x", {1, 2, 3});
  more.insert(*floats<shape<1>>("z", {1}).begin());
  CHECK(says(error_of([&] { net(more); }), "the model has no input `z`"));
  nd::tensor<double, shape<1, 3>> const wide;
  CHECK(says(error_of([&] { net({{"x", wide}}); }), "and its elements are float32"));
}

// ---- bad models

static onnx::model_proto relu() { return onnx::parse_model(sinter::io::read_file(corpus("relu")), "relu.onnx"); }
static onnx::attribute alpha(onnx::attribute_type type) {
  onnx::attribute a;
  a.name = "alpha", a.type = type;
  return a;
}
template <class F> static std::string error_of_model(F change) {
  onnx::model_proto m = relu();
  change(m);
  return error_of([&] { onnx::model net(std::move(m), "bad.onnx"); });
}
TEST_CASE("functions of a model are written where they are called", "[onnx]") {
  onnx::model const net = onnx::load(corpus("functions"));
  auto const y = net(floats<shape<1, 4>>("x", {1, 2, 3, 4}));  // 1.5 x times the weights 1, 2, ..., and -1.5 x
  is_near(y[0], {105, 120, 135});
  is_near(y[1], {1.5, 3, 4.5, 6});
  CHECK(net.proto().functions.empty());
  onnx::function f;  // of the relu of x
  f.name = "Calls", f.domain = "local", f.inputs = {"a"}, f.outputs = {"b"}, f.nodes = relu().graph.nodes;
  f.nodes[0].inputs = {"a"}, f.nodes[0].outputs = {"b"};
  auto const calling = [&](onnx::model_proto& m) { m.functions = {f}, m.graph.nodes[0].op = "Calls", m.graph.nodes[0].domain = "local"; };
  onnx::model_proto called = relu();
  calling(called);
  is_near(onnx::model(called)(floats<shape<2>>("x", {3, -1}))[0], {3, 0});
  auto const error_with = [&](auto change) { return error_of_model([&](auto& m) { calling(m), change(m); }); };
  CHECK(says(error_with([](auto& m) { m.functions[0].nodes[0].op = "Calls", m.functions[0].nodes[0].domain = "local"; }),
             "functions of the model call each other more than 32 deep"));
  CHECK(says(error_with([](auto& m) { m.functions.push_back(m.functions[0]); }), "the model has two functions `Calls`"));
  CHECK(says(error_with([](auto& m) { m.functions[0].opsets.push_back({{}, 12}); }), "is of opset 12, and the model of opset 17"));
  CHECK(says(error_with([](auto& m) { m.graph.nodes[0].inputs.resize(2, "x"); }), "function `Calls` has 1 inputs and 1 outputs"));
  CHECK(says(error_with([](auto& m) { m.functions[0].nodes[0].inputs[0] = "x"; }), "which no node before it computes"));
  CHECK(says(error_of_model([](auto& m) {
               m.graph.nodes[0].attributes.push_back(alpha(onnx::attribute_type::real));
               m.graph.nodes[0].attributes[0].refers_to = "beta";
             }),
             "attribute `alpha` refers to one of a function, and stands in none"));
  // 2^30 calls of a relu
  CHECK(says(error_with([&](auto& m) {
               m.functions.clear();
               for (int i = 0; i < 30; ++i) {
                 m.functions.push_back(f);
                 m.functions[static_cast<std::size_t>(i)].name = i == 0 ? "Calls" : "f" + std::to_string(i);
                 onnx::node n = f.nodes[0];
                 n.op = "f" + std::to_string(i + 1), n.domain = "local", n.outputs = {"h"};
                 onnx::node last = n;
                 last.inputs = {"h"}, last.outputs = {"b"};
                 m.functions[static_cast<std::size_t>(i)].nodes = {n, last};
               }
             }),
             "written out, have more than"));
}
TEST_CASE("elements in another file are read from the folder of the model", "[onnx]") {
  auto const folder = std::filesystem::temp_directory_path() / "sinter-onnx-external";
  std::filesystem::create_directories(folder);
  std::string const file = (folder / "model.onnx").string(), beside = (folder / "weights").string();
  onnx::model_proto m = relu();
  m.graph.nodes[0].op = "Add";
  m.graph.nodes[0].inputs = {"x", "w"};
  onnx::tensor t;
  t.name = "w", t.type = onnx::element::float32, t.shape = {2}, t.is_external = true;
  auto const error_of_external = [&](onnx::external_data const& where) {
    m.graph.initializers = {t};
    m.graph.initializers[0].external = where;
    return error_of([&] { onnx::detail::external_reader(file).read(m); });
  };
  float const values[]{7, 1, 2, 9};
  sinter::io::write_file(beside, std::as_bytes(std::span(values)));
  CHECK(error_of_external({"weights", 4, 8, true}) == "no error");
  is_near(onnx::model(m)(floats<shape<2>>("x", {3, -1}))[0], {4, 1});
  CHECK(error_of_external({"weights", 8, 0, false}) == "no error");
  CHECK(says(error_of_external({"weights", 12, 8, true}), "lies in `weights`, which has 16 bytes, and bytes 12 to 20 are wanted"));
  CHECK(says(error_of_external({"weights", ~std::uint64_t{0}, 8, true}), "are wanted"));
  CHECK(says(error_of_external({"weights", 0, 4, true}), "of which it says 4 bytes, and its elements need 8"));
  CHECK(says(error_of_external({"nothing", 0, 8, true}), "cannot be opened"));
  for (char const* const outside : {"../weights", "/etc/passwd", "a/../../weights", "..", ""})
    CHECK(says(error_of_external({outside, 0, 8, true}), "and only files in the folder of the model are read"));
  std::filesystem::remove_all(folder);
}
TEST_CASE("what sinter does not have is named with its node", "[onnx]") {
  is_near(onnx::model(relu())(floats<shape<2>>("x", {3, -1}))[0], {3, 0});
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].op = "Rleu", m.graph.nodes[0].name = "first"; }),
             "bad.onnx, at byte 14: node `first` (Rleu): sinter has no operator Rleu"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].op = "Gelu"; }), "sinter has no operator Gelu of opset 17"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].domain = "com.acme"; }), "is of the domain `com.acme`"));
  CHECK(says(error_of_model([](auto& m) { m.opsets[0].version = 6; }), "the model is of opset 6, and those from 7 to"));
  CHECK(says(error_of_model([](auto& m) { m.opsets[0].version = 99; }), "the model is of opset 99"));
  CHECK(says(error_of_model([](auto& m) { m.opsets.push_back(m.opsets[0]), ++m.opsets[1].version; }), "two opsets of one domain"));
  CHECK(says(error_of_model([](auto& m) { m.opsets.clear(); }), "imports no opset"));
  CHECK(says(error_of_model([](auto& m) { m.ir_version = 99; }), "ir_version is 99"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].attributes.push_back(alpha(onnx::attribute_type::real)); }),
             "sinter knows no attribute `alpha` of Relu in opset 17"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].inputs[0] = "z"; }), "reads `z`, which no node before it computes"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].outputs[0] = "x"; }), "the value `x` is defined twice"));
  CHECK(says(error_of_model([](auto& m) { m.graph.outputs[0].name = "z"; }), "the output `z` is computed by no node"));
  auto const twice = [](auto& m) {
    m.graph.nodes[0].op = "Elu";
    m.graph.nodes[0].attributes.assign(2, alpha(onnx::attribute_type::real));
  };
  CHECK(says(error_of_model(twice), "has the attribute `alpha` twice"));
  auto const mistyped = [](auto& m) {
    m.graph.nodes[0].op = "Elu";
    m.graph.nodes[0].attributes.push_back(alpha(onnx::attribute_type::whole));
  };
  onnx::model_proto m = relu();
  mistyped(m);
  onnx::model net(std::move(m));
  CHECK(says(error_of([&] { net(floats<shape<2>>("x", {3, -1})); }), "attribute alpha is of another type"));
}
TEST_CASE("a tensor whose elements do not fit it is refused", "[onnx]") {
  auto const parse = [](std::vector<unsigned char> const& v) {
    return error_of([&] { onnx::parse_tensor(std::as_bytes(std::span(v)), "t.pb"); });
  };
  CHECK(parse({0x08, 2, 0x10, 3, 0x4a, 2, 1, 2}) == "no error");  // int8 (2,), raw_data
  CHECK(says(parse({0x08, 2, 0x10, 3, 0x4a, 1, 1}), "t.pb, at byte 7: tensor `` of int8 (2,) needs 2 bytes for its elements, and has 1"));
  CHECK(says(parse({0x08, 2, 0x10, 3, 0x4a, 3, 1, 2, 3}), "has 3"));
  CHECK(says(parse({0x08, 2, 0x10, 3}), "has 0"));
  CHECK(says(parse({0x08, 1, 0x10, 3, 0x28, 0x80, 1}), "has the element 128, which its type cannot hold"));
  CHECK(says(parse({0x08, 1, 0x10, 9, 0x4a, 1, 2}), "a bool that is neither 0 nor 1"));
  CHECK(says(parse({0x08, 1, 0x10, 3, 0x28, 1, 0x4a, 1, 1}), "has its elements twice"));
  CHECK(says(parse({0x08, 1, 0x10, 3, 0x38, 1}), "in a field for those of other types"));
  CHECK(says(parse({0x08, 1, 0x10, 99}), "elements of type 99"));
  CHECK(says(parse({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0x10, 3}), "the extent -1"));
  CHECK(says(parse({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}), "a number has more than 10 bytes"));
  CHECK(says(parse({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x10, 7}), "has too many elements"));
  CHECK(says(parse({0x0a, 5, 1}), "ends inside a field"));
  CHECK(says(parse({0x4d, 1, 2, 3, 4}), "raw_data has wire type 5, not 2"));
  CHECK(says(parse({0x0b}), "a wire type that protobuf no longer has"));
  CHECK(says(parse({0x00}), "a field has no number"));
}
TEST_CASE("messages that lie in each other too deep are refused", "[onnx]") {
  std::string inner;
  auto const wrap = [&](char tag) {  // a field of this tag around it
    std::string length;
    for (std::size_t n = inner.size(); length.empty() || n; n >>= 7) length += static_cast<char>((n & 127) | (n > 127 ? 128 : 0));
    inner = tag + length + inner;
  };
  for (int i = 0; i < 2000; ++i) wrap(0x32), wrap(0x2a), wrap(0x0a);  // a graph in an attribute in a node in a graph
  wrap(0x3a);
  CHECK(says(error_of([&] { onnx::parse_model(std::as_bytes(std::span(inner)), "deep.onnx"); }), "more than 100 deep"));
}
// A file may be changed into a model that is right, too, or that another input fits; what it says otherwise is one exception.
TEST_CASE("a file that is cut or flipped at any byte does no harm", "[onnx]") {
  int refused = 0, right = 0;
  auto const try_bytes = [&](std::span<std::byte const> bytes) {
    try {
      onnx::model net(onnx::parse_model(bytes, "changed.onnx"), "changed.onnx");
      ++right;
      net(floats<shape<2, 3>>("x", {1, -2, .5f, 3, 4, 5}));
    } catch (sinter::file_error const& e) {
      ++refused;
      if (e.offset() > bytes.size()) FAIL(e.what());
    } catch (sinter::error const&) {}
  };
  for (char const* name : {"relu", "mlp", "shapes", "control", "recurrent", "carriers", "functions"}) {
    auto bytes = sinter::io::read_file(corpus(name));
    for (std::size_t n = 0; n < bytes.size(); ++n) try_bytes(std::span(bytes).first(n));
    for (std::byte& b : bytes)
      for (int bit = 0; bit < 8; ++bit) {
        b ^= std::byte{1} << bit;
        try_bytes(bytes);
        b ^= std::byte{1} << bit;
      }
  }
  CHECK(refused > 1000);
  CHECK(right > 1000);
}
