// SPDX-License-Identifier: Apache-2.0
// The plan of a network for given input types, with its numbers as constants.
#pragma once
#include <array>
#include <compare>

#include "../plan/roles.hpp"
#include "../plan/stages.hpp"
#include "diagnosis.hpp"

namespace sinter {
namespace detail::inline SINTER_ISA {
// A model whose graph takes relaxed rewrites. Its exact network is another type, and both can be in one program.
template <class M> struct relaxed {};
template <class M> struct rewritten {
  using model = M;
  static constexpr auto numerics = passes::numerics::exact;
};
template <class M> struct rewritten<relaxed<M>> {
  using model = M;
  static constexpr auto numerics = passes::numerics::relaxed;
};
// What compiled_t is given: a model, or a compiled network's type, which says the rewrites, too.
template <class M> struct rewritten_of {
  using type = M;
};
template <class M, class Backend> struct rewritten_of<hybridized<M, Backend>> {
  using type = M;
};
template <class M, class Backend> struct rewritten_of<hybridized<M, relaxed_on<Backend>>> {
  using type = relaxed<M>;
};
// The network in an instance, on its backend.
template <class Backend> struct alone_on {};
template <class M, class Backend> struct rewritten_of<hybridized<M, alone_on<Backend>>> : rewritten_of<hybridized<M, Backend>> {};

// A graph of the trace, W, with the rewrites of M: that of body I, or the whole behind them.
template <class M, class W, int I> struct written_graph {
  static constexpr auto numerics = rewritten<M>::numerics;
  static constexpr graph make() { return W::value.thaw(I); }
};
// The stages of a graph that has room in them. N is a guess that nearly always holds; where it does not, they run again with more, one by one, because a
// compiler may not be able to evaluate all of them at once.
template <class Trace, graph_sizes N, int Again = 0> constexpr auto stages_with_room() {
  using some = std::conditional_t<Again == 0, stages<Trace, N>, stages<in_all_room<Trace>, N>>;
  if constexpr (!some::overflow()) return std::type_identity<some>{};
  else {
    static_assert(Again < 8, "sinter: a graph grows without end; this is a defect of sinter");
    constexpr graph_sizes twice = Again == 0 && N.nodes > nodes_of_one_stage ? N : N.twice();
    return stages_with_room<Trace, twice, Again + 1>();
  }
}
template <class Trace, graph_sizes N> struct traced_source {
  using graph_type = typename decltype(stages_with_room<Trace, N>())::type;
  static constexpr graph_sizes bounds = graph_type::bounds;
};
template <class M, class W, int I> struct body_source;
// How large the arenas of all bodies are: the arena of the whole contains them.
template <class M, class W, int N> struct arenas_of_bodies {
  template <int I> static constexpr std::int64_t bytes(binding const& b) { return program<body_source<M, W, I>>::bytes_at(b); }
  static constexpr auto table = []<int... I>(std::integer_sequence<int, I...>) {
    return std::array<std::int64_t (*)(binding const&), N>{&bytes<I>...};
  }(std::make_integer_sequence<int, N>{});
};
template <class M, class W, int Bodies, class Source> struct with_bodies {
  template <int I> using body = body_source<M, W, I>;
  static constexpr plan make() { return sized(&Source::graph_type::make); }
  static constexpr plan sized(plan (*origin)()) {
    plan p = origin();
    size_bodies(p);
    return p;
  }
  static constexpr void size_bodies(plan& p) {
    if constexpr (Bodies > 0)
      for (buffer_info& f : p.buffers)
        if (f.body >= 0) {
          f.arena_of_body = arenas_of_bodies<M, W, Bodies>::table.data();
          f.knows_arenas = true;
        }
  }
};
template <class M, class W, graph_sizes N, int Bodies> struct network_source
    : traced_source<written_graph<M, W, Bodies>, N>,
      with_bodies<M, W, Bodies, traced_source<written_graph<M, W, Bodies>, N>> {};
// A body sees the bodies of the whole network: those that are its own are among them.
template <class M, class W, int I> struct body_source {
  using traced = traced_source<written_graph<M, W, I>, passes::bound_of(written_graph<M, W, I>::make())>;
  static constexpr graph_sizes bounds = traced::bounds;
  template <int J> using body = body_source<M, W, J>;
  // Bodies are counted when they are closed: those inside come before their own.
  static constexpr plan make() { return with_bodies<M, W, I, traced>::make(); }
};
struct nothing_source {
  static constexpr void size_bodies(plan&) {}
  static constexpr graph_sizes bounds{};
  static constexpr plan make() { return {}; }
};
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

template <class M, class... X> struct compiled_network {
  using model = typename detail::rewritten<M>::model;
  static constexpr passes::numerics numerics = detail::rewritten<M>::numerics;
  static_assert(detail::check_network<model, X...>());
  using symbols = traced_result<model, X...>;
  static constexpr detail::measurement measured = detail::diagnosis<model, X...>::measured;
  static constexpr bool sound = detail::diagnosis<model, X...>::sound;
  using written = detail::written<measured.written, model, X...>;
  using source =
      std::conditional_t<sound, detail::network_source<M, written, measured.bounds, measured.written.bodies>, detail::nothing_source>;
  using program_type = program<source>;
  static constexpr auto const& plan = program_type::plan;
  static_assert(!program_type::sizes.full, "sinter: a network has at most sixteen dynamic dimensions");

  static constexpr int kernels = program_type::sizes.groups - program_type::sizes.once;  // that a call runs
  static constexpr int kernels_once = program_type::sizes.once;  // that run when parameters have changed, and not in every call
  static constexpr int states = program_type::sizes.updates;  // that a call assigns
  static constexpr int bodies = measured.written.bodies;  // of its control flow
  static constexpr bool fixed = program_type::fixed;
  static constexpr int input_dimensions = [] {
    int n = 0;
    for (dimension const& d : plan.dimensions) n += d.from == dimension::origin::input;
    return n;
  }();
  // Bytes as numbers, or where a dimension of an input is dynamic as functions of it: arena_bytes(64), or
  // arena_bytes(64, 10) of two, in the order in which the inputs' shapes name them.
  template <class F> struct function_of_dimensions {
    constexpr std::int64_t operator()(binding const& b) const { return F{}(with_computed(plan.dimensions, b)); }
    template <std::integral... N>
      requires(sizeof...(N) == input_dimensions)
    constexpr std::int64_t operator()(N... n) const {
      binding b;
      int i = 0;
      ((b.value[i++] = static_cast<extent>(n)), ...);
      return (*this)(b);
    }
    template <std::integral... N>
      requires(sizeof...(N) != input_dimensions)
    SINTER_UNAVAILABLE("these bytes depend on the dynamic dimensions of the inputs, and are asked for with a number for each of them")
    constexpr std::int64_t operator()(N...) const {
      return 0;
    }
    template <std::integral N>
    SINTER_UNAVAILABLE("these bytes depend on the dynamic dimensions of the inputs: arena_bytes(64) is a number")
    constexpr bool operator==(N) const {
      return false;
    }
    template <std::integral N>
    SINTER_UNAVAILABLE("these bytes depend on the dynamic dimensions of the inputs: arena_bytes(64) is a number")
    constexpr std::strong_ordering operator<=>(N) const {
      return std::strong_ordering::equal;
    }
  };
  template <class F> static constexpr auto number_or_function(F f) {
    if constexpr (fixed) return f(binding{});
    else return function_of_dimensions<F>{};
  }
  struct stacked {
    constexpr std::int64_t operator()(binding const& b) const {
      std::int64_t offset[program_type::sizes.buffers + 1]{}, top[program_type::sizes.groups + 1]{};
      return stack_arena(plan.buffers, plan.residents, b, offset, top);
    }
  };
  struct most_alive {
    constexpr std::int64_t operator()(binding const& b) const {
      std::int64_t alive[program_type::sizes.groups + 1]{};
      return sinter::arena_lower_bound(plan.buffers, plan.residents, b, alive);
    }
  };
  // What it needs beside inputs, parameters, results and what each thread has for a block of rows (plan/blocks.hpp), and the most bytes that
  // are alive at once: no arena is smaller. A backend that does not run kernels in blocks needs more, and allocates it.
  static constexpr auto arena_bytes = number_or_function(stacked{});
  static constexpr auto arena_lower_bound = number_or_function(most_alive{});
  static constexpr costs cost_at(binding const& b) { return costs_of(plan, with_computed(plan.dimensions, b)); }
  static constexpr costs cost = [] {
    if constexpr (fixed) return costs_of(plan, binding{});
    else return costs{};
  }();
  static constexpr std::int64_t flops = cost.flops, bytes_moved = cost.bytes_read + cost.bytes_written;
  // Of the parameters that it uses, each counted once.
  static constexpr std::int64_t parameter_bytes = [] {
    std::int64_t n = 0;
    list<int> counted;
    auto const add = [&](auto const& p) {
      for (int i = 0; i < p.parameter_at.size(); ++i) {
        bool known = false;
        for (int at : counted) known = known || at == p.parameter_at[i];
        if (known) continue;
        counted.push(p.parameter_at[i]);
        n += p.parameter_types[i].shape.size() * bytes_of(p.parameter_types[i].type);
      }
    };
    add(plan);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (add(program<typename source::template body<I>>::plan), ...);
    }(std::make_integer_sequence<int, bodies>{});
    return n;
  }();
  // Of a step of training (sinter/train.hpp): kernels that lead to the loss, those behind them in which there are gradients, with the updates that
  // these make or without, and those of updates alone; and the bytes of gradients that go to the latter through memory.
  static constexpr kernel_roles roles = [] {
    if constexpr (requires { model::numbers_visited; }) return roles_of(plan, model::numbers_visited);
    else return kernel_roles{kernels};
  }();
  static constexpr int forward_kernels = roles.forward, backward_kernels = roles.backward, update_kernels = roles.update;
  static constexpr std::int64_t gradient_bytes = roles.gradient_bytes;
  // The graph as the network wrote it down, with names.
  static graph traced() { return named_graph<model, X...>(); }
  // Its plan with names, made while the program runs.
  static sinter::plan named_plan() {
    sinter::plan p = make_plan(traced(), numerics);
    source::size_bodies(p);
    return p;
  }
  template <int G> using kernel_at = typename program_type::template kernel_at<G>;
};

// A network's plan. M: the network, or what hybridize() gives, whose type says whether its graph takes relaxed rewrites. X: shapes (of float
// inputs) or tensor types; both give the same plan, which is made once.
//   static_assert(sinter::compiled_t<decltype(net), sinter::shape<1, 512>>::kernels == 3);
template <class M, class... X>
using compiled_t = compiled_network<typename detail::rewritten_of<std::remove_cvref_t<M>>::type, input_tensor_t<std::remove_cvref_t<X>>...>;

}  // namespace SINTER_ISA
}  // namespace sinter
