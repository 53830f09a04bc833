// SPDX-License-Identifier: Apache-2.0
// foreach, while_loop and cond of a trace: each function that they are given is traced on a tape of its own and becomes a body.
#pragma once
#include "../core/parts.hpp"
#include "../ops/control_flow.hpp"
#include "tensor.hpp"

namespace sinter::sym::inline SINTER_ISA {

template <class X> struct part_is_symbol {
  static constexpr bool value = is_symbol<X>;
};
template <class X> inline constexpr bool are_symbols = each_part_is<part_is_symbol, X>;
template <class First, class X> struct stacked_on;
template <class First, class T, class S> struct stacked_on<First, tensor<T, S>> {
  using type = tensor<T, typename First::template on<S>::type>;
};

// What stands for operands that do not fit is passed on, as every operation does: the network says then what is wrong.
template <class X> inline constexpr bool any_poison = is_poison<X>;
template <class... X> inline constexpr bool any_poison<std::tuple<X...>> = (any_poison<X> || ...);
template <class X, class... More> constexpr auto poison_among(X const& x, More const&... more) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!any_poison<X>) return poison_among(more...);
  else return std::apply([](auto const&... k) { return poison_among(k...); }, x);
}
template <class Y, class P> constexpr auto all_poison(Y const& y, P const& p) {
  return map_parts(y, [&](auto const&) { return p; });
}

// Writes one operation of ops/region.hpp on a tape.
class region_writer {
 public:
  constexpr explicit region_writer(tape& on) : on_(on) {}
  ops::region_info info;

  template <class X> constexpr void operands(X const& x) {
    each_part(x, [&](auto const& p) { in_.push(on_.local(p.t, p.id)); });
  }
  constexpr array_type const& type_of_operand(int i) const { return on_.g.nodes[in_[i]].type; }
  constexpr void captured_by(tape const& body) {
    for (int i = 0; i < body.captured(); ++i) in_.push(body.captured(i));
  }
  constexpr void result(array_type const& t) { types_.push(t); }
  template <class Op> constexpr void finish() {
    typename Op::attributes a;
    static_cast<ops::region_info&>(a) = info;
    a.types = types_;
    inferred why;
    id_ = on_.g.apply(ops::info<Op>, {in_.data(), in_.size()}, pack(a), why);
  }
  // The next result as a symbol.
  template <class Y> constexpr Y next() { return Y{&on_, on_.g.result(id_, next_++)}; }

 private:
  tape& on_;
  list<int> in_;
  list<array_type> types_;
  int id_ = -1, next_ = 0;
};
constexpr array_type on_axis(extent n, array_type const& t) {
  array_type r{t.type, {}};
  r.shape.push(n);
  for (int i = 0; i < t.shape.rank; ++i) r.shape.push(t.shape.d[i]);
  return r;
}
// Symbols for the operands of a body, of the types that `of` has outside.
template <class X> constexpr X arguments_like(tape& body, X const& x, region_writer const& w, int& at) {
  return map_parts(x, [&]<class P>(P const&) { return P{&body, body.argument(w.type_of_operand(at++))}; });
}
template <class Y> constexpr void outputs_of(tape& body, Y const& y) {
  each_part(y, [&](auto const& p) { body.g.outputs.push(body.local(p.t, p.id)); });
}
constexpr array_type type_of_output(tape const& body, int i) { return body.g.nodes[body.g.outputs[i]].type; }

// The types have the same dimensions; that dynamic ones have the same extents, too, is checked when the network is called.
constexpr void same_extents(tape& body, array_type const& a, array_type const& b) {
  for (int k = 0; k < a.shape.rank; ++k) body.g.dimensions.same(a.shape.d[k], b.shape.d[k]);
}

// The end of a loop whose body gave `y`, and as outputs what it stacks, the states, and `more`: its node, and the results as symbols. First:
// the first axis of what is stacked, in which there are `turns` places.
template <class Op, class First, class Y> constexpr auto finish_loop(region_writer& w, tape& body, Y const& y, extent turns, int more) {
  constexpr int stacked = parts_in<std::tuple_element_t<0, Y>>;
  int const first_state = w.info.sequences + more;  // among the operands: a while_loop has a condition in front of its states
  for (int j = 0; j < w.info.states; ++j) same_extents(body, w.type_of_operand(first_state + j), type_of_output(body, stacked + j));
  body.leave_body();
  w.captured_by(body);
  w.info.body = body.finish_body();
  for (int i = 0; i + more < body.g.outputs.size(); ++i) {
    array_type const t = type_of_output(body, i);
    w.result(i < stacked ? on_axis(turns, t) : t);
  }
  w.template finish<Op>();
  auto all = map_parts(std::get<0>(y), [&]<class P>(P const&) { return w.next<typename stacked_on<First, P>::type>(); });
  return std::tuple(all, map_parts(std::get<1>(y), [&]<class P>(P const&) { return w.next<P>(); }));
}
// What a loop gives of which the compiler has said what is wrong.
template <class A, class B> constexpr auto refused_loop(functions const& F, A const& a, B const& b) {
  F.t->fail(trace_error::refused);
  return std::tuple(a, b);
}
// What a loop gives whose body gave `y`, in which operands do not fit.
template <class Y, class S> constexpr auto poisoned_loop(Y const& y, S const& states) {
  auto const p = poison_among(y);
  return std::tuple(p, all_poison(states, p));
}
template <class X> constexpr auto slices_of(tape& body, X const& sequences, region_writer const& w, int& at) {
  return map_parts(sequences, [&]<class T, class S>(tensor<T, S> const&) {
    array_type const& whole = w.type_of_operand(at++);
    array_type slice{whole.type, {}};
    for (int i = 1; i < whole.shape.rank; ++i) slice.shape.push(whole.shape.d[i]);
    return tensor<T, typename first_of_shape<S>::removed>{&body, body.argument(slice)};
  });
}

template <class X, class Y, class S> constexpr auto finish_foreach(functions const& F, tape& inner, region_writer& w, extent turns,
                                                                   Y const& y, X const& sequences, S const& states) {
  if constexpr (any_poison<Y>) return inner.leave_body(), poisoned_loop(y, states);
  else if constexpr (!ops::gives_outputs_and_states<Y, S, are_symbols<Y>>()) return inner.leave_body(), refused_loop(F, sequences, states);
  else {
    using first = first_of_shape<typename std::remove_cvref_t<decltype(first_part(sequences))>::shape_type>;
    outputs_of(inner, y);
    return finish_loop<ops::foreach, first>(w, inner, y, turns, 0);
  }
}
template <class Body, class X, class S> constexpr auto foreach_in(functions const& F, Body const& body, X const& sequences,
                                                                  S const& states) {
  if constexpr (any_poison<X> || any_poison<S>) return poisoned_loop(std::tuple(sequences, states), states);
  else if constexpr (!ops::may_loop<are_symbols<X> && are_symbols<S>, X>()) return refused_loop(F, sequences, states);
  else {
    tape &on = F.t->now(), &inner = on.open();
    region_writer w(on);
    w.operands(sequences);
    w.operands(states);
    extent const turns = w.type_of_operand(0).shape.d[0];
    for (int i = 1; i < parts_in<X>; ++i) inner.g.dimensions.same(turns, w.type_of_operand(i).shape.d[0]);
    w.info = {-1, -1, parts_in<X>, parts_in<S>, 0};
    int at = 0;
    auto const slices = slices_of(inner, sequences, w, at);
    if constexpr (!ops::takes_a_turn<Body, std::remove_cvref_t<decltype(slices)>, S>())
      return inner.leave_body(), refused_loop(F, sequences, states);
    else {
      auto const arguments = arguments_like(inner, states, w, at);
      return finish_foreach(F, inner, w, turns, body(slices, arguments), sequences, states);
    }
  }
}

template <int Most, class GoOn, class Body, class S>
constexpr auto while_in(functions const& F, GoOn const& go_on, Body const& body, S const& states) {
  if constexpr (any_poison<S>) return poisoned_loop(states, states);
  else if constexpr (!ops::may_loop<are_symbols<S>>()) return refused_loop(F, states, states);
  else {
    tape& on = F.t->now();
    auto const begins = ops::call_with(go_on, states);
    if constexpr (any_poison<std::remove_cvref_t<decltype(begins)>>) return poisoned_loop(begins, states);
    else if constexpr (!ops::is_condition<std::remove_cvref_t<decltype(begins)>>()) return refused_loop(F, states, states);
    else {
      tape& inner = on.open();
      region_writer w(on);
      w.operands(begins);
      w.operands(states);
      w.info = {-1, -1, 0, parts_in<S>, Most};
      int at = 1;
      auto const y = ops::call_with(body, arguments_like(inner, states, w, at));
      using Y = std::remove_cvref_t<decltype(y)>;
      if constexpr (any_poison<Y>) return inner.leave_body(), poisoned_loop(y, states);
      else if constexpr (!ops::gives_outputs_and_states<Y, S, are_symbols<Y>>()) return inner.leave_body(), refused_loop(F, states, states);
      else {
        outputs_of(inner, y);
        outputs_of(inner, ops::call_with(go_on, std::get<1>(y)));
        return finish_loop<ops::while_loop, first_of_shape<shape<Most>>>(w, inner, y, Most, 1);
      }
    }
  }
}

template <class C, class Then, class Otherwise>
constexpr auto cond_in(functions const& F, C const& condition, Then const& then, Otherwise const& otherwise) {
  using Y = std::remove_cvref_t<decltype(then())>;
  using Z = std::remove_cvref_t<decltype(otherwise())>;
  if constexpr (any_poison<C> || any_poison<Y> || any_poison<Z>) {
    auto const y = then();
    return all_poison(y, poison_among(condition, y, otherwise()));
  } else if constexpr (!ops::is_condition<C>() || !ops::gives_the_same<Y, Z, are_symbols<Y>>()) {
    F.t->fail(trace_error::refused);
    return condition;
  } else {
    tape& on = F.t->now();
    region_writer w(on);
    w.operands(condition);
    tape& first = on.open();
    auto const y = then();
    outputs_of(first, y);
    first.leave_body();
    tape& second = on.open();
    second.capture_like(first);
    outputs_of(second, otherwise());
    for (int i = 0; i < first.g.outputs.size(); ++i) same_extents(second, type_of_output(first, i), type_of_output(second, i));
    second.leave_body();
    first.capture_like(second);
    w.captured_by(second);
    w.info.body = first.finish_body();
    w.info.otherwise = second.finish_body();
    for (int i = 0; i < first.g.outputs.size(); ++i) w.result(type_of_output(first, i));
    w.template finish<ops::cond>();
    return map_parts(y, [&]<class P>(P const&) { return w.next<P>(); });
  }
}

}  // namespace sinter::sym::inline SINTER_ISA
