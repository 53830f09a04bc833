// SPDX-License-Identifier: Apache-2.0
// Nodes whose computation is put off until the kernel that needs them.
#pragma once
#include "fusion.hpp"

namespace sinter::passes::inline SINTER_ISA {
namespace detail {

class waiting {
 public:
  constexpr waiting(graph const& graph, fusion const& found, fusion_notes const& then)
      : g_(graph), found_(found), notes_(then), nodes_(graph.nodes.data()), operands_(graph.operands.data()) {}

  // True if elementwise node i, computed from node o alone, is better computed in the kernel of its only reader: o is in memory anyway, and the
  // reader has another operand from a different kernel. So a backward kernel reads the output of an activation instead of a stored mask.
  constexpr bool holds(int i) const {
    node const& k = nodes_[i];
    if (k.op->kind != family::elementwise || notes_.uses[i] != 1) return false;
    int o = -1;
    for (int j = 0; j < k.in.n; ++j) {
      int const in = operands_[k.in.at + j];
      if (shape(in).rank == 0 || in == o) continue;
      if (o >= 0 || found_.of[in] < 0 || !(shape(in) == shape(i))) return false;
      o = in;
    }
    if (o < 0 || notes_.uses[o] < 2 || found_.groups[found_.root(found_.of[o])].kind != kernel_kind::product) return false;
    int const home = found_.root(found_.of[o]);
    for (int before = i, u = only_reader(i); u >= 0; before = u, u = only_reader(u)) {
      bool beside = false;
      for (int j = 0; j < nodes_[u].in.n; ++j) {
        int const e = operands_[nodes_[u].in.at + j];
        if (e == before || shape(e).rank == 0) continue;
        if (!comes_from_elsewhere(e, home)) return false;
        beside = true;
      }
      if (beside) return is_stored(o);
    }
    return false;
  }

 private:
  graph const& g_;
  fusion const& found_;
  fusion_notes const& notes_;
  node const* nodes_;
  int const* operands_;

  constexpr dims const& shape(int i) const { return nodes_[i].type.shape; }
  // The node that reads node i, if there is one alone, and it looks at the same elements.
  constexpr int only_reader(int i) const {
    if (notes_.uses[i] != 1) return -1;
    for (int u = i + 1; u < g_.nodes.size(); ++u)
      for (int j = 0; j < nodes_[u].in.n; ++j)
        if (operands_[nodes_[u].in.at + j] == i) return nodes_[u].op->kind == family::elementwise && shape(u) == shape(i) ? u : -1;
    return -1;
  }
  // True if node o must be in memory: it is a result, or an operation that is not elementwise reads it.
  constexpr bool is_stored(int o) const {
    for (int out : g_.outputs)
      if (out == o) return true;
    for (int u = o + 1; u < g_.nodes.size(); ++u)
      for (int j = 0; nodes_[u].op->kind != family::elementwise && j < nodes_[u].in.n; ++j)
        if (operands_[nodes_[u].in.at + j] == o) return true;
    return false;
  }
  // True if node e needs a value of another group than `home`. Looks back a few nodes only, because few stand between a gradient and its factor.
  constexpr bool comes_from_elsewhere(int e, int home, int far = 4) const {
    family const kind = nodes_[e].op->kind;
    if (kind == family::leaf || far == 0) return false;
    if (found_.of[e] >= 0) return found_.root(found_.of[e]) != home;
    if (kind != family::elementwise) return true;
    for (int j = 0; j < nodes_[e].in.n; ++j)
      if (comes_from_elsewhere(operands_[nodes_[e].in.at + j], home, far - 1)) return true;
    return false;
  }
};

}  // namespace detail
}  // namespace sinter::passes::inline SINTER_ISA
