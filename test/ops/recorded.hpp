// SPDX-License-Identifier: Apache-2.0
// Writes what the tests of operations compare as cases (cases.hpp) into the file that SINTER_RECORD_OPS names, in the program ops/recorded,
// which is built with SINTER_TEST_RECORD: test/data/ops/cases.py makes recorded.txt of them.
#pragma once
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

#include "interpreted.hpp"
#include "records.hpp"

namespace test {

// Null where nothing is recorded.
inline std::ostream* recording() {
  static std::ofstream file = [] {
    char const* const name = std::getenv("SINTER_RECORD_OPS");
    return name ? std::ofstream(name, std::ios::app) : std::ofstream();
  }();
  return file.is_open() ? &file : nullptr;
}
template <class E> void write_elements(std::ostream& out, any_array<E> const& a) {
  out << '[' << std::hexfloat;
  for (extent i = 0, n = a.shape.size(); i < n; ++i) {
    out << (i ? "," : "");
    if constexpr (std::is_floating_point_v<E>) out << static_cast<double>(a[i]);
    else out << +a[i];
  }
  out << ']';
}
template <class E> void write_array(std::ostream& out, any_array<E> const& a, std::string_view type) {
  out << type << '(';
  for (int k = 0; k < a.shape.rank; ++k) out << (k ? "," : "") << a.shape.d[k];
  out << ')';
  write_elements(out, a);
}
struct keyword_text {
  std::string_view key;
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(int v) const { return std::to_string(v); }
  std::string operator()(double v) const {
    std::string r;
    for (int digits = 1; digits <= 17; ++digits) {
      std::ostringstream s;
      s << std::setprecision(digits) << v;
      r = s.str();
      if (std::strtod(r.c_str(), nullptr) == v) break;
    }
    return r.find_first_not_of("-0123456789") == r.npos ? r + ".0" : r;
  }
  std::string operator()(dtype v) const { return std::string(name_of(v)); }
  std::string operator()(sinter::int_list const& v) const {
    std::string r;
    if (key == "subscripts") {
      for (int i = 0; i < 8 * v.n; ++i)
        if (char const c = static_cast<char>(v[i / 8] >> 8 * (i % 8) & 0x7f); c != 0 && c != ' ') r += c;
      return '"' + r + '"';
    }
    for (int i = 0; i < v.n; ++i) r += (i ? "," : "") + (v[i] == sinter::open ? "open" : std::to_string(v[i]));
    return "(" + r + ")";
  }
  std::string operator()(dims const& v) const {
    std::string r;
    for (int i = 0; i < v.rank; ++i) r += (i ? "," : "") + std::to_string(v.d[i]);
    return "[" + r + "]";
  }
  std::string operator()(ops::number_list const& v) const {
    std::string r;
    for (int i = 0; i < v.n; ++i) r += (i ? "," : "") + (v.at[i].is_whole ? std::to_string(v.at[i].whole) : (*this)(v.at[i].real));
    return "{" + r + "}";
  }
};
template <class A> void write_operand(std::ostream& out, A const& a) {
  if constexpr (nd::is_tensor<A>) {
    using T = typename A::value_type;
    write_array(out << ' ', any_array<T>(a), name_of(sinter::dtype_of<T>));
  } else if constexpr (std::is_arithmetic_v<A>) {
    out << ' ' << keyword_text{}(a);
  }
}
// The call as a case has it, up to the sign of equality; empty where the case could not say it.
template <class Op, class... A> std::string text_of_call(A const&... operands_and_keywords) {
  if (!recording()) return {};
  auto const call = sinter::sym::call_of<Op, typename as_variable<A>::type...>();
  if (!call->as_given) return {};
  std::ostringstream out;
  out << ops::op_name<Op>;
  for (auto const& [key, value] : call->keywords) out << ' ' << key << '=' << std::visit(keyword_text{key}, value);
  out << " :";
  (write_operand(out, operands_and_keywords), ...);
  return out.str();
}
// Whether the operation runs with names for the extents, too.
template <class Op, class... A> bool runs_with_names(A const&... operands_and_keywords) {
  if constexpr (!(nd::is_tensor<A> || ...)) return true;
  else {
    if (!recording()) return true;
    try {
      static_cast<void>(interpreted<Op>(true, operands_and_keywords...));
      return true;
    } catch (std::exception const&) { return false; }
  }
}
// A call whose result a test is about to compare.
struct noted_call {
  std::string_view op;
  std::string text;
  bool runs_with_names;
  dims shape;
  std::shared_ptr<void const> owner;  // no other result comes to lie there
};
// The newest calls, by where their results are.
inline std::map<void const*, noted_call>& noted_calls() {
  static std::map<void const*, noted_call> all;
  return all;
}
template <class W> void write_result(std::ostream& out, std::string_view type, any_array<W> const& want, any_array<double> const* bound) {
  write_array(out << ' ', want, type);
  if (bound) write_elements(out << "+-", *bound);
}
// The call that gave the elements at `where`, if it was interpreted, with what the test wants in their place.
template <class T> void record_result(std::string_view op, void const* where, any_array<wanted<T>> const& want,
                                      any_array<double> const* bound) {
  auto const at = noted_calls().find(where);
  if (!recording() || at == noted_calls().end() || at->second.text.empty() || at->second.op != op || !(at->second.shape == want.shape))
    return;
  *recording() << at->second.text << " =";
  write_result(*recording(), name_of(sinter::dtype_of<T>), want, bound);
  *recording() << (at->second.runs_with_names ? "\n" : " unnamed\n");
}
template <class Op, class T, class S, class... A> void note_call(nd::tensor<T, S> const& got, A const&... operands_and_keywords) {
  if (recording())
    noted_calls()[got.data()] = {ops::op_name<Op>, text_of_call<Op>(operands_and_keywords...),
                                 runs_with_names<Op>(operands_and_keywords...), got.shape(),
                                 std::make_shared<sinter::buffer<T>>(got.owner())};
}

}  // namespace test
