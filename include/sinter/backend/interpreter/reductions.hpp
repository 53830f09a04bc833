// SPDX-License-Identifier: Apache-2.0
// A reduction over tiles: the totals of a compiled kernel over rows, with the same vectors in the same turn.
#pragma once
#include "../xsimd/kernels/reduce.hpp"
#include "loops.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// What the interpreter calls for a reduction. A tile has `lines` lines of `length` elements, one behind the other; vectors begin with each
// line. A `state` is memory of `bytes`, aligned to 64.
struct reducer {
  std::size_t bytes = 0;
  void (*start)(std::byte* state) = nullptr;
  void (*take)(std::byte* state, source in, std::int64_t lines, std::int64_t length) = nullptr;
  // The result of a row of `count` elements in lines of `line`, `lanes` times.
  void (*finish)(std::byte const* state, std::int64_t count, std::int64_t line, std::byte* out) = nullptr;
  // The results where each lane is a row.
  void (*finish_lanes)(std::byte const* state, std::int64_t count, std::byte* out) = nullptr;
  // `rows` rows of `lines` lines each, from start to result.
  void (*whole)(source in, std::int64_t rows, std::int64_t lines, std::int64_t length, std::byte* out) = nullptr;
};

template <class Op, class R, class T> struct reduction_loop {
  using total = simd::kernels::total<Op, T>;
  struct state {
    total t;
    std::int64_t when = 0;
  };
  static_assert(alignof(state) <= 64);
  SINTER_INLINE static void step(total& t, stream<T> const& s, std::int64_t i, std::int64_t when) {
    t.template take<false>(s.at(i), when, lanes);
    t.rotate();
  }
  SINTER_INLINE static void line(total& t, std::int64_t& when, stream<T> const& s, std::int64_t length) {
    std::int64_t i = 0;
    for (; i + 4 * lanes <= length; i += 4 * lanes, when += 4) {
      step(t, s, i, when);
      step(t, s, i + lanes, when + 1);
      step(t, s, i + 2 * lanes, when + 2);
      step(t, s, i + 3 * lanes, when + 3);
    }
    for (; i + lanes <= length; i += lanes, ++when) step(t, s, i, when);
    if (i < length) {
      int const count = static_cast<int>(length - i);
      t.template take<true>(s.first(i, count), when, count);
      t.rotate();
      ++when;
    }
  }
  SINTER_INLINE static void take_lines(total& t, std::int64_t& when, stream<T>& s, std::int64_t lines, std::int64_t length) {
    for (std::int64_t l = 0; l < lines; ++l, s.p += length * s.step) line(t, when, s, length);
  }
  SINTER_INLINE static R across(total const& t, std::int64_t count, std::int64_t length) {
    if constexpr (Op::indexed) return t.template across<R>(count, length);
    else return total::across(t.all(), count);
  }

  static void start(std::byte* memory) { ::new (memory) state; }
  SINTER_FLATTEN static void take(std::byte* memory, source in, std::int64_t lines, std::int64_t length) {
    state& kept = *std::launder(reinterpret_cast<state*>(memory));
    total t = kept.t;
    std::int64_t when = kept.when;
    stream<T> s{reinterpret_cast<T const*>(in.p), in.step};
    take_lines(t, when, s, lines, length);
    kept.t = t;
    kept.when = when;
  }
  SINTER_FLATTEN static void finish(std::byte const* memory, std::int64_t count, std::int64_t length, std::byte* out) {
    simd::store(reinterpret_cast<R*>(out), simd::splat(across(std::launder(reinterpret_cast<state const*>(memory))->t, count, length)));
  }
  SINTER_FLATTEN static void finish_lanes(std::byte const* memory, std::int64_t count, std::byte* out) {
    simd::store(reinterpret_cast<R*>(out), std::launder(reinterpret_cast<state const*>(memory))->t.template each_lane<R>(count));
  }
  SINTER_FLATTEN static void whole(source in, std::int64_t rows, std::int64_t lines, std::int64_t length, std::byte* out) {
    stream<T> s{reinterpret_cast<T const*>(in.p), in.step};
    R* to = reinterpret_cast<R*>(out);
    for (std::int64_t r = 0; r < rows; ++r) {
      total t;
      std::int64_t when = 0;
      take_lines(t, when, s, lines, length);
      to[r] = across(t, lines * length, length);
    }
  }
  static constexpr reducer value{sizeof(state), &start, &take, &finish, &finish_lanes, &whole};
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
