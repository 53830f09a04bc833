// SPDX-License-Identifier: Apache-2.0
// Counts of allocations and of locks taken: for one source file of a program, where the C library lets itself be asked.
#pragma once
#include <cstddef>
#include <cstdlib>

#include "sanitized.hpp"

#if defined(__linux__) && defined(__GLIBC__) && !SINTER_SANITIZED
#define SINTER_COUNTS_ALLOCATIONS 1
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

namespace {
long allocations = 0, locks = 0;
template <class F> F next(char const* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  F f{};
  static_assert(sizeof f == sizeof found);
  __builtin_memcpy(&f, &found, sizeof f);
  return f;
}
}  // namespace

// glibc's own names for its allocator, because dlsym itself may allocate. The library's operator new ends here too.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) {
  ++allocations;
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) {
  ++allocations;
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) {
  ++allocations;
  return __libc_realloc(p, n);
}
void* memalign(std::size_t alignment, std::size_t n) {
  ++allocations;
  return __libc_memalign(alignment, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) {
  ++allocations;
  return __libc_memalign(alignment, n);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t n) {
  ++allocations;
  *to = __libc_memalign(alignment, n);
  return *to ? 0 : 12;
}
void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) {
  ++allocations;
  static auto const real = next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  return real(at, n, protection, flags, file, offset);
}
int pthread_mutex_lock(pthread_mutex_t* m) {
  ++locks;
  static auto const real = next<int (*)(pthread_mutex_t*)>("pthread_mutex_lock");
  return real(m);
}
}
#endif
