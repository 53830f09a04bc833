// SPDX-License-Identifier: Apache-2.0
// Two cheap operations in one loop: alone, each would spend more time on reading and writing its tile than on its elements.
#pragma once
#include "loops.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// B(A(x, a), b), where a and b are the same for all elements: values[in[1]] and values[in[2]]. relu has neither.
template <class A, class B, class T> struct pair_loop {
  template <class Op> SINTER_INLINE static vec<T> one(vec<T> const& x, vec<T> const& c) {
    if constexpr (Op::arity == 1) return simd::kernels::apply<Op, T>(x);
    else return simd::kernels::apply<Op, T>(x, c);
  }
  SINTER_FLATTEN static void go(source const* values, int const* in, std::byte* to, std::int64_t n) {
    auto const* const x = reinterpret_cast<T const*>(values[in[0]].p);
    auto* const out = reinterpret_cast<T*>(to);
    vec<T> a = simd::splat(T(0)), b = a;
    if constexpr (A::arity > 1) a = simd::load(reinterpret_cast<T const*>(values[in[1]].p));
    if constexpr (B::arity > 1) b = simd::load(reinterpret_cast<T const*>(values[in[2]].p));
    std::int64_t i = 0;
    SINTER_SIMD_UNROLL
    for (; i + lanes <= n; i += lanes) simd::store(out + i, one<B>(one<A>(simd::load(x + i), a), b));
    if (i < n) {
      int const count = static_cast<int>(n - i);
      simd::store_partial(out + i, one<B>(one<A>(simd::load_partial(x + i, count), a), b), count);
    }
  }
};
using paired_ops = ops::list_of<ops::add, ops::subtract, ops::multiply, ops::maximum, ops::minimum, ops::relu>;
constexpr std::uint64_t pair_of(std::uint64_t a, std::uint64_t b) { return (a ^ b >> 7) * 1099511628211u + b; }

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
