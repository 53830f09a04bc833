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
// Divides what is below 2^31 by a multiplication: T. Granlund and P. Montgomery, Division by invariant integers using multiplication, 1994.
struct divisor {
  std::uint32_t factor = 0, shift = 0;
  static constexpr std::int64_t end = std::int64_t{1} << 31;  // of both numbers

  divisor() = default;
  explicit constexpr divisor(std::uint32_t d) {
    while ((std::uint64_t{1} << shift) < d) ++shift;
    factor = static_cast<std::uint32_t>((((std::uint64_t{1} << shift) - d) << 32) / d + 1);
  }
  SINTER_HD constexpr std::uint32_t divide(std::uint32_t n) const {
    return (static_cast<std::uint32_t>((std::uint64_t{n} * factor) >> 32) + n) >> shift;
  }
};
template <int N> struct loops {
  int rank = 0, row_rank = 0;
  bool divides_small = true;  // whether there is a divisor for each extent
  divisor by[max_loop]{};
  std::int64_t extent[max_loop]{};
  std::int64_t stride[N ? N : 1][max_loop]{};
  pointer p[N ? N : 1]{};

  loops() = default;
  loops(launch const& l, pointer const* operands) : rank(l.rank), row_rank(l.row_rank) {
    for (int i = 0; i < max_loop; ++i) extent[i] = l.extent[i];
    for (int i = 0; i < rank; ++i) {
      if (extent[i] < divisor::end) by[i] = divisor(static_cast<std::uint32_t>(extent[i] < 1 ? 1 : extent[i]));
      else divides_small = false;
    }
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
    if (divides_small && i < divisor::end) {
      auto left = static_cast<std::uint32_t>(i);
      for (int k = last - 1; k > first; --k) {
        std::uint32_t const around = by[k].divide(left), turn = left - around * static_cast<std::uint32_t>(extent[k]);
        left = around;
        for (int j = 0; j < N; ++j) c.at[j] += turn * stride[j][k];
      }
      i = left;
    } else {
      SINTER_ROLLED
      for (int k = last - 1; k > first; --k) {
        std::int64_t const turn = i % extent[k];
        i /= extent[k];
        for (int j = 0; j < N; ++j) c.at[j] += turn * stride[j][k];
      }
    }
    if (first < last)
      for (int j = 0; j < N; ++j) c.at[j] += i * stride[j][first];
  }
};

template <int J, class T, int N> SINTER_HD T& element_at(loops<N> const& l, cursor<N> const& c) {
  return l.p[J].template get<T>()[c.at[J]];
}

// The same as pointers, for what is read in turn, and bytes from one to the next. Pointers, not numbers: nvcc takes a pointer that was made
// of a kernel's numbers for one into global memory.
template <int N> struct places {
  std::byte* at[N ? N : 1]{};
};
template <int N> struct steps_between {
  std::int64_t bytes[N ? N : 1]{};
};
template <int N> SINTER_HD constexpr void add_to(places<N>& p, steps_between<N> const& step) {
  for (int j = 0; j < N; ++j) p.at[j] += step.bytes[j];
}
template <int J, class T, int N> SINTER_HD T& element_at(loops<N> const&, places<N> const& p) { return *reinterpret_cast<T*>(p.at[J]); }
template <class... Slot, int N> SINTER_HD places<N> places_of(types<Slot...> slots, loops<N> const& l, cursor<N> const& c) {
  places<N> r;
  each(slots, [&]<class S>(auto j, S) { r.at[j] = reinterpret_cast<std::byte*>(l.p[j].template get<typename S::type>() + c.at[j]); });
  return r;
}
// So many turns of a loop.
template <class... Slot, int N>
SINTER_HD steps_between<N> steps_of(types<Slot...> slots, loops<N> const& l, int loop, std::int64_t turns) {
  steps_between<N> r;
  each(slots, [&]<class S>(auto j, S) { r.bytes[j] = turns * l.stride[j][loop] * static_cast<std::int64_t>(sizeof(typename S::type)); });
  return r;
}
template <class Slots, int N> SINTER_HD places<N> moved(Slots slots, places<N> p, loops<N> const& l, int loop, std::int64_t turns) {
  add_to(p, steps_of(slots, l, loop, turns));
  return p;
}
// Neighbours that one instruction loads and stores.
template <class T, int W> struct alignas(sizeof(T) * W) pack {
  T v[W];
};
// What a kernel does at one index; the specialisations stand in the headers beside this one.
template <class Kernel> struct body;

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
