// SPDX-License-Identifier: Apache-2.0
// A product with a map. The second operand gives the rows of the tiles as it lies; the first, read through its windows, is gathered into the
// panels of columns that the tiles are about to read, so that what a convolution reads many times is laid out in the cache only.
#pragma once
#include <array>
#include <cstring>

#include "../../reference/mapped.hpp"
#include "nest.hpp"
#include "product.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class T, class... Slot, class... Step> struct run<kernel::mapped_product<T, types<Slot...>, types<Step...>>> {
  using plain = run<kernel::product<T, types<Slot...>, types<Step...>>>;  // for the parts that both have
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<vec, slots, steps>;
  static constexpr int n = sizeof...(Slot), all = kernel::mapped_loops<n>::size, first = plain::first, second = plain::second;
  template <int J> static constexpr bool windowed = (kernel::reads_windowed<J>(Step{}) || ...);
  static constexpr auto is_windowed = []<std::size_t... J>(std::index_sequence<J...>) {
    return std::array<bool, sizeof...(J)>{windowed<static_cast<int>(J)>...};
  }(std::index_sequence_for<Slot...>{});

  using nest = kernels::nest<n>;
  struct position {
    std::int64_t at[all]{};
  };
  // One product of a launch: where the operands' batch begins.
  struct batch {
    nest const& z;
    pointer const* p;
    position from;
    template <int J> auto* memory() const {
      return p[J].template get<typename std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<Slot...>>::type>();
    }
  };

  // ---- the second operand, where it does not lie as rows: elements (i, k) to (i, k + count)

  struct rows_of {
    batch const& b;
    void operator()(std::size_t i, std::size_t k, std::size_t count, T* to) const {
      constexpr int j = -1 - second;
      T const* const line = b.template memory<j>() + b.from.at[j] + b.z.place(j, b.z.rows, b.z.columns, static_cast<std::int64_t>(i));
      for (std::size_t q = 0; q < count; ++q) to[q] = line[b.z.place(j, b.z.depth, b.z.end, static_cast<std::int64_t>(k + q))];
    }
  };

  // ---- the first operand: elements (k, j) to (k, j + columns) for some k, in panels

  // Columns side by side in the innermost of their loops.
  struct strip {
    index first, count;
    position from;
  };
  static constexpr index width = product_detail::tile_shape<T>::columns;

  static void gather(void const* source, index j, index columns, index k, index count, T* to) {
    auto const& b = *static_cast<batch const*>(source);
    for (index c = 0; c < columns && count > 0; c += width) panel(b, j + c, std::min(width, columns - c), k, count, to + c * count);
  }
  static void panel(batch const& b, index j, index columns, index k, index count, T* to) {
    nest const& z = b.z;
    strip strips[static_cast<std::size_t>(width)];
    int used = 0;
    std::int64_t const line = z.extent[z.depth - 1];
    for (index c = 0; c < columns; ++used) {
      strip& s = strips[used];
      s.first = c;
      s.count = std::min(columns - c, static_cast<index>(line - (j + c) % line));
      for (int o = 0; o < all; ++o)
        if (moves(o)) s.from.at[o] = b.from.at[o] + z.place(o, z.columns, z.depth, j + c);
      c += s.count;
    }
    std::int64_t turn[max_loop];
    position at{};
    seek(z, k, turn, at);
    for (index q = 0; q < count; ++q, to += width) {
      for (int s = 0; s < used; ++s) fill(b, strips[s], at, to);
      std::fill(to + columns, to + width, T(0));
      next(z, turn, at);
    }
  }
  static constexpr bool moves(int operand) { return operand >= n || is_windowed[static_cast<std::size_t>(operand)]; }
  static void seek(nest const& z, std::int64_t k, std::int64_t* turn, position& at) {
    for (int d = z.end - 1; d >= z.depth; --d) {
      turn[d] = k % z.extent[d];
      k /= z.extent[d];
      for (int o = 0; o < all; ++o) at.at[o] += turn[d] * z.stride(o, d);
    }
  }
  static void next(nest const& z, std::int64_t* turn, position& at) {
    for (int d = z.end - 1; d >= z.depth; --d) {
      bool const more = ++turn[d] < z.extent[d];
      std::int64_t const by = more ? 1 : 1 - turn[d];
      for (int o = 0; o < all; ++o) at.at[o] += by * z.stride(o, d);
      if (more) return;
      turn[d] = 0;
    }
  }
  // A strip in one turn of the depth: what its windows show, with zeros around it.
  static void fill(batch const& b, strip const& s, position const& k, T* panel_row) {
    index low = 0, high = s.count;
    for (int w = 0; w < b.z.windows; ++w) {
      std::int64_t const place = s.from.at[n + w] + k.at[n + w], step = b.z.stride(n + w, b.z.depth - 1), last = b.z.inside[w] - 1 - place;
      if (step == 0) {
        if (place < 0 || last < 0) high = 0;
      } else {
        if (place < 0) low = std::max(low, static_cast<index>((step - 1 - place) / step));
        high = std::min(high, static_cast<index>(last < 0 ? 0 : last / step + 1));
      }
    }
    T* const to = panel_row + s.first;
    if (low >= high) {
      std::fill(to, to + s.count, T(0));
      return;
    }
    std::fill(to, to + low, T(0));
    copy(b, s, k, low, high - low, to + low);
    std::fill(to + high, to + s.count, T(0));
  }
  static void copy(batch const& b, strip const& s, position const& k, index low, index count, T* to) {
    auto const begin = [&](int j) { return s.from.at[j] + k.at[j] + low * b.z.stride(j, b.z.depth - 1); };
    if constexpr (first < 0) {
      constexpr int j = -1 - first;
      T const* const from = b.template memory<j>() + begin(j);
      std::int64_t const step = b.z.stride(j, b.z.depth - 1);
      if (step == 1) std::memcpy(to, from, sizeof(T) * static_cast<std::size_t>(count));
      else
        for (index c = 0; c < count; ++c) to[c] = from[c * step];
    } else {
      places<slots> at_;
      each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
        if constexpr (windowed<j>) at<j>(at_) = {b.template memory<j>() + begin(j), b.z.stride(j, b.z.depth - 1)};
      });
      index c = 0;
      for (; c + lanes <= count; c += lanes) store(to + c, value<false>(at_, c, lanes));
      if (c < count) store_partial(to + c, value<true>(at_, c, static_cast<int>(count - c)), static_cast<int>(count - c));
    }
  }
  template <bool Partial> SINTER_INLINE static vec<T> value(places<slots> const& from, std::int64_t c, int count) {
    values f;
    each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
      if constexpr (windowed<j>) at<-1 - j>(f) = read<access::strided, Partial>(at<j>(from), c, count);
    });
    each_of(steps{}, [&]<class S>(auto j, S step) SINTER_INLINED {
      if constexpr (S::bits.prologue) at<j>(f) = compute(step, f);
    });
    return at<first>(f);
  }

  // ---- what follows the product, on elements (i, j) to (i, j + count)

  struct epilogue {
    batch const* b;

    SINTER_SIMD_FLATTEN void operator()(std::size_t i, std::size_t j, xsimd::batch<T> c, std::size_t count) const {
      if constexpr (sizeof(T) == 8) finish(i, j, vec<T>{c, c}, static_cast<int>(count));
      else finish(i, j, vec<T>{c}, static_cast<int>(count));
    }
    template <int J> SINTER_INLINE auto line(std::size_t i) const {
      nest const& z = b->z;
      return b->template memory<J>() + b->from.at[J] + z.place(J, z.rows, z.columns, static_cast<std::int64_t>(i));
    }
    template <int J, class S> SINTER_INLINE auto get(std::size_t i, std::int64_t j, int count) const {
      auto* const from = line<J>(i);
      if constexpr (S::mode != access::strided) return plain::template read_some<S::mode>(place<typename S::type>{from, 1}, j, count);
      else {
        typename S::type memory[static_cast<std::size_t>(lanes)] = {};
        for (int q = 0; q < count; ++q) memory[q] = from[b->z.place(J, b->z.columns, b->z.depth, j + q)];
        return load(memory);
      }
    }
    template <int J, class S> SINTER_INLINE void put(std::size_t i, std::int64_t j, vec<typename S::type> const& v, int count) const {
      auto* const to = line<J>(i);
      if constexpr (S::mode != access::strided) plain::template write_some<S::mode>(place<typename S::type>{to, 1}, j, v, count);
      else {
        typename S::type memory[static_cast<std::size_t>(lanes)];
        store(memory, v);
        for (int q = 0; q < count; ++q) to[b->z.place(J, b->z.columns, b->z.depth, j + q)] = memory[q];
      }
    }
    SINTER_INLINE void finish(std::size_t i, std::size_t column, vec<T> const& c, int count) const {
      auto const j = static_cast<std::int64_t>(column);
      values f;
      each_of(slots{}, [&]<class S>(auto k, S) SINTER_INLINED {
        if constexpr (!S::written && plain::template read_after<k>) at<-1 - k>(f) = get<k, S>(i, j, count);
      });
      each_of(steps{}, [&]<class S>(auto k, S step) SINTER_INLINED {
        if constexpr (plain::template is_product<S>) at<k>(f) = c;
        else if constexpr (plain::template is_after<S>) at<k>(f) = compute(step, f);
      });
      each_of(steps{}, [&]<class S>(auto k, S) SINTER_INLINED {
        if constexpr (S::bits.store >= 0) put<S::bits.store, typename plain::template slot_at<S::bits.store>>(i, j, at<k>(f), count);
      });
    }
  };

  // ---- the loops over the batches

  static void one(batch const& b, product_detail::plan<T> const& plan, void* scratch, int threads) {
    constexpr int j = -1 - second;
    nest const& z = b.z;
    b_operand<T> const columns{nullptr, 0, 0, nullptr, &b, &gather};
    if (plan.fill) product_detail::planned_product<T>(plan, rows_of{b}, columns, epilogue{&b}, scratch, threads);
    else {
      a_operand<T> const a{b.template memory<j>() + b.from.at[j], z.stride(j, z.rows), 1};
      product_detail::planned_product<T>(plan, a, columns, epilogue{&b}, scratch, threads);
    }
  }
  static void go(launch const& l, pointer const* p) {
    if constexpr (std::is_integral_v<T>) reference::run<kernel::mapped_product<T, slots, steps>>::go(l, p);
    else {
      nest const z(l, is_windowed.data());
      std::int64_t const batches = turns(l, 0, z.rows);
      if (batches == 0 || z.m == 0 || z.n == 0) return;
      bool const rows = z.columns - z.rows == 1 && z.lies_in_a_row(-1 - second, z.depth, z.end);
      // Never the sums across lanes that some layouts of a plain product have: however the second operand lies, the order is one.
      product_detail::plan<T> const plan(static_cast<std::size_t>(z.m), static_cast<std::size_t>(z.n), static_cast<std::size_t>(z.k),
                                         b_layout::narrow, !rows, false);
      auto const some = [&](std::int64_t from, std::int64_t to, std::byte* scratch, int threads) {
        for (std::int64_t i = from; i < to; ++i) {
          batch b{z, p, {}};
          for (int j = 0; j < all; ++j) b.from.at[j] = z.loops.start[j] + (z.rows > 0 ? z.place(j, 0, z.rows, i) : 0);
          one(b, plan, scratch, threads);
        }
      };
      std::size_t const room = (plan.scratch_bytes() + 63) / 64 * 64;
      double const each_one = product_detail::estimated_seconds(plan), seconds = each_one * static_cast<double>(batches);
      int const threads = seconds < 2 * product_detail::shortest_part ? 1 : static_cast<int>(default_pool().threads());
      std::byte* const scratch = scratch_of(room * static_cast<std::size_t>(threads));
      if (threads < 2 || batches < threads || each_one >= 1e-4) return some(0, batches, scratch, threads);
      std::int64_t const parts = std::min<std::int64_t>(threads, batches);  // many small products are shared out whole
      default_pool().parallel(
          static_cast<std::size_t>(parts),
          [&](std::size_t part) {
            auto const q = static_cast<std::int64_t>(part);
            some(batches * q / parts, batches * (q + 1) / parts, scratch + part * room, 1);
          },
          seconds < 5e-5);
    }
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
