// SPDX-License-Identifier: Apache-2.0
// A dropout that would drop everything.
// expect: sinter: the P of dropout<P> is the part of the elements that are dropped, at least 0 and less than 1: dropout<0.3>
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
