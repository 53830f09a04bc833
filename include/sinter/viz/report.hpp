// SPDX-License-Identifier: Apache-2.0
// A plan in words: kernels, what was fused into them and why they end, memory and operations.
#pragma once
#include <sstream>

#include "../nn/hybridized.hpp"
#include "dot.hpp"

namespace sinter::viz::inline SINTER_ISA {

// For example:
//   kernel 3  rows  softmax
//     softmax: max + subtract + exp + sum + divide + multiply
//     reads arena output.fully_connected.add, 1
//     writes float32 (1, 10) to output 0
//     ends with the network's result
inline std::string report(plan const& p, bool fixed) {
  std::ostringstream out;
  arena_layout const arena = arena_at(p, plan_arena(p), typical_binding(p));
  std::vector<int> const kernel = kernels_of(p);
  out << "plan: " << p.groups.size() << (p.groups.size() == 1 ? " kernel\n" : " kernels\n");
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    std::vector<part> const parts = parts_of(p, q);
    out << "  kernel " << i << "  " << name_of(q.kind) << "  ";
    for (std::size_t k = 0; k < parts.size(); ++k) out << (k ? " + " : "") << parts[k].title;
    for (part const& k : parts)
      if (!k.steps.empty()) out << "\n    " << k.title << ": " << joined(k.steps, " + ");
    out << "\n    reads ";
    for (int j = 0; j < q.inputs; ++j) {
      buffer_info const& b = p.buffers[p.operands[q.operands.at + j].buffer];
      out << (j ? ", " : "") << (b.where == storage::arena ? "arena " : "") << label_of(p.g, b.node);
    }
    out << "\n    writes ";
    bool first = true;
    for (int s = 0; s < q.steps.n; ++s) {
      step_info const& k = p.steps[q.steps.at + s];
      if (k.store < 0) continue;
      int const at = p.operands[q.operands.at + k.store].buffer;
      buffer_info const& b = p.buffers[at];
      array_type const& t = p.g.nodes[k.node].type;
      out << (first ? "" : ", ") << sinter::name_of(t.type) << " " << to_string(t.shape, p.g.dimensions);
      if (p.g.kind(b.node) == family::join) out << " as a part of " << label_of(p.g, b.node);
      if (b.where == storage::output) out << " to output " << b.index;
      else out << " to arena at " << arena.offset[at];
      if (b.home != at) out << " in place";
      first = false;
    }
    for (std::string const& s : endings_of(p, i, kernel)) out << "\n    " << s;
    out << "\n";
  }
  out << "arena " << arena.bytes << " bytes, lower bound " << arena.lower_bound
      << (fixed ? "" : "  (each dynamic dimension of an input being 64)") << "\n";
  return out.str();
}

// The weights that a network keeps in fewer bits: their bytes as float32 and as they are kept. `Weights` says which operand of a product
// is a parameter.
struct kept_weights {
  std::int64_t before = 0, now = 0;
};
template <class P, class Weights, class Backend> kept_weights weights_kept(Weights const& weights) {
  kept_weights r;
  for (int i = 0; i < P::sizes.groups; ++i) {
    group const& q = P::plan.groups.items[i];
    if (weights.of[i] < 0) continue;
    operand const& o = P::plan.operands.items[q.operands.at + weights.of[i]];
    bool one = o.type == dtype::float32;  // a batch of matrices stays as it is
    for (int k = 0; k < q.rank - 3; ++k) one = one && o.stride[k] == size{};
    std::int64_t const n = q.extents[q.rank - 2].k, depth = q.extents[q.rank - 1].k;
    if (!one || depth == 0) continue;
    r.before += n * depth * bytes_of(o.type);
    r.now += static_cast<std::int64_t>(Backend::weight_bytes(n, depth));
  }
  return r;
}

}  // namespace sinter::viz::inline SINTER_ISA

namespace sinter {

namespace detail::inline SINTER_ISA {
template <class... X> constexpr bool has_inputs() {
  constexpr bool all = sizeof...(X) > 0 && (input_of_network<X> && ...);
  static_assert(
      all, "sinter: a plan is made for the shapes of a network's inputs: fast.report<shape<1, 64>>(), or fast.report(x) with a tensor");
  return all;
}
}  // namespace detail::inline SINTER_ISA

template <class M, class Backend> template <class... X> SINTER_OWN std::string hybridized<M, Backend>::report() {
  if constexpr (!detail::has_inputs<X...>()) return {};
  else {
    using C = compiled_t<M, X...>;
    using runner = detail::named_backend<Backend>;
    std::string s = viz::report(make_plan(C::traced()), C::fixed);
    viz::kept_weights kept;
    if constexpr (detail::narrows_weights<runner>)
      kept = viz::weights_kept<typename C::program_type, weights<typename C::program_type>, runner>({});
    s += "parameters " + std::to_string(C::parameter_bytes) + " bytes";
    if (C::fixed)
      s += ", " + std::to_string(C::flops) + " operations, " + std::to_string(C::bytes_moved - kept.before + kept.now) + " bytes moved";
    if constexpr (detail::narrows_weights<runner>)
      s += "\nweights of float32 products are kept as " + std::string(runner::weights::name) + ", " + std::to_string(kept.now) +
           " bytes instead of " + std::to_string(kept.before);
    if constexpr (detail::has_fast_math<runner>) s += "\nelementary functions of float32 take their faster forms";
    return s + "\n";
  }
}
template <class M, class Backend> template <class... X> SINTER_OWN std::string hybridized<M, Backend>::dot() {
  if constexpr (detail::has_inputs<X...>()) return viz::dot(make_plan(compiled_t<M, X...>::traced()));
  else return {};
}

}  // namespace sinter
