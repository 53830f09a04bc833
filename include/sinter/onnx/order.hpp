// SPDX-License-Identifier: Apache-2.0
// Puts the nodes of a graph into an order in which each stands after those whose results it reads. ONNX asks for such an order; not all files
// have one.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "../io/array.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

using name_set = std::set<std::string>;

inline std::string described(node const& n) { return (n.name.empty() ? "a node" : "node " + io::in_quotes(n.name)) + " (" + n.op + ")"; }

// The values of a graph that are not results of its nodes.
inline name_set values_given_to(graph const& g) {
  name_set r;
  for (value const& v : g.inputs) r.insert(v.name);
  for (tensor const& t : g.initializers) r.insert(t.name);
  return r;
}
name_set captured_by(graph const& g);
// The values that a node reads, also those that graphs in its attributes capture.
inline name_set read_by(node const& n) {
  name_set r(n.inputs.begin(), n.inputs.end());
  r.erase(std::string());
  for (attribute const& a : n.attributes)
    for (graph const& g : a.graphs) r.merge(captured_by(g));
  return r;
}
// The values that a graph reads and that it does not have itself.
inline name_set captured_by(graph const& g) {
  name_set own = values_given_to(g), read;
  for (node const& n : g.nodes) {
    own.insert(n.outputs.begin(), n.outputs.end());
    read.merge(read_by(n));
  }
  for (value const& v : g.outputs) read.insert(v.name);
  for (std::string const& name : own) read.erase(name);
  return read;
}

class node_sorter {
 public:
  node_sorter(graph& g, std::string const& file) : nodes_(g.nodes), file_(file), given_(values_given_to(g)) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::string const& o : nodes_[i].outputs)
        if (!o.empty() && !given_.contains(o)) writers_.emplace(o, i);
  }
  // `around`: the names of the graphs in which this one stands. Nodes that are in order stay so, and so do their graphs.
  void run(name_set around) {
    std::vector<std::vector<std::size_t>> readers(nodes_.size());
    std::vector<std::size_t> waits_for(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::string const& name : read_by(nodes_[i])) {
        auto const writer = writers_.find(name);
        if (writer == writers_.end()) continue;
        if (writer->second >= i && around.contains(name)) refuse_two_meanings(nodes_[i], name);
        readers[writer->second].push_back(i);
        ++waits_for[i];
      }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (waits_for[i] == 0) ready.push(i);
    std::vector<std::size_t> order;
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (std::size_t const reader : readers[order.back()])
        if (--waits_for[reader] == 0) ready.push(reader);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (waits_for[i] != 0) refuse_cycle(i, waits_for);
    std::vector<node> sorted;
    sorted.reserve(order.size());
    for (std::size_t const i : order) sorted.push_back(std::move(nodes_[i]));
    nodes_ = std::move(sorted);
    around.merge(given_);
    for (auto const& [name, writer] : writers_) around.insert(name);
    for (node& n : nodes_)
      for (attribute& a : n.attributes)
        for (graph& inner : a.graphs) node_sorter(inner, file_).run(around);
  }

 private:
  std::vector<node>& nodes_;
  std::string const& file_;
  name_set given_;
  std::map<std::string, std::size_t> writers_;

  [[noreturn]] void refuse_two_meanings(node const& n, std::string const& name) const {
    throw file_error(
        file_, n.at,
        described(n) + " reads " + io::in_quotes(name) +
            ", which is a result of a later node of its graph and a value of a graph around it; give one of them another name");
  }
  // Of nodes that wait for others each has one among them that it reads, so that going from one to the next ends in a cycle.
  [[noreturn]] void refuse_cycle(std::size_t at, std::vector<std::size_t> const& waits_for) const {
    std::vector<std::size_t> path;
    std::vector<std::string> through;
    for (std::vector<bool> met(nodes_.size()); !met[at];) {
      met[at] = true;
      path.push_back(at);
      for (std::string const& name : read_by(nodes_[at]))
        if (auto const writer = writers_.find(name); writer != writers_.end() && waits_for[writer->second] != 0) {
          through.push_back(name);
          at = writer->second;
          break;
        }
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    through.erase(through.begin(), through.end() - static_cast<std::ptrdiff_t>(path.size()));
    constexpr std::size_t most = 8;
    std::string cycle = described(nodes_[at]);
    for (std::size_t i = 0; i < std::min(path.size(), most); ++i) {
      bool const is_cut = i + 1 == most && path.size() > most;
      cycle += (i ? ", which reads " : " reads ") + io::in_quotes(through[i]) + " of " +
               (is_cut ? io::counted(path.size() - most, "node") + " more" : described(nodes_[path[(i + 1) % path.size()]]));
    }
    throw file_error(file_, nodes_[at].at, "the nodes of a graph must not read each other's results in a cycle: " + cycle);
  }
};

}  // namespace detail

// The model with the nodes of each graph in an order in which they can be computed. A cycle is a file_error that names its nodes.
inline model_proto in_order(model_proto m, std::string const& file) {
  detail::node_sorter(m.graph, file).run({});
  return m;
}

}  // namespace sinter::onnx::inline SINTER_ISA
