// SPDX-License-Identifier: Apache-2.0
// Linked to the tests of operations: what sinter's tensors allocate is memory that the host and the device both read.
#include <new>
#include <sinter/backend/thrust/runtime.hpp>

void* operator new(std::size_t bytes, std::align_val_t) {
  void* p = nullptr;
  sinter::gpu::check(cudaMallocManaged(&p, bytes ? bytes : 1), bytes);
  return p;
}
void operator delete(void* p, std::align_val_t) noexcept { (void)cudaFree(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { (void)cudaFree(p); }
