// SPDX-License-Identifier: Apache-2.0
// The plan of a network for given input types, with its numbers as constants.
#pragma once
#include <array>
#include <compare>

#include "../plan/stages.hpp"
#include "layers.hpp"
#include "written.hpp"

namespace sinter {
namespace detail::inline SINTER_ISA {
// Where it went wrong: the layer's path.
template <class M, class... X> struct path_of_error {
  static constexpr std::string_view whole = "the network itself";
  static constexpr int length = [] {
    tape const t = trace<M, X...>();
    return t.wrong_at.n;
  }();
  static constexpr auto value = [] {
    text<length ? static_cast<std::size_t>(length) + 1 : whole.size() + 1> r;
    if constexpr (length == 0)
      for (std::size_t i = 0; i < whole.size(); ++i) r.s[i] = whole[i];
    else {
      tape const t = trace<M, X...>();
      for (int i = 0; i < length; ++i) r.s[i] = t.g.chars[t.wrong_at.at + i];
    }
    r.s[sizeof(r.s) - 1] = 0;  // as in core/shape.hpp
    return r;
  }();
};

// One evaluation answers whether the compiler can trace the network, what is wrong with it, and how large its graph may become.
struct measurement {
  bool traceable = false;
  trace_error wrong = trace_error::none;
  graph_sizes bounds;
  trace_sizes written;
  bool prints = false;
  bool dimensions_known = true;  // each dynamic dimension is one of an input, or follows from those
};
constexpr bool knows_dimensions(graph const& g) {
  for (graph const& body : g.bodies)
    if (!knows_dimensions(body)) return false;
  for (node const& k : g.nodes)
    for (extent const *e = k.type.shape.d, *const end = e + k.type.shape.rank; e != end; ++e)
      if (*e < 0 && g.dimensions.size_of(*e) == size{}) return false;
  return true;
}
template <class M, class... X> constexpr measurement measure() {
  tape const t = trace<M, X...>(false);
  return {true, t.wrong, passes::bound_of(t.g), sizes_of_trace(t), t.prints, t.wrong != trace_error::none || knows_dimensions(t.g)};
}
template <class... MX, measurement R = measure<MX...>()> constexpr measurement try_measure(int) { return R; }
template <class... MX> constexpr measurement try_measure(long) { return {}; }

// What the compiler can say of the network before it plans it. It never fails itself: `check_network` says what is wrong.
template <class M, class... X> struct diagnosis {
  static constexpr bool constructible = std::is_default_constructible_v<M>;
  using fault = nn::first_fault<M>;
  static constexpr bool whole = constructible && std::is_same_v<fault, nn::nothing>;
  static constexpr measurement measured = [] {
    if constexpr (!whole) return measurement{};
    else if constexpr (!is_result<traced_result<M, X...>> || has_poison<traced_result<M, X...>>)
      return measurement{true, trace_error::operands, {}, {}};
    else return try_measure<M, X...>(0);
  }();
  static constexpr bool sound = measured.traceable && measured.wrong == trace_error::none && measured.dimensions_known;
};

// Follows the sentence on operands that do not fit, which names the line, where they meet in a layer inside of the network.
template <text Layer, bool Fits = false> constexpr bool operands_meet_in_layer() {
  static_assert(Fits,
                "sinter: the operands above meet in this layer of the network; GCC prints its path above this sentence, Clang below it");
  return true;
}
template <class Result> constexpr bool network_gives() {
#define SINTER_GIVES "sinter: the hybrid_forward of a network returns a tensor or a std::tuple of tensors; this one returns "
  constexpr bool number = std::is_arithmetic_v<Result>, eager = nd::is_tensor<Result>;
  static_assert(!number, SINTER_GIVES "a number, as std::exp(h) is one, and F.exp(h) is none");
  static_assert(!eager,
                SINTER_GIVES "an eager tensor, because a layer or an operation in it was called with no symbol, but with numbers alone");
  static_assert(number || eager || is_result<Result>, SINTER_GIVES "something else");
#undef SINTER_GIVES
  return true;
}
template <text Layer> constexpr bool parameter_of_two_shapes_in_layer() {
  static_assert(
      sizeof(Layer) == 0,
      "sinter: this layer is called twice, with operands for which a parameter of it would have two shapes; make it two layers; GCC "
      "prints the layer's path above this sentence, Clang below it");
  return true;
}
template <text Layer> constexpr bool number_out_of_range_in_layer() {
  static_assert(sizeof(Layer) == 0,
                "sinter: in this layer a number is out of the range of the arrays beside it; F.cast them to a wider dtype; GCC prints the "
                "layer's path above "
                "this sentence, Clang below it");
  return true;
}
template <class M, class... X> inline constexpr bool meet_inside = [] {
  tape const t = trace<M, X...>();
  return t.wrong == trace_error::operands && t.wrong_at.n > 0;
}();
// One sentence on what is wrong with a network that is not sound. Functions, because Clang gives up on a class whose assertion failed.
template <class M, class... X> constexpr bool check_network() {
  using D = diagnosis<M, X...>;
  if constexpr (!D::constructible)
    static_assert(D::constructible,
                  "sinter: a network is traced by default-constructing it, so a block may not need constructor arguments; what shapes the "
                  "graph belongs into its type");
  else if constexpr (!D::whole) return nn::detail::check_block<typename D::fault::block_type, D::fault::what>();
  else if constexpr (!is_result<traced_result<M, X...>>) return network_gives<traced_result<M, X...>>();
  else if constexpr (has_poison<traced_result<M, X...>> || D::measured.wrong == trace_error::operands) {
    if constexpr (meet_inside<M, X...>) return operands_meet_in_layer<path_of_error<M, X...>::value>();
  } else if constexpr (!D::measured.traceable)
    static_assert(
        D::measured.traceable,
        "sinter: this network cannot be traced by the compiler; is hybrid_forward of each of its blocks written `constexpr auto "
        "hybrid_forward(auto F, auto x) const`, is nothing in it that only a running program can do, and does no lambda capture a "
        "structured binding, which Clang cannot evaluate?");
  else if constexpr (!D::measured.dimensions_known)
    static_assert(
        D::measured.dimensions_known,
        "sinter: an operation of this network makes a shape with a dynamic dimension that none of the network's inputs has; write a "
        "number, or give an input that dimension");
  else if constexpr (D::measured.wrong == trace_error::number) return number_out_of_range_in_layer<path_of_error<M, X...>::value>();
  else if constexpr (D::measured.wrong == trace_error::two_shapes) return parameter_of_two_shapes_in_layer<path_of_error<M, X...>::value>();
  else if constexpr (D::measured.wrong == trace_error::left_body)
    static_assert(D::measured.wrong != trace_error::left_body,
                  "sinter: this network uses a tensor outside the function of a foreach, while_loop or cond in which it was made; the "
                  "function returns what is used outside");
  else if constexpr (D::measured.wrong == trace_error::state_in_body)
    static_assert(D::measured.wrong != trace_error::state_in_body,
                  "sinter: this network assigns a state in the function of a foreach, while_loop or cond; return the value, and assign it "
                  "behind the loop");
  else if constexpr (D::measured.wrong == trace_error::key_in_body)
    static_assert(D::measured.wrong != trace_error::key_in_body,
                  "sinter: this network draws random numbers in the function of a foreach, while_loop or cond; draw them outside, for all "
                  "turns, and give them as a sequence");
  else if constexpr (D::measured.wrong == trace_error::state)
    static_assert(D::measured.wrong != trace_error::state,
                  "sinter: this network reads a state in another shape than it was assigned in before");
  else if constexpr (D::measured.wrong != trace_error::refused)
    static_assert(D::measured.wrong != trace_error::foreign_parameter,
                  "sinter: a parameter that this network uses is not one of its members; was its layer copied, or left out of "
                  "BOOST_HANA_DEFINE_STRUCT?");
  return true;
}

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

// A graph of the trace, W, with the rewrites of M: that of body I, or the whole behind them.
template <class M, class W, int I> struct written_graph {
  static constexpr auto numerics = rewritten<M>::numerics;
  static constexpr graph make() { return W::value.thaw(I); }
};
template <class Trace, graph_sizes N> struct traced_source {
  // The bound is a guess that nearly always holds; where it does not, the size is found by one more evaluation.
  static constexpr graph_sizes sizes() {
    if constexpr (stages<Trace, N>::overflow()) return sizes_of(passes::optimise(Trace::make(), Trace::numerics));
    else return N;
  }
  using graph_type = stages<Trace, sizes()>;
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
  static constexpr int states = measured.written.states;  // that a call assigns
  static constexpr int bodies = measured.written.bodies;  // of its control flow
  static constexpr frozen_list<int, states> state_at = detail::assigned_states<written, states>();
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
