// SPDX-License-Identifier: Apache-2.0
// The device as a place for tensors.
#pragma once
#include <memory>

#include "../default.hpp"
#include "backend.hpp"

namespace sinter {
namespace device {
inline namespace SINTER_GPU_SYSTEM {

struct gpu_t {
  static constexpr bool is_host = false;
  // Whether the program can use it. Where it cannot, that is said once on stderr, and every other call throws device_error.
  SINTER_OWN static bool available() { return gpu::runtime::available(); }
  // Kernels that this thread has launched so far, or written into a graph.
  SINTER_OWN static std::int64_t launches() { return gpu::launches; }

  // Copies of arrays to, from and on the device that this thread has queued so far.
  SINTER_OWN static std::int64_t copies() { return gpu::copies; }

  template <class T> SINTER_OWN static buffer<T> allocate(std::size_t n, bool clear) {
    gpu::runtime::stream const s = gpu::current().handle;
    auto b = std::make_unique<block>(nullptr, s);
    b->data = gpu::runtime::allocate(n * sizeof(T), s);
    if (clear) gpu::runtime::clear(b->data, n * sizeof(T), s);
    auto* const data = static_cast<T*>(b->data);
    return buffer<T>(data, b.release(), [](void* context) { delete static_cast<block*>(context); });
  }
  // Queues a copy between any two of this device and the host.
  SINTER_OWN static void copy(void* to, void const* from, std::size_t bytes) {
    ++gpu::copies;
    gpu::runtime::copy(to, from, bytes, gpu::current().handle);
  }
  SINTER_OWN static void wait() { gpu::runtime::wait(gpu::current().handle); }

 private:
  struct block {
    void* data;
    gpu::runtime::stream from;
    SINTER_OWN block(void* p, gpu::runtime::stream s) : data(p), from(s) {}
    block(block const&) = delete;
    block& operator=(block const&) = delete;
    SINTER_OWN ~block() {
      if (data) gpu::runtime::release(data, from);
    }
  };
};
inline constexpr gpu_t gpu{};

}  // namespace SINTER_GPU_SYSTEM
}  // namespace device

template <> struct backend_of<device::gpu_t> {
  using type = gpu::network_backend;
};

}  // namespace sinter
