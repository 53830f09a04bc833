// SPDX-License-Identifier: Apache-2.0
// Training or inference, as the type of what a network is called with: net(x) infers, net(training(x)) is a pass of training.
#pragma once
#include <tuple>

#include "../core/random.hpp"
#include "../nd/control_flow.hpp"
#include "../nd/out.hpp"
#include "../sym/control_flow.hpp"
#include "../sym/part.hpp"

namespace sinter {

inline namespace SINTER_ISA {
template <class A> constexpr auto training(A const& x);
}

// A tensor, symbol or shape A that says: this is training. It can stand wherever an A can; what a network computes from it says so too.
template <class A> struct in_training : A {
  using training_of = A;
  using A::A;
  using A::operator=;
  SINTER_OWN constexpr in_training() = default;
  SINTER_OWN constexpr explicit(false) in_training(A a) : A(std::move(a)) {}
  SINTER_OWN constexpr in_training(in_training const&) = default;
  SINTER_OWN constexpr in_training(in_training&&) = default;
  SINTER_OWN constexpr in_training& operator=(in_training const&) & = default;
  SINTER_OWN constexpr in_training& operator=(in_training&&) & = default;
  // A part says so, too, and what is assigned to it goes into its elements.
  SINTER_OWN constexpr in_training& operator=(in_training const& from) && {
    static_cast<A&&>(*this) = static_cast<A const&>(from);
    return *this;
  }
  template <class... I> SINTER_OWN constexpr decltype(auto) operator()(I const&... i) const {
    if constexpr ((std::integral<I> && ...)) return A::operator()(i...);
    else return training(A::operator()(i...));
  }
};
template <class A> inline constexpr bool is_training = false;
template <class A> inline constexpr bool is_training<in_training<A>> = true;
template <class... A> inline constexpr bool is_training<std::tuple<A...>> = (is_training<A> || ...);

inline namespace SINTER_ISA {
// x, or each part of a tuple, marked for training; what is neither tensor nor symbol stays as it is.
template <class A> constexpr auto training(A const& x) {
  if constexpr (nd::is_eager<A> || sym::is_symbol<A> || ops::is_untyped<A>) return in_training<A>(x);
  else return x;
}
template <class... A> constexpr auto training(std::tuple<A...> const& x) {
  return std::apply([](auto const&... k) { return std::tuple<decltype(training(k))...>{training(k)...}; }, x);
}
// The same without the mark.
template <class A> constexpr decltype(auto) unmarked(A const& x) { return (x); }
template <class A> constexpr A const& unmarked(in_training<A> const& x) { return x; }
template <class... A> constexpr auto unmarked(std::tuple<A...> const& x) {
  if constexpr (is_training<std::tuple<A...>>)
    return std::apply([](auto const&... k) { return std::tuple<std::remove_cvref_t<decltype(unmarked(k))>...>{unmarked(k)...}; }, x);
  else return x;
}
template <class A> constexpr std::remove_cvref_t<decltype(unmarked(std::declval<A const&>()))> unmarked_copy(A const& x) {
  return unmarked(x);
}
template <class A> using unmarked_t = std::remove_cvref_t<decltype(unmarked(std::declval<std::remove_cvref_t<A> const&>()))>;

// The F of training: the operations of Mode, whose results are marked again.
template <class Mode> struct training_functions : ops::all_members<training_functions<Mode>> {
  Mode mode;
  constexpr explicit training_functions(Mode m) : mode(m) {}

  template <class Op, class... A> static constexpr bool fits = ops::call_fits<Mode, Op, unmarked_t<A>...>;
  template <class Op, class... A> constexpr auto operator()(Op, A const&... a) const { return call<Op>(a...); }
  template <class Op, class... A> constexpr auto call(A const&... a) const { return training(mode.template call<Op>(unmarked(a)...)); }
  template <class Op, class... A> constexpr auto refused() const { return training(mode.template refused<Op, A...>()); }
  template <class X, class... K> constexpr auto split(X const& x, K... k) const
    requires requires(Mode m) { m.split(unmarked(x), k...); }
  {
    return training(mode.split(unmarked(x), k...));
  }
  template <class X> constexpr void print(char const* label, X const& x) const { mode.print(label, unmarked(x)); }
};

// Control flow in training: what it is given and what it gives are marked in every turn, too.
template <class Mode, class Body, class X, class S>
constexpr auto foreach_in(training_functions<Mode> const& F, Body const& body, X const& sequences, S const& states) {
  return training(F.mode.foreach ([&](auto const& x, auto const& s) { return unmarked_copy(body(training(x), training(s))); },
                                  unmarked_copy(sequences), unmarked_copy(states)));
}
template <int Most, class Mode, class GoOn, class Body, class S>
constexpr auto while_in(training_functions<Mode> const& F, GoOn const& go_on, Body const& body, S const& states) {
  return training(F.mode.while_loop([&](auto const&... s) { return unmarked_copy(go_on(training(s)...)); },
                                    [&](auto const&... s) { return unmarked_copy(body(training(s)...)); }, unmarked_copy(states),
                                    max_iterations<Most>));
}
template <class Mode, class C, class Then, class Otherwise>
constexpr auto cond_in(training_functions<Mode> const& F, C const& condition, Then const& then, Otherwise const& otherwise) {
  return training(F.mode.cond(unmarked_copy(condition), [&] { return unmarked_copy(then()); }, [&] { return unmarked_copy(otherwise()); }));
}

// The tape that F writes on, where it traces.
constexpr tape& tape_of(sym::functions const& F) { return F.t->now(); }
// A template, because overload resolution would otherwise instantiate all of F for training in every trace.
template <std::same_as<sym::functions> Mode> constexpr tape& tape_of(training_functions<Mode> const& F) { return F.mode.t->now(); }

template <class Op, problem Why, class First, class Second> constexpr auto say_refused() {
  if constexpr (std::is_void_v<Second>) return ops::operands_fit<Op, Why, false, First>();
  else return ops::operands_fit<Op, Why, false, First, unmarked_t<Second>>();
}
// The result of a layer in a trace for an operand that it cannot take: poison, of which the sentence is said here.
template <class Op, problem Why, class Second = void, class Mode, class X>
  requires requires(Mode const& F) { tape_of(F); }
constexpr auto refuse(Mode const& F, X const& x, trace_error e = trace_error::operands) {
  tape_of(F).fail(e);
  if constexpr (sym::is_poison<X>) return x;
  else {
    using first = unmarked_t<X>;
    using said [[maybe_unused]] = decltype(say_refused<Op, Why, first, Second>());
    return sym::poison<Op, Why, first, first>{&tape_of(F)};
  }
}

// What is only asked in training, of F's mode: a key for random numbers. Each call gives another one.
template <class Mode> constexpr auto key_of(Mode const& F) {
  if constexpr (requires { tape_of(F); }) return sym::tensor<std::int64_t, shape<>>{&tape_of(F), tape_of(F).key()};
  else if constexpr (requires { F.key(); }) return F.key();
  else return nd::tensor<std::int64_t, shape<>>{random::next_key()}.to(typename Mode::device_type{});
}

}  // namespace SINTER_ISA
}  // namespace sinter
