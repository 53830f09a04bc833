// SPDX-License-Identifier: Apache-2.0
// How the time to plan a graph grows with its nodes, for graphs of one kind of node each: `make_plan` as the program runs it.
//   growth [most nodes]    a row for each kind: milliseconds at 100, 316, 1000, ... nodes, and the power of the nodes from the last two
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sinter/ops/all.hpp>
#include <sinter/plan/make.hpp>

namespace {
using namespace sinter;

struct builder {
  graph g;
  int parameters = 0;

  int leaf(op_info const& op, dims const& s) {
    node k;
    k.op = &op;
    k.type = {dtype::float32, s};
    k.index = op == input_op ? g.inputs++ : parameters++;
    return g.append(k);
  }
  int input(dims const& s) { return leaf(input_op, s); }
  int parameter(dims const& s) { return leaf(parameter_op, s); }
  template <class Op, class... Keyword> int call(std::vector<int> const& in, Keyword...) {
    list<array_type> types;
    for (int i : in) types.push(g.nodes[i].type);
    operand_types const of{types.data(), types.size()};
    inferred why;
    return g.apply(ops::info<Op>, {in.data(), static_cast<int>(in.size())},
                   pack(ops::attributes_for<Op>(ops::keywords_given<Op, Keyword...>(), of)), why);
  }
  int product(int a, int b) {
    inferred why;
    int const in[]{a, b};
    return g.apply(ops::info<ops::product>, {in, 2}, pack(ops::product_attributes{}), why);
  }
};
dims square() { return dims{8, 8}; }

template <class Op> void chain(builder& b, int n) {
  int x = b.input(square());
  while (b.g.nodes.size() < n) x = b.call<Op>({x});
  b.g.outputs.push(x);
}
void residual(builder& b, int n) {
  int x = b.input(square());
  while (b.g.nodes.size() < n) x = b.call<ops::add>({x, b.call<ops::relu>({b.product(x, b.parameter(square()))})});
  b.g.outputs.push(x);
}
void one_weight(builder& b, int n) {
  int x = b.input(square()), w = b.parameter(square());
  while (b.g.nodes.size() < n) x = b.product(x, w);
  b.g.outputs.push(x);
}
void views(builder& b, int n) {
  int x = b.input(square());
  while (b.g.nodes.size() < n) x = b.call<ops::reshape>({b.call<ops::transpose>({x})}, into<8, 8>);
  b.g.outputs.push(b.call<ops::exp>({x}));
}
void one_join(builder& b, int n) {
  int const x = b.input(square());
  std::vector<int> parts;
  while (b.g.nodes.size() < n) parts.push_back(b.call<ops::exp>({b.call<ops::add>({x, b.parameter(square())})}));
  b.g.outputs.push(b.call<ops::concat>(parts, axis<0>));
}
void joins(builder& b, int n) {
  int x = b.input(square());
  while (b.g.nodes.size() < n) {
    int const y = b.call<ops::tanh>({x}), z = b.call<ops::concat>({x, y}, axis<0>);
    x = b.call<ops::slice>({z}, begin<4>, end<12>);
  }
  b.g.outputs.push(b.call<ops::exp>({x}));
}
void branches(builder& b, int n) {
  int const x = b.input(square());
  std::vector<int> all;
  while (2 * static_cast<int>(all.size()) < n) all.push_back(b.product(x, b.parameter(square())));
  while (all.size() > 1) {
    std::vector<int> half;
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) half.push_back(b.call<ops::add>({all[i], all[i + 1]}));
    if (all.size() % 2) half.push_back(all.back());
    all = half;
  }
  b.g.outputs.push(all[0]);
}
void updates(builder& b, int n) {
  int x = b.input(square());
  std::vector<int> next;
  while (b.g.nodes.size() < n) {
    int const w = b.parameter(square());
    x = b.call<ops::tanh>({b.product(x, w)});
    next.push_back(b.call<ops::subtract>({w, x}));
  }
  b.g.outputs.push(x);
  for (int i : next) {
    b.g.updates.push(b.g.nodes[b.g.operand(b.g.nodes[i], 0)].index);
    b.g.outputs.push(i);
  }
  ops::finish_updates(b.g);
}

double seconds(void (*kind)(builder&, int), int n) {
  double least = 1e9;
  for (int i = 0; i < 2 && (i == 0 || least < 1); ++i) {
    builder b;
    kind(b, n);
    auto const start = std::chrono::steady_clock::now();
    plan const p = make_plan(std::move(b.g));
    least = std::fmin(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}
}  // namespace

int main(int argc, char** argv) {
  int const most = argc > 1 ? std::atoi(argv[1]) : 10000;
  struct {
    char const* name;
    void (*make)(builder&, int);
  } const kinds[]{{"elementwise", chain<ops::tanh>},
                  {"residual", residual},
                  {"one weight", one_weight},
                  {"rows", chain<ops::softmax>},
                  {"views", views},
                  {"opaque", chain<ops::sort>},
                  {"one join", one_join},
                  {"joins", joins},
                  {"branches", branches},
                  {"updates", updates}};
  std::printf("%-12s", "nodes");
  for (double n = 100; n <= most * 1.01; n *= std::sqrt(10.)) std::printf("%10.0f", n);
  std::printf("%8s\n", "power");
  for (auto const& k : kinds) {
    std::printf("%-12s", k.name);
    double before = 0, last = 0;
    for (double n = 100; n <= most * 1.01; n *= std::sqrt(10.)) {
      before = last;
      last = seconds(k.make, static_cast<int>(n));
      std::printf("%10.2f", last * 1e3);
      std::fflush(stdout);
    }
    std::printf("%8.2f\n", std::log(last / before) / std::log(std::sqrt(10.)));
  }
}
