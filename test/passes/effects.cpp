// SPDX-License-Identifier: Apache-2.0
// Operations with an effect: no pass removes, merges or reorders one.
#include <sinter/plan/make.hpp>

#include "build.hpp"

namespace {
// Gives its operand; `f(f(x)) is f(x)` must not matter either.
struct note_op : sinter::ops::opaque_op<note_op> {
  static constexpr std::string_view name = "test_note";
  static constexpr int arity = 1;
  static constexpr bool effect = true, idempotent = true, involution = true;
  struct attributes {
    int number = 0;
    static constexpr void each(auto& a, auto&& f) { f("number", a.number); }
  };
  static constexpr sinter::inferred infer(sinter::operand_types in, attributes const&, sinter::dimension_table&) { return {in[0]}; }
};
}  // namespace
SINTER_USER_OP(note_op);

using namespace test;

namespace {

constexpr int note(builder& b, int number, int x) { return ops::make<note_op>(b.g, {number}, x); }
// The numbers of the notes in order, as the digits of one number.
constexpr int order_of(graph const& g) {
  int r = 0;
  for (node const& k : g.nodes)
    if (*k.op == ops::info<note_op>) r = 10 * r + ops::attributes_in<note_op>(g, k).number;
  return r;
}
// How many notes are read: each gives a value of its own.
constexpr int read_in(graph const& g) {
  list<char> read(g.nodes.size(), 0);
  for (node const& k : g.nodes)
    for (int j = 0; j < k.in.n; ++j) read[g.operand(k, j)] = 1;
  for (int o : g.outputs) read[o] = 1;
  int n = 0;
  for (int i = 0; i < g.nodes.size(); ++i) n += read[i] && g.is(i, ops::info<note_op>);
  return n;
}
// Notes that nothing reads, equal ones, one of a constant, one of another, and results that need the last note first.
constexpr graph noted() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  (void)note(b, 1, x);
  (void)note(b, 2, b.call<ops::exp>(x));
  (void)note(b, 3, b.number(2));
  int const four = note(b, 4, x);
  int const again = note(b, 4, x);
  int const five = note(b, 5, note(b, 5, four));
  int const six = note(b, 6, b.call<ops::reshape>(b.call<ops::exp>(x), into<3, 2>));
  return b.with_outputs(six, b.call<ops::add>(five, four), again);
}
constexpr bool in_order(graph const& g) { return well_formed(g) && order_of(g) == 12344556 && read_in(g) == 5; }
constexpr bool every_pass_keeps_effects() {
  return in_order(passes::canonicalise(noted())) && in_order(passes::remove_dead(noted())) && in_order(passes::fold_constants(noted())) &&
         in_order(passes::simplify(noted())) && in_order(passes::simplify(noted(), passes::numerics::relaxed)) &&
         in_order(passes::merge_common(noted())) && in_order(passes::expand(noted())) && in_order(passes::insert_copies(noted())) &&
         in_order(passes::optimise(noted())) && in_order(passes::optimise(noted(), passes::numerics::relaxed));
}
// The kernels with an effect run in the same order.
constexpr bool the_plan_keeps_effects() {
  plan const p = make_plan(noted());
  int r = 0, last = -1;
  for (group const& q : p.groups) {
    if (q.kind != kernel_kind::opaque) continue;
    node const& k = p.g.nodes[q.anchor];
    r = 10 * r + ops::attributes_in<note_op>(p.g, k).number;
    if (q.anchor < last) return false;
    last = q.anchor;
  }
  return r == 12344556;
}

}  // namespace

TEST_CASE("no pass removes, merges or reorders an effect") {
  SINTER_AT_BOTH_CLOCKS(every_pass_keeps_effects());
  SINTER_AT_BOTH_CLOCKS(the_plan_keeps_effects());
}
