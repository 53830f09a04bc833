// SPDX-License-Identifier: Apache-2.0
// The pass that writes gradients: against finite differences where test/ops/gradients.cpp has no case, run node by node in double precision; what
// it writes and what it leaves out; and in a constant expression.
#include <sinter/ops/gradient.hpp>

#include <cmath>

#include "build.hpp"

using namespace test;

namespace {

// With the gradients of node `head` with respect to these, as nodes.
template <class... I> constexpr list<int> ask(graph& g, int head, I... x) {
  int const in[]{head, x...};
  inferred why;
  int const k = g.apply(ops::info<ops::gradient>, {in, sizeof...(x) + 1}, pack(ops::gradient::attributes{sizeof...(x)}), why);
  if (k < 0) throw "a gradient is asked for of what is no number";
  list<int> r;
  for (int i = 0; i < static_cast<int>(sizeof...(x)); ++i) r.push(g.result(k, i));
  return r;
}
constexpr int total(graph& g, int x) { return ops::make<ops::sum>(g, {(std::int64_t{1} << g.nodes[x].type.shape.rank) - 1, false}, x); }
// The graph with the gradients of the sum of its one output as outputs, one for each floating input.
constexpr graph differentiated(graph g) {
  list<int> in;
  in.push(total(g, g.outputs[0]));
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.is(i, input_op) && is_floating(g.nodes[i].type.type)) in.push(i);
  inferred why;
  int const k = g.apply(ops::info<ops::gradient>, {in.data(), in.size()}, pack(ops::gradient::attributes{in.size() - 1}), why);
  g.outputs.shrink(0);
  for (int i = 0; i + 1 < in.size(); ++i) g.outputs.push(g.result(k, i));
  return passes::remove_dead(passes::expand(passes::differentiate(passes::canonicalise(std::move(g)))));
}

constexpr bool the_compiler_differentiates() {
  builder b;
  int const x = b.input<shape<2, 3>, double>(), w = b.input<shape<4, 3>, double>();
  graph const d = differentiated(b.with_outputs(b.call<ops::relu>(b.product(x, w, false, true))));
  return well_formed(d) && d.nodes[d.outputs[0]].type.shape == shape<2, 3>::value && d.nodes[d.outputs[1]].type.shape == shape<4, 3>::value;
}

// Numbers of both signs, away from 0 and from each other; one of them is moved a little.
int moved_input = -1;
extent moved_element = 0;
double moved_by = 0;
std::uint64_t moving_sample(dtype t, int input, extent e) {
  double const v = static_cast<double>((e * 5 + input * 3) % 7) * 0.4 - 1.1;
  if (!is_floating(t)) return static_cast<std::uint64_t>((e * e / 2 + input) % 3);
  return bits_of(t, v + (input == moved_input && e == moved_element ? moved_by : 0));
}
double sum_of_output(graph const& g, int input, extent element, double by) {
  moved_input = input, moved_element = element, moved_by = by;
  interpreter const run(g, two_rows, interpreter::everything, &moving_sample);
  moved_input = -1;
  double sum = 0;
  for (std::uint64_t v : run.value[g.outputs[0]]) sum += real_of(dtype::float64, v);
  return sum;
}
template <class Make> void check_gradients(char const* name, Make make) {
  INFO(name);
  builder b;
  graph const written = make(b);
  graph const g = passes::remove_dead(passes::expand(written));
  graph const d = differentiated(written);
  REQUIRE(well_formed(d));
  interpreter const run(d, two_rows, interpreter::everything, &moving_sample);
  constexpr double step = 1e-6;
  for (int input = 0; input < d.outputs.size(); ++input) {
    REQUIRE(d.outputs[input] >= 0);
    bits const& got = run.value[d.outputs[input]];
    for (int e = 0; e < got.size(); ++e) {
      double const want = (sum_of_output(g, input, e, step) - sum_of_output(g, input, e, -step)) / (2 * step);
      INFO("element " << e << " of input " << input);
      CHECK(real_of(dtype::float64, got[e]) == Approx(want).epsilon(1e-6).margin(1e-7));
    }
  }
}
template <class Op, class S = shape<2, 3>> void check_unary(bool positive = false) {
  check_gradients(sinter::ops::op_name<Op>.data(), [=](builder& b) {
    int const x = b.input<S, double>();
    int const inner = positive ? b.call<ops::add>(b.call<ops::square>(x), b.number<double>(0.5)) : x;
    int const y = b.call<Op>(inner);
    return b.with_outputs(b.call<ops::multiply>(y, b.call<ops::add>(y, b.number<double>(3))));  // so that what comes in is no constant
  });
}
template <class Op, class A, class B> void check_binary() {
  check_gradients(sinter::ops::op_name<Op>.data(), [](builder& b) {
    int const x = b.input<A, double>(), z = b.input<B, double>();
    int const y = b.call<Op>(x, z);
    return b.with_outputs(b.call<ops::multiply>(y, b.call<Op>(z, x)));
  });
}
template <class Op> void check_stretched() {
  check_binary<Op, shape<2, 3>, shape<2, 3>>();
  check_binary<Op, shape<2, 3>, shape<3>>();
  check_binary<Op, shape<2, 1>, shape<1, 3>>();
  check_binary<Op, shape<>, shape<2, 3>>();
}

}  // namespace

TEST_CASE("gradients of arithmetic, also of what is stretched") {
  check_stretched<ops::add>();
  check_stretched<ops::subtract>();
  check_stretched<ops::multiply>();
  check_stretched<ops::divide>();
  check_unary<ops::negative>();
  check_unary<ops::square>();
  check_unary<ops::identity>();
}
TEST_CASE("gradients of sums") {
  check_gradients("sum over an axis", [](builder& b) {
    int const x = b.input<shape<2, 3, 2>, double>();
    int const y = b.call<ops::sum>(b.call<ops::square>(x), axis<1>, keepdims);
    return b.with_outputs(b.call<ops::multiply>(y, b.call<ops::exp>(x)));
  });
}
TEST_CASE("gradients of products, their operands transposed or not, with batches") {
  auto const check = []<class A, class B>(A, B, bool ta, bool tb) {
    check_gradients("product", [=](builder& b) {
      int const x = b.input<A, double>(), z = b.input<B, double>();
      return b.with_outputs(b.call<ops::square>(b.product(x, z, ta, tb)));
    });
  };
  check(shape<2, 3>{}, shape<3, 4>{}, false, false);
  check(shape<3, 2>{}, shape<3, 4>{}, true, false);
  check(shape<2, 3>{}, shape<4, 3>{}, false, true);
  check(shape<3, 2>{}, shape<4, 3>{}, true, true);
  check(shape<2, 2, 3>{}, shape<3, 4>{}, false, false);
  check(shape<2, 3>{}, shape<2, 4, 3>{}, false, true);
}
TEST_CASE("gradients of matrices") {
  // Of x' x and a multiple of the identity, which is symmetric and positive definite.
  auto const definite = [](builder& b, int x) {
    return b.call<ops::add>(b.product(x, x, true, false), b.call<ops::eye>(into<3>, as<double>));
  };
  auto const squared = [](builder& b, int y) { return b.with_outputs(b.call<ops::multiply>(y, b.call<ops::add>(y, b.number<double>(3)))); };
  check_gradients("cholesky",
                  [&](builder& b) { return squared(b, b.call<ops::cholesky>(definite(b, b.input<shape<2, 3, 3>, double>()))); });
  // Above the diagonal nothing is read, and so the gradient is that of the lower triangle alone.
  check_gradients("cholesky, as it stands", [&](builder& b) {
    int const x = b.input<shape<3, 3>, double>(), wide = b.call<ops::multiply>(b.call<ops::eye>(into<3>, as<double>), b.number<double>(9));
    return squared(b, b.call<ops::cholesky>(b.call<ops::add>(x, wide)));
  });
  auto const triangular = [&](auto... k) {
    check_gradients("solve_triangular", [&](builder& b) {
      int const x = definite(b, b.input<shape<2, 3, 3>, double>());
      return squared(b, b.call<ops::solve_triangular>(x, b.input<shape<2, 3, 2>, double>(), k...));
    });
  };
  triangular(), triangular(upper), triangular(transpose_a), triangular(upper, transpose_a);
  check_gradients("inverse", [&](builder& b) { return squared(b, b.call<ops::inverse>(definite(b, b.input<shape<2, 3, 3>, double>()))); });
  check_gradients("det", [&](builder& b) { return squared(b, b.call<ops::det>(definite(b, b.input<shape<2, 3, 3>, double>()))); });
  check_gradients("slogdet", [&](builder& b) {
    int const both = b.call<ops::slogdet>(definite(b, b.input<shape<2, 3, 3>, double>()));
    return squared(b, b.g.result(both, 1));
  });
}
TEST_CASE("gradients of alignments") {
  // Of logarithms as they stand, without a softmax; some labels are the same, so that a blank must stand between.
  check_gradients("ctc_loss", [](builder& b) {
    int const x = b.input<shape<5, 2, 4>, double>(), label = b.input<shape<2, 2>, std::int64_t>();
    int const times = b.g.fill(dtype::int64, {2}, 4), counts = b.input<shape<2>, std::int64_t>();
    int const y = b.g.result(ops::make<ops::ctc_alignments>(b.g, {false, false}, x, label, times, counts), 1);
    return b.with_outputs(b.call<ops::square>(y));
  });
}
TEST_CASE("a graph is differentiated in a constant expression") { SINTER_AT_BOTH_CLOCKS(the_compiler_differentiates()); }

namespace {

constexpr int nodes_of(graph const& g, op_info const& op) {
  int n = 0;
  for (node const& k : g.nodes) n += *k.op == op;
  return n;
}
graph written(graph g) { return passes::differentiate(passes::canonicalise(std::move(g))); }

}  // namespace

TEST_CASE("only what lies between the operand and the head gets nodes") {
  builder b;
  int const x = b.input<shape<4, 3>, double>(), frozen = b.input<shape<3, 5>, double>(), w = b.input<shape<5, 2>, double>();
  int const hidden = b.call<ops::tanh>(b.product(x, frozen)), y = b.product(hidden, w);
  list<int> const d = ask(b.g, total(b.g, y), w);
  graph const g = written(b.with_outputs(d[0]));
  CHECK(well_formed(g));
  CHECK(nodes_of(g, ops::info<ops::product>) == 2);  // hidden itself, and its transposed times d
  CHECK(nodes_of(g, ops::info<ops::multiply>) == 0);  // of no tanh
}
TEST_CASE("the parts of a split get one concat") {
  builder b;
  int const x = b.input<shape<4, 6>, double>();
  int const parts = ops::make<ops::split>(b.g, {1, 3}, x);
  int const y = b.call<ops::add>(b.call<ops::square>(b.g.result(parts, 0)), b.call<ops::exp>(b.g.result(parts, 2)));
  list<int> const d = ask(b.g, total(b.g, y), x);
  graph const g = written(b.with_outputs(d[0]));
  CHECK(well_formed(g));
  CHECK(nodes_of(g, ops::info<ops::concat>) == 1);
  CHECK(nodes_of(g, ops::info<ops::add>) == 0);
}
TEST_CASE("a gradient in a gradient, and what is made of it") {
  // The sum of squares of d (x^3) / dx, differentiated: 36 x^3, and of x itself beside it.
  check_gradients("a penalty", [](builder& b) {
    int const x = b.input<shape<2, 3>, double>();
    int const cube = b.call<ops::multiply>(x, b.call<ops::square>(x));
    list<int> const d = ask(b.g, total(b.g, cube), x);
    int const penalty = total(b.g, b.call<ops::square>(d[0]));
    list<int> const both = ask(b.g, b.call<ops::add>(penalty, total(b.g, b.call<ops::exp>(x))), x);
    b.g.outputs.shrink(0);
    return passes::differentiate(passes::canonicalise(b.with_outputs(b.call<ops::tanh>(both[0]))));
  });
}
TEST_CASE("numbers of 16 bits keep their dtype") {
  builder b;
  int const x = b.input<shape<4, 3>, float16>(), w = b.input<shape<3, 2>, float16>();
  int const y = b.call<ops::softmax>(b.call<ops::silu>(b.product(x, w)));
  list<int> const d = ask(b.g, total(b.g, b.call<ops::square>(y)), x, w);
  graph const g = passes::optimise(b.with_outputs(d[0], d[1]));
  CHECK(g.nodes[g.outputs[0]].type == array_type{dtype::float16, {4, 3}});
  CHECK(g.nodes[g.outputs[1]].type == array_type{dtype::float16, {3, 2}});
}
TEST_CASE("a chain of any length gets so many nodes for each of its own") {
  auto const nodes = [](int n) {
    builder b;
    int x = b.input<shape<4>, double>();
    int const first = x;
    for (int i = 0; i < n; ++i) x = b.call<ops::sin>(x);
    list<int> const d = ask(b.g, total(b.g, x), first);
    return written(b.with_outputs(d[0])).nodes.size();
  };
  CHECK(nodes(400) - nodes(200) == nodes(600) - nodes(400));
  CHECK(nodes(400) - nodes(200) == 3 * 200);  // sin, cos, a product
}
TEST_CASE("what cannot be differentiated says so") {
  auto const refused = [](auto const& make) -> std::string {
    builder b;
    try {
      static_cast<void>(written(make(b)));
    } catch (error const& e) { return e.what(); }
    return "";
  };
  CHECK(refused([](builder& b) {
          int const x = b.input<shape<5>, double>();
          list<int> const d = ask(b.g, total(b.g, b.call<ops::sort>(x)), x);
          return b.with_outputs(d[0]);
        }) == "sinter: there is no gradient of sort yet");
  CHECK(refused([](builder& b) {
          int const x = b.input<shape<5>, double>(), z = b.input<shape<5>, double>();
          list<int> const d = ask(b.g, total(b.g, x), z);
          return b.with_outputs(d[0]);
        }) == "sinter: a gradient is asked for with respect to operand 1, on which the number that is differentiated does not depend");
  // It depends, but in steps: zero.
  builder b;
  int const x = b.input<shape<5>, double>();
  list<int> const d = ask(b.g, total(b.g, b.call<ops::floor>(x)), x);
  graph const g = written(b.with_outputs(d[0]));
  CHECK(passes::is_fill(g, g.outputs[0], 0));
  builder more;
  inferred why;
  int const array = more.input<shape<5>, double>(), two[]{array, array};
  CHECK(more.g.apply(ops::info<ops::gradient>, {two, 2}, pack(ops::gradient::attributes{1}), why) == -1);
  CHECK(why.what == problem::head_shape);
}
