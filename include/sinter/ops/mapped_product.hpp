// SPDX-License-Identifier: Apache-2.0
// Products that read their operands through maps, and their gradients.
#pragma once
#include "arguments.hpp"
#include "elementwise.hpp"
#include "movement.hpp"
#include "product_map.hpp"
#include "reduction.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// The product of a map, which is its attributes.
struct mapped_product {
  static constexpr std::string_view name = "mapped_product";
  static constexpr family kind = family::product;
  static constexpr int cost = 1000, arity = 2;
  static constexpr bool mapped = true;
  using attributes = product_map;
  static constexpr inferred infer(operand_types in, attributes const& map, dimension_table& t) {
    if (in[0].type != in[1].type) return {{}, problem::mixed_dtypes, 0, 1};
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 1};
    size along[3][max_rank]{};  // of each axis of the two operands and the result: what its loops span
    int rank = 0;
    for (auto& array : along)
      for (size& s : array) s = {1, 0};
    for (int i = 0; i < map.loops; ++i) {
      product_map::loop const& l = map.loop_at[i];
      size const n = map.extent_of(i, in[0].shape, in[1].shape, t);
      if (l.first >= 0) along[0][l.first] = along[0][l.first] * n;
      if (l.second >= 0) along[1][l.second] = along[1][l.second] * n;
      if (l.result >= 0) along[2][l.result] = along[2][l.result] * n;
      if (l.result >= rank) rank = l.result + 1;
    }
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < in[j].shape.rank; ++i)
        if (!(along[j][i] == t.size_of(in[j].shape.d[i])) && (j == 1 || !map.window_of(i))) return {{}, problem::shapes_differ, 0, 1};
    inferred r{{summed_in(in[0].type), {}}};
    for (int i = 0; i < rank; ++i) r.type.shape.push(t.extent_of(along[2][i]));
    return r;
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::mapped_product);

namespace sinter::ops::inline SINTER_ISA {

// The gradients of such a product are such products again: where y = sum of first * second, that of one factor is the sum of d times the other one
// over the loops in which it does not move. So the loops change roles.
template <class Graph> class mapped_gradient {  // a template, because it makes such products itself
 public:
  constexpr mapped_gradient(Graph& g, int y, int d)
      : g_(g),
        d_(d),
        first_(operand_of(g, y, 0)),
        second_(operand_of(g, y, 1)),
        x_(g.nodes[first_].type.shape),
        w_(g.nodes[second_].type.shape),
        map_(attributes_in<mapped_product>(g, g.nodes[y])) {}

  // Of the second factor, from the first one and d: the windows of the first one stay, but positions are added, and the kernel's loops are not.
  constexpr int of_second() {
    product_map to;
    bool exchanged[max_rank]{};
    for (int axis = 0; axis < w_.rank; ++axis)
      for (int i = 0; i < map_.loops; ++i)
        if (map_.loop_at[i].second == axis) add_turned(to, i);
    for (int i = 0; i < map_.loops; ++i) {
      if (map_.loop_at[i].second >= 0) continue;
      add_turned(to, i);
      if (map_.loop_at[i].first >= 0) exchanged[map_.loop_at[i].first] = is_before_one_of_second(i);
    }
    for (int i = 0; i < map_.windows; ++i) {
      product_map::window const& w = map_.window_at[i];
      to.add(exchanged[w.axis] ? product_map::window{w.axis, w.dilation, w.step, w.shift} : w);
    }
    return shaped(make<mapped_product>(g_, to, first_, d_), w_);
  }
  // True where each channel is convolved by itself, with a small kernel. The product of its second factor has one row and few columns then, so that
  // sums of windows take little more than half of the time.
  constexpr bool is_of_channels() {
    dims const d = g_.nodes[d_].type.shape;
    if (map_.windows == 0 || x_.rank != map_.windows + 2 || w_.rank != x_.rank || d.rank != x_.rank || w_.d[1] != 1) return false;
    if (x_.d[1] < 0 || w_.d[0] != x_.d[1] || d.d[1] != x_.d[1]) return false;
    bool channels = false;
    std::int64_t turns = 1;
    int positions = 0;
    for (int i = 0; i < map_.loops; ++i) {
      product_map::loop const& l = map_.loop_at[i];
      bool const spatial = l.first >= 2 && map_.window_of(l.first) != nullptr && x_.d[l.first] >= 0;
      if (l.first == 1 && l.second == 0 && l.result == 1) channels = true;
      else if (spatial && l.second < 0 && l.result == l.first && extent_of(i) > 0) ++positions;
      else if (spatial && l.second == l.first && l.result < 0 && extent_of(i) > 0) turns *= extent_of(i);
      else if (extent_of(i) != 1 && !(l.first == 0 && l.second < 0 && l.result == 0)) return false;
    }
    return channels && positions == map_.windows && turns <= 25;
  }
  // For each turn of the kernel the sum of d times the elements that it meets.
  constexpr int of_channels() {
    int padded = first_;
    int const rank = x_.rank;
    std::int64_t count = 1;
    dims s{x_.d[1], 1};
    for (int i = 0; i < map_.windows; ++i) {
      find_loops_of(i);
      window_loops const& w = window_[i];
      std::int64_t const reach = (extent_of(w.position) - 1) * w.e + (w.turns - 1) * w.f + 1, behind = reach - w.shift - x_.d[w.axis];
      padded = between_zeros(g_, padded, w.axis, w.shift, behind > 0 ? behind : 0);
      count *= w.turns;
    }
    list<int> sums;
    for (std::int64_t k = 0; k < count; ++k) {
      slice::attributes met;
      for (int axis = 0; axis < rank; ++axis) met.begin.push(open), met.end.push(open), met.step.push(1);
      std::int64_t left = k;
      for (int axis = rank - 1; axis >= 2; --axis)
        for (int i = 0; i < map_.windows; ++i) {
          window_loops const& w = window_[i];
          if (w.axis != axis) continue;
          std::int64_t const from = left % w.turns * w.f;
          left /= w.turns;
          met.begin.at[axis] = from, met.end.at[axis] = from + (extent_of(w.position) - 1) * w.e + 1, met.step.at[axis] = w.e;
        }
      std::int64_t const all_but_channels = ((std::int64_t{1} << rank) - 1) & ~std::int64_t{2};
      sums.push(make<reshape>(g_, {s}, make<sum>(g_, {all_but_channels, false}, make<multiply>(g_, make<slice>(g_, met, padded), d_))));
    }
    inferred why;
    return shaped(sums.size() == 1 ? sums[0] : g_.apply(info<concat>, {sums.data(), sums.size()}, pack(axis_attribute{1}), why), w_);
  }
  // Of the first factor, from d and the second one. Along a window axis with
  //   place = position * e + turn of the kernel * f - shift
  // an element at a place gets what the positions give for which a turn of the kernel leads there: turns with the same remainder by e. So there
  // is a product for each remainder of the place, with these turns of the kernel backwards.
  constexpr int of_first() {
    for (int i = 0; i < map_.windows; ++i) find_loops_of(i);
    return shaped(remainders(0), x_);
  }

 private:
  struct window_loops {
    int axis = -1;  // of the first factor
    int position = -1, kernel = -1;  // loops: in the result, in the second factor
    std::int64_t e = 1, f = 1, shift = 0;
    std::int64_t turns = 0, steps = 0;  // of the kernel; of the places with one remainder
    // Of one remainder: the turns of the kernel, from `first` on with `step` between them, and where they lead.
    std::int64_t first = 0, step = 1, count = 0, dilation = 1, behind = 0;
  };
  Graph& g_;
  int d_, first_, second_;
  dims x_, w_;
  product_map map_;
  window_loops window_[max_windows]{};

  constexpr extent extent_of(int loop) const {
    size const n = map_.extent_of(loop, x_, w_, g_.dimensions);
    return n.fixed() ? n.k : product_map::taken;
  }
  // A loop of the gradient of the second factor.
  constexpr void add_turned(product_map& to, int loop) const {
    product_map::loop const& l = map_.loop_at[loop];
    to.add(product_map::loop{l.first, l.result, l.second, extent_of(loop)});
  }
  // Whether a later loop along the same axis of the first factor moves in the second one.
  constexpr bool is_before_one_of_second(int loop) const {
    for (int j = loop + 1; j < map_.loops; ++j)
      if (map_.loop_at[j].first == map_.loop_at[loop].first && map_.loop_at[j].second >= 0) return true;
    return false;
  }
  constexpr int shaped(int r, dims const& s) const { return g_.nodes[r].type.shape == s ? r : make<reshape>(g_, {s}, r); }
  constexpr void find_loops_of(int i) {
    product_map::window const& w = map_.window_at[i];
    window_loops& r = window_[i];
    r.axis = w.axis;
    r.shift = w.shift;
    bool outer = true;
    for (int j = 0; j < map_.loops; ++j) {
      product_map::loop const& l = map_.loop_at[j];
      if (l.first != w.axis) continue;
      if (l.result >= 0 && l.second < 0) r.position = j, r.e = outer ? w.step : w.dilation;
      if (l.result < 0 && l.second >= 0) r.kernel = j, r.f = outer ? w.step : w.dilation;
      outer = false;
    }
    if (r.position < 0 || r.kernel < 0 || extent_of(r.kernel) < 0 || x_.d[w.axis] < 0)
      throw error("sinter: there is no gradient of a product with windows of this kind yet");
    r.turns = extent_of(r.kernel);
    r.steps = (x_.d[w.axis] + r.e - 1) / r.e;
  }
  // For the windows from i on.
  constexpr int remainders(int i) {
    if (i == map_.windows || i == max_windows) return product();  // the second for GCC, which writes the recursion out and warns of its end
    window_loops& w = window_[i];
    list<int> all;
    for (std::int64_t r = 0; r < w.e; ++r) {
      w.first = 0;
      while (w.first < w.turns && (r + w.shift - w.first * w.f) % w.e != 0) ++w.first;
      w.step = 1;
      while (w.step * w.f % w.e != 0) ++w.step;
      w.count = w.first < w.turns ? (w.turns - w.first + w.step - 1) / w.step : 0;
      w.dilation = w.step * w.f / w.e;
      w.behind = (w.count - 1) * w.dilation - (r + w.shift - w.first * w.f) / w.e;
      all.push(remainders(i + 1));
    }
    return by_turns(g_, all, w.axis, x_.d[w.axis]);
  }
  // The window whose position or kernel a loop is, or -1.
  constexpr int window_of(int loop) const {
    for (int i = 0; i < map_.windows; ++i)
      if (window_[i].position == loop || window_[i].kernel == loop) return i;
    return -1;
  }
  constexpr int product() {
    product_map to;
    dims made = x_;
    slice::attributes backwards;
    for (int k = 0; k < w_.rank; ++k) backwards.begin.push(open), backwards.end.push(open), backwards.step.push(1);
    bool nothing = false;
    for (int i = 0; i < map_.windows; ++i) {
      window_loops const& w = window_[i];
      int const axis = map_.loop_at[w.kernel].second;
      made.d[w.axis] = w.steps;
      nothing = nothing || w.count == 0;
      backwards.begin.at[axis] = w.first + (w.count - 1) * w.step;
      backwards.end.at[axis] = w.first > 0 ? w.first - 1 : open;
      backwards.step.at[axis] = -w.step;
    }
    if (nothing) return zeros_beside(g_, d_, made);
    // The loops in the order of the result's axes, as kernels want them, and then those that are added.
    for (int axis = 0; axis < x_.rank; ++axis)
      for (int j = 0; j < map_.loops; ++j) {
        product_map::loop const& l = map_.loop_at[j];
        if (l.first != axis) continue;
        int const i = window_of(j);
        if (i < 0) to.add(product_map::loop{l.result, l.second, axis, extent_of(j)});
        else if (window_[i].position == j) to.add(product_map::loop{l.result, -1, axis, window_[i].steps});
      }
    for (int j = 0; j < map_.loops; ++j) {
      product_map::loop const& l = map_.loop_at[j];
      int const i = window_of(j);
      if (l.first < 0) to.add(product_map::loop{l.result, l.second, -1, extent_of(j)});
      else if (i >= 0 && window_[i].kernel == j)
        to.add(product_map::loop{map_.loop_at[window_[i].position].result, l.second, -1, window_[i].count});
    }
    for (int i = 0; i < map_.windows; ++i)
      to.add(product_map::window{map_.loop_at[window_[i].position].result, 1, window_[i].dilation, window_[i].behind});
    int const second = map_.windows > 0 ? make<slice>(g_, backwards, second_) : second_;
    return shaped(make<mapped_product>(g_, to, d_, in_order_of(to, second)), made);
  }
  // The second factor with its axes in the order of the loops, where each axis has one: a copy of it then lies as kernels read it.
  constexpr int in_order_of(product_map& to, int second) {
    transpose::attributes order;
    int place[max_rank]{};
    bool turned = false;
    for (int i = 0; i < to.loops; ++i)
      if (int const axis = to.loop_at[i].second; axis >= 0) {
        for (int k = 0; k < order.axes.n; ++k)
          if (order.axes[k] == axis) return second;
        place[axis] = order.axes.n;
        turned = turned || axis != order.axes.n;
        order.axes.push(axis);
      }
    if (!turned || order.axes.n != w_.rank) return second;
    for (int i = 0; i < to.loops; ++i)
      if (int& axis = to.loop_at[i].second; axis >= 0) axis = place[axis];
    return make<transpose>(g_, order, second);
  }
};
constexpr int mapped_product::gradient(auto& g, int y, operand_nodes d, int i) {
  mapped_gradient<std::remove_cvref_t<decltype(g)>> r(g, y, d[0]);
  if (i == 0) return r.of_first();
  return r.is_of_channels() ? r.of_channels() : r.of_second();
}

}  // namespace sinter::ops::inline SINTER_ISA
