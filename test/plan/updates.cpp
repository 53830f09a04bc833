// SPDX-License-Identifier: Apache-2.0
// What a plan changes: the order of its kernels, which parameters are written where they are, and how the judge finds what is wrong.
#include "run_plan.hpp"

using namespace test;

namespace {

struct updating : builder {
  constexpr void update(int parameter, int value) {
    g.outputs.push(value);
    g.updates.push(g.nodes[parameter].index);
  }
  constexpr graph finished() {
    ops::finish_updates(g);
    return g;
  }
};
constexpr plan planned(graph const& g) { return make_plan(g); }
constexpr int in_place(plan const& p) {
  int n = 0;
  for (update const& u : p.updates) n += u.in_place;
  return n;
}
// How many, of a sound plan.
constexpr int sound_in_place(graph const& g) {
  plan const p = planned(g);
  return fault_of(p).empty() ? in_place(p) : -1;
}

// A step of training by hand: three products, the derivatives of half the square of the result, and weights less a part of those. The updates
// stand in the order of the layers, or from the last to the first.
constexpr graph step_of_training(bool last_first) {
  updating b;
  int const x = b.input<shape<4, 5>>();
  int const w[]{b.parameter<shape<5, 5>>(), b.parameter<shape<5, 5>>(), b.parameter<shape<5, 5>>()};
  int h[4]{x}, next[3]{};
  for (int i = 0; i < 3; ++i) h[i + 1] = b.product(h[i], w[i]);
  for (int i = 2, d = h[3]; i >= 0; --i) {
    int const by = b.call<ops::multiply>(b.product(h[i], d, true), b.number(0.01));
    next[i] = b.call<ops::subtract>(w[i], by);
    if (i > 0) d = b.product(d, w[i], false, true);
  }
  b.g.outputs.push(b.call<ops::sum>(h[3]));
  for (int i = 0; i < 3; ++i) b.update(w[last_first ? 2 - i : i], next[last_first ? 2 - i : i]);
  return b.finished();
}
// The first kernel that reads a parameter behind the first that writes it, or -1.
constexpr int reads_too_late(plan const& p) {
  for (int u = 0; u < p.updates.size(); ++u) {
    int first = -1;
    for (int q = 0; q < p.groups.size(); ++q)
      for (int j = 0; j < p.groups[q].operands.n; ++j) {
        buffer_info const& f = p.buffers[p.operands[p.groups[q].operands.at + j].buffer];
        if (f.where == storage::output && f.index == p.g.results() + u && first < 0) first = q;
        if (f.where == storage::parameter && f.index == p.updates[u].number && first >= 0 && q > first) return q;
      }
  }
  return -1;
}
constexpr bool all_in_place(graph const& g) {
  plan const p = planned(g);
  return in_place(p) == p.updates.size() && reads_too_late(p) < 0 && fault_of(p).empty();
}
// The weights of a layer are used up before those of the layer before it are computed: its derivative never waits in the arena.
constexpr bool last_layer_comes_first() {
  plan const p = planned(step_of_training(false));
  int written[3]{-1, -1, -1};
  for (int q = 0; q < p.groups.size(); ++q)
    for (int j = p.groups[q].inputs; j < p.groups[q].operands.n; ++j)
      if (buffer_info const& f = p.buffers[p.operands[p.groups[q].operands.at + j].buffer]; f.where == storage::output && f.index > 0)
        written[f.index - 1] = q;
  return written[2] < written[1] && written[1] < written[0];
}

// A next value that what reads the old one needs: it has memory of its own.
constexpr graph read_behind() {
  updating b;
  int const x = b.input<shape<4>>(), s = b.parameter<shape<4>>();
  int const next = b.call<ops::cumsum>(b.call<ops::add>(s, x), axis<0>);
  b.g.outputs.push(b.call<ops::cumsum>(b.call<ops::multiply>(next, b.call<ops::flip>(s, axis<0>)), axis<0>));
  b.update(s, next);
  return b.finished();
}
// Two that get each other's values. One can be written where it is when the other has been computed, not both.
constexpr graph exchanged() {
  updating b;
  int const s = b.parameter<shape<4>>(), t = b.parameter<shape<4>>();
  b.update(s, b.call<ops::cumsum>(t, axis<0>));
  b.update(t, b.call<ops::cumsum>(s, axis<0>));
  return b.finished();
}
// The kernel that writes it reads other elements than it writes.
constexpr graph turned() {
  updating b;
  int const x = b.input<shape<4>>(), s = b.parameter<shape<4>>();
  b.update(s, b.call<ops::add>(b.call<ops::flip>(s, axis<0>), x));
  return b.finished();
}
// A queue: all but the first, and one more behind them.
constexpr graph shifted() {
  updating b;
  int const x = b.input<shape<1>>(), s = b.parameter<shape<4>>();
  b.update(s, b.call<ops::concat>(b.call<ops::slice>(s, begin<1>), x, axis<0>));
  return b.finished();
}
// Two results of one operation, for two parameters.
constexpr graph both_results() {
  updating b;
  int const s = b.parameter<shape<4>>(), t = b.parameter<shape<4>, std::int64_t>(), x = b.input<shape<4>>();
  int const of = b.call<ops::topk>(b.call<ops::add>(x, s), axis<0>, top<4>);
  b.g.outputs.push(b.call<ops::cumsum>(t, axis<0>));
  b.update(s, b.g.result(of, 0));
  b.update(t, b.g.result(of, 1));
  return b.finished();
}
// Weights that change are read as they are; others of the same shape are prepared.
constexpr graph weights_of_both_kinds() {
  updating b;
  int const x = b.input<shape<9, 8>>(), w = b.parameter<shape<8, 8>>(), v = b.parameter<shape<8, 8>>();
  int const y = b.product(b.product(x, w), v);
  b.g.outputs.push(b.call<ops::add>(y, b.call<ops::sum>(b.call<ops::exp>(w))));
  b.update(w, b.call<ops::multiply>(w, b.number(0.5)));
  return b.finished();
}
constexpr bool only_fixed_weights_are_prepared() {
  plan const p = planned(weights_of_both_kinds());
  if (p.preparations.size() != 1) return false;
  preparation const& w = p.preparations[0];
  buffer_info const& f = p.buffers[p.operands[p.groups[w.group].operands.at + w.operand].buffer];
  for (group const& q : p.groups)
    if (q.once) return false;
  return p.parameter_at[f.index] == 1;
}
// A loop whose body adds the state to each row; the state becomes what the loop ends with, which is written behind the loop.
constexpr graph read_in_a_loop(bool before) {
  updating b;
  int const x = b.input<shape<3, 4>>(), h = b.input<shape<4>>();
  b.parameter<shape<4>>();
  builder body;
  int const row = body.input<shape<4>>(), sum = body.input<shape<4>>(), s = body.parameter<shape<4>>();
  int const next = body.call<ops::add>(body.call<ops::add>(row, sum), s);
  b.g.bodies.push(body.with_outputs(next, next));
  ops::foreach::attributes a;
  a.body = 0;
  a.sequences = a.states = 1;
  a.types.push({dtype::float32, shape<3, 4>::value});
  a.types.push({dtype::float32, shape<4>::value});
  int const in[]{x, before ? h : b.call<ops::cumsum>(h, axis<0>)};
  inferred why;
  int const loop = b.g.apply(ops::info<ops::foreach>, {in, 2}, pack(a), why);
  b.g.outputs.push(b.g.result(loop, 0));
  b.g.outputs.push(b.g.result(loop, 1));
  b.update(2, before ? b.call<ops::cumsum>(h, axis<0>) : in[1]);
  return b.finished();
}

// A branch of which one body reads the state, the first or the second, behind the next value.
constexpr graph read_in_a_branch(bool second) {
  updating b;
  int const x = b.input<shape<4>>(), s = b.parameter<shape<4>>();
  int const next = b.call<ops::cumsum>(x, axis<0>), condition = b.call<ops::greater>(b.call<ops::sum>(next), b.number(0));
  for (int i = 0; i < 2; ++i) {
    builder body;
    int const in = body.input<shape<4>>();
    b.g.bodies.push(body.with_outputs(body.call<ops::add>(in, (i == 1) == second ? body.parameter<shape<4>>() : in)));
  }
  ops::cond::attributes a;
  a.body = 0;
  a.otherwise = 1;
  a.types.push({dtype::float32, shape<4>::value});
  int const in[]{condition, x};
  inferred why;
  int const branch = b.g.apply(ops::info<ops::cond>, {in, 2}, pack(a), why);
  b.g.outputs.push(b.g.result(branch, 0));
  b.update(s, next);
  return b.finished();
}

// What the judge says when something of a plan is spoilt.
template <class Spoil> constexpr std::string_view verdict_on(graph const& g, Spoil const& spoil) {
  plan p = planned(g);
  spoil(p);
  return judge(p, binding{}).what;
}
constexpr void writes_in_place(plan& p) {
  for (update& u : p.updates) u.in_place = true;
}

}  // namespace

TEST_CASE("old values are read before the next ones are written over them") {
  SINTER_AT_BOTH_CLOCKS(all_in_place(step_of_training(false)));
  SINTER_AT_BOTH_CLOCKS(all_in_place(step_of_training(true)));
  SINTER_AT_BOTH_CLOCKS(all_in_place(both_results()));
  SINTER_AT_BOTH_CLOCKS(last_layer_comes_first());
  SINTER_AT_BOTH_CLOCKS(all_in_place(read_in_a_loop(true)));
}
TEST_CASE("what cannot be written in place is not") {
  SINTER_AT_BOTH_CLOCKS(sound_in_place(read_behind()) == 0);
  SINTER_AT_BOTH_CLOCKS(sound_in_place(exchanged()) == 1);
  SINTER_AT_BOTH_CLOCKS(sound_in_place(turned()) == 0);
  SINTER_AT_BOTH_CLOCKS(sound_in_place(shifted()) == 0);
  SINTER_AT_BOTH_CLOCKS(sound_in_place(read_in_a_loop(false)) == 0);
  SINTER_AT_BOTH_CLOCKS(sound_in_place(read_in_a_branch(false)) == 0);
  SINTER_AT_BOTH_CLOCKS(sound_in_place(read_in_a_branch(true)) == 0);
}
TEST_CASE("nothing is prepared of what a run changes") { SINTER_AT_BOTH_CLOCKS(only_fixed_weights_are_prepared()); }
TEST_CASE("the judge finds updates that come too early, and those of another parameter") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(read_behind(), &writes_in_place) == "a parameter is changed before it is read");
  SINTER_AT_BOTH_CLOCKS(verdict_on(exchanged(), &writes_in_place) == "a parameter is changed before it is read");
  SINTER_AT_BOTH_CLOCKS(verdict_on(turned(), &writes_in_place) == "a store destroys what is still read");
  SINTER_AT_BOTH_CLOCKS(verdict_on(read_in_a_loop(false), &writes_in_place) == "a parameter is changed before a body reads it");
  SINTER_AT_BOTH_CLOCKS(verdict_on(read_in_a_branch(true), &writes_in_place) == "a parameter is changed before a body reads it");
  SINTER_AT_BOTH_CLOCKS(verdict_on(step_of_training(false), [](plan& p) { std::swap(p.updates[0], p.updates[1]); }) ==
                        "a next value is that of another parameter");
  SINTER_AT_BOTH_CLOCKS(verdict_on(step_of_training(false), [](plan& p) { p.updates.pop(); }) == "a parameter that changes is forgotten");
}
TEST_CASE("the judge finds what is prepared of parameters that change") {
  SINTER_AT_BOTH_CLOCKS(verdict_on(weights_of_both_kinds(), [](plan& p) { p.preparations[0].group = 0; }) ==
                        "weights are prepared that change");
  SINTER_AT_BOTH_CLOCKS(verdict_on(turned(), [](plan& p) { p.groups[0].once = true; }) ==
                        "a kernel runs once and reads a parameter that changes");
}
