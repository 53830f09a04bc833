// SPDX-License-Identifier: Apache-2.0
// The pipeline in stages: each is a constant of its own, because the compilers limit the steps of one constant evaluation. What makes a constant
// is a named function, and not a lambda: GCC evaluates a lambda without captures once more, for its conversion to a pointer.
#pragma once
#include "parts.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Placement in static storage. N: the sizes of the graph.
template <graph_sizes N> struct frozen_placement {
  frozen_graph<N> g;  // with the dimensions that placing has added
  bounded_list<int, N.nodes> buffer;
  bounded_list<layout, N.nodes> where;
  bounded_list<char, N.nodes> copied;
  constexpr frozen_placement(graph const& placed, passes::placement const& p)
      : g(placed), buffer(p.buffer), where(p.where), copied(p.copied) {}
  static constexpr frozen_placement of(graph optimised) {
    passes::placement const p = passes::place(optimised);
    return {optimised, p};
  }
  constexpr passes::placement thaw() const& { return {buffer.read(), where.read(), copied.read()}; }
};

// Networks of at most so many nodes are optimised in one evaluation and planned in another: each stage more costs the compiler time.
inline constexpr int nodes_of_one_stage = 1000;

// The same trace, each step of which has all the room there is.
template <class Trace> struct in_all_room : Trace {};
template <class Trace> inline constexpr bool takes_all_room = false;
template <class Trace> inline constexpr bool takes_all_room<in_all_room<Trace>> = true;
// Room for what the next step makes of a graph of these sizes. Less than is ever needed is no mistake: all steps run again, with all room.
template <class Trace> constexpr graph_sizes with_room(graph_sizes n, graph_sizes const& most) {
  if constexpr (takes_all_room<Trace>) return most;
  auto const more = [](int now, int limit) { return now + now / 2 + 64 < limit ? now + now / 2 + 64 : limit; };
  n.nodes = more(n.nodes, most.nodes);
  n.operands = more(n.operands, most.operands);
  n.attributes = more(n.attributes, most.attributes);
  n.data = most.data;  // constants come all at once, when they are folded
  n.dimensions = most.dimensions;
  n.equalities = most.equalities;
  return n;
}
// A rewrite that is not done yet. Nodes: those of the graph before it.
template <graph_sizes Room, int Nodes, int Table> struct frozen_rewriting {
  frozen_graph<Room> r;
  bounded_list<int, Nodes> to;
  bounded_list<int, Table> table;
  bool again;
  constexpr explicit frozen_rewriting(passes::rewriting const& w) : r(w.r), to(w.to), table(w.table), again(w.again) {}
  constexpr explicit frozen_rewriting(overflowed o) : r(o), again(false) {}
  constexpr passes::rewriting thaw() const& {
    passes::rewriting w(r.thaw());
    w.to = to.copy();
    w.table = table.copy();
    w.again = again;
    return w;
  }
};
template <class Trace, graph_sizes N, int Steps> struct graph_after;
// Step Steps - 1 of the pipeline after the parts 0 to Part. A definition makes several nodes of one.
template <class Trace, graph_sizes N, int Steps, int Part> struct rewritten_after {
  using before = graph_after<Trace, N, Steps - 1>;
  static constexpr int nodes = before::value.nodes.count, size = Steps == 2 ? nodes_of_one_part / 4 : nodes_of_one_part;
  static constexpr int parts = (nodes + size - 1) / size;
  static constexpr auto rule = passes::rule_of_step<Steps - 1>(Trace::numerics);
  static constexpr passes::rewriting begun() {
    if constexpr (Part == 0) {
      graph g;
      g = before::value.thaw();
      passes::rewriting w(passes::without_nodes(g));
      rule.begin(w, nodes);
      return w;
    } else return rewritten_after<Trace, N, Steps, Part - 1>::value.thaw();
  }
  static constexpr int from = Part * size, to = Part + 1 < parts ? from + size : nodes;
  static constexpr graph_sizes room_of_part() {
    if constexpr (Steps != 2) return with_room<Trace>(before::value.sizes(), N);
    else {
      graph_sizes n = sizes_of(begun().r);
      n.dimensions = N.dimensions;
      n.equalities = N.equalities;
      return passes::expanded_bound(n, before::value.thaw(), from, to);
    }
  }
  static constexpr graph_sizes room = room_of_part();
  using frozen = frozen_rewriting<room, nodes, Steps == 5 ? 4 * nodes + 16 : 0>;
  static constexpr bool overflow() {
    if constexpr (Part == 0) return false;
    else return rewritten_after<Trace, N, Steps, Part - 1>::value.r.overflow();
  }
  static constexpr frozen advanced() {
    if constexpr (overflow()) return frozen(overflowed{});
    else {
      passes::rewriting w = begun();
      w.advance(before::value.thaw(), from, to, rule);
      return frozen(w);
    }
  }
  static constexpr frozen value = advanced();
  // Of the last part.
  static constexpr graph finished() {
    passes::rewriting w = value.thaw();
    passes::finish(before::value.thaw(), w.r, w.to);
    return rule.end(w);
  }
};

// The first step of a graph that asks for gradients, in parts: definitions are written out, then gradients, and what is left is done at once.
template <class Trace, graph_sizes N, int Part> struct differentiated {
  static constexpr auto const& before() {
    if constexpr (Part == 0) return graph_after<Trace, N, 0>::value;
    else return differentiated<Trace, N, Part - 1>::value;
  }
  static constexpr frozen_graph<N> advanced() {
    if constexpr (before().overflow()) return frozen_graph<N>(overflowed{});
    else {
      graph g = before().thaw();
      if constexpr (Part == 0) {
        g = passes::canonicalise(std::move(g));
        passes::detail::check_asked(g);
      } else if constexpr (Part == 1) g = passes::detail::written_out(std::move(g));
      else {
        g.operands = before().operands.copy();  // which are changed where they stand
        g.outputs = before().outputs.copy();
        passes::detail::answer_first(g);
      }
      return frozen_graph<N>(g);
    }
  }
  static constexpr frozen_graph<N> value = advanced();
};
// The graph after so many steps. Trace: `static constexpr graph make()` and `static constexpr passes::numerics numerics`. N: at least the sizes
// of its graph after any step.
template <class Trace, graph_sizes N, int Steps> struct graph_after {
  using before = graph_after<Trace, N, Steps - 1>;
  static constexpr bool in_parts =
      passes::is_rewrite(Steps - 1) && (Steps == 2 ? N.nodes : before::value.nodes.count) > nodes_of_one_part;  // the second step expands
  static constexpr auto const& last_part() {
    return rewritten_after<Trace, N, Steps, rewritten_after<Trace, N, Steps, 0>::parts - 1>::value;
  }
  static constexpr graph_sizes room_of_step() {
    if constexpr (Steps == 1) return N;  // gradients may be written there
    else if constexpr (Steps != 2) return with_room<Trace>(before::value.sizes(), N);  // the second step expands
    else if constexpr (!in_parts) return N;
    else if constexpr (last_part().again) return N;
    else {
      graph_sizes n = with_room<Trace>(last_part().r.sizes(), N);
      n.outputs = N.outputs;
      return n;
    }
  }
  static constexpr graph_sizes room = room_of_step();
  static constexpr bool asks_for_gradients() {
    for (node const& k : before::value.nodes)
      if (passes::detail::asks_for_gradients(k)) return true;
    return false;
  }
  static constexpr frozen_graph<room> stepped() {
    if constexpr (before::value.overflow()) return frozen_graph<room>(overflowed{});
    else if constexpr (Steps == 1 && asks_for_gradients()) {
      if constexpr (differentiated<Trace, N, 2>::value.overflow()) return frozen_graph<room>(overflowed{});
      else {
        graph g = differentiated<Trace, N, 2>::value.thaw();
        passes::pipeline_step(0, g, Trace::numerics);
        return frozen_graph<room>(g);
      }
    } else if constexpr (!in_parts) {
      graph g = before::value.thaw();
      passes::pipeline_step(Steps - 1, g, Trace::numerics);
      return frozen_graph<room>(g);
    } else if constexpr (last_part().r.overflow()) return frozen_graph<room>(overflowed{});
    else return frozen_graph<room>(rewritten_after<Trace, N, Steps, rewritten_after<Trace, N, Steps, 0>::parts - 1>::finished());
  }
  static constexpr frozen_graph<room> value = stepped();
};
template <class Trace, graph_sizes N> struct graph_after<Trace, N, 0> {
  static constexpr frozen_graph<N> value{Trace::make()};
};
template <class Trace, graph_sizes N> struct graph_at_once {
  static constexpr frozen_graph<N> value{passes::optimise(Trace::make(), Trace::numerics)};
};
template <class Trace, graph_sizes N> struct planned_after {
  using before = graph_after<Trace, N, passes::pipeline_steps>;
  static constexpr graph_sizes room() {
    graph_sizes n = before::value.sizes();
    n.dimensions = N.dimensions;
    n.equalities = N.equalities;
    return n;
  }
  static constexpr graph_sizes sizes = room();
  static constexpr frozen_placement<sizes> placed = frozen_placement<sizes>::of(before::value.thaw());
  static constexpr auto const& fused() { return fusion_after<before, sizes, fusion_part::all(sizes.nodes) - 1>::value; }
  static constexpr passes::fusion fusion() {
    if constexpr (fused().overflow()) return passes::fuse(before::value.thaw());
    else return fused().found();
  }
};

template <class Trace, graph_sizes N> struct stages {
  static constexpr bool at_once = N.nodes <= nodes_of_one_stage;
  static constexpr bool overflow() {
    if constexpr (at_once) return graph_at_once<Trace, N>::value.overflow();
    else return graph_after<Trace, N, passes::pipeline_steps>::value.overflow();
  }
  static constexpr graph_sizes bounds = [] {
    if constexpr (at_once) return graph_at_once<Trace, N>::value.sizes();
    else return planned_after<Trace, N>::placed.g.sizes();
  }();
  static constexpr plan make() {
    if constexpr (at_once) return plan_of(graph_at_once<Trace, N>::value.thaw());
    else return planned_in_parts<planned_after<Trace, N>, planned_after<Trace, N>::sizes>::make();
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
