// SPDX-License-Identifier: Apache-2.0
// Nested braces, a pair for each dimension: tensor<float, shape<2, 2>>{{1, 2}, {3, 4}}.
#pragma once
#include <initializer_list>
#include <string>
#include <type_traits>

#include "../core/error.hpp"

namespace sinter::nd::inline SINTER_ISA {

// What stands in one pair of braces that has `Depth` levels.
template <class T, int Depth> struct nested {
  using item = std::conditional_t<Depth == 1, T, nested<T, Depth - 1>>;
  std::initializer_list<item> items;
  constexpr nested(std::initializer_list<item> i) : items(i) {}
};

[[noreturn]] inline void refuse_elements(dims const& shape, int axis, std::size_t given) {
  throw shape_error("sinter: a tensor of shape " + to_string(shape) + " is given " + std::to_string(given) + " in braces along dimension " +
                    std::to_string(axis) + ", whose extent is " + std::to_string(shape.d[axis]));
}
// A shape whose dynamic extents are as large as the first braces of each dimension.
template <class T> constexpr void note_extents(T const&, dims&, int) {}
template <class T, int Depth> constexpr void note_extents(nested<T, Depth> const& from, dims& extents, int axis) {
  if (extents.d[axis] < 0) extents.d[axis] = static_cast<extent>(from.items.size());
  if (from.items.size() > 0) note_extents(*from.items.begin(), extents, axis + 1);
}
template <class T, int Depth> constexpr dims extents_in_braces(dims shape, std::initializer_list<nested<T, Depth>> items) {
  note_extents(nested<T, Depth + 1>(items), shape, 0);
  for (int i = 0; i < shape.rank; ++i)
    if (shape.d[i] < 0) shape.d[i] = 0;
  return shape;
}
// Writes the elements one behind the other; each pair of braces must hold what the shape says.
template <class T> constexpr void unfold(T const& element, dims const&, int, T*& to) { *to++ = element; }
template <class T, int Depth> constexpr void unfold(nested<T, Depth> const& from, dims const& shape, int axis, T*& to) {
  if (static_cast<extent>(from.items.size()) != shape.d[axis]) refuse_elements(shape, axis, from.items.size());
  for (auto const& i : from.items) unfold(i, shape, axis + 1, to);
}

}  // namespace sinter::nd::inline SINTER_ISA
