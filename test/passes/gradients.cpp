// SPDX-License-Identifier: Apache-2.0
// The gradients that operations declare, against finite differences: a graph is differentiated and run node by node, in double precision.
#include <cmath>

#include "build.hpp"

using namespace test;

namespace {

// Sums `d` over the axes along which an operand of shape `to` is stretched.
constexpr int unstretched(graph& g, int d, dims to) {
  dims const from = g.nodes[d].type.shape;
  ops::reduction_attributes a{0, true};
  for (int k = 1; k <= from.rank; ++k)
    if (k > to.rank || (to.d[to.rank - k] == 1 && from.d[from.rank - k] != 1)) a.axes |= std::int64_t{1} << (from.rank - k);
  if (a.axes) d = ops::make<ops::sum>(g, a, d);
  return g.nodes[d].type.shape == to ? d : ops::make<ops::reshape>(g, {to}, d);
}
// The graph with the gradients of the sum of its one output as outputs, one for each input; -1 where there is none.
constexpr graph differentiated(graph g) {
  int const n = g.nodes.size(), out = g.outputs[0];
  list<int> of(n, -1);
  of[out] = g.fill(dtype::float64, g.nodes[out].type.shape, bits_of(dtype::float64, 1.));
  for (int y = n - 1; y >= 0; --y) {
    if (!g.nodes[y].op->gradient) continue;
    list<int> results;
    bool any = false;
    for (int j = 0; j < (g.nodes[y].op->several ? g.results_of(g.nodes[y]) : 1); ++j) {
      results.push(g.nodes[y].op->several ? -1 : of[y]);
      for (int r = y + 1; r < n; ++r)
        if (g.kind(r) == family::result && ops::operand_of(g, r, 0) == y && g.nodes[r].index == j) results[j] = of[r];
      any = any || results[j] >= 0;
    }
    if (!any) continue;
    for (int i = 0; i < g.nodes[y].in.n; ++i) {
      int const x = ops::operand_of(g, y, i);
      int d = g.nodes[y].op->gradient(g, y, {results.data(), results.size()}, i);
      if (d < 0) continue;
      d = unstretched(g, d, g.nodes[x].type.shape);
      of[x] = of[x] < 0 ? d : ops::make<ops::add>(g, of[x], d);
    }
  }
  g.outputs.shrink(0);
  for (int i = 0; i < n; ++i)
    if (g.is(i, input_op) && is_floating(g.nodes[i].type.type)) g.outputs.push(of[i]);
  return g;
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
  graph const g = passes::remove_dead(passes::expand(make(b)));
  graph const d = differentiated(g);
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
TEST_CASE("gradients of elementary functions") {
  check_unary<ops::exp>();
  check_unary<ops::log>(true);
  check_unary<ops::sqrt>(true);
  check_unary<ops::tanh>();
  check_unary<ops::sigmoid>();
  check_unary<ops::relu>();
  check_unary<ops::reciprocal>(true);
  check_unary<ops::expm1>();
  check_unary<ops::log1p>(true);
  check_unary<ops::softrelu>();
}
TEST_CASE("gradients of trigonometric and hyperbolic functions") {
  check_unary<ops::sin>();
  check_unary<ops::cos>();
  check_unary<ops::tan>();
  check_unary<ops::arctan>();
  check_unary<ops::sinh>();
  check_unary<ops::cosh>();
  check_unary<ops::arcsinh>();
  check_unary<ops::log2>(true);
  check_unary<ops::log10>(true);
  check_unary<ops::cbrt>(true);
  check_binary<ops::hypot, shape<2, 3>, shape<3>>();
  // Inside of (-1, 1), and above 1.
  auto const within = []<class Op>(Op) {
    check_gradients(sinter::ops::op_name<Op>.data(), [](builder& b) {
      int const x = b.input<shape<2, 3>, double>();
      return b.with_outputs(b.call<ops::square>(b.call<Op>(b.call<ops::multiply>(x, b.number<double>(0.6)))));
    });
  };
  within(ops::arcsin{}), within(ops::arccos{}), within(ops::arctanh{}), within(ops::erfinv{});
  check_gradients("arccosh", [](builder& b) {
    int const x = b.input<shape<2, 3>, double>();
    return b.with_outputs(b.call<ops::arccosh>(b.call<ops::add>(b.call<ops::square>(x), b.number<double>(1.5))));
  });
}
TEST_CASE("gradients of what chooses between its operands") {
  check_unary<ops::abs>();
  check_binary<ops::maximum, shape<2, 3>, shape<3>>();
  check_binary<ops::minimum, shape<2, 3>, shape<3>>();
  check_gradients("clip", [](builder& b) {
    int const x = b.input<shape<2, 3>, double>(), low = b.input<shape<3>, double>(), high = b.input<shape<2, 1>, double>();
    // Apart from x and from each other.
    int const y = b.call<ops::clip>(x, b.call<ops::add>(low, b.number<double>(-0.5)), b.call<ops::add>(high, b.number<double>(0.6)));
    return b.with_outputs(b.call<ops::multiply>(y, b.call<ops::add>(y, b.number<double>(3))));
  });
  check_gradients("where", [](builder& b) {
    int const x = b.input<shape<2, 3>, double>(), z = b.input<shape<3>, double>();
    return b.with_outputs(b.call<ops::square>(b.call<ops::where>(b.call<ops::greater>(x, b.number<double>(0)), x, z)));
  });
}
TEST_CASE("gradients of activation functions") {
  check_unary<ops::silu>();
  check_unary<ops::softsign>();
  check_unary<ops::hard_sigmoid>();
  check_unary<ops::hard_swish>();
  check_unary<ops::mish>();
  check_unary<ops::elu>();
  check_unary<ops::selu>();
  check_unary<ops::leaky_relu>();
  check_unary<ops::radians>();
  check_unary<ops::smooth_l1>();
  check_binary<ops::prelu, shape<2, 3>, shape<3>>();
  check_binary<ops::logaddexp, shape<2, 3>, shape<2, 1>>();
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
TEST_CASE("an operation without a gradient says so") {
  CHECK(ops::info<ops::mean>.gradient == nullptr);
  CHECK(ops::info<ops::argmax>.gradient == nullptr);
  CHECK(ops::info<ops::greater>.gradient == nullptr);
  CHECK(ops::info<ops::sum>.gradient != nullptr);
}
