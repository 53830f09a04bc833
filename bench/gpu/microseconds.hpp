// SPDX-License-Identifier: Apache-2.0
// How long a call takes on the device.
#pragma once
#include <algorithm>
#include <sinter/thrust.hpp>
#include <vector>

// Microseconds of one call: the median of many, by the device's own clock.
template <class Call> float microseconds(Call call) {
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
