// SPDX-License-Identifier: Apache-2.0
// The bytes of an arena with a dynamic batch, read as a number.
// lines-gcc: 6
// lines-clang: 13
// expect: sinter: these bytes depend on the dynamic dimensions of the inputs: arena_bytes(64) is a number
#include <sinter/compile/compiled.hpp>

using plan =
    sinter::compiled_t<sinter::nn::hybrid_sequential<sinter::nn::dense<4>, sinter::nn::dense<4>>, sinter::shape<sinter::dim<"n">, 8>>;
#ifdef SINTER_FAIL
static_assert(plan::arena_bytes <= 64);
#else
static_assert(plan::arena_bytes(4) <= 64);
#endif
int main() {}
