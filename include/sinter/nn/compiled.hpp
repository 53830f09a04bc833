// SPDX-License-Identifier: Apache-2.0
// The plan of a network for given input types, with its numbers as constants.
#pragma once
#include "layers.hpp"
#include "trace.hpp"

namespace sinter {

namespace detail {
// The first poison of a result, as the check that explains it.
template <class Y> struct first_poison { static constexpr bool found = false; };
template <class Op, problem P, class A, class B> struct first_poison<sym::poison<Op, P, A, B>> {
  static constexpr bool found = true;
  template <text Layer> using explain = operands_do_not_fit_in_layer<Layer, Op, A, B>;
};
template <class Y, class... Rest> struct first_poison<std::tuple<Y, Rest...>> : std::conditional_t<first_poison<Y>::found, first_poison<Y>, first_poison<std::tuple<Rest...>>> {};

template <class M, class... X> struct path_of_error {
  static constexpr int length = [] {
    tape const t = trace<M, X...>();
    return t.wrong_at.n;
  }();
  static constexpr auto value = [] {
    tape const t = trace<M, X...>();
    text<static_cast<std::size_t>(length) + 1> r;
    for (int i = 0; i < length; ++i) r.s[i] = t.g.chars[t.wrong_at.at + i];
    return r;
  }();
};

// Default-constructing a model in a constant expression, and calling it there, for the message when that is impossible.
template <class M, class... X> constexpr bool check_model() {
  static_assert(std::is_default_constructible_v<M>,
                "sinter: a network is traced by default-constructing it, so a block may not need constructor arguments; what shapes the graph belongs into its type");
  if constexpr (std::is_default_constructible_v<M>) {
    static_assert(nn::has_children<M> || nn::has_members<M> || std::is_empty_v<M>, "sinter: the members of a hybrid block are declared with BOOST_HANA_DEFINE_STRUCT, in a public section");
    static_assert(nn::all_members_declared<M>(), "sinter: a block has a member that BOOST_HANA_DEFINE_STRUCT does not name; parameters in it would be lost, and values in it could change the graph");
  }
  return true;
}

// One evaluation answers whether the compiler can trace the network, what is wrong with it, and how large its graph is.
struct measurement {
  bool traceable = false;
  trace_error wrong = trace_error::none;
  graph_sizes sizes;
};
template <class M, class... X> constexpr measurement measure() {
  tape t = trace<M, X...>(false);
  if (t.wrong != trace_error::none) return {true, t.wrong, {}};
  return {true, t.wrong, sizes_of(passes::optimise(std::move(t.g)))};
}
template <class... MX, measurement R = measure<MX...>()> constexpr measurement try_measure(int) { return R; }
template <class... MX> constexpr measurement try_measure(long) { return {}; }

template <class M, graph_sizes N, class... X> struct network_graph {
  static constexpr graph_sizes sizes = N;
  static constexpr frozen_graph<network_graph> freeze() {
    graph const g = passes::optimise(trace<M, X...>(false).g);
    return frozen_graph<network_graph>(g);
  }
  static constexpr frozen_graph<network_graph> value = freeze();
};
template <class M, graph_sizes N, class... X> struct network_source {
  static constexpr plan make() { return plan_of(network_graph<M, N, X...>::value.thaw()); }
};
struct nothing_source {
  static constexpr plan make() { return {}; }
};
}  // namespace detail

// A network's plan. X: shapes (of float inputs) or tensor types.
//   static_assert(sinter::compiled_t<decltype(net), sinter::shape<1, 512>>::kernels == 3);
template <class M, class... X> struct compiled_t {
  static_assert(detail::check_model<M, X...>());
  using symbols = traced_result<M, X...>;
  static constexpr detail::measurement measured = [] {
    if constexpr (has_poison<symbols>) {
      using explained = typename detail::first_poison<symbols>::template explain<detail::path_of_error<M, X...>::value>;
      return detail::measurement{sizeof(explained) == 0, trace_error::operands, {}};
    } else return detail::try_measure<M, X...>(0);
  }();
  static_assert(has_poison<symbols> || measured.traceable, "sinter: this network cannot be traced by the compiler; is every hybrid_forward written `constexpr auto hybrid_forward(auto F, auto x) const`?");
  static_assert(measured.wrong != trace_error::foreign_parameter,
                "sinter: a parameter that this network uses is not one of its members; was its layer copied, or left out of BOOST_HANA_DEFINE_STRUCT?");
  static constexpr bool sound = measured.traceable && measured.wrong == trace_error::none;
  using source = std::conditional_t<sound, detail::network_source<M, measured.sizes, X...>, detail::nothing_source>;
  using program_type = program<source>;
  static constexpr auto const& plan = program_type::plan;
  static_assert(!program_type::sizes.full, "sinter: a network has at most eight dynamic dimensions");

  static constexpr int kernels = program_type::sizes.groups;
  static constexpr bool fixed = program_type::fixed;
  // Kernels, bytes and operations as numbers, or where a dimension is dynamic as functions of it: arena_bytes(64).
  struct arena_function {
    constexpr std::int64_t operator()(std::int64_t n) const { return plan.arena(n); }
  };
  struct bound_function {
    constexpr std::int64_t operator()(std::int64_t n) const { return plan.lower_bound(n); }
  };
  template <class F> static constexpr auto number_or_function(F f) {
    if constexpr (fixed) return f(0);
    else return f;
  }
  static constexpr auto arena_bytes = number_or_function(arena_function{});
  static constexpr auto arena_lower_bound = number_or_function(bound_function{});
  static constexpr costs cost_at(binding const& b) { return costs_of(plan, b); }
  static constexpr costs cost = [] {
    if constexpr (fixed) return costs_of(plan, binding{});
    else return costs{};
  }();
  static constexpr std::int64_t flops = cost.flops, bytes_moved = cost.bytes_read + cost.bytes_written;
  static constexpr std::int64_t parameter_bytes = [] {
    std::int64_t n = 0;
    for (buffer_info const& p : plan.buffers)
      if (p.where == storage::parameter) n += p.elements.k * bytes_of(p.type);
    return n;
  }();
  template <int G> using kernel_at = typename program_type::template kernel_at<G>;
};

}  // namespace sinter
