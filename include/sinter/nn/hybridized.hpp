// SPDX-License-Identifier: Apache-2.0
// A network compiled: what hybridize() gives.
#pragma once
#include <iostream>

#include "../graph/print.hpp"
#include "bound_plans.hpp"
#include "compiled.hpp"
#include "overlap.hpp"

namespace sinter {

namespace detail::inline SINTER_ISA {

// The device on which all inputs of a call lie: tensors, or tuples of them.
template <class... X> struct device_of;
template <class T, class S, class D> struct device_of<nd::tensor<T, S, D>> {
  using type = D;
};
template <class X> struct device_of<in_training<X>> : device_of<X> {};
template <class... X> struct device_of<std::tuple<X...>> : device_of<X...> {};
template <class A, class B, class... Rest> struct device_of<A, B, Rest...> : device_of<A> {
  static_assert(std::is_same_v<typename device_of<A>::type, typename device_of<B, Rest...>::type>,
                "sinter: the inputs of the network lie on different devices; x.to(device::gpu) copies one to the other");
};
template <class... X> using device_t = typename device_of<X...>::type;
// The backend that a network's type names.
template <class Backend> struct backend_named {
  using type = Backend;
};
template <class... Policy> struct backend_named<on_host<Policy...>> : nn::backend_with<default_backend, Policy...> {};
template <class Backend> using named_backend = typename backend_named<Backend>::type;
// A backend that keeps weights in fewer bits.
template <class Backend>
concept narrows_weights = requires { typename Backend::weights; };
// And one that takes the faster forms of elementary functions.
template <class Backend>
concept has_fast_math = requires { typename Backend::math; };
// On the host the network's own backend, elsewhere that of the device.
template <class Device, class Backend> struct backend_for : backend_of<Device> {
  static_assert(!narrows_weights<Backend>, "sinter: a network with weights::bf16 or weights::int8 runs on the processor alone");
  static_assert(!has_fast_math<Backend>, "sinter: a network with math::fast runs on the processor alone");
};
template <class Backend> struct backend_for<device::cpu_t, Backend> {
  using type = Backend;
};

// What a plain number becomes beside the other inputs of a call: a tensor of rank 0, on their device.
template <class... X> struct beside {
  using device_type = device::cpu_t;
  template <class A> using type = A;
};
template <class First, class... X> struct beside<First, X...> : beside<X...> {};
template <class First, class... X>
  requires(nd::is_tensor<unmarked_t<First>>)
struct beside<First, X...> {
  using tensor_type = unmarked_t<First>;
  using device_type = typename tensor_type::device_type;
  template <class A> using rule = ops::call_rule<ops::add, tensor_type, A>;
  template <class A> static constexpr auto promoted() {
    if constexpr (rule<A>::ok) return type_of<rule<A>::value.in[1].type>{};
    else return A{};
  }
  template <class A> using type = decltype(promoted<A>());
};
template <class... X, class A> constexpr decltype(auto) as_input(A const& x) {
  if constexpr (std::is_arithmetic_v<A>) {
    using T = typename beside<X...>::template type<A>;
    return nd::tensor<T, shape<>>(static_cast<T>(x)).to(typename beside<X...>::device_type{});
  } else return (x);
}

// The result of a trace as eager tensors.
template <class Y, class D = device::cpu_t> struct eager_like;
template <class T, class S, class D> struct eager_like<sym::tensor<T, S>, D> {
  using type = nd::tensor<T, S, D>;
  template <class Tag> static constexpr type make(frozen_plan<Tag> const& p, binding const& b, int& n) {
    dims d = p.results[n++].shape;
    for (int i = 0; i < d.rank; ++i) d.d[i] = extent_in(p.dimensions, b, d.d[i]);
    return type(d, false);
  }
};
template <class Y, class D> struct eager_like<in_training<Y>, D> {
  using type = in_training<typename eager_like<Y, D>::type>;
  template <class Tag> static constexpr type make(frozen_plan<Tag> const& p, binding const& b, int& n) {
    return eager_like<Y, D>::make(p, b, n);
  }
};
template <class... Y, class D> struct eager_like<std::tuple<Y...>, D> {
  using type = std::tuple<typename eager_like<Y, D>::type...>;
  template <class Tag> static constexpr type make(frozen_plan<Tag> const& p, binding const& b, int& n) {
    return type{eager_like<Y, D>::make(p, b, n)...};
  }
};

// A tuple of references, as std::tie makes one, with the handles themselves.
template <class X> constexpr X const& untied(X const& x) { return x; }  // NOLINT(bugprone-return-const-ref-from-parameter)
template <class... X>
  requires(std::is_reference_v<X> || ...)
constexpr std::tuple<std::remove_cvref_t<X>...> untied(std::tuple<X...> const& x) {
  return x;
}
template <class X> inline constexpr bool is_tied = false;
template <class... X> inline constexpr bool is_tied<std::tuple<X...>> = (std::is_reference_v<X> || ...);

template <class X> inline constexpr bool is_input = nd::is_tensor<unmarked_t<X>>;
template <class... X> inline constexpr bool is_input<std::tuple<X...>> = (is_input<X> && ...);

#define SINTER_GIVE_ONE_TUPLE \
  "sinter: this network has several results, and they are given as one tuple behind the inputs: fast(x, std::tie(y, z))"
// Whether what is given for the result behind `Inputs` inputs has its type.
template <class Result, class Given, int Inputs> constexpr bool is_given_for() {
  constexpr bool several = requires { std::tuple_size<Result>::value; }, one = nd::is_tensor<Given>;
  constexpr bool same = std::is_same_v<Given, Result> || (several && one);
  static_assert(!(several && one), SINTER_GIVE_ONE_TUPLE);
  static_assert(same || Inputs != 1,
                "sinter: this network takes one input; what is given for the result behind it has another shape or dtype than the result");
  static_assert(
      same || Inputs != 2,
      "sinter: this network takes two inputs; what is given for the result behind them has another shape or dtype than the result");
  static_assert(same || Inputs < 3,
                "sinter: what is given for the result behind the inputs of this network has another shape or dtype than the result");
  return std::is_same_v<Given, Result>;
}

template <class Y> constexpr Y contiguous(Y const& y) {
  if constexpr (nd::is_tensor<Y>) return y.contiguous();
  else return std::apply([](auto const&... k) { return Y{contiguous(k)...}; }, y);
}

}  // namespace detail::inline SINTER_ISA

// The network M, compiled for the types with which it is called. Calls are const and may come from several threads at once; the first
// call with new types (and the first in each thread) allocates, later ones only the result, and those with a result given nothing at
// all. Parameters must not be changed while a call runs.
template <class M, class Backend> class hybridized {
 public:
  SINTER_OWN constexpr explicit hybridized(M const& net) : net_(net) {}
  SINTER_OWN constexpr M const& network() const { return net_; }

  // fast(x): a fresh result. fast(x, out): into `out`, row-major and of the result's shape. It may be an input, or share elements with
  // one; where the input is still read when the result is written, the call then allocates as fast(x) does.
  // A plain number is an element of the dtype that it would take beside the first tensor.
  template <class... X> SINTER_OWN constexpr auto operator()(X const&... x) const {
    if constexpr ((std::is_arithmetic_v<X> || ...) && ((std::is_arithmetic_v<X> || detail::is_input<X>) && ...)) {
      return (*this)(detail::as_input<X...>(x)...);
    } else if constexpr ((detail::is_tied<X> || ...)) {
      return (*this)(detail::untied(x)...);
    } else if constexpr (sizeof...(X) == 0 || !(detail::is_input<X> && ...)) {
      static_assert(sizeof...(X) != 0 && (detail::is_input<X> && ...),
                    "sinter: a compiled network is called with tensors, or std::tuple of them: fast(x), or fast(x, out)");
      return nd::tensor<float, shape<>>{};
    } else if constexpr (gives_last<X...>()) {
      auto const all = std::tie(x...);
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return this->template into<detail::diagnosis<M, input_tensor_t<std::tuple_element_t<I, std::tuple<X...>>>...>::sound>(
            std::get<sizeof...(X) - 1>(all), std::get<I>(all)...);
      }(std::make_index_sequence<sizeof...(X) - 1>{});
    } else if constexpr (gives_results_apart<X...>()) {
      static_assert(sizeof...(X) == 0, SINTER_GIVE_ONE_TUPLE);
      return ops::first_of(x...);
    } else if constexpr (!detail::diagnosis<M, input_tensor_t<X>...>::sound) {
      detail::check_network<M, input_tensor_t<X>...>();
      return ops::first_of(x...);
    } else {
      using C = compiled_t<M, X...>;
      using P = typename C::program_type;
      using result = detail::eager_like<typename C::symbols, detail::device_t<X...>>;
      binding const b = bind_inputs<P>(unmarked(x)...);
      int n = 0;
      typename result::type out = result::make(P::plan, b, n);
      run<C>(b, unmarked(out), unmarked(x)...);
      return out;
    }
  }
  template <class... Policy> SINTER_UNAVAILABLE(
      "this network is compiled already; policies are chosen where it is: net.hybridize(math::fast)")
  constexpr hybridized const& hybridize(Policy...) const {
    return *this;
  }
  SINTER_UNAVAILABLE("a compiled network shares the parameters of the network it was made of; call net.initialize()")
  constexpr void initialize(auto const&...) const {}
  // The plan for inputs of these types: kernels, what is fused into them and why they end, memory and operations.
  template <class... X> SINTER_OWN static std::string report();
  template <class A, class... X> SINTER_OWN static std::string report(A const&, X const&...) { return report<A, X...>(); }
  // The graph with its kernels as boxes, for Graphviz.
  template <class... X> SINTER_OWN static std::string dot();
  template <class A, class... X> SINTER_OWN static std::string dot(A const&, X const&...) { return dot<A, X...>(); }

 private:
  M net_;
  detail::bound_plans_handle bound_;

  // Whether the last argument is the result of calling the network with the others.
  template <class... X> SINTER_OWN static constexpr bool gives_last() {
    if constexpr (sizeof...(X) < 2) return false;
    else return gives_last_of(std::make_index_sequence<sizeof...(X) - 1>{}, static_cast<std::tuple<X...>*>(nullptr));
  }
  template <std::size_t... I, class... X> SINTER_OWN static constexpr bool gives_last_of(std::index_sequence<I...>, std::tuple<X...>*) {
    using all = std::tuple<X...>;
    if constexpr (!callable<std::tuple_element_t<I, all>...>) return false;
    else if constexpr (!callable<X...>) return true;  // and `into` says so when it has another type
    else {
      using out = traced_result<M, std::tuple_element_t<I, all>...>;
      if constexpr (has_poison<out>) return false;
      else
        return std::is_same_v<unmarked_t<typename detail::eager_like<out, detail::device_t<std::tuple_element_t<I, all>...>>::type>,
                              unmarked_t<std::tuple_element_t<sizeof...(I), all>>>;
    }
  }
  // Whether results of a network with several are given one by one behind the inputs.
  template <class... X> SINTER_OWN static constexpr bool gives_results_apart() {
    if constexpr (sizeof...(X) < 3) return false;
    else if constexpr (callable<X...>) return false;
    else
      return []<std::size_t... N>(std::index_sequence<N...>) {
        return (has_results_behind<N + 1, X...>(std::make_index_sequence<N + 1>{}) || ...);
      }(std::make_index_sequence<sizeof...(X) - 2>{});
  }
  // Whether the first so many arguments are the inputs of a network with several results.
  template <std::size_t N, class... X, std::size_t... I> SINTER_OWN static constexpr bool has_results_behind(std::index_sequence<I...>) {
    using all = std::tuple<X...>;
    if constexpr (!callable<std::tuple_element_t<I, all>...>) return false;
    else return requires { std::tuple_size<traced_result<M, std::tuple_element_t<I, all>...>>::value; };
  }
  template <class... X> static constexpr bool callable =
      nn::forwards<M, decltype(nn::in_block(space_for(in_sinter{}, std::declval<symbol_t<X> const&>()...))), symbol_t<X>...>;

  template <bool Sound, class Out, class... X> SINTER_OWN constexpr auto into(Out const& out, X const&... x) const {
    if constexpr (!Sound) {
      detail::check_network<M, input_tensor_t<X>...>();
      return out;
    } else {
      using result = unmarked_t<typename detail::eager_like<traced_result<M, X...>, detail::device_t<X...>>::type>;
      if constexpr (detail::is_given_for<result, unmarked_t<Out>, sizeof...(X)>())
        run_into<compiled_t<M, X...>>(unmarked(out), unmarked(x)...);
      else return out;
    }
  }
  template <class C, class Out, class... X> SINTER_OWN constexpr void run_into(Out const& out, X const&... x) const {
    using P = typename C::program_type;
    binding const b = bind_inputs<P>(x...);
    int n = 0;
    auto const check = [&](auto const& t) {
      t.check_writable();
      dims d = P::plan.results[n++].shape;
      for (int i = 0; i < d.rank; ++i) d.d[i] = extent_in(P::plan.dimensions, b, d.d[i]);
      if (!(d == t.shape()) || !t.is_contiguous())
        throw shape_error("sinter: the result has shape " + to_string(d) + ", and the tensor given for it " + to_string(t.shape()) +
                          (t.is_contiguous() ? "" : ", not row-major"));
    };
    detail::each_tensor(out, check);
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
  template <class P, class... X> SINTER_OWN static constexpr binding bind_inputs(X const&... x) {
    if constexpr (P::fixed) return {};
    else {
      dims actual[(detail::tensors_in<X>() + ... + 0) + 1]{}, typed[(detail::tensors_in<X>() + ... + 0) + 1]{};
      int n = 0;
      auto const note = [&]<class T, class S, class D>(nd::tensor<T, S, D> const& t) {
        typed[n] = S::value;
        actual[n++] = t.shape();
      };
      (detail::each_tensor(x, note), ...);
      return bind(P::plan, actual, typed, n);
    }
  }

  template <class C, class Out, class... X> SINTER_OWN constexpr void run(binding const& b, Out const& out, X const&... x) const {
    using P = typename C::program_type;
    if constexpr (detail::device_t<X...>::is_host)
      if (std::is_constant_evaluated()) {
        check_constant(detail::narrows_weights<detail::named_backend<Backend>>);
        return run_constant<P>(b, out, detail::contiguous(x)...);
      }
    if ((all_contiguous(x) && ...)) run_now<C>(b, out, x...);
    else run_now<C>(b, out, detail::contiguous(x)...);
  }
  // A function of an argument: GCC sees else that the branch always throws, and does not say what.
  SINTER_OWN static constexpr void check_constant(bool narrow) {
    if (narrow) throw error("sinter: weights become bf16 or int8 when the program runs, not in a constant expression");
  }
  template <class X> SINTER_OWN static bool all_contiguous(X const& x) {
    bool all = true;
    auto const look = [&](auto const& t) { all = all && t.is_contiguous(); };
    detail::each_tensor(x, look);
    return all;
  }
  template <class P, class Out, class... X> SINTER_OWN constexpr void run_constant(binding const& b, Out const& out, X const&... x) const {
    kernel::pointer in[P::sizes.inputs + 1]{}, to[P::sizes.results + 1]{}, values[P::sizes.parameters + 1]{};
    int n = 0, k = 0, visited = 0;
    auto const note = [&]<class T, class S, class D>(nd::tensor<T, S, D> const& t) {
      in[n++] = const_cast<std::remove_const_t<T>*>(t.data());
    };
    (detail::each_tensor(x, note), ...);
    if (n < P::sizes.inputs) throw error("sinter: random numbers are drawn when the program runs, not in a constant expression");
    auto const note_result = [&](auto const& t) { to[k++] = t.data(); };
    detail::each_tensor(out, note_result);
    nn::visit_parameters(net_, [&](auto const& p, std::string_view) {
      for (int i = 0; i < P::sizes.parameters; ++i)
        if (P::plan.parameter_at[i] == visited) values[i] = p.use(P::plan.parameter_types[i].shape);
      ++visited;
    });
    P::template run_constant<reference::backend>(in, values, to, b);
  }

  template <class C, class Out, class... X> SINTER_OWN void run_now(binding const& b, Out const& out, X const&... x) const {
    using P = typename C::program_type;
    std::byte *in[P::sizes.inputs + 1], *to[P::sizes.results + 1];
    int n = 0, k = 0;
    auto const note = [&]<class T, class S, class D>(nd::tensor<T, S, D> const& t) {
      in[n++] = reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(t.data()));
    };
    (detail::each_tensor(x, note), ...);
    std::int64_t key[P::sizes.inputs + 1];  // for random numbers, drawn in the order in which the network asks for them
    for (; n < P::sizes.inputs; ++n) {
      key[n] = random::next_key();
      in[n] = reinterpret_cast<std::byte*>(&key[n]);
    }
    auto const note_result = [&](auto const& t) { to[k++] = reinterpret_cast<std::byte*>(t.data()); };
    detail::each_tensor(out, note_result);

    using device_type = detail::device_t<X...>;
    using runner = typename detail::backend_for<device_type, detail::named_backend<Backend>>::type;
    auto& w = detail::workspace_of<P, runner>();
    geometry<P> const* g = nullptr;
    if constexpr (P::fixed) g = &P::fixed_numbers();
    else {
      if (w.bytes < 0 || !w.g.at.agrees(b, P::sizes.dimensions)) P::prepare(w.g, b);
      g = &w.g;
    }
    if (g->arena_bytes > w.bytes) {
      w.bytes = -1;  // without an arena, should there be no memory for the new one
      w.arena = {};
      w.arena = device_type::template allocate<std::byte>(static_cast<std::size_t>(g->arena_bytes), false);
      w.bytes = g->arena_bytes;
    }
    constexpr int given = (detail::tensors_in<X>() + ... + 0);
    if constexpr (!device_type::is_host && P::sizes.inputs > given) {  // the keys, where kernels can read them
      if (!w.keys) w.keys = device_type::template allocate<std::int64_t>(P::sizes.inputs + 1, false);
      device_type::copy(w.keys.data(), key, sizeof key);
      for (int i = given; i < P::sizes.inputs; ++i) in[i] = reinterpret_cast<std::byte*>(w.keys.data() + i);
    }
    detail::bound_parameters<P>* bound = plans().template find<P, device_type>();
    if (!bound || bound->epoch.load(std::memory_order_acquire) != nn::parameter_epoch.load(std::memory_order_acquire))
      bound = bind_parameters<C, device_type>(*g);
    if constexpr (requires { &runner::template run<P>; }) runner::template run<P>(*g, in, bound->values, to, w.arena.data(), bound->packed);
    else P::template run<runner>(*g, in, bound->values, to, w.arena.data(), bound->packed);
  }

  // The slow way: some parameter, somewhere, has changed since this plan last ran, or it never did.
  template <class C, class Device> SINTER_OWN SINTER_NOINLINE detail::bound_parameters<typename C::program_type>* bind_parameters(
      geometry<typename C::program_type> const& g) const {
    using P = typename C::program_type;
    bound_plans_type& plans = this->plans();
    std::lock_guard const hold(plans.lock);
    detail::bound_parameters<P>* bound = plans.template find<P, Device>();
    if (!bound)
      bound = plans.template add<P, Device>([] {
        if constexpr (C::measured.prints) announce_prints<C>();
      });
    for (;;) {
      std::uint64_t const epoch = nn::parameter_epoch.load(std::memory_order_acquire);
      if (bound->epoch.load(std::memory_order_relaxed) == epoch) return bound;
      bool changed = false;
      try {
        find_values<P, Device>(*bound, changed);
        if (changed) pack<P, typename detail::backend_for<Device, detail::named_backend<Backend>>::type>(*bound, g);
      } catch (...) {  // what is packed may be of other values: the next call looks at all of them again
        if (changed) std::fill_n(bound->versions, P::sizes.parameters, 0);
        throw;
      }
      // Making deferred values moves the epoch: look again until it stands still.
      if (nn::parameter_epoch.load(std::memory_order_acquire) == epoch) bound->epoch.store(epoch, std::memory_order_release);
    }
  }
  template <class P, class Device> SINTER_OWN void find_values(detail::bound_parameters<P>& bound, bool& changed) const {
    int visited = 0;
    nn::visit_parameters(net_, [&]<class T>(nn::parameter_of<T> const& p, std::string_view name) {
      if constexpr (has_parameters<P, T>)
        for (int i = 0; i < P::sizes.parameters; ++i) {
          if (P::plan.parameter_at[i] != visited) continue;
          try {
            p.use(P::plan.parameter_types[i].shape);
            auto* const v = reinterpret_cast<std::byte*>(p.template storage<Device>().data());
            if (bound.values[i] == v && bound.versions[i] == p.version()) continue;  // not even written: another thread may read it
            changed = true;
            bound.values[i] = v;
            bound.versions[i] = p.version();
          } catch (error& e) {
            e.set_layer(std::string(name));
            throw;
          }
        }
      ++visited;
    });
  }
  // Code for other dtypes than those of the plan's parameters would never run.
  template <class P, class T> static constexpr bool has_parameters = [] {
    for (array_type const& t : P::plan.parameter_types)
      if (t.type == dtype_of<T>) return true;
    return false;
  }();
  using bound_plans_type = detail::bound_plans;
  // A network that is a constant has no plans of its own, and no values either: all constants of its type share some.
  SINTER_OWN bound_plans_type& plans() const {
    if (bound_) return *bound_;
    static bound_plans_type& of_constants = *new bound_plans_type;  // there as long as anybody may call
    return of_constants;
  }

  template <class P, class Runner> SINTER_OWN static void pack(detail::bound_parameters<P>& bound, geometry<P> const& g) {
    static constexpr weights<P> weights{};
    std::size_t bytes[P::sizes.groups + 1]{}, total = 0;
    for (int q = 0; q < P::sizes.groups; ++q) {
      bytes[q] = weights.of[q] < 0 ? 0 : P::template table<Runner>.packed_bytes[q](launch_of<P>(g, q));
      total += (bytes[q] + storage_alignment - 1) / storage_alignment * storage_alignment;
    }
    bound.storage = total ? buffer<std::byte>(total, false) : buffer<std::byte>{};
    std::byte* to = bound.storage.data();
    for (int q = 0; q < P::sizes.groups; ++q) {
      bound.packed[q] = nullptr;
      int const j = weights.of[q];
      if (j < 0 || bytes[q] == 0) continue;
      kernel::pointer p[P::largest_group() + 1]{};
      int const at = P::plan.groups.items[q].operands.at + j;
      operand const& o = P::plan.operands.items[at];
      p[j] = std::bit_cast<kernel::pointer>(bound.values[P::plan.buffers.items[o.buffer].index] + g.offset[at] * bytes_of(o.type));
      P::template table<Runner>.pack[q](launch_of<P>(g, q), p, to);
      bound.packed[q] = to;
      to += (bytes[q] + storage_alignment - 1) / storage_alignment * storage_alignment;
    }
  }
  // Which operand of each group is a product's weights and a parameter; or -1.
  template <class P> struct weights {
    int of[P::sizes.groups + 1]{};
    constexpr weights() {
      for (int q = 0; q < P::sizes.groups; ++q) of[q] = find(P::plan.groups.items[q]);
    }
    static constexpr int find(group const& g) {
      if (g.map >= 0) return -1;  // its second operand is read as it lies
      for (int s = 0; s < g.steps.n; ++s) {
        step_info const& k = P::steps.items[g.steps.at + s];
        if (k.op->kind != family::product || k.from[1] >= 0) continue;
        int const j = -1 - k.from[1];
        return P::plan.buffers.items[P::plan.operands.items[g.operands.at + j].buffer].where == storage::parameter ? j : -1;
      }
      return -1;
    }
  };
  template <class P> SINTER_OWN static kernel::launch launch_of(geometry<P> const& g, int q) {
    kernel::launch l = g.launches[q];
    l.stride = g.stride + P::plan.groups.items[q].operands.at * max_loop;
    if (!P::fixed && l.extent[l.rank - 3] < 64) l.extent[l.rank - 3] = 64;  // packed for any number of rows
    return l;
  }

  // F.print, of which a compiled network says once what it would show.
  template <class C> SINTER_OWN static void announce_prints() {
    graph const g = C::traced();
    for (print_note const& p : g.prints) {
      array_type const type = g.nodes[p.node].type;
      std::cout << g.str(p.label) << " <symbol " << p.node << ' ' << name_of(type.type) << ' ' << to_string(type.shape, g.dimensions)
                << ">\n";
    }
  }
};

namespace detail::inline SINTER_ISA {
template <class L, class Network> struct compiled_function {
  template <class... A> constexpr auto operator()(A const&... x) const { return network(x...); }
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
  requires(!nn::block<L>)
[[nodiscard("sinter: hybridize() changes nothing, it returns the compiled function: auto fast = sinter::hybridize(f);")]] constexpr auto
hybridize(L, Policy... policy) {
  return detail::compiled_function<L, decltype(nn::hybrid_lambda<L>{}.hybridize(policy...))>{};
}

}  // namespace SINTER_ISA
}  // namespace sinter
#undef SINTER_GIVE_ONE_TUPLE
