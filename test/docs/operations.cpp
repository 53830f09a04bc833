// SPDX-License-Identifier: Apache-2.0
// docs/operations.md is made of the operations' own rows and of the table below. Written by
//   SINTER_WRITE_DOCS=1 ctest --test-dir build/dev -R docs.operations
#include <sinter/ops/all.hpp>
#include <sinter/ops/rule.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../catch.hpp"

using namespace sinter;

namespace {

// What no row of an operation says: how a call looks, and what the operation is called elsewhere. In a call, `weight` and `table` are of
// rank 2 (of a convolution all but the bias of rank 4), `gamma`, `beta` and `bias` of rank 1, `key` is one int64, `i` are places, `condition` is bool; the others are of the dtype asked for.
struct entry {
  char const *name, *operands, *sign, *numpy, *gluon, *torch;
};
constexpr entry entries[] = {
    {"add", "a, b", "a + b", "add", "broadcast_add", "add"},
    {"subtract", "a, b", "a - b", "subtract", "broadcast_sub", "sub"},
    {"multiply", "a, b", "a * b", "multiply", "broadcast_mul", "mul"},
    {"divide", "a, b", "a / b", "true_divide", "broadcast_div", "div"},
    {"power", "a, b", "", "power", "broadcast_power", "pow"},
    {"maximum", "a, b", "", "maximum", "broadcast_maximum", "maximum"},
    {"minimum", "a, b", "", "minimum", "broadcast_minimum", "minimum"},
    {"clip", "x, low, high", "", "clip", "clip", "clamp"},
    {"negative", "x", "-x", "negative", "negative", "neg"},
    {"abs", "x", "", "abs", "abs", "abs"},
    {"square", "x", "", "square", "square", "square"},
    {"equal", "a, b", "a == b", "equal", "broadcast_equal", "eq"},
    {"not_equal", "a, b", "a != b", "not_equal", "broadcast_not_equal", "ne"},
    {"lesser", "a, b", "a < b", "less", "broadcast_lesser", "lt"},
    {"lesser_equal", "a, b", "a <= b", "less_equal", "broadcast_lesser_equal", "le"},
    {"greater", "a, b", "a > b", "greater", "broadcast_greater", "gt"},
    {"greater_equal", "a, b", "a >= b", "greater_equal", "broadcast_greater_equal", "ge"},
    {"logical_and", "a, b", "a && b", "logical_and", "broadcast_logical_and", "logical_and"},
    {"logical_or", "a, b", "a \\|\\| b", "logical_or", "broadcast_logical_or", "logical_or"},
    {"logical_xor", "a, b", "", "logical_xor", "broadcast_logical_xor", "logical_xor"},
    {"logical_not", "x", "!x", "logical_not", "logical_not", "logical_not"},
    {"where", "condition, a, b", "", "where", "where", "where"},
    {"cast", "x", "", "x.astype", "cast", "x.to"},
    {"identity", "x", "", "copy", "identity", "clone"},
    {"sqrt", "x", "", "sqrt", "sqrt", "sqrt"},
    {"rsqrt", "x", "", "", "rsqrt", "rsqrt"},
    {"exp", "x", "", "exp", "exp", "exp"},
    {"log", "x", "", "log", "log", "log"},
    {"log1p", "x", "", "log1p", "log1p", "log1p"},
    {"tanh", "x", "", "tanh", "tanh", "tanh"},
    {"erf", "x", "", "", "erf", "erf"},
    {"sigmoid", "x", "", "", "sigmoid", "sigmoid"},
    {"relu", "x", "", "", "relu", "relu"},
    {"softrelu", "x", "", "", "Activation(act_type='softrelu')", "nn.functional.softplus"},
    {"gelu", "x", "", "", "LeakyReLU(act_type='gelu')", "nn.functional.gelu"},
    {"gelu_tanh", "x", "", "", "", "nn.functional.gelu(approximate='tanh')"},
    {"sum", "x", "", "sum", "sum", "sum"},
    {"mean", "x", "", "mean", "mean", "mean"},
    {"max", "x", "", "max", "max", "amax"},
    {"argmax", "x", "", "argmax", "argmax", "argmax"},
    {"transpose", "x", "", "transpose", "transpose", "permute"},
    {"reshape", "x", "", "reshape", "reshape", "reshape"},
    {"flatten", "x", "", "", "flatten", "flatten(start_dim=1)"},
    {"expand_dims", "x", "", "expand_dims", "expand_dims", "unsqueeze"},
    {"squeeze", "x", "", "squeeze", "squeeze", "squeeze"},
    {"broadcast_to", "x", "", "broadcast_to", "broadcast_to", "broadcast_to"},
    {"slice", "x", "", "x[a:b:c]", "slice", "x[a:b:c]"},
    {"split", "x", "", "split", "split", "chunk"},
    {"matmul", "a, b", "", "matmul", "np.matmul", "matmul"},
    {"fully_connected", "x, weight[, bias]", "", "", "FullyConnected", "nn.functional.linear"},
    {"convolution", "x, weight[, bias]", "", "", "Convolution", "nn.functional.conv2d"},
    {"softmax", "x", "", "", "softmax", "softmax"},
    {"log_softmax", "x", "", "", "log_softmax", "log_softmax"},
    {"layer_norm", "x, gamma, beta", "", "", "LayerNorm", "nn.functional.layer_norm"},
    {"concat", "a, b, ...", "", "concatenate", "concat", "cat"},
    {"take", "x, i", "", "take", "take", "index_select"},
    {"sort", "x", "", "sort", "sort", "sort"},
    {"topk", "x", "", "", "topk(ret_typ='both')", "topk"},
    {"arange", "", "", "arange", "arange", "arange"},
    {"zeros_like", "x", "", "zeros_like", "zeros_like", "zeros_like"},
    {"one_hot", "i", "", "", "one_hot", "nn.functional.one_hot"},
    {"dropout_mask", "x, key", "", "", "", ""},
};
constexpr entry const* find(std::string_view name) {
  for (entry const& e : entries)
    if (e.name == name) return &e;
  return nullptr;
}

std::string_view name_of(family f) {
  switch (f) {
    case family::leaf: return "leaf";
    case family::elementwise: return "elementwise";
    case family::reduction: return "reduction";
    case family::view: return "view";
    case family::product: return "product";
    case family::join: return "join";
    case family::opaque: return "opaque";
    case family::composite: return "composite";
    case family::result:
    case family::tuple: break;
  }
  return "";
}

// The keywords of an operation, as they are written.
std::string example_of(std::string_view op, std::string_view key) {
  struct {
    std::string_view key, text;
  } const all[]{
      {"axis", "axis<1>"},      {"begin", "begin<0>"}, {"end", "end<4>"},       {"step", "step<2>"},     {"into", "into<3, 4>"},
      {"eps", "eps<1e-5>"},     {"as", "as<float>"},   {"depth", "depth<10>"},  {"parts", "parts<3>"},   {"top", "top<3>"},
      {"stride", "stride<2>"},  {"pad", "pad<1>"},     {"dilate", "dilate<2>"}, {"groups", "groups<4>"}, {"flattened", "flattened<false>"},
      {"values", "values<0.5>"}};
  if (op == "transpose" && key == "axis") return "axes<1, 0>";
  if (op == "reshape" && key == "into") return "into<2, -1>";
  if (op == "arange" && key == "values") return "values<0, 10, 2>";
  if (op == "one_hot" && key == "values") return "values<1, 0>";
  if (op == "sort" && key == "ascending") return "descending";
  for (auto const& e : all)
    if (e.key == key) return std::string(e.text);
  return std::string(key);
}
template <class Op, class... Word> std::string keywords(ops::list_of<Word...>) {
  std::string r;
  ((r += (r.empty() ? "`" : ", `") + example_of(Op::name, Word::key::name) + "`"), ...);
  return r;
}

std::vector<std::string> operands_of(entry const& e) {
  std::vector<std::string> r;
  std::string word;
  for (char const* c = e.operands;; ++c) {
    if (*c && *c != ',' && *c != ' ' && *c != '[' && *c != ']') word += *c;
    else if (!word.empty()) {
      if (word != "...") r.push_back(word);
      word.clear();
    }
    if (!*c) return r;
  }
}
// What the operation makes of operands of dtype t; dtype::none where it refuses them.
template <class Op> dtype result_of(entry const& e, dtype t) {
  array_type in[5]{};
  int n = 0;
  for (std::string const& name : operands_of(e)) {
    dims shape;
    int const matrix = Op::name == "convolution" ? 4 : 2;
    for (int rank = name == "key" ? 0 : name == "gamma" || name == "beta" || name == "bias" ? 1 : matrix; rank > 0; --rank) shape.push(4);
    in[n] = {name == "key" || (name == "i" && n) ? dtype::int64 : name == "condition" ? dtype::boolean : t, shape};
    ++n;
  }
  ops::given_to<Op> k;
  auto const give = [&]<class Key>(Key key, typename Key::value v) {
    if constexpr (ops::has_key<Key, ops::keywords_of<Op>>) k[key] = {v, true};
  };
  give(ops::key::into{}, {4, 4});
  give(ops::key::as{}, dtype::float32);
  give(ops::key::values{}, {1, {number(0.5)}});
  give(ops::key::depth{}, 4);
  give(ops::key::parts{}, 2);
  give(ops::key::top{}, 2);
  dimension_table table;
  inferred const r = ops::infer<Op>({in, n}, ops::attributes_for<Op>(k, {in, n}), table);
  return r.what == problem::none ? r.type.type : dtype::none;
}
template <class Op> std::string dtypes(entry const& e) {
  if (!*e.operands) return "what `as` says";
  if (Op::name == "cast") return "all to what `as` says";
  std::string accepted;
  bool same = true;
  dtype result = dtype::none;
  for (dtype const t : {dtype::float32, dtype::float64, dtype::int32, dtype::int64, dtype::boolean}) {
    dtype const r = result_of<Op>(e, t);
    accepted += r == dtype::none ? '-' : '+';
    if (r != dtype::none) same = same && r == t, result = r;
  }
  std::string const to = Op::name == "one_hot" ? " to what `as` says" : same ? "" : " to " + std::string(sinter::name_of(result));
  if (accepted == "+++++") return "all" + to;
  if (accepted == "++++-") return "numbers" + to;
  if (accepted == "++---") return "floats" + to;
  if (accepted == "--++-") return "integers" + to;
  if (accepted == "----+") return "bool";
  return "dtypes " + accepted;
}

struct table {
  std::ostringstream out;
  int rows = 0;
  std::vector<std::string> unknown;
  std::string foreign(char const* before, char const* name) const { return *name ? "`" + std::string(before) + name + "`" : ""; }

  template <class Op> void row() {
    entry const* const e = find(Op::name);
    if (!e) {
      unknown.emplace_back(Op::name);
      return;
    }
    ++rows;
    bool const method = std::string_view(e->numpy).starts_with("x");
    out << "| `" << e->name << "(" << e->operands << ")`" << (*e->sign ? ", `" : "") << e->sign << (*e->sign ? "`" : "") << " | "
        << keywords<Op>(ops::keywords_of<Op>{}) << " | " << dtypes<Op>(*e) << " | " << name_of(Op::kind) << " | "
        << foreign(method ? "" : "np.", e->numpy) << " | " << foreign("F.", e->gluon) << " | " << foreign(method ? "" : "torch.", e->torch)
        << " |\n";
  }
  template <class... Op> void rows_of(ops::list_of<Op...>) { (row<Op>(), ...); }
  template <class... Op> void section(char const* title, ops::list_of<Op...> list) {
    out << "\n## " << title
        << "\n\n| operation | keywords | dtypes | class | NumPy | Gluon | PyTorch |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    rows_of(list);
  }
};

constexpr char const* page_at = SINTER_SOURCE_DIR "/docs/operations.md";
std::string read(char const* path) {
  std::ifstream in(path);
  std::ostringstream s;
  s << in.rdbuf();
  return s.str();
}

}  // namespace

TEST_CASE("docs/operations.md is what the operations say of themselves") {
  table t;
  t.section("Arithmetic and comparison", ops::arithmetic_ops{});
  t.section("Roots, exponentials and activations", ops::transcendental_ops{});
  t.section("Reductions", ops::reduction_ops{});
  t.section("Views", ops::view_ops{});
  t.section("Products", ops::product_ops{});
  t.rows_of(ops::convolution_ops{});
  t.section("Along an axis", ops::row_ops{});
  t.section("Movement", ops::movement_ops{});
  t.section("Order", ops::order_ops{});
  t.section("Creation", ops::creation_ops{});
  t.section("Random numbers", ops::random_ops{});
  CHECK(t.unknown == std::vector<std::string>{});
  CHECK(t.rows == static_cast<int>(std::size(entries)));

  std::ostringstream page;
  page
      << "# The operations\n\n"
         "<!-- Written by `SINTER_WRITE_DOCS=1 ctest --test-dir build/dev -R docs.operations`; the test fails when it is out of date. "
         "-->\n\n"
      << "sinter has " << t.rows
      << " operations. Each is a function of `F` inside a network, `F.relu(x)`, and of the namespace outside, `sinter::relu(x)`.\n"
         "Operands come first, keywords after them in any order: `F.sum(x, axis<0>, keepdims)`. A keyword's numbers stand in angle\n"
         "brackets, because they decide the shape of the result, and shapes are types. Operands of different shapes broadcast as in "
         "NumPy.\n\n"
         "Dtypes: *floats* are float32 and float64, *integers* int32 and int64, *numbers* both, *all* also bool. The result has the dtype\n"
         "of the operands unless the table says another (\"numbers to bool\"). Floats of two widths meet in the wider one, as do "
         "integers;\n"
         "floats and integers do not meet without `cast`.\n\n"
         "Class: what the planner knows. Neighbouring *elementwise* operations become one kernel. A *reduction* joins the elementwise\n"
         "operations around it in a kernel over rows. A *view* or a *join* moves no data. A *composite* operation is written in terms of\n"
         "others, and those are planned. An *opaque* one is a kernel of its own.\n";
  page << t.out.str()
       << "\n`split` and `topk` have several results, which a `std::tuple` holds: `auto [values, places] = F.topk(x, top<3>)`. "
          "`F.print(\"label\", x)` prints values eagerly; in a compiled\n"
          "network it prints the symbol and its shape once, at the first call.\n";
  if (std::getenv("SINTER_WRITE_DOCS")) std::ofstream(page_at) << page.str();
  CHECK(read(page_at) == page.str());
  CHECK(read(SINTER_SOURCE_DIR "/README.md").find("| operations | " + std::to_string(t.rows) + ", ") != std::string::npos);
}
