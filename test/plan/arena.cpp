// SPDX-License-Identifier: Apache-2.0
// 200 random networks, built as graphs when the program runs: every arena is sound, and hardly one is above the most bytes alive at once.
#include <iostream>
#include <random>

#include "../passes/plans.hpp"

using namespace test;

namespace {

// 10 to 50 operations on rows of many widths; half of the operands are values from long ago, and what nothing has used is added up at the end.
class random_network {
 public:
  random_network(unsigned seed, bool dynamic) : random_(seed) {
    int const rows = dynamic ? b_.input<shape<dim<"batch">, 24>>() : b_.input<shape<6, 24>>();
    values_.push(rows);
    used_.resize(rows + 1);
    for (int n = 10 + pick(41); n > 0; --n) values_.push(operation());
  }
  graph finish() {
    int sum = -1;
    for (int v : values_) {
      if (v < used_.size() && used_[v]) continue;
      int const s = product(v, 5);
      sum = sum < 0 ? s : b_.call<ops::add>(sum, s);
    }
    return b_.with_outputs(sum);
  }

 private:
  builder b_;
  std::mt19937 random_;  // the same numbers everywhere, which the standard's distributions are not
  list<int> values_;
  list<char> used_;

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int width(int v) const { return static_cast<int>(b_.g.nodes[v].type.shape.d[1]); }
  int operand() {
    int const n = values_.size(), v = values_[pick(2) ? pick(n) : n - 1 - pick(n < 4 ? n : 4)];
    used_.resize(b_.g.nodes.size());
    used_[v] = 1;
    return v;
  }
  int product(int x, int to) {
    node w;
    w.op = &parameter_op;
    w.type = {dtype::float32, {width(x), to}};
    w.index = b_.parameters++;
    return b_.product(x, b_.g.append(w));
  }
  int operation() {
    static constexpr int widths[]{1, 3, 7, 16, 24, 48, 80, 200};
    int const x = operand(), kind = pick(8);
    if (kind < 3) return product(x, widths[pick(8)]);
    if (kind == 3) return b_.call<ops::softmax>(x);
    if (kind == 4) return b_.call<ops::sort>(x);
    if (kind == 5) return b_.call<ops::tanh>(x);
    if (kind == 6 && width(x) > 300) return b_.call<ops::sum>(x, axis<1>, keepdims);
    int const y = operand();
    if (kind == 6) return b_.call<ops::concat>(x, y, axis<1>);
    return b_.call<ops::add>(x, width(y) == width(x) ? y : product(y, width(x)));
  }
};

// Of 200 networks at n rows where their number is dynamic; order(plan) gives the residents of the arena from the bottom up.
struct ratios {
  double mean = 0, worst = 1;
};
template <class Order> ratios arena_over_live_bytes(std::int64_t n, Order order) {
  ratios r;
  for (unsigned seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed << ", " << n << " rows");
    plan const p = make_plan(random_network(seed, seed % 2 == 1).finish());
    binding const b = bound_to(n);
    arena_layout const a = arena_at(p, order(p), b);
    std::int64_t const live = live_bytes(p, b);
    CHECK(a.lower_bound == live);
    if (n < 10) CHECK(memory_is_sound(p, a, b));  // a look at each byte
    double const ratio = live ? static_cast<double>(a.bytes) / static_cast<double>(live) : 1;
    r.mean += ratio / 200;
    r.worst = ratio > r.worst ? ratio : r.worst;
  }
  std::cout << "200 networks, " << n << " rows: arena over lower bound " << r.mean << " on average, " << r.worst << " at most\n";
  return r;
}
ratios planned(std::int64_t n) {
  return arena_over_live_bytes(n, [](plan const& p) { return plan_arena(p); });
}

}  // namespace

TEST_CASE("random networks have sound arenas of hardly more than is alive at once") {
  for (std::int64_t const n : {1, 7, 64, 1797}) CHECK(planned(n).mean <= 1.005);
}
// What is checked can fail: each on what was written before it.
TEST_CASE("an order that looks at no size is sound and above 1.005") {
  auto const written = [](plan const& p) {
    list<resident> const r = plan_arena(p);
    list<resident> sorted;
    for (int q = 0; q < p.groups.size(); ++q)
      for (resident const& l : r)
        if (l.first == q) sorted.push(l);
    return sorted;
  };
  CHECK(arena_over_live_bytes(7, written).mean > 1.005);
}

// A compiler's limit for the steps of a constant is what sees that this takes no time that grows with the cube.
constexpr bool stacked_in_few_steps() {
  sinter::list<sinter::resident> live;
  sinter::list<std::int64_t> bytes;
  for (int i = 0; i < 250; ++i) {
    live.push({i, 0, 1});
    bytes.push(64);
  }
  sinter::detail::packer best(live, bytes);
  best.pack(250 * 64);
  return best.height == 250 * 64;
}
TEST_CASE("many blocks that are alive at the same time") { STATIC_REQUIRE(stacked_in_few_steps()); }

// As in the training of two hundred layers: what the i-th leaves is read when its gradient is computed, and two short lives are beside it.
constexpr bool stacked_by_time() {
  list<resident> live;
  list<std::int64_t> bytes;
  constexpr int layers = 200;
  for (int i = 0; i < layers; ++i) {
    live.push({i, i, 2 * layers - i});
    bytes.push(64 * (1 + i % 5));
  }
  for (int i = 0; i < 2 * layers; ++i) {
    live.push({layers + i, i, i + 1});
    bytes.push(64 * (1 + i % 3));
  }
  sinter::detail::packer packed(live, bytes);
  packed.pack(0);
  for (int i = 0; i < live.size(); ++i)
    for (int j = 0; j < i; ++j)
      if (live[i].first <= live[j].last && live[j].first <= live[i].last && packed.end[i] - bytes[i] < packed.end[j] &&
          packed.end[j] - bytes[j] < packed.end[i])
        return false;
  std::int64_t most = 0;
  for (int t = 0; t <= 2 * layers; ++t) {
    std::int64_t alive = 0;
    for (int i = 0; i < live.size(); ++i)
      if (live[i].first <= t && t <= live[i].last) alive += bytes[i];
    most = alive > most ? alive : most;
  }
  return packed.height >= most && packed.height * 100 <= most * 103;
}
TEST_CASE("so many blocks that each is placed when its life begins") { CHECK(stacked_by_time()); }
