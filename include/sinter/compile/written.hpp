// SPDX-License-Identifier: Apache-2.0
// A trace in static storage: a network is traced once to measure it, and once more to write this down, however many bodies and states it has.
#pragma once
#include "../passes/optimise.hpp"
#include "trace.hpp"

namespace sinter::detail::inline SINTER_ISA {

// The sizes of all graphs of a trace together: those of the bodies of its control flow, and the whole.
struct trace_sizes {
  graph_sizes all;
  int bodies = 0;
};
constexpr void add_sizes(graph_sizes& to, graph_sizes const& n) {
  to.nodes += n.nodes;
  to.operands += n.operands;
  to.attributes += n.attributes;
  to.data += n.data;
  to.outputs += n.outputs;
  to.dimensions += n.dimensions;
  to.equalities += n.equalities;
}
constexpr trace_sizes sizes_of_trace(tape const& t) {
  trace_sizes r{sizes_of(t.g), t.g.bodies.size()};
  for (graph const& body : t.g.bodies) add_sizes(r.all, sizes_of(body));
  return r;
}

// The graphs stand in the same lists one after the other: the bodies in the order of their numbers, then the whole.
template <trace_sizes N> struct frozen_trace {
  frozen_graph<N.all> all;
  graph_sizes begin[N.bodies + 2]{};  // the sizes of the graphs before each
  int inputs[N.bodies + 1]{};

  constexpr explicit frozen_trace(tape const& t) : all(one_after_the_other(t.g)) {
    for (int i = 0; i <= N.bodies; ++i) {
      graph const& g = i < N.bodies ? t.g.bodies[i] : t.g;
      begin[i + 1] = begin[i];
      add_sizes(begin[i + 1], sizes_of(g));
      inputs[i] = g.inputs;
    }
  }
  // Its lists are read where they are, as those of any graph from static storage. N.bodies is the whole.
  constexpr graph thaw(int i) const& {
    graph_sizes const &at = begin[i], &end = begin[i + 1];
    graph g;
    g.nodes = list<node>::borrowed(all.nodes.items + at.nodes, end.nodes - at.nodes);
    g.operands = list<int>::borrowed(all.operands.items + at.operands, end.operands - at.operands);
    g.attributes = words::borrowed(all.attributes.items + at.attributes, end.attributes - at.attributes);
    g.data = list<std::uint64_t>::borrowed(all.data.items + at.data, end.data - at.data);
    g.outputs = list<int>::borrowed(all.outputs.items + at.outputs, end.outputs - at.outputs);
    g.dimensions.rows = list<dimension>::borrowed(all.dimensions.items + at.dimensions, end.dimensions - at.dimensions);
    g.dimensions.equal = list<equality>::borrowed(all.equalities.items + at.equalities, end.equalities - at.equalities);
    g.dimensions.full = all.full;
    g.inputs = inputs[i];
    if (i == N.bodies) {  // bodies change nothing
      g.updates = all.updates.read();
      g.body_reads = all.body_reads.read();
    }
    return g;
  }
  graph thaw(int) const&& = delete;

 private:
  template <class T> static constexpr void append(list<T>& to, list<T> const& from) {
    T* at = to.extend(from.size());
    for (T const& v : from) *at++ = v;
  }
  static constexpr frozen_graph<N.all> one_after_the_other(graph const& whole) {
    if constexpr (N.bodies == 0) return frozen_graph<N.all>(whole);
    graph r;
    r.nodes.reserve(N.all.nodes);
    r.dimensions.full = whole.dimensions.full;
    append(r.updates, whole.updates);
    append(r.body_reads, whole.body_reads);
    for (int i = 0; i <= N.bodies; ++i) {
      graph const& g = i < N.bodies ? whole.bodies[i] : whole;
      append(r.nodes, g.nodes);
      append(r.operands, g.operands);
      append(r.attributes, g.attributes);
      append(r.data, g.data);
      append(r.outputs, g.outputs);
      append(r.dimensions.rows, g.dimensions.rows);
      append(r.dimensions.equal, g.dimensions.equal);
    }
    return frozen_graph<N.all>(r);
  }
};
// N: what measuring it has found.
template <trace_sizes N, class M, class... X> struct written {
  static constexpr frozen_trace<N> make() { return frozen_trace<N>(trace<M, X...>(false)); }
  static constexpr frozen_trace<N> value = make();
};

}  // namespace sinter::detail::inline SINTER_ISA
