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
  struct batch : simd::kernels::operands_of<T> {
    using base = simd::kernels::operands_of<T>;
    product_call::batch at;
    void* line = nullptr;  // what computes the first operand

    batch(nest const& loops, product_call const& c, std::int64_t i)
        : base(loops, c.first < 0 ? nullptr : c.p[c.first].template get<T>(), c.p[c.second].template get<T>(), i), at{&c} {
      turns_in(*c.l, 0, loops.rows, i, at.turn);
      at.rows = loops.rows;
    }
    void copy(typename panels::strip const& s, typename panels::depth const& k, index low, index count, T* to) const {
      if (base::first) return base::copy(s, k, low, count, to);
      std::int64_t turn[max_loop]{};
      std::copy_n(at.turn, this->z.rows, turn);
      std::copy(k.turn + this->z.depth, k.turn + this->z.end, turn + this->z.depth);
      turns_in(*at.call->l, this->z.columns, this->z.depth, s.column + low, turn);
      at.call->strip(line, turn, count, reinterpret_cast<std::byte*>(to));
    }
    bool is_linear() const { return base::first != nullptr; }
    // Calls read(batch) where `copy` works.
    template <class F> void reading(F read) const {
      if (base::first) return read(*this);
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

  static void finish(void const* source, T const* c, index stride, index i, index rows, index j, index columns) {
    auto const& b = *static_cast<batch const*>(source);
    b.at.call->finish(b.at, reinterpret_cast<std::byte const*>(c), stride, i, rows, j, columns);
  }

  static void one(batch const& b, schedule const& s, void* scratch, int threads) {
    simd::product_detail::task<T> t = b.task();
    t.epilogue = &b;
    t.finish = &finish;
    s.run(b, t, b.first_at(), scratch, threads);
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
          b(static_cast<std::size_t>(i), static_cast<std::size_t>(k), 1, &v);
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
    if (z.batches == 0 || z.m == 0 || z.n == 0) return;
    if constexpr (std::is_integral_v<T>) {
      for (std::int64_t i = 0; i < z.batches; ++i) whole_numbers({z, c, i});
    } else {
      schedule order(z, c.first < 0 ? -1 : 0, 1, reinterpret_cast<T const*>(c.l->packed));
      order.lay_out_shared(c.p[c.second].template get<T>());
      order.each([&](std::int64_t i, std::byte* scratch, int threads) { one({z, c, i}, order, scratch, threads); });
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
