// SPDX-License-Identifier: Apache-2.0
// The base of every block: one hybrid_forward, read eagerly or traced.
#pragma once
#include <cstdio>

#include "../core/math/fast.hpp"
#include "../core/math/relaxed.hpp"
#include "../core/math/winograd.hpp"
#include "../core/weights.hpp"
#include "block_functions.hpp"
#include "call.hpp"
#include "eager.hpp"
#include "print.hpp"

namespace sinter {

template <class Model, class Backend = on_host<>> class hybridized;
template <class Model, class Backend = on_host<>> class instance;

namespace nn {

inline namespace SINTER_ISA {
// The backend with policies; void where it does not take them all.
template <class Backend, class... Policy> struct backend_with {
  using type = void;
};
template <class Backend> struct backend_with<Backend> {
  using type = Backend;
};
template <class Backend, class First, class... More>
  requires requires { Backend::with(First{}); }
struct backend_with<Backend, First, More...> : backend_with<decltype(Backend::with(First{})), More...> {};
// One type for policies in any order: a format of weights, then these.
template <class Policy> inline constexpr int place_of_policy = std::is_same_v<Policy, math::winograd_form> ? 1
                                                               : std::is_same_v<Policy, math::fast_form>   ? 2
                                                                                                           : 0;
template <int Place, class Host, class... Policy> struct on_host_from {
  using type = Host;
};
template <int Place, class... Before, class First, class... More> struct on_host_from<Place, on_host<Before...>, First, More...>
    : std::conditional_t<place_of_policy<First> == Place, on_host_from<Place, on_host<Before..., First>, More...>,
                         on_host_from<Place, on_host<Before...>, More...>> {};
template <class... Policy> struct on_host_with {
  template <int Place, class Host> using from = typename on_host_from<Place, Host, Policy...>::type;
  using type = from<2, from<1, from<0, on_host<>>>>;
};
template <class First, class... More>
  requires(!std::is_void_v<typename backend_with<default_backend, First, More...>::type>)
struct backend_with<on_host<>, First, More...> : on_host_with<First, More...> {};
// The same with math::relaxed among the policies, once: it is no backend's, because it changes the graph.
template <class Backend> struct relaxed_once {
  using type = relaxed_on<Backend>;
};
template <> struct relaxed_once<void> {
  using type = void;
};
template <class Backend> struct relaxed_once<relaxed_on<Backend>> : relaxed_once<void> {};
template <class Backend, class Others, class... Policy> struct chosen_among;
template <class Backend, class... Other> struct chosen_among<Backend, ops::list_of<Other...>> : backend_with<Backend, Other...> {};
template <class Backend, class... Other, class First, class... More> struct chosen_among<Backend, ops::list_of<Other...>, First, More...>
    : chosen_among<Backend, ops::list_of<Other..., First>, More...> {};
template <class Backend, class... Other, class... More>
struct chosen_among<Backend, ops::list_of<Other...>, math::relaxed_rewrites, More...>
    : relaxed_once<typename chosen_among<Backend, ops::list_of<Other...>, More...>::type> {};
template <class Backend, class... Policy> using chosen_backend = typename chosen_among<Backend, ops::list_of<>, Policy...>::type;
#define SINTER_SAY_POLICIES                                                                                                    \
  "sinter: hybridize() takes these, each at most once: math::relaxed, math::fast, math::winograd, and one format of weights, " \
  "weights::bf16 or weights::int8; on other backends than that of xsimd math::relaxed alone"

#define SINTER_SAY_NO_COMPILER \
  "sinter: this program has no header that compiles networks; include sinter/sinter.hpp, or sinter/compile/hybridized.hpp"
#define SINTER_SAY_NO_INPUTS                                                                                                           \
  "sinter: hybridize() takes policies and no inputs; it returns the compiled network, which takes them: auto fast = net.hybridize(); " \
  "fast(x)"

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {
template <class P, class X> constexpr bool may_assign() {
  if constexpr (!is_state<P>) {
    static_assert(is_state<P>, "sinter: a call assigns states alone; declare nn::state<shape<8>> for what it remembers");
    return false;
  } else if constexpr (ops::is_untyped<X>) {
    return true;  // its type comes later
  } else if constexpr (!tensor_like<X>) {
    static_assert(tensor_like<X>, "sinter: a state is assigned a tensor, in its dtype and shape: F.assign(mean, x)");
    return false;
  } else {
    constexpr bool fits = std::is_same_v<typename X::value_type, typename P::value_type> && X::shape_type::fixed &&
                          may_equal(P::declared_shape::value, X::shape_type::value);
    static_assert(fits, "sinter: a state is assigned a tensor of its own dtype and shape, without dynamic dimensions");
    return fits;
  }
}
// What a symbol's parameters and operations are called while a block is called with it: in nothing else.
template <class Mode, class D> constexpr auto names_in(Mode const& F, D const& block) {
  if constexpr (requires { F.names_of(&block, nullptr, [](auto const&, auto const&) {}); })
    return F.names_of(&block, &type_tag<D>, [&](auto const& note, auto const& enter) { visit_parameters(block, note, enter); });
  else if constexpr (requires { F.mode.names_of(&block, nullptr, [](auto const&, auto const&) {}); }) return names_in(F.mode, block);
  else return 0;
}
template <class P, class X> constexpr void assign_now(P const& p, X const& value) {
  try {
    if (std::is_constant_evaluated()) p.assign(value.shape(), value.data());
    else p.assign_alone(value.shape(), value.data());
  } catch (error& e) {
    e.set_where(static_cast<parameter_of<typename P::value_type> const*>(&p), nullptr);
    throw;
  }
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

#define SINTER_NO_SHAPE SINTER_UNAVAILABLE("the shape in which a parameter is used comes second: F.get(gamma, shape<8>{})")
#define SINTER_NO_LABEL SINTER_UNAVAILABLE("a label comes first: F.print(\"h\", h)")
#define SINTER_NO_BRACES(op, call)                                                                                                       \
  using Mode::op;                                                                                                                        \
  template <class X, class T> SINTER_UNAVAILABLE("numbers that decide a shape are keywords, in angle brackets and not in braces: " call) \
  constexpr auto op(X const&, std::initializer_list<T>) const {                                                                          \
    return this->template refused<ops::op>();                                                                                            \
  }
// F inside a block: the operations, and the block's parameters.
template <class Mode> struct block_space : Mode {
  static constexpr bool training = false;
  constexpr explicit block_space(Mode m) : Mode(m) {}
  // The values of a parameter in shape S.
  template <class P, class S>
    requires requires { typename P::declared_shape; }
  constexpr auto get(P const& p, S shape) const {
    static_assert(
        may_equal(P::declared_shape::value, S::value),
        "sinter: F.get asks for a parameter in another shape than it was declared with; GCC prints both types above, Clang below");
    return get(static_cast<parameter_of<typename P::value_type> const&>(p), shape);
  }
  template <class T, class S> constexpr auto get(parameter_of<T> const& p, S) const {
    if constexpr (std::is_base_of_v<sym::functions, Mode>) {
      tape& on = this->t->now();
      return sym::tensor<T, S>{&on, on.parameter(&p, dtype_of<T>, S::value)};
    } else if constexpr (requires { this->variable(p, S::value); }) {
      return this->variable(p, S::value);
    } else {
      try {
        p.use(S::value);
      } catch (error& e) {
        e.set_where(&p, nullptr);
        throw;
      }
      return nd::tensor<T, S, typename Mode::device_type>::share(p.template storage<typename Mode::device_type>(), S::value, true);
    }
  }
  template <class P> SINTER_NO_SHAPE constexpr auto get(P const&) const { return this->template refused<ops::identity>(); }
  using Mode::print;
  template <class X> SINTER_NO_LABEL constexpr void print(X const&) const { this->template refused<ops::identity>(); }
  SINTER_NO_BRACES(reshape, "F.reshape(x, into<8, -1>)")
  SINTER_NO_BRACES(broadcast_to, "F.broadcast_to(x, into<8, 8>)")
  SINTER_NO_BRACES(transpose, "F.transpose(x, axes<1, 0>)")
  // Gives a state other values: eagerly at once, and in a compiled call, which reads what was assigned before, when its kernels have run.
  template <class P, class X> constexpr void assign(P const& p, X const& value) const {
    if constexpr (!sym::is_poison<X>)
      if constexpr (detail::may_assign<P, X>()) {
        if constexpr (std::is_base_of_v<sym::functions, Mode>)
          this->t->now().assign(static_cast<parameter_of<typename P::value_type> const*>(&p), value.t, value.id);
        else if constexpr (ops::is_untyped<X>) this->assign_later(p, value);
        else detail::assign_now(p, value.contiguous().to(device::cpu));
      }
  }
};
template <class Mode> struct block_space<training_functions<Mode>> : training_functions<Mode> {
  static constexpr bool training = true;
  constexpr explicit block_space(training_functions<Mode> m) : training_functions<Mode>(m) {}
  template <class P, class S> constexpr auto get(P const& p, S shape) const {
    return sinter::training(block_space<Mode>(this->mode).get(p, shape));
  }
  template <class P> SINTER_NO_SHAPE constexpr auto get(P const&) const { return this->template refused<ops::identity>(); }
  using training_functions<Mode>::print;
  template <class X> SINTER_NO_LABEL constexpr void print(X const&) const { this->template refused<ops::identity>(); }
  template <class P, class X> constexpr void assign(P const& p, X const& value) const {
    block_space<Mode>(this->mode).assign(p, unmarked(value));
  }
  // A key for random numbers, another one with each call.
  constexpr auto key() const { return key_of(this->mode); }
};
#undef SINTER_NO_SHAPE
#undef SINTER_NO_LABEL
#undef SINTER_NO_BRACES
template <class Mode> constexpr block_space<Mode> in_block(Mode m) { return block_space<Mode>(m); }
}  // namespace SINTER_ISA

// A network or a part of one. D has public members, declared with BOOST_HANA_DEFINE_STRUCT, and
//   constexpr auto hybrid_forward(auto F, auto x) const
// Its default constructor makes the whole network: the compiler traces one that it makes itself.
template <class D> struct hybrid_block : block_functions<D> {
  using block_type = D;

  SINTER_OWN constexpr hybrid_block() = default;
  template <tensor_like A>
  SINTER_UNAVAILABLE("a layer is a member of its block, which calls it: hidden(x); nn::dense<4>(x) would make one of a tensor")
  constexpr hybrid_block(A const&) {}
  template <class N>
    requires std::is_arithmetic_v<N>
  SINTER_UNAVAILABLE(
      "a layer is made without numbers: what shapes it is in its type, nn::dense<10>, and the first call says how many inputs it has")
  constexpr hybrid_block(N) {}
  SINTER_UNAVAILABLE("a plan is reported by the compiled network: net.hybridize().report(x); net.summary() prints the layers")
  std::string report(auto const&...) const { return {}; }

#if SINTER_EXPLICIT_THIS
#define SINTER_SAY_ITSELF \
  "sinter: a block that is called names another one as the argument of its base; it names itself: struct net : nn::hybrid_block<net>"
  template <class Self> static constexpr bool is_itself = std::is_base_of_v<D, Self> || std::is_same_v<Self, hybrid_block>;
  template <class Self, class A, class... X> SINTER_OWN constexpr auto operator()(this Self const& self, A const& a, X const&... x) {
    static_assert(is_itself<Self>, SINTER_SAY_ITSELF);
    if constexpr (requires { in_block(space_for(in_sinter{}, a, x...)); })
      static_assert(!detail::hides_forward<D, Self, decltype(in_block(space_for(in_sinter{}, a, x...))), A, X...>(),
                    "sinter: this block derives from another one, whose hybrid_forward a call finds, and has a hybrid_forward of its own; "
                    "derive it from nn::hybrid_block of its own type, and make the other block a member");
    return static_cast<hybrid_block const&>(self).call(a, x...);
  }
#define SINTER_CALL call
#else
#define SINTER_CALL operator()
#endif
  template <class A, class... X> SINTER_OWN constexpr auto SINTER_CALL(A const& a, X const&... x) const {
    if constexpr (is_space<A>) {
      static_assert(!is_space<A>, "sinter: a layer is called with its operands alone, it finds F by them: hidden(x)");
      return (*this)(x...);
    } else if constexpr ((ops::is_bare_numbers<A>() || ... || ops::is_bare_numbers<X>())) {
      static_assert(sizeof(A) == 0,
                    "sinter: a network is called with tensors, and these numbers have no shape: nd::tensor<float, shape<1, 8>>::from(v) "
                    "copies those of a std::vector into one");
      return nd::tensor<float, shape<1, 1>>{};
    } else if constexpr (!(tensor_like<A> || ... || tensor_like<X>) && !(std::is_arithmetic_v<A> && ... && std::is_arithmetic_v<X>)) {
      static_assert(sizeof(A) == 0,
                    "sinter: a network is called with tensors, net(x), and none of these operands is one; a layer is called itself: "
                    "net(hidden(x))");
      return nd::tensor<float, shape<1, 1>>{};
    } else {
      auto const F = in_block(space_for(in_sinter{}, a, x...));
      // Asked twice: Clang finds out while it compiles the body that a second `return` gives another type than the first. Not with x...,
      // because nvcc takes the last of them for all inside of a requires-expression.
      if constexpr (detail::has_wrong_list<D>) {
        if constexpr (requires { tape_of(F); }) return refuse<D, problem::none>(F, a, trace_error::refused);
        else return ops::first_of(a, x...);
      } else if constexpr (!forwards<D, decltype(F), A, X...> ||
                           !requires(D const& block) { block.hybrid_forward(F, a, std::declval<X const&>()...); }) {
        detail::explain_call<D, decltype(F), A, X...>();
        if constexpr (requires { tape_of(F); }) return refuse<D, problem::none>(F, a, trace_error::refused);
        else return ops::first_of(a, x...);
      } else if constexpr (requires { tape_of(F); }) {
        tape& t = tape_of(F);
        span_of const before = t.enter(&self(), &type_tag<D>);
        auto y = self().hybrid_forward(F, a, x...);
        t.leave(before);
        return y;
      } else {
        try {
          detail::eager_call const call;
          [[maybe_unused]] auto const names = detail::names_in(F, self());
          auto y = self().hybrid_forward(F, a, x...);
          static_assert(detail::is_eager_result<decltype(y)>,
                        "sinter: the hybrid_forward of a network returns a tensor or a std::tuple of tensors; this one returns something "
                        "else");
          if constexpr (requires { names.finish(y); }) names.finish(y);
          if (call.is_outermost()) detail::make_own(y);
          if (call.is_observed()) detail::tell_observer(&self(), &type_tag<D>, y);
          return y;
        } catch (error& e) {
          say_where(e);
          throw;
        }
      }
    }
  }
#undef SINTER_CALL
  // The same network, compiled: another type over the same parameters. fast(x) gives what net(x) gives. With policies: relaxed rewrites
  // (core/math/relaxed.hpp); and on the processor the weights of its float32 products kept in fewer bits (core/weights.hpp), the faster forms of
  // elementary functions (core/math/fast.hpp), convolutions in fewer multiplications (core/math/winograd.hpp).
  // net.hybridize(weights::bf16, math::fast)
#define SINTER_SAY_COMPILES "sinter: hybridize() changes nothing, it returns the compiled network: auto fast = net.hybridize();"
#if SINTER_EXPLICIT_THIS
  template <class Backend = on_host<>, class Self, class... Policy>
  [[nodiscard(SINTER_SAY_COMPILES)]] SINTER_OWN constexpr auto hybridize(this Self const& self, Policy... p) {
    static_assert(is_itself<Self>, SINTER_SAY_ITSELF);
    return static_cast<hybrid_block const&>(self).template compiled_on<Backend>(p...);
  }
  template <class Backend, class... Policy> SINTER_OWN constexpr auto compiled_on(Policy...) const {
#else
  template <class Backend = on_host<>, class... Policy>
  [[nodiscard(SINTER_SAY_COMPILES)]] SINTER_OWN constexpr auto hybridize(Policy...) const {
#endif
    constexpr bool has_inputs = (tensor_like<Policy> || ...);
    static_assert(!has_inputs, SINTER_SAY_NO_INPUTS);
    using chosen = chosen_backend<Backend, Policy...>;
    static_assert(has_inputs || !std::is_void_v<chosen>, SINTER_SAY_POLICIES);
    if constexpr (!std::is_void_v<chosen>) {
      constexpr bool known = requires { sizeof(hybridized<D, chosen>); };
      static_assert(known, SINTER_SAY_NO_COMPILER);
      if constexpr (known) return hybridized<D, chosen>(self());
      else return self();
    }
  }
#undef SINTER_SAY_ITSELF
#undef SINTER_SAY_COMPILES

 private:
  using block_functions<D>::self;
  using block_functions<D>::say_where;
};

}  // namespace nn

inline namespace SINTER_ISA {
#define SINTER_NO_MODE SINTER_UNAVAILABLE("training marks what a network is called with, net(sinter::training(x)); a network has no mode")
template <nn::block_like Network> SINTER_NO_MODE constexpr void training(Network const&) {}
template <class Model, class Backend> SINTER_NO_MODE constexpr void training(hybridized<Model, Backend> const&) {}
#undef SINTER_NO_MODE
}  // namespace SINTER_ISA

}  // namespace sinter
