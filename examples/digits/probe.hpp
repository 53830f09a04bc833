// SPDX-License-Identifier: Apache-2.0
// How long this core needs to read so many bytes that stay in its cache: what no kernel that reads its weights once can beat.
#pragma once
#include <chrono>
#include <cstddef>
#include <vector>
#include <xsimd/xsimd.hpp>

// The shortest of many runs, in microseconds: the machine is not ours alone.
template <class Run> double microseconds(Run run) {
  double best = 1e30;
  for (int block = 0; block < 200; ++block) {
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i) run();
    double const now = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / 10;
    best = now < best ? now : best;
  }
  return best;
}

inline double read_time(std::size_t bytes) {
  using batch = xsimd::batch<float>;
  std::vector<float> v(bytes / sizeof(float) + 8 * batch::size);
  return microseconds([&] {
    for (float const *p = v.data(), *end = p + bytes / sizeof(float); p < end; p += 8 * batch::size)
      for (std::size_t i = 0; i < 8; ++i) {
        auto const loaded = batch::load_unaligned(p + i * batch::size).data;
        __asm__ volatile("" ::"x"(loaded));  // nothing is done with it, and it may not be left out
      }
  });
}
