// SPDX-License-Identifier: Apache-2.0
// Networks and operations written as ONNX: read again they give the same numbers; runtime.py compares them with ONNX Runtime.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/io/npy.hpp>
#include <sinter/onnx.hpp>
#include <sinter/sinter.hpp>
#include <sinter/symbol.hpp>
#include <sinter/symbol/json.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "catch.hpp"

namespace onnx = sinter::onnx;
namespace nd = sinter::nd;
namespace nn = sinter::nn;
namespace sym = sinter::sym;
using namespace sinter;

static std::string folder() {
  char const* const to = std::getenv("SINTER_ONNX_EXPORT");
  return to ? to : std::filesystem::temp_directory_path().string();
}
static io::array with_values(sym::array const& a) {
  io::array r{{}, a.type(), {}, {}};
  for (int k = 0; k < a.shape().rank; ++k) r.shape.push_back(a.shape().d[k]);
  r.data.assign(a.data(), a.data() + a.shape().size() * bytes_of(a.type()));
  return r;
}
static void write(std::string const& name, sym::array const& a) { io::write_npy(folder() + "/" + name, with_values(a)); }

// `types`: the inputs in the model; `inputs`: those of the run.
static void check(std::string const& name, symbol const& s, sym::types_by_name const& types, sym::arrays_by_name const& inputs) {
  INFO(name);
  std::string const file = folder() + "/sinter-" + name + ".onnx";
  onnx::save(s, file, types);
  sym::results const want = s.eval(inputs), got = onnx::load(file)(inputs);
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i, onnx::detail::in_words({want[i].type(), want[i].shape()}), onnx::detail::in_words({got[i].type(), got[i].shape()}));
    REQUIRE(got[i].type() == want[i].type());
    REQUIRE(got[i].shape() == want[i].shape());
    with_type(want[i].type(), [&]<class T>(T*) {
      for (extent k = 0; k < want[i].shape().size(); ++k) {
        double const a = static_cast<double>(reinterpret_cast<T const*>(got[i].data())[k]),
                     b = static_cast<double>(reinterpret_cast<T const*>(want[i].data())[k]);
        if (!(std::abs(a - b) <= 1e-6 * (1 + std::abs(b)))) FAIL_CHECK(k << ": " << a << " instead of " << b);
      }
    });
  }
  CHECK(onnx::serialize(onnx::to_model(s, types)) == onnx::serialize(onnx::to_model(s, types)));
  if (!std::getenv("SINTER_ONNX_EXPORT")) return static_cast<void>(std::filesystem::remove(file));
  for (auto const& [input, a] : inputs) write("sinter-" + name + ".in." + input + ".npy", a);
  for (std::size_t i = 0; i < want.size(); ++i) write("sinter-" + name + ".out." + std::to_string(i) + ".npy", want[i]);
}
template <class S> static nd::tensor<float, S> noise(float from = -1, float to = 1) {
  nd::tensor<float, S> x;
  std::uint32_t v = 1;
  for (float& e : x) v = v * 1664525u + 1013904223u, e = from + (to - from) * static_cast<float>(v >> 8) / 0x1p24f;
  return x;
}
using names = std::vector<std::string>;
static names names_of(onnx::model_proto const& m) {
  names r;
  for (auto const& n : m.graph.nodes) r.push_back(n.name + ": " + n.op);
  return r;
}
template <class Declared, class X> static void check_network(std::string const& name, auto net, X const& x) {
  net.initialize(init::xavier{}, 1);
  check(name, net(sym::var("x")), {{"x", {dtype::float32, Declared::value}}}, {{"x", x}});
}

struct reading : nn::hybrid_block<reading> {
  BOOST_HANA_DEFINE_STRUCT(reading, (nn::lstm<8>, rnn), (nn::dense<3>, out));
  constexpr auto hybrid_forward(auto F, auto x) const { return out(F.mean(rnn(x), axis<0>)); }
};
TEST_CASE("networks are written as ONNX", "[onnx][export]") {
  using mlp = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::dense<4>, nn::activation<nn::softmax>>;
  check_network<shape<dim<"batch">, 8>>("mlp", mlp{}, noise<shape<5, 8>>());
  using images = nn::hybrid_sequential<nn::conv2d<8, 3, 1, 1>, nn::batch_norm<>, nn::activation<nn::relu>, nn::max_pool2d<2>,
                                       nn::conv2d<8, 3, 2, 1, 1, 4>, nn::avg_pool2d<3, 2, 1, true>, nn::conv2d_transpose<4, 3, 2, 1, 1>,
                                       nn::global_avg_pool2d<>, nn::dense<3>>;
  check_network<shape<dim<"batch">, 3, 13, 12>>("images", images{}, noise<shape<2, 3, 13, 12>>());
  check_network<shape<dim<"batch">, 5, 16>>("transformer", nn::transformer_encoder_cell<16, 32, 4>{}, noise<shape<2, 5, 16>>());
  check_network<shape<6, dim<"batch">, 4>>("lstm", reading{}, noise<shape<6, 2, 4>>());
}
TEST_CASE("operations are written as ONNX", "[onnx][export]") {
  sym::composing constexpr F{};
  symbol const x = sym::var("x"), y = sym::var("y"), i = sym::var("i");
  std::vector<symbol> all{F.relu(x),
                          F.sigmoid(x),
                          F.tanh(x),
                          F.exp(x),
                          F.expm1(x),
                          F.sin(x),
                          F.cos(x),
                          F.erf(x),
                          F.gelu(x),
                          F.gelu_tanh(x),
                          F.silu(x),
                          F.softsign(x),
                          F.hard_swish(x),
                          F.elu(x, alpha<2>),
                          F.leaky_relu(x, slope<0.1>),
                          F.square(x),
                          F.abs(x),
                          F.sign(x),
                          F.floor(x * 3),
                          F.ceil(x * 3),
                          F.trunc(x * 3),
                          F.rint(x * 3),
                          F.rsqrt(F.abs(x) + 1),
                          F.log(F.abs(x) + 1),
                          F.clip(x, -0.5f, 0.25f),
                          F.maximum(x, y),
                          F.power(F.abs(x), y),
                          x + y,
                          x - y,
                          x * y,
                          x / (y + 3),
                          F.where(x < y, x, y),
                          F.cast(x <= y, as<float>),
                          F.cast(x != y, as<float>),
                          F.sum(x),
                          F.sum(x, axis<1>),
                          F.mean(x, axis<1, 2>, keepdims),
                          F.max(x, axis<2>),
                          F.min(x, axis<0>),
                          F.prod(x, axis<1>),
                          F.var(x, axis<1>),
                          F.norm(x, axis<1>),
                          F.logsumexp(x, axis<-1>),
                          F.argmax(x, axis<1>),
                          F.argmin(x),
                          F.softmax(x, axis<1>),
                          F.log_softmax(x),
                          F.transpose(x, axes<2, 0, 1>),
                          F.flatten(x),
                          F.expand_dims(x, axis<1>),
                          F.slice(x, begin<open, 1>, end<open, -1>),
                          F.slice(x, begin<open, open, open>, end<open, open, open>, step<1, -1, 2>),
                          F.concat(x, y, axis<1>),
                          F.stack(x, y, axis<1>),
                          F.take(y, i, axis<1>),
                          F.one_hot(i, depth<5>),
                          F.cumsum(x, axis<1>),
                          F.tile(y, reps<1, 2, 1>),
                          F.flip(x, axis<2>),
                          F.matmul(x, y, transpose_b),
                          F.reshape(x, into<-1, 12>),
                          F.relu(F.reshape(F.reshape(x, into<-1, 6>), into<-1, 8, 6>)),
                          F.padded(x, begin<0, 1>, end<0, 2>, values<0.5>),
                          F.floor_divide(i, 2),
                          F.floor_divide(i, -3),
                          F.triu(x),
                          F.sort(x, axis<1>),
                          F.sort(F.rint(x * 2), axis<0>, descending),
                          F.argsort(F.rint(x * 2)),
                          F.argsort(F.rint(x * 2), axis<0>, descending)};
  auto const parts = F.split(x, sinter::parts<2>, axis<1>);
  all.push_back(std::get<1>(parts));
  auto const top = F.topk(x, sinter::top<2>, axis<1>);
  all.push_back(std::get<0>(top)), all.push_back(std::get<1>(top));
  nd::tensor<std::int64_t, shape<3>> places;
  places.data()[0] = 3, places.data()[1] = -5, places.data()[2] = 9;  // the nearest in range
  dims const free{shape<dim<"batch">, 4, 6>::value};
  check("operations", sym::group(all), {{"x", {dtype::float32, free}}, {"y", {dtype::float32, free}}, {"i", {dtype::int64, {3}}}},
        {{"x", noise<shape<2, 4, 6>>()}, {"y", noise<shape<2, 4, 6>>(-1.5f, 2)}, {"i", places}});

  symbol const rows = sym::var("rows"), lengths = sym::var("lengths");
  nd::tensor<std::int32_t, shape<2, 4>> const coordinates{3, -5, 0, 5, 1, 1, -1, 0};  // (3, 1), and three that are not there
  nd::tensor<std::int64_t, shape<4>> const ends{3, 0, 9, -2};
  std::vector<symbol> const placed{
      F.scatter_nd(x, F.slice(rows, begin<0>, end<1>), into<5, 4, 3>),
      F.scatter_nd(F.sum(x, axis<1>), rows, into<5, 2, 3>),
      F.scatter_add(x, F.slice(rows, begin<0>, end<1>), into<5, 4, 3>),
      F.scatter_add(F.cast(F.sum(x, axis<1, 2>) * 9, as<std::int32_t>), F.concat(rows, F.abs(rows), axis<0>), into<6, 2, 6, 3>),
      F.scatter_nd(F.cast(F.sum(x, axis<1, 2>) * 9, as<std::int32_t>), F.concat(rows, F.abs(rows), axis<0>), into<6, 2, 6, 3>),
      F.sequence_reverse(y, lengths),
      F.sequence_reverse(F.cast(y * 9, as<std::int64_t>), lengths)};
  check("placed", sym::group(placed),
        {{"x", {dtype::float32, {4, 4, 3}}},
         {"y", {dtype::float32, shape<dim<"time">, 4, 3>::value}},
         {"rows", {dtype::int32, {2, 4}}},
         {"lengths", {dtype::int64, {4}}}},
        {{"x", noise<shape<4, 4, 3>>()}, {"y", noise<shape<5, 4, 3>>()}, {"rows", coordinates}, {"lengths", ends}});

  // Integers of 8 bits: the least of them is a number of their dtype. And backwards from the first element, which is not before it.
  symbol const small = sym::var("small"), at = sym::var("at");
  nd::tensor<std::int8_t, shape<2, 3>> const bytes{-9, -9, -9, -128, 5, -1};
  nd::tensor<std::int64_t, shape<2>> const picked{1, 0};
  std::vector<symbol> const narrow{F.pick(small, at), F.sequence_last(small, at * 0 + 1, axis<1>),
                                   F.slice(small, begin<open, -3>, end<open, open>, step<1, -1>), F.trunc(F.cast(small, as<std::int32_t>))};
  check("narrow", sym::group(narrow), {{"small", {dtype::int8, {2, 3}}}, {"at", {dtype::int64, {2}}}}, {{"small", bytes}, {"at", picked}});

  constexpr auto linear = sinter::mode<sinter::interpolation::bilinear>;
  std::vector<symbol> const images{F.resize(x, into<5, 9>),
                                   F.resize(x, into<5, 9>, linear),
                                   F.resize(x, into<3, 4>, linear),
                                   F.resize(x, into<5, 9>, align_corners),
                                   F.resize(x, into<5, 9>, linear, align_corners),
                                   F.upsample(x, scale<2>)};
  check("images", sym::group(images), {{"x", {dtype::float32, shape<dim<"batch">, 2, 4, 6>::value}}}, {{"x", noise<shape<2, 2, 4, 6>>()}});
}
// Keywords that are not the default, and weights that are not those of initialisation.
TEST_CASE("attributes of operations are written as ONNX", "[onnx][export]") {
  sym::composing constexpr F{};
  symbol const x = sym::var("x"), y = sym::var("y"), w = sym::var("w"), four = sym::var("four"), six = sym::var("six"),
               words = sym::var("words"), nothing = sym::var("nothing");
  auto const parts = F.split(x, sinter::parts<3>, axis<2>);
  auto const least = F.topk(x, sinter::top<2>, axis<1>, ascending);
  std::vector<symbol> const all{F.fully_connected(x, w, four, flattened<false>),
                                F.fully_connected(F.cast(x * 9, as<std::int32_t>), F.cast(w * 9, as<std::int32_t>),
                                                  F.cast(four * 9, as<std::int32_t>), flattened<false>),
                                F.matmul(x, y, transpose_a),
                                F.argmax(x, axis<1>, keepdims),
                                F.argmin(x, axis<2>, keepdims),
                                std::get<1>(parts),
                                std::get<0>(least),
                                std::get<1>(least),
                                F.layer_norm(x, four, four - 1, axis<1>, eps<0.5>),
                                F.batch_norm(x, six, six - 1, six * 2, F.abs(six), axis<2>, eps<0.5>),
                                F.group_norm(x, four, four - 1, groups<2>, eps<0.5>),
                                F.log10(F.abs(x) + 1),
                                F.log_softmax(x, axis<1>),
                                F.clip(x, 0.5f, -0.5f),
                                F.mod(x, y),
                                F.reshape(nothing, into<0, 6>),
                                F.max(words, axis<1>),
                                F.min(words, axis<0>, keepdims)};
  dims const free{shape<dim<"batch">, 4, 6>::value};
  sym::types_by_name const types{{"x", {dtype::float32, free}},           {"y", {dtype::float32, free}},  {"w", {dtype::float32, {4, 6}}},
                                 {"four", {dtype::float32, {4}}},         {"six", {dtype::float32, {6}}}, {"words", {dtype::int16, {2, 3}}},
                                 {"nothing", {dtype::float32, {2, 0, 3}}}};
  check("attributes", sym::group(all), types,
        {{"x", noise<shape<2, 4, 6>>()},
         {"y", noise<shape<2, 4, 6>>(-1.5f, 2)},
         {"w", noise<shape<4, 6>>(-2, 1)},
         {"four", noise<shape<4>>(0.25f, 3)},
         {"six", noise<shape<6>>(-3, 0.5f)},
         {"words", nd::tensor<std::int16_t, shape<2, 3>>{-9, -300, -9, -32768, 5, -1}},
         {"nothing", nd::tensor<float, shape<2, 0, 3>>()}});
  // ONNX reduces no int16.
  CHECK(names_of(onnx::to_model(F.max(words, axis<1>), {{"words", {dtype::int16, {2, 3}}}})) ==
        names{"max.Cast: Cast", "max.ReduceMax: ReduceMax", "max: Cast", "output0: Identity"});
}
// ONNX has not every operation of every integer, and ONNX Runtime has fewer; expected are numbers that sinter gives, too.
template <class T> static void check_integers() {
  sym::composing constexpr F{};
  symbol const x = sym::var("x"), y = sym::var("y"), z = sym::var("z");
  auto const least = F.topk(x, sinter::top<3>, axis<2>, ascending);
  std::vector<symbol> const all{F.relu(x),
                                F.negative(x),
                                F.maximum(x, y),
                                F.minimum(x, y),
                                F.clip(x, y, z),
                                F.where(x < y, x, z),
                                F.argmax(x, axis<2>),
                                F.argmin(x),
                                F.isnan(x),
                                F.isinf(x),
                                F.isfinite(x),
                                F.sort(x, axis<1>, descending),
                                F.argsort(x),
                                std::get<0>(least),
                                std::get<1>(least),
                                F.bitwise_and(x, y),
                                F.bitwise_or(x, y),
                                F.bitwise_xor(x, y),
                                F.bitwise_not(x),
                                F.max(x, axis<2>),
                                F.max_pool(x, pool_size<2>, stride<2>, pad<1>),
                                F.max_pool(x, pool_size<3>, stride<2>, ceil_mode)};
  auto const whole = [](float from, float to) {
    nd::tensor<T, shape<2, 2, 4, 4>> r;
    auto const v = noise<shape<2, 2, 4, 4>>(from, to);
    for (int k = 0; k < 64; ++k) r.data()[k] = static_cast<T>(static_cast<int>(v[k]));
    return r;
  };
  array_type const type{dtype_of<T>, shape<dim<"batch">, 2, 4, 4>::value};
  check(std::string(name_of(type.type)), sym::group(all), {{"x", type}, {"y", type}, {"z", type}},
        {{"x", whole(-140, 140)}, {"y", whole(90, -60)}, {"z", whole(-30, 70)}});
}
TEST_CASE("operations of integers and truth values are written with what ONNX has of them", "[onnx][export]") {
  check_integers<std::uint8_t>(), check_integers<std::int8_t>(), check_integers<std::int16_t>();
  check_integers<std::int32_t>(), check_integers<std::int64_t>();
  sym::composing constexpr F{};
  symbol const x = sym::var("x"), y = sym::var("y");
  auto const most = F.topk(x, sinter::top<2>, axis<1>);
  std::vector<symbol> const all{F.sort(x),          F.sort(x, axis<0>, descending),
                                F.argsort(x),       std::get<0>(most),
                                std::get<1>(most),  F.bitwise_and(x, y),
                                F.bitwise_or(x, y), F.bitwise_xor(x, y),
                                F.bitwise_not(x),   F.where(x, y, F.logical_not(y))};
  array_type const type{dtype::boolean, shape<dim<"batch">, 4>::value};
  check("truth", sym::group(all), {{"x", type}, {"y", type}},
        {{"x", nd::tensor<bool, shape<3, 4>>{true, false, true, false, false, true, true, true, false, false, false, true}},
         {"y", nd::tensor<bool, shape<3, 4>>{true, true, false, false, true, true, false, true, false, true, false, true}}});
}
TEST_CASE("nodes of integers and truth values are such as ONNX and ONNX Runtime have", "[onnx]") {
  sym::composing constexpr F{};
  symbol const x = sym::var("x"), y = sym::var("y");
  auto const written = [](dtype t, symbol const& s) {
    array_type const type{t, {1, 1, 4, 4}};
    sym::types_by_name types;
    for (std::string const& name : s.list_arguments()) types[name] = type;
    std::string r;
    for (auto const& n : onnx::to_model(s, types).graph.nodes) r += n.op + " ";
    return r.substr(0, r.size() - sizeof "Identity ");  // of the output
  };
  CHECK(written(dtype::uint8, F.relu(x)) == "Identity");
  CHECK(written(dtype::int16, F.relu(x)) == "Cast Relu Cast");
  CHECK(written(dtype::int64, F.relu(x)) == "Max");
  CHECK(written(dtype::uint8, F.negative(x)) == "Sub");
  CHECK(written(dtype::int16, F.maximum(x, y)) == "Cast Cast Max Cast");
  CHECK(written(dtype::int16, F.minimum(x, y)) == "Cast Cast Min Cast");
  CHECK(written(dtype::int16, F.clip(x, y, x)) == "Cast Cast Max Cast Min Cast");
  CHECK(written(dtype::int16, F.where(x < y, x, y)) == "Less Cast Cast Where Cast");
  CHECK(written(dtype::boolean, F.where(x, x, y)) == "Cast Cast Where Cast");
  CHECK(written(dtype::int16, F.argmax(x, axis<2>)) == "Cast ArgMax");
  CHECK(written(dtype::int16, F.argmin(x)) == "Cast Reshape ArgMin Reshape");
  for (dtype const t : {dtype::uint8, dtype::int16, dtype::int64})
    for (symbol const& s : {F.isnan(x), F.isinf(x), F.isfinite(x)}) CHECK(written(t, s) == "Expand");
  CHECK(written(dtype::boolean, F.sort(x)) == "Cast TopK Cast");
  CHECK(written(dtype::boolean, F.argsort(x)) == "Cast TopK");
  CHECK(written(dtype::boolean, std::get<0>(F.topk(x, sinter::top<2>))) == "Cast TopK Cast");
  CHECK(written(dtype::boolean, F.bitwise_and(x, y)) == "And");
  CHECK(written(dtype::boolean, F.bitwise_or(x, y)) == "Or");
  CHECK(written(dtype::boolean, F.bitwise_xor(x, y)) == "Xor");
  CHECK(written(dtype::boolean, F.bitwise_not(x)) == "Not");
  CHECK(written(dtype::int8, F.max_pool(x, pool_size<2>)) == "MaxPool");
  for (dtype const t : {dtype::int16, dtype::int32, dtype::int64})
    CHECK(written(t, F.max_pool(x, pool_size<2>)).find("MaxPool") == std::string::npos);
}
TEST_CASE("a pick of int16, of which ONNX Runtime has no Where, is written", "[onnx]") {
  nd::tensor<std::int16_t, shape<2, 3>> const words{-9, -300, -9, -32768, 5, -1};
  nd::tensor<std::int64_t, shape<2>> const picked{1, 0};
  check("words", pick(sym::var("x"), sym::var("at")), {{"x", {dtype::int16, {2, 3}}}, {"at", {dtype::int64, {2}}}},
        {{"x", words}, {"at", picked}});
}
namespace {
struct second_first : nn::hybrid_block<second_first> {
  constexpr auto hybrid_forward(auto F, auto a, auto b) const { return F.subtract(b, a); }
};
}  // namespace
TEST_CASE("inputs of an exported network keep the order of a call", "[onnx]") {
  std::string const file = folder() + "/sinter-order.onnx";
  second_first{}.export_onnx<shape<2, 3>, shape<2, 3>>(file);
  CHECK(onnx::load(file).input_names() == std::vector<std::string>{"data0", "data1"});
}
TEST_CASE("a network is exported as ONNX with the shapes of its inputs, and a changed graph is refused", "[onnx]") {
  using mlp = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::dense<4>>;
  mlp net;
  net.initialize(init::xavier{}, 1);
  auto const x = noise<shape<5, 8>>();
  auto const want = net(x);
  std::string const file = folder() + "/sinter-member.onnx", again = folder() + "/sinter-again.onnx";
  net.export_onnx<shape<dim<"batch">, 8>>(file);
  auto const model = onnx::load(file);
  CHECK(model.signature() == "data: float32 (batch, 8) -> output0: float32 (batch, 4)");
  auto const got = model(x)[0].as<nd::tensor<float, shape<5, 4>>>();
  for (int i = 0; i < 20; ++i) CHECK(got[i] == Approx(want[i]).margin(1e-6));
  onnx::save(model.proto(), again);
  CHECK(io::read_file(again) == io::read_file(file));
  onnx::model_proto other = model.proto();
  auto const changed = std::find_if(other.graph.nodes.begin(), other.graph.nodes.end(), [](auto const& n) { return n.op == "Relu"; });
  REQUIRE(changed != other.graph.nodes.end());
  changed->op = "Tanh";
  CHECK_THROWS_WITH(onnx::model(other), Catch::Contains("the graph was changed after sinter wrote it: node `") &&
                                            Catch::Contains("` is Tanh of [`") &&
                                            Catch::Contains("; without the attribute `sinter_structure` it is read as it is"));
  other.metadata.clear();
  CHECK(onnx::model(other)(x).size() == 1);
  other = model.proto();
  other.graph.initializers[0].data[0] = std::byte{1};  // another weight is no other structure
  CHECK_NOTHROW(onnx::model(other));
  std::filesystem::remove(file), std::filesystem::remove(again);
}
namespace {
// A graph within a graph, with axes, a shape and numbers.
onnx::model_proto looped() {
  sym::composing constexpr F{};
  symbol const x = sym::var("x");
  auto const [all, last] = F.foreach ([&](auto row, auto s) { return std::tuple(F.tanh(row + s), s * 2); }, x, F.sum(x, axis<0>));
  return onnx::to_model(F.reshape(all, into<3, 2>), {{"x", {dtype::float32, {2, 3}}}});
}
template <class F> void check_changed(onnx::model_proto m, F change) {
  CHECK_NOTHROW(onnx::model(m));
  change(m.graph);
  CHECK_THROWS_WITH(onnx::model(m), Catch::Contains("the graph was changed after sinter wrote it"));
}
template <class All, class P> auto& found(All& all, P p) {
  auto const at = std::find_if(all.begin(), all.end(), p);
  REQUIRE(at != all.end());
  return *at;
}
auto is_called(std::string op) {
  return [=](onnx::node const& n) { return n.op == op; };
}
}  // namespace
TEST_CASE("numbers of a written graph are parts of it, and parameters are not", "[onnx]") {
  using net = nn::hybrid_sequential<nn::dense<3, nn::relu>>;
  net layer;
  layer.initialize(init::xavier{}, 1);
  sym::composing constexpr F{};
  symbol const y = layer(sym::var("x"));
  onnx::model_proto const m =
      onnx::to_model(F.tanh(F.softmin(F.relu(y) + 1)) * 2 + F.cast(F.arange(values<0, 3>), as<float>), {{"x", {dtype::float32, {2, 4}}}});
  int numbers = 0, parameters = 0;
  for (std::size_t i = 0; i < m.graph.initializers.size(); ++i) {
    onnx::tensor const& t = m.graph.initializers[i];
    auto const change = [i](onnx::graph& g) { g.initializers[i].data[0] ^= std::byte{1}; };
    if (t.name.ends_with("weight") || t.name.ends_with("bias")) {
      onnx::model_proto other = m;
      change(other.graph), ++parameters;
      CHECK_NOTHROW(onnx::model(other));
    } else check_changed(m, change), ++numbers;
  }
  CHECK(parameters == 2);
  CHECK(numbers >= 5);
  // What is told of one that was changed, also in a file that was read and written again.
  std::string const file = folder() + "/sinter-numbers.onnx";
  onnx::save(m, file);
  onnx::model_proto other = onnx::load(file).proto();
  onnx::tensor& two = found(other.graph.initializers, [](onnx::tensor const& t) {
    float v = 0;
    if (t.shape.empty() && t.type == onnx::element::float32) std::memcpy(&v, t.data.data(), sizeof v);
    return v == 2;
  });
  float const three = 3;
  std::memcpy(two.data.data(), &three, sizeof three);
  onnx::save(other, file);
  CHECK_THROWS_WITH(onnx::load(file), Catch::Contains("an initializer is `" + two.name + "`: float32 () = 3 now"));
  std::filesystem::remove(file);
  // A parameter that is no longer said to be one.
  other = m;
  std::erase_if(other.metadata, [](auto const& p) { return p.key == "sinter_parameters"; });
  CHECK_THROWS_WITH(onnx::model(other), Catch::Contains("the graph was changed after sinter wrote it"));
}
TEST_CASE("attributes, axes and bodies of loops are parts of a written graph", "[onnx]") {
  onnx::model_proto const m = looped();
  check_changed(m, [](onnx::graph& g) { found(g.nodes, is_called("ReduceSum")).attributes[0].whole = 1; });
  check_changed(m, [](onnx::graph& g) {
    std::string const axes = found(g.nodes, is_called("ReduceSum")).inputs[1];
    found(g.initializers, [&](onnx::tensor const& t) { return t.name == axes; }).data[0] = std::byte{1};
  });
  check_changed(m, [](onnx::graph& g) {
    onnx::attribute& body = found(found(g.nodes, is_called("Scan")).attributes, [](auto const& a) { return a.name == "body"; });
    found(body.graphs[0].nodes, is_called("Tanh")).op = "Sigmoid";
  });
}
namespace {
struct two_layers : nn::hybrid_block<two_layers> {
  BOOST_HANA_DEFINE_STRUCT(two_layers, (nn::dense<6, nn::relu>, hidden), (nn::dense<6>, same));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmin(same(same(hidden(x)))); }
};
}  // namespace
TEST_CASE("nodes of ONNX are called by their layers, or as the symbol's are", "[onnx]") {
  sym::types_by_name const types{{"x", {dtype::float32, {2, 6}}}};
  two_layers net;
  net.initialize(init::xavier{}, 1);
  symbol const y = net(sym::var("x"));
  names const expected = names_of(onnx::to_model(y, types));
  CHECK(expected == names{"hidden.fully_connected: Gemm", "hidden.relu: Relu", "same.fully_connected: Gemm", "same.fully_connected_1: Gemm",
                          "softmin.negative: Neg", "softmin.max: ReduceMax", "softmin.subtract: Sub", "softmin.exp: Exp",
                          "softmin.sum: ReduceSum", "softmin.divide: Div", "softmin.multiply: Mul", "output0: Identity"});
  // In MXNet's files each has a name of its own; what a definition is made of is called by it.
  std::string const json = sinter::log(y).tojson();
  for (char const* name : {"hidden.fully_connected", "hidden.relu", "same.fully_connected", "same.fully_connected_1", "log0"})
    CHECK(json.find("\"name\": \"" + std::string(name) + "\"") != std::string::npos);
  symbol const named = (sym::var("x") * 2).named("fc/1");
  CHECK(names_of(onnx::to_model(named, types)) == names{"fc/1: Mul", "fc/1_output: Identity"});
  // What a node of MXNet is written with, here the difference from the mean of a part, is called by it, and what follows is not.
  symbol const read = symbol::load_json(R"({"nodes": [{"op": "null", "name": "x", "inputs": []},
      {"op": "slice_axis", "name": "part", "attrs": {"axis": "1", "begin": "1", "end": "-1"}, "inputs": [[0, 0, 0]]}],
      "arg_nodes": [0], "heads": [[1, 0, 0]]})");
  CHECK(names_of(onnx::to_model(sinter::abs(read), types)) == names{"part: Slice", "abs: Abs", "output0: Identity"});
  // Whatever a name contains.
  CHECK(names_of(onnx::to_model(sinter::negative(sym::var("x")).named("a\x1f/b"), types))[0] == "a\x1f/b: Neg");
  // A variable and an operation may have one name.
  symbol const x = sym::var("x"), twin = (x * 2).named("x");
  for (symbol const& both : {(x + twin).named("y"), (twin + x).named("y")})
    CHECK(symbol::load_json(both.tojson()).tojson() == both.tojson());
  CHECK_THROWS_WITH(onnx::to_model(erfinv(named), types), Catch::Contains("node `erfinv` (erfinv) is not written as ONNX"));
}
namespace {
struct arranged : nn::hybrid_block<arranged> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const parts = F.split(x, sinter::parts<2>, axis<1>);
    auto const top = F.topk(std::get<1>(parts), sinter::top<2>, axis<1>);
    auto const all =
        F.foreach ([&](auto row, auto s) { return std::tuple(F.tanh(row), s * row); }, std::get<0>(top), F.sum(std::get<0>(top), axis<0>));
    return std::tuple(std::get<0>(all), std::get<1>(top), F.sort(x), F.argsort(x), F.slice(x, begin<0, 1>, end<2, 3>));
  }
};
struct with_arranged : nn::hybrid_block<with_arranged> {
  BOOST_HANA_DEFINE_STRUCT(with_arranged, (arranged, l));
  constexpr auto hybrid_forward(auto, auto x) const { return l(x); }
};
}  // namespace
TEST_CASE("nodes with several results, loops and numbers of ONNX are called by their layers, too", "[onnx]") {
  symbol const all = std::apply([](auto const&... s) { return sym::group({s...}); }, with_arranged{}(sym::var("x")));
  onnx::model_proto m = onnx::to_model(all, {{"x", {dtype::float32, {3, 6}}}});
  CHECK(names_of(m) == names{"l.split: Split", "l.topk: TopK", "l.sum: ReduceSum", "l.foreach: Scan", "l.sort: TopK", "l.argsort: TopK",
                             "l.slice: Slice", "output0: Identity", "output1: Identity", "output2: Identity", "output3: Identity",
                             "output4: Identity"});
  names initializers, inner;
  for (auto const& t : m.graph.initializers) initializers.push_back(t.name);
  CHECK(initializers == names{"l.topk.k", "l.sum.axes", "l.sort.extent", "l.argsort.extent", "l.slice.starts", "l.slice.ends",
                              "l.slice.axes", "l.slice.steps"});
  onnx::graph const& body =
      found(found(m.graph.nodes, is_called("Scan")).attributes, [](auto const& a) { return a.name == "body"; }).graphs[0];
  CHECK(body.name == "l.foreach.body");
  for (auto const& v : body.inputs) inner.push_back(v.name);
  for (auto const& n : body.nodes) inner.push_back(n.name);
  CHECK(inner == names{"l.foreach.state", "l.foreach.row", "l.tanh", "l.multiply", "l.foreach.output", "l.foreach.output_1"});
}
TEST_CASE("what ONNX has not is an error that names the operation", "[onnx]") {
  auto const sentence = [](symbol const& s) -> std::string {
    try {
      onnx::to_model(s, {{"x", {dtype::float32, {2, 3}}}});
    } catch (error const& e) { return e.what(); }
    return "no error";
  };
  sym::composing constexpr F{};
  symbol const x = sym::var("x");
  CHECK(sentence(F.erfinv(sym::var("x")).named("s")) ==
        "sinter: node `s` (erfinv) is not written as ONNX: sinter does not write this operation");
  CHECK(sentence(F.det(F.matmul(x, x, transpose_b)).named("d")) ==
        "sinter: node `d` (det) is not written as ONNX: sinter does not write lu_determinant, which it is made of");
  CHECK(sentence(std::get<0>(F.while_loop([&](auto s) { return F.sum(s) < 100; }, [&](auto s) { return std::tuple(s, s * 2); },
                                          sym::var("x"), max_iterations<3>))
                     .named("loop"))
            .ends_with("(while_loop) is not written as ONNX: sinter does not write this operation"));
}
