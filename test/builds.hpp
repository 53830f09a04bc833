// SPDX-License-Identifier: Apache-2.0
// What some builds leave out, because it takes a compiler minutes and the plain build has it.
#pragma once
#include <cstdint>

#include "sanitized.hpp"

// The dtypes that most operations are tested with; each costs the compiler as much as the first. Without SINTER_TEST_ALL ops/data alone has
// the others, whose cases are recorded with all of them.
#if defined(SINTER_TEST_ALL) || defined(SINTER_TEST_RECORD)
#define REALS float, double
#define NUMBERS float, double, std::int32_t, std::int64_t
#else
#define REALS float
#define NUMBERS float, std::int64_t
#endif

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
// Whether calls are only interpreted and written down (ops/recorded.hpp).
#if defined(SINTER_TEST_RECORD)
inline constexpr bool records_only = true;
#else
inline constexpr bool records_only = false;
#endif

}  // namespace test
