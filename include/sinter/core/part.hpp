// SPDX-License-Identifier: Apache-2.0
// Which part of an array a list of indices chooses, by NumPy's rules.
#pragma once
#include "index.hpp"

namespace sinter::inline SINTER_ISA {

// The elements begin, begin + step, ... of n; both ends are clipped, and negative ones count from the end.
struct counted_range {
  std::int64_t begin = 0, count = 0;
};
constexpr counted_range range_within(std::int64_t n, std::int64_t begin, std::int64_t end, std::int64_t step) {
  std::int64_t const low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  auto const inside = [&](std::int64_t i) {
    if (i < 0) i += n;
    return i < low ? low : i > high ? high : i;
  };
  std::int64_t const first = begin == open ? (step > 0 ? 0 : n - 1) : inside(begin), last = end == open ? (step > 0 ? n : -1) : inside(end);
  std::int64_t const span = step > 0 ? last - first : first - last;
  std::uint64_t const unit = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  if (span <= 0) return {};  // from the beginning, so that no pointer leaves the array
  return {first, static_cast<std::int64_t>((static_cast<std::uint64_t>(span) - 1) / unit) + 1};
}

// Which part of an array a list of indices chooses, or what is wrong with the list.
enum class index_error : char { none, too_many, ellipses, rank, step, outside };
struct array_part {
  dims shape;
  std::int64_t offset = 0, strides[max_rank]{};
  index_error wrong = index_error::none;
  int axis = 0;  // where it is wrong
  std::int64_t index = 0;

  constexpr void add(extent n, std::int64_t stride) {
    if (shape.rank == max_rank) wrong = index_error::rank;
    else strides[shape.rank] = stride, shape.push(n);
  }
  // Axis `k` of the array, which has n elements.
  constexpr void take(any_index const& i, int k, extent n, std::int64_t stride) {
    if (i.kind == any_index::some && i.step == 0) wrong = index_error::step, axis = k;
    else if (i.is_whole()) add(n, stride);
    else if (i.kind == any_index::some && n < 0) add(unknown_extent, stride);
    else if (i.kind == any_index::some) {
      counted_range const r = range_within(n, i.begin, i.end, i.step);
      offset += r.begin * stride;
      add(r.count, r.count > 1 ? i.step * stride : stride);
    } else if (n >= 0) {
      std::int64_t const place = i.begin < 0 ? i.begin + n : i.begin;
      if (place < 0 || place >= n) wrong = index_error::outside, axis = k, index = i.begin;
      else offset += place * stride;
    }
  }
};
// `strides`: of the array. Of indices that the type does not know `typed` is said, and then they are not asked for their values.
constexpr array_part part_of(dims const& shape, std::int64_t const* strides, any_index const* list, int n, bool typed = false) {
  array_part r;
  int used = 0, ellipses = 0, k = 0;
  for (int i = 0; i < n; ++i) {
    used += list[i].kind == any_index::one || list[i].kind == any_index::some;
    ellipses += list[i].kind == any_index::rest;
  }
  if (used > shape.rank) r.wrong = index_error::too_many;
  if (ellipses > 1) r.wrong = index_error::ellipses;
  auto const next = [&](any_index const& i) {
    bool const known = i.in_type || !typed;
    r.take(i, k, known ? shape.d[k] : unknown_extent, strides[k]);
    ++k;
  };
  auto const take_others = [&] {
    for (int left = shape.rank - used; left > 0; --left) next({any_index::some});
  };
  for (int i = 0; i < n && r.wrong == index_error::none; ++i)
    if (list[i].kind == any_index::added) r.add(1, 0);
    else if (list[i].kind == any_index::rest) take_others();
    else next(list[i]);
  if (ellipses == 0 && r.wrong == index_error::none) take_others();
  return r;
}

// The part that these types of indices choose from a shape type: what is known of its shape.
template <class S, class... I> struct typed_part {
  static constexpr any_index list[]{typed_index<I>..., any_index{}};
  static constexpr std::int64_t no_strides[max_rank]{};
  static constexpr array_part part = part_of(S::value, no_strides, list, sizeof...(I), true);
  static constexpr dims value = part.shape;
};
template <class S, class... I> constexpr bool indices_fit() {
  constexpr index_error wrong = typed_part<S, I...>::part.wrong;
  constexpr bool enough_axes = wrong != index_error::too_many, one_ellipsis = wrong != index_error::ellipses,
                 few_axes = wrong != index_error::rank, steps = wrong != index_error::step, inside = wrong != index_error::outside;
  static_assert(enough_axes, "sinter: there are more indices than dimensions; each takes one, apart from newaxis and ellipsis");
  static_assert(one_ellipsis, "sinter: ellipsis stands for all axes that are left, so it can be written once");
  static_assert(few_axes, "sinter: with these new axes the part would have more than eight dimensions");
  static_assert(steps, "sinter: the step of a range is not 0");
  static_assert(inside, "sinter: an index lies outside of its axis");
  return wrong == index_error::none;
}

// The list of indices as operations: a slice of the axes, of which some are then dropped, and new axes are added in places of the result.
struct part_steps {
  int begin[max_rank]{}, end[max_rank]{}, step[max_rank]{}, dropped[max_rank]{}, added[max_rank]{};
  int drops = 0, adds = 0;
  bool slices = false, open_axis = false;
};
constexpr part_steps steps_of(dims const& shape, any_index const* list, int n) {
  part_steps r;
  int used = 0, k = 0, result = 0;
  for (int i = 0; i < n; ++i) used += list[i].kind == any_index::one || list[i].kind == any_index::some;
  for (int i = 0; i < max_rank; ++i) r.begin[i] = r.end[i] = open, r.step[i] = 1;
  for (int i = 0; i < n; ++i) {
    any_index const& at = list[i];
    if (at.kind == any_index::added) r.added[r.adds++] = result++;
    else if (at.kind == any_index::rest) k += shape.rank - used, result += shape.rank - used;
    else {
      r.begin[k] = static_cast<int>(at.begin);
      r.end[k] = static_cast<int>(at.end);
      r.step[k] = static_cast<int>(at.step);
      if (at.kind == any_index::one) {
        r.end[k] = at.begin == -1 ? open : r.begin[k] + 1;
        r.dropped[r.drops++] = k;
        r.open_axis = r.open_axis || shape.d[k] < 0;
      } else ++result;
      r.slices = r.slices || !at.is_whole();
      ++k;
    }
  }
  return r;
}

}  // namespace sinter::inline SINTER_ISA
