// SPDX-License-Identifier: Apache-2.0
// Compares the gradients of a network, or of an operation of one's own, with central differences.
#pragma once
#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

#include "gradient.hpp"

namespace sinter::test::inline SINTER_ISA {

// The answer of check_gradient: true where all gradients are what differences say; otherwise `what` names the first one that is not.
struct gradient_check {
  std::string what;
  int compared = 0;  // elements; those at a kink are left out
  explicit operator bool() const { return what.empty(); }
};
inline std::ostream& operator<<(std::ostream& out, gradient_check const& c) {
  return out << (c.what.empty() ? std::to_string(c.compared) + " gradients are as differences say" : c.what);
}

namespace detail {
// A number of its own for each element, so that gradients that are exchanged differ.
template <class Y> auto weighted(Y const& y) {
  using T = typename Y::value_type;
  nd::tensor<T, typename Y::shape_type> factors(y.shape());
  for (extent i = 0; i < factors.size(); ++i) factors.data()[i] = static_cast<T>(2 * uniform_number(7, static_cast<std::uint64_t>(i)) - 1);
  return sum(y * factors);
}
template <class X> auto in_double(X const& x) {
  if constexpr (is_floating(dtype_of<typename X::value_type>)) return cast(x, as<double>).copy();
  else return x.copy();
}
// f with v in the place of operand I.
template <std::size_t I, class Function, class All, std::size_t... J, class V>
auto called_with(Function const& f, All const& all, std::index_sequence<J...>, V const& v) {
  return weighted(f([&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    if constexpr (K == I) return v;
    else return std::get<K>(all);
  }(std::integral_constant<std::size_t, J>{})...));
}
template <std::size_t I, class Function, class All, class Places>
void check_operand(Function const& f, All const& all, Places places, gradient_check& r) {
  auto const& x = std::get<I>(all);
  if constexpr (is_floating(dtype_of<typename std::remove_cvref_t<decltype(x)>::value_type>)) {
    auto const slope = nd::functions{}.gradient([&](auto v) { return called_with<I>(f, all, places, v); }, x);
    auto const at = [&](extent i, double by) {
      double const before = x.data()[i];
      x.data()[i] = before + by;
      double const y = called_with<I>(f, all, places, x).item();
      x.data()[i] = before;
      return y;
    };
    for (extent i = 0; i < x.size() && r.what.empty(); ++i) {
      double const h = 1e-5 * std::max(1.0, std::abs(x.data()[i])), far = (at(i, h) - at(i, -h)) / (2 * h),
                   near = (at(i, h / 8) - at(i, -h / 8)) / (h / 4), got = slope.data()[i];
      double const allowed = 1e-6 * (1 + std::abs(far)) + std::abs(at(i, 0)) * 1e-11 / h;
      if (!(std::abs(far - near) <= allowed)) continue;
      ++r.compared;
      if (!(std::abs(got - far) <= allowed))
        r.what = "sinter: the gradient of element " + std::to_string(i) + " of operand " + std::to_string(I + 1) + " is " +
                 std::to_string(got) + ", and central differences say " + std::to_string(far);
    }
  }
}
}  // namespace detail

// Compares the gradients of `f`, a network or a function of tensors, with central differences in double at these operands: with respect to each of
// floats, of the sum of the result, each element times a number. Parameters keep their dtype; those of float32 beside operands of double are
// computed in double. Elements where f has a kink are left out. A difference of 1e-6 times the gradient and 1 is allowed.
//   CHECK(sinter::test::check_gradient(net, x));
template <class Function, class... X>
  requires(sizeof...(X) > 0 && (nd::is_tensor<X> && ...))
gradient_check check_gradient(Function const& f, X const&... x) {
  gradient_check r;
  std::tuple const all{detail::in_double(x)...};
  [&]<std::size_t... I>(std::index_sequence<I...> places) {
    (detail::check_operand<I>(f, all, places, r), ...);
  }(std::index_sequence_for<X...>{});
  if (r.what.empty() && r.compared == 0)
    r.what = "sinter: no gradient could be compared: no operand has elements of floats where the function has no kink";
  return r;
}

}  // namespace sinter::test::inline SINTER_ISA
