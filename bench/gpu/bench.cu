// SPDX-License-Identifier: Apache-2.0
// The device's numbers, each beside its limit: a fused elementwise network beside a copy of the same bytes, and the seed network beside
// the replay of an empty graph. `bench/gpu/run` builds and runs it.
#include <algorithm>
#include <cstdio>
#include <sinter/thrust.hpp>
#include <vector>

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

// Microseconds of one call: the median of many, by the device's own clock.
template <class Call> static float microseconds(Call call) {
  cudaStream_t const s = sinter::gpu::current().handle;
  cudaEvent_t from{}, to{};
  sinter::gpu::check(cudaEventCreate(&from));
  sinter::gpu::check(cudaEventCreate(&to));
  for (int i = 0; i < 5; ++i) call();
  std::vector<float> times(21);
  constexpr int calls = 20;
  for (float& t : times) {
    sinter::gpu::check(cudaEventRecord(from, s));
    for (int i = 0; i < calls; ++i) call();
    sinter::gpu::check(cudaEventRecord(to, s));
    sinter::gpu::check(cudaEventSynchronize(to));
    sinter::gpu::check(cudaEventElapsedTime(&t, from, to));
    t *= 1000.0f / calls;
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

static void bandwidth() {
  std::printf("%12s %14s %14s %10s\n", "floats", "copy, GB/s", "fused, GB/s", "of copy");
  auto const fast = scaled{}.hybridize();
  for (std::int64_t n = 1 << 16; n <= 1 << 28; n *= 4) {
    vector const x(sinter::dims{n}), y(sinter::dims{n});
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
  nd::tensor<float, shape<Batch, 2>, gpu_t> const y;
  float const eager = microseconds([&] { net(x); }), compiled = microseconds([&] { fast(x, y); });
  std::printf("%12d %14.2f %14.2f %14.2f\n", Batch, eager, compiled, empty);
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
}
