// SPDX-License-Identifier: Apache-2.0
// The graph of a symbol while it is written, and inside of it those of the bodies of control flow that are open.
#pragma once
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "../graph/graph.hpp"
#include "../ops/region.hpp"
#include "symbol.hpp"

namespace sinter::sym::inline SINTER_ISA {

class levels {
 public:
  levels() { all_.push_back(std::make_unique<level>()); }
  graph& whole() { return all_[0]->g; }
  graph& now() { return all_.back()->g; }
  graph const& now() const { return all_.back()->g; }
  // The dimensions of the whole are those of the innermost graph until it is closed.
  dimension_table& dimensions() { return now().dimensions; }

  void add(composed const& k, int i, int node) { all_.back()->results[{&k, i}] = node; }
  void add_to_whole(composed const& k, int node) { all_[0]->results[{&k, 0}] = node; }
  // The type of a result, wherever it is.
  array_type const* find_type(composed const& k, int i) const {
    for (std::size_t l = all_.size(); l-- > 0;)
      if (auto const at = all_[l]->results.find({&k, i}); at != all_[l]->results.end()) return &all_[l]->g.nodes[at->second].type;
    return nullptr;
  }
  // A result as a node of the innermost graph, in which what is outside becomes an input; -1 where it belongs to a body that was closed.
  int find(composed const& k, int i) { return find_in(all_.size() - 1, k, i); }

  // ---- bodies

  struct level {
    graph g;
    std::map<std::pair<composed const*, int>, int> results;
    struct link {
      int outside = -1, node = -1;
    };
    std::vector<link> captured;
  };
  void open() {
    auto inner = std::make_unique<level>();
    inner->g.dimensions = std::move(now().dimensions);
    all_.push_back(std::move(inner));
  }
  void argument(composed const& k, array_type const& type) { add(k, 0, input(*all_.back(), type)); }
  std::unique_ptr<level> close() {
    auto inner = std::move(all_.back());
    all_.pop_back();
    now().dimensions = inner->g.dimensions;
    return inner;
  }
  // What another body uses from outside is an input of this one, too, so that both are called alike.
  void capture_like(level& body, level const& other) {
    for (auto const& l : other.captured) capture(body, now().nodes[l.outside].type, l.outside);
  }
  void capture_like(level const& other) {
    for (auto const& l : other.captured) capture(*all_.back(), all_[all_.size() - 2]->g.nodes[l.outside].type, l.outside);
  }
  int finish(level const& body) {
    whole().bodies.push(body.g);
    return whole().bodies.size() - 1;
  }

 private:
  std::vector<std::unique_ptr<level>> all_;

  static int input(level& l, array_type const& type) {
    node k;
    k.op = &input_op;
    k.type = type;
    k.index = l.g.inputs++;
    return l.g.append(k);
  }
  static int capture(level& l, array_type const& type, int outside) {
    for (auto const& c : l.captured)
      if (c.outside == outside) return c.node;
    l.captured.push_back({outside, input(l, type)});
    return l.captured.back().node;
  }
  int find_in(std::size_t l, composed const& k, int i) {
    level& in = *all_[l];
    if (auto const at = in.results.find({&k, i}); at != in.results.end()) return at->second;
    if (l == 0) return -1;
    int const outside = find_in(l - 1, k, i);
    if (outside < 0) return -1;
    node const& from = all_[l - 1]->g.nodes[outside];
    int at = -1;
    if (*from.op == parameter_op) {
      node p;
      p.op = &parameter_op;
      p.type = from.type;
      p.index = from.index;
      p.name = in.g.intern(all_[l - 1]->g.str(from.name));
      at = in.g.append(p);
    } else at = capture(in, from.type, outside);
    return in.results[{&k, i}] = at;
  }
};

}  // namespace sinter::sym::inline SINTER_ISA
