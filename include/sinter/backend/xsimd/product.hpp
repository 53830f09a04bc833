// SPDX-License-Identifier: Apache-2.0
// Matrix product with computed operands and a fused tail: C[i, j] = sum over k of A[i, k] * B[k, j].
//
//     float scratch[...];  // product_scratch<float>(...) bytes for each thread, aligned to 64
//     product<float>(m, n, k, a_operand<float>{x, k, 1}, b_operand<float>{w, 1, k, packed},
//                    [&](std::size_t i, std::size_t j, xsimd::batch<float> c, std::size_t count) { ... }, scratch);
//
// Order of additions. Tiles: one chain in ascending k from +0, each step one fma (a rounded product and a sum where the
// instruction set has no fma); four of them for one row against few weights. Dots (see dot.hpp), for weights[N][K] and few rows
// or columns: one chain for each lane. Which of them is a function of (T, M, N, K, layout of B); packed or not, prologue or not
// and the number of threads never change a bit.
#pragma once

#include <sinter/backend/xsimd/pool.hpp>
#include <sinter/backend/xsimd/product/drive.hpp>
#include <sinter/backend/xsimd/product/integer.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sinter::simd {
inline namespace SINTER_ISA {

// Writes A[i, k .. k + count) to `to`. Called from several threads, for the same element more than once.
template <class F, class T>
concept product_prologue = std::invocable<F const&, std::size_t, std::size_t, std::size_t, T*>;

// Takes C[i, j .. j + count), the first lanes of a batch (the other lanes mean nothing); an integer product gives one value at a
// time. Called once for each output, in any order, from several threads.
template <class E, class T>
concept product_epilogue = (std::floating_point<T> && std::invocable<E const&, std::size_t, std::size_t, xsimd::batch<T>, std::size_t>) ||
                           (std::integral<T> && std::invocable<E const&, std::size_t, std::size_t, T>);

// Bytes of scratch for one thread. `fill_a`: A comes from a prologue or has a k stride other than 1.
template <class T>
[[nodiscard]] constexpr std::size_t product_scratch(std::size_t m, std::size_t n, std::size_t k, b_layout b, bool fill_a,
                                                    bool packed) noexcept {
  if constexpr (std::floating_point<T>) {
    return product_detail::plan<T>(m, n, k, b, fill_a, packed).scratch_bytes();
  } else {
    return static_cast<std::size_t>(product_detail::integer_k) * sizeof(T);
  }
}

// Whether a product of these sizes reads packed weights at all.
template <class T>
[[nodiscard]] constexpr bool product_uses_packed(std::size_t m, std::size_t n, std::size_t k, b_layout b) noexcept {
  if constexpr (std::floating_point<T>) {
    return !product_detail::plan<T>(m, n, k, b, false, true).dot;
  } else {
    return false;
  }
}

namespace product_detail {

template <class T>
void fill_strided(void const* source, index i, index rows, index k, index count, T* to, index to_stride) {
  auto const& a = *static_cast<a_operand<T> const*>(source);
  T const* const from = a.data + i * a.row_stride + k * a.k_stride;
  if (a.row_stride == 1) {
    transpose(from, a.k_stride, count, rows, to, to_stride);
    return;
  }
  for (index r = 0; r < rows; ++r) {
    for (index p = 0; p < count; ++p) { to[r * to_stride + p] = from[r * a.row_stride + p * a.k_stride]; }
  }
}

template <class T, class F>
void fill_computed(void const* source, index i, index rows, index k, index count, T* to, index to_stride) {
  for (index r = 0; r < rows; ++r) {
    (*static_cast<F const*>(source))(static_cast<std::size_t>(i + r), static_cast<std::size_t>(k), static_cast<std::size_t>(count),
                                     to + r * to_stride);
  }
}

// A small functor is copied, so that the stores in it cannot be stores to itself.
template <class E>
using held = std::conditional_t<std::is_trivially_copyable_v<E> && sizeof(E) <= 256, E const, E const&>;

// The epilogue in each of some rows: what it has for a whole row it may find once, and what differs in the next one is changed.
template <class E, class F> SINTER_INLINE void in_each_row(E const& e, index i, index rows, F const& f) {
  if constexpr (requires { e.row(std::size_t{}); }) {
    auto row = e.row(static_cast<std::size_t>(i));
    for (index r = 0; r < rows; ++r) {
      if (r > 0) { row.next(); }
      f(row);
    }
  } else {
    for (index r = 0; r < rows; ++r) {
      f([&e, at = static_cast<std::size_t>(i + r)](std::size_t j, auto c, std::size_t count) SINTER_INLINED { e(at, j, c, count); });
    }
  }
}

template <class T, class E>
SINTER_FLATTEN void finish(void const* epilogue, T const* c, index c_stride, index i, index rows, index j, index columns) {
  using batch = xsimd::batch<T>;
  constexpr index lanes = tile_shape<T>::lanes;
  constexpr auto all = static_cast<std::size_t>(lanes);
  held<E> e = *static_cast<E const*>(epilogue);
  auto const left = static_cast<std::size_t>(j), width = static_cast<std::size_t>(columns);
  if (columns == 2 * lanes) {
    in_each_row(e, i, rows, [&](auto const& row) SINTER_INLINED {
      row(left, batch::load_unaligned(c), all);
      row(left + all, batch::load_unaligned(c + lanes), all);
      c += c_stride;
    });
    return;
  }
  in_each_row(e, i, rows, [&](auto const& row) SINTER_INLINED {
    for (std::size_t v = 0; v < width; v += all) { row(left + v, batch::load_unaligned(c + v), std::min(all, width - v)); }
    c += c_stride;
  });
}

// An epilogue that stores each output and does nothing else says where: destination().
template <class T, class E>
void set_destination(task<T>& t, E const& e) {
  if constexpr (requires { e.destination(); }) {
    t.out = e.destination().p;
    t.out_stride = static_cast<index>(e.destination().row);
  }
}

template <class E>
void expect(void const* epilogue, index i, index rows, index j, index columns) {
  static_cast<E const*>(epilogue)->expect(i, rows, j, columns);
}

// About 100 GFLOP/s and 25 G weights/s for one core.
template <class T>
[[nodiscard]] inline double estimated_seconds(plan<T> const& p) noexcept {
  double const sums = static_cast<double>(p.n) * static_cast<double>(p.k);
  return sums * std::max(static_cast<double>(p.m) * 2e-11, 4e-11) * static_cast<double>(sizeof(T)) / sizeof(float);
}

// A part of less than this is not worth the hand-over, which takes the time of so much work: two journeys between cores. For the
// caller it is time to work: its part is longer by that.
inline constexpr double shortest_part = 1.5e-6;
inline constexpr double hand_over = 6e-7;

template <class T, bool OneRow>
void start(task<T> const& t, void* scratch, int threads) {
  using tile = tile_shape<T>;
  plan<T> const& p = *t.p;
  T* const own = static_cast<T*>(scratch);
  double const seconds = threads > 1 ? estimated_seconds(p) : 0;
  if (seconds < 2 * shortest_part) {
    run_part<T, OneRow>(t, {0, p.m, 0, p.n}, own);
    return;
  }
  index parts = std::min<index>(threads, static_cast<index>(std::min(seconds, 1.0) / shortest_part));
  // By columns, each core keeps its share of B in its own cache and packs no more than that; by rows, it computes its share of A
  // only.
  bool const tall = p.m >= 4 * tile::rows * parts;
  bool const by_rows = p.dot ? p.m > dot_rows : tall && (p.packed || p.fill || p.n < 2 * tile::columns * parts);
  index const unit = p.dot ? (by_rows ? 2 * dot_rows : dot_columns) : by_rows ? tile::rows : tile::columns;
  index const units = ceil_div(by_rows ? p.m : p.n, unit);
  parts = std::min(parts, units);
  if (parts <= 1) {
    run_part<T, OneRow>(t, {0, p.m, 0, p.n}, own);
    return;
  }
  // By value, so that a helper finds all of it in one place; the epilogue it needs last, and by then it has come.
  auto const lead = std::min<index>(std::lround(static_cast<double>(units) * hand_over / seconds), units - parts);
  auto const run = [plan = p, call = t, own, parts, by_rows, unit, units, lead](std::size_t chunk) {
    auto const c = static_cast<index>(chunk);
    index const from = c == 0 ? 0 : (lead + (units - lead) * c / parts) * unit;
    index const to = (lead + (units - lead) * (c + 1) / parts) * unit;
    for (index b = 0; b < 256; b += 64) { __builtin_prefetch(static_cast<char const*>(call.epilogue) + b); }
    part const r = by_rows ? part{from, std::min(to, plan.m), 0, plan.n} : part{0, plan.m, from, std::min(to, plan.n)};
    task<T> mine = call;
    mine.p = &plan;
    run_part<T, OneRow>(mine, r, own + chunk * (plan.scratch_bytes() / sizeof(T)));
  };
  default_pool().parallel(static_cast<std::size_t>(parts), run, seconds < 5e-5);
}

template <class T, class A>
inline constexpr bool strided = std::same_as<A, a_operand<T>>;

template <class T, bool OneRow = false, class A, class E>
void planned_product(plan<T> const& p, A const& a, b_operand<T> const& b, E const& epilogue, void* scratch, int threads) {
  task<T> t{};
  t.p = &p;
  t.b = b;
  t.source = &a;
  t.epilogue = &epilogue;
  t.finish = &finish<T, E>;
  set_destination(t, epilogue);
  if constexpr (strided<T, A>) {
    t.a = a;
    t.fill = &fill_strided<T>;
  } else {
    t.fill = &fill_computed<T, A>;
  }
  start<T, OneRow>(t, scratch, threads);
}

// Where is_small: the same tiles without a plan.
template <class T, bool OneRow = false, class E>
void small_product(index m, index n, index k, a_operand<T> const& a, b_operand<T> const& b, E const& epilogue) {
  using tile = tile_shape<T>;
  alignas(64) T scratch[static_cast<std::size_t>(tile::rows * tile::columns * (registers / 16))];
  task<T> t{nullptr, a, b, nullptr, nullptr, &epilogue, &finish<T, E>};
  set_destination(t, epilogue);
  run_ready<T, OneRow>(t, {0, m, 0, n}, n, k, is_few(m, n, k), scratch);
}

} // namespace product_detail

// The product. `a` is an a_operand<T> or a prologue. `scratch` holds `threads` times product_scratch bytes; threads == 1 never
// touches the pool, more is a limit, and small products stay on the caller.
template <class T, class A, class E>
  requires(std::same_as<A, a_operand<T>> || product_prologue<A, T>) && product_epilogue<E, T>
void product(std::size_t m, std::size_t n, std::size_t k, A const& a, b_operand<T> const& b, E const& epilogue, void* scratch,
             int threads = 1) {
  namespace d = product_detail;
  constexpr bool strided = d::strided<T, A>;
  if (m == 0 || n == 0) { return; }
  if constexpr (std::integral<T>) {
    auto const fill = [&a](std::size_t i, std::size_t p, std::size_t count, T* to) {
      if constexpr (strided) {
        T const* const from = a.data + static_cast<index>(i) * a.row_stride + static_cast<index>(p) * a.k_stride;
        for (std::size_t q = 0; q < count; ++q) { to[q] = from[static_cast<index>(q) * a.k_stride]; }
      } else {
        a(i, p, count, to);
      }
    };
    d::integer_product(static_cast<index>(m), static_cast<index>(n), static_cast<index>(k), fill, b, epilogue, static_cast<T*>(scratch));
  } else {
    bool fill = true;
    if constexpr (strided) { fill = a.k_stride != 1; }
    d::planned_product(d::plan<T>(m, n, k, layout_of(b, n), fill, b.packed != nullptr), a, b, epilogue, scratch, threads);
  }
}

} // namespace SINTER_ISA
} // namespace sinter::simd
