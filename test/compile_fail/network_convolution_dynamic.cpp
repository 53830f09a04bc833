// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the spatial axes of images, and the channels of a convolution, are numbers; only others may be dynamic
// lines-gcc: 18
// lines-clang: 43
#include <sinter/compile/hybridized.hpp>
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  using image = shape<1, 3, sinter::dim<"width">>;
#else
  using image = shape<sinter::dim<"images">, 3, 9>;
#endif
  auto const fast = sinter::hybridize([](auto F, auto x, auto w) { return F.convolution(x, w); });
  auto const y = fast(sinter::nd::tensor<float, image>(sinter::dims{1, 3, 9}), sinter::nd::tensor<float, shape<8, 3, 3>>{});
  (void)y;
}
