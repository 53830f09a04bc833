// SPDX-License-Identifier: Apache-2.0
// A matrix product with its prologue and epilogue: one element of the result at each index, added in the order of the depth. What
// cuBLASLt does not take runs like this, and everything on the processor.
#pragma once
#include "product_parts.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class T, class... Slot, class... Step> struct body<product<T, types<Slot...>, types<Step...>>> {
  static constexpr int n = sizeof...(Slot);
  using slots = types<Slot...>;
  using steps = types<Step...>;

  loops<n> l;

  body(launch const& from, pointer const* p) : l(from, p) {}
  std::int64_t size() const { return l.turns(0, l.rank - 1); }

  SINTER_HD void operator()(std::int64_t i) const {
    frame<number, slots, steps> f{};
    cursor<n> c;
    l.seek(c, 0, l.rank - 1, i);
    T sum{};
    int const depth = l.rank - 1;
    for (std::int64_t k = 0; k < l.extent[depth]; ++k) {
      each(slots{}, [&]<class S>(auto j, S) {
        if constexpr (reads_inside<j>()) at<-1 - j>(f) = l.p[j].template get<typename S::type>()[c.at[j] + k * l.stride[j][depth]];
      });
      each(steps{}, [&]<class S>(auto s, S step) {
        if constexpr (S::bits.prologue) at<s>(f) = evaluate<number>(step, f);
        else if constexpr (S::op::kind == family::product)
          sum = element::add(sum, element::multiply(at<first_operand(S{})>(f), at<second_operand(S{})>(f)));
      });
    }
    finish_element<product_step(steps{})>(slots{}, steps{}, l, c, sum);
  }

 private:
  template <class S> static constexpr bool inside = S::bits.prologue || S::op::kind == family::product;
  template <int J> static SINTER_HD constexpr bool reads_inside() { return ((reads<J>(Step{}) && inside<Step>) || ...); }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
