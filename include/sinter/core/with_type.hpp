// SPDX-License-Identifier: Apache-2.0
// From a dtype that is known when the program runs to the element type.
#pragma once
#include "dtype.hpp"
#include "error.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// Calls `f` with a null pointer to the element type that `t` names, where it is one that operations compute in.
template <class F> constexpr auto with_computed_type(dtype t, F&& f) {
  switch (t) {
    case dtype::float64: return f(static_cast<double*>(nullptr));
    case dtype::int32: return f(static_cast<std::int32_t*>(nullptr));
    case dtype::int64: return f(static_cast<std::int64_t*>(nullptr));
    case dtype::boolean: return f(static_cast<bool*>(nullptr));
    case dtype::float32: return f(static_cast<float*>(nullptr));
    default: throw dtype_error("sinter: nothing is computed in " + std::string(name_of(t)));
  }
}
// The same for every dtype of which there are tensors.
template <class F> constexpr auto with_type(dtype t, F&& f) {
  switch (t) {
    case dtype::float16: return f(static_cast<float16*>(nullptr));
    case dtype::bfloat16: return f(static_cast<bfloat16*>(nullptr));
    case dtype::int8: return f(static_cast<std::int8_t*>(nullptr));
    case dtype::int16: return f(static_cast<std::int16_t*>(nullptr));
    case dtype::uint8: return f(static_cast<std::uint8_t*>(nullptr));
    default: return with_computed_type(t, f);
  }
}

}  // namespace SINTER_ISA
}  // namespace sinter
