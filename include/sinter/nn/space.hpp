// SPDX-License-Identifier: Apache-2.0
// Which F belongs to an operand, and the operators, which mean the same in every mode.
#pragma once
#include "../nd/random.hpp"
#include "phase.hpp"

namespace sinter {
inline namespace SINTER_ISA {

template <class T, class S, class D> constexpr nd::functions_on<D> space_of(nd::tensor<T, S, D> const&) { return {}; }
template <class T, class S> constexpr sym::functions space_of(sym::tensor<T, S> const& x) { return sym::functions{x.t}; }
template <class Op, problem P, class A, class B> constexpr sym::functions space_of(sym::poison<Op, P, A, B> const& x) {
  return sym::functions{x.t};
}
template <class A> constexpr auto space_of(in_training<A> const& x) { return training_functions(space_of(unmarked(x))); }
template <class A, class... X> constexpr auto space_of(std::tuple<A, X...> const& x) {
  if constexpr (!is_training<A> && (is_training<X> || ...)) return training_functions(space_of(std::get<0>(x)));
  else return space_of(std::get<0>(x));
}

template <class A>
concept tensor_like = requires(A const& a) { space_of(a); };

// The F of a call: that of its first array among those in most records, and of training if any operand is. Without an array the call is eager.
constexpr nd::functions space_for(in_sinter) { return {}; }
template <class A, class... B> constexpr auto space_for(in_sinter tag, A const& a, B const&... b) {
  if constexpr (!tensor_like<A>) return space_for(tag, b...);
  else if constexpr (((nd::recording_depth<B>() > nd::recording_depth<A>()) || ...)) {  // in training still, if `a` is
    if constexpr (is_training<A> && !(is_training<B> || ...)) return training_functions(space_for(tag, b...));
    else return space_for(tag, b...);
  } else if constexpr (!is_training<A> && (is_training<B> || ...)) return training_functions(space_of(a));
  else return space_of(a);
}

template <class A, class B>
concept operands =
    (tensor_like<A> || tensor_like<B>) && (tensor_like<A> || std::is_arithmetic_v<A>) && (tensor_like<B> || std::is_arithmetic_v<B>);

// A tensor and what no operator takes.
template <class A, class B>
concept beside_stranger = (tensor_like<A> && ops::stranger_to_operators<B>) || (ops::stranger_to_operators<A> && tensor_like<B>);

// Not an unavailable overload: GCC says twice that a function outside a class is one, and a macro around it is printed, too.
template <class Op, class A, class B> constexpr bool operands_of_operator_fit() {
  if constexpr (ops::strangers<A, B>) ops::refuse_strangers<A, B>();
  else return ops::operands_of_call_fit<Op, A, B>();
  return true;
}

#define SINTER_OPERATOR(sign, op)                                                                              \
  template <class A, class B>                                                                                  \
    requires(operands<A, B> && ops::function_fits<ops::op, A, B>)                                              \
  constexpr auto operator sign(A const& a, B const& b) {                                                       \
    return space_for(in_sinter{}, a, b).template call<ops::op>(a, b);                                          \
  }                                                                                                            \
  template <class A, class B>                                                                                  \
    requires(operands<A, B> || beside_stranger<A, B>)                                                          \
  constexpr auto operator sign(A const& a, B const& b) {                                                       \
    static_assert(operands_of_operator_fit<ops::op, A, B>());                                                  \
    if constexpr (ops::strangers<A, B>) return space_for(in_sinter{}, a, b).template refused<ops::op, A, B>(); \
    else return ops::first_of(a, b);                                                                           \
  }
SINTER_OPERATOR(+, add)
SINTER_OPERATOR(-, subtract)
SINTER_OPERATOR(*, multiply)
SINTER_OPERATOR(/, divide)
SINTER_OPERATOR(==, equal)
SINTER_OPERATOR(!=, not_equal)
SINTER_OPERATOR(<, lesser)
SINTER_OPERATOR(<=, lesser_equal)
SINTER_OPERATOR(>, greater)
SINTER_OPERATOR(>=, greater_equal)
SINTER_OPERATOR(&&, logical_and)
SINTER_OPERATOR(||, logical_or)
#undef SINTER_OPERATOR

// Operators that there are not, with what to write instead.
#define SINTER_NO_OPERATOR(sign, instead)                                                  \
  template <class A, class B>                                                              \
    requires(operands<A, B>)                                                               \
  constexpr auto operator sign(A const& a, B const& b) {                                   \
    static_assert(sizeof(A) == 0, "sinter: tensors have no operator " #sign "; " instead); \
    return ops::first_of(a, b);                                                            \
  }
SINTER_NO_OPERATOR(%, "write F.mod(a, b)")
SINTER_NO_OPERATOR(&, "of bool write a && b, of integers F.bitwise_and(a, b)")
SINTER_NO_OPERATOR(|, "of bool write a || b, of integers F.bitwise_or(a, b)")
SINTER_NO_OPERATOR(^, "of bool write F.logical_xor(a, b), of integers F.bitwise_xor(a, b)")
SINTER_NO_OPERATOR(<<, "write F.left_shift(a, n)")
SINTER_NO_OPERATOR(>>, "write F.right_shift(a, n)")
#undef SINTER_NO_OPERATOR
template <tensor_like A> constexpr auto operator~(A const& a) {
  static_assert(sizeof(A) == 0, "sinter: tensors have no operator ~; of bool write !a, of integers F.bitwise_not(a)");
  return ops::first_of(a);
}
template <tensor_like A> constexpr auto operator+(A const& a) { return space_of(a).identity(a); }
template <tensor_like A> constexpr auto operator-(A const& a) { return space_of(a).negative(a); }
template <tensor_like A> constexpr auto operator!(A const& a) { return space_of(a).logical_not(a); }

}  // namespace SINTER_ISA
}  // namespace sinter
