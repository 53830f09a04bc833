// SPDX-License-Identifier: Apache-2.0
// The grammar of a graph, checked.
#pragma once
#include "../core/error.hpp"
#include "graph.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is wrong with a graph; empty when nothing is. Operands stand before their users, indices point at something, and each type is what
// the operation's own rule gives.
constexpr std::string_view fault_of(graph const& g) {
  int inputs = 0;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    if (!k.op) return "a node has no operation";
    if (k.in.n < 0 || (k.in.n && (k.in.at < 0 || k.in.at + k.in.n > g.operands.size()))) return "a node's operands lie outside their list";
    if (k.attrs >= g.attrs.size()) return "a node's attributes lie outside their list";
    if (k.op->kind == family::leaf) {
      if (k.in.n) return "a leaf has operands";
      if (*k.op == input_op && (k.index < 0 || k.index >= g.inputs)) return "an input has no such number";
      inputs += *k.op == input_op;
      if (*k.op != constant_op) continue;
      if (k.index < 0 || k.index + k.data > g.data.size()) return "a constant's data lie outside their list";
      if (k.data != 1 && k.data != k.type.shape.size()) return "a constant has another number of data than its shape";
      continue;
    }
    if (!k.op->arity.holds(k.in.n)) return "an operation has another number of operands than it takes";
    list<array_type> in;
    for (int j = 0; j < k.in.n; ++j) {
      if (g.operand(k, j) < 0 || g.operand(k, j) >= i) return "a node stands before its operand";
      in.push(g.nodes[g.operand(k, j)].type);
    }
    dimension_table t = g.dimensions;
    inferred const r = k.op->infer(in.data(), in.size(), g.attributes_of(k), t);
    if (r.what != problem::none) return "an operation's operands do not fit";
    if (!(r.type == k.type)) return "a node has another type than its operation gives";
  }
  for (int o : g.outputs)
    if (o < 0 || o >= g.nodes.size()) return "an output is no node";
  if (inputs != g.inputs) return "an input is missing";
  return {};
}

// A value on its way through a door between two rooms. With SINTER_CHECK_LEVEL 1 it is verified there, which the compiler pays for:
// sinter::error, or in a constant expression the compiler shows the throw. Without, it just passes.
template <class Product> constexpr Product verified(Product p, [[maybe_unused]] char const* door) {
#if SINTER_CHECK_LEVEL >= 1
  if (std::string_view const fault = fault_of(p); !fault.empty())
    throw error("sinter: behind " + std::string(door) + ": " + std::string(fault));
#endif
  return p;
}

}  // namespace SINTER_ISA
}  // namespace sinter
