// SPDX-License-Identifier: Apache-2.0
// Linked to the tests of operations: what sinter's tensors allocate is memory that the host and the device both read. All of it comes from one
// piece, and none is given back: the program ends soon.
#include <atomic>
#include <new>
#include <sinter/backend/thrust/runtime.hpp>

namespace {

constexpr std::size_t all_bytes = std::size_t{8} << 30;

std::byte* memory() {
  static std::byte* const begin = [] {
    void* p = nullptr;
    if (cudaMallocManaged(&p, all_bytes) != cudaSuccess) throw std::bad_alloc();
    return static_cast<std::byte*>(p);
  }();
  return begin;
}
void* take(std::size_t bytes) {
  static std::atomic<std::size_t> used{0};
  std::size_t const at = used.fetch_add((bytes + 63) / 64 * 64);
  if (at + bytes > all_bytes) throw std::bad_alloc();
  return memory() + at;
}

}  // namespace

void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t) { return take(bytes); }
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
void operator delete(void*, std::align_val_t) noexcept {}
void operator delete(void*, std::size_t, std::align_val_t) noexcept {}
