// SPDX-License-Identifier: Apache-2.0
// The plan alone, asked for in a static_assert, gives the same sentence first.
// expect: sinter: these operands do not fit: the inner dimensions differ
// expect: ops::matmul
// lines-gcc: 17
// lines-clang: 49
#include <sinter/compile/compiled.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.matmul(x, x);
#else
    return F.matmul(x, x, sinter::transpose_b);
#endif
  }
};

static_assert(sinter::compiled_t<network, sinter::shape<2, 8>>::kernels == 1);
