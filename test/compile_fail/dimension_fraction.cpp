// SPDX-License-Identifier: Apache-2.0
// expect: sinter: an extent of a shape is a number from 0 on, sinter::dynamic or sinter::dim<"name">
// lines-gcc: 6
// lines-clang: 7
#include <sinter/core/shape.hpp>

#ifdef SINTER_FAIL
using images = sinter::shape<3.5, 64>;
#else
using images = sinter::shape<3, 64>;
#endif
static_assert(images::value.rank == 2);
