// SPDX-License-Identifier: Apache-2.0
// foreach, while_loop and cond of eager mode: loops and branches of C++.
#pragma once
#include "functions.hpp"

namespace sinter::nd::inline SINTER_ISA {

template <class X> struct part_is_tensor {
  static constexpr bool value = is_tensor<X>;
};
template <class X> inline constexpr bool are_tensors = each_part_is<part_is_tensor, X>;
template <class X> struct part_is_recorded {
  static constexpr bool value = is_recorded<X>;
};
template <class X> struct part_is_fixed {
  static constexpr bool value = X::shape_type::fixed;
};

// Zeros for each part of `y`, with a new first axis of `turns`.
template <class First, class Y> constexpr auto stack_like(extent turns, Y const& y) {
  return map_parts(y, [&]<class T, class S, class D>(tensor<T, S, D> const& p) {
    dims extents{turns};
    for (int i = 0; i < p.shape().rank; ++i) extents.push(p.shape().d[i]);
    return tensor<T, typename First::template on<S>::type, D>(extents);
  });
}
// What a turn gives has the extents that the turn before gave. `what`: an output or a state.
constexpr void check_extents(char const* what, dims const& now, dims const& before) {
  if (!(now == before))
    throw shape_error(std::string("sinter: ") + what + " of a loop keeps its shape from turn to turn, and this one has " +
                      to_string(before) + " and then " + to_string(now));
}
template <class Y, class All> constexpr void set_turn(Y const& y, All const& all, extent turn) {
  each_pair(y, all, [&](auto const& part, auto const& stacked) {
    auto const row = stacked.row(turn);
    check_extents("an output", part.shape(), row.shape());
    detail::copy_elements(part, row);
  });
}
template <class S> constexpr void check_states(S const& now, S const& before) {
  each_pair(now, before, [](auto const& a, auto const& b) { check_extents("a state", a.shape(), b.shape()); });
}
// Handles that nobody else has: without a turn the states are those that the loop was given.
template <class S> constexpr S own_parts(S const& states) {
  return map_parts(states, []<class P>(P const& p) -> P {  // no `?:`: GCC 12 would use freed memory in a constant expression
    if (p.owner().is_shared() || p.is_read_only()) return P(p.copy());
    return p;
  });
}

// The turns of foreach.
template <class Body, class Slices, class X, class S>
constexpr auto run_turns(Body const& body, Slices const& slices, extent turns, X const& sequences, S const& states) {
  using Y = std::remove_cvref_t<decltype(body(slices(0), states))>;
  using on = first_of_shape<typename std::remove_cvref_t<decltype(first_part(sequences))>::shape_type>;
  decltype(stack_like<on>(turns, std::declval<std::tuple_element_t<0, Y> const&>())) all;
  if constexpr (!each_part_is<part_is_fixed, decltype(all)>)
    if (turns == 0) {  // what a turn would give has the extents of the result
      auto const zeros = map_parts(sequences, []<class T, class Q, class D>(tensor<T, Q, D> const& x) {
        dims slice;
        for (int i = 1; i < Q::rank; ++i) slice.push(x.shape().d[i]);
        return tensor<T, typename first_of_shape<Q>::removed, D>(slice);
      });
      all = stack_like<on>(turns, std::get<0>(body(zeros, states)));
    }
  S now = states;
  for (extent turn = 0; turn < turns; ++turn) {
    auto const slice = slices(turn);
    Y const y = body(slice, now);
    if (turn == 0) all = stack_like<on>(turns, std::get<0>(y));
    set_turn(std::get<0>(y), all, turn);
    check_states(std::get<1>(y), now);
    now = std::get<1>(y);
  }
  return std::tuple(all, own_parts(now));
}
template <class Device, class Body, class X, class S>
constexpr auto foreach_in(functions_on<Device> const&, Body const& body, X const& sequences, S const& states) {
  if constexpr (!ops::may_loop<are_tensors<X> && are_tensors<S>, X>()) return std::tuple(sequences, states);
  else {
    auto const& first = first_part(sequences);
    extent const turns = first.shape().d[0];
    each_part(sequences, [&](auto const& x) {
      if (x.shape().d[0] != turns)
        throw shape_error("sinter: foreach runs along the first axis of its sequences, and these have the shapes " +
                          to_string(first.shape()) + " and " + to_string(x.shape()));
    });
    auto const slices = [&](extent turn) { return map_parts(sequences, [&](auto const& x) { return x.row(turn); }); };
    if constexpr (!ops::takes_a_turn<Body, decltype(slices(0)), S>()) return std::tuple(sequences, states);
    else {
      using Y = std::remove_cvref_t<decltype(body(slices(0), states))>;
      if constexpr (!ops::gives_outputs_and_states<Y, S, are_tensors<Y>>()) return std::tuple(sequences, states);
      else return run_turns(body, slices, turns, sequences, states);
    }
  }
}
template <int Most, class Device, class GoOn, class Body, class S>
constexpr auto while_in(functions_on<Device> const&, GoOn const& go_on, Body const& body, S const& states) {
  if constexpr (!ops::may_loop<are_tensors<S>>()) return std::tuple(states, states);
  else if constexpr (!ops::is_condition<std::remove_cvref_t<decltype(ops::call_with(go_on, states))>>()) return std::tuple(states, states);
  else {
    using Y = std::remove_cvref_t<decltype(ops::call_with(body, states))>;
    if constexpr (!ops::gives_outputs_and_states<Y, S, are_tensors<Y>>()) return std::tuple(states, states);
    else {
      using on = first_of_shape<shape<Most>>;
      decltype(stack_like<on>(Most, std::declval<std::tuple_element_t<0, Y> const&>())) all;
      if constexpr (!each_part_is<part_is_fixed, decltype(all)>) all = stack_like<on>(Most, std::get<0>(ops::call_with(body, states)));
      S now = states;
      for (extent turn = 0; turn < Most && ops::call_with(go_on, now).to(device::cpu).item(); ++turn) {
        Y const y = ops::call_with(body, now);
        set_turn(std::get<0>(y), all, turn);
        check_states(std::get<1>(y), now);
        now = std::get<1>(y);
      }
      return std::tuple(all, own_parts(now));
    }
  }
}
template <class Device, class C, class Then, class Otherwise>
constexpr auto cond_in(functions_on<Device> const&, C const& condition, Then const& then, Otherwise const& otherwise) {
  using Y = std::remove_cvref_t<decltype(then())>;
  constexpr bool recorded = each_part_is<part_is_recorded, Y>;
  if constexpr (!ops::is_condition<C>() ||
                !ops::gives_the_same<Y, std::remove_cvref_t<decltype(otherwise())>, are_tensors<Y> || recorded>())
    return condition;
  else if constexpr (recorded) return condition.to(device::cpu).item() ? Y(then()) : Y(otherwise());
  else {
    if (condition.to(device::cpu).item()) return own_parts(Y(then()));
    return own_parts(Y(otherwise()));
  }
}

}  // namespace sinter::nd::inline SINTER_ISA
