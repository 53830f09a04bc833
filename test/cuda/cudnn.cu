// SPDX-License-Identifier: Apache-2.0
// What goes through cuDNN, for the compiler alone; test/backend/thrust/device.cpp runs it.
#include <sinter/nn/layers/convolution.hpp>
#include <sinter/thrust.hpp>

namespace nn = sinter::nn;
using sinter::shape;

template <class Layer> using launches = std::integral_constant<int, sinter::device_kernels<sinter::compiled_t<Layer, shape<2, 4, 9, 8>>>>;
using plain = nn::conv2d<6, 3, 1, 1, 1, 1, nn::no_activation, float, false>;
using depthwise = nn::conv2d<4, 3, 2, 1, 1, 4, nn::no_activation, float, false>;
static_assert(launches<plain>::value == 1);
static_assert(launches<depthwise>::value == 1);
static_assert(launches<nn::conv2d<6, 3>>::value == 2);  // the bias follows
static_assert(launches<nn::conv2d<6, 3, 1, 1, 1, 1, nn::relu>>::value == 2);

// A step before the convolution keeps it from cuDNN: one kernel of sinter's does all.
struct before : nn::hybrid_block<before> {
  BOOST_HANA_DEFINE_STRUCT(before, (plain, layer));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.tanh(layer(F.relu(x))); }
};
static_assert(launches<before>::value == 1);

// Whole numbers are no library's.
struct counted : nn::hybrid_block<counted> {
  BOOST_HANA_DEFINE_STRUCT(counted);
  constexpr auto hybrid_forward(auto F, auto x, auto w) const {
    return F.convolution(x, w) + F.sum(F.matmul(x, F.transpose(x, sinter::axes<0, 1, 3, 2>)));
  }
};
using whole = sinter::nd::tensor<int, shape<2, 4, 3, 3>>;
static_assert(sinter::device_kernels<sinter::compiled_t<counted, whole, whole>> == sinter::compiled_t<counted, whole, whole>::kernels);

int main() {
  if (!sinter::device::gpu.available()) return 0;
  nn::conv2d<6, 3, 1, 1, 1, 1, nn::relu> net;
  net.initialize();
  (void)net.hybridize()(sinter::nd::tensor<float, shape<2, 4, 9, 8>, sinter::device::gpu_t>{});
  return 0;
}
