// SPDX-License-Identifier: Apache-2.0
// What reports and drawings say, word for word.
#include <sinter/viz/report.hpp>

#include <fstream>
#include <sstream>

#include "../catch.hpp"

using namespace sinter;

namespace {

template <class... X, class F> std::string report_of(F) { return decltype(nn::hybrid_lambda<F>{}.hybridize())::template report<X...>(); }
bool has(std::string const& s, std::string const& part) {
  UNSCOPED_INFO(s);
  return s.find(part) != std::string::npos;
}
int count(std::string const& s, std::string const& part) {
  int n = 0;
  for (std::size_t at = s.find(part); at != s.npos; at = s.find(part, at + 1)) ++n;
  return n;
}
using batch_of_10 = shape<dim<"batch">, 10>;

struct classifier : nn::hybrid_block<classifier> {
  BOOST_HANA_DEFINE_STRUCT(classifier, (nn::dense<128>, hidden), (nn::layer_norm<>, norm), (nn::dense<10>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.gelu(norm(hidden(x)));
    return F.softmax(output(h));
  }
};
// A dense layer on the last axis alone: the product is of two dimensions, the activation of three.
struct wide : nn::hybrid_block<wide> {
  using dense = nn::dense<8, nn::relu, float, true, false>;
  BOOST_HANA_DEFINE_STRUCT(wide, (dense, hidden));
  constexpr auto hybrid_forward(auto, auto x) const { return hidden(x); }
};

struct remembering : nn::hybrid_block<remembering> {
  BOOST_HANA_DEFINE_STRUCT(remembering, (nn::state<shape<4>>, sum), (nn::state<shape<4>>, turned), (nn::state<shape<4>>, unread));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const next = F.get(sum, shape<4>{}) + x;
    F.assign(sum, next);
    F.assign(turned, F.flip(F.get(turned, shape<4>{}), axis<0>) + x);
    F.assign(unread, F.cumsum(x, axis<0>));
    return F.cumsum(next, axis<0>);
  }
};

}  // namespace

TEST_CASE("the report says which states are changed where they are") {
  std::string const s = hybridized<remembering>::report<shape<4>>();
  CHECK(has(s, "to the next value of sum, over the old one"));
  CHECK(has(s, "to the next value of turned, beside the old one"));
  CHECK(has(s, "to the next value of a state that it does not read"));
  CHECK(count(s, "to output") == 1);
}
TEST_CASE("the report of the README's network") {
  CHECK(hybridized<classifier>::report<shape<1, 64>>() == R"(plan: 4 kernels
  kernel 0  product  hidden.fully_connected
    hidden.fully_connected: product + add
    reads data0, hidden.weight, hidden.bias
    writes float32 (1, 128) to arena at 0
    ends before norm.layer_norm.mean: a reduction needs whole rows, and a product gives tiles
  kernel 1  rows  norm.layer_norm + gelu
    norm.layer_norm: mean + subtract + square + mean + add + rsqrt + multiply + multiply + add
    reads arena hidden.fully_connected.add, 1e-05, norm.gamma, norm.beta
    writes float32 (1, 128) to arena at 0 in place
    ends before output.fully_connected.product: a product reads its operand many times
  kernel 2  product  output.fully_connected
    output.fully_connected: product + add
    reads arena gelu, output.weight, output.bias
    writes float32 (1, 10) to arena at 512
    ends before softmax.max: a reduction needs whole rows, and a product gives tiles
  kernel 3  rows  softmax
    softmax: max + subtract + exp + sum + divide + multiply
    reads arena output.fully_connected.add, 1
    writes float32 (1, 10) to output 0
    ends with the network's result
arena 576 bytes, lower bound 576
parameters 39464 bytes, 20287 operations, 41896 bytes moved
)");
}
TEST_CASE("a report is the same, written by the compiler or by the program") {
  using network = compiled_t<classifier, shape<1, 64>>;
  CHECK(hybridized<classifier>::report<shape<1, 64>>().starts_with(viz::report(make_plan(network::traced()), true)));
  auto const long_chain = [](auto F, auto x) {  // more nodes than the compiler writes of
    for (int i = 0; i < 50; ++i) x = F.tanh(x) + F.max(x, axis<0>, keepdims);
    return x;
  };
  CHECK(report_of<shape<4, 6>>(long_chain).starts_with("plan: "));
}
TEST_CASE("a composite operation of one step is named alone") {
  std::string const s = report_of<shape<4, 4>>([](auto F, auto x) { return F.relu(F.matmul(x, x)); });
  CHECK(has(s, "  kernel 0  product  matmul + relu\n    reads "));
}
TEST_CASE("composite operations are told apart, also of one name") {
  std::string const s = report_of<shape<4, 10>>([](auto F, auto x) { return F.softmax(F.softmax(x) + x / 2.f); });
  CHECK(has(s, "  kernel 0  rows  softmax + multiply + add + softmax\n"));
  CHECK(count(s, "\n    softmax: max + subtract + exp + sum + divide + multiply") == 2);
}
TEST_CASE("an operation that moves before a reshape keeps the name of its layer") {
  CHECK(has(hybridized<wide>::report<shape<2, 3, 4>>(), "  kernel 0  product  hidden.fully_connected + hidden.relu\n"));
}
TEST_CASE("a kernel that writes into a concat says who reads it, and is not the end of the network") {
  std::string const s =
      report_of<batch_of_10>([](auto F, auto x) { return F.sum(F.concat(F.exp(x), F.tanh(x), axis<1>), axis<1>, keepdims); });
  CHECK(has(s, "writes float32 (batch, 10) as a part of concat to arena at 0, float32 (batch, 10) as a part of concat to arena at 40"));
  CHECK(has(s, "\n    ends before sum: concat lays its parts side by side in memory\n"));
  CHECK(count(s, "ends with the network's result") == 1);
  CHECK(count(report_of<batch_of_10>([](auto F, auto x) { return F.softmax(F.concat(F.exp(x), F.tanh(x), axis<1>)); }), "ends before") ==
        1);
  std::string const inner =
      report_of<batch_of_10>([](auto F, auto x) { return F.sum(F.concat(x, F.concat(F.exp(x), F.tanh(x), axis<0>), axis<0>), axis<1>); });
  CHECK(count(inner, "ends with the network's result") == 1);
  CHECK(count(report_of<batch_of_10>([](auto F, auto x) { return F.concat(F.exp(x), F.tanh(x), axis<1>); }),
              "ends with the network's result") == 1);
}
TEST_CASE("a result is shown in the network's shape, also where its kernel keeps axes that the result has not") {
  CHECK(has(report_of<shape<1, 4>>([](auto F, auto x) { return F.sum(x, axis<1>); }), "\n    writes float32 (1,) to output 0\n"));
  CHECK(has(report_of<batch_of_10>([](auto F, auto x) { return std::tuple(F.max(x), F.exp(F.mean(x, axis<0>))); }),
            "\n    writes float32 () to output 0"));
  CHECK(has(report_of<batch_of_10>([](auto F, auto x) { return F.sum(x, axis<1>); }), "\n    writes float32 (batch,) to output 0\n"));
  CHECK(has(report_of<batch_of_10>([](auto F, auto x) { return F.concat(F.sum(x, axis<1>, keepdims), x, axis<1>); }),
            "\n    writes float32 (batch, 1) as a part of concat to output 0\n"));
}
TEST_CASE("a reshape keeps the order of the elements, a transpose does not") {
  CHECK(has(report_of<shape<4, 6>>([](auto F, auto x) { return F.softmax(F.reshape(F.softmax(x), into<6, 4>)); }),
            "ends before softmax.max: the elements are read in another shape\n"));
  CHECK(has(report_of<shape<4, 6>>([](auto F, auto x) { return F.softmax(F.transpose(F.exp(x))); }),
            "ends before softmax.max: the elements are read in another order\n"));
  CHECK(has(report_of<shape<6, 6>>([](auto F, auto x) { return F.matmul(F.transpose(F.log(x)), x); }),
            "ends before matmul.product: a product reads its operand many times\n"));
}
TEST_CASE("a dimension that the graph computes says from what") {
  CHECK(has(report_of<batch_of_10>([](auto F, auto x) { return F.exp(F.reshape(x, into<-1>)); }), "float32 (batch*10,) to output 0"));
  CHECK(
      has(report_of<batch_of_10>([](auto F, auto x) { return F.softmax(F.reshape(F.concat(x, F.slice(x, begin<2>), axis<0>), into<-1>)); }),
          "float32 ((batch+batch-2)*10,) to output 0"));
  CHECK(has(report_of<shape<dynamic, 10>>([](auto F, auto x) { return F.exp(F.reshape(x, into<-1>)); }), "float32 (?*10,) to output 0"));
}
TEST_CASE("the bytes of weights are those of their format") {
  nn::dense<32> const net;
  using x = shape<1, 64>;
  CHECK(has(decltype(net.hybridize())::report<x>(), "\nparameters 8320 bytes, 4128 operations, 8704 bytes moved\n"));
  CHECK(has(decltype(net.hybridize(weights::bf16))::report<x>(),
            "\nparameters 8320 bytes, 4128 operations, 4608 bytes moved\n"
            "weights of float32 products are kept as bfloat16, 4096 bytes instead of 8192\n"));
  CHECK(has(decltype(net.hybridize(weights::int8))::report<x>(),
            "\nparameters 8320 bytes, 4128 operations, 2688 bytes moved\n"
            "weights of float32 products are kept as int8, 2176 bytes instead of 8192\n"));
}
TEST_CASE("a constant is shown whole where it is an integer") {
  CHECK(has(report_of<nd::tensor<std::int64_t, shape<3>>>([](auto, auto x) { return x * 1234567890; }), "reads data0, 1234567890\n"));
  CHECK(has(report_of<shape<3>>([](auto, auto x) { return x * 0.1f; }), "reads data0, 0.1\n"));
}
TEST_CASE("a graph in words") {
  CHECK(to_string(compiled_t<classifier, shape<dim<"batch">, 64>>::traced()) == R"(%0 = data0: float32 (batch, 64)
%1 = hidden.weight: float32 (128, 64)
%2 = hidden.bias: float32 (128,)
%3 = hidden.fully_connected(%0, %1, %2) [flattened=true]: float32 (batch, 128)
%4 = norm.gamma: float32 (128,)
%5 = norm.beta: float32 (128,)
%6 = norm.layer_norm(%3, %4, %5) [axis=1, eps=1e-05]: float32 (batch, 128)
%7 = gelu(%6): float32 (batch, 128)
%8 = output.weight: float32 (10, 128)
%9 = output.bias: float32 (10,)
%10 = output.fully_connected(%7, %8, %9) [flattened=true]: float32 (batch, 10)
%11 = softmax(%10) [axis=1]: float32 (batch, 10)
returns %11
)");
}
TEST_CASE("the kernels of a body are counted on their own") {
  CHECK(has(report_of<shape<4, 6>>([](auto F, auto x) {
              return std::get<0>(
                  F.foreach ([&](auto row, auto s) { return std::tuple(F.tanh(row), row + s); }, F.exp(x), F.sum(x, axis<0>)));
            }),
            "\nbody 0, in foreach: 1 kernel\n  kernel 0  pointwise  tanh + add\n"));
}
// Removes the tags from the labels of a drawing and puts a space in front of each row.
static std::string without_tags(std::string const& drawing) {
  std::string r;
  int depth = 0;  // of angle brackets; the outer ones enclose a label
  for (std::size_t i = 0; i < drawing.size(); ++i) {
    bool const arrow = i > 0 && drawing[i - 1] == '-';
    if (drawing[i] == '<' && ++depth == 2 && drawing.compare(i, 4, "<tr>") == 0) r += ' ';
    if (depth < 2) r += drawing[i];
    if (drawing[i] == '>' && !arrow) --depth;
  }
  return r;
}
TEST_CASE("a drawing has a box for each kernel and an arrow for each value in memory") {
  std::string const s = decltype(nn::hybrid_lambda{[](auto F, auto x, auto y) {
                                   auto const both = F.concat(F.softmax(x), y, axis<1>);
                                   return std::tuple(F.matmul(F.transpose(both), F.exp(x)), F.tanh(F.reshape(y, into<10, 4>)));
                                 }}.hybridize())::dot<shape<4, 6>, shape<4, 10>>();
  CHECK(has(s, "bgcolor=\"transparent\""));
  CHECK(!has(s, "rankdir"));
  std::string const want = R"dot(  input0 [label="data0\nfloat32 (4, 6)", color="#5a8a3a", fillcolor="#e3f1d7"];
  input1 [label="data1\nfloat32 (4, 10)", color="#5a8a3a", fillcolor="#e3f1d7"];
  kernel0 [label=< kernel 0: rows softmax: max + subtract + exp + sum + divide + multiply>];
  input0 -> kernel0 [label="  (4, 6)"];
  kernel1 [label=< kernel 1: pointwise identity>];
  input1 -> kernel1 [label="  (4, 10)"];
  kernel2 [label=< kernel 2: pointwise exp>];
  input0 -> kernel2 [label="  (4, 6)"];
  kernel3 [label=< kernel 3: product matmul>];
  kernel0 -> kernel3 [label="  (4, 6)  concat, transpose (16, 4)"];
  kernel1 -> kernel3 [label="  (4, 10)  concat, transpose (16, 4)"];
  kernel2 -> kernel3 [label="  (4, 6)"];
  kernel4 [label=< kernel 4: pointwise tanh>];
  input1 -> kernel4 [label="  (4, 10)  reshape (10, 4)"];
  output0 [label="output 0\nfloat32 (16, 6)", color="#5a8a3a", fillcolor="#e3f1d7"];
  kernel3 -> output0 [label="  (16, 6)"];
  output1 [label="output 1\nfloat32 (10, 4)", color="#5a8a3a", fillcolor="#e3f1d7"];
  kernel4 -> output1 [label="  (10, 4)"];
}
)dot";
  CHECK(without_tags(s) == std::string("digraph plan") + viz::drawing_style + want);
}
TEST_CASE("the README's drawing is of today's plan") {
  std::ifstream in(SINTER_SOURCE_DIR "/docs/plan.svg");
  std::ostringstream svg;
  svg << in.rdbuf();
  plan const p = make_plan(compiled_t<classifier, shape<1, 64>>::traced());
  for (int i = 0; i < p.groups.size(); ++i) {
    CHECK(has(svg.str(), "<title>kernel" + std::to_string(i) + "</title>"));
    for (viz::part const& k : viz::parts_of(p, p.groups[i])) {
      CHECK(has(svg.str(), std::string((">" + k.title + "</text>").view())));
      for (letters const& step : k.steps) CHECK(has(svg.str(), std::string(step.view())));
    }
  }
  CHECK(!has(svg.str(), "<title>kernel" + std::to_string(p.groups.size()) + "</title>"));
}
