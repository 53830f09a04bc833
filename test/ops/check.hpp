// SPDX-License-Identifier: Apache-2.0
// Compares results with expected values to the tolerance of the operation, and runs elementwise operations over every kind of layout.
#pragma once
#include <sinter/nn/space.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>

#include "../builds.hpp"
#include "../catch.hpp"
#ifndef __CUDACC__  // which cannot read the interpreter, and whose programs have none
#include "interpreted.hpp"
#endif
#include "names.hpp"
#include "records.hpp"
#include "tolerance.hpp"
#if defined(SINTER_TEST_RECORD)
#include "recorded.hpp"
#endif

namespace test {

// The operations that some test of this program compares with expected values; coverage.cpp wants all of them.
inline std::set<std::string_view>& checked_ops() {
  static std::set<std::string_view> names;
  return names;
}
template <class Op> struct checked {
  static inline bool const marked = checked_ops().insert(sinter::ops::op_name<Op>).second;
};

// The distance of a float or double from the true value in units in the last place at that value; -1 where no distance is small enough: one
// of them is NaN, infinite or a zero of the other sign, and the other is not.
template <class T> long double ulps(T got, double want, bool sign_of_zero) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : -1;
  if (std::isinf(want)) return static_cast<double>(got) == want ? 0 : -1;
  if (want == 0 && got == 0) return !sign_of_zero || std::signbit(got) == std::signbit(want) ? 0 : -1;
  // The next power of two stands in for an infinity that rounding makes.
  long double const top = std::ldexp(1.0L, limits::max_exponent);
  long double const g = std::isinf(got) ? std::copysign(top, static_cast<long double>(got)) : static_cast<long double>(got);
  long double const w = std::clamp(static_cast<long double>(want), -top, top);
  int exponent = 0;
  std::frexp(w == 0 ? 0 : std::min(std::abs(w), static_cast<long double>(limits::max())), &exponent);
  if (w == 0) exponent = limits::min_exponent;
  return std::abs(g - w) / std::ldexp(1.0L, std::max(exponent, limits::min_exponent) - limits::digits);
}
// The same, in units of the last place of 1: what a bound is measured in.
template <class T> long double roundings(T got, double want) {
  return std::abs(static_cast<long double>(got) - static_cast<long double>(want)) / std::ldexp(1.0L, -std::numeric_limits<T>::digits);
}

// What differs, as a sentence; empty when nothing does. `bound`, where given, widens the tolerance element by element.
template <class T> std::string mismatch(tolerance const& t, any_array<T> const& got, any_array<wanted<T>> const& want,
                                        any_array<double> const* bound) {
  double const allowed = std::is_same_v<T, float> ? t.float32 : t.float64;
  std::ostringstream out;
  out.precision(17);
  if (got.shape != want.shape) {
    out << t.op << ": the shape is " << to_string(got.shape) << ", not " << to_string(want.shape);
    return out.str();
  }
  for (extent i = 0, n = want.shape.size(); i < n; ++i) {
    T const g = got[i];
    wanted<T> const w = want[i];
    bool ok = g == w;
    long double away = 0;
    if constexpr (std::is_floating_point_v<T>) {
      away = ulps(g, w, t.sign_of_zero && !bound);
      ok = away >= 0 && away <= allowed;
      if (!ok && away >= 0 && bound) ok = roundings(g, w) <= (*bound)[i] + 2 * allowed * std::abs(w);
    }
    if (ok) continue;
    out << t.op << ' ' << sinter::name_of(sinter::dtype_of<T>) << to_string(got.shape) << " element " << i << ": " << +g << " instead of "
        << +w;
    if constexpr (std::is_floating_point_v<T>) {
      if (away > 0) out << ", " << static_cast<double>(away) << " ulp away; allowed are " << allowed;
      if (bound) out << " or " << (*bound)[i] << " roundings, not " << static_cast<double>(roundings(g, w));
    }
    return out.str();
  }
  return {};
}
template <class T> void compare_with_record(tolerance const& t, any_array<T> const& got, records const& r, std::string const& name) {
  auto const want = r.find<wanted<T>>(name);
  if (std::is_floating_point_v<T> && r.has<double>(name + ".bound")) {
    auto const bound = r.find<double>(name + ".bound");
    CHECK(mismatch<T>(t, got, want, &bound) == "");
  } else CHECK(mismatch<T>(t, got, want, nullptr) == "");
}
template <class Op, class T, class S, class W, class V, class... Bound>
std::string mismatch(nd::tensor<T, S> const& got, nd::tensor<W, V> const& want, Bound const&... bound) {
  static_assert(std::is_same_v<W, wanted<T>>, "the result has another dtype than the expected one");
  static constexpr tolerance t = tolerance_of<Op>();
  (void)checked<Op>::marked;
  if constexpr (sizeof...(Bound) == 0) {
#if defined(SINTER_TEST_RECORD)
    record_result<T>(ops::op_name<Op>, got.data(), any_array<W>(want), nullptr);
#endif
    return mismatch<T>(t, any_array<T>(got), any_array<W>(want), nullptr);
  } else {
    any_array<double> const bounds[]{any_array<double>(bound)...};
#if defined(SINTER_TEST_RECORD)
    record_result<T>(ops::op_name<Op>, got.data(), any_array<W>(want), bounds);
#endif
    return mismatch<T>(t, any_array<T>(got), any_array<W>(want), bounds);
  }
}
// Whether the interpreter can run it: what is created of no operand is no symbol.
template <class... A> constexpr bool is_interpreted() { return has_interpreter && (nd::is_tensor<A> || ...); }
// Whether an operation is called with these operands: another dtype or shape costs a compiler another kernel, so that of float64 and int32,
// whose shapes are those of float32 and int64, some are only interpreted, and under a sanitizer int64, too.
template <class... A> constexpr bool is_called() {
  [[maybe_unused]] constexpr auto is_left_out = []<class X>(std::type_identity<X>) {
    if constexpr (nd::is_tensor<X>)
      return std::is_same_v<typename X::value_type, double> || std::is_same_v<typename X::value_type, std::int32_t> ||
             (SINTER_SANITIZED && std::is_same_v<typename X::value_type, std::int64_t>);
    else return false;
  };
#if defined(SINTER_TEST_RECORD)
  return !is_interpreted<A...>();
#elif defined(SINTER_TEST_NAMED)
  return !(is_left_out(std::type_identity<A>{}) || ...);
#else
  return !is_interpreted<A...>() || !(is_left_out(std::type_identity<A>{}) || ...);
#endif
}
// The operation called with names for the extents in the program that is about them, where it can be.
template <class Op, class... A> auto call_as_this_program_does(A const&... a) {
#if defined(SINTER_TEST_NAMED)
  constexpr bool named = ops::call_rule<Op, decltype(with_names(a))...>::ok;
#else
  constexpr bool named = false;
#endif
  if constexpr (named) return ops::function<Op>{}(with_names(a)...);
  else return ops::function<Op>{}(a...);
}
template <class Op, class T, class S> void compare_result(nd::tensor<T, S> const& got, records const& r, std::string const& name) {
  static constexpr tolerance t = tolerance_of<Op>();
  INFO(name);
  if (!nd::tensor<T, S>::fits(r.find<wanted<T>>(name).shape)) FAIL("the type of the result has another shape than the record");
  compare_with_record(t, any_array<T>(got), r, name);
}
#if defined(SINTER_TEST_RECORD)
template <class T> void record_wanted(records const& r, std::string const& name) {
  if (std::is_floating_point_v<T> && r.has<double>(name + ".bound")) {
    auto const bound = r.find<double>(name + ".bound");
    write_result(*recording(), name_of(sinter::dtype_of<T>), r.find<wanted<T>>(name), &bound);
  } else write_result(*recording(), name_of(sinter::dtype_of<T>), r.find<wanted<T>>(name), nullptr);
}
// The call with these records as its results: `name`, or of several name.0, name.1, ...
template <int Several, class Op, class... A> void record_call(records const& r, std::string const& name,
                                                              A const&... operands_and_keywords) {
  std::string const call = text_of_call<Op>(operands_and_keywords...);
  if (call.empty()) return;
  *recording() << call << " =";
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (record_wanted<typename ops::call_rule<Op, A...>::template result_of<I>::value_type>(r,
                                                                                         Several ? name + "." + std::to_string(I) : name),
     ...);
  }(std::make_integer_sequence<int, Several ? Several : 1>{});
  *recording() << (runs_with_names<Op>(operands_and_keywords...) ? "\n" : " unnamed\n");
}
#endif
// Calls the operation, and lets the interpreter run it, and compares the results with the record of this name, whose bound is that of the
// record `name.bound` where there is one.
template <class Op, class... A> void compare(records const& r, std::string const& name, A const&... operands_and_keywords) {
  (void)checked<Op>::marked;
  if constexpr (is_called<A...>()) compare_result<Op>(call_as_this_program_does<Op>(operands_and_keywords...), r, name);
  if constexpr (is_interpreted<A...>())
    compare_result<Op>(interpreted_result<0, Op, A...>(interpreted<Op>(false, operands_and_keywords...)), r, name);
#if defined(SINTER_TEST_RECORD)
  record_call<0, Op>(r, name, operands_and_keywords...);
#endif
}
// The same for an operation with several results, whose records are name.0, name.1, ...
template <class Op, class... A> void compare_several(records const& r, std::string const& name, A const&... operands_and_keywords) {
  (void)checked<Op>::marked;
  auto const part = [&](std::size_t i) { return name + "." + std::to_string(i); };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (is_called<A...>()) {
      auto const results = call_as_this_program_does<Op>(operands_and_keywords...);
      (compare_result<Op>(std::get<I>(results), r, part(I)), ...);
    }
    if constexpr (is_interpreted<A...>()) {
      auto const results = interpreted<Op>(false, operands_and_keywords...);
      (compare_result<Op>(interpreted_result<static_cast<int>(I), Op, A...>(results), r, part(I)), ...);
    }
  }(std::make_index_sequence<ops::call_rule<Op, A...>::results>{});
#if defined(SINTER_TEST_RECORD)
  record_call<ops::call_rule<Op, A...>::results, Op>(r, name, operands_and_keywords...);
#endif
}
// The same as an assertion, which costs the compiler less when it is written thousands of times.
inline void expect(std::string const& mismatch) { CHECK(mismatch == ""); }

// Elements of a list, from place `first` on and around its end, in another shape.
template <class S, class T, class V> nd::tensor<T, S> part(nd::tensor<T, V> const& list, extent first = 0) {
  nd::tensor<T, S> t(S::value, false);
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = list[(first + i) % list.size()];
  return t;
}
template <class T, class V> auto batch(nd::tensor<T, V> const& list, extent rows) {
  nd::tensor<T, shape<dim<"batch">, 3>> t(dims{rows, 3}, false);
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = list[i % list.size()];
  return t;
}
inline constexpr extent batches[] = {0, 1, 7, 64};

// Calls f with the same part of each list, in the layouts for which the code of an operation differs: long and odd, with steps forwards and
// backwards.
template <class F, class... List> void in_main_layouts(F const& f, List const&... list) {
  using namespace sinter;
  f(part<shape<1003>>(list)...);
  f(slice(part<shape<7, 9>>(list), begin<1, 8>, step<2, -3>)...);
}
// The same, and one number, one element, none, two odd axes, transposed, stretched, with a dynamic extent: which only kernels see.
template <class F, class... List> void in_every_layout(F const& f, List const&... list) {
  using namespace sinter;
  in_main_layouts(f, list...);
  f(part<shape<>>(list, 3)...);
  f(part<shape<1>>(list, 4)...);
  f(part<shape<0>>(list)...);
  f(part<shape<3, 5>>(list, 10)...);
  f(transpose(part<shape<2, 3, 4>>(list, 25))...);
  f(broadcast_to(part<shape<3, 1>>(list, 49), into<3, 4>)...);
  for (extent const n : batches) f(batch(list, n)...);
}

}  // namespace test
