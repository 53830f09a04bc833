// SPDX-License-Identifier: Apache-2.0
// A plan in words: kernels, what was fused into them and why they end, memory and operations.
#pragma once
#include "../compile/hybridized.hpp"
#include "../plan/winograd.hpp"
#include "dot.hpp"

namespace sinter::viz::inline SINTER_ISA {

constexpr letters place_of_result(plan const& p, int result) {
  letters out;
  int const u = result - p.g.results();
  if (u < 0) return out << " to output " << result;
  update const& next = p.updates[u];
  out << " to the next value of ";
  int node = -1;
  for (buffer_info const& b : p.buffers)
    if (b.where == storage::parameter && b.index == next.number) node = b.node;
  if (node < 0) return out << "a state that it does not read";
  return out << label_of(p.g, node) << (next.in_place ? ", over the old one" : ", beside the old one");
}
// For example:
//   kernel 3  rows  softmax
//     softmax: max + subtract + exp + sum + divide + multiply
//     reads arena output.fully_connected.add, 1
//     writes float32 (1, 10) to output 0
//     ends with the network's result
constexpr letters writes_of(plan const& p, group const& q, arena_layout const& arena) {
  letters out;
  for (written const& w : written_by_kernel(p, q)) {
    int const at = p.operands[q.operands.at + w.operand].buffer;
    buffer_info const& b = p.buffers[at];
    bool const part = p.g.kind(b.node) == family::join;
    // A result has the network's shape; the step may keep axes that a reshape without a kernel of its own drops.
    array_type const& t = b.where == storage::output && !part ? p.results[b.index] : p.g.nodes[w.node].type;
    out << (out.empty() ? "" : ", ") << sinter::name_of(t.type) << " " << in_words(t.shape, p.g.dimensions);
    if (part) out << " as a part of " << label_of(p.g, b.node);
    if (b.where == storage::output) out << place_of_result(p, b.index);
    else {
      operand const& o = p.operands[q.operands.at + w.operand];
      if (b.where == storage::block) out << " to a block";
      else
        out << (b.where == storage::prepared ? " to what is prepared, at " : " to arena at ")
            << arena.offset[at] + (part ? typical_binding(p)(o.offset) * bytes_of(o.type) : 0);
    }
    if (b.home != at) out << " in place";
  }
  return out;
}
// kernel 3  rows  softmax
constexpr letters title_of(plan const& p, int i, list<part> const& parts) {
  letters out;
  out << "kernel " << i << "  " << name_of(p.groups[i].kind) << (p.groups[i].once ? "  once" : "") << "  ";
  for (int k = 0; k < parts.size(); ++k) out << (k ? " + " : "") << parts[k].title;
  return out;
}
inline std::string title_of(plan const& p, int i) { return std::string(title_of(p, i, parts_of(p, p.groups[i])).view()); }
// `body`: the plan is one of control flow, whose inputs and results are those of one turn.
constexpr letters kernels_in_words(plan const& p, arena_layout const& arena, char const* indent, bool body) {
  letters out;
  list<int> const kernel = kernels_of(p);
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    list<part> const parts = parts_of(p, q);
    out << indent << title_of(p, i, parts);
    for (part const& k : parts)
      if (!k.steps.empty()) out << "\n" << indent << "  " << k.title << ": " << joined(k.steps, " + ");
    out << "\n" << indent << "  reads ";
    for (int j = 0; j < q.inputs; ++j) {
      buffer_info const& b = p.buffers[p.operands[q.operands.at + j].buffer];
      out << (j ? ", " : "")
          << (b.where == storage::arena      ? "arena "
              : b.where == storage::block    ? "block "
              : b.where == storage::prepared ? "prepared "
                                             : "")
          << label_of(p.g, b.node);
    }
    out << "\n" << indent << "  writes " << writes_of(p, q, arena);
    for (letters const& s : endings_of(p, i, kernel, body)) out << "\n" << indent << "  " << s;
    if (letters const s = blocks_of(p, i); !s.empty()) out << "\n" << indent << "  " << s;
    out << "\n";
  }
  return out;
}
constexpr letters count_of_kernels(plan const& p) {
  int const once = once_in(p), n = p.groups.size() - once;
  letters out;
  out << n << (n == 1 ? " kernel" : " kernels");
  if (once) out << " a call, " << once << " when parameters have changed";
  return out << "\n";
}
constexpr letters report_of(plan const& p, bool fixed) {
  letters out;
  arena_layout const arena = arena_at(p, plan_arena(p), typical_binding(p));
  out << "plan: " << count_of_kernels(p) << kernels_in_words(p, arena, "  ", false);
  for (int i = 0; i < p.bodies.size(); ++i)
    out << "body " << i << ", in " << owner_of(p, i) << ": " << count_of_kernels(p.bodies[i])
        << kernels_in_words(p.bodies[i], arena_at(p.bodies[i], plan_arena(p.bodies[i]), typical_binding(p)), "  ", true);
  out << "arena " << arena.bytes << " bytes, lower bound " << arena.lower_bound
      << (fixed ? "" : "  (each dynamic dimension of an input being 64)") << "\n";
  return out;
}
inline std::string report(plan const& p, bool fixed) { return std::string(report_of(p, fixed).view()); }

// The weights that a network keeps in fewer bits: their bytes as float32 and as they are kept.
struct kept_weights {
  std::int64_t before = 0, now = 0;
};
template <class Backend> kept_weights weights_kept(plan const& p) {
  kept_weights r;
  for (preparation const& w : p.preparations) {
    group const& q = p.groups[w.group];
    operand const& o = p.operands[q.operands.at + w.operand];
    if (p.buffers[o.buffer].where == storage::constant || q.map >= 0 || w.like >= 0) continue;
    bool one = o.type == dtype::float32;  // a batch of matrices stays as it is
    for (int k = 0; k < q.rank - 3; ++k) one = one && o.stride[k] == size{};
    std::int64_t const n = q.extents[q.rank - 2].k, depth = q.extents[q.rank - 1].k;
    if (!one || depth == 0) continue;
    r.before += n * depth * bytes_of(o.type);
    r.now += static_cast<std::int64_t>(Backend::weight_bytes(n, depth));
  }
  return r;
}

// Which convolutions are computed in one of Winograd's forms, and why others are not.
inline std::string forms_of_convolutions(plan const& p) {
  std::string in_words;
  for (int i = 0; i < p.groups.size(); ++i) {
    if (p.groups[i].kind != kernel_kind::product || p.groups[i].map < 0) continue;
    winograd_choice const c = winograd_of(p, i);
    in_words.append("\n  kernel ").append(std::to_string(i));
    if (c.tile == 0) in_words.append(" directly: ").append(c.directly_because);
    else in_words.append(c.tile == 2 ? " in Winograd's form F(2 x 2, 3 x 3)" : " in Winograd's form F(4 x 4, 3 x 3)");
  }
  return in_words.empty() ? " none" : in_words;
}

}  // namespace sinter::viz::inline SINTER_ISA

namespace sinter {

namespace detail::inline SINTER_ISA {
// A plan in words as a constant: otherwise whoever prints one would compile all passes and the planner into the program. The compiler
// limits the steps of one evaluation, so there are two, and reports of large networks are written by the program after all.
template <class Compiled> struct written_report;
template <class M, class... X> struct written_report<compiled_network<M, X...>> {
  using network = compiled_network<M, X...>;
  static constexpr graph_sizes bounds = network::source::bounds;
  static constexpr int most_nodes = 80, most_names = 64 * bounds.nodes + 64, most_letters = 128 * bounds.nodes + 512;
  struct named_graph {
    frozen_graph<bounds> nodes;
    bounded_list<char, most_names> names;
  };
  struct nothing {
    static constexpr bool overflow = true;
  };
  static constexpr named_graph freeze() {
    graph const g = passes::optimise(trace<typename network::model, X...>().g, network::numerics);
    return {frozen_graph<bounds>(g), bounded_list<char, most_names>(g.chars)};
  }
  static constexpr auto graph_with_names() {
    if constexpr (bounds.nodes <= most_nodes && network::bodies == 0) {
      constexpr named_graph frozen = freeze();
      if constexpr (!frozen.nodes.overflow() && !frozen.names.overflow) return frozen;
      else return nothing{};
    } else return nothing{};
  }
  template <class Named> static constexpr auto write() {
    if constexpr (std::is_same_v<Named, nothing>) return nothing{};
    else {
      graph g = source.nodes.thaw();
      g.chars = source.names.read();
      return bounded_list<char, most_letters>(viz::report_of(plan_of(std::move(g)), network::fixed).all());
    }
  }
  static constexpr auto source = graph_with_names();
  static constexpr auto value = write<std::remove_const_t<decltype(source)>>();
  static std::string text() {
    if constexpr (value.overflow) return viz::report(network::named_plan(), network::fixed);
    else return with_numbers({value.items, static_cast<std::size_t>(value.count)});
  }
};
}  // namespace detail::inline SINTER_ISA

inline namespace SINTER_ISA {
// What fast.report<X...>() and fast.dot<X...>() call.
template <class M, class Backend, class... X> std::string report_of(in_sinter, ops::list_of<hybridized<M, Backend>, X...>) {
  using C = compiled_t<hybridized<M, Backend>, X...>;
  using runner = detail::named_backend<Backend>;
  std::string s = detail::written_report<C>::text();
  viz::kept_weights kept;
  if constexpr (detail::narrows_weights<runner>) kept = viz::weights_kept<runner>(C::named_plan());
  s += "parameters " + std::to_string(C::parameter_bytes) + " bytes";
  if (C::fixed && C::bodies == 0)  // how often a body runs is known in the call
    s += ", " + std::to_string(C::flops) + " operations, " + std::to_string(C::bytes_moved - kept.before + kept.now) + " bytes moved";
  if constexpr (detail::narrows_weights<runner>)
    s += "\nweights of float32 products are kept as " + std::string(runner::weights::name) + ", " + std::to_string(kept.now) +
         " bytes instead of " + std::to_string(kept.before);
  if constexpr (detail::has_fast_math<runner>) s += "\nelementary functions of float32 take their faster forms";
  if constexpr (detail::has_winograds_form<runner>) s += "\nconvolutions:" + viz::forms_of_convolutions(C::named_plan());
  if constexpr (C::numerics == passes::numerics::relaxed) s += "\nits graph took relaxed rewrites";
  return s + "\n";
}
template <class M, class Backend, class... X> std::string dot_of(in_sinter, ops::list_of<hybridized<M, Backend>, X...>) {
  return viz::dot(compiled_t<hybridized<M, Backend>, X...>::named_plan());
}
}  // namespace SINTER_ISA

}  // namespace sinter
