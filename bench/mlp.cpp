// SPDX-License-Identifier: Apache-2.0
// The 512-256-128-2 network at batch 1 beside what it cannot beat: reading its weights once from the cache in which they live.
#include <cstdio>
#include <sinter/sinter.hpp>

#include "../examples/digits/probe.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::shape;
using network = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
using plan = sinter::compiled_t<network, shape<1, 512>>;
static_assert(plan::kernels == 3 && plan::arena_bytes <= 1536);

int main(int count, char**) {
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, 512>> x;
  x.fill(0.5f);
  nd::tensor<float, shape<1, 2>> out;
  auto const fast = net.hybridize();
  for (int block = 0; block < (count > 1 ? 1 : 10); ++block) {
    double const read = read_time(plan::parameter_bytes), compiled = microseconds([&] { fast(x, out); }),
                 eager = microseconds([&] { net(x); });
    std::printf("weights read at %.0f GB/s in %.2f us; hybridized %.2f us, %.2f times that; eager %.2f us, %.2f times hybridized\n",
                static_cast<double>(plan::parameter_bytes) / read * 1e-3, read, compiled, compiled / read, eager, eager / compiled);
  }
}
