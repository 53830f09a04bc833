// SPDX-License-Identifier: Apache-2.0
// Elementwise steps over one space: whole vectors along the innermost loop, each read, computed and written in one go.
#pragma once
#include "common.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <access Mode, bool Partial, class T> SINTER_INLINE void read(vec<T>& v, place<T> const& s, std::int64_t i, int count) {
  v = read<Mode, Partial>(s, i, count);
}
template <access Mode, bool, class T> SINTER_INLINE void read(four<T>& v, place<T> const& s, std::int64_t i, int) {
  read<Mode, false>(v.a.a, s, i, lanes);
  read<Mode, false>(v.a.b, s, i + lanes, lanes);
  read<Mode, false>(v.b.a, s, i + 2 * lanes, lanes);
  read<Mode, false>(v.b.b, s, i + 3 * lanes, lanes);
}
template <access Mode, bool, class T> SINTER_INLINE void write(place<T> const& s, std::int64_t i, four<T> const& v, int) {
  write<Mode, false>(s, i, v.a.a, lanes);
  write<Mode, false>(s, i + lanes, v.a.b, lanes);
  write<Mode, false>(s, i + 2 * lanes, v.b.a, lanes);
  write<Mode, false>(s, i + 3 * lanes, v.b.b, lanes);
}

template <class... Slot, class... Step> struct run<kernel::pointwise<types<Slot...>, types<Step...>>> {
  using slots = types<Slot...>;
  using steps = types<Step...>;
  static constexpr int n = sizeof...(Slot);
  template <int J> using slot_at = std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<Slot...>>;
  static constexpr bool in_step = (is_chain<typename Step::op, typename Step::type> || ...);
  static constexpr int cycles = (cost_of<typename Step::op> + ... + 0);
  static constexpr int bytes = ((Slot::mode == access::zero ? 0 : static_cast<int>(sizeof(typename Slot::type))) + ... + 0);

  // Everything is read before anything is written: an output may be one of the operands.
  template <bool Partial, class Values> SINTER_INLINE static void vector(Values& f, places<slots> const& s, std::int64_t i, int count) {
    each_where<(!Slot::written && Slot::mode != access::zero)...>(
        slots{}, [&]<class S>(auto j, S) SINTER_INLINED { read<S::mode, Partial>(at<-1 - j>(f), at<j>(s), i, count); });
    each_of(steps{}, [&]<class S>(auto k, S step) SINTER_INLINED { at<k>(f) = compute(step, f); });
    each_where<(Step::bits.store >= 0)...>(steps{}, [&]<class S>(auto k, S) SINTER_INLINED {
      write<slot_at<S::bits.store>::mode, Partial>(at<S::bits.store>(s), i, at<k>(f), count);
    });
  }
  template <template <class> class Vec> SINTER_INLINE static frame<Vec, slots, steps> begin(places<slots> const& s) {
    frame<Vec, slots, steps> f;
    each_where<(!Slot::written && Slot::mode == access::zero)...>(
        slots{}, [&]<class S>(auto j, S) SINTER_INLINED { at<-1 - j>(f) = splat<Vec<typename S::type>>(*at<j>(s).p); });
    return f;
  }
  SINTER_FLATTEN static void line(launch const& l, pointer const* p, std::int64_t const* offset, std::int64_t i, std::int64_t to) {
    places<slots> const s = places_at<slots>(l, p, offset, nullptr, l.rank - 1);
    if constexpr (in_step) {
      {
        auto f = begin<four>(s);
        for (; i + 4 * lanes <= to; i += 4 * lanes) vector<false>(f, s, i, 4 * lanes);
      }
      auto f = begin<vec>(s);  // at most four: one loop for whole vectors and parts
      for (; i < to; i += lanes) vector<true>(f, s, i, static_cast<int>(std::min<std::int64_t>(lanes, to - i)));
    } else {
      auto f = begin<vec>(s);
      if constexpr (cycles <= 12) {  // short bodies spend their time on the loop; long ones overlap by themselves
        SINTER_SIMD_UNROLL
        for (; i + lanes <= to; i += lanes) vector<false>(f, s, i, lanes);
      } else {
        for (; i + lanes <= to; i += lanes) vector<false>(f, s, i, lanes);
      }
      if (i < to) vector<true>(f, s, i, static_cast<int>(to - i));
    }
  }
  static void go(launch const& l, pointer const* p) {
    std::int64_t const inner = l.extent[l.rank - 1], outer = turns(l, 0, l.rank - 1);
    if (inner == 0 || outer == 0) return;
    if (outer == 1 && inner * (cycles + bytes) < (1 << 16)) return line(l, p, cursor<n>{}.at, 0, inner);
    share const parts = share_of(outer * inner, cycles, bytes);
    auto const lines = [&](std::int64_t first, std::int64_t last, std::int64_t from, std::int64_t to) {
      cursor<n> c;
      c.seek(l, 0, l.rank - 1, first);
      for (std::int64_t i = first; i < last; ++i, c.next(l, 0, l.rank - 1)) line(l, p, c.at, from, to);
    };
    if (outer >= 2 * parts.parts) in_parts(parts, outer, 1, [&](std::int64_t from, std::int64_t to) { lines(from, to, 0, inner); });
    else in_parts(parts, inner, 16 * lanes, [&](std::int64_t from, std::int64_t to) { lines(0, outer, from, to); });
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
