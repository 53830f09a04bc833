// SPDX-License-Identifier: Apache-2.0
// The kernels of a network that may take the faster forms of elementary functions: the same, with other operations in their steps.
#pragma once
#include "common.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class Op>
concept has_fast_form = requires(vec<float> const& v) { Op::eval_fast(v); };
template <class Op> struct fast : Op {
  template <Floats V> static SINTER_INLINE V eval(V const& x) { return Op::eval_fast(x); }
};

template <class Step> struct fast_step {
  using type = Step;
};
template <has_fast_form Op, std::uint64_t B, int... From> struct fast_step<kernel::step<Op, float, B, From...>> {
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
