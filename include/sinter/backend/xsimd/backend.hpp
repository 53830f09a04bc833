// SPDX-License-Identifier: Apache-2.0
// The backend for CPUs: kernels on vectors, in threads where they are large.
#pragma once
#include "../../core/math/fast.hpp"
#include "../../core/math/winograd.hpp"
#include "../../core/weights.hpp"
#include "../reference/reference.hpp"
#include "kernels/fast.hpp"
#include "kernels/mapped.hpp"
#include "kernels/narrow.hpp"
#include "kernels/opaque.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/product.hpp"
#include "kernels/rows.hpp"
#include "kernels/winograd.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {

// The kernels, each as Run has it. The functions are defined outside of the class: `extern template` says nothing of inline functions.
template <template <class> class Run> struct backend_on {
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p);
  // Bytes, aligned to 64, for a product's second operand in the order in which the product reads it; 0 where that gains nothing.
  template <class Kernel> static std::size_t packed_bytes(kernel::launch const& l);
  template <class Kernel> static void pack(kernel::launch const& l, kernel::pointer const* p, std::byte* to);
  // Kernels that run together (run/blocks.hpp).
  static std::int64_t threads() { return static_cast<std::int64_t>(default_pool().threads()); }
  template <class F> static void share_blocks(std::int64_t n, double seconds, std::size_t bytes, F const& f) {
    kernels::share_blocks(n, seconds, bytes, f);
  }
};
template <template <class> class Run> template <class Kernel>
void backend_on<Run>::go(kernel::launch const& l, kernel::pointer const* p) {
  Run<Kernel>::go(l, p);
}
template <template <class> class Run> template <class Kernel> std::size_t backend_on<Run>::packed_bytes(kernel::launch const& l) {
  if constexpr (requires { Run<Kernel>::packed_bytes(l); }) return Run<Kernel>::packed_bytes(l);
  else return 0;
}
template <template <class> class Run> template <class Kernel>
void backend_on<Run>::pack(kernel::launch const& l, kernel::pointer const* p, std::byte* to) {
  if constexpr (requires { Run<Kernel>::packed_bytes(l); }) Run<Kernel>::pack(l, p, to);
}
template <class W> struct narrow_backend;
template <class Base> struct winograd_backend;
template <class Base> struct fast_backend;
// Each says what it becomes with a policy: with a format of weights, with math::winograd, with math::fast.
struct backend : backend_on<kernels::run> {
  template <weights::format W> static narrow_backend<W> with(W);
  static winograd_backend<backend> with(math::winograd_form);
  static fast_backend<backend> with(math::fast_form);
};
template <class W> struct kernels_with {
  template <class Kernel> using run = kernels::narrow<W, Kernel>;
};
template <class W> struct narrow_backend : backend_on<kernels_with<W>::template run> {
  using weights = W;
  // What the weights of a product with `n` outputs of `k` inputs take.
  static constexpr std::size_t weight_bytes(std::int64_t n, std::int64_t k) { return product_detail::narrow_bytes<W>({n, k}); }
  static winograd_backend<narrow_backend> with(math::winograd_form);
  static fast_backend<narrow_backend> with(math::fast_form);
};
// A backend that runs other kernels instead: Other<Kernel>::type.
template <class Base, template <class> class Other> struct backend_instead : Base {
  template <class Kernel> using other = typename Other<Kernel>::type;
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p) { Base::template go<other<Kernel>>(l, p); }
  template <class Kernel> static std::size_t packed_bytes(kernel::launch const& l) { return Base::template packed_bytes<other<Kernel>>(l); }
  template <class Kernel> static void pack(kernel::launch const& l, kernel::pointer const* p, std::byte* to) {
    Base::template pack<other<Kernel>>(l, p, to);
  }
};
template <class Base> struct winograd_backend : backend_instead<Base, kernels::winograd_kernel> {
  using convolutions = sinter::math::winograd_form;
  template <weights::format W> static winograd_backend<decltype(Base::with(W{}))> with(W);
  static fast_backend<winograd_backend> with(math::fast_form);
};
template <class Base> struct fast_backend : backend_instead<Base, kernels::fast_kernel> {
  using math = sinter::math::fast_form;
  template <weights::format W> static fast_backend<decltype(Base::with(W{}))> with(W);
  template <std::same_as<sinter::math::winograd_form> W> static fast_backend<decltype(Base::with(W{}))> with(W);
};

}  // namespace SINTER_ISA
}  // namespace sinter::simd
