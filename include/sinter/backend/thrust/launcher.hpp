// SPDX-License-Identifier: Apache-2.0
// The seam to the device: runs a body at each index, or a team of threads at each index. Every launch of sinter goes through here and is
// counted.
#pragma once
#include "stream.hpp"

#if !SINTER_GPU_CUDA
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#endif

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

// How many kernels this thread has launched, those of a replayed graph too. One without work counts, though nothing is launched for it.
inline thread_local std::int64_t launches = 0, copies = 0;

#if SINTER_GPU_CUDA
inline constexpr int block_size = 256, warp = 32;

// Plain kernels: measured, an algorithm of Thrust costs the compiler ten times as much, and the device gains nothing.
template <class Body> __global__ void __launch_bounds__(block_size) run_each(Body const __grid_constant__ body, std::int64_t n) {
  std::int64_t const step = std::int64_t{block_size} * gridDim.x;
  for (std::int64_t i = std::int64_t{block_size} * blockIdx.x + threadIdx.x; i < n; i += step) body(i);
}

// What `lanes` threads of a warp give, a power of two, two by two. Each gets the same bits: of two, that of the lower lane is the first, which
// decides between zeros of both signs. `together`: all that meet, in groups of `lanes`.
template <class V> __device__ V meet_lanes(V v, int lanes, unsigned together) {
  constexpr int words = (sizeof(V) + 3) / 4;
  int const lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    unsigned word[words]{};
    memcpy(word, &v, sizeof(V));
    SINTER_UNROLL
    for (int i = 0; i < words; ++i) word[i] = __shfl_xor_sync(together, word[i], distance);
    V other = v;
    memcpy(&other, word, sizeof(V));
    v = (lane & distance) == 0 ? V::both(v, other) : V::both(other, v);
  }
  return v;
}
// The threads of a warp.
struct warp_team {
  static __device__ std::int64_t lane() { return threadIdx.x % warp; }
  static __device__ std::int64_t size() { return warp; }
  template <class V> static __device__ V meet(V v) { return meet_lanes(v, warp, ~0u); }
};
// The threads of a block with the same y: one, a part of a warp, or all of the block.
struct team {
  static __device__ std::int64_t lane() { return threadIdx.x; }
  static __device__ std::int64_t size() { return blockDim.x; }
  template <class V> static __device__ V meet(V v) {
    int const lanes = static_cast<int>(blockDim.x);
    if (lanes < warp) {
      unsigned const first = (threadIdx.y * blockDim.x) % warp;  // of the warp's threads
      return meet_lanes(v, lanes, ((1u << lanes) - 1) << first);
    }
    v = meet_lanes(v, warp, ~0u);
    if (lanes == warp) return v;
    __shared__ alignas(16) unsigned char raw[block_size / warp * sizeof(V)];
    V* const part = reinterpret_cast<V*>(raw);
    int const warps = lanes / warp;
    __syncthreads();
    if (threadIdx.x % warp == 0) part[threadIdx.x / warp] = v;
    __syncthreads();
    return meet_lanes(part[static_cast<int>(threadIdx.x) & (warps - 1)], warps, ~0u);
  }
};
template <class Body> __global__ void __launch_bounds__(block_size) run_teams(Body const __grid_constant__ body, std::int64_t n) {
  std::int64_t const step = std::int64_t{blockDim.y} * gridDim.x;
  for (std::int64_t i = std::int64_t{blockDim.y} * blockIdx.x + threadIdx.y; i < n; i += step) body(i, team{});
}
// A block of threads for each tile, or for some rows.
struct block_team {
  static __device__ std::int64_t lane() { return threadIdx.x; }
  static __device__ void meet() { __syncthreads(); }
  static __device__ warp_team warp() { return {}; }
};
template <class Body> __global__ void __launch_bounds__(Body::lanes, 2) run_tiles(Body const __grid_constant__ body, std::int64_t n) {
  __shared__ typename Body::shared memory;
  for (std::int64_t i = blockIdx.x; i < n; i += gridDim.x) body(i, block_team{}, memory);
}
template <class Body> __global__ void __launch_bounds__(Body::lanes) run_blocks(Body const __grid_constant__ body, std::int64_t n) {
  extern __shared__ unsigned char memory[];  // begins at a multiple of 16
  for (std::int64_t i = blockIdx.x; i < n; i += gridDim.x) body(i, block_team{}, memory);
}
inline unsigned blocks_for(std::int64_t n, int each) {
  std::int64_t const blocks = (n + each - 1) / each;
  return static_cast<unsigned>(blocks < (1 << 30) ? blocks : 1 << 30);
}
#endif

// body(i) for every i below n.
template <class Body> void for_each(Body const& body, std::int64_t n) {
  ++launches;
  if (n == 0) return;
#if SINTER_GPU_CUDA
  run_each<Body><<<blocks_for(n, block_size), block_size, 0, current().handle>>>(body, n);
  check(cudaGetLastError());
#else
  ::thrust::for_each_n(::thrust::device, ::thrust::counting_iterator<std::int64_t>(0), n, body);
#endif
}
#if SINTER_GPU_CUDA
template <class Body> void for_each_tile(Body const& body, std::int64_t n) {
  ++launches;
  if (n == 0) return;
  run_tiles<Body><<<blocks_for(n, 1), Body::lanes, 0, current().handle>>>(body, n);
  check(cudaGetLastError());
}
// body(i, team, memory) for every i below n, with `bytes` of memory that a block shares.
template <class Body> void for_each_block(Body const& body, std::int64_t n, std::size_t bytes) {
  ++launches;
  if (n == 0) return;
  check(cudaFuncSetAttribute(run_blocks<Body>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  run_blocks<Body><<<blocks_for(n, 1), Body::lanes, bytes, current().handle>>>(body, n);
  check(cudaGetLastError());
}
#endif
// body(i, team) for every i below n; `lanes` threads for each: a power of two up to those of a block. On the processor a team is one thread.
template <class Body> void for_each_team(Body const& body, std::int64_t n, [[maybe_unused]] int lanes) {
#if SINTER_GPU_CUDA
  ++launches;
  if (n == 0) return;
  int const together = lanes > warp ? 1 : block_size / lanes;
  dim3 const shape(static_cast<unsigned>(lanes), static_cast<unsigned>(together));
  run_teams<Body><<<blocks_for(n, together), shape, 0, current().handle>>>(body, n);
  check(cudaGetLastError());
#else
  for_each(body, n);
#endif
}

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
