// SPDX-License-Identifier: Apache-2.0
// An operation with an effect: its result is its operand, and when the program runs Self::happens(first element) is called.
#pragma once
#include <sinter/ops/opaque.hpp>

namespace test {
template <class Self> struct effect_op : sinter::ops::opaque_op<Self> {
  static constexpr int arity = 1;
  static constexpr bool effect = true;
  static constexpr sinter::inferred infer(sinter::operand_types in, sinter::dimension_table&) { return {in[0]}; }
  static constexpr std::int64_t items(sinter::no_attributes const&, sinter::dims const*) { return 1; }
  template <class T> static constexpr void item(sinter::no_attributes const&, sinter::ops::share, sinter::ops::array_view<T> out,
                                                sinter::ops::array_view<T const> x) {
    for (std::int64_t i = 0; i < x.shape.size(); ++i) out.data[i] = x.data[i];
    if (!std::is_constant_evaluated()) Self::happens(static_cast<float>(x.data[0]));
  }
};
}  // namespace test
