// SPDX-License-Identifier: Apache-2.0
// Element types: their names, sizes and NumPy's promotion.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "config.hpp"

namespace sinter {

// The numbers are those in MXNet's files. float16, bfloat16 and the small integers occur in files; there are no tensors of them yet.
enum class dtype : std::int8_t {
  float32 = 0,
  float64 = 1,
  float16 = 2,
  uint8 = 3,
  int32 = 4,
  int8 = 5,
  int64 = 6,
  boolean = 7,
  int16 = 8,
  uint16 = 9,
  uint32 = 10,
  uint64 = 11,
  bfloat16 = 12,
  none = -1
};
enum class dtype_kind : std::int8_t { boolean, integer, floating };

namespace detail {
struct dtype_row {
  std::string_view name;
  int bytes;
  dtype_kind kind;
};
inline constexpr dtype_row dtype_rows[] = {
    {"float32", 4, dtype_kind::floating}, {"float64", 8, dtype_kind::floating}, {"float16", 2, dtype_kind::floating},
    {"uint8", 1, dtype_kind::integer},    {"int32", 4, dtype_kind::integer},    {"int8", 1, dtype_kind::integer},
    {"int64", 8, dtype_kind::integer},    {"bool", 1, dtype_kind::boolean},     {"int16", 2, dtype_kind::integer},
    {"uint16", 2, dtype_kind::integer},   {"uint32", 4, dtype_kind::integer},   {"uint64", 8, dtype_kind::integer},
    {"bfloat16", 2, dtype_kind::floating}};
}  // namespace detail

inline namespace SINTER_ISA {
constexpr std::string_view name_of(dtype t) { return t == dtype::none ? "none" : detail::dtype_rows[static_cast<int>(t)].name; }
constexpr int bytes_of(dtype t) { return t == dtype::none ? 0 : detail::dtype_rows[static_cast<int>(t)].bytes; }
constexpr dtype_kind kind_of(dtype t) { return detail::dtype_rows[static_cast<int>(t)].kind; }
constexpr bool is_floating(dtype t) { return t != dtype::none && kind_of(t) == dtype_kind::floating; }
}  // namespace SINTER_ISA

template <class T> inline constexpr dtype dtype_of = dtype::none;
template <> inline constexpr dtype dtype_of<float> = dtype::float32;
template <> inline constexpr dtype dtype_of<double> = dtype::float64;
template <> inline constexpr dtype dtype_of<std::int32_t> = dtype::int32;
template <> inline constexpr dtype dtype_of<std::int64_t> = dtype::int64;
template <> inline constexpr dtype dtype_of<bool> = dtype::boolean;

template <class T>
concept element_type = dtype_of<std::remove_const_t<T>> != dtype::none;

template <dtype> struct type_of_dtype;
template <> struct type_of_dtype<dtype::float32> {
  using type = float;
};
template <> struct type_of_dtype<dtype::float64> {
  using type = double;
};
template <> struct type_of_dtype<dtype::int32> {
  using type = std::int32_t;
};
template <> struct type_of_dtype<dtype::int64> {
  using type = std::int64_t;
};
template <> struct type_of_dtype<dtype::boolean> {
  using type = bool;
};
template <dtype D> using type_of = typename type_of_dtype<D>::type;

inline namespace SINTER_ISA {
// Calls `f` with a null pointer to the element type that `t` names.
template <class F> constexpr auto with_type(dtype t, F&& f) {
  switch (t) {
    case dtype::float64: return f(static_cast<double*>(nullptr));
    case dtype::int32: return f(static_cast<std::int32_t*>(nullptr));
    case dtype::int64: return f(static_cast<std::int64_t*>(nullptr));
    case dtype::boolean: return f(static_cast<bool*>(nullptr));
    default: return f(static_cast<float*>(nullptr));
  }
}

// Within a kind the wider wins; between kinds there is no promotion (`none`): the user casts.
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (a == dtype::none || b == dtype::none || kind_of(a) != kind_of(b)) return dtype::none;
  return bytes_of(a) < bytes_of(b) ? b : a;
}
}  // namespace SINTER_ISA

}  // namespace sinter
