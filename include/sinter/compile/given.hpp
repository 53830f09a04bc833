// SPDX-License-Identifier: Apache-2.0
// Which arguments of a call are the network's inputs, and which are given for its results.
#pragma once
#include <tuple>

#include "../nd/out.hpp"
#include "../nn/call.hpp"
#include "signature.hpp"

namespace sinter::detail::inline SINTER_ISA {
// True where X, an argument's type with its const and reference, is a tensor that is const, or with Const = false one that is not; or a tuple with
// such an element, as std::tie makes one of references.
template <class X, bool Const> inline constexpr bool is_handle = !std::is_arithmetic_v<X> && std::is_const_v<X> == Const;
template <class X, bool Const> inline constexpr bool holds = is_handle<std::remove_reference_t<X>, Const>;
template <class... X, bool Const> inline constexpr bool is_handle<std::tuple<X...>, Const> = (holds<X, Const> || ...);
template <class... X, bool Const> inline constexpr bool is_handle<std::tuple<X...> const, Const> = (holds<X const, Const> || ...);
// check_kept() for a tensor, what training marks, or all in a tuple.
template <class To> constexpr void check_all_kept(std::remove_reference_t<To> const& to) {
  if constexpr (std::is_lvalue_reference_v<To>) return;
  else if constexpr (nd::is_tensor<unmarked_t<To>>) check_kept<unmarked_t<To>>(unmarked(to));
  else if constexpr (requires { std::tuple_size<To>::value; })
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_all_kept<std::tuple_element_t<I, To>>(std::get<I>(to)), ...);
    }(std::make_index_sequence<std::tuple_size_v<To>>{});
}
}  // namespace sinter::detail::inline SINTER_ISA
namespace sinter::nd::inline SINTER_ISA {

// Where the results of a compiled network go that are not one tensor: fast(x, nd::out(std::tie(y, z))), and those of a training pass.
template <class... T> class results_into {
 public:
  constexpr explicit results_into(std::tuple<T...> const& to) : to_(to) {}
  constexpr std::tuple<T...> const& to() const { return to_; }

 private:
  std::tuple<T...> to_;
};
template <class... T> inline constexpr bool is_out<results_into<T...>> = true;
template <class... T>
  requires(sizeof...(T) > 0 && (sinter::detail::is_input<std::remove_cvref_t<T>> && ...))
constexpr auto out_of(std::tuple<T...> const& to) {
  return results_into<std::remove_cvref_t<T>...>(to);
}
template <class To>
  requires(!is_tensor<std::remove_cvref_t<To>> && sinter::detail::is_input<std::remove_cvref_t<To>>)
constexpr auto out(To&& to) {
  static_assert(!sinter::detail::holds<To, true>, SINTER_SAY_NOT_CONST);
  sinter::detail::check_all_kept<To>(to);
  if constexpr (is_tensor<unmarked_t<std::remove_cvref_t<To>>>)
    return functions_into<unmarked_t<std::remove_cvref_t<To>> const&>(unmarked(to));
  else return out_of(unmarked(to));
}

}  // namespace sinter::nd::inline SINTER_ISA

namespace sinter::detail::inline SINTER_ISA {

template <class M, class... X>
inline constexpr bool takes_inputs =
    nn::forwards<M, decltype(nn::in_block(space_for(in_sinter{}, std::declval<symbol_t<X> const&>()...))), symbol_t<X>...>;

// Whether these are arguments of a call: inputs, and at last what may say that it is for the result.
template <class... X> inline constexpr bool ends_in_out = false;
template <class X, class... Rest> inline constexpr bool ends_in_out<X, Rest...> = ends_in_out<Rest...>;
template <class X, class Out> inline constexpr bool ends_in_out<X, Out> = nd::is_out<Out>;
template <class... X> inline constexpr bool are_arguments = sizeof...(X) != 0 && (int{!is_input<X>} + ... + 0) == int{ends_in_out<X...>};
template <class To> constexpr auto const& place(To const& to) {
  if constexpr (nd::is_out<To>) return to.to();
  else return to;
}

template <class M, std::size_t... I, class... X> constexpr bool takes_all_but_last(std::index_sequence<I...>, std::tuple<X...>*) {
  return takes_inputs<M, std::tuple_element_t<I, std::tuple<X...>>...>;
}
// Whether the last argument is for the result of calling the network with the others. A network that takes all of them, because an operand may be
// left out, is called with all of them, as eagerly: then it is not compiled with one less, which may be an error.
template <class M, class... X> constexpr bool gives_last() {
  if constexpr (sizeof...(X) < 2) return false;
  else if constexpr (ends_in_out<X...>) return true;
  else if constexpr (takes_inputs<M, X...>) return false;
  else return takes_all_but_last<M>(std::make_index_sequence<sizeof...(X) - 1>{}, static_cast<std::tuple<X...>*>(nullptr));
}

// True where hybrid_forward takes these inputs, as its declaration says: without its body, whose errors would come first. A final class cannot be
// asked, and a static function says no.
template <class M, class... X> constexpr bool may_take() {
  if constexpr (!nn::detail::may_be_asked<M>) return false;
  else return nn::detail::takes<M, decltype(nn::in_block(space_for(in_sinter{}, std::declval<symbol_t<X> const&>()...))), symbol_t<X>...>;
}
template <class M, std::size_t... I, class... X> constexpr bool may_take_all_but_last(std::index_sequence<I...>, std::tuple<X...>*) {
  return may_take<M, std::tuple_element_t<I, std::tuple<X...>>...>();
}
// The role of the last argument of a call: an operand, or what says itself that it is for the result; the place for the result; or
// nobody knows which, because the operand may be left out. What is const is an operand. Last: its type with const and reference; X: all
// arguments, as inputs.
enum class last_argument : std::int8_t { clear, place, either };
template <class M, class Last, class... X> constexpr last_argument look_at_last() {
  if constexpr (!holds<Last, false> || !are_arguments<X...> || ends_in_out<X...>) return last_argument::clear;
  else {
    constexpr auto rest = std::make_index_sequence<sizeof...(X) - 1>{};
    constexpr auto all = static_cast<std::tuple<X...>*>(nullptr);
    constexpr bool may_lack = may_take_all_but_last<M>(rest, all);
    if constexpr (may_lack && may_take<M, X...>()) return last_argument::either;
    else if constexpr (takes_inputs<M, X...>)
      return may_lack || takes_all_but_last<M>(rest, all) ? last_argument::either : last_argument::clear;
    else return takes_all_but_last<M>(rest, all) ? last_argument::place : last_argument::clear;
  }
}
// The type of an argument as an input: a plain number is a tensor, and a tuple of references one of tensors.
template <class A, class... X> using input_of_call =
    std::remove_cvref_t<decltype(untied(as_input<std::remove_cvref_t<X>...>(std::declval<std::remove_cvref_t<A> const&>())))>;
template <class M, class... X> inline constexpr last_argument last_of_call =
    look_at_last<M, std::tuple_element_t<sizeof...(X) - 1, std::tuple<X...>>, input_of_call<X, X...>...>();
template <class M> inline constexpr last_argument last_of_call<M> = last_argument::clear;
template <class M, class A> inline constexpr last_argument last_of_call<M, A> = last_argument::clear;

// Whether the first N arguments are the inputs of a network with several results.
template <class M, std::size_t N, class All, std::size_t... I> constexpr bool has_results_behind(std::index_sequence<I...>) {
  if constexpr (!takes_inputs<M, std::tuple_element_t<I, All>...>) return false;
  else return requires { std::tuple_size<traced_result<M, std::tuple_element_t<I, All>...>>::value; };
}
// Whether results of a network with several are given one by one behind the inputs.
template <class M, class... X> constexpr bool gives_results_apart() {
  if constexpr (sizeof...(X) < 3) return false;
  else if constexpr (takes_inputs<M, X...>) return false;
  else
    return []<std::size_t... N>(std::index_sequence<N...>) {
      return (has_results_behind<M, N + 1, std::tuple<X...>>(std::make_index_sequence<N + 1>{}) || ...);
    }(std::make_index_sequence<sizeof...(X) - 2>{});
}

// Whether a plan is asked for by its inputs.
template <class... X> constexpr bool has_inputs() {
  constexpr bool all = sizeof...(X) > 0 && (input_of_network<X> && ...);
  static_assert(
      all, "sinter: a plan is made for the shapes of a network's inputs: fast.report<shape<1, 64>>(), or fast.report(x) with a tensor");
  return all;
}

}  // namespace sinter::detail::inline SINTER_ISA
