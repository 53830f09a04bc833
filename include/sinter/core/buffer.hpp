// SPDX-License-Identifier: Apache-2.0
// Storage that tensors share: aligned, reference-counted, and usable in constant expressions.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "memory.hpp"

namespace sinter {

inline constexpr std::size_t storage_alignment = 64;

template <class T> class buffer {
 public:
  SINTER_OWN constexpr buffer() = default;
  // `n` elements, zero in a constant expression and where `clear` says so; otherwise not initialised.
  SINTER_OWN constexpr explicit buffer(std::size_t n, bool clear = true) : block_(make(n, clear)) {}
  // Memory that somebody else owns: `release` is called when the last owner is gone, or when this throws.
  SINTER_OWN buffer(T* data, void* context, void (*release)(void*)) {
    if (!release) release = [](void*) {};
    try {
      block_ = new block{1, 0, data, context, release};
    } catch (...) {
      release(context);
      throw;
    }
  }

  SINTER_OWN constexpr buffer(buffer const& o) : block_(o.block_) {
    if (block_) change(1);
  }
  SINTER_OWN constexpr buffer(buffer&& o) noexcept : block_(std::exchange(o.block_, nullptr)) {}
  SINTER_OWN constexpr buffer& operator=(buffer o) noexcept {
    std::swap(block_, o.block_);
    return *this;
  }
  SINTER_OWN constexpr ~buffer() {
    if (!block_ || change(-1) != 0) return;
    if (std::is_constant_evaluated()) {
      delete[] block_->data;
      delete block_;
    } else if (block_->release) {
      block_->release(block_->context);
      delete block_;
    } else {
      std::destroy_n(block_->data, block_->constructed);
      if (int const c = block_->size_class; c >= 0) memory::detail::give(c, static_cast<void*>(block_));
      else ::operator delete(static_cast<void*>(block_));
    }
  }
  SINTER_OWN constexpr T* data() const { return block_ ? block_->data : nullptr; }
  SINTER_OWN constexpr explicit operator bool() const { return block_ != nullptr; }
  // Whether there are other owners.
  SINTER_OWN constexpr bool is_shared() const {
    if (!block_) return false;
    if (std::is_constant_evaluated()) return block_->owners > 1;
    return std::atomic_ref<long>(block_->owners).load(std::memory_order_acquire) > 1;
  }
  // True where the elements go with this owner: nobody else holds them, and the memory is not somebody else's.
  SINTER_OWN constexpr bool is_last() const { return block_ && !block_->release && !is_shared(); }

 private:
  struct block {
    long owners;
    std::size_t constructed;
    T* data;
    void* context;
    void (*release)(void*);
    int size_class = -1;  // of memory.hpp; -1: not kept
  };
  block* block_ = nullptr;
  static constexpr std::size_t most = (SIZE_MAX / 2 - sizeof(block) - storage_alignment) / sizeof(T);
  SINTER_OWN static constexpr block* make(std::size_t n, bool clear) {
    if (std::is_constant_evaluated()) return new block{1, n, new T[n ? n : 1]{}, nullptr, nullptr};
    if (n > most) throw std::bad_array_new_length();
    // Aligned here, not by the allocator: glibc does not cache freed aligned blocks, so that allocating one takes five times as long.
    std::size_t const bytes = sizeof(block) + storage_alignment + n * sizeof(T);
    int const c = SINTER_KEEPS_MEMORY ? memory::detail::class_of(bytes) : -1;
    void* const raw = c >= 0 ? memory::detail::take(c) : ::operator new(bytes);
    std::byte* const end = static_cast<std::byte*>(raw) + sizeof(block);
    T* data =
        reinterpret_cast<T*>(end + (storage_alignment - reinterpret_cast<std::uintptr_t>(end) % storage_alignment) % storage_alignment);
    if (clear) std::uninitialized_value_construct_n(data, n);
    return ::new (raw) block{1, clear ? n : 0, data, nullptr, nullptr, c};
  }
  SINTER_OWN constexpr long change(long by) {
    if (std::is_constant_evaluated()) return block_->owners += by;
    return std::atomic_ref<long>(block_->owners).fetch_add(by, std::memory_order_acq_rel) + by;
  }
};

#if defined(SINTER_COMPILED)
SINTER_COMPILED_TEMPLATE class buffer<float>;
SINTER_COMPILED_TEMPLATE class buffer<std::byte>;
#endif

}  // namespace sinter
