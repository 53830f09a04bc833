// SPDX-License-Identifier: Apache-2.0
// What tests of networks share.
#pragma once
#include <sinter/compile/hybridized.hpp>

#include "../bits.hpp"
#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

// Numbers between -1.5 and 1.5, exact in every dtype with a fraction.
template <class T> T filled(sinter::dims const& extents) {
  T t(extents);
  for (int i = 0; i < t.size(); ++i) t[i] = static_cast<typename T::value_type>((i * 37 % 23) - 11) / 8;
  return t;
}
template <class T> T filled() { return filled<T>(T::shape_type::value); }

// The same type, shape and bits; any NaN is one.
template <class A, class B> void check_same(A const& a, B const& b) {
  static_assert(std::is_same_v<A, B>);
  REQUIRE(a.shape() == b.shape());
  for (int i = 0; i < a.size(); ++i)
    if (!test::same_bits(a[i], b[i])) FAIL_CHECK("element " << i << " is " << +a[i] << ", not " << +b[i]);
}

// A network with values, called eagerly and compiled; the eager result.
template <class Net, class X> auto both(Net& net, X const& x) {
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const y = net(x);
  check_same(y, net.hybridize()(x));
  return y;
}

// What a call throws, as text.
template <class Error = sinter::error, class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (Error const& e) { return e.what(); }
  return "nothing was thrown";
}
