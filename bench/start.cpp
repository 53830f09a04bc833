// SPDX-License-Identifier: Apache-2.0
// A program that is one network with its weights in it: what `bench/run` starts to see how soon the first result is there, and `bench/counts`
// measures. With EMPTY a program that does nothing.
#if defined(EMPTY)
int main() {}
#else
#include <sinter/sinter.hpp>

namespace nn = sinter::nn;

struct seed : nn::hybrid_block<seed> {
  BOOST_HANA_DEFINE_STRUCT(seed, (nn::dense<256, nn::relu>, first), (nn::dense<128, nn::relu>, second), (nn::dense<2>, last));
  constexpr auto hybrid_forward(auto, auto x) const { return last(second(first(x))); }
};

extern float const weights[];  // bench/run writes them

int main() {
  seed net;
  float const* from = weights;
  auto const take = [&](auto& p, sinter::dims const& shape) {
    p.set(shape, from);
    from += shape.size();
  };
  take(net.first.weight, {256, 512});
  take(net.first.bias, {256});
  take(net.second.weight, {128, 256});
  take(net.second.bias, {128});
  take(net.last.weight, {2, 128});
  take(net.last.bias, {2});
  auto const fast = net.hybridize();
  sinter::nd::tensor<float, sinter::shape<1, 512>> const x;
  return fast(x)(0, 0) == fast(x)(0, 1) ? 1 : 0;
}
#endif
