// SPDX-License-Identifier: Apache-2.0
// A value, or a std::tuple of them, of which each may be one again.
#pragma once
#include <cstddef>
#include <tuple>
#include <utility>

#include "config.hpp"

namespace sinter {
inline namespace SINTER_ISA {

template <class X> inline constexpr bool is_tuple = false;
template <class... X> inline constexpr bool is_tuple<std::tuple<X...>> = true;
template <class X> inline constexpr bool is_pair_of_parts = false;
template <class A, class B> inline constexpr bool is_pair_of_parts<std::tuple<A, B>> = true;

template <class X, class F> constexpr void each_part(X const& x, F const& f) {
  if constexpr (is_tuple<X>) std::apply([&](auto const&... k) { (each_part(k, f), ...); }, x);
  else f(x);
}
// The parts of two values of one structure, pair by pair.
template <class A, class B, class F> constexpr void each_pair(A const& a, B const& b, F const& f) {
  if constexpr (is_tuple<A>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (each_pair(std::get<I>(a), std::get<I>(b), f), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  else f(a, b);
}
// The same structure of what `f` gives for each part, from left to right.
template <class X, class F> constexpr auto map_parts(X const& x, F const& f) {
  if constexpr (is_tuple<X>)
    return std::apply([&](auto const&... k) { return std::tuple<decltype(map_parts(k, f))...>{map_parts(k, f)...}; }, x);
  else return f(x);
}
template <class X> inline constexpr int parts_in = 1;
template <class... X> inline constexpr int parts_in<std::tuple<X...>> = (parts_in<X> + ... + 0);
// Whether it holds for each part.
template <template <class> class Has, class X> inline constexpr bool each_part_is = Has<X>::value;
template <template <class> class Has, class... X> inline constexpr bool each_part_is<Has, std::tuple<X...>> = (each_part_is<Has, X> && ...);
// A std::tuple of it, if it is none.
template <class X> constexpr auto as_tuple(X const& x) {
  if constexpr (is_tuple<X>) return x;
  else return std::tuple<X>(x);
}
template <class X> constexpr auto const& first_part(X const& x) {
  if constexpr (is_tuple<X>) return first_part(std::get<0>(x));
  else return x;
}

}  // namespace SINTER_ISA
}  // namespace sinter
