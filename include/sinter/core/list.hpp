// SPDX-License-Identifier: Apache-2.0
// A growing array for constant expressions and for the running program: in a long constant evaluation std::vector costs GCC twice the time
// and memory.
#pragma once
#include <cstddef>
#include <utility>

#include "config.hpp"

namespace sinter {
inline namespace SINTER_ISA {

template <class T> class list {
 public:
  constexpr list() = default;
  constexpr explicit list(int n, T const& v = T{}) { resize(n, v); }
  constexpr list(list const& o) {
    reserve(o.size_);
    for (int i = 0; i < o.size_; ++i) data_[i] = o.data_[i];
    size_ = o.size_;
  }
  // Without std::exchange and std::swap, each of which is several calls for the evaluation of a constant: a pass moves a graph, which is a dozen
  // lists, from function to function.
  constexpr list(list&& o) noexcept : data_(o.data_), size_(o.size_), capacity_(o.capacity_) {
    o.data_ = nullptr;
    o.size_ = o.capacity_ = 0;
  }
  constexpr list& operator=(list&& o) noexcept {
    if (this == &o) return *this;
    if (capacity_) delete[] data_;
    data_ = o.data_;
    size_ = o.size_;
    capacity_ = o.capacity_;
    o.data_ = nullptr;
    o.size_ = o.capacity_ = 0;
    return *this;
  }
  constexpr list& operator=(list const& o) {
    if (this == &o) return *this;
    list copy(o);
    return *this = static_cast<list&&>(copy);
  }
  constexpr ~list() { delete[] (capacity_ ? data_ : nullptr); }  // not in an `if`: nvcc then forgets the lists of canonicalise
  // The elements of a constant, read where they are: in a constant expression a copy costs steps. They are copied when the list grows, and
  // must not be written to before.
  static constexpr list borrowed(T const* items, int n) {
    list r;
    r.data_ = const_cast<T*>(items);
    r.size_ = n;
    return r;
  }

  constexpr int size() const { return size_; }
  constexpr int capacity() const { return capacity_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](int i) { return data_[i]; }
  constexpr T const& operator[](int i) const { return data_[i]; }
  constexpr T& back() { return data_[size_ - 1]; }
  constexpr T const& back() const { return data_[size_ - 1]; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }
  constexpr T const* begin() const { return data_; }
  constexpr T const* end() const { return data_ + size_; }
  constexpr T const* data() const { return data_; }

  constexpr T& push(T const& v) {
    if (size_ >= capacity_) {
      T copy = v;  // NOLINT(performance-unnecessary-copy-initialization): `v` may live in the array that grows
      reserve(size_ ? 2 * size_ : 8);
      return data_[size_++] = copy;
    }
    return data_[size_++] = v;
  }
  // Appends n elements to be written.
  constexpr T* extend(int n) {
    if (size_ + n > capacity_) reserve(2 * size_ + n + 8);
    size_ += n;
    return data_ + size_ - n;
  }
  constexpr T pop() { return data_[--size_]; }
  constexpr void shrink(int n) { size_ = n; }
  constexpr void resize(int n, T const& v = T{}) {
    reserve(n);
    for (int i = size_; i < n; ++i) data_[i] = v;
    size_ = n;
  }
  constexpr void reserve(int n) {
    if (n <= capacity_ || n <= size_) return;
    T* grown = new T[static_cast<std::size_t>(n)]{};
    int const kept = size_ < n ? size_ : n;  // size_, but GCC 12 does not see that at -O3, and warns
    for (int i = 0; i < kept; ++i) grown[i] = std::move(data_[i]);
    if (capacity_) delete[] data_;
    data_ = grown;
    capacity_ = n;
  }
  constexpr bool operator==(list const& o) const {
    if (size_ != o.size_) return false;
    for (int i = 0; i < size_; ++i)
      if (!(data_[i] == o.data_[i])) return false;
    return true;
  }

 private:
  T* data_ = nullptr;
  int size_ = 0, capacity_ = 0;  // elements without a capacity are borrowed
};

// What a list becomes in static storage: its exact size is part of the type.
template <class T, int N> struct frozen_list {
  T items[N ? N : 1]{};
  constexpr frozen_list() = default;
  constexpr explicit frozen_list(auto const& l) {
    for (int i = 0; i < N; ++i) items[i] = l[i];
  }
  static constexpr int size() { return N; }
  static constexpr bool empty() { return N == 0; }
  constexpr T const& operator[](int i) const { return items[i]; }
  constexpr T const* begin() const { return items; }
  constexpr T const* end() const { return items + N; }
  constexpr T const* data() const { return items; }
};

// A list that is copied to static storage before its size is known: there is a bound, and `overflow` says that it was exceeded. One
// evaluation fills it; to find the size first would take a second one.
template <class T, int N> struct bounded_list {
  T items[N ? N : 1]{};
  int count = 0;
  bool overflow = false;
  constexpr bounded_list() = default;
  constexpr explicit bounded_list(list<T> const& l) : count(l.size() < N ? l.size() : N), overflow(l.size() > N) {
    T const* const from = l.data();  // l[i] would cost two steps more for each element
    for (int i = 0; i < count; ++i) items[i] = from[i];
  }
  constexpr int size() const { return count; }
  constexpr T const& operator[](int i) const { return items[i]; }
  constexpr T const* begin() const { return items; }
  constexpr T const* end() const { return items + count; }
  // The same as a list that is read, or that may be changed.
  constexpr list<T> read() const& { return list<T>::borrowed(items, count); }
  list<T> read() const&& = delete;
  constexpr list<T> copy() const {
    list<T> r(count);
    T* const to = r.begin();
    for (int i = 0; i < count; ++i) to[i] = items[i];
    return r;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter
