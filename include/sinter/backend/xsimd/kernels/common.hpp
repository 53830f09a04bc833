// SPDX-License-Identifier: Apache-2.0
// What the kernels share: operands in memory, steps on vectors, loops outside the innermost one, and when threads are worth it.
#pragma once
#include <algorithm>
#include <tuple>

#include "../../../core/places.hpp"
#include "../../../ops/all.hpp"
#include "../../../plan/kernel.hpp"
#include "../math.hpp"
#include "../pool.hpp"

// Every operation of a step stands in the kernel's loop: GCC inlines all below SINTER_FLATTEN, Clang what a call statement says.
#if defined(__clang__) && defined(__OPTIMIZE__)
#define SINTER_SIMD_INLINED [[clang::always_inline]]
#else
#define SINTER_SIMD_INLINED
#endif
#if defined(__clang__)
#define SINTER_SIMD_UNROLL _Pragma("unroll 4")
#else
#define SINTER_SIMD_UNROLL _Pragma("GCC unroll 4")
#endif

SINTER_SIMD_QUIET_BEGIN

template <class T> struct sinter::element::lanes<sinter::simd::vec<T>> {
  using type = T;
  static SINTER_INLINE simd::vec<T> splat(T v) { return simd::splat(v); }
  template <class To> static SINTER_INLINE To cast(simd::vec<T> const& v) { return simd::cast<typename lanes<To>::type>(v); }
};
template <class V> struct sinter::element::lanes<sinter::simd::twin<V>> {
  using type = typename V::element;
  static SINTER_INLINE simd::twin<V> splat(type v) { return simd::splat<simd::twin<V>>(v); }
};

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

using kernel::at;
using kernel::frame;
using kernel::launch;
using kernel::leaf;
using kernel::leaves;
using kernel::pointer;
using kernel::reads;
using kernel::rows_of_product;
using kernel::types;

template <class Kernel> struct run;

template <class... T, class F, std::size_t... I> SINTER_INLINE void each_of(types<T...>, std::index_sequence<I...>, F&& f) {
  (f(std::integral_constant<int, static_cast<int>(I)>{}, T{}), ...);
}
template <class... T, class F> SINTER_INLINE void each_of(types<T...> t, F&& f) { each_of(t, std::index_sequence_for<T...>{}, f); }

template <class... T, class F, std::size_t... I>
SINTER_INLINE void each_at(types<T...>, std::index_sequence<I...>, [[maybe_unused]] F&& f) {
  (f(std::integral_constant<int, static_cast<int>(I)>{}, std::tuple_element_t<I, std::tuple<T...>>{}), ...);
}
// As each_of, for those alone that are wanted: for the others f would do nothing, and need not be compiled.
template <bool... Wanted, class T, class F> SINTER_INLINE void each_where(T t, F&& f) {
  each_at(t, typename sinter::detail::places_where<Wanted...>::type{}, f);
}

// What an operation costs, in cycles for 16 elements; a faster form of one is no operation that graphs know.
template <class Op> inline constexpr int cost_of = [] {
  if constexpr (requires { Op::cost; }) return Op::cost;
  else return 1;
}();

// A function that math.hpp has for several vectors in step.
template <class Op, class T> inline constexpr bool is_chain = std::is_same_v<T, float> && requires { requires Op::is_chain; };

template <class Op, class T, class V, class... W> SINTER_INLINE auto apply(V const& v, W const&... w) {
  if constexpr (detail::is_twin<V> && !is_chain<Op, T>) {
    return detail::both(apply<Op, T>(v.a, w.a...), apply<Op, T>(v.b, w.b...));
  } else if constexpr (requires { Op::template convert<vec<T>>(v, w...); }) {
    SINTER_SIMD_INLINED return Op::template convert<vec<T>>(v, w...);
  } else if constexpr (requires { Op::eval(v, w...); }) {
    SINTER_SIMD_INLINED return Op::eval(v, w...);
  } else {
    static_assert(sizeof(V) == 0,
                  "sinter: an element function is called with several elements at once: template <class V> static constexpr V eval(V x), "
                  "with one x for each operand");
    return v;
  }
}
template <class Op, class T, std::uint64_t B, int... From, class Frame>
SINTER_INLINE auto compute(kernel::step<Op, T, B, From...>, Frame const& f) {
  return apply<Op, T>(at<From>(f)...);
}

// ---- memory: `count` lanes where Partial, else all of them

template <bool Partial, class T> SINTER_INLINE vec<T> read(T const* p, int count) {
  if constexpr (Partial) return load_partial(p, count);
  else return load(p);
}
template <bool Partial, class T> SINTER_INLINE void write(T* p, vec<T> const& v, int count) {
  if constexpr (Partial) store_partial(p, v, count);
  else store(p, v);
}
template <bool Partial, class T> SINTER_INLINE vec<T> read(T const* p, std::int64_t stride, int count) {
  if (stride == 1) return read<Partial>(p, count);
  if constexpr (Partial) {
    if constexpr (Real<T>)
      if (stride == 2) return every_second_of(p, count);
    T memory[static_cast<std::size_t>(lanes)] = {};
    for (int i = 0; i < count; ++i) memory[i] = p[i * stride];
    return load(memory);
  } else {
    return gather(p, stride);
  }
}
template <bool Partial, class T> SINTER_INLINE void write(T* p, std::int64_t stride, vec<T> const& v, int count) {
  if (stride == 1) return write<Partial>(p, v, count);
  if constexpr (Partial) {
    T memory[static_cast<std::size_t>(lanes)];
    store(memory, v);
    for (int i = 0; i < count; ++i) p[i * stride] = memory[i];
  } else {
    scatter(p, stride, v);
  }
}

// Where an operand begins, and its step in the innermost loop. One for each slot, in registers: a pointer in memory would be read
// again after every store, because a vector's store may change anything.
template <class T> struct place {
  T* p;
  std::int64_t stride;
};
template <class Slots, class J = void> struct places_of;
template <class... Slot> struct places_of<types<Slot...>, void> {
  template <std::size_t... J>
  static auto make(std::index_sequence<J...>) -> leaves<leaf<static_cast<int>(J), place<typename Slot::type>>...>;
  using type = decltype(make(std::index_sequence_for<Slot...>{}));
};
template <class Slots> using places = typename places_of<Slots>::type;

template <access Mode, bool Partial, class T> SINTER_INLINE vec<T> read(place<T> const& s, std::int64_t i, int count) {
  if constexpr (Mode == access::zero) return splat(*s.p);
  else if constexpr (Mode == access::unit) return read<Partial>(s.p + i, count);
  else return read<Partial>(s.p + i * s.stride, s.stride, count);
}
// A written operand that does not move has one element in this loop.
template <access Mode, bool Partial, class T> SINTER_INLINE void write(place<T> const& s, std::int64_t i, vec<T> const& v, int count) {
  if constexpr (Mode == access::zero) store_first(s.p, v);
  else if constexpr (Mode == access::unit) write<Partial>(s.p + i, v, count);
  else write<Partial>(s.p + i * s.stride, s.stride, v, count);
}

// ---- the loops outside the innermost

template <int N> struct cursor {
  std::int64_t at[N ? N : 1]{};
  std::int64_t i[max_loop]{};

  // The next turn of loops [first, last); false after the last one, with all of them at their beginning.
  SINTER_INLINE bool next(launch const& l, int first, int last) {
    for (int d = last - 1; d >= first; --d) {
      std::int64_t const* const step = l.stride + d;
      if (++i[d] < l.extent[d]) {
        for (int j = 0; j < N; ++j) at[j] += step[j * max_loop];
        return true;
      }
      for (int j = 0; j < N; ++j) at[j] -= (i[d] - 1) * step[j * max_loop];
      i[d] = 0;
    }
    return false;
  }
  void seek(launch const& l, int first, int last, std::int64_t n) {
    for (int d = last - 1; d >= first && n > 0; --d) {
      i[d] = n % l.extent[d];
      n /= l.extent[d];
      for (int j = 0; j < N; ++j) at[j] += i[d] * l.stride[j * max_loop + d];
    }
  }
};
inline std::int64_t turns(launch const& l, int first, int last) {
  std::int64_t n = 1;
  for (int d = first; d < last; ++d) n *= l.extent[d];
  return n;
}
// Where operand j begins, in elements behind its pointer, and its step in the loop.
struct beginning {
  std::int64_t offset, stride;
};
SINTER_INLINE beginning beginning_of(launch const& l, std::int64_t const* offset, std::int64_t const* more, int j, int loop) {
  return {offset[j] + (more ? more[j] : 0), l.stride[j * max_loop + loop]};
}
template <class Slots> SINTER_INLINE places<Slots> places_at(launch const& l, pointer const* p, std::int64_t const* offset,
                                                             std::int64_t const* more, int loop) {
  places<Slots> r;
  each_of(Slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
    beginning const b = beginning_of(l, offset, more, j, loop);
    at<j>(r) = {p[j].template get<typename S::type>() + b.offset, b.stride};
  });
  return r;
}

// ---- threads

// In how many parts a kernel is run, and whether it is over before a thread that sleeps would have come.
struct share {
  std::int64_t parts = 1;
  bool brief = false;
};
// A kernel of `elements`, each with `cycles` of 16 lanes and `bytes` of memory. A part of less than 5 us is not worth the journey of what
// it reads and writes from one core's cache to another's.
inline share share_of(std::int64_t elements, double cycles, double bytes) {
  double const seconds = static_cast<double>(elements) * std::max(cycles / (3.5e9 * lanes), bytes / 6e10);
  if (seconds < 1e-5) return {};
  return {std::min(static_cast<std::int64_t>(default_pool().threads()), static_cast<std::int64_t>(std::min(seconds, 1.0) * 2e5)),
          seconds < 5e-5};
}
// A function of a range, of one type for all, so that what shares the range out is compiled once.
struct range_function {
  void const* f;
  void (*call)(void const*, std::int64_t from, std::int64_t to);
};
inline void share_out(share const& s, std::int64_t n, std::int64_t unit, range_function const& f) {
  std::int64_t const units = (n + unit - 1) / unit, k = std::min(s.parts, units);
  default_pool().parallel(
      static_cast<std::size_t>(k),
      [&](std::size_t chunk) {
        auto const c = static_cast<std::int64_t>(chunk);
        f.call(f.f, units * c / k * unit, std::min(units * (c + 1) / k * unit, n));
      },
      s.brief);
}
// f(from, to) for [0, n) in parts, each but the last a multiple of `unit`.
template <class F> void in_parts(share const& s, std::int64_t n, std::int64_t unit, F const& f) {
  if (s.parts <= 1 || n < 2 * unit) return f(std::int64_t{0}, n);
  share_out(s, n, unit, {&f, [](void const* g, std::int64_t from, std::int64_t to) { (*static_cast<F const*>(g))(from, to); }});
}

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
