// SPDX-License-Identifier: Apache-2.0
// Kinds do not mix in a network.
// expect: sinter: these operands do not fit: the dtypes are of different kinds; cast one of them: F.cast(x, as<float>), in eager code sinter::cast
// expect: "mask"
// expect: ops::multiply
// expect: tensor<bool
// lines-gcc: 24
// lines-clang: 52
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct mask_block : nn::hybrid_block<mask_block> {
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto x) const {
#ifdef SINTER_FAIL
    return x * (x > 0.5f);
#else
    return x * F.cast(x > 0.5f, sinter::as<float>);
#endif
  }
};
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (mask_block, mask));
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto x) const { return F.relu(mask(x)); }
};

int main() {
  network net;
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
