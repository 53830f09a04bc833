// SPDX-License-Identifier: Apache-2.0
// The kernels of a network that may take the faster forms of elementary functions: the same, with other operations in their steps.
#pragma once
#include "common.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class Op> struct fast;  // defined for those that have one
#define SINTER_FAST(name)                                                                       \
  template <> struct fast<ops::name> : ops::name {                                              \
    template <Floats V> static SINTER_INLINE V eval(V const& x) { return simd::fast::name(x); } \
  };
SINTER_FAST(exp)
SINTER_FAST(sigmoid)
SINTER_FAST(tanh)
SINTER_FAST(erf)
#undef SINTER_FAST
template <class Op, class T> inline constexpr bool is_chain<fast<Op>, T> = is_chain<Op, T>;

template <class Step> struct fast_step {
  using type = Step;
};
template <class Op, std::uint64_t B, int... From>
  requires requires { sizeof(fast<Op>); }
struct fast_step<kernel::step<Op, float, B, From...>> {
  using type = kernel::step<fast<Op>, float, B, From...>;
};

template <class Kernel> struct fast_kernel {
  using type = Kernel;
};
template <class Slots, class... Step> struct fast_kernel<kernel::pointwise<Slots, types<Step...>>> {
  using type = kernel::pointwise<Slots, types<typename fast_step<Step>::type...>>;
};
template <class Slots, class... Step, int Phases> struct fast_kernel<kernel::rows<Slots, types<Step...>, Phases>> {
  using type = kernel::rows<Slots, types<typename fast_step<Step>::type...>, Phases>;
};
template <class T, class Slots, class... Step> struct fast_kernel<kernel::product<T, Slots, types<Step...>>> {
  using type = kernel::product<T, Slots, types<typename fast_step<Step>::type...>>;
};
template <class T, class Slots, class... Step> struct fast_kernel<kernel::mapped_product<T, Slots, types<Step...>>> {
  using type = kernel::mapped_product<T, Slots, types<typename fast_step<Step>::type...>>;
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd
