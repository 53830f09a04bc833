// SPDX-License-Identifier: Apache-2.0
// Results into tensors that are there already: nd::out(z).add(x, y), fast(x, nd::out(z)) and x += y.
#pragma once
#include "assign.hpp"

namespace sinter::nd::inline SINTER_ISA {

// The F whose results go where a tensor, or a view of one, already is: nd::out(z).add(x, y). Elementwise operations of row-major
// tensors allocate nothing then.
template <class Tensor> class functions_into : public ops::all_members<functions_into<Tensor>> {
  using on = functions_on<typename std::remove_cvref_t<Tensor>::device_type>;

 public:
  template <class Op, class... A> static constexpr bool fits = on::template fits<Op, A...>;

  constexpr explicit functions_into(Tensor&& to) : to_(std::forward<Tensor>(to)) {}
  template <class Op, class... A> constexpr void operator()(Op, A const&... a) const { call<Op>(a...); }
  template <class Op, class... A> constexpr void call(A const&... a) const { on{}.template call_into<Op>(to_, a...); }
  template <class Op, class... A> static constexpr void refused() {}
  constexpr Tensor const& to() const { return to_; }

 private:
  Tensor to_;  // a reference to what has a name
};
template <class> inline constexpr bool is_out = false;
template <class Tensor> inline constexpr bool is_out<functions_into<Tensor>> = true;

}  // namespace sinter::nd::inline SINTER_ISA
namespace sinter::detail::inline SINTER_ISA {
// Throws where a place for results is a temporary whose elements go with it; a view of a tensor shares those of one that stays. To: its type with
// its reference, which says that it has a name.
template <class To> constexpr void check_kept(std::remove_reference_t<To> const& to) {
  if constexpr (!std::is_lvalue_reference_v<To>)
    if (to.owner().is_last())
      throw error(
          "sinter: the place for a result is a temporary, whose elements nothing else holds, so that the result would be lost; give it a "
          "name");
}
#define SINTER_SAY_NOT_CONST "sinter: the place for a result must not be const, and this tensor is; declare it without const"
}  // namespace sinter::detail::inline SINTER_ISA
namespace sinter::nd::inline SINTER_ISA {

template <class Tensor>
  requires(is_tensor<std::remove_cvref_t<Tensor>>)
constexpr functions_into<Tensor> out(Tensor&& to) {
  static_assert(!std::is_const_v<std::remove_reference_t<Tensor>>, SINTER_SAY_NOT_CONST);
  sinter::detail::check_kept<Tensor>(to);
  return functions_into<Tensor>(std::forward<Tensor>(to));
}
template <class To>
  requires(std::is_arithmetic_v<std::remove_cvref_t<To>> || is_out<std::remove_cvref_t<To>>)
constexpr To& out(To&& to) {
  static_assert(!std::is_arithmetic_v<std::remove_cvref_t<To>>,
                "sinter: a number is no place for a result, and nd::out takes a tensor: nd::out(y)");
  static_assert(!is_out<std::remove_cvref_t<To>>,
                "sinter: nd::out says of a tensor that it is for the result, and is written once: nd::out(y)");
  return to;
}

// x += y: in place, so that all that share the elements see it. The right side broadcasts, the result has the dtype and shape of x.
template <class X, class A>
concept changes_in_place =
    is_tensor<std::remove_cvref_t<X>> && !std::is_const_v<std::remove_reference_t<X>> && (is_tensor<A> || std::is_arithmetic_v<A>);
// What x op= a computes goes into x. Where it has a wider floating dtype, it is converted at last, as NumPy does.
template <class Op, class X, class A> constexpr void change_in_place(X const& x, A const& a) {
  using F = functions_on<typename X::device_type>;
  constexpr dtype mine = dtype_of<typename X::value_type>, computed = ops::call_rule<Op, X, A>::value.result.type.type;
  constexpr bool fits = kind_of(mine) != kind_of(computed) || detail::stored_as(mine, computed);
  static_assert(fits,
                "sinter: x += y keeps the dtype of x, and this integer dtype cannot hold all numbers of x + y; "
                "sinter::cast(y, as<std::int32_t>) converts y");
  if constexpr (mine == computed) F{}.template call_into<Op>(x, x, a);
  else if constexpr (fits) F{}.template call_into<ops::cast>(x, F{}.template call<Op>(x, a), as<typename X::value_type>);
}
#define SINTER_IN_PLACE(sign, op)                                                                            \
  template <class X, class A>                                                                                \
    requires(changes_in_place<X, A> && functions_into<X>::template fits<ops::op, std::remove_cvref_t<X>, A>) \
  constexpr X operator sign(X&& x, A const& a) {                                                             \
    change_in_place<ops::op>(x, a);                                                                          \
    return static_cast<X&&>(x);                                                                              \
  }                                                                                                          \
  template <class X, class A>                                                                                \
    requires(changes_in_place<X, A>)                                                                         \
  constexpr X operator sign(X&& x, A const&) {                                                               \
    static_assert(ops::operands_of_call_fit<ops::op, std::remove_cvref_t<X>, A>());                          \
    return static_cast<X&&>(x);                                                                              \
  }                                                                                                          \
  template <class X, ops::stranger_to_operators A>                                                           \
    requires(is_tensor<std::remove_cvref_t<X>>)                                                              \
  constexpr X operator sign(X&& x, A const&) {                                                               \
    ops::refuse_strangers<A>();                                                                              \
    return static_cast<X&&>(x);                                                                              \
  }
SINTER_IN_PLACE(+=, add)
SINTER_IN_PLACE(-=, subtract)
SINTER_IN_PLACE(*=, multiply)
SINTER_IN_PLACE(/=, divide)
#undef SINTER_IN_PLACE

}  // namespace sinter::nd::inline SINTER_ISA
