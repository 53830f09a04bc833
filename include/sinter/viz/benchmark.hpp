// SPDX-License-Identifier: Apache-2.0
// How long calls take.
#pragma once
#include <chrono>
#include <iostream>
#include <memory>
#include <string_view>
#include <type_traits>

#include "../core/device.hpp"

namespace sinter::inline SINTER_ISA {

// Calls f() once, which may plan and allocate, and then `repeats` times; prints the time of one of these calls and returns it in seconds.
// Waits for devices before and after.
//   sinter::benchmark("hybridized", [&] { return fast(x); }, 1000);   // hybridized: 3.1 us, the mean of 1000 calls
template <class F> double benchmark(std::string_view label, F&& f, int repeats = 1000, std::ostream& out = std::cout) {
  using clock = std::chrono::steady_clock;
  [[maybe_unused]] static void const* volatile used = nullptr;  // so that no call can be left out
  auto const call = [&] {
    if constexpr (std::is_void_v<decltype(f())>) f();
    else {
      auto const& y = f();
      used = std::addressof(y);
    }
  };
  call();
  waitall();
  auto const start = clock::now();
  for (int i = 0; i < repeats; ++i) call();
  waitall();
  double const seconds = std::chrono::duration<double>(clock::now() - start).count() / (repeats > 0 ? repeats : 1);
  out << label << ": " << seconds * 1e6 << " us, the mean of " << repeats << " calls\n" << std::flush;
  return seconds;
}

}  // namespace sinter::inline SINTER_ISA
