// SPDX-License-Identifier: Apache-2.0
// What the bodies of kernels share. A body is a small value that a launch copies to the device: the loops with their strides and the
// operands' places, and what happens at one index.
#pragma once
#include "../../../ops/all.hpp"
#include "../../../plan/kernel.hpp"
#include "../system.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

using namespace kernel;
template <class T> using number = T;

// Where each operand stands.
template <int N> struct cursor {
  std::int64_t at[N ? N : 1]{};
};
template <int N> SINTER_HD constexpr void add_to(cursor<N>& c, cursor<N> const& step) {
  for (int j = 0; j < N; ++j) c.at[j] += step.at[j];
}
template <int N> struct loops {
  int rank = 0, row_rank = 0;
  std::int64_t extent[max_loop]{};
  std::int64_t stride[N ? N : 1][max_loop]{};
  pointer p[N ? N : 1]{};

  loops() = default;
  loops(launch const& l, pointer const* operands) : rank(l.rank), row_rank(l.row_rank) {
    for (int i = 0; i < max_loop; ++i) extent[i] = l.extent[i];
    for (int j = 0; j < N; ++j) {
      p[j] = operands[j];
      for (int i = 0; i < max_loop; ++i) stride[j][i] = l.stride[j * max_loop + i];
    }
  }
  // The turns of the loops [first, last).
  SINTER_HD constexpr std::int64_t turns(int first, int last) const {
    std::int64_t n = 1;
    for (int i = first; i < last; ++i) n *= extent[i];
    return n;
  }
  // Moves `c` to turn `i` of the loops [first, last).
  SINTER_HD constexpr void seek(cursor<N>& c, int first, int last, std::int64_t i) const {
    for (int k = last - 1; k > first; --k) {
      std::int64_t const e = extent[k], turn = i % e;
      i /= e;
      for (int j = 0; j < N; ++j) c.at[j] += turn * stride[j][k];
    }
    if (first < last)
      for (int j = 0; j < N; ++j) c.at[j] += i * stride[j][first];
  }
};

// Counted in numbers, not from the pointer: it is null for what has its place from the cursor alone (chain.hpp).
template <int J, class T, int N> SINTER_HD T& element_at(loops<N> const& l, cursor<N> const& c) {
  auto const from = reinterpret_cast<std::uintptr_t>(l.p[J].template get<T>());
  return *reinterpret_cast<T*>(from + static_cast<std::uintptr_t>(c.at[J]) * sizeof(T));
}
// Reads what the kernel reads at `c`.
template <class Frame, int N, class... Slot>
SINTER_HD void load_all(types<Slot...> slots, Frame& f, loops<N> const& l, cursor<N> const& c) {
  each(slots, [&]<class S>(auto j, S) {
    if constexpr (!S::written) at<-1 - j>(f) = element_at<j, typename S::type>(l, c);
  });
}

// What a kernel does at one index; the specialisations stand in the headers beside this one.
template <class Kernel> struct body;

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
