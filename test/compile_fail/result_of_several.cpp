// SPDX-License-Identifier: Apache-2.0
// expect: sinter: what is given for the second result of this network has another shape, dtype or device than the result
// lines-gcc: 16
// lines-clang: 30
#include <sinter/compile/hybridized.hpp>
using namespace sinter;

namespace {
struct both : nn::hybrid_block<both> {
  constexpr auto hybrid_forward(auto F, auto x) const { return std::tuple{F.relu(x), F.sum(x, axis<1>)}; }
};
}  // namespace

int main() {
  nd::tensor<float, shape<3, 4>> x, y;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<4>> z;
#else
  nd::tensor<float, shape<3>> z;
#endif
  both().hybridize()(x, std::tie(y, z));
  return z[0] != 0;
}
