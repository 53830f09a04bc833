// SPDX-License-Identifier: Apache-2.0
// The attributes of an operation: named and typed members in the operation's own code, a sequence of 64-bit words in a graph.
#pragma once
#include <initializer_list>
#include <string_view>

#include "../core/list.hpp"
#include "../core/shape.hpp"
#include "number.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// Up to max_rank whole numbers in order: axes, or where a range begins on each axis.
struct int_list {
  int n = 0;
  std::int64_t at[max_rank]{};
  constexpr int_list() = default;
  constexpr int_list(std::initializer_list<std::int64_t> v) {
    for (std::int64_t i : v) push(i);
  }
  constexpr void push(std::int64_t v) { at[n++] = v; }
  constexpr std::int64_t operator[](int i) const { return at[i]; }
};

// An operation declares a struct with such members; `each` names them for code that does not know the operation:
//   struct attributes {
//     int axis = 0;
//     bool keepdims = false;
//     static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("keepdims", a.keepdims); }
//   };
// bool, int, std::int64_t, double, dtype, number, dims and int_list can be members.
enum class attribute_kind : std::int8_t { truth, whole, real, type, number, extents, list };
struct attribute_field {
  std::string_view name;
  attribute_kind kind = attribute_kind::whole;
};
struct no_attributes {
  static constexpr void each(auto&, auto&&) {}
};
using words = list<std::int64_t>;

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {
struct word_writer {
  words& to;
  constexpr void operator()(char const*, bool v) const { to.push(v); }
  constexpr void operator()(char const*, int v) const { to.push(v); }
  constexpr void operator()(char const*, std::int64_t v) const { to.push(v); }
  constexpr void operator()(char const*, double v) const { to.push(std::bit_cast<std::int64_t>(v)); }
  constexpr void operator()(char const*, dtype v) const { to.push(static_cast<std::int64_t>(v)); }
  constexpr void operator()(char const*, number const& v) const {
    to.push(v.is_whole);
    to.push(v.is_whole ? v.whole : std::bit_cast<std::int64_t>(v.real));
  }
  constexpr void operator()(char const*, dims const& v) const { array(v.rank, v.d); }
  constexpr void operator()(char const*, int_list const& v) const { array(v.n, v.at); }

 private:
  constexpr void array(int n, std::int64_t const* v) const {
    to.push(n);
    for (int i = 0; i < n; ++i) to.push(v[i]);
  }
};
struct word_reader {
  std::int64_t const* from;
  constexpr void operator()(char const*, bool& v) { v = *from++ != 0; }
  constexpr void operator()(char const*, int& v) { v = static_cast<int>(*from++); }
  constexpr void operator()(char const*, std::int64_t& v) { v = *from++; }
  constexpr void operator()(char const*, double& v) { v = std::bit_cast<double>(*from++); }
  constexpr void operator()(char const*, dtype& v) { v = static_cast<dtype>(*from++); }
  constexpr void operator()(char const*, number& v) {
    bool const whole = *from++ != 0;
    v = whole ? number(*from) : number(std::bit_cast<double>(*from));
    ++from;
  }
  constexpr void operator()(char const*, dims& v) { v.rank = array(v.d); }
  constexpr void operator()(char const*, int_list& v) { v.n = array(v.at); }

 private:
  constexpr int array(std::int64_t* to) {
    int const n = static_cast<int>(*from++);
    for (int i = 0; i < n; ++i) to[i] = *from++;
    return n;
  }
};
constexpr attribute_kind kind_of_attribute(bool) { return attribute_kind::truth; }
constexpr attribute_kind kind_of_attribute(int) { return attribute_kind::whole; }
constexpr attribute_kind kind_of_attribute(std::int64_t) { return attribute_kind::whole; }
constexpr attribute_kind kind_of_attribute(double) { return attribute_kind::real; }
constexpr attribute_kind kind_of_attribute(dtype) { return attribute_kind::type; }
constexpr attribute_kind kind_of_attribute(number const&) { return attribute_kind::number; }
constexpr attribute_kind kind_of_attribute(dims const&) { return attribute_kind::extents; }
constexpr attribute_kind kind_of_attribute(int_list const&) { return attribute_kind::list; }

inline constexpr int most_attributes = 16;
struct field_list {
  int n = 0;
  attribute_field rows[most_attributes]{};
};
template <class A> constexpr field_list fields_of() {
  field_list r;
  A a{};
  A::each(a, [&](std::string_view name, auto const& v) { r.rows[r.n++] = {name, kind_of_attribute(v)}; });
  return r;
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

template <class A> constexpr words pack(A const& a) {
  words w;
  A::each(a, detail::word_writer{w});
  return w;
}
template <class A> constexpr A unpack(std::int64_t const* from) {
  A a{};
  A::each(a, detail::word_reader{from});
  return a;
}
template <class A> inline constexpr detail::field_list attribute_fields = detail::fields_of<A>();

}  // namespace SINTER_ISA
}  // namespace sinter
