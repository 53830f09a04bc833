// SPDX-License-Identifier: Apache-2.0
// Every operation that F offers.
#pragma once
#include "convolution.hpp"
#include "elementwise.hpp"
#include "movement.hpp"
#include "product.hpp"
#include "random.hpp"
#include "reduction.hpp"
#include "row.hpp"
#include "transcendental.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

template <class Mode, class... Lists> struct members;
template <class Mode, class... A, class... B, class... Rest>
struct members<Mode, list_of<A...>, list_of<B...>, Rest...> : members<Mode, list_of<A..., B...>, Rest...> {};
template <class Mode, class... A> struct members<Mode, list_of<A...>> : member<A, Mode>... {};
// The functions of F, for a mode that says what `call` does.
template <class Mode> struct all_members : members<Mode, arithmetic_ops, transcendental_ops, reduction_ops, view_ops, product_ops,
                                                   convolution_ops, row_ops, movement_ops, random_ops> {};

}  // namespace sinter::ops::inline SINTER_ISA
