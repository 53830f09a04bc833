// SPDX-License-Identifier: Apache-2.0
// Compiled once for each component: its target brings along the packages that it needs. Their headers would be found without it, too.
#if !defined(PACKAGED_BOOST) || !defined(PACKAGED_XSIMD)
#error "the component does not require Boost and xsimd"
#endif
#if defined(NEEDS_json) && !defined(PACKAGED_NLOHMANN_JSON)
#error "sinter::json does not require nlohmann_json"
#endif
#if defined(NEEDS_npz) && !defined(PACKAGED_LIBZIP)
#error "sinter::npz does not require libzip"
#endif
#if defined(NEEDS_onnx) && !defined(PACKAGED_PROTOZERO)
#error "sinter::onnx does not require protozero"
#endif
#if defined(NEEDS_xtensor) && !defined(PACKAGED_XTENSOR)
#error "sinter::xtensor does not require xtensor"
#endif
