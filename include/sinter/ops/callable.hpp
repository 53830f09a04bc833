// SPDX-License-Identifier: Apache-2.0
// How an operation is called by its name: as a member of F and as a free function, with a message for each kind of wrong call.
#pragma once
#include <initializer_list>
#include <iterator>
#include <tuple>
#include <type_traits>

#include "keywords.hpp"

namespace sinter::ops::inline SINTER_ISA {

// A variable template, because a mode is an incomplete type while its members are declared.
template <class Mode, class Op, class... A> inline constexpr bool call_fits = Mode::template fits<Op, A...>;
// One row of F: `member<relu, Mode>` has the function `relu`. Specialised by SINTER_OP; an operation of a list without one does not compile.
template <class Op, class Mode> struct member;

// The return value of overloads that only report an error: an operand, so that no other errors follow.
constexpr int first_of() { return 0; }
template <class A, class... B> constexpr std::decay_t<A const> first_of(A const& a, B const&...) { return a; }

// `y` for each result of a call with these arguments.
template <class Op, class... A> constexpr auto for_each_result(auto const& y) {
  if constexpr (!has_several<Op>) return y;
  else
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return std::tuple{((void)I, y)...};
    }(std::make_integer_sequence<int, results_of<Op>(keywords_given<Op, A...>())>{});
}
template <class Op, class... A> constexpr auto refused(A const&... a) { return for_each_result<Op, A...>(ops::first_of(a...)); }

// Whether an argument is a symbol of a running program, of whose shape and dtype the compiler knows nothing.
template <class A> inline constexpr bool is_untyped = requires { typename A::untyped; };
// Whether an argument is a tensor of any mode, or what stands for one that could not be made.
template <class A> inline constexpr bool is_array = is_untyped<A> || requires { typename A::shape_type; } || requires {
  typename A::first;
  typename A::second;
};
// Arguments that no operation takes, whatever their types and shapes. Each gets a sentence of its own.
template <class A> inline constexpr bool is_stranger = !is_keyword<A> && !std::is_arithmetic_v<A> && !is_array<A>;
template <class... A>
concept strangers = (is_stranger<A> || ...);
template <class A> constexpr bool is_tensor_or_number() {
  constexpr bool layer = requires { typename A::block_type; }, several = requires { std::tuple_size<A>::value; };
  constexpr bool parameter = requires { typename A::declared_shape; };
  static_assert(!layer, "sinter: an operand is a layer, and no tensor; call the layer with one: F.relu(hidden(x))");
  static_assert(!parameter, "sinter: an operand is a parameter or a state; F.get(gamma, shape<8>{}) gives its values as a tensor");
  static_assert(layer || !several, "sinter: an operand is several results in a std::tuple; an operation takes one of them: std::get<0>(y)");
  static_assert(layer || parameter || several || !is_stranger<A>,
                "sinter: an operand is neither a tensor nor a number; nd::tensor<float, shape<8>>::from(v) copies the elements of a "
                "std::vector into one");
  return !is_stranger<A>;
}
// Numbers in a row, which have no shape: an array, a vector, a string, a pointer.
template <class A> inline constexpr bool points_to_number = false;
template <class T> inline constexpr bool points_to_number<T*> = std::is_arithmetic_v<T>;
template <class T, std::size_t N> inline constexpr bool points_to_number<T[N]> = std::is_arithmetic_v<T>;
template <class A> constexpr bool is_bare_numbers() {
  if constexpr (points_to_number<A>) return true;
  else if constexpr (is_array<A>) return false;
  else if constexpr (requires(A const& a) { *std::begin(a); })
    return std::is_arithmetic_v<std::remove_cvref_t<decltype(*std::begin(std::declval<A const&>()))>>;
  else return false;
}
// What an operator says no to: other types may have operators of their own.
template <class A>
concept stranger_to_operators = is_bare_numbers<A>() || requires { typename A::block_type; } || requires { typename A::declared_shape; };
template <class... A> constexpr void refuse_strangers() { static_cast<void>((int{is_tensor_or_number<A>()} + ...)); }

// Says why operands of a complete call do not fit (ops/rule.hpp). Not an unavailable overload, which would have one sentence for all.
template <class Op, class... A> constexpr bool operands_of_call_fit();

// Whether the operands of a free function or an operator fit. `space_for` is in nn/space.hpp.
template <class Op, class... A> inline constexpr bool function_fits =
    call_fits<decltype(space_for(in_sinter{}, std::declval<A const&>()...)), Op, A...>;

// The operation as a free function: the types of its operands decide whether it runs or is traced.
template <class Op> struct function;

}  // namespace sinter::ops::inline SINTER_ISA

// The messages on the caller's line; the compilers print the types of the operands after it.
#define SINTER_OPERANDS_IN_BRACES ": operands are written one by one, without braces around them; call it as "
#define SINTER_INCOMPLETE_KEYWORDS ": a keyword is missing, given twice, or has too many or too few values; call it as "
#define SINTER_WRONG_COUNT ": too many or too few operands; call it as "
#define SINTER_NO_SUCH_KEYWORD ": the operation has no such keyword; call it as "

#define SINTER_PURE [[nodiscard("sinter: an operation changes nothing, it returns its result")]]
#define SINTER_MAY_ACT  // one of a user's own, which may have an effect

// A function `f` that does what `space` does with the operation, and its overloads that only report an error, the most specific first.
// `what`: the name in the message; `usage`: a correct call; `attribute`: of the function that computes. It is one macro, because the compilers print every macro around an error.
#define SINTER_CALLABLE(f, op, what, usage, fits, space, attribute)                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::well_called<op, A...> && fits)                                                              \
  attribute constexpr auto f(A const&... a) const {                                                                   \
    return space.template call<op>(a...);                                                                             \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::well_called<op, A...> && sinter::ops::strangers<A...>)                                      \
  constexpr auto f([[maybe_unused]] A const&... a) const {                                                            \
    sinter::ops::refuse_strangers<A...>();                                                                            \
    return space.template refused<op, A...>();                                                                        \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::well_called<op, A...>)                                                                      \
  constexpr auto f(A const&... a) const {                                                                             \
    static_assert(sinter::ops::operands_of_call_fit<op, A...>());                                                     \
    return sinter::ops::refused<op>(a...);                                                                            \
  }                                                                                                                   \
  template <class X, class... A>                                                                                      \
  SINTER_UNAVAILABLE(what SINTER_OPERANDS_IN_BRACES usage)                                                            \
  constexpr auto f(std::initializer_list<X> x, A const&... a) const {                                                 \
    return sinter::ops::refused<op>(*x.begin(), a...);                                                                \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::counts_operands<op, A...>)                                                                  \
  SINTER_UNAVAILABLE(what SINTER_INCOMPLETE_KEYWORDS usage)                                                           \
  constexpr auto f(A const&... a) const {                                                                             \
    return sinter::ops::refused<op>(a...);                                                                            \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::knows_keywords<op, A...>)                                                                   \
  SINTER_UNAVAILABLE(what SINTER_WRONG_COUNT usage)                                                                   \
  constexpr auto f(A const&... a) const {                                                                             \
    return sinter::ops::refused<op>(a...);                                                                            \
  }                                                                                                                   \
  template <class... A> SINTER_UNAVAILABLE(what SINTER_NO_SUCH_KEYWORD usage) constexpr auto f(A const&... a) const { \
    return sinter::ops::refused<op>(a...);                                                                            \
  }

template <class Op> struct sinter::ops::function {
  SINTER_CALLABLE(operator(), Op, "this operation", "its arity and its keywords say", (sinter::ops::function_fits<Op, A...>),
                  space_for(sinter::in_sinter{}, a...), SINTER_MAY_ACT)
};

// The same for an operation of sinter::ops, which F and the namespace sinter then offer by the name of its type; `usage_`: with what it is
// called.
#define SINTER_OP(op, usage_)                                                                                          \
  template <> inline constexpr std::string_view sinter::ops::op_name<sinter::ops::op> = #op;                           \
  SINTER_KNOWN_OP(sinter::ops::op);                                                                                    \
  template <> struct sinter::ops::function<sinter::ops::op> {                                                          \
    static constexpr std::string_view usage = #op usage_;                                                              \
    SINTER_CALLABLE(operator(), sinter::ops::op, #op, #op usage_, (sinter::ops::function_fits<sinter::ops::op, A...>), \
                    space_for(sinter::in_sinter{}, a...), SINTER_PURE)                                                 \
  };                                                                                                                   \
  template <class Mode> struct sinter::ops::member<sinter::ops::op, Mode> {                                            \
    SINTER_CALLABLE(op, sinter::ops::op, #op, #op usage_, (sinter::ops::call_fits<Mode, sinter::ops::op, A...>),       \
                    static_cast<Mode const&>(*this), SINTER_PURE)                                                      \
  };                                                                                                                   \
  namespace sinter {                                                                                                   \
  inline constexpr ops::function<ops::op> op{};                                                                        \
  }
// The same for one that <cmath> or <algorithm> have, too: an object of its name would be ambiguous under `using namespace sinter` and `using
// namespace std`, a function is not. What
// both have in common is written twice, because the compilers print every macro around an error.
#define SINTER_MATH_OP(op, usage_)                                                                                     \
  template <> inline constexpr std::string_view sinter::ops::op_name<sinter::ops::op> = #op;                           \
  SINTER_KNOWN_OP(sinter::ops::op);                                                                                    \
  template <> struct sinter::ops::function<sinter::ops::op> {                                                          \
    static constexpr std::string_view usage = #op usage_;                                                              \
    SINTER_CALLABLE(operator(), sinter::ops::op, #op, #op usage_, (sinter::ops::function_fits<sinter::ops::op, A...>), \
                    space_for(sinter::in_sinter{}, a...), SINTER_PURE)                                                 \
  };                                                                                                                   \
  template <class Mode> struct sinter::ops::member<sinter::ops::op, Mode> {                                            \
    SINTER_CALLABLE(op, sinter::ops::op, #op, #op usage_, (sinter::ops::call_fits<Mode, sinter::ops::op, A...>),       \
                    static_cast<Mode const&>(*this), SINTER_PURE)                                                      \
  };                                                                                                                   \
  namespace sinter::inline SINTER_ISA {                                                                                \
  template <class A, class... More>                                                                                    \
    requires(!std::is_arithmetic_v<A>)                                                                                 \
  SINTER_PURE constexpr auto op(A const& a, More const&... more) {                                                     \
    return space_for(in_sinter{}, a, more...).op(a, more...);                                                          \
  }                                                                                                                    \
  }
