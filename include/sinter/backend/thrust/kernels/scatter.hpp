// SPDX-License-Identifier: Apache-2.0
// Slices that are added where they go: once the slices of each place are neighbours, a thread adds those of one, in their order.
#pragma once
#include "common.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

using scattered_places = ops::scatter_add::places;

// The place of each slice, below 0 for those that go nowhere.
template <class I> struct place_slices {
  scattered_places places;
  dims to;
  I const* indices;
  std::int64_t* of_slices;
  SINTER_HD void operator()(std::int64_t i) const { of_slices[i] = places.of(i, to, indices); }
};
// Places in ascending order, each as often as it has slices, and which slices those are. The array is zero before.
template <class T> struct add_slices {
  scattered_places places;
  T const* data;
  std::int64_t const *sorted, *slice;
  T* to;
  SINTER_HD void operator()(std::int64_t i) const {
    std::int64_t const first = i / places.inner, k = i - first * places.inner, at = sorted[first];
    if (at < 0 || (first > 0 && sorted[first - 1] == at)) return;
    T sum{};
    for (std::int64_t j = first; j < places.count && sorted[j] == at; ++j) sum = element::add(sum, data[slice[j] * places.inner + k]);
    to[at * places.inner + k] = sum;
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
