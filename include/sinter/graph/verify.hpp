// SPDX-License-Identifier: Apache-2.0
// Checks whether a graph is valid.
#pragma once
#include "../core/error.hpp"
#include "graph.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is wrong with the type of a node whose operands have the types `in`.
constexpr std::string_view fault_of_type(graph const& g, node const& k, operand_types in) {
  if (k.op->kind == family::tuple) return {};
  if (k.op->kind == family::result) {
    if (in.n != 1 || k.index < 0) return "a result is one of no operation";
    node const& from = g.nodes[g.operand(k, 0)];
    if (from.op->kind != family::tuple && !(g.type_of_result(from, k.index) == k.type))
      return "a result has another type than its operation gives";
    return {};
  }
  if (!k.op->arity.holds(k.in.n)) return "an operation has another number of operands than it takes";
  dimension_table t = g.dimensions;
  inferred const r = k.op->infer(in, g.words_of(k), t);
  if (r.what != problem::none) return "an operation's operands do not fit";
  if (!((k.op->several ? array_type{} : r.type) == k.type)) return "a node has another type than its operation gives";
  return {};
}
// What is wrong with a graph; empty when nothing is. Operands must come before their users, indices must be in range, and each type must be
// what the operation's own rule gives.
constexpr std::string_view fault_of(graph const& g) {
  int inputs = 0;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    if (!k.op) return "a node has no operation";
    if (k.in.n < 0 || (k.in.n && (k.in.at < 0 || k.in.at + k.in.n > g.operands.size()))) return "a node's operands lie outside their list";
    if (k.attributes.at < 0 || k.attributes.at + k.attributes.n > g.attributes.size()) return "a node's attributes lie outside their list";
    if (k.op->kind == family::leaf) {
      if (k.in.n) return "a leaf has operands";
      if (*k.op == input_op && (k.index < 0 || k.index >= g.inputs)) return "an input has no such number";
      inputs += *k.op == input_op;
      if (*k.op != constant_op) continue;
      if (k.index < 0 || k.index + k.data > g.data.size()) return "a constant's data lie outside their list";
      if (k.data != 1 && k.data != k.type.shape.size()) return "a constant has another number of data than its shape";
      continue;
    }
    list<array_type> in;
    for (int j = 0; j < k.in.n; ++j) {
      int const o = g.operand(k, j);
      if (o < 0 || o >= i) return "a node stands before its operand";
      bool const several = g.nodes[o].op->several || g.kind(o) == family::tuple;
      if (several != (k.op->kind == family::result)) return "an operation with several results is read as if it had one, or the reverse";
      in.push(g.nodes[o].type);
    }
    if (std::string_view const fault = fault_of_type(g, k, {in.data(), in.size()}); !fault.empty()) return fault;
  }
  for (int o : g.outputs)
    if (o < 0 || o >= g.nodes.size()) return "an output is no node";
  if (g.results() < 0) return "a parameter gets no next value";
  for (int i = 0; i < g.updates.size(); ++i)
    for (node const& k : g.nodes)
      if (*k.op == parameter_op && k.index == g.updates[i]) {
        if (k.data != 1) return "a parameter that changes is taken for one that does not";
        if (!(g.nodes[g.outputs[g.results() + i]].type == k.type)) return "a parameter's next value has another type";
      }
  if (inputs != g.inputs) return "an input is missing";
  return {};
}

// With SINTER_CHECK_LEVEL 1, which takes compile time, what is not valid is a sinter::error; in a constant expression the compiler shows
// the throw.
template <class Product> constexpr void verify([[maybe_unused]] Product const& p, [[maybe_unused]] char const* door) {
#if SINTER_CHECK_LEVEL >= 1
  if (std::string_view const fault = fault_of(p); !fault.empty())
    throw error("sinter: behind " + std::string(door) + ": " + std::string(fault));
#endif
}

}  // namespace SINTER_ISA
}  // namespace sinter
