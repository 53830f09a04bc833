// SPDX-License-Identifier: Apache-2.0
// Whether a block can be called with these operands, and the sentence that says why it cannot.
#pragma once
#include "space.hpp"

namespace sinter::nn {

template <class T>
concept something = !std::is_void_v<T>;
template <class D, class F, class... X>
concept forwards = requires(D const& block, F space, X const&... x) {
  { block.hybrid_forward(space, x...) } -> something;
};

inline namespace SINTER_ISA {
template <class Mode> struct block_space;
}
template <class> inline constexpr bool is_space = false;
template <class Mode> inline constexpr bool is_space<block_space<Mode>> = true;

namespace detail {

struct anything {
  template <class T> constexpr anything(T const&) {}
};
struct has_the_name {
  void hybrid_forward();
};
template <class D> struct named_twice : D, has_the_name {};
// Which operands hybrid_forward takes, asked without compiling its body, whose errors would come first: the other function is better for
// the block, which is not constant here, and worse for F, so that a call is ambiguous exactly where hybrid_forward fits.
template <class D> struct rivals : D {
  using D::hybrid_forward;  // sinter: hybrid_forward is private; write it in a public section of the block
  template <class... X> void hybrid_forward(anything, X const&...);
};
// The same of a plain function as a block, whose hybrid_forward asks first what its body gives.
template <class D>
  requires requires { typename D::function_type; }
struct rivals<D> : D::function_type {
  using D::function_type::operator();
  template <class... X> void operator()(anything, X const&...);
};
// As F, but with functions that were not compiled yet: Clang forgets those that did not compile.
template <class F> struct another : F {};
template <class D, class F, class... X>
concept forwards_by_function = requires(rivals<D>& block, another<F> space, X const&... x) { block(space, x...); };
template <class D, class F, class... X>
concept forwards_as_block = requires(rivals<D>& block, another<F> space, X const&... x) { block.hybrid_forward(space, x...); };
// A final class has no rivals.
template <class D> inline constexpr bool may_be_asked = !std::is_final_v<D>;
template <class D>
  requires requires { typename D::function_type; }
inline constexpr bool may_be_asked<D> = !std::is_final_v<typename D::function_type>;
template <class D, class F, class... X> constexpr bool takes_operands() {
  if constexpr (requires { typename D::function_type; }) return !forwards_by_function<D, F, X...>;
  else return !forwards_as_block<D, F, X...>;
}
template <class D, class F, class... X>
concept takes = takes_operands<D, F, X...>();

template <class D, class F, class X> constexpr int operands_taken() {
  if constexpr (takes<D, F, X>) return 1;
  else if constexpr (takes<D, F, X, X>) return 2;
  else if constexpr (takes<D, F, X, X, X>) return 3;
  else if constexpr (takes<D, F>) return 0;
  else return -1;
}

// Whether it can be called with several numbers of operands.
template <class D, class F, class X> constexpr bool takes_several() {
  return int{takes<D, F, X>} + int{takes<D, F, X, X>} + int{takes<D, F, X, X, X>} > 1;
}

// One sentence on a block D that hybrid_forward cannot be called on. Where its body is what does not compile, the compiler has said so.
template <class D, class F, class A, class... X> constexpr void explain_call() {
  if constexpr (requires { &named_twice<D>::hybrid_forward; })
    static_assert(sizeof(D) == 0,
                  "sinter: this block has no `constexpr auto hybrid_forward(auto F, auto x) const`, which a block is called by");
  else if constexpr (requires(D const& block, F space, A const& a, X const&... x) { block.hybrid_forward(space, a, x...); })
    static_assert(sizeof(D) == 0, "sinter: the hybrid_forward of this block returns nothing; return what the block gives");
  else if constexpr (requires(D& block, F space, A const& a, X const&... x) { block.hybrid_forward(space, a, x...); })
    static_assert(sizeof(D) == 0,
                  "sinter: the hybrid_forward of this block is not const; write `constexpr auto hybrid_forward(auto F, auto x) const`");
  else if constexpr (!takes<D, F, A, X...>) {
    constexpr int n = takes_several<D, F, A>() ? -2 : operands_taken<D, F, A>();
    static_assert(
        n != 0,
        "sinter: the first operand of hybrid_forward is F, and this one takes nothing after it; write hybrid_forward(auto F, auto x)");
    static_assert(n != 1, "sinter: this block can be called with one operand, and not with as many as here");
    static_assert(n != 2, "sinter: this block can be called with two operands, and not with as many as here");
    static_assert(n != 3, "sinter: this block can be called with three operands, and not with as many as here");
    static_assert(
        n != -2,
        "sinter: this block can be called with other numbers of operands than here: an lstm with x, or with x, h and c; a gru and an rnn "
        "with x, or with x and h");
    static_assert(
        n != -1,
        "sinter: the hybrid_forward of this block takes another number of operands, or operands of other types; a block inside of "
        "a function cannot have one with `auto`: declare it at namespace scope");
  }
}

template <class P> struct class_of_member;
template <class C, class F> struct class_of_member<F C::*> {
  using type = C;
};
// True where Self derives from the block D and has a hybrid_forward of its own for these operands: a call finds that of D.
template <class D, class Self, class F, class... X> constexpr bool hides_forward() {
  if constexpr (std::is_same_v<D, Self> || !std::is_base_of_v<D, Self>) return false;
  else if constexpr (requires { &Self::template hybrid_forward<F, X...>; })
    return std::is_same_v<typename class_of_member<decltype(&Self::template hybrid_forward<F, X...>)>::type, Self>;
  else return false;
}

}  // namespace detail

// With how many operands X a block can be called, if these are at most three, and else -1.
template <class D, class F, class X> inline constexpr int operands_of = detail::operands_taken<D, F, X>();

}  // namespace sinter::nn
