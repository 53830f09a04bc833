// SPDX-License-Identifier: Apache-2.0
// Products with maps other than a convolution's: their plans are sound and give the values of the definition.
#include <sinter/plan/judge.hpp>

#include "run_plan.hpp"

using namespace test;

namespace {

using map = ops::product_map;
constexpr int heads = 2, width = 3;

constexpr int mapped(builder& b, map const& m, int first, int second) { return ops::make<ops::mapped_product>(b.g, m, first, second); }

// Scores of attention: q and k are (images, places, heads * width), the result (images, heads, places of q, places of k).
constexpr map scores_map() {
  map m;
  m.add(map::loop{0, 0, 0});
  m.add(map::loop{2, 2, 1, heads});
  m.add(map::loop{-1, 1, 2});
  m.add(map::loop{1, -1, 3});
  m.add(map::loop{2, 2, -1, width});
  return m;
}
// What they weigh: s (images, heads, places of q, places of v) and v (images, places, heads * width) give (images, places, heads * width).
constexpr map weighed_map() {
  map m;
  m.add(map::loop{0, 0, 0});
  m.add(map::loop{-1, 2, 1});
  m.add(map::loop{2, 1, 2, heads});
  m.add(map::loop{2, -1, 2, width});
  m.add(map::loop{1, 3, -1});
  return m;
}
constexpr graph attention() {
  builder b;
  int const q = b.input<shape<2, dim<"t">, heads * width>>(), k = b.input<shape<2, dim<"s">, heads * width>>();
  int const v = b.input<shape<2, dim<"s">, heads * width>>();
  int const s = mapped(b, scores_map(), b.call<ops::relu>(k), q);
  return b.with_outputs(b.call<ops::add>(mapped(b, weighed_map(), v, b.call<ops::relu>(s)), q));
}
constexpr graph attention_by_views() {
  builder b;
  int const q = b.input<shape<2, dim<"t">, heads * width>>(), k = b.input<shape<2, dim<"s">, heads * width>>();
  int const v = b.input<shape<2, dim<"s">, heads * width>>();
  auto const split = [&](int x, auto into_heads) { return b.call<ops::transpose>(b.call<ops::reshape>(x, into_heads), axes<0, 2, 1, 3>); };
  constexpr auto at_t = into<2, dim<"t">, heads, width>;
  constexpr auto at_s = into<2, dim<"s">, heads, width>;
  int const s = b.call<ops::matmul>(split(q, at_t), split(b.call<ops::relu>(k), at_s), transpose_b);
  int const y = b.call<ops::transpose>(b.call<ops::matmul>(b.call<ops::relu>(s), split(v, at_s)), axes<0, 2, 1, 3>);
  return b.with_outputs(b.call<ops::add>(b.call<ops::reshape>(y, into<2, dim<"t">, heads * width>), q));
}
// Each role is empty once: an outer product, a sum of all elements, and one for each row.
constexpr graph lone_roles() {
  builder b;
  int const x = b.input<shape<3, 4>>(), y = b.input<shape<3, 4>>();
  map outer, all, rows;
  for (int i : {0, 1}) outer.add(map::loop{-1, i, i});
  for (int i : {0, 1}) outer.add(map::loop{i, -1, 2 + i});
  for (int i : {0, 1}) all.add(map::loop{i, i, -1});
  rows.add(map::loop{0, 0, 0});
  rows.add(map::loop{1, 1, -1});
  return b.with_outputs(mapped(b, outer, x, y), mapped(b, all, x, y), mapped(b, rows, b.call<ops::relu>(x), y));
}
constexpr graph lone_roles_by_matmul() {
  builder b;
  int const x = b.input<shape<3, 4>>(), y = b.input<shape<3, 4>>();
  int const outer = b.call<ops::matmul>(b.call<ops::reshape>(y, into<12, 1>), b.call<ops::reshape>(x, into<1, 12>));
  int const all = b.call<ops::matmul>(b.call<ops::reshape>(x, into<12>), b.call<ops::reshape>(y, into<12>));
  int const rows = b.call<ops::matmul>(b.call<ops::reshape>(b.call<ops::relu>(x), into<3, 1, 4>), b.call<ops::reshape>(y, into<3, 4, 1>));
  return b.with_outputs(b.call<ops::reshape>(outer, into<3, 4, 3, 4>), all, b.call<ops::reshape>(rows, into<3>));
}

// A transposed convolution of step 2, kernel 3 and padding 1: one product for each remainder of an output's place, with every second element
// of the weights (inputs, outputs, kernel), written side by side in place.
constexpr graph transposed() {
  builder b;
  int const x = b.input<shape<2, 3, 4>>(), w = b.input<shape<3, 5, 3>>();
  auto const remainder = [&](int weights, int taps) {
    map m;
    m.add(map::loop{0, -1, 0});
    m.add(map::loop{-1, 1, 1});
    m.add(map::loop{2, -1, 2, 4});
    m.add(map::loop{1, 0, -1});
    m.add(map::loop{2, 2, -1, taps});
    m.add(map::window{2, 1, 1, 0});
    return b.call<ops::expand_dims>(mapped(b, m, x, weights), axis<3>);
  };
  int const even = remainder(b.call<ops::slice>(w, begin<0, 0, 1>, end<open, open, 2>), 1);
  int const odd = remainder(b.call<ops::slice>(w, begin<open, open, open>, end<open, open, open>, step<1, 1, -2>), 2);
  int const y = b.call<ops::reshape>(b.call<ops::concat>(even, odd, axis<3>), into<2, 5, 8>);
  return b.with_outputs(b.call<ops::slice>(y, begin<0, 0, 0>, end<open, open, 7>));
}
// The sums of windows of 3 by 2 at steps of 2 with a margin of 1: what an average pool divides.
constexpr graph pooled() {
  builder b;
  int const x = b.input<shape<2, 3, 5, 4>>();
  map m;
  for (int i : {0, 1}) m.add(map::loop{i, -1, i});
  m.add(map::loop{2, -1, 2, 3});
  m.add(map::loop{3, -1, 3, 3});
  m.add(map::loop{2, 0, -1, 3});
  m.add(map::loop{3, 1, -1, 2});
  for (int i : {2, 3}) m.add(map::window{i, 2, 1, 1});
  return b.with_outputs(mapped(b, m, x, b.g.fill(dtype::float32, {3, 2}, bits_of(dtype::float32, 1))));
}
// Products of (heads, rows, columns), read as (rows, heads, columns): alone; with the product itself; beside one of which the columns come first.
constexpr graph heads_in_rows(int which) {
  builder b;
  auto const product = [&] { return b.call<ops::matmul>(b.input<shape<2, 3, 4>>(), b.input<shape<2, 4, 5>>()); };
  int const p = product();
  int const rows = b.call<ops::reshape>(b.call<ops::transpose>(p, axes<1, 0, 2>), into<3, 10>);
  if (which == 0) return b.with_outputs(rows);
  if (which == 1) return b.with_outputs(p, rows);
  if (which == 2) return b.with_outputs(b.call<ops::relu>(rows), b.call<ops::transpose>(product(), axes<2, 0, 1>));
  return b.with_outputs(b.call<ops::concat>(rows, b.call<ops::relu>(rows), axis<0>), rows);
}
double at_place(bits const& v, extent at) { return std::bit_cast<double>(v[static_cast<int>(at)]); }

void check(graph const& g, std::initializer_list<extent> of) {
  extent sizes[max_dimensions]{};
  std::copy(of.begin(), of.end(), sizes);
  plan const p = make_plan(g);
  CHECK(fault_of(p) == "");
  binding b;
  for (int i = 0, next = 0; i < p.g.dimensions.rows.size(); ++i)
    if (p.g.dimensions.rows[i].from == dimension::origin::input) b.value[i] = sizes[next++];
  interpreter const want(g, sizes);
  for (unsigned seed = 0; seed < 5; ++seed) {
    plan_runner const got(p, b, sizes, seed, &sample);
    for (int j = 0; j < g.outputs.size(); ++j) CHECK(got.output(j) == want.value[g.outputs[j]]);
  }
}

}  // namespace

TEST_CASE("the heads of attention are split by maps") {
  extent const sizes[]{4, 5};
  CHECK(same_values(attention(), attention_by_views(), sizes));
  check(attention(), {4, 5});
  check(attention(), {1, 1});
  check(attention(), {0, 3});
  check(attention(), {3, 0});
  CHECK(make_plan(attention()).groups.size() == 2);  // without a copy; the sum with q is part of the second
}
TEST_CASE("a transposed convolution is a product for each remainder") {
  graph const g = transposed();
  interpreter const v(g, two_rows);
  bits const &x = v.value[0], &w = v.value[1], &y = v.value[g.outputs[0]];
  double sums[2 * 5 * 7]{};  // each element is scattered
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 4; ++i)
        for (int o = 0; o < 5; ++o)
          for (int k = 0; k < 3; ++k)
            if (int const j = 2 * i + k - 1; j >= 0 && j < 7)
              sums[(n * 5 + o) * 7 + j] += at_place(x, (n * 3 + c) * 4 + i) * at_place(w, (c * 5 + o) * 3 + k);
  for (int e = 0; e < 2 * 5 * 7; ++e) CHECK(at_place(y, e) == sums[e]);
  check(g, {});
}
TEST_CASE("windows are summed by a product with ones") {
  graph const g = pooled();
  interpreter const v(g, two_rows);
  bits const &x = v.value[0], &y = v.value[g.outputs[0]];
  for (int p = 0; p < 6; ++p)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double total = 0;
        for (int a = 2 * i - 1; a < 2 * i + 2; ++a)
          for (int e = 2 * j - 1; e < 2 * j + 1; ++e)
            if (a >= 0 && a < 5 && e >= 0 && e < 4) total += at_place(x, (p * 5 + a) * 4 + e);
        CHECK(at_place(y, (p * 3 + i) * 3 + j) == total);
      }
  check(g, {});
}
TEST_CASE("products lie in the order of the view that alone reads them, and outputs in their own") {
  for (int which : {0, 1, 2, 3}) check(heads_in_rows(which), {});
}
TEST_CASE("a map may lack rows, columns, batches or depth") {
  CHECK(same_values(lone_roles(), lone_roles_by_matmul()));
  check(lone_roles(), {});
}
