// SPDX-License-Identifier: Apache-2.0
// What some builds leave out, because it takes a compiler minutes and the plain build has it.
#pragma once
#include "sanitized.hpp"

namespace test {

// Whether an operation or a network that is interpreted is compiled, too, and compared.
#if SINTER_SANITIZED || defined(SINTER_REFERENCE_ONLY) || defined(SINTER_THRUST_ONLY)
inline constexpr bool compiles_networks = false;
#else
inline constexpr bool compiles_networks = true;
#endif
// Whether operations are also interpreted.
#if defined(SINTER_REFERENCE_ONLY) || defined(SINTER_THRUST_ONLY) || defined(SINTER_TEST_NAMED)
inline constexpr bool has_interpreter = false;
#else
inline constexpr bool has_interpreter = true;
#endif

}  // namespace test
