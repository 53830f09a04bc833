// SPDX-License-Identifier: Apache-2.0
// Running sums and products of lines in three passes: what each tile of a line gives, what the tiles before it give, and the elements. CUB's scan
// of a whole array is one pass, and adds floats in another order in every call.
#pragma once
#include <algorithm>

#include "../../../ops/element.hpp"
#include "../algorithms.hpp"
#include "../launcher.hpp"
#if SINTER_GPU_CUDA
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#endif

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class T, bool Multiplies> struct scan_step {
  SINTER_HD constexpr T operator()(T a, T b) const {
    if constexpr (Multiplies) return element::multiply(a, b);
    else return element::add(a, b);
  }
  static constexpr T neutral = Multiplies ? T(1) : -T(0);  // also beside a zero with a sign
};

// A thread for each tile. Neighbouring threads take neighbouring lines; results of tile `t` of line `i` lie at t * lines + i.
template <class T> struct tiles_of_lines {
  ops::around lines;
  T const* x;
  T* y;
  T* of_tiles;

  // Offset of a line, and the range of its elements in this tile.
  struct part {
    std::int64_t first, from, to;
  };
  SINTER_HD part part_of(std::int64_t line, std::int64_t tile) const {
    std::int64_t const from = tile * line_scan::tile, to = from + line_scan::tile;
    return {line / lines.inner * lines.n * lines.inner + line % lines.inner, from, to < lines.n ? to : lines.n};
  }
};
template <class T, class Step> struct total_of_tile {
  tiles_of_lines<T> all;
  std::int64_t n;  // lines
  SINTER_HD void operator()(std::int64_t i) const {
    auto const p = all.part_of(i % n, i / n);
    T total = all.x[p.first + p.from * all.lines.inner];
    for (std::int64_t k = p.from + 1; k < p.to; ++k) total = Step{}(total, all.x[p.first + k * all.lines.inner]);
    all.of_tiles[i] = total;
  }
};
// Replaces the total of each tile by that of the tiles before it.
template <class T, class Step> struct before_tiles {
  T* of_tiles;
  std::int64_t tiles, n;
  SINTER_HD void operator()(std::int64_t line) const {
    T before = Step::neutral;
    for (std::int64_t t = 0; t < tiles; ++t) {
      T const own = of_tiles[t * n + line];
      of_tiles[t * n + line] = before;
      before = t == 0 ? own : Step{}(before, own);
    }
  }
};
template <class T, class Step> struct elements_of_tile {
  tiles_of_lines<T> all;
  std::int64_t n;
  SINTER_HD void operator()(std::int64_t i) const {
    auto const p = all.part_of(i % n, i / n);
    T last = all.x[p.first + p.from * all.lines.inner];
    if (i >= n) last = Step{}(all.of_tiles[i], last);
    all.y[p.first + p.from * all.lines.inner] = last;
    for (std::int64_t k = p.from + 1; k < p.to; ++k)
      all.y[p.first + k * all.lines.inner] = last = Step{}(last, all.x[p.first + k * all.lines.inner]);
  }
};

#if SINTER_GPU_CUDA
// A block for each tile of lines whose elements are neighbours; results of tile `t` of line `i` lie at i * tiles + t.
inline constexpr int scan_lanes = 256, scan_each = static_cast<int>(line_scan::tile) / scan_lanes;
template <class T> using load_tile = cub::BlockLoad<T, scan_lanes, scan_each, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
template <class T> using store_tile = cub::BlockStore<T, scan_lanes, scan_each, cub::BLOCK_STORE_WARP_TRANSPOSE>;
template <class T> using reduce_tile = cub::BlockReduce<T, scan_lanes>;
template <class T> using scan_tile = cub::BlockScan<T, scan_lanes>;
template <class T> union tile_memory {
  typename load_tile<T>::TempStorage load;
  typename store_tile<T>::TempStorage store;
  typename reduce_tile<T>::TempStorage reduce;
  typename scan_tile<T>::TempStorage scan;
};
inline __device__ int elements_from(std::int64_t n, std::int64_t first) {
  return static_cast<int>(n - first < line_scan::tile ? n - first : line_scan::tile);
}
template <class T, class Step>
__global__ void __launch_bounds__(scan_lanes)
    total_in_block(T const* x, T* of_tiles, std::int64_t n, std::int64_t tiles, std::int64_t all) {
  __shared__ tile_memory<T> memory;
  for (std::int64_t i = blockIdx.x; i < all; i += gridDim.x) {
    std::int64_t const first = i % tiles * line_scan::tile;
    T v[scan_each];
    load_tile<T>(memory.load).Load(x + i / tiles * n + first, v, elements_from(n, first), Step::neutral);
    __syncthreads();
    T const total = reduce_tile<T>(memory.reduce).Reduce(v, Step{});
    if (threadIdx.x == 0) of_tiles[i] = total;
    __syncthreads();
  }
}
template <class T, class Step> __global__ void __launch_bounds__(scan_lanes)
    before_in_block(T* of_tiles, std::int64_t tiles, std::int64_t lines) {
  __shared__ tile_memory<T> memory;
  for (std::int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
    T before = Step::neutral;
    for (std::int64_t first = 0; first < tiles; first += line_scan::tile) {
      T v[scan_each], total;
      T* const at = of_tiles + line * tiles + first;
      load_tile<T>(memory.load).Load(at, v, elements_from(tiles, first), Step::neutral);
      __syncthreads();
      scan_tile<T>(memory.scan).ExclusiveScan(v, v, Step::neutral, Step{}, total);
      for (int j = 0; j < scan_each; ++j) v[j] = Step{}(before, v[j]);
      before = Step{}(before, total);
      __syncthreads();
      store_tile<T>(memory.store).Store(at, v, elements_from(tiles, first));
      __syncthreads();
    }
  }
}
template <class T, class Step>
__global__ void __launch_bounds__(scan_lanes)
    elements_in_block(T const* x, T* y, T const* before, std::int64_t n, std::int64_t tiles, std::int64_t all) {
  __shared__ tile_memory<T> memory;
  for (std::int64_t i = blockIdx.x; i < all; i += gridDim.x) {
    std::int64_t const first = i % tiles * line_scan::tile, at = i / tiles * n + first;
    T v[scan_each];
    load_tile<T>(memory.load).Load(x + at, v, elements_from(n, first), Step::neutral);
    __syncthreads();
    scan_tile<T>(memory.scan).InclusiveScan(v, v, Step{});
    if (first > 0) {
      T const b = before[i];
      for (int j = 0; j < scan_each; ++j) v[j] = Step{}(b, v[j]);
    }
    __syncthreads();
    store_tile<T>(memory.store).Store(y + at, v, elements_from(n, first));
    __syncthreads();
  }
}
#endif

template <class T, bool Multiplies>
void scan_as(line_scan const& s, T const* x, T* y, T* of_tiles, [[maybe_unused]] runtime::stream stream) {
  using step = scan_step<T, Multiplies>;
  std::int64_t const n = s.count(), all = n * s.tiles();
#if SINTER_GPU_CUDA
  if (s.lines.inner == 1) {
    if (s.tiles() > 1) {
      total_in_block<T, step><<<blocks_for(all, 1), scan_lanes, 0, stream>>>(x, of_tiles, s.lines.n, s.tiles(), all);
      before_in_block<T, step><<<blocks_for(n, 1), scan_lanes, 0, stream>>>(of_tiles, s.tiles(), n);
    }
    elements_in_block<T, step><<<blocks_for(all, 1), scan_lanes, 0, stream>>>(x, y, of_tiles, s.lines.n, s.tiles(), all);
    return check(cudaGetLastError());
  }
#endif
  tiles_of_lines<T> const tiles{s.lines, x, y, of_tiles};
  if (s.tiles() > 1) {
    for_each(total_of_tile<T, step>{tiles, n}, all);
    for_each(before_tiles<T, step>{of_tiles, s.tiles(), n}, n);
  }
  for_each(elements_of_tile<T, step>{tiles, n}, all);
}

namespace sinter_thrust_algorithms_hpp {

SINTER_EMITTED std::size_t scratch_bytes(line_scan const& s) {
  return s.tiles() == 1 ? 0 : static_cast<std::size_t>(s.count() * s.tiles() * bytes_of(s.type));
}
SINTER_EMITTED void scan(line_scan const& s, void const* x, void* y, std::byte* scratch, runtime::stream stream) {
  auto const as = [&]<class T>(T*) {
    auto* const of_tiles = reinterpret_cast<T*>(scratch);
    if (s.multiplies) scan_as<T, true>(s, static_cast<T const*>(x), static_cast<T*>(y), of_tiles, stream);
    else scan_as<T, false>(s, static_cast<T const*>(x), static_cast<T*>(y), of_tiles, stream);
  };
  switch (s.type) {
    case dtype::float32: return as(static_cast<float*>(nullptr));
    case dtype::float64: return as(static_cast<double*>(nullptr));
    case dtype::int32: return as(static_cast<std::int32_t*>(nullptr));
    default: return as(static_cast<std::int64_t*>(nullptr));
  }
}

}  // namespace sinter_thrust_algorithms_hpp

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
