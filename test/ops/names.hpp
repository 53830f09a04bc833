// SPDX-License-Identifier: Apache-2.0
// Operands whose extents have names instead of numbers.
#pragma once
#include <sinter/nd/tensor.hpp>

namespace test {

using sinter::dim;
using sinter::dims;
using sinter::extent;
using sinter::shape;
namespace nd = sinter::nd;

// The operand with a name for each of its extents but 1, the same for equal ones: (2, 3, 1) becomes (n2, n3, 1).
constexpr dims names_in(dims shape) {
  for (int i = 0; i < shape.rank; ++i) {
    char name[8]{'n'};
    int n = 0;
    for (extent e = shape.d[i]; e > 0; e /= 10) name[++n] = static_cast<char>('0' + e % 10);
    if (shape.d[i] >= 0 && shape.d[i] != 1) shape.d[i] = sinter::detail::pack_name(name);
  }
  return shape;
}
template <class S> struct with_names_in {
  static constexpr dims value = names_in(S::value);
};
template <class A> auto with_names(A const& a) { return a; }
template <class T, class S> auto with_names(nd::tensor<T, S> const& x) {
  return nd::tensor<T, sinter::shape_of_value<with_names_in<S>>>(x);
}

}  // namespace test
