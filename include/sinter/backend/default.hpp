// SPDX-License-Identifier: Apache-2.0
// The backend of eager tensors and of networks that name no other.
#pragma once
#include "reference/reference.hpp"
#if !defined(__CUDACC__) && __has_include("xsimd/backend.hpp") && !defined(SINTER_REFERENCE_ONLY)
#include "xsimd/backend.hpp"
#endif

namespace sinter {
#if !defined(__CUDACC__) && __has_include("xsimd/backend.hpp") && !defined(SINTER_REFERENCE_ONLY)
using default_backend = simd::backend;
#else
using default_backend = reference::backend;
#endif
}  // namespace sinter
