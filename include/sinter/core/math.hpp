// SPDX-License-Identifier: Apache-2.0
// Elementary functions of our own for float and double: constant expressions on every compiler, and the same bits at run time.
// Neither the compilers' constexpr mathematics (Clang 19 has none) nor two systems' libm agree.
//
//   static_assert(math::exp(1.0f) == 2.7182817f);
#pragma once

#include "math/basic.hpp"
#include "math/exponential.hpp"
#include "math/polynomials.hpp"
#include "math/special.hpp"
