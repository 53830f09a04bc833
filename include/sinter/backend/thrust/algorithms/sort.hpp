// SPDX-License-Identifier: Apache-2.0
// Sorting of lines: elements become keys with their places beside them, Thrust or CUB sorts these, and the elements are brought to where they
// belong.
#pragma once
#include <algorithm>

#include "../algorithms.hpp"
#include "../launcher.hpp"
#include "keys.hpp"
#if SINTER_GPU_CUDA
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/block/block_radix_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#else
#include <thrust/sort.h>
#include <thrust/system/cpp/execution_policy.h>
#endif

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

using place = std::uint32_t;  // in a line

// The keys of all lines, one line after the other, and the places 0, 1, ... of each.
template <class Key> struct read_lines {
  sort_keys keys;
  ops::around lines;
  void const* x;
  Key* to;
  place* places;
  SINTER_HD void operator()(std::int64_t i) const {
    std::int64_t const column = i % lines.inner, rest = i / lines.inner, k = rest % lines.n,
                       at = (rest / lines.n * lines.inner + column) * lines.n + k;
    to[at] = static_cast<Key>(keys.of(x, i));
    places[at] = static_cast<place>(k);
  }
};
// The elements of array x, of which `Bits` is an integer of as many bytes, at their places.
template <class Bits> struct write_lines {
  ops::around lines;
  std::int64_t top;
  Bits const* x;
  place const* places;
  Bits* values;
  std::int64_t* where;
  SINTER_HD void operator()(std::int64_t i) const {
    std::int64_t const column = i % lines.inner, rest = i / lines.inner, k = rest % top, outer = rest / top;
    put(i, outer, column, places[(outer * lines.inner + column) * lines.n + k]);
  }
  SINTER_HD void put(std::int64_t i, std::int64_t outer, std::int64_t column, place from) const {
    if (values) values[i] = x[(outer * lines.n + from) * lines.inner + column];
    if (where) where[i] = from;
  }
};

// The memory of a sort: keys and places, and as much again, where a sort puts them or what it works in.
template <class Key> struct sort_memory {
  static constexpr std::size_t line = 256;  // each begins at a multiple of it
  static std::size_t rounded(std::size_t bytes) { return (bytes + line - 1) / line * line; }
  std::size_t keys, places, rest;
  explicit sort_memory(line_sort const& s)
      : keys(rounded(static_cast<std::size_t>(s.elements()) * sizeof(Key))),
        places(rounded(static_cast<std::size_t>(s.elements()) * sizeof(place))),
        rest(rest_of(s)) {}
  std::size_t bytes() const { return keys + places + rest; }

 private:
  std::size_t rest_of(line_sort const& s) const;
};

#if SINTER_GPU_CUDA
struct begin_of_line {
  int n;
  __host__ __device__ int operator()(int line) const { return line * n; }
};
// Sorts lines of keys with their places into `to` and `places_to`; without memory it says how many bytes it needs.
template <class Key> void sort_pairs(line_sort const& s, void* memory, std::size_t& bytes, Key const* keys, Key* to, place const* places,
                                     place* places_to, cudaStream_t stream) {
  int const bits = sort_keys(s.type, s.ascending).bits();
  std::int64_t const n = s.lines.n, count = s.count();
  if (count <= 4 || n >= 1 << 18) {  // a line is work for the whole device
    for (std::int64_t i = 0; i < (memory ? count * n : n); i += n)
      check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys + i, to + i, places + i, places_to + i, n, 0, bits, stream));
    return;
  }
  // A block of threads sorts a line. CUB counts in int; and its sort of segments that chooses for each of them waits for the host.
  std::int64_t const at_once = std::min<std::int64_t>(count, (1 << 30) / n);
  auto const begins = ::thrust::make_transform_iterator(::thrust::counting_iterator<int>(0), begin_of_line{static_cast<int>(n)});
  for (std::int64_t i = 0; i < (memory ? count : 1); i += at_once) {
    int const lines = static_cast<int>(std::min(at_once, count - i));
    check(cub::DeviceSegmentedRadixSort::SortPairs(memory, bytes, keys + i * n, to + i * n, places + i * n, places_to + i * n,
                                                   static_cast<int>(lines * n), lines, begins, begins + 1, 0, bits, stream));
  }
}
template <class Key> std::size_t sort_memory<Key>::rest_of(line_sort const& s) const {
  std::size_t bytes = 0;
  sort_pairs<Key>(s, nullptr, bytes, nullptr, nullptr, nullptr, nullptr, {});
  return keys + places + rounded(bytes);
}

// Lines that a block keeps: no memory, one launch.
inline constexpr int block_sort_lanes = 128, longest_in_block = 16 * block_sort_lanes;
template <class Key, class Bits, int Each>
__global__ void __launch_bounds__(block_sort_lanes) sort_in_blocks(sort_keys keys, write_lines<Bits> const to, std::int64_t count) {
  using sorter = cub::BlockRadixSort<Key, block_sort_lanes, Each, place>;
  __shared__ typename sorter::TempStorage memory;
  ops::around const lines = to.lines;
  for (std::int64_t line = blockIdx.x; line < count; line += gridDim.x) {
    std::int64_t const outer = line / lines.inner, column = line % lines.inner;
    Key key[Each];
    place from[Each];
    for (int j = 0; j < Each; ++j) {
      std::int64_t const k = static_cast<std::int64_t>(threadIdx.x) * Each + j;
      from[j] = static_cast<place>(k);
      key[j] = k < lines.n ? static_cast<Key>(keys.of(to.x, (outer * lines.n + k) * lines.inner + column)) : ~Key{0};
    }
    sorter(memory).Sort(key, from, 0, keys.bytes * 8);
    for (int j = 0; j < Each; ++j) {
      std::int64_t const k = static_cast<std::int64_t>(threadIdx.x) * Each + j;
      if (k < to.top) to.put((outer * to.top + k) * lines.inner + column, outer, column, from[j]);
    }
    __syncthreads();
  }
}
#else
inline constexpr bool sorts_in_threads = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP;
// Memory for one call of Thrust's, from what is given; where that is not enough, from the system.
struct given_memory {
  using value_type = char;
  std::byte *next, *end;
  char* allocate(std::ptrdiff_t n) {
    auto const bytes = static_cast<std::size_t>(n + 63) / 64 * 64;
    if (bytes > static_cast<std::size_t>(end - next)) return static_cast<char*>(::operator new(static_cast<std::size_t>(n)));
    std::byte* const p = next;
    next += bytes;
    return reinterpret_cast<char*>(p);
  }
  void deallocate(char* p, std::size_t) {
    if (auto* const b = reinterpret_cast<std::byte*>(p); b < first || b >= end) ::operator delete(p);
  }
  std::byte* first = next;
};
template <class Key> std::size_t thrust_bytes(std::int64_t n) {
  using memory = sort_memory<Key>;
  auto const elements = static_cast<std::size_t>(n);
  return memory::rounded(elements * sizeof(Key)) + memory::rounded(elements * sizeof(place)) + memory::line;
}
template <class Key> std::size_t sort_memory<Key>::rest_of(line_sort const& s) const {
  return static_cast<std::size_t>(s.count()) * thrust_bytes<Key>(s.lines.n);
}
// Line `i` in place.
template <class Key> struct sort_line {
  std::int64_t n;
  Key* keys;
  place* places;
  std::byte* memory;
  void operator()(std::int64_t i) const {
    std::byte* const own = memory + static_cast<std::size_t>(i) * thrust_bytes<Key>(n);
    given_memory given{own, own + thrust_bytes<Key>(n)};
    ::thrust::stable_sort_by_key(::thrust::cpp::par(given), keys + i * n, keys + (i + 1) * n, places + i * n);
  }
};
#endif

template <class Key, class Bits>
void sort_as(line_sort const& s, void const* x, void* values, std::int64_t* where, std::byte* scratch, runtime::stream stream) {
  sort_keys const as(s.type, s.ascending);
  sort_memory<Key> const m(s);
  auto* const keys = reinterpret_cast<Key*>(scratch);
  auto* const places = reinterpret_cast<place*>(scratch + m.keys);
  std::byte* const rest = scratch + m.keys + m.places;
  place* sorted = places;
  write_lines<Bits> write{s.lines, s.top, static_cast<Bits const*>(x), nullptr, static_cast<Bits*>(values), where};
#if SINTER_GPU_CUDA
  if (s.lines.n <= longest_in_block) {
    auto const blocks = blocks_for(s.count(), 1);
    if (s.lines.n <= longest_in_block / 4) sort_in_blocks<Key, Bits, 4><<<blocks, block_sort_lanes, 0, stream>>>(as, write, s.count());
    else sort_in_blocks<Key, Bits, 16><<<blocks, block_sort_lanes, 0, stream>>>(as, write, s.count());
    return check(cudaGetLastError());
  }
#endif
  for_each(read_lines<Key>{as, s.lines, x, keys, places}, s.elements());
#if SINTER_GPU_CUDA
  sorted = reinterpret_cast<place*>(rest + m.keys);
  std::size_t bytes = m.rest - m.keys - m.places;
  sort_pairs(s, rest + m.keys + m.places, bytes, keys, reinterpret_cast<Key*>(rest), places, sorted, stream);
#else
  (void)stream;
  sort_line<Key> const line{s.lines.n, keys, places, rest};
  if (s.count() > 1 || !sorts_in_threads) for_each(line, s.count());
  else ::thrust::stable_sort_by_key(::thrust::device, keys, keys + s.lines.n, places);
#endif
  write.places = sorted;
  for_each(write, s.count() * s.top);
}

namespace sinter_thrust_algorithms_hpp {

SINTER_EMITTED std::size_t scratch_bytes(line_sort const& s) {
#if SINTER_GPU_CUDA
  if (s.lines.n <= longest_in_block) return 0;
#endif
  return bytes_of(s.type) > 4 ? sort_memory<std::uint64_t>(s).bytes() : sort_memory<std::uint32_t>(s).bytes();
}
SINTER_EMITTED void sort(line_sort const& s, void const* x, void* values, std::int64_t* places, std::byte* scratch,
                         runtime::stream stream) {
  switch (bytes_of(s.type)) {
    case 1: return sort_as<std::uint32_t, std::uint8_t>(s, x, values, places, scratch, stream);
    case 2: return sort_as<std::uint32_t, std::uint16_t>(s, x, values, places, scratch, stream);
    case 4: return sort_as<std::uint32_t, std::uint32_t>(s, x, values, places, scratch, stream);
    default: return sort_as<std::uint64_t, std::uint64_t>(s, x, values, places, scratch, stream);
  }
}

}  // namespace sinter_thrust_algorithms_hpp

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
