// SPDX-License-Identifier: Apache-2.0
// Element types: their names, sizes and NumPy's promotion.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "float16.hpp"

namespace sinter {

// The numbers are those in MXNet's files. Of uint16, uint32 and uint64, which occur in files, there are no tensors.
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
// Whether there are tensors of it; the others occur in files.
constexpr bool has_tensors(dtype t) { return t != dtype::none && t != dtype::uint16 && t != dtype::uint32 && t != dtype::uint64; }
// In MXNet's files, of an array beside a number: where that was a float in Python, integers become float64, and truths are int64 beside others.
constexpr dtype beside_number(dtype t, bool is_int) {
  return is_floating(t) ? t : !is_int ? dtype::float64 : t == dtype::boolean ? dtype::int64 : t;
}
// The dtype of tensors that has this name, or none.
constexpr dtype dtype_named(std::string_view name) {
  for (int t = 0; t <= static_cast<int>(dtype::bfloat16); ++t)
    if (auto const type = static_cast<dtype>(t); has_tensors(type) && name_of(type) == name) return type;
  return dtype::none;
}
// Numbers of fewer than 32 bits are stored so, and computed in float32 or int32 (passes/widen.hpp).
constexpr bool is_narrow(dtype t) {
  constexpr unsigned narrow = 1u << static_cast<int>(dtype::float16) | 1u << static_cast<int>(dtype::bfloat16) |
                              1u << static_cast<int>(dtype::int8) | 1u << static_cast<int>(dtype::uint8) |
                              1u << static_cast<int>(dtype::int16);
  return t != dtype::none && (narrow >> static_cast<int>(t) & 1u) != 0;
}
constexpr dtype computed_in(dtype t) { return !is_narrow(t) ? t : is_floating(t) ? dtype::float32 : dtype::int32; }
// What a sum of many elements is added up in, and has as its dtype: an integer of fewer bits would overflow after a few of them.
constexpr dtype summed_in(dtype t) { return is_floating(t) ? t : computed_in(t); }
// Of two integer dtypes: does one hold all numbers of the other?
constexpr bool holds_integers_of(dtype t, dtype other) {
  return t == other || (t != dtype::uint8 && bytes_of(t) > bytes_of(other));  // uint8 is the only one without negative numbers
}
}  // namespace SINTER_ISA

template <class T> inline constexpr dtype dtype_of = dtype::none;
template <> inline constexpr dtype dtype_of<float> = dtype::float32;
template <> inline constexpr dtype dtype_of<double> = dtype::float64;
template <> inline constexpr dtype dtype_of<std::int32_t> = dtype::int32;
template <> inline constexpr dtype dtype_of<std::int64_t> = dtype::int64;
template <> inline constexpr dtype dtype_of<bool> = dtype::boolean;
template <> inline constexpr dtype dtype_of<float16> = dtype::float16;
template <> inline constexpr dtype dtype_of<bfloat16> = dtype::bfloat16;
template <> inline constexpr dtype dtype_of<std::int8_t> = dtype::int8;
template <> inline constexpr dtype dtype_of<std::int16_t> = dtype::int16;
template <> inline constexpr dtype dtype_of<std::uint8_t> = dtype::uint8;

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
template <> struct type_of_dtype<dtype::float16> {
  using type = sinter::float16;
};
template <> struct type_of_dtype<dtype::bfloat16> {
  using type = sinter::bfloat16;
};
template <> struct type_of_dtype<dtype::int8> {
  using type = std::int8_t;
};
template <> struct type_of_dtype<dtype::int16> {
  using type = std::int16_t;
};
template <> struct type_of_dtype<dtype::uint8> {
  using type = std::uint8_t;
};
template <dtype D> using type_of = typename type_of_dtype<D>::type;

inline namespace SINTER_ISA {
// Within a kind the smallest dtype that holds both; between kinds there is no promotion (`none`): the user casts.
//   int8 and uint8 -> int16;  float16 and bfloat16 -> float32
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (a == dtype::none || b == dtype::none || kind_of(a) != kind_of(b)) return dtype::none;
  if (bytes_of(a) == bytes_of(b)) return is_floating(a) ? dtype::float32 : dtype::int16;
  return bytes_of(a) < bytes_of(b) ? b : a;
}
}  // namespace SINTER_ISA

}  // namespace sinter
