// SPDX-License-Identifier: Apache-2.0
// Algorithms of Thrust and CUB as functions of pointers, extents and a dtype. They are compiled once for a program, because CUB's headers take nvcc
// longer than a network: sinter::thrust and sinter::cuda add that source to a target. A program that is built without
// these writes in one of its files
//   #include <sinter/thrust_algorithms.hpp>
#pragma once
#include "../../core/dtype.hpp"
#include "../../ops/opaque.hpp"
#include "stream.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

// Each line along an axis in its order, NaN last, and of equal elements the earlier one first.
struct line_sort {
  dtype type = dtype::none;
  ops::around lines{{}, 0};
  std::int64_t top = 0;  // so many of the first are wanted
  bool ascending = true;

  std::int64_t count() const { return lines.outer * lines.inner; }
  std::int64_t elements() const { return count() * lines.n; }
  // Short lines are left to threads, each of which takes one.
  bool is_worth_it() const { return lines.n >= 64 && lines.n < std::int64_t{1} << 32 && count() > 0; }
};

// Each element combined with those before it in its line. Lines are cut into tiles, and what the elements before a tile give is brought to it: so
// the order of additions follows from the extents alone.
struct line_scan {
  static constexpr std::int64_t tile = 2048;
  dtype type = dtype::none;
  ops::around lines{{}, 0};
  bool multiplies = false;

  std::int64_t count() const { return lines.outer * lines.inner; }
  std::int64_t tiles() const { return (lines.n + tile - 1) / tile; }
  // A thread for each line is as good where neighbouring threads read neighbouring elements and there are enough of them.
  bool is_worth_it() const {
    bool const type_fits = type == dtype::float32 || type == dtype::float64 || type == dtype::int32 || type == dtype::int64;
    return type_fits && count() > 0 && (lines.inner == 1 ? lines.n >= 64 : lines.n >= 2 * tile && count() < 1 << 15);
  }
};

namespace sinter_thrust_algorithms_hpp {  // whose name is in the linker's message where nothing includes it

// Bytes that sort() and scan() work in.
std::size_t scratch_bytes(line_sort const& s);
// Into `values`, `places` or both; the other is null.
void sort(line_sort const& s, void const* x, void* values, std::int64_t* places, std::byte* scratch, runtime::stream stream);

std::size_t scratch_bytes(line_scan const& s);
void scan(line_scan const& s, void const* x, void* y, std::byte* scratch, runtime::stream stream);

}  // namespace sinter_thrust_algorithms_hpp

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
