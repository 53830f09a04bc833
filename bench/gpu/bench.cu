// SPDX-License-Identifier: Apache-2.0
// The device's numbers, each beside its limit: a fused elementwise network beside a copy of the same bytes, the seed network beside the
// replay of an empty graph, rows beside a copy, and what multiplies beside the largest product. `bench/gpu/run` builds and runs it, and
// peers.py, which times the same with PyTorch.
#include <cstdio>
#include <sinter/models/resnet.hpp>
#include <sinter/nn/layers/transformer.hpp>
#include <sinter/thrust.hpp>

#include "microseconds.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::dim;
using sinter::shape;
using sinter::device::gpu_t;
using mlp = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
using vector = nd::tensor<float, shape<dim<"n">>, gpu_t>;

struct scaled : nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled);
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x * 2 + 1); }
};

static void bandwidth() {
  std::printf("%12s %14s %14s %10s\n", "floats", "copy, GB/s", "fused, GB/s", "of copy");
  auto const fast = scaled{}.hybridize();
  for (std::int64_t n = 1 << 16; n <= 1 << 28; n *= 4) {
    vector x(sinter::dims{n}), y(sinter::dims{n});
    auto const bytes = static_cast<float>(8 * n);
    float const copy = microseconds([&] { gpu_t::copy(y.data(), x.data(), static_cast<std::size_t>(4 * n)); });
    float const fused = microseconds([&] { fast(x, y); });
    std::printf("%12lld %14.1f %14.1f %9.0f%%\n", static_cast<long long>(n), bytes / copy * 1e-3f, bytes / fused * 1e-3f,
                100 * copy / fused);
  }
}
template <int Batch> static void network(float empty) {
  mlp net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.to(sinter::device::gpu).hybridize();
  nd::tensor<float, shape<Batch, 512>, gpu_t> const x;
  nd::tensor<float, shape<Batch, 2>, gpu_t> y;
  float const eager = microseconds([&] { net(x); }), compiled = microseconds([&] { fast(x, y); });
  std::printf("%12d %14.2f %14.2f %14.2f\n", Batch, eager, compiled, empty);
}

// What reads and writes much: of a copy of the same bytes.
template <class Layer, int Rows, int Columns> static void rows(char const* what) {
  nd::tensor<float, shape<Rows, Columns>, gpu_t> x, y;
  Layer net;
  net.initialize();
  auto const fast = net.to(sinter::device::gpu).hybridize();
  fast(x, y);
  float const us = microseconds([&] { fast(x, y); });
  float const copy = microseconds([&] { gpu_t::copy(y.data(), x.data(), std::size_t{4} * Rows * Columns); });
  std::printf("%-44s %12.2f %12.2f %9.0f%%\n", what, us, copy, 100 * copy / us);
}
// What multiplies: against `peak`, floating-point operations a microsecond.
template <class Net, class Y, class... X> static float multiplied(char const* what, Net const& fast, double operations, double peak, Y& y,
                                                                  X const&... x) {
  fast(x..., y);
  float const us = microseconds([&] { fast(x..., y); });
  double const rate = operations / static_cast<double>(us);
  std::printf("%-44s %12.2f %12.2f %9.0f%%\n", what, us, rate * 1e-6, peak > 0 ? 100 * rate / peak : 100.0);
  return us;
}
template <int Channels, int Size, int Outputs, int Kernel, int Stride> static void convolution(char const* what, double peak) {
  constexpr int batch = 32, pad = Kernel / 2, size = (Size + 2 * pad - Kernel) / Stride + 1;
  nn::conv2d<Outputs, Kernel, Stride, pad> net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<batch, Channels, Size, Size>, gpu_t> const x;
  nd::tensor<float, shape<batch, Outputs, size, size>, gpu_t> y;
  multiplied(what, net.to(sinter::device::gpu).hybridize(), 2.0 * batch * Outputs * size * size * Channels * Kernel * Kernel, peak, y, x);
}
template <int Batch> static void resnet(char const* what, double peak) {
  sinter::models::resnet18_v1<> net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<Batch, 3, 224, 224>, gpu_t> const x;
  nd::tensor<float, shape<Batch, 1000>, gpu_t> y;
  constexpr double operations = 3.63e9;  // of the convolutions and the dense layer, for an image
  multiplied(what, net.to(sinter::device::gpu).hybridize(), operations * Batch, peak, y, x);
}
template <int Batch, int Tokens> static void encoder(char const* what, double peak) {
  constexpr int units = 384, hidden = 1536;
  nn::hybrid_sequential<nn::transformer_encoder_cell<units, hidden, 12, nn::gelu>> net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<Batch, Tokens, units>, gpu_t> x, y;
  multiplied(what, net.to(sinter::device::gpu).hybridize(),
             Batch * (2.0 * Tokens * (4 * units * units + 2 * units * hidden) + 4.0 * Tokens * Tokens * units), peak, y, x);
}
struct attend : nn::hybrid_block<attend> {
  BOOST_HANA_DEFINE_STRUCT(attend);
  constexpr auto hybrid_forward(auto F, auto q, auto k, auto v) const {
    return F.scaled_dot_product_attention(q, k, v, sinter::num_heads<12>);
  }
};
template <int Batch, int Tokens> static void attention(char const* what, double peak) {
  nd::tensor<float, shape<Batch, Tokens, 768>, gpu_t> q, k, v, y;
  multiplied(what, attend{}.hybridize(), 4.0 * Batch * Tokens * Tokens * 768, peak, y, q, k, v);
}
struct product : nn::hybrid_block<product> {
  BOOST_HANA_DEFINE_STRUCT(product);
  constexpr auto hybrid_forward(auto F, auto a, auto b) const { return F.matmul(a, b); }
};
static double largest_product() {
  nd::tensor<float, shape<8192, 8192>, gpu_t> const a, b;
  nd::tensor<float, shape<8192, 8192>, gpu_t> c;
  double const operations = 2.0 * 8192 * 8192 * 8192;
  return operations / static_cast<double>(multiplied("product of 8192 x 8192", product{}.hybridize(), operations, 0, c, a, b));
}

int main() {
  if (!sinter::device::gpu.available()) return 77;
  cudaDeviceProp about{};
  sinter::gpu::check(cudaGetDeviceProperties(&about, 0));
  std::printf("%s, compute capability %d.%d\n\n", about.name, about.major, about.minor);
  bandwidth();

  cudaGraph_t graph{};
  cudaGraphExec_t nothing{};
  sinter::gpu::check(cudaGraphCreate(&graph, 0));
  sinter::gpu::check(cudaGraphInstantiate(&nothing, graph, 0));
  float const empty = microseconds([&] { sinter::gpu::check(cudaGraphLaunch(nothing, sinter::gpu::current().handle)); });
  std::printf("\n512-256-128-2, microseconds a call, in a queue of calls\n%12s %14s %14s %14s\n", "batch", "eager", "compiled",
              "empty graph");
  network<1>(empty);
  network<256>(empty);
  network<4096>(empty);

  std::printf("\n%-44s %12s %12s %10s\n", "", "us", "copy, us", "of copy");
  rows<nn::activation<nn::softmax>, 4096, 1024>("softmax, 4096 x 1024");
  rows<nn::layer_norm<>, 4096, 1024>("layer_norm, 4096 x 1024");
  rows<nn::activation<nn::softmax>, 65536, 64>("softmax, 65536 x 64");
  rows<nn::layer_norm<>, 16384, 4096>("layer_norm, 16384 x 4096");

  std::printf("\n%-44s %12s %12s %10s\n", "", "us", "TFLOP/s", "of largest");
  double const peak = largest_product();
  convolution<64, 56, 64, 3, 1>("3 x 3, 64 channels, 56 x 56, 32 images", peak);
  convolution<128, 28, 128, 3, 1>("3 x 3, 128 channels, 28 x 28, 32 images", peak);
  convolution<256, 14, 256, 3, 1>("3 x 3, 256 channels, 14 x 14, 32 images", peak);
  convolution<512, 7, 512, 3, 1>("3 x 3, 512 channels, 7 x 7, 32 images", peak);
  convolution<256, 56, 64, 1, 1>("1 x 1, 256 to 64 channels, 56 x 56, 32 images", peak);
  convolution<3, 224, 64, 7, 2>("7 x 7, 3 to 64 channels, 224 x 224, 32 images", peak);
  resnet<1>("ResNet-18, 1 image", peak);
  resnet<32>("ResNet-18, 32 images", peak);
  encoder<1, 128>("MiniLM's layer, 128 tokens", peak);
  encoder<32, 128>("MiniLM's layer, 32 x 128 tokens", peak);
  attention<1, 128>("attention, 12 heads of 64, 128 tokens", peak);
  attention<1, 1024>("attention, 12 heads of 64, 1024 tokens", peak);
  attention<8, 1024>("attention, 12 heads of 64, 8 x 1024 tokens", peak);
}
