// SPDX-License-Identifier: Apache-2.0
// One element in, one element out: the bits of integers, and truth values as one bit.
#pragma once
#include "elementwise.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct bitwise_and : elementwise<bitwise_and, 2, domain::bits> {
  static constexpr format_names formats{"_npi_bitwise_and", "BitwiseAnd"};
  static constexpr bool exact = true, commutative = true, selects = true;
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a & b; }
};
struct bitwise_or : elementwise<bitwise_or, 2, domain::bits> {
  static constexpr format_names formats{"_npi_bitwise_or", "BitwiseOr"};
  static constexpr bool exact = true, commutative = true, selects = true;
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a | b; }
};
struct bitwise_xor : elementwise<bitwise_xor, 2, domain::bits> {
  static constexpr format_names formats{"_npi_bitwise_xor", "BitwiseXor"};
  static constexpr bool exact = true, commutative = true;
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a ^ b; }
};
// Of a bool the other one; of an integer -x - 1.
struct bitwise_not : elementwise<bitwise_not, 1, domain::bits> {
  static constexpr format_names formats{"_npi_bitwise_not", "BitwiseNot"};
  static constexpr bool exact = true, involution = true;
  template <class V> static SINTER_HD constexpr V eval(V x) {
    if constexpr (std::is_same_v<typename element::lanes<V>::type, bool>) return !x;
    else return x ^ element::number<V>(-1);
  }
};

// x times 2^n; what leaves at the top is lost. A count of as many bits as x has, or more, moves all of them out, and so does a negative one:
// the result is 0, as in NumPy.
struct left_shift : elementwise<left_shift, 2, domain::integer> {
  static constexpr format_names formats{"", "BitShift"};
  static constexpr bool exact = true;
  template <class V> static SINTER_HD constexpr V eval(V x, V n) { return element::left_shift(x, n); }
};
// The whole number below x / 2^n: the sign fills what becomes free. A count of as many bits as x has, or more, or a negative one gives 0 or, of
// a negative x, -1, as in NumPy.
struct right_shift : elementwise<right_shift, 2, domain::integer> {
  static constexpr format_names formats{"", "BitShift"};
  static constexpr bool exact = true;
  template <class V> static SINTER_HD constexpr V eval(V x, V n) { return element::right_shift(x, n); }
};

using bitwise_ops = list_of<bitwise_and, bitwise_or, bitwise_xor, bitwise_not, left_shift, right_shift>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(bitwise_and, "(a, b)")
SINTER_OP(bitwise_or, "(a, b)")
SINTER_OP(bitwise_xor, "(a, b)")
SINTER_OP(bitwise_not, "(x)")
SINTER_OP(left_shift, "(x, n)")
SINTER_OP(right_shift, "(x, n)")
