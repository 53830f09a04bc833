// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 10
// lines-clang: 19
// expect: sinter: these bytes depend on the dynamic dimensions of the inputs, and are asked for with a number for each of them
#include <sinter/compile/compiled.hpp>
#include <sinter/nn/layers/basic.hpp>

using sinter::dim;
using function = sinter::nn::hybrid_lambda<decltype([](auto F, auto x) { return F.sort(F.exp(F.sort(x))); })>;
using plan = sinter::compiled_t<function, sinter::shape<dim<"n">, dim<"m">>>;
#ifdef SINTER_FAIL
static_assert(plan::arena_bytes(2) > 0);
#else
static_assert(plan::arena_bytes(2, 9) >= 2 * 9 * 4 && plan::arena_bytes(2, 900) >= 2 * 900 * 4 && plan::arena_bytes(2, 9) < 900);
#endif
int main() {}
