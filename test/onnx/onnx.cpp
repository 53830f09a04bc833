// SPDX-License-Identifier: Apache-2.0
// Models from ONNX files: what they give, what is said of bad ones, and that no byte of a file can do harm. nodes.py compares every operator
// with ONNX's own results.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/onnx.hpp>

#include <cmath>

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
TEST_CASE("what sinter does not have is named with its node", "[onnx]") {
  is_near(onnx::model(relu())(floats<shape<2>>("x", {3, -1}))[0], {3, 0});
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].op = "Rleu", m.graph.nodes[0].name = "first"; }),
             "bad.onnx, at byte 14: node `first` (Rleu): sinter has no operator Rleu"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].op = "Gelu"; }), "sinter has no operator Gelu of opset 17"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].domain = "com.acme"; }), "is of the domain `com.acme`"));
  CHECK(says(error_of_model([](auto& m) { m.opsets[0].version = 6; }), "the model is of opset 6, and those from 7 to"));
  CHECK(says(error_of_model([](auto& m) { m.opsets[0].version = 99; }), "the model is of opset 99"));
  CHECK(says(error_of_model([](auto& m) { m.opsets.push_back(m.opsets[0]); }), "two opsets of one domain"));
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
// Backwards, ONNX lets a slice begin at the first element where it would begin before that, as ONNX Runtime does and NumPy does not.
TEST_CASE("a slice that goes backwards from before the first element has that one", "[onnx]") {
  auto const sliced = [](std::initializer_list<float> x, std::int64_t start, std::int64_t end, std::int64_t step) {
    onnx::model_proto m = relu();
    m.graph.inputs[0].shape.clear();
    m.graph.inputs[0].has_shape = false;
    m.graph.outputs[0].has_shape = false;
    m.graph.nodes[0].op = "Slice";
    for (auto const& [name, v] : {std::pair("s", start), std::pair("e", end), std::pair("a", std::int64_t{0}), std::pair("by", step)}) {
      onnx::tensor t;
      t.name = name, t.type = onnx::element::int64, t.shape = {1};
      t.data.resize(8);
      std::memcpy(t.data.data(), &v, 8);
      m.graph.initializers.push_back(t);
      m.graph.nodes[0].inputs.push_back(name);
    }
    sym::array a(sinter::dtype::float32, {static_cast<sinter::extent>(x.size())});
    std::copy(x.begin(), x.end(), reinterpret_cast<float*>(a.data()));
    return onnx::model(std::move(m))({{"x", a}})[0];
  };
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  is_near(sliced({1, 2, 3}, -9, least, -1), {1});
  is_near(sliced({1, 2, 3}, least, -4, -2), {1});
  is_near(sliced({1, 2, 3}, -9, 0, -1), {});
  is_near(sliced({1, 2, 3}, most, least, -2), {3, 1});
  is_near(sliced({1, 2, 3}, -9, 9, 2), {1, 3});
  is_near(sliced({}, -9, least, -1), {});
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
  for (char const* name : {"relu", "mlp", "shapes", "control", "recurrent", "carriers"}) {
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
