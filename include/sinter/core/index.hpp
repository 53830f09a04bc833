// SPDX-License-Identifier: Apache-2.0
// Indices: what stands in the parentheses of x(all, range<1, 3>, nth<0>, newaxis, ellipsis).
#pragma once
#include <climits>

#include "shape.hpp"

namespace sinter::inline SINTER_ISA {

// The whole axis; as many whole axes as are left; a new axis of extent 1. Enumerators, because local variables called `all` would shadow a
// variable.
enum whole_axis : char { all };
enum other_axes : char { ellipsis };
enum new_axis : char { newaxis };

// The natural end of a range.
inline constexpr int open = INT_MIN;
// One index, whose axis is then gone. An integer chooses the same; nth<2> is part of the type, as a network needs it.
template <int I> inline constexpr std::integral_constant<int, I> nth{};

// range<1, 3>, range<open, open, -1>: begin, end and step in the type, so that the extent of the part is, too. Who leaves out the parentheses
// of range<1, 3>() names a function, and an index may be that as well.
template <int Begin, int End, int Step> struct constant_range {};
template <int Begin, int End, int Step = 1> constexpr constant_range<Begin, End, Step> range() { return {}; }
// range(i, j): the same in numbers of the running program; the extent is dynamic.
struct index_range {
  std::int64_t begin, end, step;
};
constexpr index_range range(std::int64_t begin, std::int64_t end, std::int64_t step = 1) { return {begin, end, step}; }

// Any index as a value.
struct any_index {
  enum kind_of_index : char { none, one, some, rest, added } kind = none;
  bool in_type = true;
  std::int64_t begin = open, end = open, step = 1;
  constexpr bool is_whole() const { return kind == some && in_type && begin == open && end == open && step == 1; }
};
// What the type of an index says; nothing of a type that is none.
template <class I> inline constexpr any_index typed_index{};
template <> inline constexpr any_index typed_index<whole_axis>{any_index::some};
template <> inline constexpr any_index typed_index<other_axes>{any_index::rest};
template <> inline constexpr any_index typed_index<new_axis>{any_index::added};
template <> inline constexpr any_index typed_index<index_range>{any_index::some, false};
template <int B, int E, int S> inline constexpr any_index typed_index<constant_range<B, E, S>>{any_index::some, true, B, E, S};
template <int B, int E, int S> inline constexpr any_index typed_index<constant_range<B, E, S>()>{any_index::some, true, B, E, S};
template <std::integral I>
  requires(!std::is_same_v<I, bool>)
inline constexpr any_index typed_index<I>{any_index::one, false};
template <class I>
  requires(std::is_class_v<I> && std::integral<std::remove_cvref_t<decltype(I::value)>>)
inline constexpr any_index typed_index<I>{any_index::one, true, I::value};

template <class I> inline constexpr bool is_index = typed_index<I>.kind != any_index::none;
template <class I> constexpr any_index index_of([[maybe_unused]] I const& i) {
  any_index r = typed_index<I>;
  if constexpr (std::integral<I>) r.begin = static_cast<std::int64_t>(i);
  if constexpr (std::is_same_v<I, index_range>) r = {any_index::some, false, i.begin, i.end, i.step};
  return r;
}

}  // namespace sinter::inline SINTER_ISA
