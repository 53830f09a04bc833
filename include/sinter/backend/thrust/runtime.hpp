// SPDX-License-Identifier: Apache-2.0
// Memory, copies and waiting: the few calls that differ between CUDA and the processor.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "../../core/device.hpp"
#include "../../core/error.hpp"
#include "system.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {

[[noreturn]] inline void out_of_memory(std::size_t bytes) {
  throw device_error("sinter: the device is out of memory: " + std::to_string(bytes) + " bytes were asked for");
}

#if SINTER_GPU_CUDA
// What the CUDA runtime answers, as one sentence. `bytes`: what was asked for, when memory was.
inline void check(cudaError_t e, std::size_t bytes = 0) {
  if (e == cudaSuccess) return;
  cudaGetLastError();
  std::string const why = std::string(cudaGetErrorName(e)) + ", " + cudaGetErrorString(e);
  switch (e) {
    case cudaErrorMemoryAllocation: out_of_memory(bytes);
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch: throw device_error("sinter: there is no device that this program can use (" + why + ")");
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      throw device_error("sinter: this program was not compiled for the architecture of this device; give nvcc its -arch (" + why + ")");
    default: throw device_error("sinter: the device failed, and what it held is lost (" + why + ")");
  }
}

struct runtime {
  using stream = cudaStream_t;

  // Whether there is a device. Where there is none, that is said once.
  static bool available() {
    static bool const found = [] {
      int n = 0;
      cudaError_t const e = cudaGetDeviceCount(&n);
      if (e == cudaSuccess && n > 0) return true;
      cudaGetLastError();
      std::fprintf(stderr, "sinter: there is no device that this program can use (%s); its other parts work\n", cudaGetErrorString(e));
      return false;
    }();
    return found;
  }
  // What the threads of a block can share.
  static std::int64_t shared_bytes() {
    static int const bytes = [] {
      int device = 0, n = 0;
      check(cudaGetDevice(&device));
      check(cudaDeviceGetAttribute(&n, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
      return n;
    }();
    return bytes;
  }
  static stream make_stream() {
    static bool const ready = [] {  // memory that was given back is kept for the next who asks
      cudaMemPool_t pool{};
      int device = 0;
      check(cudaGetDevice(&device));
      check(cudaDeviceGetDefaultMemPool(&pool, device));
      std::uint64_t all = ~std::uint64_t{0};
      check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
      device::detail::wait_for_all = [] { check(cudaDeviceSynchronize()); };  // from here on there can be work to wait for
      return true;
    }();
    (void)ready;
    stream s{};
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
  }
  static void wait(stream s) { check(cudaStreamSynchronize(s)); }

  static void* allocate(std::size_t bytes, stream s) {
    void* p = nullptr;
    check(cudaMallocAsync(&p, bytes ? bytes : 1, s), bytes);
    return p;
  }
  static void release(void* p, stream s) { (void)cudaFreeAsync(p, s); }
  static void clear(void* p, std::size_t bytes, stream s) { check(cudaMemsetAsync(p, 0, bytes, s)); }
  static void copy(void* to, void const* from, std::size_t bytes, stream s) {
    if (bytes) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s));
  }
  static void* allocate_pinned(std::size_t bytes) {
    void* p = nullptr;
    check(cudaMallocHost(&p, bytes ? bytes : 1), bytes);
    return p;
  }
  static void release_pinned(void* p) { (void)cudaFreeHost(p); }
};
#else
struct runtime {
  struct stream {};
  static constexpr std::align_val_t alignment{storage_alignment};

  static bool available() { return true; }
  static stream make_stream() { return {}; }
  static void wait(stream) {}
  static void* allocate(std::size_t bytes, stream) {
    void* const p = ::operator new(bytes ? bytes : 1, alignment, std::nothrow);
    if (!p) out_of_memory(bytes);
    return p;
  }
  static void release(void* p, stream) { ::operator delete(p, alignment); }
  static void clear(void* p, std::size_t bytes, stream) { std::memset(p, 0, bytes); }
  static void copy(void* to, void const* from, std::size_t bytes, stream) {
    if (bytes) std::memcpy(to, from, bytes);
  }
  static void* allocate_pinned(std::size_t bytes) { return allocate(bytes, {}); }
  static void release_pinned(void* p) { release(p, {}); }
};
#endif

}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
