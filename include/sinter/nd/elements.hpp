// SPDX-License-Identifier: Apache-2.0
// The elements of a tensor one by one: iterators in row-major order, and checks of places in debug builds.
#pragma once
#include <compare>
#include <iterator>
#include <string>

#include "../core/error.hpp"
#include "../core/part.hpp"

namespace sinter::nd::inline SINTER_ISA {

[[noreturn]] SINTER_NOINLINE inline void refuse_place(std::int64_t const* at, int n, dims const& shape) {
  std::string place;
  for (int i = 0; i < n; ++i) place += (i ? ", " : "") + std::to_string(at[i]);
  throw shape_error("sinter: a tensor of shape " + to_string(shape) + " has no element (" + place + ")");
}
[[noreturn]] SINTER_NOINLINE inline void refuse_index(array_part const& p, dims const& shape) {
  if (p.wrong == index_error::step) throw shape_error("sinter: the step of a range is not 0");
  throw shape_error("sinter: a tensor of shape " + to_string(shape) + " has no index " + std::to_string(p.index) + " along dimension " +
                    std::to_string(p.axis));
}
[[noreturn]] SINTER_NOINLINE inline void refuse_change() {
  throw parameter_error(
      "sinter: this tensor is there for operations to read: what F.get gives in an eager call, which set() changes, an array of a mapped "
      "file, or memory that is const where it was borrowed; copy() it to read or write single elements");
}
[[noreturn]] SINTER_NOINLINE inline void refuse_null(dims const& extents) {
  throw error("sinter: the memory that is lent to a tensor of the extents " + to_string(extents) + " is a null pointer");
}
[[noreturn]] SINTER_NOINLINE inline void refuse_moved() {
  throw error("sinter: this tensor has no elements, because it was moved from; assign another to it first");
}
constexpr void check_place(std::int64_t const* at, dims const& shape) {
  for (int i = 0; i < shape.rank; ++i)
    if (at[i] < 0 || at[i] >= shape.d[i]) refuse_place(at, shape.rank, shape);
}
[[noreturn]] SINTER_NOINLINE inline void refuse_extents(dims const& typed, dims const& extents) {
  throw shape_error("sinter: a tensor of shape " + to_string(typed) + " cannot have the extents " + numbers_of(extents));
}
[[noreturn]] SINTER_NOINLINE inline void refuse_size(dims const& extents) {
  throw shape_error("sinter: a tensor of the extents " + to_string(extents) + " has more elements than memory can have");
}
// Whether an array of a shape, whose dimensions may be dynamic, can have these extents.
constexpr bool extents_fit(dims const& typed, dims const& extents) {
  if (extents.rank != typed.rank) return false;
  for (int i = 0; i < typed.rank; ++i) {
    if (extents.d[i] < 0 || (typed.d[i] >= 0 && typed.d[i] != extents.d[i])) return false;
    for (int k = 0; k < i; ++k)
      if (is_named(typed.d[i]) && typed.d[k] == typed.d[i] && extents.d[k] != extents.d[i]) return false;
  }
  return true;
}
// Whether several elements are one in memory, as in a view that broadcast_to made.
constexpr bool repeats_elements(dims const& extents, std::int64_t const* strides) {
  bool repeats = false;
  for (int i = 0; i < extents.rank; ++i) {
    if (extents.d[i] == 0) return false;  // there are none
    repeats = repeats || (strides[i] == 0 && extents.d[i] > 1);
  }
  return repeats;
}

// These are given the rank once more, which the caller knows as a constant: else GCC 12 warns of extents behind the last at -O3.
constexpr extent count_elements(dims const& extents, int rank) {
  extent n = 1;
  for (int i = 0; i < rank; ++i) n *= extents.d[i];
  return n;
}
constexpr void write_row_major(std::int64_t* strides, dims const& extents, int rank) {
  std::int64_t step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    strides[i] = step;
    step *= extents.d[i];
  }
}
constexpr bool lie_in_order(dims const& extents, std::int64_t const* strides, int rank) {
  std::int64_t step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    if (extents.d[i] != 1 && strides[i] != step && extents.size() != 0) return false;
    step *= extents.d[i];
  }
  return true;
}

// Where the element that is number `i` in row-major order lies.
constexpr std::int64_t place_of_element(std::int64_t i, dims const& extents, std::int64_t const* strides) {
  std::int64_t place = 0;
  for (int k = extents.rank - 1; k >= 0; --k) {
    place += i % extents.d[k] * strides[k];
    i /= extents.d[k];
  }
  return place;
}
// The elements of any tensor of T. Valid as long as the tensor that made it.
template <class T> class element_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::int64_t;
  using reference = value_type&;
  using pointer = value_type*;

  constexpr element_iterator() = default;
  constexpr element_iterator(T* elements, dims const& shape, std::int64_t const* strides, std::int64_t at, bool in_order)
      : elements_(elements), shape_(&shape), strides_(strides), at_(at), in_order_(in_order) {}

  constexpr reference operator*() const { return elements_[in_order_ ? at_ : place_of_element(at_, *shape_, strides_)]; }
  constexpr pointer operator->() const { return &**this; }
  constexpr reference operator[](difference_type n) const { return *(*this + n); }
  constexpr element_iterator& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  constexpr element_iterator& operator-=(difference_type n) { return *this += -n; }
  constexpr element_iterator& operator++() { return *this += 1; }
  constexpr element_iterator& operator--() { return *this += -1; }
  constexpr element_iterator operator++(int) {
    element_iterator const before = *this;
    ++*this;
    return before;
  }
  constexpr element_iterator operator--(int) {
    element_iterator const before = *this;
    --*this;
    return before;
  }
  friend constexpr element_iterator operator+(element_iterator i, difference_type n) { return i += n; }
  friend constexpr element_iterator operator+(difference_type n, element_iterator i) { return i += n; }
  friend constexpr element_iterator operator-(element_iterator i, difference_type n) { return i -= n; }
  friend constexpr difference_type operator-(element_iterator const& a, element_iterator const& b) { return a.at_ - b.at_; }
  friend constexpr bool operator==(element_iterator const& a, element_iterator const& b) { return a.at_ == b.at_; }
  friend constexpr auto operator<=>(element_iterator const& a, element_iterator const& b) { return a.at_ <=> b.at_; }

 private:
  T* elements_ = nullptr;
  dims const* shape_ = nullptr;
  std::int64_t const* strides_ = nullptr;
  std::int64_t at_ = 0;
  bool in_order_ = true;
};

template <class T> constexpr void copy_in_order(element_iterator<T> from, extent n, T* to) {
  for (; n > 0; --n, ++from) *to++ = *from;
}

}  // namespace sinter::nd::inline SINTER_ISA
