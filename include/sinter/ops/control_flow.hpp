// SPDX-License-Identifier: Apache-2.0
// Control flow as functions of F that take functions, and what these must give.
#pragma once
#include <tuple>

#include "../core/parts.hpp"
#include "../core/shape.hpp"

namespace sinter::ops::inline SINTER_ISA {

template <class X> struct part_has_axis {
  static constexpr bool value = X::shape_type::rank > 0;
};
template <class X> constexpr extent turns_of() {
  if constexpr (is_tuple<X>) {
    extent n = unknown_extent;
    [&]<class... P>(std::tuple<P...> const*) { ((n = turns_of<P>() >= 0 ? turns_of<P>() : n), ...); }(static_cast<X const*>(nullptr));
    return n;
  } else return X::shape_type::value.d[0];
}
template <class X, extent N> constexpr bool turns_agree() {
  if constexpr (is_tuple<X>)
    return []<class... P>(std::tuple<P...> const*) { return (turns_agree<P, N>() && ...); }(static_cast<X const*>(nullptr));
  else return X::shape_type::value.d[0] < 0 || N < 0 || X::shape_type::value.d[0] == N;
}
// Whether a loop can begin, and the sentence that says why not. Tensors: whether all that it is given are tensors of one mode.
template <bool Tensors, class X = std::tuple<>> constexpr bool may_loop() {
  static_assert(Tensors, "sinter: a loop runs over tensors: sequences and states are each a tensor or a std::tuple of tensors");
  if constexpr (!Tensors || std::is_same_v<X, std::tuple<>>) return Tensors;
  else {
    constexpr bool axes = each_part_is<part_has_axis, X>;
    static_assert(axes, "sinter: foreach runs along the first axis of its sequences, and one of them has no axis");
    if constexpr (!axes) return false;
    else {
      constexpr bool agree = turns_agree<X, turns_of<X>()>();
      static_assert(agree, "sinter: foreach runs along the first axis of its sequences, and two of them have different extents there");
      return agree;
    }
  }
}
// Whether foreach can call its function with the slices of a turn and the states.
template <class Body, class Slices, class S> constexpr bool takes_a_turn() {
  constexpr bool takes = std::is_invocable_v<Body const&, Slices const&, S const&>;
  static_assert(takes,
                "sinter: the function of foreach takes a slice of the sequences and the states: [&](auto row, auto state) { return "
                "std::tuple(row + state, state); }");
  return takes;
}
// What the function of a loop gives for states S; Tensors: whether all of it are tensors of the loop's mode.
template <class Y, class S, bool Tensors> constexpr bool gives_outputs_and_states() {
  if constexpr (!is_pair_of_parts<Y> || !Tensors) {
    static_assert(is_pair_of_parts<Y> && Tensors,
                  "sinter: the function of a loop returns std::tuple(outputs, states), each a tensor or a std::tuple of tensors");
    return false;
  } else {
    constexpr bool same = std::is_same_v<std::tuple_element_t<1, Y>, S>;
    static_assert(same,
                  "sinter: the function of a loop gives states of another shape, dtype or number than it is given; they are those of the "
                  "next turn");
    return same;
  }
}
// A function of while_loop gets each of several states as an operand of its own.
template <class F, class S> constexpr auto call_with(F const& f, S const& states) {
  if constexpr (is_tuple<S>) return std::apply(f, states);
  else return f(states);
}
template <class C> constexpr bool is_condition() {
  constexpr bool is = [] {
    if constexpr (requires { typename C::shape_type; })
      return std::is_same_v<typename C::value_type, bool> && C::shape_type::fixed && C::shape_type::value.size() == 1;
    else return false;
  }();
  static_assert(is, "sinter: a condition is a tensor of one bool: F.sum(x) < 1");
  return is;
}
template <class Y, class Z, bool Tensors> constexpr bool gives_the_same() {
  static_assert(Tensors, "sinter: a function of cond returns a tensor or a std::tuple of tensors");
  static_assert(!Tensors || std::is_same_v<Y, Z>, "sinter: the two functions of cond give results of different shapes, dtypes or numbers");
  return Tensors && std::is_same_v<Y, Z>;
}

// A tensor, or a std::tuple of several.
template <class X> constexpr X one_or_all(X const& x) { return x; }
template <class X, class Y, class... More> constexpr auto one_or_all(X const& x, Y const& y, More const&... more) {
  return std::tuple(x, y, more...);
}
// The result of a value_and_gradient of which the compiler has said what is wrong.
template <class X, class... More> constexpr auto unchanged(X const& x, More const&... more) {
  return std::tuple(x, one_or_all(x, more...));
}
// True where the function of gradient can be called. Tensors: true where all operands are tensors of one mode.
template <class Function, bool Tensors, class... X> constexpr bool takes_operands() {
  constexpr bool takes = [] {
    if constexpr (Tensors && sizeof...(X) > 0) return std::is_invocable_v<Function const&, X const&...>;
    else return false;
  }();
  static_assert(
      takes,
      "sinter: gradient takes a function and the tensors with which it is called: F.gradient([&](auto v) { return F.sum(v * v); }, x)");
  return takes;
}
// True where it gives a single number, of floats.
template <class Y> constexpr bool is_differentiable() {
  constexpr bool one = [] {
    if constexpr (requires { typename Y::shape_type; }) return Y::shape_type::rank == 0;
    else return false;
  }();
  static_assert(one, "sinter: the function of gradient gives a single number, of shape (); take the sum or the mean of its result");
  if constexpr (!one) return false;
  else {
    constexpr bool floats = is_floating(dtype_of<typename Y::value_type>);
    static_assert(
        floats,
        "sinter: the function of gradient gives an integer, and gradients are those of floats; cast its operands: F.cast(x, as<float>)");
    return floats;
  }
}

// True where Backward, the second function of with_gradient, captures nothing, so that it can be kept for later.
template <class Backward> constexpr bool captures_nothing() {
  constexpr bool empty = std::is_empty_v<Backward>;
  static_assert(
      empty,
      "sinter: the second function of with_gradient is called later, when what it captures may be gone; it captures nothing, and gets "
      "what it needs as operands: F.with_gradient(f, [](auto d, auto x) { return d * x; }, x)");
  return empty;
}
// True where it can be called with the gradient of a Y and the operands.
template <class Backward, class Y, class... X> constexpr bool takes_gradient() {
  constexpr bool takes = std::is_invocable_v<Backward const&, Y const&, X const&...>;
  static_assert(takes,
                "sinter: the second function of with_gradient takes the gradient of the result and then the operands: [](auto d, auto x) { "
                "return d * x; }");
  return takes;
}
template <class G, class... X> inline constexpr bool are_gradients_of = false;
template <class... G, class... X>
  requires(sizeof...(G) == sizeof...(X))
inline constexpr bool are_gradients_of<std::tuple<G...>, X...> =
    ((std::is_same_v<typename G::value_type, typename X::value_type> && may_equal(G::shape_type::value, X::shape_type::value)) && ...);
// True where what it gives, a G, is a gradient for each operand.
template <class G, class... X> constexpr bool gives_gradients() {
  constexpr bool fit = [] {
    if constexpr (sizeof...(X) == 0 || !is_tuple<G>) return false;
    else return are_gradients_of<G, X...>;
  }();
  static_assert(
      fit,
      "sinter: the second function of with_gradient gives a gradient for each operand, of its shape and dtype, several as a std::tuple");
  return fit;
}

template <int N> struct max_iterations_t {
  static_assert(N > 0, "sinter: a while_loop makes at least one turn possible: max_iterations<20>");
};

// The functions of F that take functions. `foreach_in` and the others are found where F's mode is.
template <class Mode> struct control_flow {
  // foreach(body, sequences, states): body(slices, states) for each slice along the first axis; it returns std::tuple(outputs, states).
  // Gives std::tuple(the outputs stacked along a new first axis, the last states). Sequences, states and outputs are each a tensor or a
  // std::tuple of tensors.
  template <class Body, class X, class S> constexpr auto foreach (Body const& body, X const& sequences, S const& states) const {
    return foreach_in(static_cast<Mode const&>(*this), body, sequences, states);
  }
  // while_loop(go_on, body, states, max_iterations<20>): body(states) while go_on(states) is true, at most so many times; it returns
  // std::tuple(outputs, states). Both functions get several states as operands: go_on(n, w), body(n, w). Gives std::tuple(the outputs stacked along a new first axis of that extent, the last states). Rows of
  // turns that were not made are zero.
  template <class GoOn, class Body, class S, int Most>
  constexpr auto while_loop(GoOn const& go_on, Body const& body, S const& states, max_iterations_t<Most>) const {
    return while_in<Most>(static_cast<Mode const&>(*this), go_on, body, states);
  }
  template <class GoOn, class Body, class S> constexpr auto while_loop(GoOn const&, Body const&, S const& states) const {
    static_assert(sizeof(S) == 0,
                  "sinter: a while_loop knows how many turns it makes at most: while_loop(go_on, body, states, max_iterations<20>)");
    return std::tuple{states, states};
  }
  // cond(condition, then, otherwise): what the function gives that the condition, a bool of one element, chooses. Both give the same types,
  // and in a compiled network only the chosen one runs.
  template <class C, class Then, class Otherwise> constexpr auto cond(C const& condition, Then const& then,
                                                                      Otherwise const& otherwise) const {
    constexpr bool are_functions = !requires { typename Then::shape_type; } && !requires { typename Otherwise::shape_type; };
    static_assert(are_functions, "sinter: cond takes functions without operands: cond(x < 1, [&] { return x; }, [&] { return x * 2; })");
    if constexpr (are_functions) return cond_in(static_cast<Mode const&>(*this), condition, then, otherwise);
    else return then;
  }
  // value_and_gradient(f, x, ...): std::tuple(f(x, ...), its gradient with respect to each x, of which several are a std::tuple). f gives a single
  // number. What else f reads does not change: parameters, and x itself where f captures it.
  template <class Function, class... X> constexpr auto value_and_gradient(Function const& f, X const&... x) const {
    constexpr bool known = requires(Mode const& F) { value_and_gradient_in(F, f, x...); };
    static_assert(known, "sinter: this function is in a header of its own; include sinter/gradient.hpp");
    if constexpr (known) return value_and_gradient_in(static_cast<Mode const&>(*this), f, x...);
    else return unchanged(x...);
  }
  // gradient(f, x, ...): the gradients alone
  template <class Function, class... X> constexpr auto gradient(Function const& f, X const&... x) const {
    return std::get<1>(value_and_gradient(f, x...));
  }
  // with_gradient(forward, backward, x, ...): forward(x, ...), a tensor of floats, whose gradients with respect to the x are backward(d, x, ...),
  // where d is its own: one, or a std::tuple of several. What lies between is not differentiated, so forward captures nothing that
  // is. Rounding, as if it were none:
  //   F.with_gradient([&](auto v) { return F.round(v); }, [](auto d, auto) { return d; }, x)
  template <class Forward, class Backward, class... X>
  constexpr auto with_gradient(Forward const& forward, Backward const& backward, X const&... x) const {
    constexpr bool known = requires(Mode const& F) { with_gradient_in(F, forward, backward, x...); };
    static_assert(known, "sinter: this function is in a header of its own; include sinter/gradient.hpp");
    if constexpr (!captures_nothing<Backward>()) return first_of(x...);
    else if constexpr (known) return with_gradient_in(static_cast<Mode const&>(*this), forward, backward, x...);
    else return first_of(x...);
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

namespace sinter {
template <int N> inline constexpr ops::max_iterations_t<N> max_iterations{};
}  // namespace sinter
