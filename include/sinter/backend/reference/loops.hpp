// SPDX-License-Identifier: Apache-2.0
// What the reference kernels share: a probe, operands in memory, loops.
#pragma once
#include "../../ops/all.hpp"
#include "../../plan/kernel.hpp"

namespace sinter::reference::inline SINTER_ISA {

using namespace kernel;

// Watches what a kernel does; see test/plan/counts.cpp for one that counts.
struct no_probe {
  static constexpr void launch() {}
  static constexpr void operation(int) {}
  template <class T> static constexpr void load(int, T const*) {}
  template <class T> static constexpr void store(int, T const*) {}
};

template <class T> using number = T;

// Where each operand stands while the loops run.
template <int N> struct cursor {
  std::int64_t at[N ? N : 1]{};
};
// Runs loops [first, last) and calls body(cursor).
template <int N, class Body> constexpr void loop(launch const& l, int first, int last, cursor<N> c, Body&& body) {
  if (first == last) {
    body(c);
    return;
  }
  for (std::int64_t i = 0; i < l.extent[first]; ++i) {
    loop<N>(l, first + 1, last, c, body);
    for (int j = 0; j < N; ++j) c.at[j] += l.stride[j * max_loop + first];
  }
}

template <class Probe, class Frame, class... Slot, int N> constexpr void load_all(types<Slot...> slots, Frame& f, pointer const* p,
                                                                                  cursor<N> const& c) {
  each(slots, [&]<class S>(auto j, S) {
    if constexpr (!S::written) {
      auto const* from = p[j].template get<typename S::type>() + c.at[j];
      Probe::load(j, from);
      at<-1 - j>(f) = *from;
    }
  });
}
template <class Probe, int J, class T> constexpr void store_one(pointer const* p, std::int64_t offset, T v, bool counts = true) {
  T* to = p[J].template get<T>() + offset;
  if (counts) Probe::store(J, to);
  *to = v;
}

template <class Kernel, class Probe = no_probe> struct run;

}  // namespace sinter::reference::inline SINTER_ISA
