// SPDX-License-Identifier: Apache-2.0
// Elementary functions of our own for float and double. They work in constant expressions on every compiler, and give the same bits at run
// time. The compilers' own constexpr functions differ (Clang 19 has none), and so do the mathematical libraries of two systems.
//
//   static_assert(math::exp(1.0f) == 2.7182817f);
#pragma once

#include "math/basic.hpp"
#include "math/division.hpp"
#include "math/exponential.hpp"
#include "math/gamma.hpp"
#include "math/inverse.hpp"
#include "math/polynomials.hpp"
#include "math/special.hpp"
#include "math/trigonometric.hpp"
