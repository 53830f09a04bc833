// SPDX-License-Identifier: Apache-2.0
// Models from ONNX files: what they give, what is said of bad ones, and that no byte of a file can do harm. nodes.py compares every operator
// with ONNX's own results.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/onnx.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "catch.hpp"
#include "free.hpp"
#include "sanitized.hpp"

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
  CHECK(says(error_of([&] { net(floats<shape<1, 3>>("z", {1, 2, 3})); }), "the model has no input `z`; it has `x`"));
  CHECK(says(error_of([&] { net({}); }), "the input `x` of the model has no value"));
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
  CHECK(says(error_with([](auto& m) { m.graph.nodes[0].inputs.resize(2, "x"); }), "function `Calls` has 1 input and 1 output"));
  CHECK(says(error_with([](auto& m) { m.functions[0].nodes[0].inputs[0] = "x"; }),
             "which is no input, no initializer and no result of a node"));
  CHECK(says(error_of_model([](auto& m) {
               m.graph.nodes[0].attributes.push_back(alpha(onnx::attribute_type::real));
               m.graph.nodes[0].attributes[0].refers_to = "beta";
             }),
             "attribute `alpha` refers to one of a function, and stands in none"));
  // 2^30 calls of a relu, and of a function without nodes
  for (bool const is_empty : {false, true})
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
                 if (!is_empty) return;
                 m.functions.push_back(f);
                 m.functions.back().name = "f30", m.functions.back().outputs = {"a"}, m.functions.back().nodes.clear();
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
  CHECK(says(error_of_external({"nothing", 0, 8, true}),
             file + ", at byte 0: tensor `w` lies in `nothing`, and the file cannot be opened: No"));
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
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].inputs[0] = "z"; }),
             "reads `z`, which is no input, no initializer and no result of a node"));
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
    m.graph.outputs[0].has_shape = false, m.graph.outputs[0].type = onnx::element::undefined;
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
namespace {

using onnx::detail::attribute_of;

sym::array ramp(sinter::dims const& shape) {
  sym::array a(sinter::dtype::float32, shape);
  for (sinter::extent i = 0; i < shape.size(); ++i) reinterpret_cast<float*>(a.data())[i] = std::sin(static_cast<float>(i) * 0.7f + 0.3f);
  return a;
}
// A model of one node, whose operands are inputs of any shape; an operand without axes and elements is left out.
sym::array of_node(std::string const& op, int opset, std::vector<sym::array> const& in, std::vector<onnx::attribute> attributes) {
  onnx::model_proto m = relu();
  m.opsets[0].version = opset;
  onnx::value any = m.graph.inputs[0];
  any.has_shape = false, any.shape.clear();
  m.graph.inputs.clear();
  m.graph.outputs[0].has_shape = false, m.graph.outputs[0].type = onnx::element::undefined;
  onnx::node& n = m.graph.nodes[0];
  n.op = op, n.inputs.clear(), n.attributes = std::move(attributes);
  sym::arrays_by_name given;
  for (sym::array const& a : in) {
    bool const is_missing = a.shape() == sinter::dims{0};
    n.inputs.push_back(is_missing ? "" : "x" + std::to_string(given.size()));
    if (is_missing) continue;
    any.name = n.inputs.back();
    any.type = onnx::element_of(a.type());
    m.graph.inputs.push_back(any);
    given.emplace(any.name, a);
  }
  onnx::model const net(std::move(m), "one.onnx");
  sym::array const r = net(given)[0];
  check_free(net, given, {r});
  return r;
}
template <class T> sym::array elements(sinter::dims const& shape, std::vector<T> const& v) {
  sym::array a(sinter::dtype_of<T>, shape);
  std::copy(v.begin(), v.end(), reinterpret_cast<T*>(a.data()));
  return a;
}
sym::array with_elements(sinter::dims const& shape, std::vector<float> const& v) { return elements(shape, v); }

}  // namespace

// The numbers are those of ONNX Runtime, and of the formula for the even window, which it does not have.
TEST_CASE("what ONNX's own tests of nodes cannot tell apart", "[onnx]") {
  sym::array const none(sinter::dtype::float32, {0});
  std::vector<std::int64_t> const pads{1, 0, 0, 2};
  is_near(of_node("Conv", 17, {ramp({1, 1, 3, 4}), ramp({1, 1, 2, 2})}, {attribute_of("pads", pads)}),
          {0.8614397, 1.50429, 1.43965, 0.6698331, 0, 0.4233522, -0.1839148, -0.7046837, -0.6764779, 0, -0.6628983, -0.1199964, 0.4793417,
           0.720033, 0});
  is_near(of_node("LSTM", 17, {ramp({2, 1, 1}), ramp({1, 4, 1}), ramp({1, 4, 1}), none, none, none, none, ramp({1, 3})},
                  {attribute_of("hidden_size", 1)}),
          {0.05972409, 0.2753372});
  for (int before : {0, 1})
    is_near(of_node("GRU", 17, {ramp({3, 1, 1}), ramp({1, 3, 1}), ramp({1, 3, 1}), ramp({1, 6})},
                    {attribute_of("hidden_size", 1), attribute_of("linear_before_reset", before)}),
            before == 0 ? std::vector<double>{0.1511938, 0.3099373, 0.4363062} : std::vector<double>{0.1742079, 0.3323755, 0.4559774});
  is_near(of_node("Softmax", 11, {ramp({1, 2, 2})}, {}), {0.1614347, 0.2786765, 0.3238387, 0.2360501});
  is_near(of_node("RNN", 17, {ramp({3, 2, 1}), ramp({1, 1, 1}), ramp({1, 1, 1}), none, elements<std::int32_t>({2}, {2, 3})},
                  {attribute_of("hidden_size", 1), attribute_of("direction", "reverse")}),
          {0.1698766, 0.2837276, 0.284946, 0.1457084, 0, -0.1788713});
  is_near(of_node("ConvTranspose", 13, {ramp({1, 1, 3}), ramp({1, 1, 4})},
                  {attribute_of("strides", std::vector<std::int64_t>{2}), attribute_of("output_shape", std::vector<std::int64_t>{5})}),
          {0.5417287, 0.9076866, 1.127514, 1.40284, 0.9833992});
  is_near(of_node("GroupNormalization", 18, {ramp({1, 4, 2}), with_elements({2}, {1, 2}), with_elements({2}, {0, 0.5})},
                  {attribute_of("num_groups", 2)}),
          {-1.562766, 0.5412363, 1.120058, -0.09852927, 3.761184, 0.4796996, -1.35666, -0.8842239});
  std::vector<onnx::attribute> const crop{attribute_of("coordinate_transformation_mode", "tf_crop_and_resize"),
                                          attribute_of("mode", "linear")};
  is_near(of_node("Resize", 18,
                  {ramp({1, 1, 2, 2}), with_elements({8}, {0, 0, 0.25f, 0, 1, 1, 0.75f, 1}), with_elements({4}, {1, 1, 2, 1})}, crop),
          {0.4695564, 0.7999691, 0.5855805, 0.7723012, 0.7016046, 0.7446332, 0.8176287, 0.7169653});
  CHECK(of_node("Resize", 18, {sym::array(sinter::dtype::float32, {0, 1, 2, 2}), none, with_elements({4}, {1, 1, 2, 2})}, {}).shape() ==
        sinter::dims{0, 1, 4, 4});
  is_near(of_node("LRN", 17, {with_elements({1, 3, 1}, {1, 2, 3})},
                  {attribute_of("size", 2), attribute_of("alpha", 2.), attribute_of("beta", 1.)}),
          {1. / 6, 1. / 7, 0.3});
  std::vector<float> counted(24);
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] = static_cast<float>(i);
  is_near(
      of_node("MaxPool", 17, {with_elements({1, 1, 2, 2, 2, 3}, counted)}, {attribute_of("kernel_shape", std::vector<std::int64_t>(4, 2))}),
      {22, 23});

  onnx::graph body;  // e -> -e
  onnx::value e;
  e.name = "e", e.type = onnx::element::float32, e.is_tensor = true;
  body.inputs.push_back(e);
  e.name = "y";
  body.outputs.push_back(e);
  body.nodes.push_back(relu().graph.nodes[0]);
  body.nodes[0].op = "Neg", body.nodes[0].inputs = {"e"}, body.nodes[0].outputs = {"y"};
  for (std::int64_t back : {0, 1})
    is_near(of_node("Scan", 17, {with_elements({3}, {1, 2, 3})},
                    {attribute_of("body", body), attribute_of("num_scan_inputs", 1),
                     attribute_of("scan_output_directions", std::vector<std::int64_t>{back})}),
            back == 0 ? std::vector<double>{-1, -2, -3} : std::vector<double>{-3, -2, -1});
}
// As ONNX Runtime has them.
TEST_CASE("operators of several operations add float16 in float32", "[onnx]") {
  auto const halves = [](sinter::dims const& shape, auto element) {
    sym::array a(sinter::dtype::float16, shape);
    for (sinter::extent i = 0; i < shape.size(); ++i)
      reinterpret_cast<sinter::float16*>(a.data())[i] = sinter::float16(static_cast<float>(element(i)));
    return a;
  };
  auto const is_half = [](sym::array const& a, std::vector<double> const& want) {
    REQUIRE(a.type() == sinter::dtype::float16);
    REQUIRE(a.shape().size() == static_cast<std::int64_t>(want.size()));
    for (std::size_t i = 0; i < want.size(); ++i)
      CHECK(std::abs(static_cast<double>(static_cast<float>(reinterpret_cast<sinter::float16 const*>(a.data())[i])) - want[i]) <=
            1e-3 * std::abs(want[i]));
  };
  auto const all = [](double v) { return [v](sinter::extent) { return v; }; };
  auto const signs = [](sinter::extent i) { return i % 2 ? -300. : 300.; };
  std::vector<std::int64_t> const three{3, 3}, many{4096}, two{2};
  is_half(of_node("AveragePool", 17, {halves({1, 1, 3, 3}, all(8000))}, {attribute_of("kernel_shape", three)}), {8000});
  is_half(
      of_node("AveragePool", 17, {halves({1, 1, 4096}, [](sinter::extent i) { return i < 2048; })}, {attribute_of("kernel_shape", many)}),
      {0.5});
  is_half(of_node("LpPool", 17, {halves({1, 1, 2}, all(300))}, {attribute_of("kernel_shape", two)}), {424.25});
  is_half(of_node("MeanVarianceNormalization", 13, {halves({1, 1, 1, 2}, signs)}, {}), {1, -1});
  is_half(of_node("LRN", 17, {halves({1, 3, 1, 1}, all(300))}, {attribute_of("size", 3)}), {69.7, 53.3, 69.7});
  is_half(of_node("LpNormalization", 17, {halves({1, 2}, all(60000))}, {}), {0.7071, 0.7071});
  is_half(of_node("ReduceL1", 17, {halves({4}, signs)}, {}), {1200});
  is_half(of_node("ReduceL2", 17, {halves({2}, all(300))}, {}), {424.25});
  is_half(of_node("ReduceLogSum", 17, {halves({2}, all(40000))}, {}), {11.29});
  is_half(of_node("Mean", 17, {halves({1}, all(60000)), halves({1}, all(60000)), halves({1}, all(60000))}, {}), {60000});
  is_half(of_node("Sum", 17, {halves({1}, all(60000)), halves({1}, all(60000)), halves({1}, all(-60000))}, {}), {60000});
}
TEST_CASE("the nearest element of opset 10, and a range of large integers", "[onnx]") {
  is_near(of_node("Resize", 10, {with_elements({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), with_elements({4}, {1, 1, .6f, .6f})}, {}), {1, 3});
  is_near(of_node("Resize", 10, {with_elements({2}, {1, 2}), with_elements({1}, {2})}, {}), {1, 1, 2, 2});
  sym::array const none(sinter::dtype::float32, {0});
  CHECK(says(error_of([&] { of_node("Resize", 11, {with_elements({2}, {1, 2}), none, with_elements({1}, {.2f})}, {}); }),
             "would have no elements"));
  auto const range = [](std::int64_t from, std::int64_t to, std::int64_t step) {
    std::vector<sym::array> in;
    for (std::int64_t v : {from, to, step}) {
      in.emplace_back(sinter::dtype::int64, sinter::dims{});
      std::memcpy(in.back().data(), &v, 8);
    }
    sym::array const r = of_node("Range", 11, in, {});
    auto const* const at = reinterpret_cast<std::int64_t const*>(r.data());
    return std::vector<std::int64_t>(at, at + r.shape().size());
  };
  constexpr std::int64_t large = std::int64_t{1} << 53, larger = std::int64_t{1} << 62;
  CHECK(range(large, large + 3, 1) == std::vector<std::int64_t>{large, large + 1, large + 2});
  CHECK(range(larger + 4, larger, -2) == std::vector<std::int64_t>{larger + 4, larger + 2});
  CHECK(range(3, 0, 1).empty());
  CHECK(range(0, 3, -1).empty());
  CHECK(range(-1, 2, 2) == std::vector<std::int64_t>{-1, 1});
}
TEST_CASE("a loop without an iteration, no largest elements, and a Gemm without its third operand", "[onnx]") {
  onnx::graph body;  // (turn, condition) -> (condition, (turn, turn))
  for (char const* name : {"turn", "go"}) {
    onnx::value v;
    v.name = name, v.is_tensor = true;
    body.inputs.push_back(v);
  }
  onnx::value go, row;
  go.name = "go", row.name = "row", row.type = onnx::element::float32, row.is_tensor = row.has_shape = true;
  row.shape.resize(1);
  row.shape[0].extent = 2;
  body.outputs = {go, row};
  onnx::tensor t;
  t.name = "row", t.type = onnx::element::float32, t.shape = {2};
  t.data.resize(8);
  body.initializers.push_back(t);
  sym::array turns(sinter::dtype::int64, {});
  auto const looped = [&](std::int64_t n) {
    std::memcpy(turns.data(), &n, 8);
    return of_node("Loop", 17, {turns}, {attribute_of("body", body)}).shape();
  };
  CHECK(looped(3) == sinter::dims{3, 2});
  CHECK(looped(0) == sinter::dims{0, 2});
  for (auto const& declared : {std::vector<onnx::dimension>{}, {{-1, "n"}}, {{7, ""}}}) {  // what the body gives counts
    body.outputs[1].shape = declared, body.outputs[1].has_shape = !declared.empty();
    CHECK(looped(0) == sinter::dims{0, 2});
  }
  // A body that cannot be composed gives what it declares.
  onnx::graph const rows = body;
  body.nodes = relu().graph.nodes;
  body.nodes[0].op = "Concat", body.nodes[0].attributes = {attribute_of("axis", 1)};
  body.nodes[0].inputs = {"row"}, body.nodes[0].outputs = {"other"};
  CHECK(looped(0) == sinter::dims{0, 7});
  body.outputs[1].shape = {{-1, "n"}};
  CHECK(says(error_of([&] { looped(0); }),
             "one.onnx: a node (Loop): it makes no iteration, so that the shape of `row` must follow from its graph, and that says: "));
  onnx::graph const unfit = body;
  body = rows;  // in the branch of another body that is not run
  body.outputs[1].name = "inner";
  onnx::node inner = relu().graph.nodes[0];
  inner.op = "Loop", inner.inputs = {"turn"}, inner.outputs = {"inner"}, inner.attributes = {attribute_of("body", rows)};
  body.nodes = {inner};
  body.outputs[1].has_shape = false;
  CHECK(looped(0) == sinter::dims{0, 0, 2});
  CHECK(of_node("TopK", 7, {ramp({2, 3})}, {attribute_of("k", 0)}).shape() == sinter::dims{2, 0});
  is_near(
      of_node("Gemm", 17, {with_elements({1, 1}, {2}), with_elements({1, 1}, {3}), with_elements({1}, {NAN})}, {attribute_of("beta", 0.)}),
      {6});
}
TEST_CASE("an initializer of an inner graph may be called as an input of the model", "[onnx]") {
  onnx::graph body;  // e -> e + x0
  onnx::value e;
  e.name = "e", e.type = onnx::element::float32, e.is_tensor = true;
  body.inputs.push_back(e);
  e.name = "y";
  body.outputs.push_back(e);
  body.nodes.push_back(relu().graph.nodes[0]);
  body.nodes[0].op = "Add", body.nodes[0].inputs = {"e", "x0"}, body.nodes[0].outputs = {"y"};
  onnx::tensor t;
  float const own[]{10, 20, 30};
  t.name = "x0", t.type = onnx::element::float32, t.shape = {3};
  t.data.resize(sizeof own);
  std::memcpy(t.data.data(), own, sizeof own);
  body.initializers.push_back(t);
  is_near(of_node("Scan", 17, {with_elements({3}, {1, 2, 3})}, {attribute_of("body", body), attribute_of("num_scan_inputs", 1)}),
          {11, 21, 31, 12, 22, 32, 13, 23, 33});
}
TEST_CASE("an input that has a value may be given another", "[onnx]") {
  onnx::model_proto m = relu();
  onnx::tensor t;
  float const own[]{-5, 7};
  t.name = m.graph.inputs[0].name, t.type = onnx::element::float32, t.shape = {2};
  t.data.resize(sizeof own);
  std::memcpy(t.data.data(), own, sizeof own);
  m.graph.initializers.push_back(t);
  for (bool const other_type : {false, true}) {
    onnx::model_proto wrong = m;
    if (other_type) wrong.graph.initializers[0].type = onnx::element::int32;
    else wrong.graph.inputs[0].has_shape = true, wrong.graph.inputs[0].shape = {{3, ""}};
    CHECK(says(error_of([&] { onnx::model(std::move(wrong), "bad.onnx"); }), "initializer `x` has another dtype or shape than the input"));
  }
  onnx::model const net(std::move(m));
  CHECK(net.input_names().empty());
  is_near(net(sym::arrays_by_name{})[0], {0, 7});
  is_near(net(floats<shape<2>>("x", {3, -1}))[0], {3, 0});
  is_near(net(sym::arrays_by_name{})[0], {0, 7});
}
TEST_CASE("declared shapes are hints: a negative extent is unknown, and a name binds nothing", "[onnx]") {
  onnx::model const net = onnx::load(SINTER_SOURCE_DIR "/test/data/onnx/hints.onnx");
  CHECK(net.signature() == "x: float32 (?, ?, ?), z: float32 (?, ?, ?), k: bool () -> y: float32 (?, 5)");
  for (bool const yes : {true, false}) {
    nd::tensor<bool, shape<>> k;
    *k.data() = yes;
    auto in = floats<shape<1, 2, 3>>("x", {1, -2, .5f, 0, -1, 3});
    in.merge(floats<shape<1, 2, 1>>("z", {2, -1}));
    in.insert_or_assign("k", k);
    sym::array const y = net(in)[0];
    CHECK(y.shape() == sinter::dims{1, 2, 3});
    is_near(y, yes ? std::vector<double>{4.569565, -5.784165, 2.772703, 0, 2.284782, -2.985164} : std::vector<double>{-2, 4, -1, 0, -1, 3});
  }
  onnx::model_proto m = relu();
  m.graph.inputs[0].shape = {{-1, "n"}, {3, ""}};
  m.graph.inputs[0].has_shape = true;
  m.graph.outputs[0] = m.graph.inputs[0];
  m.graph.outputs[0].name = "y";
  m.graph.inputs.push_back(m.graph.inputs[0]);
  m.graph.inputs[1].name = "z";
  onnx::model const two(std::move(m));
  auto const call = [&](sinter::extent x, sinter::extent z) { return error_of([&] { two({{"x", ramp({x, 3})}, {"z", ramp({2, z})}}); }); };
  CHECK(call(2, 3) == "no error");
  CHECK(call(5, 3) == "no error");
  CHECK(says(call(2, 4), "the input `z` of the model is given float32 (2, 4); dimension 1 is 3"));
  m = relu();
  m.graph.inputs[0].type = m.graph.outputs[0].type = onnx::element::undefined;  // 0 in the file
  std::string const bytes = onnx::serialize(m);
  is_near(onnx::model(onnx::parse_model(std::as_bytes(std::span(bytes)), "any"))(floats<shape<2>>("x", {3, -1}))[0], {3, 0});
}
static void shuffle(onnx::graph& g, std::mt19937& any) {
  std::shuffle(g.nodes.begin(), g.nodes.end(), any);
  for (onnx::node& n : g.nodes)
    for (onnx::attribute& a : n.attributes)
      for (onnx::graph& inner : a.graphs) shuffle(inner, any);
}
// The numbers are those of ONNX Runtime for the file, whose nodes are in order.
TEST_CASE("nodes in any order are sorted, also those whose graphs capture values", "[onnx]") {
  onnx::model_proto const ordered = onnx::parse_model(sinter::io::read_file(SINTER_SOURCE_DIR "/test/data/onnx/captured.onnx"), "captured");
  std::mt19937 any(1);
  for (int turn = 0; turn < 24; ++turn) {
    onnx::model_proto m = ordered;
    if (turn) shuffle(m.graph, any), std::shuffle(m.functions[0].nodes.begin(), m.functions[0].nodes.end(), any);
    onnx::model const net(std::move(m));
    auto in = floats<shape<2, 2>>("x", {0.5f, 1, -0.25f, 2});
    in.insert_or_assign("k", elements<bool>({}, {turn % 2 == 0}));
    in.insert_or_assign("m", elements<std::int64_t>({}, {3}));
    auto const y = net(in);
    is_near(y[0], turn % 2 == 0 ? std::vector<double>{0.2674172, 0.6989966, 0.26617977, 0.6986534}
                                : std::vector<double>{0.27447718, 0.6989966, 0.02693145, 0.6986534});
    CHECK(y[1].shape() == sinter::dims{3, 2, 2});
    is_near(y[2], turn % 2 == 0 ? std::vector<double>{2.985699, 0.83433187, 2.9844615, 0.83398867}
                                : std::vector<double>{2.992759, 0.83433187, 2.7452133, 0.83398867});
    std::vector<std::string> ops;
    for (onnx::node const& n : net.proto().graph.nodes) ops.push_back(n.op);
    if (turn == 0) CHECK(ops == std::vector<std::string>{"Mul", "Identity", "Add", "Identity", "Neg", "Exp", "Neg", "If", "Loop", "Sub"});
  }
}
TEST_CASE("nodes that read each other's results are named", "[onnx]") {
  auto const reads = [](onnx::model_proto& m, std::string const& name, std::vector<std::string> const& in, std::string const& out) {
    m.graph.nodes.push_back(m.graph.nodes[0]);
    onnx::node& n = m.graph.nodes.back();
    n.op = "Add", n.name = name, n.inputs = in, n.outputs = {out};
  };
  CHECK(says(error_of_model([&](auto& m) {
               m.graph.nodes[0].name = "last", m.graph.nodes[0].inputs[0] = "b";
               reads(m, "first", {"x", "b"}, "a"), reads(m, "second", {"x", "a"}, "b");
             }),
             "bad.onnx, at byte 14: the nodes of a graph must not read each other's results in a cycle: node `second` (Add) reads `a` of "
             "node `first` (Add), which reads `b` of node `second` (Add)"));
  CHECK(says(error_of_model([](auto& m) { m.graph.nodes[0].inputs[0] = "y"; }), "a node (Relu) reads `y` of a node (Relu)"));
  CHECK(says(error_of_model([&](auto& m) {
               for (int i = 0; i < 20; ++i)
                 reads(m, "n" + std::to_string(i), {"x", "v" + std::to_string((i + 1) % 20)}, "v" + std::to_string(i));
             }),
             "which reads `v8` of 12 nodes more"));
  // By way of what a branch captures.
  auto const branching = [&](auto& m, std::string const& reads_in_branch) {
    onnx::graph branch;
    branch.outputs = m.graph.outputs;
    branch.outputs[0].name = "inner";
    branch.nodes = {m.graph.nodes[0], m.graph.nodes[0]};
    branch.nodes[0].inputs[0] = "h", branch.nodes[0].outputs[0] = "inner";
    branch.nodes[1].inputs[0] = reads_in_branch, branch.nodes[1].outputs[0] = "h";
    onnx::node n = m.graph.nodes[0];
    n.op = "If", n.name = "branches", n.inputs = {"c"}, n.outputs = {"chosen"};
    n.attributes = {attribute_of("then_branch", branch), attribute_of("else_branch", branch)};
    onnx::node condition = m.graph.nodes[0];
    condition.op = "Cast", condition.outputs = {"c"}, condition.attributes = {attribute_of("to", 9)};
    m.graph.inputs[0].shape.clear(), m.graph.outputs[0].has_shape = false;
    m.graph.nodes[0].name = "last", m.graph.nodes[0].inputs[0] = "chosen";
    m.graph.nodes.push_back(n);
    m.graph.nodes.push_back(condition);
  };
  CHECK(error_of_model([&](auto& m) { branching(m, "x"); }) == "no error");
  // A branch without nodes, whose output is a later result of the graph around it.
  CHECK(error_of_model([&](auto& m) {
          branching(m, "x");
          onnx::node later = m.graph.nodes[0];
          later.name = "later", later.inputs[0] = "x", later.outputs[0] = "z";
          for (onnx::attribute& a : m.graph.nodes[1].attributes) a.graphs[0].nodes.clear(), a.graphs[0].outputs[0].name = "z";
          m.graph.nodes.push_back(later);
        }) == "no error");
  CHECK(says(error_of_model([&](auto& m) { branching(m, "y"); }),
             "node `last` (Relu) reads `chosen` of node `branches` (If), which reads `y` of node `last` (Relu)"));
  CHECK(says(error_of_model([&](auto& m) { branching(m, "inner"); }), "a cycle: a node (Relu) reads "));
  CHECK(says(error_of_model([&](auto& m) {
               branching(m, "x");
               for (onnx::attribute& a : m.graph.nodes[1].attributes)
                 a.graphs[0].nodes[1].outputs[0] = "x", a.graphs[0].nodes[0].inputs[0] = "x";
             }),
             "a node (Relu) reads `x`, which is a result of a later node of its graph and a value of a graph around it; give one of them"));
}
TEST_CASE("a dimension of the inputs may have a name instead of a number", "[onnx]") {
  auto const taken_by = [](onnx::model const& net, sym::arrays_by_name const& inputs, int axes) {
    bool taken = false;
    sym::results const want = net(inputs);
    CHECK(is_same_free(net, inputs, want, axes, taken));
    return taken;
  };
  onnx::model const small = onnx::load(SINTER_SOURCE_DIR "/test/data/onnx/small.onnx");  // its Reshape has (Shape(x)[0], -1)
  CHECK(taken_by(small, {{"input.1", ramp({3, 1, 8, 8})}}, 1));
  CHECK(taken_by(onnx::load(corpus("mlp")), {{"x", ramp({5, 3})}}, 1));
  CHECK(taken_by(onnx::load(corpus("shapes")), {{"x", ramp({3, 2, 2})}}, 1));
  CHECK(taken_by(onnx::load(corpus("functions")), {{"x", ramp({3, 4})}}, 1));
  // What follows from an extent is refused where it cannot be written with the name, and so is what depends on elements.
  std::set<std::string> decides;
  auto const refused = [&](std::string const& op, std::vector<onnx::attribute> attributes) {
    onnx::model_proto m = relu();
    m.graph.inputs[0].has_shape = m.graph.outputs[0].has_shape = false;
    m.graph.outputs[0].type = onnx::element::undefined;
    m.graph.nodes[0].op = op, m.graph.nodes[0].name = "node", m.graph.nodes[0].attributes = std::move(attributes);
    onnx::model const net(std::move(m), "one.onnx");
    sinter::dims const named{sinter::detail::pack_name("batch"), 4};
    return error_of([&] { net.symbol_for(sym::types_by_name{{"x", {sinter::dtype::float32, named}}}, decides); });
  };
  CHECK(refused("Relu", {}) == "no error");
  CHECK(says(refused("EyeLike", {}), "one.onnx: node `node` (EyeLike): it needs a number for dimension `batch`"));
  CHECK(says(refused("Shape", {}), "one.onnx: an output is made of extents, of which some have no number"));
  CHECK(decides.empty());
  std::string const control = error_of([&] {
    onnx::load(corpus("control"))
        .symbol_for(sym::types_by_name{{"x", {sinter::dtype::float32, {2}}}, {"k", {sinter::dtype::boolean, {}}}}, decides);
  });
  CHECK(says(control, "it depends on the elements of input `k`"));
  CHECK(decides == std::set<std::string>{"k"});
}
TEST_CASE("what a network says beside the defaults stays in its ONNX model", "[onnx]") {
  using sinter::int_list;
  auto const with = [](char const* op, sym::symbols const& in, sym::keyword_values const& k) { return sym::call(op, in, k)[0]; };
  sinter::symbol const x = sym::var("x"), c = sym::var("c"), r = sym::var("r"), w = sym::var("w"), v = sym::var("v");
  sym::arrays_by_name const all{
      {"x", ramp({2, 2, 8, 7})}, {"c", ramp({2})}, {"r", ramp({7})}, {"w", ramp({4, 1, 2, 3})}, {"v", ramp({2, 2, 2, 3})}};
  for (sinter::symbol const& s :
       {with("convolution", {x, w}, {{"stride", int_list{1, 2}}, {"dilate", int_list{3, 2}}, {"pad", int_list{1, 0}}, {"groups", 2}}),
        with("convolution_transpose", {x, v},
             {{"stride", int_list{3, 2}}, {"dilate", int_list{2, 1}}, {"pad", int_list{1, 0}}, {"adjust", int_list{2, 1}}}),
        with("avg_pool", {x},
             {{"pool_size", int_list{3, 2}}, {"stride", int_list{2, 1}}, {"pad", int_list{1, 1}}, {"count_include_pad", false}}),
        with("avg_pool", {x}, {{"pool_size", int_list{3, 2}}, {"stride", int_list{2, 2}}, {"ceil_mode", true}}),
        with("max_pool", {x}, {{"pool_size", int_list{3, 2}}, {"stride", int_list{2, 2}}, {"ceil_mode", true}}),
        with("batch_norm", {x, c, c, c, with("square", {c}, {})}, {{"eps", 0.5}}), with("layer_norm", {x, r, r}, {{"eps", 0.5}}),
        with("instance_norm", {x, c, c}, {{"eps", 0.5}}), with("leaky_relu", {x}, {{"slope", 0.75}}), with("elu", {x}, {{"alpha", 0.5}}),
        with("slice", {x}, {{"begin", int_list{0, 0, -9}}, {"end", int_list{2, 2, sinter::open}}, {"step", int_list{1, 1, -1}}})}) {
    sym::arrays_by_name in;
    sym::types_by_name types;
    for (std::string const& name : s.list_arguments()) {
      in.insert(*all.find(name));
      types[name] = {all.at(name).type(), all.at(name).shape()};
    }
    INFO(s.node(0).name);
    sym::array const want = s.eval(in)[0], got = onnx::model(onnx::to_model(s, types))(in)[0];
    REQUIRE(got.shape() == want.shape());
    std::vector<double> numbers;
    for (sinter::extent i = 0; i < want.shape().size(); ++i) numbers.push_back(double{reinterpret_cast<float const*>(want.data())[i]});
    is_near(got, numbers);
  }
}
template <class T> static void check_remainders(std::vector<T> const& x, std::vector<T> const& y) {
  auto const n = static_cast<sinter::extent>(x.size());
  sym::array const r = of_node("Mod", 13, {elements<T>({n}, x), elements<T>({n}, y)}, {attribute_of("fmod", 1)});
  REQUIRE(r.type() == sinter::dtype_of<T>);
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO(+x[i] << " mod " << +y[i]);
    CHECK(reinterpret_cast<T const*>(r.data())[i] == static_cast<T>(x[i] % y[i]));
  }
}
template <class T> static void check_signed_remainders() {
  constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  check_remainders<T>({least, least, least, least + 1, least, least, most, 7, -7, 7, 6, 0},
                      {3, 7, least, least, least + 1, most, least, -3, 3, 3, -3, least});
}
TEST_CASE("a remainder with fmod 1 has the sign of the dividend, also of the smallest integer", "[onnx]") {
  check_signed_remainders<std::int8_t>();
  check_signed_remainders<std::int16_t>();
  check_signed_remainders<std::int32_t>();
  check_signed_remainders<std::int64_t>();
  check_remainders<std::uint8_t>({255, 200, 128, 6}, {7, 255, 128, 3});
}
TEST_CASE("a mean of integers is cut towards 0", "[onnx]") {
  auto const mean = [](auto const& x) { return of_node("ReduceMean", 18, {x, elements<std::int64_t>({1}, {1})}, {}); };
  sym::array const r = mean(elements<std::int32_t>({4, 3}, {1, 2, 5, -1, -2, -5, 7, 7, 7, -1, 0, 0}));
  REQUIRE(r.type() == sinter::dtype::int32);
  REQUIRE(r.shape() == sinter::dims{4, 1});
  std::int32_t const want[]{2, -2, 7, 0};
  CHECK(std::memcmp(r.data(), want, sizeof want) == 0);
  sym::array const large = mean(elements<std::int32_t>({1, 3}, {2147483647, 2147483647, 2147483645}));
  CHECK(*reinterpret_cast<std::int32_t const*>(large.data()) == 2147483646);
  CHECK(mean(elements<std::int64_t>({0, 3}, {})).shape() == sinter::dims{0, 1});
  CHECK(says(error_of([&] { mean(elements<std::int64_t>({3, 0}, {})); }), "a node (ReduceMean): there is no mean of no integers"));
}
TEST_CASE("indices that ONNX does not allow are refused", "[onnx]") {
  auto const index = [](sinter::dims const& shape) {
    return elements(shape, std::vector<std::int64_t>(static_cast<std::size_t>(shape.size())));
  };
  auto const error_with = [](std::string const& op, std::vector<sym::array> const& in) {
    return error_of([&] { of_node(op, 18, in, {}); });
  };
  // Beside the axis there are as many places as elements at most, and an update for each.
  CHECK(error_with("GatherElements", {ramp({2, 3}), index({4, 3})}) == "no error");
  CHECK(says(error_with("GatherElements", {ramp({2, 3}), index({2, 4})}), "the indices are int64 (2, 4), and the data float32 (2, 3)"));
  CHECK(says(error_with("ScatterElements", {ramp({2, 3}), index({2, 4}), ramp({2, 4})}), "the indices are int64 (2, 4)"));
  CHECK(says(error_with("ScatterElements", {ramp({2, 3}), index({2, 2}), ramp({2, 3})}), "and the updates float32 (2, 3)"));
  // Known ones are in range.
  auto const with_known = [](std::string const& op, std::int64_t i, std::size_t inputs) {
    return error_of([&] {
      onnx::model_proto m = relu();
      m.graph.inputs[0].has_shape = m.graph.outputs[0].has_shape = false;
      onnx::tensor t;
      t.name = "i", t.type = onnx::element::int64, t.shape = {1, 1};
      t.data.resize(sizeof i);
      std::memcpy(t.data.data(), &i, sizeof i);
      m.graph.initializers = {t};
      m.graph.nodes[0].op = op, m.graph.nodes[0].inputs = {"x", "i", "x"};
      m.graph.nodes[0].inputs.resize(inputs);
      onnx::model(std::move(m), "one.onnx")({{"x", ramp({1})}});
    });
  };
  CHECK(with_known("GatherND", -1, 2) == "no error");
  CHECK(says(with_known("GatherND", 1, 2), "a node (GatherND): index 1 is none of 1 elements"));
  CHECK(with_known("ScatterND", 0, 3) == "no error");
  CHECK(says(with_known("ScatterND", -2, 3), "a node (ScatterND): index -2 is none of 1 elements"));
}
TEST_CASE("attributes that mean nothing are refused", "[onnx]") {
  auto const error_with = [](std::string const& op, int opset, std::vector<sym::array> const& in, std::vector<onnx::attribute> const& a) {
    return error_of([&] { of_node(op, opset, in, a); });
  };
  CHECK(says(error_with("ArgMax", 13, {ramp({2, 3})}, {attribute_of("keepdims", 2)}), "the attribute keepdims is 2, and 1 is yes, 0 no"));
  CHECK(says(error_with("TopK", 9, {ramp({3})}, {}), "the attribute k is missing"));
  CHECK(says(error_with("Cast", 13, {ramp({3})}, {}), "the attribute to is missing"));
  CHECK(
      says(error_with("Transpose", 13, {ramp({2, 3})}, {attribute_of("perm", std::vector<std::int64_t>{0, -1})}), "perm has the axis -1"));
  CHECK(says(error_with("ConvTranspose", 13, {ramp({1, 1, 3}), ramp({1, 1, 2})}, {attribute_of("auto_pad", "same_upper")}),
             "auto_pad is `same_upper`"));
}
TEST_CASE("operands and attributes that do not fit each other are refused", "[onnx]") {
  using wholes = std::vector<std::int64_t>;
  sym::array const none(sinter::dtype::float32, {0}), row = ramp({1, 3}), image = ramp({1, 1, 3, 3}), window = ramp({1, 1, 2, 2});
  auto const list = [](wholes const& v) { return elements<std::int64_t>({static_cast<sinter::extent>(v.size())}, v); };
  struct malformed {
    char const* op;
    std::vector<sym::array> in;
    std::vector<onnx::attribute> attributes;
    char const* words;
  };
  for (malformed const& node : std::vector<malformed>{
           {"Slice", {row, list({0, 0}), list({1})}, {}, "starts, ends, axes and steps have different lengths"},
           {"Slice", {row, list({0, 0}), list({1, 1}), list({1})}, {}, "starts, ends, axes and steps have different lengths"},
           {"Slice", {row, list({0, 0}), list({1, 1}), list({0, 1}), list({1})}, {}, "starts, ends, axes and steps have different lengths"},
           {"Pad", {row, list({1, 1}), none, list({0, 1})}, {}, "there are not two pads for each axis"},
           {"Pad", {row, list({1, 1})}, {}, "there are not two pads for each axis"},
           {"Pad", {row, list({std::numeric_limits<std::int64_t>::min(), 0, 0, 0})}, {}, "the padding -9223372036854775808 is too large"},
           {"Tile", {row, list({2})}, {}, "there is not one number of repeats for each axis"},
           {"Reshape", {row, list({3, 1, 0})}, {}, "the new shape keeps axis 2 of float32 (1, 3)"},
           {"Squeeze", {row, list({1})}, {}, "axis 1 of float32 (1, 3) is not 1 and cannot be squeezed"},
           {"Unsqueeze", {row, list({0, 0})}, {}, "an axis is named twice"},
           {"Split", {row, list({2})}, {attribute_of("axis", 1)}, "the parts are fewer than float32 (1, 3) has along axis 1"},
           {"Split", {row, list({4})}, {attribute_of("axis", 1)}, "the parts are more than float32 (1, 3) has along axis 1"},
           {"ConvTranspose",
            {image, window},
            {attribute_of("output_padding", wholes{0})},
            "output_padding and output_shape have a number for each spatial axis"},
           {"ConvTranspose",
            {image, window},
            {attribute_of("output_shape", wholes{5})},
            "output_padding and output_shape have a number for each spatial axis"}}) {
    INFO(node.op);
    CHECK(says(error_of([&] { of_node(node.op, 18, node.in, node.attributes); }),
               std::string("one.onnx: a node (") + node.op + "): " + node.words));
  }
}
TEST_CASE("a Celu of a negative alpha, and an exclusive sum of one element", "[onnx]") {
  is_near(of_node("Celu", 12, {with_elements({4}, {-3, -1, 1, 3})}, {attribute_of("alpha", -1.)}), {-19.0855369, -1.7182818, 1, 3});
  is_near(of_node("CumSum", 14, {with_elements({2, 1}, {5, 7}), elements<std::int64_t>({1}, {1})}, {attribute_of("exclusive", 1)}), {0, 0});
}
TEST_CASE("inputs that an operator does not have in the opset of the model are refused", "[onnx]") {
  auto const with = [](std::string const& op, int opset, std::size_t inputs, std::size_t left_out) {
    return error_of_model([&](auto& m) {
      m.opsets[0].version = opset;
      onnx::node& n = m.graph.nodes[0];
      n.op = op, n.name = "first", n.inputs.assign(inputs, "x");
      n.inputs.resize(inputs + left_out);
    });
  };
  CHECK(says(with("Squeeze", 11, 2, 0),
             "bad.onnx, at byte 14: node `first` (Squeeze) has 2 inputs, and Squeeze of opset 11 takes at most 1"));
  struct most {
    char const* op;
    int opset;
    std::size_t inputs;
  };
  for (most const& row : std::vector<most>{{"Squeeze", 12, 1},
                                           {"Squeeze", 13, 2},
                                           {"ReduceMean", 17, 1},
                                           {"ReduceMean", 18, 2},
                                           {"Clip", 10, 1},
                                           {"Clip", 11, 3},
                                           {"Slice", 9, 1},
                                           {"Slice", 10, 5},
                                           {"Pad", 17, 3},
                                           {"Pad", 18, 4},
                                           {"MatMul", 17, 2},
                                           {"Conv", 17, 3},
                                           {"Transpose", 17, 1}}) {
    INFO(row.op << " " << row.opset);
    CHECK(with(row.op, row.opset, row.inputs, 2) == "no error");
    CHECK(says(with(row.op, row.opset, row.inputs + 1, 0), " takes at most " + std::to_string(row.inputs)));
  }
}
TEST_CASE("errors of a run begin with the file and the node", "[onnx]") {
  auto const integers = [](std::vector<std::int64_t> const& v) {
    return elements<std::int64_t>({static_cast<sinter::extent>(v.size())}, v);
  };
  auto const error_with = [&](std::string const& op, std::vector<std::int64_t> const& v) {
    return error_of([&] { of_node(op, 17, {ramp({1, 3}), integers(v)}, {}); });
  };
  constexpr std::int64_t large = std::int64_t{1} << 40, larger = std::int64_t{1} << 62;
  CHECK(says(error_with("Expand", {large, large, 3}), "sinter: one.onnx: a node (Expand): broadcast_to: into has a value that it"));
  CHECK(says(error_with("Pad", {large, large, large, large}), "sinter: one.onnx: a node (Pad): padded gives an array of too many"));
  CHECK(says(error_with("Pad", {larger, 0, larger, 0}), "sinter: one.onnx: a node (Pad): the padding 4611686018427387904 is too large"));
  CHECK(says(error_with("Tile", {large, large}), "sinter: one.onnx: a node (Tile): tile gives an array of too many elements"));
  CHECK(says(error_with("Tile", {1, larger}), "sinter: one.onnx: a node (Tile): 4611686018427387904 repeats of axis 1 give too many"));
  CHECK(says(error_with("Reshape", {3, 2}), "sinter: one.onnx: a node (Reshape): "));
  CHECK(says(error_of([&] { of_node("Reshape", 17, {ramp({0, 3}), integers({large, 0, large})}, {attribute_of("allowzero", 1)}); }),
             "sinter: one.onnx: a node (Reshape): reshape: into has a value that it cannot take"));
  CHECK(
      says(error_of([] { of_node("Einsum", 17, {ramp({1, 3})}, {attribute_of("equation", "")}); }), "sinter: one.onnx: a node (Einsum): "));
#if !SINTER_SANITIZED  // where such an allocation ends the program
  CHECK(error_with("Expand", {std::int64_t{1} << 29, std::int64_t{1} << 28, 3}) ==
        "sinter: one.onnx: there is not enough memory for the model: its largest array, of a node (Expand), is float32 (536870912, "
        "268435456, 3) and has 432345564227567616 elements");
#endif
}
TEST_CASE("an output of another element type than the graph says is refused", "[onnx]") {
  onnx::model_proto m = relu();
  m.graph.outputs[0].type = onnx::element::int64, m.graph.outputs[0].at = 9;
  onnx::model const net(std::move(m), "bad.onnx");
  CHECK(error_of([&] { net(floats<shape<2>>("x", {3, -1})); }) ==
        "sinter: bad.onnx, at byte 9: the output `y` is float32, and the graph says int64");
}
TEST_CASE("a model without outputs, and an initializer of another type, are refused with the file", "[onnx]") {
  CHECK(says(error_of_model([](auto& m) { m.graph.outputs.clear(); }), "the model has no outputs"));
  auto const error_with = [](onnx::element type, std::vector<std::int64_t> const& extents) {
    onnx::model_proto m = relu();
    onnx::tensor t;
    t.name = "w", t.type = type, t.shape = extents, t.at = 7;
    t.data.resize(4);
    m.graph.initializers.push_back(t);
    onnx::model const net(std::move(m), "bad.onnx");
    return error_of([&] { net(floats<shape<2>>("x", {3, -1})); });
  };
  CHECK(error_with(onnx::element::uint32, {1}) ==
        "sinter: bad.onnx, at byte 7: tensor `w` of uint32 (1,): there are no tensors of this type");
  CHECK(
      says(error_with(onnx::element::float32, std::vector<std::int64_t>(9, 1)), "sinter: bad.onnx, at byte 7: tensor `w` of float32 (1, "));
}
TEST_CASE("an attribute that a call of a function leaves out has its default", "[onnx]") {
  onnx::function f;
  f.name = "Leaky", f.domain = "local", f.inputs = {"x"}, f.outputs = {"y"}, f.nodes = relu().graph.nodes;
  f.nodes[0].op = "LeakyRelu", f.nodes[0].inputs = {"x"}, f.nodes[0].outputs = {"y"};
  f.nodes[0].attributes = {alpha(onnx::attribute_type::real)};
  f.nodes[0].attributes[0].refers_to = "slope";
  f.defaults = {attribute_of("slope", 0.25)};
  onnx::model_proto m = relu();
  m.functions = {f}, m.graph.nodes[0].op = "Leaky", m.graph.nodes[0].domain = "local";
  is_near(onnx::model(m)(floats<shape<2>>("x", {3, -4}))[0], {3, -1});
  m.graph.nodes[0].attributes = {attribute_of("slope", 0.5)};
  is_near(onnx::model(m)(floats<shape<2>>("x", {3, -4}))[0], {3, -2});
}
TEST_CASE("a loop with a number of turns ends before when its condition says so", "[onnx]") {
  onnx::graph body;  // (turn, condition) -> (turn < 2, 1.)
  for (char const* name : {"turn", "go"}) {
    onnx::value v;
    v.name = name, v.is_tensor = true;
    body.inputs.push_back(v);
  }
  body.outputs = body.inputs;
  body.outputs[0].name = "again", body.outputs[1].name = "row";
  onnx::tensor t;
  std::int64_t const two = 2;
  t.name = "two", t.type = onnx::element::int64;
  t.data.resize(sizeof two);
  std::memcpy(t.data.data(), &two, sizeof two);
  body.initializers = {t, t};
  body.initializers[1].name = "row";
  body.nodes = relu().graph.nodes;
  body.nodes[0].op = "Less", body.nodes[0].inputs = {"turn", "two"}, body.nodes[0].outputs = {"again"};
  auto const turns = [&](std::int64_t most, bool begin) {
    sym::array go(sinter::dtype::boolean, {});
    std::memcpy(go.data(), &begin, 1);
    return of_node("Loop", 17, {elements<std::int64_t>({}, {most}), go}, {attribute_of("body", body)}).shape().d[0];
  };
  CHECK(turns(5, true) == 3);
  CHECK(turns(2, true) == 2);
}
// The numbers are those of the formula.
TEST_CASE("recurrent layers clip what goes into their functions, and couple the gates of an LSTM", "[onnx]") {
  std::vector<float> const x{1, -2, .1f}, w{.5f, -.25f, 2, 1}, r{1, .75f, -1, .5f};
  auto const sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  std::vector<double> clipped, coupled;
  double h = 0, c = 0, out = 0;
  for (float in : x) {
    double const v = double{in}, limit = 0.375;
    h = std::tanh(std::clamp(v * 0.5 + h, -limit, limit));
    double const i = sigmoid(v * 0.5 + out), o = sigmoid(v * -0.25 + out * 0.75), fresh = std::tanh(v + out * 0.5);
    c = (1 - i) * c + i * fresh, out = o * std::tanh(c);
    clipped.push_back(h), coupled.push_back(out);
  }
  sym::array const sequence = with_elements({3, 1, 1}, x);
  is_near(of_node("RNN", 17, {sequence, with_elements({1, 1, 1}, {w[0]}), with_elements({1, 1, 1}, {r[0]})},
                  {attribute_of("hidden_size", 1), attribute_of("clip", 0.375)}),
          clipped);
  is_near(of_node("LSTM", 17, {sequence, with_elements({1, 4, 1}, w), with_elements({1, 4, 1}, r)},
                  {attribute_of("hidden_size", 1), attribute_of("input_forget", 1)}),
          coupled);
}
TEST_CASE("each direction of a recurrent layer has weights, peepholes and states of its own, in both layouts", "[onnx]") {
  sym::array const none(sinter::dtype::float32, {0});
  std::vector<sym::array> all{
      ramp({3, 2, 1}), ramp({2, 4, 1}), ramp({2, 4, 1}), none, none, ramp({2, 2, 1}), with_elements({2, 2, 1}, {.5f, -1, 2, .25f}),
      ramp({2, 3})};
  auto const run = [](char const* direction, int layout, std::vector<sym::array> const& in) {
    return of_node("LSTM", 17, in, {attribute_of("hidden_size", 1), attribute_of("direction", direction), attribute_of("layout", layout)});
  };
  sym::array const both = run("bidirectional", 0, all);
  REQUIRE(both.shape() == sinter::dims{3, 2, 2, 1});
  auto const of = [&](int t, int d, int b) { return double{reinterpret_cast<float const*>(both.data())[(t * 2 + d) * 2 + b]}; };
  for (int d : {0, 1}) {
    std::vector<sym::array> one = all;
    for (std::size_t const i : {1U, 2U, 5U, 6U, 7U}) {
      sinter::dims shape = all[i].shape();
      shape.d[0] = 1;
      one[i] = sym::array(sinter::dtype::float32, shape);
      std::memcpy(one[i].data(), all[i].data() + d * shape.size() * 4, static_cast<std::size_t>(shape.size()) * 4);
    }
    is_near(run(d == 0 ? "forward" : "reverse", 0, one), {of(0, d, 0), of(0, d, 1), of(1, d, 0), of(1, d, 1), of(2, d, 0), of(2, d, 1)});
  }
  std::vector<double> batch_first;
  for (int b : {0, 1})
    for (int t : {0, 1, 2})
      for (int d : {0, 1}) batch_first.push_back(of(t, d, b));
  for (std::size_t const i : {0U, 5U, 6U}) {
    sinter::extent const rows = all[i].shape().d[0], columns = all[i].shape().d[1];
    std::vector<float> turned;
    for (sinter::extent c = 0; c < columns; ++c)
      for (sinter::extent r = 0; r < rows; ++r) turned.push_back(reinterpret_cast<float const*>(all[i].data())[r * columns + c]);
    all[i] = with_elements({columns, rows, 1}, turned);
  }
  is_near(run("bidirectional", 1, all), batch_first);
}
static onnx::attribute texts(std::string name, std::vector<std::string> v) {
  onnx::attribute a;
  a.name = std::move(name), a.type = onnx::attribute_type::strings, a.strings = std::move(v);
  return a;
}
static onnx::attribute reals(std::string name, std::vector<float> v) {
  onnx::attribute a;
  a.name = std::move(name), a.type = onnx::attribute_type::reals, a.reals = std::move(v);
  return a;
}
// The numbers are those of the formulas.
TEST_CASE("recurrent layers have every activation of ONNX, in letters of any case", "[onnx]") {
  std::vector<float> const x{-3, -1, -.5f, 0, .25f, .75f, 2};
  auto const applied = [&](std::string const& name, std::vector<float> const& alpha, std::vector<float> const& beta) {
    return of_node(
        "RNN", 17, {with_elements({7, 1, 1}, x), with_elements({1, 1, 1}, {1}), with_elements({1, 1, 1}, {0})},
        {attribute_of("hidden_size", 1), texts("activations", {name}), reals("activation_alpha", alpha), reals("activation_beta", beta)});
  };
  auto const check = [&](std::string const& name, std::vector<float> const& alpha, std::vector<float> const& beta, auto f) {
    std::vector<double> want;
    for (float v : x) want.push_back(f(double{v}));
    std::string other = name;
    for (char& c : other) c = static_cast<char>(c ^ ((c & 64) ? 32 : 0));  // tANH
    for (std::string const& spelled : {name, other}) {
      INFO(spelled);
      is_near(applied(spelled, alpha, beta), want);
    }
  };
  check("Affine", {2}, {.5f}, [](double v) { return 2 * v + .5; });
  check("Affine", {2}, {}, [](double v) { return 2 * v; });
  check("Elu", {}, {}, [](double v) { return v > 0 ? v : std::expm1(v); });
  check("Elu", {.5f}, {}, [](double v) { return v > 0 ? v : .5 * std::expm1(v); });
  check("HardSigmoid", {}, {}, [](double v) { return std::clamp(.2 * v + .5, 0., 1.); });
  check("HardSigmoid", {.75f}, {.25f}, [](double v) { return std::clamp(.75 * v + .25, 0., 1.); });
  check("LeakyRelu", {}, {}, [](double v) { return v > 0 ? v : .01 * v; });
  check("LeakyRelu", {.5f}, {}, [](double v) { return v > 0 ? v : .5 * v; });
  check("Relu", {}, {}, [](double v) { return std::max(v, 0.); });
  check("ScaledTanh", {.5f}, {1.5f}, [](double v) { return .5 * std::tanh(1.5 * v); });
  check("Sigmoid", {}, {}, [](double v) { return 1 / (1 + std::exp(-v)); });
  check("Softplus", {}, {}, [](double v) { return std::log1p(std::exp(v)); });
  check("Softsign", {}, {}, [](double v) { return v / (1 + std::abs(v)); });
  check("Tanh", {}, {}, [](double v) { return std::tanh(v); });
  check("ThresholdedRelu", {}, {}, [](double v) { return v > 1 ? v : 0; });
  check("ThresholdedRelu", {.75f}, {}, [](double v) { return v > .75 ? v : 0; });
  auto const error_with = [&](std::string const& name, std::vector<float> const& alpha, std::vector<float> const& beta) {
    return error_of([&] { applied(name, alpha, beta); });
  };
  CHECK(says(error_with("Gelu", {}, {}), "one.onnx: a node (RNN): there is no activation `Gelu` of recurrent layers"));
  CHECK(says(error_with("Affine", {}, {}), "activation `Affine` has no default, and no number in activation_alpha"));
  CHECK(says(error_with("scaledtanh", {1}, {}), "activation `scaledtanh` has no default, and no number in activation_beta"));
  CHECK(says(error_with("Elu", {1, 2}, {}), "activation_alpha must have a number for each activation that takes one, 1 here, and has 2"));
}
// The numbers are those of ONNX Runtime.
TEST_CASE("activations have their numbers in the order of the functions and directions", "[onnx]") {
  auto const run = [](char const* op, int directions, std::int64_t turns, std::vector<onnx::attribute> attributes) {
    sinter::extent const gates = op[0] == 'G' ? 3 : 4;
    attributes.push_back(attribute_of("hidden_size", 1));
    return of_node(op, 17, {ramp({turns, 1, 1}), ramp({directions, gates, 1}), ramp({directions, gates, 1})}, attributes);
  };
  std::vector<std::string> const functions{"hardsigmoid", "SCALEDTANH", "HardSigmoid", "LeakyRelu"};
  std::vector<double> const want{0.115869, -0.09905624, 0.2884372, -0.1217322, 0.4107311, -0.07040415};
  auto const gru = [&](std::vector<float> const& beta) {
    return run("GRU", 2, 3,
               {attribute_of("direction", "bidirectional"), texts("activations", functions),
                reals("activation_alpha", {.3f, .75f, .4f, .5f}), reals("activation_beta", beta)});
  };
  is_near(gru({.6f, 1.5f}), want);
  is_near(gru({.6f, 1.5f, .5f}), want);
  is_near(gru({.6f, 1.5f, .5f, 7}), want);  // one for each function
  CHECK(says(error_of([&] { gru({.6f, 1.5f, .25f, .125f, 7}); }),
             "activation_beta must have a number for each activation that takes one, 3"));
  is_near(run("LSTM", 1, 3,
              {attribute_of("direction", "reverse"), texts("activations", {"Affine", "Elu", "ThresholdedRelu"}),
               reals("activation_alpha", {.5f, .25f, .05f}), reals("activation_beta", {.75f})}),
          {13.50221, 2.697872, 0.7009495});
  auto const lstm = [&](std::vector<float> const& alpha) {
    return run("LSTM", 2, 2,
               {attribute_of("direction", "bidirectional"), reals("activation_alpha", alpha),
                texts("activations", {"Sigmoid", "Relu", "Softsign", "HARDSIGMOID", "softplus", "Tanh"})});
  };
  std::vector<double> const both{0.05300248, 0.1556135, 0.1995556, 0.07730161};
  is_near(lstm({}), both);
  is_near(lstm({.2f}), both);
  is_near(lstm({.2f, 0, 0, .2f, 0, 0}), both);
  CHECK(says(error_of([&] { lstm({0, 0, 0, .2f, 0, 0}); }), "1 here, and has 6"));
  CHECK(says(
      error_of([&] { run("LSTM", 2, 2, {attribute_of("direction", "bidirectional"), texts("activations", {"Tanh", "Tanh", "Tanh"})}); }),
      "it must have 6 activations, and has 3"));
  CHECK(run("GRU", 2, 0, {attribute_of("direction", "bidirectional")}).shape() == sinter::dims{0, 2, 1, 1});
}
TEST_CASE("a sequence without rows, a letter with the extents 1 and n, and one axis of a batch", "[onnx]") {
  onnx::graph body;  // (s, e) -> (s + e, (s + e) twice)
  for (char const* name : {"s", "e"}) {
    onnx::value v;
    v.name = name, v.type = onnx::element::float32, v.is_tensor = true;
    body.inputs.push_back(v);
  }
  body.outputs = body.inputs;
  body.outputs[0].name = "now", body.outputs[1].name = "twice";
  body.nodes = {relu().graph.nodes[0], relu().graph.nodes[0]};
  body.nodes[0].op = "Concat", body.nodes[0].inputs = {"now", "now"}, body.nodes[0].outputs = {"twice"};
  body.nodes[0].attributes = {attribute_of("axis", 0)};
  body.nodes[1].op = "Add", body.nodes[1].inputs = {"s", "e"}, body.nodes[1].outputs = {"now"};
  for (sinter::extent const n : {2, 0}) {
    onnx::model_proto m = relu();
    m.graph.inputs[0].has_shape = m.graph.outputs[0].has_shape = false;
    m.graph.inputs.push_back(m.graph.inputs[0]);
    m.graph.inputs[1].name = "states";
    m.graph.nodes[0].op = "Scan", m.graph.nodes[0].inputs = {"states", "x"}, m.graph.nodes[0].outputs = {"last", "y"};
    m.graph.nodes[0].attributes = {attribute_of("body", body), attribute_of("num_scan_inputs", 1),
                                   attribute_of("scan_input_axes", std::vector<std::int64_t>{1}),
                                   attribute_of("scan_output_axes", std::vector<std::int64_t>{-1})};
    CHECK(onnx::model(std::move(m))({{"x", ramp({3, n})}, {"states", ramp({3})}})[0].shape() == sinter::dims{6, n});
  }
  auto const einsum = [](char const* equation, std::vector<sym::array> const& in) {
    return of_node("Einsum", 13, in, {attribute_of("equation", equation)});
  };
  sym::array const one = with_elements({1, 2}, {1, 2}), two = with_elements({2, 2}, {1, 2, 3, 4}), column = with_elements({2, 1}, {1, 2});
  is_near(einsum("ij,ij->ij", {one, two}), {1, 4, 3, 8});
  is_near(einsum("ij,ij", {one, two}), {16});
  is_near(einsum("ij,jk", {column, two}), {4, 6, 8, 12});
  is_near(einsum("ij,jk->ki", {two, one}), {3, 7, 6, 14});
  is_near(einsum("i j, i k, k -> i", {one, two, with_elements({1}, {2})}), {18, 42});
  is_near(einsum("ii,i->i", {with_elements({1, 1}, {3}), with_elements({2}, {1, 2})}), {3, 6});
  is_near(einsum("...i,...i->i...", {with_elements({2, 1}, {1, 2}), two}), {1, 6, 2, 8});
  CHECK(einsum("ij,i->ij", {one, with_elements({1}, {2})}).shape() == sinter::dims{1, 2});
  CHECK(einsum("i,ij->i", {with_elements({1}, {2}), elements<float>({0, 1}, {})}).shape() == sinter::dims{0});
  CHECK(says(error_of([&] { einsum("ii->i", {one}); }), "a letter of the subscripts stands for two different extents"));
  CHECK(says(error_of([&] { einsum("ij,ij->ij", {ramp({3, 2}), two}); }), "a letter of the subscripts stands for two different extents"));
  CHECK(says(error_of([&] { einsum("ij,jk", {two}); }), "have as many operands as the call"));

  auto const of_one = [](float v) { return with_elements({1}, {v}); };
  std::vector<sym::array> const batch{with_elements({4}, {1, 2, 3, 6}), of_one(2), of_one(1), of_one(0.5f), of_one(4)};
  sym::array const normal = of_node("BatchNormalization", 14, batch, {attribute_of("epsilon", 0.)});
  CHECK(normal.shape() == sinter::dims{4});
  is_near(normal, {1.5, 2.5, 3.5, 6.5});
  double const deviation = std::sqrt(3.5);
  is_near(of_node("BatchNormalization", 14, batch, {attribute_of("epsilon", 0.), attribute_of("training_mode", 1)}),
          {1 - 4 / deviation, 1 - 2 / deviation, 1, 1 + 6 / deviation});
}
TEST_CASE("a Shrink of integers with fractions, and a Squeeze with an empty list of axes", "[onnx]") {
  auto const shrink = []<class T>(std::vector<T> const& x, double bias, double edge, std::vector<T> const& want) {
    sym::array const y = of_node("Shrink", 9, {elements<T>({static_cast<sinter::extent>(x.size())}, x)},
                                 {attribute_of("bias", bias), attribute_of("lambd", edge)});
    REQUIRE(y.type() == sinter::dtype_of<T>);
    CHECK(std::memcmp(y.data(), want.data(), want.size() * sizeof(T)) == 0);
  };
  // The numbers are those of ONNX Runtime.
  shrink(std::vector<std::int8_t>{-7, -3, -2, -1, 0, 1, 2, 3, 7, 100}, 2.7, .2, {-4, 0, 0, 1, 0, -1, 0, 0, 4, 97});
  shrink(std::vector<std::uint8_t>{0, 1, 2, 3, 7, 100, 200}, 2.7, .2, {0, 255, 0, 0, 4, 97, 197});
  shrink(std::vector<std::int64_t>{-7, -2, -1, 0, 1, 2, 7}, -1.5, 1, {-8, -3, 0, 0, 0, 3, 8});
  shrink(std::vector<std::int32_t>{2000000001, -2000000001}, 1.5, .5, {1999999999, -1999999999});
  shrink(std::vector<float>{-3, -1, 1, 3}, .5, 1, {-2.5f, 0, 0, 2.5f});
  auto const squeezed = [](int opset, std::optional<std::vector<std::int64_t>> const& axes) {
    onnx::model_proto m = relu();
    m.opsets[0].version = opset;
    m.graph.inputs[0].has_shape = m.graph.outputs[0].has_shape = false;
    onnx::node& n = m.graph.nodes[0];
    n.op = "Squeeze";
    if (axes && opset < 13) n.attributes.push_back(attribute_of("axes", *axes));
    if (axes && opset >= 13) {
      n.inputs.push_back("axes");
      m.graph.initializers.resize(1);
      onnx::tensor& t = m.graph.initializers[0];
      t.name = "axes", t.type = onnx::element::int64, t.shape = {static_cast<std::int64_t>(axes->size())};
      t.data.resize(8 * axes->size());
      if (!axes->empty()) std::memcpy(t.data.data(), axes->data(), t.data.size());
    }
    return onnx::model(std::move(m))({{"x", ramp({3, 1, 5, 1})}})[0].shape();
  };
  for (int const opset : {11, 13}) {
    CHECK(squeezed(opset, {}) == sinter::dims{3, 5});
    CHECK(squeezed(opset, std::vector<std::int64_t>{}) == sinter::dims{3, 5});
    CHECK(squeezed(opset, std::vector<std::int64_t>{-1}) == sinter::dims{3, 1, 5});
  }
}
TEST_CASE("negative indices of GatherND count from the end of the axis behind the batch", "[onnx]") {
  is_near(of_node("GatherND", 12, {with_elements({2, 3}, {1, 2, 3, 4, 5, 6}), elements<std::int64_t>({2, 1}, {-1, -3})},
                  {attribute_of("batch_dims", 1)}),
          {3, 4});
}
TEST_CASE("operators of other domains keep them when a model is written", "[onnx]") {
  onnx::model_proto m = relu();
  m.graph.nodes[0].op = "Scaler", m.graph.nodes[0].domain = "ai.onnx.ml";
  onnx::attribute offset;
  offset.name = "offset", offset.type = onnx::attribute_type::reals, offset.reals = {1, 2};
  m.graph.nodes[0].attributes = {offset};
  std::string const bytes = onnx::serialize(m);
  onnx::model_proto again = onnx::parse_model(std::as_bytes(std::span(bytes)), "again.onnx");
  CHECK(again.graph.nodes[0].domain == "ai.onnx.ml");
  is_near(onnx::model(std::move(again))(floats<shape<2>>("x", {3, -1}))[0], {2, -3});
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
  CHECK(says(parse({0x08, 1, 0x10, 3, 0x28, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}), "has the element -129"));
  CHECK(says(parse({0x08, 1, 0x10, 9, 0x4a, 1, 2}), "a bool that is neither 0 nor 1"));
  CHECK(says(parse({0x08, 1, 0x10, 3, 0x28, 1, 0x4a, 1, 1}), "has its elements twice"));
  CHECK(says(parse({0x08, 1, 0x10, 3, 0x38, 1}), "in a field for those of other types"));
  CHECK(says(parse({0x08, 1, 0x10, 99}), "elements of type 99"));
  CHECK(says(parse({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0x10, 3}), "the extent -1"));
  CHECK(says(parse({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}), "a number has more than 10 bytes"));
  CHECK(says(parse({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x10, 7}), "has too many elements"));
  CHECK(says(parse({0x0a, 5, 1}), "ends inside a field"));
  CHECK(says(parse({0x4d, 1, 2, 3, 4}), "raw_data has wire type 5, not 2"));
  CHECK(says(parse({0x0b}), "a wire type that protobuf no longer has; this is no ONNX file, or a damaged one"));
  CHECK(says(parse({0x00}), "a field has no number"));
}
TEST_CASE("files of another kind are named, and a model is not written under their names", "[onnx]") {
  auto const seems = [](std::string_view text) { return error_of([&] { onnx::parse_model(std::as_bytes(std::span(text)), "x"); }); };
  using namespace std::string_view_literals;
  CHECK(says(seems("\x93NUMPY\x01"sv), "sinter: x, at byte 0: this is no ONNX model; it seems to be an .npy file"));
  CHECK(says(seems("PK\x03\x04"sv), "a ZIP file"));
  CHECK(says(seems("<!DOCTYPE html>"sv), "this is no ONNX model; it is text, an HTML page: what was downloaded is the page of a site"));
  CHECK(says(seems("version https://git-lfs.github.com/spec/v1\n"sv), "this is no ONNX model; it is text, a git-lfs pointer"));
  CHECK(says(seems("{\"nodes\": []}"sv), "JSON text; symbol_block::imports reads"));
  CHECK(says(seems("\x12\x01\0\0\0\0\0\0"sv), "a .params file of MXNet"));
  CHECK(says(seems("\x02\0\0\0\0\0\0\0{}"sv), "a safetensors file"));
  for (char const* name : {"w.params", "w-symbol.json", "w.safetensors", "w.npz", "w.npy"})
    CHECK(says(error_of([&] { onnx::save(relu(), name); }), "a model is .onnx, and not ."));
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
