// SPDX-License-Identifier: Apache-2.0
// A product with a map (schedule.hpp), with what is computed before and after it.
#pragma once
#include <array>

#include "../../reference/mapped.hpp"
#include "schedule.hpp"

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

  // Cache lines from one element to another.
  template <bool Written, class U> static SINTER_INLINE void fetch(U const* from, U const* to) {
    constexpr index line = 64 / static_cast<index>(sizeof(U));
    for (; from < to; from += line) __builtin_prefetch(from, Written);
    __builtin_prefetch(to, Written);
  }

  static constexpr rows_of_product class_of_rows =
      static_cast<rows_of_product>(((plain::template is_product<Step> ? static_cast<int>(Step::bits.rows) : 0) + ...));
  static constexpr bool may_be_along = !((plain::template is_product<Step> && Step::bits.never_along) || ...);
  using nest = kernels::nest<n>;
  using panels = kernels::panels<T, n>;
  using position = typename panels::position;
  // One product of a launch: where the operands' batch begins.
  struct batch {
    nest const& z;
    pointer const* p;
    position from;
    template <int J> auto* memory() const {
      return p[J].template get<typename std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<Slot...>>::type>();
    }
    // Where operand J begins in row i of the results.
    template <int J> SINTER_INLINE auto* begin(std::size_t i) const {
      return memory<J>() + from.at[J] + z.place(J, z.rows, z.columns, static_cast<std::int64_t>(i));
    }
    // Whether the step from one row to the next is always the same.
    bool rows_are_even() const { return z.columns - z.rows == 1; }
    static constexpr bool moves(int operand) { return operand >= n || is_windowed[static_cast<std::size_t>(operand)]; }
    void copy(typename panels::strip const& s, typename panels::depth const& k, index low, index count, T* to) const {
      run::copy(*this, s, k, low, count, to);
    }
    // Has what `copy` will read there brought into the cache.
    SINTER_INLINE void expect(typename panels::strip const& s, typename panels::depth const& k, index low, index count) const {
      each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
        if constexpr (windowed<j>) {
          auto const at = [&](index c) { return s.from.at[j] + k.at[j] + c * z.stride(j, z.depth - 1); };
          fetch<false>(memory<j>() + at(low), memory<j>() + at(low + count - 1));
        }
      });
    }
    template <class F> void reading(F read) const { read(*this); }
    static constexpr bool is_linear() { return true; }
  };

  // ---- the first operand

  static void copy(batch const& b, typename panels::strip const& s, position const& k, index low, index count, T* to) {
    auto const begin = [&](int j) { return s.from.at[j] + k.at[j] + low * b.z.stride(j, b.z.depth - 1); };
    if constexpr (first < 0) {
      constexpr int j = -1 - first;
      copy_strip(b.template memory<j>() + begin(j), b.z.stride(j, b.z.depth - 1), count, to);
    } else {
      places<slots> at_;
      each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
        if constexpr (windowed<j>) at<j>(at_) = {b.template memory<j>() + begin(j), b.z.stride(j, b.z.depth - 1)};
      });
      if (count < lanes) return store_partial(to, value<true>(at_, 0, static_cast<int>(count)), static_cast<int>(count));
      for (index c = 0;; c = std::min(c + lanes, count - lanes)) {  // the last vector may begin within the one before
        store(to + c, value<false>(at_, c, lanes));
        if (c + lanes == count) break;
      }
    }
  }
  template <bool Partial, class U> SINTER_INLINE static vec<U> read_line(place<U> const& from, std::int64_t c, int count) {
    if (from.stride == 0) return read<access::zero, Partial>(from, c, count);
    return read<access::strided, Partial>(from, c, count);
  }
  template <bool Partial> SINTER_INLINE static vec<T> value(places<slots> const& from, std::int64_t c, int count) {
    values f;
    each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
      if constexpr (windowed<j>) at<-1 - j>(f) = read_line<Partial>(at<j>(from), c, count);
    });
    each_of(steps{}, [&]<class S>(auto j, S step) SINTER_INLINED {
      if constexpr (S::bits.prologue) at<j>(f) = compute(step, f);
    });
    return at<first>(f);
  }

  // ---- what follows the product, on elements (i, j) to (i, j + count)

  struct epilogue {
    batch const* b;

    // Row i: where each operand begins in it.
    struct line {
      batch const& b;
      std::size_t i;
      bool is_even;
      places<slots> begins;
      std::int64_t to_next[static_cast<std::size_t>(n)];  // where rows are even

      void next() {
        ++i;
        each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
          if constexpr (S::written || plain::template read_after<j>) {
            if (is_even) at<j>(begins).p += to_next[j];
            else at<j>(begins).p = b.template begin<j>(i);
          }
        });
      }
      void operator()(std::size_t j, xsimd::batch<T> c, std::size_t count) const {
        if constexpr (sizeof(T) == 8) finish(j, vec<T>{c, c}, static_cast<int>(count));
        else finish(j, vec<T>{c}, static_cast<int>(count));
      }
      template <int J, class S> SINTER_INLINE auto get(std::int64_t j, int count) const {
        auto const& from = at<J>(begins);
        if constexpr (S::mode != access::strided) return plain::template read_some<S::mode>(from, j, count);
        else {
          typename S::type memory[static_cast<std::size_t>(lanes)] = {};
          for (int q = 0; q < count; ++q) memory[q] = from.p[b.z.place(J, b.z.columns, b.z.depth, j + q)];
          return load(memory);
        }
      }
      template <int J, class S> SINTER_INLINE void put(std::int64_t j, vec<typename S::type> const& v, int count) const {
        auto const& to = at<J>(begins);
        if constexpr (S::mode != access::strided) plain::template write_some<S::mode>(to, j, v, count);
        else {
          typename S::type memory[static_cast<std::size_t>(lanes)];
          store(memory, v);
          for (int q = 0; q < count; ++q) to.p[b.z.place(J, b.z.columns, b.z.depth, j + q)] = memory[q];
        }
      }
      SINTER_INLINE void finish(std::size_t column, vec<T> const& c, int count) const {
        auto const j = static_cast<std::int64_t>(column);
        values f;
        each_of(slots{}, [&]<class S>(auto k, S) SINTER_INLINED {
          if constexpr (!S::written && plain::template read_after<k>) at<-1 - k>(f) = get<k, S>(j, count);
        });
        each_of(steps{}, [&]<class S>(auto k, S step) SINTER_INLINED {
          if constexpr (plain::template is_product<S>) at<k>(f) = c;
          else if constexpr (plain::template is_after<S>) at<k>(f) = compute(step, f);
        });
        each_of(steps{}, [&]<class S>(auto k, S) SINTER_INLINED {
          if constexpr (S::bits.store >= 0) put<S::bits.store, typename plain::template slot_at<S::bits.store>>(j, at<k>(f), count);
        });
      }
    };
    SINTER_INLINE line row(std::size_t i) const {
      line r{*b, i, b->rows_are_even(), {}, {}};
      each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
        if constexpr (S::written || plain::template read_after<j>) {
          at<j>(r.begins) = {b->template begin<j>(i), 1};
          r.to_next[j] = b->z.stride(j, b->z.rows);
        }
      });
      return r;
    }
    // The cache lines of elements (i, j) to (i, j + count) and those of the rows below, where these lie side by side.
    SINTER_INLINE void expect(index i, index rows, index j, index count) const {
      product_detail::in_each_row(*this, i, rows, [&](line const& r) SINTER_INLINED {
        each_of(slots{}, [&]<class S>(auto k, S) SINTER_INLINED {
          if constexpr (S::mode == access::unit && (S::written || plain::template read_after<k>)) {
            auto const* const from = at<k>(r.begins).p + j;
            fetch<S::written>(from, from + count - 1);
          }
        });
      });
    }
  };

  // ---- the second operand in the order in which tiles of pixels read it

  using schedule_of_two = kernels::schedule<T, 2, class_of_rows, may_be_along>;
  static std::int64_t const* strides(launch const& l, int j) { return l.stride + j * max_loop; }
  static nest_of_operands operands(launch const& l) { return {l, first < 0 ? strides(l, -1 - first) : nullptr, strides(l, -1 - second)}; }

  static std::size_t packed_bytes(launch const& l) {
    if constexpr (std::is_integral_v<T>) return 0;
    else return schedule_of_two::packed_bytes(operands(l).z, 1);
  }
  static void pack(launch const& l, pointer const* p, std::byte* to) {
    nest_of_operands const two = operands(l);
    if constexpr (!std::is_integral_v<T>)
      schedule_of_two::pack(two.z, 1, p[-1 - second].template get<T>() + two.z.loops.start[1], reinterpret_cast<T*>(to));
  }

  // ---- the loops over the batches

  static batch batch_at(nest const& z, pointer const* p, std::int64_t i) {
    batch b{z, p, {}};
    for (int j = 0; j < all; ++j) b.from.at[j] = z.loops.start[j] + (z.rows > 0 ? z.place(j, 0, z.rows, i) : 0);
    return b;
  }
  static constexpr std::int64_t far = (1 << 18) / static_cast<std::int64_t>(sizeof(T));  // results that are not in a near cache any more
  static void go(launch const& l, pointer const* p) {
    if constexpr (std::is_integral_v<T>) reference::run<kernel::mapped_product<T, slots, steps>>::go(l, p);
    else {
      nest const z(l, is_windowed.data());
      if (z.batches == 0 || z.m == 0 || z.n == 0) return;
      nest_of_operands const two = operands(l);
      T const* const packed = reinterpret_cast<T const*>(l.packed);
      auto const run_all = [&](auto const& order, auto const& one) {
        order.each([&](std::int64_t i, std::byte* scratch, int threads) {
          T const* x = nullptr;
          if constexpr (first < 0) x = p[-1 - first].template get<T>();
          operands_of<T> const of(two.z, x, p[-1 - second].template get<T>(), i);
          batch const b = batch_at(z, p, i);
          epilogue const after{&b};
          product_detail::task<T> t = of.task();
          t.epilogue = &after;
          t.finish = &product_detail::finish<T, epilogue>;
          if (z.m * z.n >= far) t.expect = &product_detail::expect<epilogue>;
          one(of, b, t, scratch, threads);
        });
      };
      if constexpr (first < 0) {
        schedule_of_two order(two.z, 0, 1, packed);
        order.lay_out_shared(p[-1 - second].template get<T>());
        run_all(order, [&](operands_of<T> const& of, batch const&, product_detail::task<T>& t, std::byte* scratch, int threads) {
          order.run(of, t, of.first_at(), scratch, threads);
        });
      } else {
        kernels::schedule<T, n, class_of_rows, may_be_along> order(z, -1, -1 - second, packed);
        order.lay_out_shared(p[-1 - second].template get<T>());
        run_all(order, [&](operands_of<T> const&, batch const& b, product_detail::task<T>& t, std::byte* scratch, int threads) {
          order.run(b, t, nullptr, scratch, threads);
        });
      }
    }
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
