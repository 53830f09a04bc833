// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a tensor has at most eight dimensions
// lines-gcc: 10
// lines-clang: 10
#include <sinter/core/shape.hpp>

#ifdef SINTER_FAIL
using deep = sinter::shape<1, 2, 3, 4, 5, 6, 7, 8, 9>;
#else
using deep = sinter::shape<1, 2, 3, 4, 5, 6, 7, 8>;
#endif
static_assert(deep::rank == 8);
