// SPDX-License-Identifier: Apache-2.0
// A network from a file is a type, planned while the program is built.
#include <by_type.hpp>

static_assert(sinter::compiled_t<by_type, sinter::shape<3, 4>>::kernels == 2);

int main() {
  by_type net;
  net.initialize();
  auto const x = sinter::nd::tensor<float, sinter::shape<3, 4>>();
  return net.hybridize()(x).shape().d[1] == 2 ? 0 : 1;
}
