// SPDX-License-Identifier: Apache-2.0
// Names as a tree of their parts, in which numbers are the children of a sequence: `layers.10.weight` is layers, 10, weight.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// A template, as `matching` is, so that a program which loads nothing does not compile it.
template <class = void> struct name_tree {
  struct node {
    std::map<std::string, std::size_t> names;
    std::map<int, std::size_t> numbers;
    int leaf = -1;    // the index of what has this name, or -1 where nothing or more than one has it
    int n_leaves = 0;  // with this name, and below
    int n_here = 0;    // with this name
  };
  std::vector<node> nodes{1};  // the root first

  // Beside the number of a child stand dots (or `/`); `layer_1` is what somebody called it.
  void insert(std::string_view name, int leaf) {
    std::size_t at = 0;
    ++nodes[0].n_leaves;
    char before = '.';
    for (bool more = true; more;) {
      std::string const part(name.substr(0, name.find_first_of("._/")));
      more = part.size() < name.size();
      char const after = more ? name[part.size()] : '.';
      bool const is_child = before != '_' && after != '_' && is_number(part);
      auto const next = nodes.size();
      auto const child = is_child ? nodes[at].numbers.try_emplace(std::stoi(part), next).first->second
                                  : nodes[at].names.try_emplace(part, next).first->second;
      if (child == next) nodes.emplace_back();
      at = child;
      ++nodes[at].n_leaves;
      before = after;
      name.remove_prefix(part.size() + (more ? 1 : 0));
    }
    nodes[at].leaf = ++nodes[at].n_here == 1 ? leaf : -1;
  }

  // Pairs the leaves below node w with those below node h of `other`: the same names, and of a sequence the k-th child with the k-th, where
  // both have as many. Whether all were paired; `all`: stops where one was not. pair(leaf, leaf of other) says whether they fit.
  template <class Pair> bool align(std::size_t w, name_tree const& other, std::size_t h, bool all, Pair const& pair) const {
    node const &ours = nodes[w], &theirs = other.nodes[h];
    bool whole = ours.n_here == 0 || (ours.leaf >= 0 && theirs.leaf >= 0 && pair(ours.leaf, theirs.leaf));
    for (auto const& [name, child] : ours.names) {
      if (all && !whole) return false;
      auto const same = theirs.names.find(name);
      whole = same != theirs.names.end() && align(child, other, same->second, all, pair) && whole;
    }
    if (ours.numbers.empty() || (all && !whole)) return whole;
    if (!may_leave_out(ours, theirs)) {
      if (all || is_shifted(ours, theirs)) return false;
      for (auto const& [number, child] : ours.numbers)
        if (auto const same = theirs.numbers.find(number); same != theirs.numbers.end()) align(child, other, same->second, all, pair);
      return false;
    }
    for (auto x = ours.numbers.begin(), y = theirs.numbers.begin(); x != ours.numbers.end(); ++x, ++y)
      whole = (!all || whole) && align(x->second, other, y->second, all, pair) && whole;
    return whole;
  }
  // True where children of the same number may be different ones, here or below.
  bool is_shifted(std::size_t w, name_tree const& other, std::size_t h) const {
    return anywhere(w, other, h, [&](std::size_t x, std::size_t y) { return is_shifted(nodes[x], other.nodes[y]); });
  }
  // True where the k-th children of two sequences may be the same, and those of the same number as well: one has fewer children and leaves out more
  // numbers, or the other fewer; or they have equally many, and one begins later. Here or below.
  template <class Pair> bool may_be_others(std::size_t w, name_tree const& other, std::size_t h, Pair const& pair) const {
    return anywhere(w, other, h, [&](std::size_t at, std::size_t there) {
      auto const &ours = nodes[at].numbers, &theirs = other.nodes[there].numbers;
      auto const where = differences(ours, theirs);
      auto const fit = [&](std::size_t x, std::size_t y) { return align(x, other, y, true, pair); };
      if (ours.size() == theirs.size())
        return where == neither && !ours.empty() && ours.begin()->first != theirs.begin()->first &&
               std::any_of(ours.begin(), ours.end(), [&](auto const& child) {
                 auto const same = theirs.find(child.first);
                 return same != theirs.end() && fit(child.second, same->second);
               });
      bool all = where == in_a || where == in_b;
      for (auto x = ours.begin(), y = theirs.begin(); x != ours.end() && y != theirs.end(); ++x, ++y)
        all = all && fit(x->second, y->second);
      return all;
    });
  }

 private:
  template <class Is> bool anywhere(std::size_t w, name_tree const& other, std::size_t h, Is const& is) const {
    auto const below = [&](auto const& mine, auto const& others) {
      return std::any_of(mine.begin(), mine.end(), [&](auto const& child) {
        auto const same = others.find(child.first);
        return same != others.end() && anywhere(child.second, other, same->second, is);
      });
    };
    return is(w, h) || below(nodes[w].names, other.nodes[h].names) || below(nodes[w].numbers, other.nodes[h].numbers);
  }
  static bool is_number(std::string const& s) {
    return !s.empty() && s.size() < 10 && s.find_first_not_of("0123456789") == s.npos && (s.size() == 1 || s[0] != '0');
  }
  // True where a number that both have stands between one that only one of them has and one that only the other has.
  static bool is_shifted(node const& ours, node const& theirs) {
    std::map<int, int> of;  // 1: ours, 2: theirs
    for (auto const& child : ours.numbers) of[child.first] |= 1;
    for (auto const& child : theirs.numbers) of[child.first] |= 2;
    int before = 0, before_shared = 0;  // whose numbers the other lacks
    for (auto const& [number, whose] : of) {
      if (whose == 3) before_shared = before;
      else if ((before_shared & ~whose) != 0) return true;
      else before |= whose;
    }
    return false;
  }
  // True where two sequences have equally many children with parameters, and one leaves out more numbers than the other everywhere: PyTorch's
  // activations have numbers, and those in a dense<8, relu> have none.
  static bool may_leave_out(node const& a, node const& b) {
    return a.numbers.size() == b.numbers.size() && differences(a.numbers, b.numbers) != both;
  }
  // The sequence, a or b, that leaves out more numbers between its children than the other, as far as both have children.
  enum gaps { neither, in_a, in_b, both };
  using children = std::map<int, std::size_t>;
  static gaps differences(children const& a, children const& b) {
    int r = neither;
    auto x = a.begin(), y = b.begin();
    for (auto last_x = x, last_y = y; x != a.end() && y != b.end(); last_x = x++, last_y = y++) {
      int const of_a = x->first - last_x->first, of_b = y->first - last_y->first;
      r |= of_a > of_b ? in_a : of_a < of_b ? in_b : neither;
    }
    return static_cast<gaps>(r);
  }
};

}  // namespace sinter::io::inline SINTER_ISA::detail
