// SPDX-License-Identifier: Apache-2.0
// The kernels of the usual eager operations on floats, which compiled networks have, too. A target that links sinter::compiled has them
// compiled once, in a source file of its own (cmake/sinter-compiled.cpp), and its other files only declare them here.
#pragma once
#include "backend.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace compiled {

using kernel::types;
template <access Mode = access::unit> using in = kernel::slot<float, Mode, false>;
template <access Mode = access::unit> using out = kernel::slot<float, Mode, true>;
using one = in<access::zero>;  // one number, in each row or in all of them
// `Bits` as in the type of a kernel: what a step does besides computing.
template <class Op, kernel::step_bits Bits, int... From> using step = kernel::step<Op, float, Bits.pack(), From...>;
using bits = kernel::step_bits;

template <class Op> using unary = kernel::pointwise<types<in<>, out<>>, types<step<Op, bits{.store = 1}, -1>>>;
template <class Op, class Second = in<>>
using binary = kernel::pointwise<types<in<>, Second, out<>>, types<step<Op, bits{.store = 2}, -1, -2>>>;
using copy = kernel::pointwise<types<in<access::strided>, out<access::strided>>, types<step<ops::identity, bits{.store = 1}, -1>>>;

// A product of one row or of any number of them. The second operand is a matrix as it is, or the weights of a layer.
using matrix = in<>;
using weights = in<access::strided>;
template <class Second, bool OneRow>
using product = kernel::product<float, types<one, Second, out<>>, types<step<ops::product, bits{.store = 2, .one_row = OneRow}, -1, -2>>>;
template <bool OneRow> using dense =
    kernel::product<float, types<one, weights, in<>, out<>>,
                    types<step<ops::product, bits{.one_row = OneRow}, -1, -2>, step<ops::add, bits{.store = 3}, 0, -3>>>;
template <bool OneRow> using dense_relu = kernel::product<
    float, types<one, weights, in<>, out<>>,
    types<step<ops::product, bits{.one_row = OneRow}, -1, -2>, step<ops::add, bits{}, 0, -3>, step<ops::relu, bits{.store = 3}, 1>>>;

// Along the last axis.
template <class Op> using reduction =
    kernel::rows<types<in<>, out<access::zero>>, types<step<Op, bits{.store = 1, .phase = 1, .row = true}, -1>>, 2>;
inline constexpr bits of_row_1{.phase = 1, .row = true}, of_row_2{.phase = 2, .row = true}, in_phase_2{.phase = 2, .needed = 4};
using softmax =
    kernel::rows<types<in<>, one, out<>>,
                 types<step<ops::max, of_row_1, -1>, step<ops::subtract, bits{.phase = 1, .needed = 2}, -1, 0>,
                       step<ops::exp, bits{.keep = 2, .phase = 1, .needed = 6}, 1>, step<ops::sum, of_row_2, 2>,
                       step<ops::divide, of_row_2, -2, 3>, step<ops::multiply, bits{.store = 2, .phase = 2, .needed = 4}, 2, 4>>,
                 3>;
using log_softmax = kernel::rows<types<in<>, out<>>,
                                 types<step<ops::max, of_row_1, -1>, step<ops::subtract, bits{.phase = 1, .needed = 6}, -1, 0>,
                                       step<ops::exp, bits{.phase = 1, .needed = 2}, 1>, step<ops::sum, of_row_2, 2>,
                                       step<ops::log, of_row_2, 3>, step<ops::subtract, bits{.store = 1, .phase = 2, .needed = 4}, 1, 4>>,
                                 3>;
using layer_norm =
    kernel::rows<types<in<>, one, in<>, in<>, out<>>,
                 types<step<ops::mean, of_row_1, -1>, step<ops::subtract, bits{.phase = 1, .needed = 6}, -1, 0>,
                       step<ops::square, bits{.phase = 1, .needed = 2}, 1>, step<ops::mean, of_row_2, 2>, step<ops::add, of_row_2, 3, -2>,
                       step<ops::rsqrt, of_row_2, 4>, step<ops::multiply, in_phase_2, 1, 5>, step<ops::multiply, in_phase_2, 6, -3>,
                       step<ops::add, bits{.store = 4, .phase = 2, .needed = 4}, 7, -4>>,
                 3>;

}  // namespace compiled

#if defined(SINTER_COMPILED)
#define SINTER_COMPILED_KERNEL(...) \
  SINTER_COMPILED_TEMPLATE void backend_on<kernels::run>::go<__VA_ARGS__>(kernel::launch const&, kernel::pointer const*);
#define SINTER_COMPILED_PRODUCT(...)                                                                               \
  SINTER_COMPILED_KERNEL(__VA_ARGS__)                                                                              \
  SINTER_COMPILED_TEMPLATE std::size_t backend_on<kernels::run>::packed_bytes<__VA_ARGS__>(kernel::launch const&); \
  SINTER_COMPILED_TEMPLATE void backend_on<kernels::run>::pack<__VA_ARGS__>(kernel::launch const&, kernel::pointer const*, std::byte*);

SINTER_COMPILED_KERNEL(compiled::copy)
SINTER_COMPILED_KERNEL(compiled::unary<ops::exp>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::gelu>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::log>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::relu>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::sigmoid>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::sqrt>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::square>)
SINTER_COMPILED_KERNEL(compiled::unary<ops::tanh>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::add>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::divide>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::multiply>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::subtract>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::add, compiled::one>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::divide, compiled::one>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::multiply, compiled::one>)
SINTER_COMPILED_KERNEL(compiled::binary<ops::subtract, compiled::one>)
SINTER_COMPILED_PRODUCT(compiled::product<compiled::matrix, false>)
SINTER_COMPILED_PRODUCT(compiled::product<compiled::matrix, true>)
SINTER_COMPILED_PRODUCT(compiled::product<compiled::weights, false>)
SINTER_COMPILED_PRODUCT(compiled::product<compiled::weights, true>)
SINTER_COMPILED_PRODUCT(compiled::dense<false>)
SINTER_COMPILED_PRODUCT(compiled::dense<true>)
SINTER_COMPILED_PRODUCT(compiled::dense_relu<false>)
SINTER_COMPILED_PRODUCT(compiled::dense_relu<true>)
SINTER_COMPILED_KERNEL(compiled::reduction<ops::max>)
SINTER_COMPILED_KERNEL(compiled::reduction<ops::mean>)
SINTER_COMPILED_KERNEL(compiled::reduction<ops::sum>)
SINTER_COMPILED_KERNEL(compiled::softmax)
SINTER_COMPILED_KERNEL(compiled::log_softmax)
SINTER_COMPILED_KERNEL(compiled::layer_norm)

#undef SINTER_COMPILED_KERNEL
#undef SINTER_COMPILED_PRODUCT
#endif

}  // namespace SINTER_ISA
}  // namespace sinter::simd
