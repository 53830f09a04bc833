// SPDX-License-Identifier: Apache-2.0
// One product with what is computed before and after it: the steps become the two functors of simd::product.
#pragma once
#include "../../../core/per_thread.hpp"
#include "../product.hpp"
#include "common.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

// Memory that grows and stays with its thread. Each use has its own.
enum class scratch_use { panels, planes, weights, shared, offsets, tape, pointers, blocks };
template <scratch_use Use = scratch_use::panels> std::byte* scratch_of(std::size_t bytes) {
  struct room {
    std::byte* p = nullptr;
    std::size_t size = 0;
    ~room() { release(); }
    void release() {
      if (p) ::operator delete(p, std::align_val_t{64});
      p = nullptr;
      size = 0;
    }
  };
  room& r = sinter::detail::of_this_thread<room>();
  if (bytes > r.size) {
    r.release();
    r.p = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64}));
    r.size = bytes;
  }
  return r.p;
}

// f(from, to, memory) for [0, n) in parts, each with memory of its own. All of it takes about so many seconds.
template <class F> void share_blocks(std::int64_t n, double seconds, std::size_t bytes, F const& f) {
  std::int64_t const parts = seconds < 2 * product_detail::shortest_part ? 1 : std::min<std::int64_t>(default_pool().threads(), n);
  std::byte* const memory = scratch_of<scratch_use::blocks>(bytes * static_cast<std::size_t>(parts));
  if (parts == 1) return f(std::int64_t{0}, n, memory);
  default_pool().parallel(
      static_cast<std::size_t>(parts),
      [&](std::size_t chunk) {
        auto const c = static_cast<std::int64_t>(chunk);
        f(n * c / parts, n * (c + 1) / parts, memory + chunk * bytes);
      },
      seconds < 5e-5);
}

template <class T, class... Slot, class... Step> struct run<kernel::product<T, types<Slot...>, types<Step...>>> {
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<vec, slots, steps>;
  static constexpr int n = sizeof...(Slot);
  template <int J> using slot_at = std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<Slot...>>;
  template <class S> static constexpr bool is_product = S::op::kind == family::product;
  template <class S> static constexpr bool is_after = !S::bits.prologue && !is_product<S>;
  template <int J> static constexpr bool read_before = ((reads<J>(Step{}) && Step::bits.prologue) || ...);
  template <int J> static constexpr bool read_after = ((reads<J>(Step{}) && is_after<Step>) || ...);
  template <class S> static constexpr int first_of() {
    if constexpr (is_product<S>) return kernel::first_operand(S{});
    else return 0;
  }
  template <class S> static constexpr int second_of() {
    if constexpr (is_product<S>) return kernel::second_operand(S{});
    else return 0;
  }
  static constexpr int first = (first_of<Step>() + ...), second = (second_of<Step>() + ...);
  static constexpr bool one_row = ((is_product<Step> && Step::bits.one_row) || ...);
  static_assert(second < 0, "sinter: a product reads its second operand from memory");

  // ---- operand j of one matrix, by row and by column

  template <class U> struct matrix {
    U* p;
    std::int64_t row, column;
    SINTER_INLINE place<U> line(std::size_t i) const { return {p + static_cast<std::int64_t>(i) * row, column}; }
  };
  struct matrices_of {
    template <std::size_t... J> static auto make(std::index_sequence<J...>)
        -> leaves<leaf<static_cast<int>(J), matrix<typename Slot::type>>...>;
    using type = decltype(make(std::index_sequence_for<Slot...>{}));
  };
  using matrices = typename matrices_of::type;
  // A batch of doubles is half a vec: such parts are read and written in full where one register holds them.
  template <access Mode, class U> SINTER_INLINE static vec<U> read_some(place<U> const& s, std::int64_t j, int count) {
    if constexpr (Mode == access::unit) {
      if (count == lanes) return load(s.p + j);
      if constexpr (sizeof(U) == 8) {
        if (count == lanes / 2) {
          auto const half = xsimd::batch<U>::load_unaligned(s.p + j);
          return {half, half};
        }
      }
    }
    return read<Mode, true>(s, j, count);
  }
  template <access Mode, class U> SINTER_INLINE static void write_some(place<U> const& s, std::int64_t j, vec<U> const& v, int count) {
    if constexpr (Mode == access::unit) {
      if (count == lanes) return store(s.p + j, v);
      if (count == 1) return store_first(s.p + j, v);
      if constexpr (sizeof(U) == 8) {
        if (count == lanes / 2) return v.lo.store_unaligned(s.p + j);
      }
    }
    write<Mode, true>(s, j, v, count);
  }

  // The operand to which the product is stored as it is, where nothing follows it; -1 otherwise.
  static constexpr int stored = (is_after<Step> || ...) ? -1 : ((is_product<Step> ? Step::bits.store : 0) + ...);
  template <int J> static constexpr bool lies_in_rows() {
    if constexpr (J < 0) return false;
    else return slot_at<J>::mode == access::unit && std::is_same_v<typename slot_at<J>::type, T>;
  }
  // What follows the product, on elements (i, j) to (i, j + count).
  struct epilogue {
    matrices m;

    matrix<T> const& destination() const
      requires(lies_in_rows<stored>())
    {
      return at<stored>(m);
    }

    SINTER_FLATTEN void operator()(std::size_t i, std::size_t j, xsimd::batch<T> c, std::size_t count) const
      requires(std::is_floating_point_v<T>)
    {
      if constexpr (sizeof(T) == 8) finish(i, j, vec<T>{c, c}, static_cast<int>(count));
      else finish(i, j, vec<T>{c}, static_cast<int>(count));
    }
    SINTER_FLATTEN void operator()(std::size_t i, std::size_t j, T c) const
      requires(std::is_integral_v<T>)
    {
      finish(i, j, splat(c), 1);
    }
    SINTER_INLINE void finish(std::size_t i, std::size_t column, vec<T> const& c, int count) const {
      auto const j = static_cast<std::int64_t>(column);
      values f;
      each_where<!Slot::written...>(slots{}, [&]<class S>(auto k, S) SINTER_INLINED {
        if constexpr (read_after<k>) at<-1 - k>(f) = read_some<S::mode>(at<k>(m).line(i), j, count);
      });
      each_of(steps{}, [&]<class S>(auto k, S step) SINTER_INLINED {
        if constexpr (is_product<S>) at<k>(f) = c;
        else if constexpr (is_after<S>) at<k>(f) = compute(step, f);
      });
      each_where<(Step::bits.store >= 0)...>(steps{}, [&]<class S>(auto k, S) SINTER_INLINED {
        write_some<slot_at<S::bits.store>::mode>(at<S::bits.store>(m).line(i), j, at<k>(f), count);
      });
    }
  };
  // The first operand where it is computed: elements (i, k) to (i, k + count).
  struct prologue {
    matrices m;

    SINTER_FLATTEN void operator()(std::size_t i, std::size_t k, std::size_t count, T* to) const {
      auto const at_k = static_cast<std::int64_t>(k), all = static_cast<std::int64_t>(count);
      std::int64_t q = 0;
      for (; q + lanes <= all; q += lanes) store(to + q, value<false>(i, at_k + q, lanes));
      if (q < all) store_partial(to + q, value<true>(i, at_k + q, static_cast<int>(all - q)), static_cast<int>(all - q));
    }
    template <bool Partial> SINTER_INLINE vec<T> value(std::size_t i, std::int64_t k, int count) const {
      values f;
      each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
        if constexpr (!S::written && read_before<j>) at<-1 - j>(f) = read<S::mode, Partial>(at<j>(m).line(i), k, count);
      });
      each_of(steps{}, [&]<class S>(auto j, S step) SINTER_INLINED {
        if constexpr (S::bits.prologue) at<j>(f) = compute(step, f);
      });
      return at<first>(f);
    }
  };

  // ---- the loops

  // Batches of which every operand goes on where its last matrix ended are one taller matrix.
  struct sizes {
    int batch, rows;       // loops before the rows; the loop that steps through them
    std::int64_t m, n, k;
    explicit sizes(launch const& l) : batch(l.rank - 3), rows(batch), m(l.extent[rows]), n(l.extent[rows + 1]), k(l.extent[rows + 2]) {
      while (batch > 0 && goes_on(l)) {
        if (m == 1) rows = batch - 1;
        m *= l.extent[--batch];
      }
    }
    bool goes_on(launch const& l) const {
      for (int j = 0; j < run::n; ++j) {
        std::int64_t const* const s = l.stride + j * max_loop;
        if (j == -1 - second ? s[batch - 1] != 0 : m != 1 && s[batch - 1] != s[rows] * m) return false;
      }
      return true;
    }
  };
  static b_operand<T> second_operand(launch const& l, pointer const* p, std::int64_t const* offset) {
    std::int64_t const* const s = l.stride + (-1 - second) * max_loop;
    return {p[-1 - second].template get<T>() + offset[-1 - second], s[l.rank - 1], s[l.rank - 2], reinterpret_cast<T const*>(l.packed)};
  }
  // Rows are the loop over m; columns that over n, or over k before the product.
  static matrices matrices_at(launch const& l, pointer const* p, std::int64_t const* offset, int row_loop, int column_loop) {
    matrices r;
    each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
      std::int64_t const* const s = l.stride + j * max_loop;
      at<j>(r) = {p[j].template get<typename S::type>() + offset[j], s[row_loop], s[column_loop]};
    });
    return r;
  }
  // What one product of a launch is, but for where it lies: made once. Integers have no plan.
  struct shape {
    using plan_type = std::conditional_t<std::is_floating_point_v<T>, product_detail::plan<T>, std::size_t>;
    sizes z;
    plan_type plan;
    shape(launch const& l, b_operand<T> const& b) : z(l), plan(plan_of(l, z, b)) {}
    static plan_type plan_of(launch const& l, sizes const& z, b_operand<T> const& b) {
      auto const m = static_cast<std::size_t>(z.m), columns = static_cast<std::size_t>(z.n), k = static_cast<std::size_t>(z.k);
      b_layout const layout = layout_of(b, columns);
      bool const fill = first >= 0 || l.stride[(first < 0 ? -1 - first : 0) * max_loop + l.rank - 1] != 1;
      if constexpr (std::is_floating_point_v<T>) return {m, columns, k, layout, fill, b.packed != nullptr};
      else return product_scratch<T>(m, columns, k, layout, fill, false);
    }
    std::size_t scratch_bytes() const {
      if constexpr (std::is_floating_point_v<T>) return plan.scratch_bytes();
      else return plan;
    }
  };
  template <class A> SINTER_INLINE static void multiply(shape const& s, A const& a, b_operand<T> const& b, epilogue const& after,
                                                        void* scratch, int threads) {
    if constexpr (std::is_floating_point_v<T>) product_detail::planned_product<T, one_row>(s.plan, a, b, after, scratch, threads);
    else
      simd::product<T>(static_cast<std::size_t>(s.z.m), static_cast<std::size_t>(s.z.n), static_cast<std::size_t>(s.z.k), a, b, after,
                       scratch, threads);
  }
  static void one(launch const& l, pointer const* p, shape const& z, std::int64_t const* offset, void* scratch, int threads) {
    b_operand<T> const b = second_operand(l, p, offset);
    epilogue const after{matrices_at(l, p, offset, z.z.rows, l.rank - 2)};
    if constexpr (first >= 0) multiply(z, prologue{matrices_at(l, p, offset, z.z.rows, l.rank - 1)}, b, after, scratch, threads);
    else {
      std::int64_t const* const s = l.stride + (-1 - first) * max_loop;
      a_operand<T> const a{p[-1 - first].template get<T>() + offset[-1 - first], s[z.z.rows], s[l.rank - 1]};
      multiply(z, a, b, after, scratch, threads);
    }
  }
  // A row against few weights that are packed: from the first product to the last store in registers. The additions are those of a tile.
  static bool is_short(launch const& l) {
    return l.packed && l.rank == 3 && product_detail::is_few(l.extent[0], l.extent[1], l.extent[2]) &&
           !product_detail::long_rows<T>(l.extent[1], l.extent[2]);
  }
  static void short_row(launch const& l, pointer const* p) {
    using batch = xsimd::batch<T>;
    constexpr std::int64_t width = product_detail::tile_shape<T>::columns, half = width / 2;
    std::int64_t const columns = l.extent[1], depth = l.extent[2], step = l.stride[(-1 - first) * max_loop + 2];
    epilogue const after{matrices_at(l, p, cursor<n>{}.at, 0, 1)};
    T const *const a = p[-1 - first].template get<T>(), *b = reinterpret_cast<T const*>(l.packed);
    auto const finish = [&](std::int64_t j, batch const& c) {
      after(0, static_cast<std::size_t>(j), c, static_cast<std::size_t>(std::min(half, columns - j)));
    };
    for (std::int64_t j = 0; j < columns; j += width, b += width * depth) {
      batch c[2];
      if (columns - j <= half) {
        product_detail::few_kernel<T, 1>::run(a, step, b, width, depth, c);
        finish(j, c[0]);
        break;
      }
      product_detail::few_kernel<T, 2>::run(a, step, b, width, depth, c);
      finish(j, c[0]);
      finish(j + half, c[1]);
    }
  }
  // Few numbers that lie as the tiles read them.
  static bool small(launch const& l, pointer const* p) {
    if (l.rank != 3) return false;
    cursor<n> const c;
    std::int64_t const* const s = l.stride + (-1 - first) * max_loop;
    b_operand<T> const b = second_operand(l, p, c.at);
    if (s[2] != 1 || !product_detail::is_small(l.extent[0], l.extent[1], l.extent[2], b)) return false;
    product_detail::small_product<T, one_row>(l.extent[0], l.extent[1], l.extent[2], a_operand<T>{p[-1 - first].template get<T>(), s[0], 1},
                                              b, epilogue{matrices_at(l, p, c.at, 0, 1)});
    return true;
  }
  static void go(launch const& l, pointer const* p) {
    if constexpr (std::is_floating_point_v<T> && first < 0) {
      if (is_short(l)) return short_row(l, p);
      if (small(l, p)) return;
    }
    cursor<n> c;
    shape const z(l, second_operand(l, p, c.at));
    std::int64_t const batches = turns(l, 0, z.z.batch);
    if (batches == 0 || z.z.m == 0 || z.z.n == 0) return;
    std::size_t const room = (z.scratch_bytes() + 63) / 64 * 64;
    // About 100 GFLOP/s. What is short needs neither the pool nor memory of the thread's own.
    double const each_one = static_cast<double>(z.z.m) * static_cast<double>(z.z.n) * static_cast<double>(z.z.k) * 2e-11;
    if (alignas(64) std::byte small[8192];
        room <= sizeof(small) && each_one * static_cast<double>(batches) < product_detail::shortest_part) {
      for (std::int64_t i = 0; i < batches; ++i, c.next(l, 0, z.z.batch)) one(l, p, z, c.at, small, 1);
      return;
    }
    int const threads = static_cast<int>(default_pool().threads());
    std::byte* const scratch = scratch_of(room * static_cast<std::size_t>(threads));
    // Many small products are shared out whole.
    if (threads > 1 && batches >= threads && each_one < 1e-4 && each_one * static_cast<double>(batches) > 5e-5) {
      std::int64_t const parts = std::min<std::int64_t>(threads, batches);
      default_pool().parallel(static_cast<std::size_t>(parts), [&](std::size_t chunk) {
        auto const q = static_cast<std::int64_t>(chunk);
        cursor<n> own;
        own.seek(l, 0, z.z.batch, batches * q / parts);
        for (std::int64_t i = batches * q / parts; i < batches * (q + 1) / parts; ++i, own.next(l, 0, z.z.batch))
          one(l, p, z, own.at, scratch + chunk * room, 1);
      });
      return;
    }
    for (std::int64_t i = 0; i < batches; ++i, c.next(l, 0, z.z.batch)) one(l, p, z, c.at, scratch, threads);
  }

  // ---- the second operand in the order in which the product reads it

  static std::size_t packed_bytes(launch const& l) {
    if constexpr (!std::is_floating_point_v<T>) return 0;
    else {
      std::int64_t const* const s = l.stride + (-1 - second) * max_loop;
      for (int i = 0; i < l.rank - 3; ++i)
        if (s[i] != 0) return 0;
      sizes const z(l);
      b_operand<T> const b{nullptr, s[l.rank - 1], s[l.rank - 2]};
      auto const columns = static_cast<std::size_t>(z.n), k = static_cast<std::size_t>(z.k);
      if (z.m == 0 || z.n == 0 || z.k == 0 || !product_uses_packed<T>(static_cast<std::size_t>(z.m), columns, k, layout_of(b, columns)))
        return 0;
      return packed_size<T>(columns, k) * sizeof(T);
    }
  }
  static void pack(launch const& l, pointer const* p, std::byte* to) {
    if constexpr (std::is_floating_point_v<T>) {
      sizes const z(l);
      b_operand<T> const b = second_operand(l, p, cursor<n>{}.at);
      simd::pack<T>(b.raw, b.k_stride, b.n_stride, static_cast<std::size_t>(z.n), static_cast<std::size_t>(z.k), reinterpret_cast<T*>(to));
    }
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
