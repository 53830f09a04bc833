// SPDX-License-Identifier: Apache-2.0
// A network compiled: what hybridize() gives.
#pragma once
#include <ostream>

#include "../nn/copy.hpp"
#include "../nn/layers/basic.hpp"
#include "given.hpp"
#include "run.hpp"

namespace sinter {

#define SINTER_RESULT [[nodiscard("sinter: a call returns its result, unless it is given a place for it: fast(x, out)")]]
// The network M, compiled for the types with which it is called. Calls are const and may come from several threads at once; the first
// call with new types (and the first in each thread) allocates, later ones only the result, and those with a result given nothing at
// all. Parameters must not be changed while a call runs. Calls that assign the same states run one after the other; while one runs, no other
// network that reads them may.
template <class M, class Backend> class hybridized {
 public:
  SINTER_OWN constexpr hybridized() = default;
  SINTER_OWN constexpr explicit hybridized(M const& net) : net_(net) {}
  SINTER_OWN constexpr M const& network() const { return net_; }

  // fast(x): a fresh result. fast(x, out): into `out`, row-major and of the result's shape. It may be an input, or share elements with
  // one; where the input is still read when the result is written, the call then allocates as fast(x) does. fast(x, nd::out(y)) says
  // that y is for the result: where an operand may be left out, nobody could tell. What is const is an operand.
  // A plain number is an element of the dtype that it would take beside the first tensor.
  template <class... X>
    requires(detail::last_of_call<M, X const&...> == detail::last_argument::clear)
  SINTER_RESULT SINTER_OWN constexpr auto operator()(X const&... x) const {
    if constexpr ((std::is_arithmetic_v<X> || ...) && ((std::is_arithmetic_v<X> || detail::is_input<X> || nd::is_out<X>) && ...)) {
      return as_constants(detail::as_input<X...>(x)...);
    } else if constexpr ((detail::is_tied<X> || ...)) {
      return as_constants(detail::untied(x)...);
    } else if constexpr ((nd::is_recorded<unmarked_t<X>> || ...)) {
      SINTER_RETURN_FROM("train/compiled_call.hpp", recorded_call(in_sinter{}, *this, x...));
    } else if constexpr (!detail::are_arguments<X...>) {
      static_assert(detail::are_arguments<X...>,
                    "sinter: a compiled network is called with tensors, or std::tuple of them: fast(x), or fast(x, out)");
      return nd::tensor<float, shape<>>{};
    } else if constexpr (!nn::block_like<M>) {
      static_assert(nn::block_like<M>, SINTER_SAY_PRIVATE_BASE);
      return ops::first_of(x...);
    } else if constexpr (detail::gives_last<M, X...>()) {
      static_assert(detail::ends_in_out<X...>, SINTER_SAY_NOT_CONST);
      if constexpr (detail::ends_in_out<X...>) return give(std::make_index_sequence<sizeof...(X) - 1>{}, x...);
    } else if constexpr (detail::gives_results_apart<M, X...>()) {
      static_assert(sizeof...(X) == 0, SINTER_GIVE_ONE_TUPLE);
    } else if constexpr (!detail::diagnosis<M, input_tensor_t<X>...>::sound) {
      detail::check_network<M, input_tensor_t<X>...>();
      return ops::first_of(x...);
    } else {
      using C = compiled_t<hybridized, X...>;
      using P = typename C::program_type;
      using result = detail::eager_like<typename C::symbols, detail::device_t<X...>>;
      detail::check_classes<C>(unmarked(x)...);
      binding const b = detail::bind_inputs<P>(unmarked(x)...);
      int n = 0;
      typename result::type out = result::make(P::plan, b, n);
      run<C>(b, unmarked(out), unmarked(x)...);
      return out;
    }
  }
  template <class... X>
    requires(detail::last_of_call<M, X...> != detail::last_argument::clear)
  SINTER_OWN constexpr auto operator()(X&&... x) const {
    constexpr bool either = detail::last_of_call<M, X...> == detail::last_argument::either;
    static_assert(
        !either,
        "sinter: the last operand of this network may be left out, so that this tensor could be that operand or the place for the "
        "result; write fast(x, nd::out(y)) for the result; an operand is const, fast(x, std::as_const(memory)), or goes to the "
        "eager network: fast.network()(x, memory)");
    constexpr bool some_const = detail::holds<std::tuple_element_t<sizeof...(X) - 1, std::tuple<X...>>, true>;
    static_assert(either || !some_const, SINTER_SAY_NOT_CONST);
    if constexpr (either) return ops::first_of(x...);
    else if constexpr (!some_const) {
      using last = std::tuple_element_t<sizeof...(X) - 1, std::tuple<X...>>;
      detail::check_all_kept<last>(std::get<sizeof...(X) - 1>(std::tie(x...)));
      return give(std::make_index_sequence<sizeof...(X) - 1>{}, detail::untied(detail::as_input<std::remove_cvref_t<X>...>(x))...);
    }
  }
  template <class... Policy> SINTER_UNAVAILABLE(
      "this network is compiled already; policies are chosen where it is: net.hybridize(math::fast)")
  constexpr hybridized const& hybridize(Policy...) const {
    return *this;
  }
  // The same network with states of its own, over the same parameters: compile/instance.hpp.
  [[nodiscard]] SINTER_OWN auto instance() const { SINTER_RETURN_FROM("compile/instance.hpp", instance_of(in_sinter{}, *this)); }
  // States as they begin, here and in the network that this was made of; and a network with parameters of its own.
  SINTER_OWN void reset_states() const { net_.reset_states(); }
  [[nodiscard]] SINTER_OWN hybridized copy() const { return hybridized(net_.copy()); }
  SINTER_UNAVAILABLE("a compiled network shares the parameters of the network it was made of; call net.initialize()")
  constexpr void initialize(auto const&...) const {}
#define SINTER_OF_THE_NETWORK(name)                                                                                                       \
  template <class... X> SINTER_UNAVAILABLE("files are read and written by the network itself: call it on what hybridize() was called on") \
  void name(auto const&...) const {}
  SINTER_OF_THE_NETWORK(export_)  // NOLINT(readability-identifier-naming): `export` is a keyword
  SINTER_OF_THE_NETWORK(export_onnx)
  SINTER_OF_THE_NETWORK(save)
  SINTER_OF_THE_NETWORK(save_parameters)
  SINTER_OF_THE_NETWORK(load_parameters)
  SINTER_OF_THE_NETWORK(load)
#undef SINTER_OF_THE_NETWORK
  // The plan for inputs of these types: kernels, what is fused into them and why they end, memory and operations.
  template <class... X> SINTER_OWN static std::string report() {
    if constexpr (detail::has_inputs<X...>()) {
      SINTER_RETURN_FROM("viz/report.hpp", report_of(in_sinter{}, ops::list_of<hybridized, X...>{}));
    } else return {};
  }
  template <class A, class... X> SINTER_OWN static std::string report(A const&, X const&...) { return report<A, X...>(); }
  // The graph with its kernels as boxes, for Graphviz.
  template <class... X> SINTER_OWN static std::string dot() {
    if constexpr (detail::has_inputs<X...>()) {
      SINTER_RETURN_FROM("viz/report.hpp", dot_of(in_sinter{}, ops::list_of<hybridized, X...>{}));
    } else return {};
  }
  template <class A, class... X> SINTER_OWN static std::string dot(A const&, X const&...) { return dot<A, X...>(); }

 private:
  template <class, class> friend class instance;
  M net_;
  executor::prepared_plans_handle plans_;

  // Not for results, whatever they were before they became tensors.
  template <class... X> SINTER_OWN constexpr auto as_constants(X const&... x) const { return (*this)(x...); }
  template <std::size_t... I, class... X> SINTER_OWN constexpr auto give(std::index_sequence<I...>, X const&... x) const {
    auto const all = std::tie(x...);
    return into<detail::diagnosis<M, input_tensor_t<std::tuple_element_t<I, std::tuple<X...>>>...>::sound>(
        detail::place(std::get<sizeof...(I)>(all)), std::get<I>(all)...);
  }
  template <bool Sound, class Out, class... X> SINTER_OWN constexpr auto into(Out const& out, X const&... x) const {
    if constexpr (!Sound) {
      detail::check_network<M, input_tensor_t<X>...>();
      return out;
    } else {
      using result = unmarked_t<typename detail::eager_like<traced_result<M, X...>, detail::device_t<X...>>::type>;
      if constexpr (detail::is_given_for<result, unmarked_t<Out>, sizeof...(X)>())
        run_into<compiled_t<hybridized, X...>>(unmarked(out), unmarked(x)...);
      else return out;
    }
  }
  template <class C, class Out, class... X> SINTER_OWN constexpr void run_into(Out const& out, X const&... x) const {
    using P = typename C::program_type;
    detail::check_classes<C>(x...);
    binding const b = detail::bind_inputs<P>(x...);
    detail::check_given<P>(b, out);
    if (std::is_constant_evaluated() || detail::must_run_apart<P>(out, x...)) return run_apart<C>(b, out, x...);
    run<C>(b, out, x...);
  }
  // Results that lie where kernels still read are written at last.
  template <class C, class Out, class... X> SINTER_OWN SINTER_NOINLINE constexpr void run_apart(binding const& b, Out const& out,
                                                                                                X const&... x) const {
    int n = 0;
    auto const apart = detail::eager_like<typename C::symbols, detail::device_t<X...>>::make(C::program_type::plan, b, n);
    run<C>(b, unmarked(apart), x...);
    detail::copy_tensors<Out>(unmarked(apart), out);
  }
  template <class C, class Out, class... X> SINTER_OWN constexpr void run(binding const& b, Out const& out, X const&... x) const {
    using named = detail::named_backend<Backend>;
    if constexpr (detail::device_t<X...>::is_host && !is_never_constant<M>)
      if (SINTER_IS_CONSTANT) {
        check_constant(detail::narrows_weights<named>);
        return detail::run_constant<C>(net_, b, out, detail::contiguous(x)...);
      }
    if constexpr (detail::runs_on<detail::device_t<X...>, named>()) {
      using runner = typename detail::backend_for<detail::device_t<X...>, named>::type;
      constexpr bool alone = detail::is_alone<Backend>;
      if ((detail::all_contiguous(x) && ...)) detail::run_now<C, runner, alone>(net_, plans(), b, out, x...);
      else detail::run_now<C, runner, alone>(net_, plans(), b, out, detail::contiguous(x)...);
    }
  }
  // A function of an argument: GCC sees else that the branch always throws, and does not say what.
  SINTER_OWN static constexpr void check_constant(bool narrow) {
    if (narrow) throw error("sinter: weights become bf16 or int8 when the program runs, not in a constant expression");
  }
  // A network that is a constant has no plans of its own, and no values either: all constants of its type share some.
  SINTER_OWN executor::prepared_plans& plans() const {
    if (plans_) return *plans_;
    static executor::prepared_plans& of_constants = *new executor::prepared_plans;  // there as long as anybody may call
    return of_constants;
  }
};

namespace detail::inline SINTER_ISA {
template <class L, class Network> struct compiled_function {
  template <class... A>
    requires(last_of_call<nn::hybrid_lambda<L>, A...> == last_argument::clear)
  SINTER_RESULT constexpr auto operator()(A&&... x) const {
    return network(std::forward<A>(x)...);
  }
  template <class... A>
    requires(last_of_call<nn::hybrid_lambda<L>, A...> != last_argument::clear)
  constexpr auto operator()(A&&... x) const {
    return network(std::forward<A>(x)...);
  }
  // As those of a compiled network: fast.report(a, b), or decltype(fast)::report<shape<4>, shape<4>>().
  template <class... X, class... A> static std::string report(A const&... x) { return Network::template report<X...>(x...); }
  template <class... X, class... A> static std::string dot(A const&... x) { return Network::template dot<X...>(x...); }
  [[nodiscard]] auto instance() const { return network.instance(); }
  Network network{nn::hybrid_lambda<L>{}};
};
template <class L, class Network> std::ostream& operator<<(std::ostream& out, compiled_function<L, Network> const& f) {
  return out << f.network;
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {
// A plain function as a network: auto fast = sinter::hybridize([](auto F, auto a, auto b) { return F.add(a, b); }); fast(1, 2)
// Policies follow it: sinter::hybridize(f, math::fast).
template <class L, class... Policy>
  requires(!nn::block_like<L>)
[[nodiscard("sinter: hybridize() changes nothing, it returns the compiled function: auto fast = sinter::hybridize(f);")]] constexpr auto
hybridize(L, Policy... policy) {
  return detail::compiled_function<L, decltype(nn::hybrid_lambda<L>{}.hybridize(policy...))>{};
}

}  // namespace SINTER_ISA
}  // namespace sinter
#undef SINTER_GIVE_ONE_TUPLE
#undef SINTER_RESULT
