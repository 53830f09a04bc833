// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor lie, as a part of its type. This header has the host; sinter/thrust.hpp adds device::gpu.
#pragma once
#include <atomic>

#include "buffer.hpp"

namespace sinter::device {

namespace detail {
inline std::atomic<void (*)()> wait_for_all{nullptr};  // set by a device that queues its work
}

struct cpu_t {
  static constexpr bool is_host = true;
  template <class T> SINTER_OWN static constexpr buffer<T> allocate(std::size_t n, bool clear) { return buffer<T>(n, clear); }
};
inline constexpr cpu_t cpu{};

template <class D>
concept place = requires { D::is_host; };

}  // namespace sinter::device

namespace sinter::inline SINTER_ISA {

// Until everything that this program queued on devices is done; on the host alone there is nothing to wait for. Throws device_error.
inline void waitall() {
  if (auto* const wait = device::detail::wait_for_all.load()) wait();
}

}  // namespace sinter::inline SINTER_ISA
