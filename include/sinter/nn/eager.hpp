// SPDX-License-Identifier: Apache-2.0
// What the caller of an eager network gets is his alone: writing to it changes no parameter, no input and no other result.
#pragma once
#include <tuple>

#include "phase.hpp"

namespace sinter::nn::detail {

// How many eager calls of blocks this thread is in, one inside the other.
inline constinit thread_local int eager_depth = 0;

// Who is told of every eager call of a block in this thread, and of the shapes that it gives.
class call_observer {
 public:
  virtual void called(void const* block, void const* type, list<dims> const& results) = 0;

 protected:
  ~call_observer() = default;
};
inline constinit thread_local call_observer* observer_of_calls = nullptr;

inline namespace SINTER_ISA {

// Blocks inside a network pass on what they have, so that only the outermost call copies. A constant expression does not know which that
// is, and copies in each.
class eager_call {
 public:
  constexpr eager_call() {
    if (!std::is_constant_evaluated()) ++eager_depth;
  }
  eager_call(eager_call const&) = delete;
  eager_call& operator=(eager_call const&) = delete;
  constexpr ~eager_call() {
    if (!std::is_constant_evaluated()) --eager_depth;
  }
  constexpr bool is_outermost() const {
    if (std::is_constant_evaluated()) return true;
    return eager_depth == 1;
  }
  constexpr bool is_observed() const { return !std::is_constant_evaluated() && observer_of_calls; }
};

// What a network may give; a number is what a call gives that was refused.
template <class Y> inline constexpr bool is_eager_result = nd::is_eager<unmarked_t<Y>> || std::is_arithmetic_v<Y> || ops::is_untyped<Y>;
template <class... Y> inline constexpr bool is_eager_result<std::tuple<Y...>> = (is_eager_result<Y> && ...);

// Copies each tensor whose elements somebody else has, too; in tuples of any kind as well.
template <class Y> constexpr void make_own(Y& y) {
  if constexpr (nd::is_tensor<unmarked_t<Y>>) {
    if (y.owner().is_shared() || y.is_read_only()) y = Y(y.copy());  // read-only: what a state was before it was assigned
  } else if constexpr (requires { std::tuple_size<Y>::value; }) {
    std::apply([](auto&... k) { (make_own(k), ...); }, y);
  }
}

template <class Y> void note_shapes(Y const& y, list<dims>& to) {
  if constexpr (nd::is_eager<unmarked_t<Y>>) to.push(y.shape());
  else if constexpr (requires { std::tuple_size<Y>::value; }) std::apply([&](auto const&... k) { (note_shapes(k, to), ...); }, y);
}
template <class Y> SINTER_NOINLINE void tell_observer(void const* block, void const* type, Y const& y) {
  list<dims> shapes;
  note_shapes(y, shapes);
  observer_of_calls->called(block, type, shapes);
}

}  // namespace SINTER_ISA
}  // namespace sinter::nn::detail
