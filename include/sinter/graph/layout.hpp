// SPDX-License-Identifier: Apache-2.0
// Where the elements of an array lie in a buffer: a stride for each axis and an offset.
#pragma once
#include "dimensions.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// How many loops a kernel has at most: the axes of a result, and what a product sums over.
inline constexpr int max_loop = max_rank + 2;

struct layout {
  size stride[max_rank]{};
  place_sum offset;
  constexpr bool operator==(layout const&) const = default;
};

// Row-major: the last axis has stride 1.
constexpr layout row_major(dims const& s, dimension_table const& t) {
  layout r;
  size step{1, 0};
  for (int i = s.rank - 1; i >= 0; --i) {
    r.stride[i] = step;
    if (s.d[i] >= 0 && step.powers == 0) step.k *= s.d[i];  // calls would cost a constant evaluation steps
    else step = step * t.size_of(s.d[i]);
  }
  return r;
}

constexpr bool is_row_major(layout const& l, dims const& s, dimension_table const& t) {
  size step{1, 0};
  for (int i = s.rank - 1; i >= 0; --i) {
    if (s.d[i] != 1 && !(l.stride[i] == step)) return false;
    step = step * t.size_of(s.d[i]);
  }
  return true;
}

// The same elements in the same order under another shape; false if no strides can express that. Axes can be merged where one lies inside
// the other; a transposed array, for example, has to be copied first.
constexpr bool reshape_layout(layout const& in, dims const& from, dims const& to, dimension_table const& t, layout& out) {
  size extent_[max_rank]{}, stride[max_rank]{};  // `from` without its ones
  int n = 0;
  for (int i = 0; i < from.rank; ++i)
    if (from.d[i] != 1) {
      extent_[n] = t.size_of(from.d[i]);
      stride[n++] = in.stride[i];
    }
  out = layout{};
  out.offset = in.offset;
  int i = 0;
  for (int j = 0; j < to.rank;) {
    if (to.d[j] == 1) {
      ++j;
      continue;
    }
    if (i >= n) return false;
    // Take more axes on both sides until they have equally many elements.
    int const i0 = i, j0 = j;
    size a = extent_[i++], b = t.size_of(to.d[j++]), rest;
    while (!(a == b)) {
      bool const more_a = i < n, more_b = j < to.rank;
      if (more_a && (divides(b, a, rest) || !more_b)) a = a * extent_[i++];
      else if (more_b) b = b * t.size_of(to.d[j++]);
      else return false;
    }
    for (int k = i0; k + 1 < i; ++k)
      if (!(stride[k] == stride[k + 1] * extent_[k + 1])) return false;
    size step = stride[i - 1];
    for (int k = j - 1; k >= j0; --k) {
      out.stride[k] = step;
      step = step * t.size_of(to.d[k]);
    }
  }
  return i == n;
}

}  // namespace SINTER_ISA
}  // namespace sinter
