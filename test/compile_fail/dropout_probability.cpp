// SPDX-License-Identifier: Apache-2.0
// A dropout that would drop everything.
// expect: sinter: dropout<0.3> drops 0.3 of the elements; it takes at least 0 and less than 1
// lines-gcc: 6
// lines-clang: 7
#include <sinter/sinter.hpp>

namespace nn = sinter::nn;

#ifdef SINTER_FAIL
using drop = nn::dropout<1.0>;
#else
using drop = nn::dropout<0.5>;
#endif

int main() { return sizeof(drop) == 0; }
