// SPDX-License-Identifier: Apache-2.0
// Calls an operation eagerly, compiled and interpreted, with and without names for its extents, and compares the results with what a loop in
// the test says.
#pragma once
#include <sinter/compile/hybridized.hpp>

#include <vector>

#include "../bits.hpp"
#include "../builds.hpp"
#include "check.hpp"

namespace test {

// A place in an array of any rank.
struct place_of {
  extent at[sinter::max_rank + 1]{};
  extent& operator[](int i) { return at[i]; }
  extent operator[](int i) const { return at[i]; }
};
inline place_of place_in_array(dims const& s, extent i) {
  place_of r;
  for (int k = s.rank; k-- > 0; i /= s.d[k]) r[k] = i % s.d[k];
  return r;
}
inline extent index_in_array(dims const& s, place_of const& p) {
  extent r = 0;
  for (int k = 0; k < s.rank; ++k) r = r * s.d[k] + p[k];
  return r;
}

// Row-major elements that differ: small whole numbers for integers, for floats with a fraction, among them some of both zeros.
template <class T, auto... D> nd::tensor<T, shape<D...>> some(int seed = 0) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) {
    extent const n = (i * 37 + seed * 11) % 23 - 11;
    if constexpr (std::is_same_v<T, bool>) t.data()[i] = (i * i + seed + i / 3) % 3 == 0;
    else if constexpr (std::is_floating_point_v<T>) t.data()[i] = n == 0 ? T(i % 2 ? -0.0 : 0.0) : static_cast<T>(n) / T(7);
    else t.data()[i] = static_cast<T>(n);
  }
  return t;
}

template <class T, class S> void check_same_bits(nd::tensor<T, S> const& a, any_array<T> const& b, char const* what) {
  INFO(what);
  REQUIRE(a.shape() == b.shape);
  any_array<T> const all(a);
  for (extent i = 0; i < b.shape.size(); ++i)
    if (!same_bits(all[i], b[i])) FAIL_CHECK("element " << i << " is " << +all[i] << ", not " << +b[i]);
}
struct not_called {};  // the result where there is no interpreter

// Op with keywords K, called with symbols and run by the interpreter, with numbers as extents and with names where these fit. With Everywhere
// also eagerly and compiled, with the same bits. Every type of operands costs a compiler another kernel, an interpreter nothing: so few cases
// are called everywhere, and all are interpreted.
template <bool Everywhere, class Op, class... K> struct calling {
  template <class... X> auto operator()(X const&... x) const {
    if constexpr (Everywhere && !records_only) {
      (void)checked<Op>::marked;
      auto const got = ops::function<Op>{}(x..., K{}...);
      any_array const bits(got);
      if constexpr (has_interpreter) check_same_bits(interpret(x...), bits, "interpreted");
      if constexpr (compiles_networks && (is_compiled<X>() && ...)) {
        check_same_bits(sinter::hybridize(network_of<sizeof...(X)>())(x...), bits, "compiled");
        if constexpr (ops::call_rule<Op, decltype(with_names(x))..., K...>::ok)
          check_same_bits(sinter::hybridize(network_of<sizeof...(X)>())(with_names(x)...), bits, "with names");
      }
      return got;
    } else if constexpr (has_interpreter) return interpret(x...);
    else return not_called{};
  }

 private:
  // Of the dtypes one is compiled, and bool where an operation takes no other.
  template <class X> static constexpr bool is_compiled() {
    return std::is_same_v<typename X::value_type, float> || (std::is_same_v<typename X::value_type, bool> && !ops::info<Op>.moves);
  }
  // A network that takes any number of operands would take a result for one.
  template <int Operands> static constexpr auto network_of() {
    if constexpr (Operands == 1) return [](auto, auto x) { return ops::function<Op>{}(x, K{}...); };
    else if constexpr (Operands == 2) return [](auto, auto x, auto y) { return ops::function<Op>{}(x, y, K{}...); };
    else if constexpr (Operands == 3) return [](auto, auto x, auto y, auto z) { return ops::function<Op>{}(x, y, z, K{}...); };
    else if constexpr (Operands == 4) return [](auto, auto x, auto y, auto z, auto v) { return ops::function<Op>{}(x, y, z, v, K{}...); };
    else return [](auto, auto x, auto y, auto z, auto v, auto w) { return ops::function<Op>{}(x, y, z, v, w, K{}...); };
  }
  template <class... X> static auto interpret(X const&... x) {
    auto const r = interpreted_result<0, Op, X..., K...>(interpreted<Op>(false, x..., K{}...));
    if constexpr (ops::call_rule<Op, decltype(with_names(x))..., K...>::ok)
      check_same_bits(interpreted_result<0, Op, X..., K...>(interpreted<Op>(true, x..., K{}...)), any_array(r), "interpreted with names");
#if defined(SINTER_TEST_RECORD)
    note_call<Op>(r, x..., K{}...);
#endif
    return r;
  }
};
template <class Op, class... K> constexpr calling<true, Op, K...> call(K const&...) { return {}; }
template <class Op, class... K> constexpr calling<false, Op, K...> interpret(K const&...) { return {}; }

// `want(place)` says what each element is; without `bound` to the operation's tolerance, with it so many roundings more.
template <class Op, class T, class S, class Want> void expect(nd::tensor<T, S> const& got, dims const& shape_, Want const& want) {
  REQUIRE(got.shape() == shape_);
  any_array<wanted<T>> all(shape_);
  for (extent i = 0; i < shape_.size(); ++i) all.owner.data()[i] = static_cast<wanted<T>>(want(place_in_array(shape_, i)));
#if defined(SINTER_TEST_RECORD)
  record_result<T>(ops::op_name<Op>, got.data(), all, nullptr);
#endif
  CHECK(mismatch<T>(tolerance_of<Op>(), any_array<T>(got), all, nullptr) == "");
}
template <class Op, class T, class S, class Want, class Bound>
void expect(nd::tensor<T, S> const& got, dims const& shape_, Want const& want, Bound const& bound) {
  REQUIRE(got.shape() == shape_);
  any_array<wanted<T>> all(shape_);
  any_array<double> bounds(shape_);
  for (extent i = 0; i < shape_.size(); ++i) {
    place_of const p = place_in_array(shape_, i);
    all.owner.data()[i] = static_cast<wanted<T>>(want(p));
    bounds.owner.data()[i] = static_cast<double>(bound(p));
  }
#if defined(SINTER_TEST_RECORD)
  record_result<T>(ops::op_name<Op>, got.data(), all, &bounds);
#endif
  CHECK(mismatch<T>(tolerance_of<Op>(), any_array<T>(got), all, &bounds) == "");
}
template <class Op> void expect(not_called, dims const&, auto const&...) {}

}  // namespace test
