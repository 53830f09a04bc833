// SPDX-License-Identifier: Apache-2.0
// Products through the tiles of the compiled kernels: what is computed before and after them comes as functions that work on lines.
#pragma once
#include "../xsimd/kernels/product.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// One product kernel. Loops: batches, m, n, k. `first` and `second` are operands; `first` is -1 where it is computed.
struct product_call {
  kernel::launch const* l = nullptr;
  kernel::pointer const* p = nullptr;
  int operands = 0, first = -1, second = -1;
  void const* context = nullptr;
  // Where a batch begins: the turns of the loops before the rows, and which loop counts the rows.
  struct batch {
    product_call const* call = nullptr;
    int rows = 0;
    std::int64_t turn[max_loop]{};
  };
  // Writes A[i .., k .. k + count) of `rows` rows, `stride` elements from each to the next.
  void (*fill)(batch const& at, std::int64_t i, std::int64_t rows, std::int64_t k, std::int64_t count, std::byte* to,
               std::int64_t stride) = nullptr;
  // Takes C[i .., j .. j + columns) of `rows` rows.
  void (*finish)(batch const& at, std::byte const* c, std::int64_t stride, std::int64_t i, std::int64_t rows, std::int64_t j,
                 std::int64_t columns) = nullptr;
  // Of a product with a map whose first operand is computed: calls then(task, line) with what computes it, and strip(line, ...) writes
  // `count` elements side by side; the turns of all loops say which is the first.
  void (*open)(batch const& at, void* task, void (*then)(void* task, void* line)) = nullptr;
  void (*strip)(void* line, std::int64_t const* turn, std::int64_t count, std::byte* to) = nullptr;

  std::int64_t const* strides(int operand) const { return l->stride + operand * max_loop; }
};
struct multiplier {
  void (*go)(product_call const& c) = nullptr;
  std::size_t (*packed_bytes)(product_call const& c) = nullptr;
  void (*pack)(product_call const& c, std::byte* to) = nullptr;
};

// The turns of loops [first, last) in turn i of all of them.
inline void turns_in(kernel::launch const& l, int first, int last, std::int64_t i, std::int64_t* turn) {
  for (int d = last - 1; d >= first; --d) {
    turn[d] = i % l.extent[d];
    i /= l.extent[d];
  }
}
template <class T> struct product_loop {
  using index = simd::index;
  static constexpr bool real = std::is_floating_point_v<T>;
  // Batches of which every operand goes on where its last matrix ended are one taller matrix, as in the compiled kernel.
  struct sizes {
    int batch, rows;
    std::int64_t m, n, k;
    explicit sizes(product_call const& c)
        : batch(c.l->rank - 3), rows(batch), m(c.l->extent[rows]), n(c.l->extent[rows + 1]), k(c.l->extent[rows + 2]) {
      while (batch > 0 && goes_on(c)) {
        if (m == 1) rows = batch - 1;
        m *= c.l->extent[--batch];
      }
    }
    bool goes_on(product_call const& c) const {
      for (int j = 0; j < c.operands; ++j) {
        std::int64_t const* const s = c.strides(j);
        if (j == c.second ? s[batch - 1] != 0 : m != 1 && s[batch - 1] != s[rows] * m) return false;
      }
      return true;
    }
  };
  using batch = product_call::batch;
  static std::int64_t offset(batch const& at, int operand) {
    std::int64_t r = 0;
    for (int d = 0; d < at.rows; ++d) r += at.turn[d] * at.call->strides(operand)[d];
    return r;
  }
  static simd::b_operand<T> second_operand(batch const& at) {
    product_call const& c = *at.call;
    std::int64_t const* const s = c.strides(c.second);
    return {c.p[c.second].template get<T>() + offset(at, c.second), s[c.l->rank - 1], s[c.l->rank - 2],
            reinterpret_cast<T const*>(c.l->packed)};
  }
  static simd::a_operand<T> first_operand(batch const& at) {
    product_call const& c = *at.call;
    std::int64_t const* const s = c.strides(c.first);
    return {c.p[c.first].template get<T>() + offset(at, c.first), s[at.rows], s[c.l->rank - 1]};
  }
  static bool fills(product_call const& c) { return c.first < 0 || c.strides(c.first)[c.l->rank - 1] != 1; }
  static void fill(void const* at, index i, index rows, index k, index count, T* to, index stride) {
    auto const& b = *static_cast<batch const*>(at);
    b.call->fill(b, i, rows, k, count, reinterpret_cast<std::byte*>(to), stride);
  }
  static void finish(void const* at, T const* c, index stride, index i, index rows, index j, index columns) {
    auto const& b = *static_cast<batch const*>(at);
    b.call->finish(b, reinterpret_cast<std::byte const*>(c), stride, i, rows, j, columns);
  }

  struct shape {
    sizes z;
    std::conditional_t<real, simd::product_detail::plan<T>, std::size_t> plan;
    explicit shape(batch const& at) : z(*at.call), plan(plan_of(z, at)) {}
    static auto plan_of(sizes const& z, batch const& at) {
      auto const m = static_cast<std::size_t>(z.m), n = static_cast<std::size_t>(z.n), k = static_cast<std::size_t>(z.k);
      simd::b_operand<T> const b = second_operand(at);
      simd::b_layout const layout = simd::layout_of(b, n);
      if constexpr (real) return simd::product_detail::plan<T>(m, n, k, layout, fills(*at.call), b.packed != nullptr);
      else return simd::product_scratch<T>(m, n, k, layout, fills(*at.call), false);
    }
    std::size_t scratch_bytes() const {
      if constexpr (real) return plan.scratch_bytes();
      else return plan;
    }
  };
  static void one(shape const& s, batch const& at, std::byte* scratch, int threads) {
    simd::b_operand<T> const b = second_operand(at);
    if constexpr (real) {
      simd::a_operand<T> const a = at.call->first < 0 ? simd::a_operand<T>{} : first_operand(at);
      simd::product_detail::task<T> const t{&s.plan,
                                            a,
                                            b,
                                            at.call->first < 0 ? static_cast<void const*>(&at) : &a,
                                            at.call->first < 0 ? &fill : &simd::product_detail::fill_strided<T>,
                                            &at,
                                            &finish};
      simd::product_detail::start<T, false>(t, scratch, threads);
    } else {
      whole_numbers(s.z, at, b, reinterpret_cast<T*>(scratch));
    }
  }
  // Integers give one sum at a time: those of a row are collected.
  static void whole_numbers(sizes const& z, batch const& at, simd::b_operand<T> const& b, T* scratch) {
    T line[256];
    auto const before = [&](std::size_t i, std::size_t k, std::size_t count, T* to) {
      auto const row = static_cast<index>(i), from = static_cast<index>(k), n = static_cast<index>(count);
      if (at.call->first < 0) return fill(&at, row, 1, from, n, to, n);
      simd::a_operand<T> const a = first_operand(at);
      for (index q = 0; q < n; ++q) to[q] = a.data[row * a.row_stride + (from + q) * a.k_stride];
    };
    auto const after = [&](std::size_t i, std::size_t j, T c) {
      auto const column = static_cast<index>(j), at_line = column % 256;
      line[at_line] = c;
      if (at_line == 255 || column + 1 == z.n) finish(&at, line, 256, static_cast<index>(i), 1, column - at_line, at_line + 1);
    };
    simd::product_detail::integer_product(z.m, z.n, z.k, before, b, after, scratch);
  }
  static void seek(batch& at, sizes const& z, std::int64_t n) { turns_in(*at.call->l, 0, z.batch, n, at.turn); }
  static void go(product_call const& c) {
    using namespace simd::kernels;
    batch at{&c};
    shape const s(at);
    at.rows = s.z.rows;
    std::int64_t const batches = turns(*c.l, 0, s.z.batch);
    if (batches == 0 || s.z.m == 0 || s.z.n == 0) return;
    std::size_t const room = (s.scratch_bytes() + 63) / 64 * 64;
    double const each_one = static_cast<double>(s.z.m) * static_cast<double>(s.z.n) * static_cast<double>(s.z.k) * 2e-11;
    int const threads = static_cast<int>(simd::default_pool().threads());
    std::byte* const scratch = scratch_of(room * static_cast<std::size_t>(threads));
    bool const shared = threads > 1 && batches >= threads && each_one < 1e-4 && each_one * static_cast<double>(batches) > 5e-5;
    auto const some = [&](std::int64_t from, std::int64_t to, std::byte* own, int helpers) {
      batch mine = at;
      for (std::int64_t i = from; i < to; ++i) {
        seek(mine, s.z, i);
        one(s, mine, own, helpers);
      }
    };
    if (!shared) return some(0, batches, scratch, threads);
    std::int64_t const parts = std::min<std::int64_t>(threads, batches);
    simd::default_pool().parallel(static_cast<std::size_t>(parts), [&](std::size_t chunk) {
      auto const q = static_cast<std::int64_t>(chunk);
      some(batches * q / parts, batches * (q + 1) / parts, scratch + chunk * room, 1);
    });
  }

  static std::size_t packed_bytes(product_call const& c) {
    if constexpr (!real) return 0;
    else {
      std::int64_t const* const s = c.strides(c.second);
      for (int i = 0; i < c.l->rank - 3; ++i)
        if (s[i] != 0) return 0;
      sizes const z(c);
      simd::b_operand<T> const b{nullptr, s[c.l->rank - 1], s[c.l->rank - 2]};
      auto const n = static_cast<std::size_t>(z.n), k = static_cast<std::size_t>(z.k);
      if (z.m == 0 || z.n == 0 || z.k == 0 || !simd::product_uses_packed<T>(static_cast<std::size_t>(z.m), n, k, simd::layout_of(b, n)))
        return 0;
      return simd::packed_size<T>(n, k) * sizeof(T);
    }
  }
  static void pack(product_call const& c, std::byte* to) {
    if constexpr (real) {
      sizes const z(c);
      simd::b_operand<T> const b = second_operand(batch{&c});
      simd::pack<T>(b.raw, b.k_stride, b.n_stride, static_cast<std::size_t>(z.n), static_cast<std::size_t>(z.k), reinterpret_cast<T*>(to));
    }
  }
  static constexpr multiplier value{&go, &packed_bytes, &pack};
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
