// SPDX-License-Identifier: Apache-2.0
// The backend of eager tensors and of networks that name no other.
#pragma once
#include "../core/device.hpp"
#include "reference/reference.hpp"
#if defined(SINTER_THRUST_ONLY)  // the tests: host memory is the device's, or managed
#include "thrust/backend.hpp"
#elif !defined(__CUDACC__) && __has_include("xsimd/backend.hpp") && !defined(SINTER_REFERENCE_ONLY)
#define SINTER_XSIMD 1
#include "xsimd/backend.hpp"
#if defined(SINTER_COMPILED)
#include "xsimd/compiled.hpp"
#endif
#endif

namespace sinter {

// The host's backend as a part of a network's type, with policies. It names no instruction set, so that translation units built for
// different ones share the type; each runs its own kernels.
template <class... Policy> struct on_host {};
// A backend as a part of the type of a network whose graph takes relaxed rewrites.
template <class Backend> struct relaxed_on {};

inline namespace SINTER_ISA {
#if defined(SINTER_THRUST_ONLY)
using default_backend = gpu::waiting_backend;
#elif defined(SINTER_XSIMD)
using default_backend = simd::backend;
#else
using default_backend = reference::backend;
#endif

// What runs the kernels of tensors that lie on a device.
template <class Device> struct backend_of;
template <> struct backend_of<device::cpu_t> {
  using type = default_backend;
};
}  // namespace SINTER_ISA
}  // namespace sinter
