// SPDX-License-Identifier: Apache-2.0
// Between memory and tiles: lines of elements that lie anywhere become lines that lie one behind the other, and back.
#pragma once
#include "loops.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// Element i of line l is `l * between + i * stride` elements behind `p`; negative strides go backwards.
struct lines {
  std::int64_t count = 1, between = 0, length = 0, stride = 1;
};
// What the interpreter calls for the elements of one type.
struct mover {
  void (*in)(std::byte const* p, lines const& l, std::byte* tile) = nullptr;
  void (*out)(std::byte const* tile, std::byte* p, lines const& l) = nullptr;
  // Lines of at most one vector each, which begin with a vector in the tile; the lanes that are left hold zeros.
  void (*in_across)(std::byte const* p, lines const& l, std::byte* tile) = nullptr;
  void (*out_across)(std::byte const* tile, std::byte* p, lines const& l) = nullptr;
  void (*splat)(std::byte const* p, std::byte* to) = nullptr;  // one vector
  // Each of `n` elements `times` times.
  void (*spread)(std::byte const* from, std::int64_t n, std::int64_t times, std::byte* to) = nullptr;
};

template <class T> struct mover_of {
  static void line_in(T const* from, std::int64_t n, T* to) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) simd::store(to + i, simd::load(from + i));
    if (i < n) simd::store_partial(to + i, simd::load_partial(from + i, static_cast<int>(n - i)), static_cast<int>(n - i));
  }
  static void fill(T v, std::int64_t n, T* to) {
    auto const all = simd::splat(v);
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) simd::store(to + i, all);
    if (i < n) simd::store_partial(to + i, all, static_cast<int>(n - i));
  }
  static void in(std::byte const* p, lines const& l, std::byte* tile) {
    T const* from = reinterpret_cast<T const*>(p);
    T* to = reinterpret_cast<T*>(tile);
    if (l.stride != 1 && l.stride != 0 && l.between == 1) {  // as memory has them
      for (std::int64_t i = 0; i < l.length; ++i, from += l.stride)
        for (std::int64_t k = 0; k < l.count; ++k) to[k * l.length + i] = from[k];
      return;
    }
    for (std::int64_t k = 0; k < l.count; ++k, from += l.between, to += l.length) {
      if (l.stride == 1) line_in(from, l.length, to);
      else if (l.stride == 0) fill(*from, l.length, to);
      else
        for (std::int64_t i = 0; i < l.length; ++i) to[i] = from[i * l.stride];
    }
  }
  static void out(std::byte const* tile, std::byte* p, lines const& l) {
    T const* from = reinterpret_cast<T const*>(tile);
    T* to = reinterpret_cast<T*>(p);
    for (std::int64_t k = 0; k < l.count; ++k, from += l.length, to += l.between) {
      if (l.stride == 1) line_in(from, l.length, to);
      else
        for (std::int64_t i = 0; i < l.length; ++i) to[i * l.stride] = from[i];
    }
  }
  static void in_across(std::byte const* p, lines const& l, std::byte* tile) {
    T const* from = reinterpret_cast<T const*>(p);
    T* to = reinterpret_cast<T*>(tile);
    int const n = static_cast<int>(l.length);
    for (std::int64_t k = 0; k < l.count; ++k, from += l.between, to += lanes) {
      if (l.stride == 0) simd::store(to, simd::splat(*from));
      else simd::store(to, n == lanes ? simd::kernels::read<false>(from, l.stride, n) : simd::kernels::read<true>(from, l.stride, n));
    }
  }
  static void out_across(std::byte const* tile, std::byte* p, lines const& l) {
    T const* from = reinterpret_cast<T const*>(tile);
    T* to = reinterpret_cast<T*>(p);
    int const n = static_cast<int>(l.length);
    for (std::int64_t k = 0; k < l.count; ++k, from += lanes, to += l.between) {
      if (n == lanes) simd::kernels::write<false>(to, l.stride, simd::load(from), n);
      else simd::kernels::write<true>(to, l.stride, simd::load(from), n);
    }
  }
  static void splat(std::byte const* p, std::byte* to) {
    simd::store(reinterpret_cast<T*>(to), simd::splat(*reinterpret_cast<T const*>(p)));
  }
  static void spread(std::byte const* p, std::int64_t n, std::int64_t times, std::byte* tile) {
    T const* from = reinterpret_cast<T const*>(p);
    T* to = reinterpret_cast<T*>(tile);
    for (std::int64_t k = 0; k < n; ++k, to += times) fill(from[k], times, to);
  }
  static constexpr mover value{&in, &out, &in_across, &out_across, &splat, &spread};
};
inline mover const& mover_for(dtype t) {
  return *with_type(t, []<class T>(T*) { return &mover_of<T>::value; });
}

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
