// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the name of a dimension has at most ten letters
// lines-gcc: 7
// lines-clang: 10
#include <sinter/core/shape.hpp>

#ifdef SINTER_FAIL
using images = sinter::shape<sinter::dim<"observations">, 64>;
#else
using images = sinter::shape<sinter::dim<"batch">, 64>;
#endif
static_assert(images::value.rank == 2);
