// SPDX-License-Identifier: Apache-2.0
// A part of a symbol: what h(all, range<1, 3>, nth<0>, newaxis) writes on the tape.
#pragma once
#include "tensor.hpp"

namespace sinter::sym::inline SINTER_ISA {

template <class S, class... I> struct typed_steps {
  static constexpr part_steps value = steps_of(S::value, typed_part<S, I...>::list, sizeof...(I));
};
template <class Steps, class X, int... K> constexpr auto slice_axes(auto const& F, X const& x, std::integer_sequence<int, K...>) {
  if constexpr (!Steps::value.slices) return x;
  else return F.template call<ops::slice>(x, begin<Steps::value.begin[K]...>, end<Steps::value.end[K]...>, step<Steps::value.step[K]...>);
}
template <class Steps, class X, int... D> constexpr auto drop_axes(auto const& F, X const& x, std::integer_sequence<int, D...>) {
  if constexpr (sizeof...(D) == 0) return x;
  else return F.template call<ops::squeeze>(x, axis<Steps::value.dropped[D]...>);
}
template <class Steps, int N, class X> constexpr auto add_axes(auto const& F, X const& x) {
  if constexpr (N == Steps::value.adds) return x;
  else return add_axes<Steps, N + 1>(F, F.template call<ops::expand_dims>(x, axis<Steps::value.added[N]>));
}
// The same by F, whose tensor x is; its indices fit.
template <class... I, class X> constexpr auto part_in(auto const& F, X const& x) {
  using S = typename X::shape_type;
  using steps = typed_steps<S, I...>;
  return add_axes<steps, 0>(F, drop_axes<steps>(F, slice_axes<steps>(F, x, std::make_integer_sequence<int, S::rank>{}),
                                                std::make_integer_sequence<int, steps::value.drops>{}));
}

template <class... I, class T, class S> constexpr auto part(tensor<T, S> const& x) {
  if constexpr (!indices_fit<S, I...>()) return x.t->fail(trace_error::refused), x;
  else {
    using steps = typed_steps<S, I...>;
    static_assert(
        !steps::value.open_axis,
        "sinter: a network cannot know that a dynamic axis has this index; F.take(h, 0) takes the nearest, and range<0, open> the "
        "whole axis");
    if constexpr (steps::value.open_axis) return x.t->fail(trace_error::refused), x;
    else return part_in<I...>(functions(x.t), x);
  }
}

}  // namespace sinter::sym::inline SINTER_ISA
