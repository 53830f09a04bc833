// SPDX-License-Identifier: Apache-2.0
// Functions that a model defines itself: each call of one becomes the nodes of its body, with names of their own.
#pragma once
#include <array>
#include <map>
#include <set>

#include "../io/array.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

class function_writer {
 public:
  function_writer(model_proto& m, std::string const& file) : m_(m), file_(file) {
    for (function const& f : m.functions) {
      if (!functions_.emplace(key(f.domain, f.name, f.overload), &f).second)
        fail(f.at, "the model has two functions " + io::in_quotes(f.name));
      for (opset const& o : f.opsets)
        for (opset const& of_model : m.opsets)
          if (o.domain.empty() && of_model.domain.empty() && o.version != of_model.version)
            fail(f.at, "function " + io::in_quotes(f.name) + " is of opset " + std::to_string(o.version) + ", and the model of opset " +
                           std::to_string(of_model.version) + ", which is not read");
    }
  }
  void run() {
    note_names(m_.graph);
    graph_of(m_.graph, nullptr);
    m_.functions.clear();
  }

 private:
  using key_of_function = std::array<std::string, 3>;
  static constexpr int deepest = 32;
  static constexpr std::size_t most_nodes = 1 << 18;
  model_proto& m_;
  std::string const& file_;
  std::map<key_of_function, function const*> functions_;
  std::set<std::string> taken_;
  std::size_t written_ = 0;
  int calls_ = 0, depth_ = 0;

  // What a call gives to the body of a function.
  struct call {
    function const& of;
    node const& from;
    std::map<std::string, std::string> names;
    std::string prefix;
  };

  [[noreturn]] void fail(std::uint64_t at, std::string const& reason) const { throw file_error(file_, at, reason); }
  static key_of_function key(std::string const& domain, std::string const& name, std::string const& overload) {
    return {domain == "ai.onnx" ? "" : domain, name, overload};
  }
  void note_names(graph const& g) {
    for (value const& v : g.inputs) taken_.insert(v.name);
    for (tensor const& t : g.initializers) taken_.insert(t.name);
    for (node const& n : g.nodes) {
      taken_.insert(n.outputs.begin(), n.outputs.end());
      for (attribute const& a : n.attributes)
        for (graph const& inner : a.graphs) note_names(inner);
    }
  }
  static std::string renamed(call& c, std::string const& name) {
    if (name.empty()) return name;
    auto const at = c.names.find(name);
    return at == c.names.end() ? c.prefix + name : at->second;
  }
  void count(std::size_t nodes, std::uint64_t at) {
    written_ += nodes;
    if (written_ > most_nodes) fail(at, "the functions of the model, written out, have more than " + std::to_string(most_nodes) + " nodes");
  }
  static std::size_t nodes_in(graph const& g) {
    std::size_t r = g.nodes.size();
    for (node const& n : g.nodes)
      for (attribute const& a : n.attributes)
        for (graph const& inner : a.graphs) r += nodes_in(inner);
    return r;
  }
  // The nodes of a graph, `c` being the call in whose body it stands.
  void graph_of(graph& g, call* c) {
    std::vector<node> all;
    for (node& n : g.nodes) node_of(std::move(n), c, all);
    g.nodes = std::move(all);
    if (!c) return;
    for (value& v : g.inputs) v.name = renamed(*c, v.name);
    for (value& v : g.outputs) v.name = renamed(*c, v.name);
    for (tensor& t : g.initializers) t.name = renamed(*c, t.name);
  }
  void node_of(node n, call* c, std::vector<node>& to) {
    if (c) {
      for (std::string& s : n.inputs) s = renamed(*c, s);
      for (std::string& s : n.outputs) s = renamed(*c, s);
      n.name = c->prefix + n.name;
    }
    std::vector<attribute> kept;
    for (attribute& a : n.attributes) {
      if (!a.refers_to.empty()) {
        if (!c) fail(a.at, "attribute " + io::in_quotes(a.name) + " refers to one of a function, and stands in none");
        attribute const* const given = given_to(*c, a.refers_to);
        if (!given) continue;
        kept.push_back(*given);  // whose graphs are of the caller, and done
        kept.back().name = a.name;
        for (graph const& inner : given->graphs) count(nodes_in(inner), a.at);
        continue;
      }
      for (graph& inner : a.graphs) graph_of(inner, c);
      kept.push_back(std::move(a));
    }
    n.attributes = std::move(kept);
    count(1, n.at);  // calls, too: they may be many of functions without nodes
    auto const at = functions_.find(key(n.domain, n.op, n.overload));
    if (at != functions_.end()) return body_of(*at->second, n, to);
    to.push_back(std::move(n));
  }
  static attribute const* given_to(call const& c, std::string const& name) {
    for (auto const* all : {&c.from.attributes, &c.of.defaults})
      for (attribute const& a : *all)
        if (a.name == name) return &a;
    return nullptr;
  }
  void body_of(function const& f, node const& n, std::vector<node>& to) {
    if (depth_ == deepest) fail(n.at, "functions of the model call each other more than " + std::to_string(deepest) + " deep");
    if (n.inputs.size() > f.inputs.size() || n.outputs.size() > f.outputs.size())
      fail(n.at, "function " + io::in_quotes(f.name) + " has " + io::counted(f.inputs.size(), "input") + " and " +
                     io::counted(f.outputs.size(), "output") + ", and is called with other numbers of them");
    call c{f, n, {}, fresh_prefix(f.name)};
    std::vector<node> copies;
    for (std::size_t i = 0; i < f.inputs.size(); ++i) c.names.emplace(f.inputs[i], i < n.inputs.size() ? n.inputs[i] : std::string());
    for (std::size_t i = 0; i < f.outputs.size() && i < n.outputs.size(); ++i) {
      if (n.outputs[i].empty()) continue;
      if (c.names.emplace(f.outputs[i], n.outputs[i]).second) continue;
      node same;  // what it is given, or gives twice
      same.name = c.prefix + "copy", same.op = "Identity", same.at = n.at;
      same.inputs = {renamed(c, f.outputs[i])}, same.outputs = {n.outputs[i]};
      copies.push_back(std::move(same));
    }
    ++depth_;
    for (node const& inner : f.nodes) node_of(inner, &c, to);
    --depth_;
    for (node& same : copies) to.push_back(std::move(same));
  }
  // Names that no other value begins with.
  std::string fresh_prefix(std::string const& name) {
    for (;;) {
      std::string const prefix = name + "." + std::to_string(calls_++) + ".";
      auto const at = taken_.lower_bound(prefix);
      if (at == taken_.end() || !at->starts_with(prefix)) return prefix;
    }
  }
};

}  // namespace detail

// The model without functions of its own. What it calls is written where it is called.
inline model_proto without_functions(model_proto m, std::string const& file) {
  detail::function_writer(m, file).run();
  return m;
}

}  // namespace sinter::onnx::inline SINTER_ISA
