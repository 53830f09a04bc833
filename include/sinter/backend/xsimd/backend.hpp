// SPDX-License-Identifier: Apache-2.0
// The backend for CPUs: kernels on vectors, in threads where they are large.
#pragma once
#include "../reference/reference.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/product.hpp"
#include "kernels/rows.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {

namespace kernels {
template <class Op, class... T> struct run<kernel::opaque<Op, T...>> {
  static void go(launch const& l, pointer const* p) { reference::backend::go<kernel::opaque<Op, T...>>(l, p); }
};
}  // namespace kernels

struct backend {
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p) { kernels::run<Kernel>::go(l, p); }
  // Bytes, aligned to 64, for a product's second operand in the order in which the product reads it; 0 where that gains nothing.
  template <class Kernel> static std::size_t packed_bytes(kernel::launch const& l) {
    if constexpr (requires { kernels::run<Kernel>::packed_bytes(l); }) return kernels::run<Kernel>::packed_bytes(l);
    else return 0;
  }
  template <class Kernel> static void pack(kernel::launch const& l, kernel::pointer const* p, std::byte* to) {
    if constexpr (requires { kernels::run<Kernel>::packed_bytes(l); }) kernels::run<Kernel>::pack(l, p, to);
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::simd
