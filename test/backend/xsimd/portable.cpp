// SPDX-License-Identifier: Apache-2.0
// The other files of this program run the code that has no names of instructions, which is there for other processors than x86.
#include <sinter/backend/xsimd/batch.hpp>

#include "../../catch.hpp"

TEST_CASE("the portable vectors are what this program tests") {
  CHECK(SINTER_SIMD_BITS == 0);
  CHECK(sinter::simd::lanes == 4);
}
