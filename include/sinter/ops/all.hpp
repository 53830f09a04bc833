// SPDX-License-Identifier: Apache-2.0
// Every operation that F offers.
#pragma once
#include "activation.hpp"
#include "arrange.hpp"
#include "attention.hpp"
#include "bitwise.hpp"
#include "blocks.hpp"
#include "control_flow.hpp"
#include "convolution.hpp"
#include "coordinates.hpp"
#include "creation.hpp"
#include "ctc.hpp"
#include "einsum.hpp"
#include "elementwise.hpp"
#include "images.hpp"
#include "linalg.hpp"
#include "mapped_product.hpp"
#include "moments.hpp"
#include "movement.hpp"
#include "norms.hpp"
#include "order.hpp"
#include "own_gradient.hpp"
#include "pooling.hpp"
#include "product.hpp"
#include "random.hpp"
#include "reduction.hpp"
#include "region.hpp"
#include "rounding.hpp"
#include "row.hpp"
#include "sampling.hpp"
#include "sequence.hpp"
#include "transcendental.hpp"
#include "transposed.hpp"
#include "trigonometric.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

template <class... Lists> struct joined;
template <class... A> struct joined<list_of<A...>> {
  using type = list_of<A...>;
};
template <class... A, class... B> struct joined<list_of<A...>, list_of<B...>> : joined<list_of<A..., B...>> {};
// Many at once: each list that is made on the way costs the compiler time.
template <class... A, class... B, class... C, class... D, class... E, class... G, class... Rest>
struct joined<list_of<A...>, list_of<B...>, list_of<C...>, list_of<D...>, list_of<E...>, list_of<G...>, Rest...>
    : joined<list_of<A..., B..., C..., D..., E..., G...>, Rest...> {};
template <class... A, class... B, class... C, class... Rest> struct joined<list_of<A...>, list_of<B...>, list_of<C...>, Rest...>
    : joined<list_of<A..., B..., C...>, Rest...> {};
using all_ops = joined<arithmetic_ops, bitwise_ops, rounding_ops, transcendental_ops, trigonometric_ops, activation_ops, reduction_ops,
                       moment_ops, view_ops, product_ops, convolution_ops, transposed_ops, pooling_ops, row_ops, norm_ops, movement_ops,
                       arrange_ops, block_ops, image_ops, sampling_ops, order_ops, sequence_ops, coordinate_ops, attention_ops, einsum_ops,
                       linalg_ops, ctc_ops, creation_ops, random_ops, own_gradient_ops>::type;

// The functions of F, for a mode that says what `call` does.
template <class Mode, class List> struct members;
template <class Mode, class... A> struct members<Mode, list_of<A...>> : member<A, Mode>... {};
template <class Mode> struct all_members : members<Mode, all_ops>, control_flow<Mode> {};

}  // namespace sinter::ops::inline SINTER_ISA
