// SPDX-License-Identifier: Apache-2.0
// The backend for CPUs: kernels on vectors, in threads where they are large.
#pragma once
#include "../reference/reference.hpp"
#include "kernels/narrow.hpp"
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

// The kernels, each as Run has it.
template <template <class> class Run> struct backend_on {
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p) { Run<Kernel>::go(l, p); }
  // Bytes, aligned to 64, for a product's second operand in the order in which the product reads it; 0 where that gains nothing.
  template <class Kernel> static std::size_t packed_bytes(kernel::launch const& l) {
    if constexpr (requires { Run<Kernel>::packed_bytes(l); }) return Run<Kernel>::packed_bytes(l);
    else return 0;
  }
  template <class Kernel> static void pack(kernel::launch const& l, kernel::pointer const* p, std::byte* to) {
    if constexpr (requires { Run<Kernel>::packed_bytes(l); }) Run<Kernel>::pack(l, p, to);
  }
};
template <class W> struct narrow_backend;
struct backend : backend_on<kernels::run> {
  template <weights::format W> using with_weights = narrow_backend<W>;
};
// Weights in format W, of sinter::weights.
template <class W> struct kernels_with {
  template <class Kernel> using run = kernels::narrow<W, Kernel>;
};
template <class W> struct narrow_backend : backend_on<kernels_with<W>::template run> {
  using weights = W;
};

}  // namespace SINTER_ISA
}  // namespace sinter::simd
