// SPDX-License-Identifier: Apache-2.0
// Products with a map, computed as the compiled kernels do (xsimd/kernels/schedule.hpp).
#pragma once
#include "../xsimd/kernels/schedule.hpp"
#include "product.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

template <class T> struct mapped_product_loop {
  using index = simd::index;
  using panels = simd::kernels::panels<T, 2>;  // of the first operand, and the second
  using nest = simd::kernels::nest<2>;
  using schedule = simd::kernels::schedule<T, 2>;

  static simd::kernels::nest_of_operands loops(product_call const& c) {
    return {*c.l, c.first < 0 ? nullptr : c.strides(c.first), c.strides(c.second)};
  }
  // One product of a launch.
  struct batch {
    nest const& z;
    typename panels::position from;
    T const *first, *second;
    product_call::batch at;
    void* line = nullptr;  // what computes the first operand

    static constexpr bool moves(int operand) { return operand != 1; }
    void copy(typename panels::strip const& s, typename panels::depth const& k, index low, index count, T* to) const {
      if (first) {
        std::int64_t const step = z.stride(0, z.depth - 1);
        return simd::kernels::copy_strip(first + (s.from.at[0] + k.at[0] + low * step), step, count, to);
      }
      std::int64_t turn[max_loop]{};
      std::copy_n(at.turn, z.rows, turn);
      std::copy(k.turn + z.depth, k.turn + z.end, turn + z.depth);
      turns_in(*at.call->l, z.columns, z.depth, s.column + low, turn);
      at.call->strip(line, turn, count, reinterpret_cast<std::byte*>(to));
    }
    bool is_linear() const { return first != nullptr; }
    // Calls read(batch) where `copy` works.
    template <class F> void reading(F read) const {
      if (first) return read(*this);
      struct rest {
        batch b;
        F& read;
      } task{*this, read};
      at.call->open(at, &task, [](void* all, void* opened) {
        auto& [b, then] = *static_cast<rest*>(all);
        b.line = opened;
        then(b);
      });
    }
  };

  // The second operand, where it does not lie as rows.
  static void fill(void const* source, index i, index rows, index k, index count, T* to, index stride) {
    auto const& b = *static_cast<batch const*>(source);
    for (index r = 0; r < rows; ++r) {
      T const* const line = b.second + (b.from.at[1] + b.z.place(1, b.z.rows, b.z.columns, i + r));
      for (index q = 0; q < count; ++q) to[r * stride + q] = line[b.z.place(1, b.z.depth, b.z.end, k + q)];
    }
  }
  static void finish(void const* source, T const* c, index stride, index i, index rows, index j, index columns) {
    auto const& b = *static_cast<batch const*>(source);
    b.at.call->finish(b.at, reinterpret_cast<std::byte const*>(c), stride, i, rows, j, columns);
  }

  static void one(batch const& b, schedule const& s, void* scratch, int threads) {
    simd::product_detail::task<T> t{};
    t.a = {b.second + b.from.at[1], b.z.stride(1, b.z.rows), 1};
    t.source = t.epilogue = &b;
    t.fill = &fill;
    t.finish = &finish;
    s.run(b, t, b.first ? b.first + b.from.at[0] : nullptr, scratch, threads);
  }
  // Integers: the sums of a row of panels, which wrap as unsigned numbers do.
  static void whole_numbers(batch const& b) {
    using wide = std::make_unsigned_t<T>;
    nest const& z = b.z;
    T* const panel = reinterpret_cast<T*>(simd::kernels::scratch_of(sizeof(T) * static_cast<std::size_t>(panels::width * (z.k + 1))));
    for (index j = 0; j < z.n; j += panels::width) {
      index const columns = std::min(panels::width, z.n - j);
      b.reading([&](batch const& from) { panels::gather(from, j, columns, 0, z.k, panel); });
      for (index i = 0; i < z.m; ++i) {
        T sum[static_cast<std::size_t>(panels::width)]{};
        for (index k = 0; k < z.k; ++k) {
          T v;
          fill(&b, i, 1, k, 1, &v, 1);
          for (index c = 0; c < panels::width; ++c)
            sum[c] = static_cast<T>(static_cast<wide>(sum[c]) + static_cast<wide>(v) * static_cast<wide>(panel[k * panels::width + c]));
        }
        finish(&b, sum, panels::width, i, 1, j, columns);
      }
    }
  }

  static void go(product_call const& c) {
    simd::kernels::nest_of_operands const all = loops(c);
    nest const& z = all.z;
    std::int64_t const batches = simd::kernels::turns(*c.l, 0, z.rows);
    if (batches == 0 || z.m == 0 || z.n == 0) return;
    auto const make = [&](std::int64_t i) {
      batch b{z, {}, c.first < 0 ? nullptr : c.p[c.first].template get<T>(), c.p[c.second].template get<T>(), {&c}};
      for (int j = 0; j < panels::all; ++j) b.from.at[j] = z.loops.start[j] + (z.rows > 0 ? z.place(j, 0, z.rows, i) : 0);
      turns_in(*c.l, 0, z.rows, i, b.at.turn);
      b.at.rows = z.rows;
      return b;
    };
    if constexpr (std::is_integral_v<T>) {
      for (std::int64_t i = 0; i < batches; ++i) whole_numbers(make(i));
    } else {
      schedule const order(z, c.first < 0 ? -1 : 0, 1, reinterpret_cast<T const*>(c.l->packed));
      order.each(batches, [&](std::int64_t i, std::byte* scratch, int threads) { one(make(i), order, scratch, threads); });
    }
  }
  static std::size_t packed_bytes(product_call const& c) {
    if constexpr (std::is_integral_v<T>) return 0;
    else return schedule::packed_bytes(loops(c).z, 1);
  }
  static void pack(product_call const& c, std::byte* to) {
    simd::kernels::nest_of_operands const all = loops(c);
    if constexpr (!std::is_integral_v<T>)
      schedule::pack(all.z, 1, c.p[c.second].template get<T>() + all.z.loops.start[1], reinterpret_cast<T*>(to));
  }
  static constexpr multiplier value{&go, &packed_bytes, &pack};
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
