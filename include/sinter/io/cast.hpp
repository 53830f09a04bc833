// SPDX-License-Identifier: Apache-2.0
// The elements of an array from a file, in the element type that a program wants.
#pragma once
#include <bit>
#include <cmath>
#include <limits>

#include "array.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// `to` becomes v, rounded where `To` has fewer digits behind the point. False where it cannot: 300 is no bool, 1e300 no float, 0.5 no
// integer.
template <class To, class From> bool cast_to(To& to, From v) {
  if constexpr (std::is_same_v<To, bool>) {
    if (!(v == From{0} || v == From{1})) return false;
  } else if constexpr (std::is_floating_point_v<From>) {
    if constexpr (std::is_floating_point_v<To>) {
      if (std::isfinite(v) && std::abs(static_cast<double>(v)) > static_cast<double>(std::numeric_limits<To>::max())) return false;
    } else if (double const d = static_cast<double>(v), least = static_cast<double>(std::numeric_limits<To>::min()),
               limit = static_cast<double>(std::numeric_limits<To>::max()) + 1;
               !(d >= least && d < limit) || d != std::trunc(d))
      return false;
  } else if constexpr (!std::is_floating_point_v<To> && !std::is_same_v<From, bool>) {
    To const kept = static_cast<To>(v);
    if (static_cast<From>(kept) != v || (kept > To{0}) != (v > From{0})) return false;
  }
  to = static_cast<To>(v);  // NOLINT(bugprone-signed-char-misuse): a number, no letter
  return true;
}

template <class To, class From> bool cast_any(To& to, From v) {
  if constexpr (is_float16<From>) return cast_any(to, static_cast<float>(v));
  else if constexpr (is_float16<To>) {
    to = To(v);
    return !std::isinf(static_cast<float>(to)) || !std::isfinite(static_cast<double>(v));
  } else return cast_to(to, v);
}

template <class Stored, class T> void cast_all(array const& a, T* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Stored v;
    std::memcpy(&v, a.data.data() + i * sizeof v, sizeof v);
    if (!cast_any(to[i], v)) {
      char number[32];
      std::snprintf(number, sizeof number, "%.9g", static_cast<double>(v));
      throw dtype_error("sinter: element " + std::to_string(i) + " of array " + in_quotes(a.name) + " is " + std::string(number) +
                        ", which " + std::string(name_of(dtype_of<T>)) + " cannot hold");
    }
  }
}
template <class T> void cast_elements(array const& a, T* to, std::size_t n) {
  switch (a.type) {
    case dtype::float32: return cast_all<float>(a, to, n);
    case dtype::float64: return cast_all<double>(a, to, n);
    case dtype::float16: return cast_all<float16>(a, to, n);
    case dtype::bfloat16: return cast_all<bfloat16>(a, to, n);
    case dtype::boolean: return cast_all<bool>(a, to, n);
    case dtype::int8: return cast_all<std::int8_t>(a, to, n);
    case dtype::int16: return cast_all<std::int16_t>(a, to, n);
    case dtype::int32: return cast_all<std::int32_t>(a, to, n);
    case dtype::int64: return cast_all<std::int64_t>(a, to, n);
    case dtype::uint8: return cast_all<std::uint8_t>(a, to, n);
    case dtype::uint16: return cast_all<std::uint16_t>(a, to, n);
    case dtype::uint32: return cast_all<std::uint32_t>(a, to, n);
    case dtype::uint64: return cast_all<std::uint64_t>(a, to, n);
    case dtype::none: break;
  }
  throw dtype_error("sinter: array " + in_quotes(a.name) + " has no element type");
}

// The number of elements, of which the array has as many as its shape says.
inline std::size_t checked_count(array const& a) {
  auto const bytes = checked_bytes(a.shape, a.type);
  if (a.type == dtype::none || !bytes || *bytes != a.data.size())
    throw shape_error("sinter: array " + in_quotes(a.name) + " has " + std::to_string(a.data.size()) + " bytes of data, which are no " +
                      std::string(name_of(a.type)) + " array of shape " + to_string(a.shape));
  return a.data.size() / static_cast<std::size_t>(bytes_of(a.type));
}

template <class T> [[noreturn]] void refuse_dtype(array const& a) {
  throw dtype_error("sinter: array " + in_quotes(a.name) + " has elements of " + std::string(name_of(a.type)) + ", not of " +
                    std::string(name_of(dtype_of<T>)) + "; {.cast_dtype = true} converts them");
}

// All elements of an array, whose number is checked_count(a), to where they have room.
template <class T> void copy_elements(array const& a, T* to, bool cast) {
  if (a.type == dtype_of<T>) {
    if (!a.data.empty()) std::memcpy(to, a.data.data(), a.data.size());
  } else if (cast) cast_elements(a, to, checked_count(a));
  else refuse_dtype<T>(a);
}

}  // namespace sinter::io::inline SINTER_ISA::detail
