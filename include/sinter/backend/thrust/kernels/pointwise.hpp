// SPDX-License-Identifier: Apache-2.0
// An elementwise group: some neighbouring elements of its innermost loop at each index.
#pragma once
#include "common.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class... Slot, class... Step> struct body<pointwise<types<Slot...>, types<Step...>>> {
  static constexpr int n = sizeof...(Slot);
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<number, slots, steps>;
  // So many elements are 16 bytes of the widest operand that is read or written side by side.
  static constexpr int width = [] {
    int bytes = 4;
    for (int b : {Slot::mode == access::unit ? static_cast<int>(sizeof(typename Slot::type)) : 0 ...})
      if (b > bytes) bytes = b;
    return 16 / bytes;
  }();

  loops<n> l;
  std::int64_t chunk = 0, chunks = 0;  // elements at one index, and indices in one line

  body(launch const& from, pointer const* p, std::int64_t elements) : l(from, p), chunk(elements) {
    chunks = (l.extent[l.rank - 1] + chunk - 1) / chunk;
  }
  std::int64_t size() const { return l.turns(0, l.rank - 1) * chunks; }

  // Whether every line begins where `width` elements are one aligned load.
  bool aligned() const {
    if (l.rank > 1 && l.extent[l.rank - 1] % width != 0) return false;
    bool all = true;
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (S::mode == access::unit) {
        all = all && reinterpret_cast<std::uintptr_t>(l.p[j].template get<typename S::type>()) % (sizeof(typename S::type) * width) == 0;
        for (int i = 0; i + 1 < l.rank; ++i) all = all && l.stride[j][i] % width == 0;
      }
    });
    return all;
  }
  template <int W> SINTER_HD void elements(cursor<n> const& c, std::int64_t first) const {
    values f[W];
    std::int64_t const inner = l.rank - 1;
    each(slots{}, [&]<class S>(auto j, S) {
      using T = typename S::type;
      if constexpr (!S::written) {
        T const* const from = l.p[j].template get<T>() + c.at[j];
        if constexpr (S::mode == access::zero) {
          T const v = *from;
          SINTER_UNROLL
          for (int w = 0; w < W; ++w) at<-1 - j>(f[w]) = v;
        } else if constexpr (S::mode == access::unit && W > 1) {
          pack<T, W> const v = *reinterpret_cast<pack<T, W> const*>(from + first);
          SINTER_UNROLL
          for (int w = 0; w < W; ++w) at<-1 - j>(f[w]) = v.v[w];
        } else {
          std::int64_t const stride = S::mode == access::unit ? 1 : l.stride[j][inner];
          SINTER_UNROLL
          for (int w = 0; w < W; ++w) at<-1 - j>(f[w]) = from[(first + w) * stride];
        }
      }
    });
    each(steps{}, [&]<class S>(auto i, S s) {
      SINTER_UNROLL
      for (int w = 0; w < W; ++w) at<i>(f[w]) = evaluate<number>(s, f[w]);
    });
    each(steps{}, [&]<class S>(auto i, S) {
      if constexpr (S::bits.store >= 0) store<S::bits.store, i, W>(f, c, first);
    });
  }
  // Elements [first, first + W) of the line to which index `i` belongs, or those up to its end.
  template <int W> SINTER_HD void run(std::int64_t i) const {
    cursor<n> c;
    std::int64_t first = i;
    if (l.rank > 1) {
      std::int64_t const line = i / chunks;
      first -= line * chunks;
      l.seek(c, 0, l.rank - 1, line);
    }
    first *= chunk;
    std::int64_t const end = l.extent[l.rank - 1];
    if (W > 1 && first + W <= end) return elements<W>(c, first);
    for (std::int64_t const to = first + chunk < end ? first + chunk : end; first < to; ++first) elements<1>(c, first);
  }
  SINTER_HD void operator()(std::int64_t i) const { run<1>(i); }

 private:
  template <int J, int I, int W> SINTER_HD void store(values const* f, cursor<n> const& c, std::int64_t first) const {
    using T = std::remove_cvref_t<decltype(at<I>(*f))>;
    constexpr access mode = mode_of<J>();
    T* const to = l.p[J].template get<T>() + c.at[J];
    if constexpr (mode == access::unit && W > 1) {
      pack<T, W> v;
      SINTER_UNROLL
      for (int w = 0; w < W; ++w) v.v[w] = at<I>(f[w]);
      *reinterpret_cast<pack<T, W>*>(to + first) = v;
    } else {
      std::int64_t const stride = mode == access::unit ? 1 : mode == access::zero ? 0 : l.stride[J][l.rank - 1];
      SINTER_UNROLL
      for (int w = 0; w < W; ++w) to[(first + w) * stride] = at<I>(f[w]);
    }
  }
  template <int J> static SINTER_HD constexpr access mode_of() {
    constexpr access modes[]{Slot::mode...};
    return modes[J];
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
