// SPDX-License-Identifier: Apache-2.0
// What a network from a literal is beside its operations: which variables are inputs, names, a part of another network.
#include <sinter/sinter.hpp>

#include <sinter/literal.hpp>

#include "../catch.hpp"

using namespace sinter;

namespace {
template <auto... D> using f32 = nd::tensor<float, shape<D...>>;

// As files of MXNet's module have it: nothing is noted, the layer says the shapes, and there is a label.
struct classifier_text {
  static constexpr std::string_view json = R"JSON({"nodes": [
    {"op": "null", "name": "image", "inputs": []},
    {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "null", "name": "fc_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "param": {"num_hidden": "2"}, "inputs": [[0, 0], [1, 0], [2, 0]], "backward_source_id": -1},
    {"op": "null", "name": "softmax_label", "inputs": []},
    {"op": "SoftmaxOutput", "name": "softmax", "attr": {"__who__": "me"}, "inputs": [[3, 0], [4, 0]]}],
    "arg_nodes": [0, 1, 2, 4], "heads": [[5, 0]]})JSON";
};
using classifier = symbol_network<classifier_text>;
static_assert(classifier::file::graph.inputs == 1 && classifier::file::graph.parameters == 2);
static_assert(compiled_t<classifier, shape<dim<"batch">, 3>>::kernels >= 1);

// Inputs in the order of their numbers; a parameter that two nodes read; an output that is an input.
struct several_text {
  static constexpr char json[] = R"JSON({"nodes": [
    {"op": "null", "name": "data1", "inputs": []},
    {"op": "null", "name": "data0", "inputs": []},
    {"op": "null", "name": "scale", "attrs": {"__shape__": "(3,)", "__dtype__": "0"}, "inputs": []},
    {"op": "elemwise_sub", "name": "minus", "inputs": [[1, 0, 0], [0, 0, 0]]},
    {"op": "broadcast_mul", "name": "mul", "inputs": [[3, 0, 0], [2, 0, 0]]},
    {"op": "SliceChannel", "name": "parts", "attrs": {"num_outputs": "3", "axis": "1", "squeeze_axis": "True"}, "inputs": [[4, 0, 0]]},
    {"op": "broadcast_add", "name": "twice", "inputs": [[5, 1, 0], [5, 2, 0]]}],
    "heads": [[6, 0, 0], [4, 0, 0], [0, 0, 0]]})JSON";
};
using several = symbol_network<several_text>;
using exchanged = symbol_network<several_text, "data1", "data0">;

// Nodes that share what they mean: equal operations and attributes; and such that differ in one of the two alone, with texts of one hash.
struct alike_text {
  static constexpr char json[] = R"JSON({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "_plus_scalar", "name": "a", "attrs": {"scalar": "10002"}, "inputs": [[0, 0, 0]]},
    {"op": "_plus_scalar", "name": "b", "attrs": {"scalar": "20001"}, "inputs": [[1, 0, 0]]},
    {"op": "_mul_scalar", "name": "c", "attrs": {"scalar": "10002"}, "inputs": [[2, 0, 0]]},
    {"op": "_plus_scalar", "name": "d", "attrs": {"scalar": "10002"}, "inputs": [[3, 0, 0]]},
    {"op": "_plus_scalar", "name": "e", "attr": {"scalar": "10002"}, "inputs": [[4, 0, 0]]},
    {"op": "FullyConnected", "name": "f", "attrs": {"num_hidden": "2"}, "inputs": [[5, 0, 0], [0, 0, 0], [0, 0, 0]]},
    {"op": "FullyConnected", "name": "g", "attrs": {"num_hidden": "2"}, "inputs": [[5, 0, 0], [0, 0, 0]]}],
    "heads": [[5, 0, 0]]})JSON";
};
template <int A, int B>
inline constexpr bool alike = std::is_same_v<typename literal::node_of<symbol_network<alike_text>::file, A>::meaning,
                                             typename literal::node_of<symbol_network<alike_text>::file, B>::meaning>;
static_assert(alike<1, 4> && !alike<1, 2> && !alike<1, 3> && !alike<1, 5> && !alike<6, 7>);
static_assert(literal::node_read<alike_text, 1>.hash == literal::node_read<alike_text, 2>.hash);

// Sums and products of int8 and uint8 have the dtype of what they are of, as MXNet's have; those of int32 have int32.
struct sums_text {
  static constexpr char json[] = R"JSON({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "sum", "name": "all", "inputs": [[0, 0, 0]]},
    {"op": "prod", "name": "rows", "attrs": {"axis": "1"}, "inputs": [[0, 0, 0]]},
    {"op": "_np_cumsum", "name": "running", "attrs": {"axis": "0"}, "inputs": [[0, 0, 0]]},
    {"op": "sum", "name": "as_int8", "attrs": {"dtype": "int8"}, "inputs": [[0, 0, 0]]},
    {"op": "cumsum", "name": "as_uint8", "attrs": {"dtype": "uint8"}, "inputs": [[0, 0, 0]]},
    {"op": "sum", "name": "as_int32", "attrs": {"dtype": "int32"}, "inputs": [[0, 0, 0]]},
    {"op": "max", "name": "most", "inputs": [[0, 0, 0]]}],
    "heads": [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0], [5, 0, 0], [6, 0, 0], [7, 0, 0]]})JSON";
};
struct numpy_sums_text {
  static constexpr char json[] = R"JSON({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "_np_sum", "name": "all", "inputs": [[0, 0, 0]]},
    {"op": "_np_prod", "name": "rows", "attrs": {"axis": "1"}, "inputs": [[0, 0, 0]]},
    {"op": "_np_cumsum", "name": "running", "attrs": {"axis": "0"}, "inputs": [[0, 0, 0]]}],
    "heads": [[1, 0, 0], [2, 0, 0], [3, 0, 0]], "attrs": {"is_np_shape": ["int", 1]}})JSON";
};

// What is wrong with a text.
template <literal::fault What> struct fault_in {
  template <class Json> static constexpr bool holds(Json) { return literal::graph<Json>.what == What; }
};
constexpr fault_in<literal::fault::key_twice> key_twice;
static_assert(key_twice.holds([] { return R"({"nodes": [], "nodes": [], "heads": []})"; }));
static_assert(key_twice.holds([] { return R"({"nodes": [], "heads": [], "attrs": {}, "attrs": {}})"; }));
static_assert(key_twice.holds([] { return R"({"nodes": [], "heads": [], "arg_nodes": [], "arg_nodes": []})"; }));
#define SINTER_NODES R"("nodes": [{"op": "null", "name": "x", "inputs": []}], "heads": [[0, 0, 0]])"
static_assert(key_twice.holds([] {
  return "{" SINTER_NODES R"(, "attrs": {"is_np_shape": ["int", 1], "a": [], "is_np_shape": ["int", 0]}})";
}));
static_assert(key_twice.holds([] {
  return R"({"nodes": [{"op": "null", "name": "x", "op": "relu", "inputs": []}], "heads": [[0, 0, 0]]})";
}));
static_assert(key_twice.holds([] {
  return R"({"nodes": [{"op": "null", "name": "x", "attrs": {"a": "1", "b": "2", "a": "3"}, "inputs": []}], "heads": [[0, 0, 0]]})";
}));
// Two keys of one length and one last letter are no key that stands twice, and neither are equal keys of two objects.
static_assert(fault_in<literal::fault::none>::holds([] {
  return R"({"nodes": [{"op": "null", "name": "x", "attrs": {"xa": "1", "ya": "2"}, "attr": {"xa": "1"}, "inputs": []}], "heads": [[0, 0]]})";
}));
static_assert(fault_in<literal::fault::unknown_key>::holds([] { return "{" SINTER_NODES R"(, "outputs": []})"; }));
static_assert(fault_in<literal::fault::unknown_key>::holds([] {
  return R"({"nodes": [{"op": "null", "name": "x", "shape": [], "inputs": []}], "heads": [[0, 0, 0]]})";
}));
static_assert(fault_in<literal::fault::later_node>::holds([] {
  return R"({"nodes": [{"op": "relu", "name": "x", "inputs": [[0, 0, 0]]}], "heads": [[0, 0, 0]]})";
}));
static_assert(fault_in<literal::fault::name_with_escapes>::holds([] {
  return R"({"nodes": [{"op": "null", "name": "x", "attrs": {"__dtyp\u0065__": "6"}, "inputs": []}], "heads": [[0, 0, 0]]})";
}));
// What a graph notes of its shapes.
template <class Json> constexpr bool is_numpy(Json) { return literal::graph<Json>.is_numpy; }
static_assert(is_numpy([] { return "{" SINTER_NODES R"(, "attrs": {"mxnet_version": ["int", 0], "is_np_shape": ["int", 10]}})"; }));
static_assert(!is_numpy([] { return "{" SINTER_NODES R"(, "attrs": {"is_np_shape": ["int", 0], "mxnet_version": ["int", 1]}})"; }));
static_assert(!is_numpy([] { return "{" SINTER_NODES R"(, "attrs": {"key": ["str", "is_np_shape"], "mxnet_version": ["int", 1]}})"; }));
static_assert(fault_in<literal::fault::no_graph_attribute>::holds([] {
  return "{" SINTER_NODES R"(, "attrs": {"is_np_shape": ["int", "1"]}})";
}));
static_assert(fault_in<literal::fault::no_graph_attribute>::holds([] { return "{" SINTER_NODES R"(, "attrs": []})"; }));
#undef SINTER_NODES

// Whether a literal reads one node of this text, of one variable.
template <class Json> constexpr bool is_read(Json) { return literal::node_of<literal::file<Json>, 1>::meaning::is_right; }
#define SINTER_NODE(op, key, value)                                                                                                 \
  R"({"nodes": [{"op": "null", "name": "data", "inputs": []}, {"op": ")" op R"(", "name": "node", "attrs": {")" key R"(": ")" value \
  R"("}, "inputs": [[0, 0, 0]]}], "heads": [[1, 0, 0]]})"
#define SINTER_IS_READ(op, key, value) is_read([] { return SINTER_NODE(op, key, value); })
static_assert(SINTER_IS_READ("sum", "axis", "(1,)") && !SINTER_IS_READ("sum", "axis", "(None,)"));
static_assert(SINTER_IS_READ("transpose", "axes", "(1, 0)") && !SINTER_IS_READ("transpose", "axes", "(1, None)"));
static_assert(SINTER_IS_READ("reverse", "axis", "[0]") && !SINTER_IS_READ("reverse", "axis", "[None]"));
static_assert(SINTER_IS_READ("tile", "reps", "(1, 2)") && !SINTER_IS_READ("tile", "reps", "(None, 2)"));
static_assert(SINTER_IS_READ("squeeze", "axis", "None") && !SINTER_IS_READ("squeeze", "axis", "(None,)"));
static_assert(SINTER_IS_READ("Reshape", "shape", "(2, -1)") && !SINTER_IS_READ("Reshape", "shape", "(None, -1)"));
// Lists as Python 2 writes them, and of at most sixteen numbers.
static_assert(SINTER_IS_READ("transpose", "axes", "(1L, 0L)") && !SINTER_IS_READ("transpose", "axes", "(1LL, 0)"));
static_assert(SINTER_IS_READ("tile", "reps", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"));
static_assert(!SINTER_IS_READ("tile", "reps", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"));
// Numbers that are no int.
static_assert(SINTER_IS_READ("Reshape", "shape", "(2147483647, -1)") && !SINTER_IS_READ("Reshape", "shape", "(2147483648, -1)"));
static_assert(!SINTER_IS_READ("tile", "reps", "(-9223372036854775808,)") && !SINTER_IS_READ("sum", "axis", "4294967296"));
template <class Json> constexpr literal::attribute_fault why(Json) {
  return literal::node_of<literal::file<Json>, 1>::meaning::attributes_read.why;
}
#define SINTER_WHY(op, key, value) why([] { return SINTER_NODE(op, key, value); })
static_assert(SINTER_WHY("_plus_scalar", "scalar", "two") == literal::attribute_fault::meaning);
static_assert(SINTER_WHY("_plus_scalar", "scalar", "\\u0032") == literal::attribute_fault::escape);
static_assert(SINTER_WHY("Activation", "act_type", "r\\u0065lu") == literal::attribute_fault::escape);
static_assert(SINTER_WHY("_plus_scalar", "scalar", "0.10000000000000000555111512312578270211815834045410") ==
              literal::attribute_fault::digits);
static_assert(SINTER_WHY("_plus_scalar", "scalar", "1e+300") == literal::attribute_fault::digits);
#undef SINTER_WHY
#undef SINTER_IS_READ
#undef SINTER_NODE

struct whole_network : nn::hybrid_block<whole_network> {
  BOOST_HANA_DEFINE_STRUCT(whole_network, (classifier, body), (nn::dense<1>, last));
  constexpr auto hybrid_forward(auto, auto const& x) const { return last(body(x)); }
};
}  // namespace

TEST_CASE("a label is no input, and layers say the shapes of their parameters") {
  classifier net;
  net.initialize(init::constant{1});
  auto const x = f32<2, 3>{1, 2, 3, 4, 5, 6};
  auto const y = net(x);
  CHECK(y(0, 0) == 0.5f);
  CHECK(net.summary() == "fc_weight (2, 3): 6\nfc_bias (2,): 2\n8 values\n");
  CHECK(net.hybridize()(x)(1, 1) == 0.5f);
  CHECK(unmarked(net(training(x)))(0, 0) == 0.5f);
  CHECK(unmarked(net.hybridize()(training(x)))(0, 0) == 0.5f);
}
TEST_CASE("inputs, outputs and parameters that several nodes read") {
  several net;
  net.initialize(init::constant{2});
  auto const a = f32<2, 3>{1, 2, 3, 4, 5, 6}, b = f32<2, 3>{1, 1, 1, 1, 1, 2};
  auto const [total, product, same] = net(a, b);
  CHECK(total(0) == 6);
  CHECK(product(1, 2) == 8);
  CHECK(same(1, 2) == 2);
  exchanged other;
  other.initialize(init::constant{2});
  CHECK(std::get<1>(other(a, b))(1, 2) == -8);
  CHECK(std::get<1>(other.hybridize()(a, b))(1, 2) == -8);
}
TEST_CASE("nodes that are alike share their attributes, and no others do") {
  symbol_network<alike_text> const net;
  CHECK(net(f32<1>{1})[0] == (1.0f + 10002 + 20001) * 10002 + 10002 + 10002);
}
TEST_CASE("a network of a literal is a part of another one") {
  whole_network net;
  net.initialize(init::constant{1});
  auto const x = f32<2, 3>{1, 2, 3, 4, 5, 6};
  CHECK(net(x)(0, 0) == net.hybridize()(x)(0, 0));
  CHECK(net.summary().starts_with("body.fc_weight (2, 3): 6\n"));
  CHECK(to_string(compiled_t<whole_network, shape<2, 3>>::traced()).find("body.fc.fully_connected(") != std::string::npos);
}
template <class T> void check_sums() {
  nd::tensor<T, shape<2, 2>> const x{100, 100, 7, 100};
  symbol_network<sums_text> const net;
  auto const check = [](auto const& all) {
    nd::tensor<T, shape<1>> const total = std::get<0>(all);
    nd::tensor<T, shape<2>> const products = std::get<1>(all);
    nd::tensor<T, shape<2, 2>> const running = std::get<2>(all);
    nd::tensor<std::int8_t, shape<1>> const as_int8 = std::get<3>(all);
    nd::tensor<std::uint8_t, shape<4>> const as_uint8 = std::get<4>(all);
    nd::tensor<std::int32_t, shape<1>> const as_int32 = std::get<5>(all);
    nd::tensor<T, shape<1>> const most = std::get<6>(all);
    CHECK(+total[0] == static_cast<T>(307));
    CHECK((+products[0] == static_cast<T>(10000) && +products[1] == static_cast<T>(700)));
    CHECK((+running(1, 0) == 107 && +running(1, 1) == static_cast<T>(200)));
    CHECK((+as_int8[0] == 51 && +as_uint8[3] == 51 && as_int32[0] == 307 && +most[0] == 100));
  };
  check(net(x));
  check(net.hybridize()(x));
  symbol_network<numpy_sums_text> const numpy;
  auto const [total, products, running] = numpy.hybridize()(x);
  static_assert(std::is_same_v<decltype(total), nd::tensor<T, shape<>> const>);
  CHECK((+total() == static_cast<T>(307) && +products[0] == static_cast<T>(10000) && +running(1, 1) == static_cast<T>(200)));
}
TEST_CASE("sums of small integers wrap around") {
  check_sums<std::int8_t>();
  check_sums<std::uint8_t>();
  check_sums<std::int16_t>();  // which MXNet does not have, and the run-time reader treats so
}
TEST_CASE("a function gives the text") {
  auto net = symbol_literal<"data0", "data1">([] { return several_text::json; });
  net.initialize(init::constant{2});
  CHECK(std::get<1>(net(f32<1, 3>{1, 2, 3}, f32<1, 3>{0, 0, 0}))(0, 2) == 6);
  CHECK_THROWS_AS(net.load("no.params"), error);
}
