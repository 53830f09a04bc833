// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 12
// lines-clang: 20
// expect: sinter: an instance is warmed up for shapes without dynamic dimensions; for others it is given inputs of the largest extents that will come: voice.warm_up(x)
#include <sinter/compile/instance.hpp>

using sinter::dim, sinter::shape;
auto const fast = sinter::nn::dense<3>{}.hybridize();
void prepare() {
  auto const voice = fast.instance();
#ifdef SINTER_FAIL
  voice.warm_up<shape<dim<"batch">, 4>>();
#else
  voice.warm_up<shape<2, 4>>();
#endif
}
