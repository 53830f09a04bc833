// SPDX-License-Identifier: Apache-2.0
// A network that was written from a file is called with an input of another shape.
// lines-clang: 41
// lines-gcc: 20
// expect: sinter: this network was written from a file for inputs of other shapes or dtypes
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/imported.hpp>

struct net : sinter::nn::hybrid_block<net> {
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto const& data) const {
    static_cast<void>(sinter::nn::takes_input<float, sinter::shape<sinter::dim<"batch">, 4>>(data));
    auto const relu0 = F.relu(data);
    return relu0;
  }
};

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<3, 5>> const x;
#else
  sinter::nd::tensor<float, sinter::shape<3, 4>> const x;
#endif
  return net().hybridize()(x).size() == 0;
}
