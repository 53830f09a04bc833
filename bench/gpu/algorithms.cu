// SPDX-License-Identifier: Apache-2.0
// What Thrust and CUB do, beside sinter's calls: results are compared first, then both are timed. `bench/gpu/run` builds and runs it.
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_transform.cuh>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sinter/thrust.hpp>
#include <vector>

#include "microseconds.hpp"

namespace nd = sinter::nd;
using sinter::axis;
using sinter::dim;
using sinter::dims;
using sinter::shape;
using sinter::device::gpu_t;
template <class T> using line = nd::tensor<T, shape<dim<"n">>, gpu_t>;
template <class T> using table = nd::tensor<T, shape<dim<"n">, dim<"m">>, gpu_t>;

static cudaStream_t stream() { return sinter::gpu::current().handle; }

// Memory for a call of CUB's, which asks for it without memory first.
class scratch {
 public:
  template <class Call> explicit scratch(Call const& call) {
    sinter::gpu::check(call(nullptr, bytes_));
    memory_ = line<std::int8_t>(dims{static_cast<std::int64_t>(bytes_)});
  }
  template <class Call> void run(Call const& call) {
    std::size_t bytes = bytes_;
    sinter::gpu::check(call(memory_.data(), bytes));
  }

 private:
  std::size_t bytes_ = 0;
  line<std::int8_t> memory_;
};

static void print(char const* what, std::int64_t bytes, float ours, float theirs) {
  std::printf("%-44s %12.2f %12.2f %9.2f %12.1f\n", what, ours, theirs, theirs / ours,
              static_cast<double>(bytes) / static_cast<double>(ours) * 1e-3);
}
static void fail(char const* what) {
  std::printf("%s: the results differ\n", what);
  std::exit(1);
}
template <class T> static void check_same(char const* what, std::vector<T> const& a, std::vector<T> const& b, double bound) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= bound)) fail(what);
}

static line<float> random_line(std::int64_t n) {
  nd::tensor<float, shape<dim<"n">>> x(dims{n});
  for (std::int64_t i = 0; i < n; ++i) x.data()[i] = static_cast<float>(sinter::uniform_number(1, static_cast<std::uint64_t>(i)));
  return x.to(sinter::device::gpu);
}

struct twice_and_one {
  __host__ __device__ float operator()(float v) const { return v * 2 + 1; }
};
static void elementwise(std::int64_t n) {
  line<float> const x = random_line(n);
  line<float> ours(dims{n}), cubs(dims{n}), thrusts(dims{n});
  sinter::nn::hybrid_lambda const net{[](auto F, auto v) { return v * 2 + 1; }};
  auto const fast = net.hybridize();
  auto const cub_call = [&] { sinter::gpu::check(cub::DeviceTransform::Transform(x.data(), cubs.data(), n, twice_and_one{}, stream())); };
  auto const thrust_call = [&] {
    thrust::transform(thrust::cuda::par_nosync.on(stream()), x.data(), x.data() + n, thrusts.data(), twice_and_one{});
  };
  fast(x, ours);
  cub_call();
  thrust_call();
  check_same("elementwise", ours.to_vector(), cubs.to_vector(), 0);
  check_same("elementwise", ours.to_vector(), thrusts.to_vector(), 0);
  float const us = microseconds([&] { fast(x, ours); });
  print("x * 2 + 1, beside cub::DeviceTransform", 8 * n, us, microseconds(cub_call));
  print("x * 2 + 1, beside thrust::transform", 8 * n, us, microseconds(thrust_call));
}
static void sums(std::int64_t n) {
  line<float> const x = random_line(n);
  line<float> theirs(dims{1});
  auto const cub_call = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, x.data(), theirs.data(), n, stream());
  };
  scratch memory(cub_call);
  memory.run(cub_call);
  nd::tensor<float, shape<>, gpu_t> ours = sinter::sum(x);
  check_same("sum", ours.to_vector(), theirs.to_vector(), 1e-4 * static_cast<double>(n));
  print("sum", 4 * n, microseconds([&] { nd::out(ours).sum(x); }), microseconds([&] { memory.run(cub_call); }));
}
static void sorts(std::int64_t n) {
  line<float> const x = random_line(n);
  line<float> ours(dims{n}), theirs(dims{n});
  auto const cub_call = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, x.data(), theirs.data(), n, 0, 32, stream());
  };
  scratch memory(cub_call);
  memory.run(cub_call);
  nd::out(ours).sort(x);
  check_same("sort", ours.to_vector(), theirs.to_vector(), 0);
  float const cubs = microseconds([&] { memory.run(cub_call); });
  print("sort, beside a sort of keys alone", 8 * n, microseconds([&] { nd::out(ours).sort(x); }), cubs);
  line<std::int64_t> places(dims{n});
  print("argsort, beside a sort of keys alone", 12 * n, microseconds([&] { nd::out(places).argsort(x); }), cubs);
}
static void scans(std::int64_t n) {
  line<float> const x = random_line(n);
  line<float> ours(dims{n}), theirs(dims{n});
  auto const cub_call = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, x.data(), theirs.data(), n, stream());
  };
  scratch memory(cub_call);
  memory.run(cub_call);
  nd::out(ours).cumsum(x);
  check_same("cumsum", ours.to_vector(), theirs.to_vector(), 1e-4 * static_cast<double>(n));
  print("cumsum", 8 * n, microseconds([&] { nd::out(ours).cumsum(x); }), microseconds([&] { memory.run(cub_call); }));
}
static void many(std::int64_t rows, std::int64_t columns) {
  table<float> const x(dims{rows, columns});
  line<float> down(dims{columns}), along(dims{rows});
  table<float> sorted(dims{rows, columns});
  char what[80];
  std::snprintf(what, sizeof what, "sum down the columns of %lld x %lld", static_cast<long long>(rows), static_cast<long long>(columns));
  float const copy = microseconds([&] { gpu_t::copy(sorted.data(), x.data(), static_cast<std::size_t>(x.size()) * 4); });
  print(what, 4 * x.size(), microseconds([&] { nd::out(down).sum(x, axis<0>); }), copy);
  std::snprintf(what, sizeof what, "sum along its rows");
  print(what, 4 * x.size(), microseconds([&] { nd::out(along).sum(x, axis<1>); }), copy);
  std::snprintf(what, sizeof what, "sort of its rows");
  print(what, 8 * x.size(), microseconds([&] { nd::out(sorted).sort(x); }), copy);
}

int main() {
  if (!sinter::device::gpu.available()) return 77;
  std::printf("%-44s %12s %12s %9s %12s\n", "", "us", "theirs, us", "ratio", "GB/s");
  for (std::int64_t const n : {1 << 16, 1 << 20, 1 << 24}) {
    std::printf("%lld floats\n", static_cast<long long>(n));
    elementwise(n);
    sums(n);
    sorts(n);
    scans(n);
  }
  std::printf("words of a vocabulary\n");
  sorts(50257);
  std::printf("tables, beside a copy\n");
  many(1 << 20, 16);
  many(4096, 4096);
  many(65536, 100);
  many(64, 50257);
}
