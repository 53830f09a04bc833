// SPDX-License-Identifier: Apache-2.0
// A product's map in a plan: its loops in the order of their roles, the operands' strides in them, and the windows that need a look.
#pragma once
#include "loops.hpp"

namespace sinter::detail::inline SINTER_ISA {

// The loops of `map` as a kernel has them: batches, rows, columns, depth. What of the first operand stands before the second one's axes in
// the result, as the images of a convolution do, counts as batches: so columns lie side by side.
class loops_by_role {
 public:
  constexpr loops_by_role(graph const& g, int anchor)
      : map_(ops::attributes_in<ops::mapped_product>(g, g.nodes[anchor])),
        table_(g.dimensions),
        first_(g.nodes[g.operand(g.nodes[anchor], 0)].type.shape),
        second_(g.nodes[g.operand(g.nodes[anchor], 1)].type.shape) {
    list<int> batches, rows, columns, reduced;
    int last_row = -1;
    for (int i = 0; i < map_.loops; ++i)
      if (map_.loop_at[i].result >= 0 && map_.loop_at[i].second >= 0) last_row = i;
    for (int i = 0; i < map_.loops; ++i) {
      ops::product_map::loop const& l = map_.loop_at[i];
      (l.result < 0 ? reduced : l.first < 0 ? rows : l.second < 0 && i > last_row ? columns : batches).push(i);
    }
    for (int i : batches) put(i);
    made.rows = put_role(rows);
    made.columns = put_role(columns);
    made.depth = put_role(reduced);
  }
  loop_map made;
  unsigned kept = 0;  // the loops that windows name, as bits

  constexpr int loops() const { return n_; }
  constexpr size extent(int i) const { return order_[i] < 0 ? size{1, 0} : map_.extent_of(order_[i], first_, second_, table_); }
  // An operand that runs over the axes of the first operand (0), the second (1) or the result (2), which are its first `rank` strides.
  constexpr operand moved(operand const& from, int which) const {
    operand r = from;
    r.windowed = which == 0;
    for (int i = 0; i < max_loop; ++i) r.stride[i] = i < n_ ? stride(from, which, i) : size{};
    return r;
  }
  // The windows whose places lie outside for some turn, or which overlap. The others are plain loops.
  constexpr void find_windows() {
    for (int w = 0; w < map_.windows; ++w) {
      ops::product_map::window const& from = map_.window_at[w];
      window to{-1, -1, from.step, from.dilation, from.shift, first_.d[from.axis]};
      for (int i = 0; i < n_; ++i)
        if (order_[i] >= 0 && map_.loop_at[order_[i]].first == from.axis) (is_outer(order_[i], from.axis) ? to.outer : to.inner) = i;
      std::int64_t const turns = extent(to.outer).k, shown = extent(to.inner).k;
      if (to.shift == 0 && to.holds(0) && to.holds(to.place(turns - 1, shown - 1)) && (turns == 1 || shown == 1)) continue;
      kept |= 1u << to.outer | 1u << to.inner;
      made.window_at[made.windows++] = to;
    }
  }

 private:
  ops::product_map map_;
  dimension_table const& table_;
  dims first_, second_;
  int order_[max_loop]{}, n_ = 0;

  constexpr void put(int loop) {
    if (n_ == max_loop) throw shape_error("sinter: a product has too many loops");
    order_[n_++] = loop;
  }
  // Without a loop of its own, a role has one of a single turn.
  constexpr int put_role(list<int> const& loops_of) {
    for (int i : loops_of) put(i);
    if (loops_of.empty()) put(-1);
    return loops_of.empty() ? 1 : loops_of.size();
  }
  constexpr bool is_outer(int loop, int axis) const {
    for (int j = 0; j < loop; ++j)
      if (map_.loop_at[j].first == axis) return false;
    return true;
  }
  static constexpr int axis_of(ops::product_map::loop const& l, int which) {
    return which == 0 ? l.first : which == 1 ? l.second : l.result;
  }
  constexpr size stride(operand const& from, int which, int i) const {
    int const axis = order_[i] < 0 ? -1 : axis_of(map_.loop_at[order_[i]], which);
    if (axis < 0) return {};
    size s = from.stride[axis];
    if (ops::product_map::window const* w = which == 0 ? map_.window_of(axis) : nullptr)
      return s * size{is_outer(order_[i], axis) ? w->step : w->dilation, 0};
    for (int j = order_[i] + 1; j < map_.loops; ++j)  // the loops inside it
      if (axis_of(map_.loop_at[j], which) == axis) s = s * map_.extent_of(j, first_, second_, table_);
    return s;
  }
};
// Each role has at least one loop; those that windows name stay as they are.
constexpr void collapse_mapped(plan& p, group& q, loops_by_role from) {
  loop_map& m = from.made;
  from.find_windows();
  int loop[2 * ops::max_windows]{};  // of the windows: which of the kept loops
  for (int w = 0; w < m.windows; ++w) {
    auto const before = [&](int i) {
      int n = 0;
      for (int j = 0; j < i; ++j) n += ((from.kept >> j) & 1) != 0;
      return n;
    };
    loop[2 * w] = before(m.window_at[w].outer);
    loop[2 * w + 1] = before(m.window_at[w].inner);
  }
  int const batches = q.rank - m.rows - m.columns - m.depth;
  int at = batches;
  if (batches > 0) at = collapse(p, q, 0, batches, &from.kept);
  int const rows = collapse(p, q, at, at + m.rows, &from.kept);
  int const columns = collapse(p, q, at + rows, at + rows + m.columns, &from.kept);
  m.depth = collapse(p, q, at + rows + columns, q.rank, &from.kept);
  m.rows = rows;
  m.columns = columns;
  int number[max_loop]{}, n = 0;
  for (int i = 0; i < q.rank; ++i)
    if ((from.kept >> i) & 1) number[n++] = i;
  for (int w = 0; w < m.windows; ++w) {
    m.window_at[w].outer = number[loop[2 * w]];
    m.window_at[w].inner = number[loop[2 * w + 1]];
  }
  q.map = p.maps.size();
  p.maps.push(m);
}

}  // namespace sinter::detail::inline SINTER_ISA
