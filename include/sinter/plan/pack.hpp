// SPDX-License-Identifier: Apache-2.0
// In which order blocks with known lifetimes are stacked in memory: dynamic storage allocation, which is NP-hard.
#pragma once
#include "plan.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The bytes of a buffer and of those that reuse them, from the kernel that writes them first to the one that reads them last.
struct resident {
  int buffer = 0, first = 0, last = 0;
};

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {

// Sorts by a key, larger first; equal keys keep their order.
template <class Key> constexpr void sort_down(list<int>& order, Key key) {
  list<int> from = order;  // merge sort: linear steps a level
  for (int width = 1; width < order.size(); width *= 2) {
    for (int a = 0; a < order.size(); a += 2 * width) {
      int const mid = a + width < order.size() ? a + width : order.size(),
                stop = a + 2 * width < order.size() ? a + 2 * width : order.size();
      int l = a, r = mid;
      for (int k = a; k < stop; ++k) {
        bool const left = l < mid && (r >= stop || key(order[l]) >= key(order[r]));
        from[k] = order[left ? l++ : r++];
      }
    }
    order = from;
  }
}

// Greedy: the largest first (Pisarchyk and Lee, arXiv 2001.03288), each into the lowest gap that is free while it lives. Where that misses
// the lower bound other orders are tried, then the best one is changed at random: the topmost block, or one below it, moves to another
// position in the order, and the change is kept if the result is not worse.
class packer {
 public:
  constexpr packer(list<resident> const& live, list<std::int64_t> const& bytes) : live_(live), bytes_(bytes) {}
  list<std::int64_t> end;   // the result: where each block ends
  std::int64_t height = 0;  // and the total height

  constexpr void pack(std::int64_t lower_bound) {
    list<int> o = all();
    sort_down(o, [&](int i) { return -live_[i].first; });
    if (pairs(o) > most_pairs) return place_by_time(o);
    find_neighbours(o);
    o = all();
    auto const length = [&](int i) { return std::int64_t{live_[i].last - live_[i].first + 1}; };
    sort_down(o, [&](int i) { return bytes_[i]; });
    attempt(o);
    auto const unfinished = [&] { return height > lower_bound && may_look(); };
    if (unfinished()) {
      sort_down(o, [&](int i) { return bytes_[i] * length(i); });
      attempt(o);
    }
    if (unfinished()) {
      sort_down(o, length);
      attempt(o);
    }
    while (unfinished()) change();
  }
  // From the bottom up.
  constexpr list<int> stack() const {
    list<int> r = all();
    sort_down(r, [&](int i) { return bytes_[i] - end[i]; });
    return r;
  }

 private:
  list<resident> const& live_;
  list<std::int64_t> const& bytes_;
  list<int> near_, near_at_;  // for each block, those that are alive at the same time
  list<int> order_;  // the order in which they are placed
  list<std::int64_t> trial_;
  int looks_ = 0;             // comparisons of two blocks
  std::uint32_t random_ = 1;
  // Clang gives up on an evaluation after 2^20 steps, and comparing two blocks takes three of them. The more residents there are, the fewer
  // looks are left.
  constexpr bool may_look() const { return looks_ < 1000 * (128 - live_.size()); }

  constexpr list<int> all() const {
    list<int> r;
    r.reserve(live_.size());
    for (int i = 0; i < live_.size(); ++i) r.push(i);
    return r;
  }
  // Limit of the pairs of blocks alive at the same time; comparing more takes too many steps, as in the training of a hundred layers. Beyond it each
  // block is placed when its life begins, into the lowest free gap. In training lives are nested, so that little memory is lost.
  static constexpr int most_pairs = 12000;
  // Number of pairs of blocks that are alive at the same time.
  constexpr int pairs(list<int> const& by_first) const {
    list<int> by_last = all();
    sort_down(by_last, [&](int i) { return -live_[i].last; });
    int sum = 0, ended = 0;
    for (int k = 0; k < by_first.size(); ++k) {
      while (live_[by_last[ended]].last < live_[by_first[k]].first) ++ended;
      sum += k - ended;
    }
    return sum;
  }
  constexpr void place_by_time(list<int> const& by_first) {
    end.resize(live_.size(), 0);
    list<int> lying(live_.size());  // those that are alive, from the bottom up
    resident const* const live = live_.data();
    std::int64_t const* const bytes = bytes_.data();
    std::int64_t* const ends = end.begin();
    int* const alive = lying.begin();
    int n = 0;
    for (int i : by_first) {
      int kept = 0, place = -1;
      std::int64_t at = 0;
      for (int k = 0; k < n; ++k) {
        int const j = alive[k];
        if (live[j].last < live[i].first) continue;
        if (place < 0 && ends[j] - bytes[j] - at >= bytes[i]) place = kept;
        if (place < 0) at = ends[j];
        alive[kept++] = j;
      }
      if (place < 0) place = kept;
      for (int k = kept; k > place; --k) alive[k] = alive[k - 1];
      alive[place] = i;
      n = kept + 1;
      ends[i] = at + bytes[i];
      if (ends[i] > height) height = ends[i];
    }
  }
  constexpr void find_neighbours(list<int> const& by_first) {
    near_at_.resize(live_.size() + 1);
    meet_neighbours(by_first, true);
    int sum = 0;
    for (int& n : near_at_) n = sum += n;
    near_.extend(sum);
    meet_neighbours(by_first, false);
  }
  // Counts the neighbours of each block, or writes them down before `near_at_`, which is where they end. In the order of their first kernels,
  // so that only blocks that are still alive have to be compared. Many may be alive for long, so each pair has few statements.
  constexpr void meet_neighbours(list<int> const& by_first, bool count) {
    list<int> all_alive(live_.size());
    resident const* const live = live_.data();
    int *const alive = all_alive.begin(), *const at = near_at_.begin(), *const near = near_.begin();
    int n = 0;
    for (int i : by_first) {
      int kept = 0;
      for (int k = 0; k < n; ++k)
        if (int const j = alive[k]; live[j].last >= live[i].first) {
          alive[kept++] = j;
          if (count) ++at[i], ++at[j];
          else near[--at[i]] = j, near[--at[j]] = i;
        }
      n = kept;
      alive[n++] = i;
    }
  }
  constexpr int pick(int n) {
    random_ = random_ * 1664525u + 1013904223u;
    return static_cast<int>((random_ >> 16) % static_cast<std::uint32_t>(n));
  }
  // Places the blocks in this order, whose first `known` positions are those of `order_`, and keeps the result unless it is higher.
  constexpr void attempt(list<int> const& o, int known = 0) {
    std::int64_t top = 0;
    trial_.shrink(0);
    trial_.resize(live_.size(), -1);
    std::int64_t const* const bytes = bytes_.data();  // not through functions, because each call costs steps
    std::int64_t* const ends = trial_.begin();
    for (int k = 0; k < known; ++k) {
      ends[o[k]] = end[o[k]];
      if (end[o[k]] > top) top = end[o[k]];
    }
    looks_ += o.size();
    for (int k = known; k < o.size(); ++k) {
      int const i = o[k];
      int const* const near = near_.data() + near_at_[i];
      int const n = near_at_[i + 1] - near_at_[i];
      std::int64_t const size = bytes[i];
      std::int64_t at = 0;
      // There and back: in one order neighbours that lie on each other move it a step each, in the other all at once.
      for (bool moved = true, back = true; moved; back = !back) {
        moved = false;
        for (int m = 0; m < n; ++m)
          if (int const j = near[back ? n - 1 - m : m]; ends[j] > at && ends[j] - bytes[j] < at + size) at = ends[j], moved = true;
        looks_ += n + 2;
      }
      ends[i] = at + size;
      if (ends[i] > top) top = ends[i];
      if (!end.empty() && top > height) return;
    }
    height = top;
    order_ = o;
    end = trial_;
  }
  // The topmost block, or one below it, moves to another position in the order.
  constexpr void change() {
    list<int> some;
    for (int i : order_)
      if (end[i] == height) some.push(i);
    int moved = some[pick(some.size())];
    while (pick(2)) {  // from the top down
      some.shrink(0);
      for (int k = near_at_[moved]; k < near_at_[moved + 1]; ++k)
        if (end[near_[k]] == end[moved] - bytes_[moved]) some.push(near_[k]);
      if (some.empty()) break;
      moved = some[pick(some.size())];
    }
    int const to = pick(order_.size());
    list<int> r;
    r.reserve(order_.size());
    int from = 0;
    for (int i : order_) {
      if (i == moved) from = r.size();
      if (r.size() == to) r.push(moved);
      if (i != moved) r.push(i);
    }
    if (r.size() < order_.size()) r.push(moved);
    looks_ += 4 * r.size() + 100;
    attempt(r, from < to ? from : to);
  }
};

}  // namespace detail::inline SINTER_ISA
}  // namespace sinter
