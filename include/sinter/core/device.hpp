// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor lie, as a part of its type. This header has the host; sinter/thrust.hpp adds device::gpu.
#pragma once
#include "buffer.hpp"

namespace sinter::device {

struct cpu_t {
  static constexpr bool is_host = true;
  template <class T> SINTER_OWN static constexpr buffer<T> allocate(std::size_t n, bool clear) { return buffer<T>(n, clear); }
};
inline constexpr cpu_t cpu{};

template <class D>
concept place = requires { D::is_host; };

}  // namespace sinter::device
