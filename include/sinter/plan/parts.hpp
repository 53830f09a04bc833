// SPDX-License-Identifier: Apache-2.0
// Fusion and planning of a large network in parts: each is a constant of its own, which goes on where the one before has stopped.
#pragma once
#include "make.hpp"

namespace sinter::detail::inline SINTER_ISA {

// So many nodes are visited in one evaluation.
inline constexpr int nodes_of_one_part = 2000;

// Which nodes part `i` of fusion visits, of n, and in which round. A node takes about three times as many steps in the first round as later.
struct fusion_part {
  int round = 0, first = 0, last = 0;
  static constexpr int rounds = passes::detail::fuser::rounds;
  static constexpr int size(int round) { return round == 0 ? nodes_of_one_part / 2 : nodes_of_one_part; }
  static constexpr int parts(int round, int n) { return (n + size(round) - 1) / size(round); }
  static constexpr int all(int n) {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) sum += parts(r, n);
    return sum;
  }
  static constexpr fusion_part at(int i, int n) {
    int r = 0;
    for (; r + 1 < rounds && i >= parts(r, n); ++r) i -= parts(r, n);
    int const first = i * size(r);
    return {r, first, first + size(r) < n ? first + size(r) : n};
  }
};

// What fusion has found so far. N: the sizes of the graph.
template <graph_sizes N> struct frozen_fuser {
  bounded_list<passes::fused_group, N.nodes> groups;
  bounded_list<int, N.nodes> of;
  bounded_list<char, N.nodes> prologue;
  bounded_list<passes::missed, N.operands> misses;
  bounded_list<reason, N.operands> why;
  bounded_list<int, N.nodes> uses, last;
  bounded_list<passes::reader, N.nodes + 2 * N.operands> readers;
  bounded_list<passes::reader_list, N.nodes> read_by;
  int positions;
  constexpr explicit frozen_fuser(passes::detail::fuser const& u)
      : groups(u.f.groups),
        of(u.f.of),
        prologue(u.f.prologue),
        misses(u.f.misses),
        why(u.notes.why),
        uses(u.notes.uses),
        last(u.notes.last),
        readers(u.notes.readers),
        read_by(u.notes.read_by),
        positions(u.notes.positions) {}
  constexpr bool overflow() const { return misses.overflow || readers.overflow; }
  constexpr passes::detail::fuser thaw(graph const& g) const {
    passes::fusion f;  // names, because nvcc forgets to destroy temporaries here
    f.groups = groups.copy();
    f.of = of.copy();
    f.prologue = prologue.copy();
    f.misses = misses.copy();
    passes::fusion_notes n;
    n.why = why.copy();
    n.uses = uses.read();
    n.last = last.copy();
    n.readers = readers.copy();
    n.read_by = read_by.copy();
    n.positions = positions;
    return passes::detail::fuser(g, std::move(f), std::move(n));
  }
  constexpr passes::fusion found() const& { return {groups.read(), of.read(), prologue.read(), misses.read()}; }
};
// Fusion after the parts 0 to Part. Optimised: `static constexpr frozen_graph<> value`.
template <class Optimised, graph_sizes N, int Part> struct fusion_after {
  static constexpr passes::detail::fuser begun(graph const& g) {
    if constexpr (Part == 0) return passes::detail::fuser(g);
    else return fusion_after<Optimised, N, Part - 1>::value.thaw(g);
  }
  static constexpr bool overflow() {
    if constexpr (Part == 0) return false;
    else return fusion_after<Optimised, N, Part - 1>::value.overflow();
  }
  static constexpr frozen_fuser<N> advanced() {
    if constexpr (overflow()) return fusion_after<Optimised, N, Part - 1>::value;
    else {
      graph g = Optimised::value.thaw();
      fusion_part const part = fusion_part::at(Part, N.nodes);
      passes::detail::fuser f = begun(g);
      f.advance(part.round, part.first, part.last);
      return frozen_fuser<N>(f);
    }
  }
  static constexpr frozen_fuser<N> value = advanced();
};

// The sizes of a plan, or of a part of one, as bounds.
struct part_sizes {
  int groups = 0, operands = 0, steps = 0, shapes = 0, maps = 0, buffers = 0, parameters = 0;
  // Of the kernels from `first` to `last`.
  static constexpr part_sizes of(graph const& g, plan_builder const& b, int first, int last) {
    part_sizes n{.groups = last - first};
    for (int q = first; q < last; ++q)
      for (int i = b.notes.first[b.notes.order[q]]; i >= 0; i = b.notes.next[i]) {
        node const& k = g.nodes[i];
        int const operands = k.in.n + (k.op->several ? g.results_of(k) : 1);
        ++n.steps;
        n.operands += operands;
        n.maps += k.op->mapped;
        if (k.op->kind == family::opaque) n.shapes += operands;
      }
    return n;
  }
};

// What is planned before the first kernel.
template <graph_sizes N> struct frozen_beginning {
  bounded_list<char, N.nodes> stored;
  bounded_list<int, N.nodes> next, first, order, buffer;
  bounded_list<buffer_info, N.outputs> buffers;
  bounded_list<int, N.outputs> parameter_at;
  bounded_list<array_type, N.outputs> parameter_types, results;
  part_sizes sizes;
  constexpr explicit frozen_beginning(plan_builder const& b)
      : stored(b.notes.stored),
        next(b.notes.next),
        first(b.notes.first),
        order(b.notes.order),
        buffer(b.notes.buffer),
        buffers(b.p.buffers),
        parameter_at(b.p.parameter_at),
        parameter_types(b.p.parameter_types),
        results(b.p.results),
        sizes(part_sizes::of(b.p.g, b, 0, b.notes.order.size())) {
    sizes.buffers = b.most_buffers();
  }
};
// What is planned from kernel `first` to kernel `last`, and all buffers so far. Places in its lists count from its own beginning.
template <part_sizes S, int Nodes> struct frozen_part {
  bounded_list<group, S.groups> groups;
  bounded_list<operand, S.operands> operands;
  bounded_list<step_info, S.steps> steps;
  bounded_list<dims, S.shapes> shapes;
  bounded_list<loop_map, S.maps> maps;
  bounded_list<int, Nodes> buffer;
  bounded_list<buffer_info, S.buffers> buffers;
  bounded_list<int, S.buffers> parameter_at;
  bounded_list<array_type, S.buffers> parameter_types;
  constexpr explicit frozen_part(plan_builder const& b)
      : groups(b.p.groups),
        operands(b.p.operands),
        steps(b.p.steps),
        shapes(b.p.shapes),
        maps(b.p.maps),
        buffer(b.notes.buffer),
        buffers(b.p.buffers),
        parameter_at(b.p.parameter_at),
        parameter_types(b.p.parameter_types) {}
  constexpr bool overflow() const {
    return groups.overflow || operands.overflow || steps.overflow || shapes.overflow || maps.overflow || buffers.overflow;
  }
};
// Appends the kernels of `part`, a plan or a frozen part of one, whose places count from its own beginning.
template <class Part> constexpr void append_kernels(plan& p, Part const& part) {
  auto const append = [](auto& to, auto const& from) {
    int const before = to.size();
    for (auto const *k = from.begin(), *end = from.end(); k != end; ++k) to.push(*k);
    return before;
  };
  int const operands = append(p.operands, part.operands), steps = append(p.steps, part.steps), shapes = append(p.shapes, part.shapes),
            maps = append(p.maps, part.maps);
  for (int q = append(p.groups, part.groups); q < p.groups.size(); ++q) {
    group& k = p.groups[q];
    k.operands.at += operands;
    k.steps.at += steps;
    if (k.kind == kernel_kind::opaque) k.shapes.at += shapes;
    if (k.map >= 0) k.map += maps;
  }
}

// The plan of a network in parts. Fused: `placed` and `fused`, of a graph with the sizes N.
template <class Fused, graph_sizes N> struct planned_in_parts {
  static constexpr plan_builder builder() { return {Fused::placed.g.thaw(), Fused::placed.thaw(), Fused::fusion()}; }
  static constexpr frozen_beginning<N> begun() {
    plan_builder b = builder();
    b.begin();
    return frozen_beginning<N>(b);
  }
  static constexpr frozen_beginning<N> beginning = begun();
  // The builder as `then` has left it.
  static constexpr plan_builder resumed(auto const& then) {
    plan_builder b = builder();
    b.notes.stored = beginning.stored.read();
    b.notes.next = beginning.next.read();
    b.notes.first = beginning.first.read();
    b.notes.order = beginning.order.read();
    b.notes.buffer = then.buffer.copy();
    b.notes.step.resize(then.buffer.count, -1);
    b.p.buffers = then.buffers.copy();
    b.p.results = beginning.results.read();
    b.p.parameter_at = then.parameter_at.copy();
    b.p.parameter_types = then.parameter_types.copy();
    b.number_parameters();
    return b;
  }

  static constexpr int kernels = beginning.sizes.groups, parts = (beginning.sizes.steps + nodes_of_one_part / 2) / (nodes_of_one_part / 2);
  static constexpr int first_of(int part) { return static_cast<int>(static_cast<std::int64_t>(kernels) * part / parts); }
  template <int Part> struct part {
    static constexpr int first = first_of(Part), last = first_of(Part + 1);
    static constexpr part_sizes room() {
      part_sizes n = part_sizes::of(Fused::placed.g.thaw(), resumed(beginning), first, last);
      n.buffers = beginning.sizes.buffers;
      return n;
    }
    static constexpr part_sizes sizes = room();
    static constexpr auto const& before() {
      if constexpr (Part == 0) return beginning;
      else return part<Part - 1>::value;
    }
    static constexpr frozen_part<sizes, N.nodes> planned() {
      plan_builder b = resumed(before());
      b.add_groups(first, last, first);
      return frozen_part<sizes, N.nodes>(b);
    }
    static constexpr frozen_part<sizes, N.nodes> value = planned();
    static_assert(!value.overflow());
  };
  template <int... I> static constexpr plan joined(std::integer_sequence<int, I...>) {
    plan_builder b = resumed(part<parts - 1>::value);
    (append_kernels(b.p, part<I>::value), ...);
    b.finish();
    complete(b.p);
    return std::move(b.p);
  }
  static constexpr plan make() { return joined(std::make_integer_sequence<int, parts>{}); }
};

}  // namespace sinter::detail::inline SINTER_ISA
