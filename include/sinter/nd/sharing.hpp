// SPDX-License-Identifier: Apache-2.0
// Whether a tensor that is there already can take the result of an operation, and while its operands are read.
#pragma once
#include <cstdint>
#include <utility>

#include "tensor.hpp"

namespace sinter::nd::detail::inline SINTER_ISA {

// Whether a result may be written to `out` while `x` is read: elements beside each other, or each in its own place.
template <bool Elementwise, class Out, class X> constexpr bool may_write(Out const& out, X const& x) {
  if (std::is_constant_evaluated()) return false;
  auto const span = []<class Y, class S, class D>(tensor<Y, S, D> const& t) {
    auto const p = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(t.data()));
    constexpr auto size = static_cast<std::int64_t>(sizeof(Y));
    if constexpr (S::fixed)
      if (t.is_contiguous()) return std::pair(p, p + S::value.size() * size);
    std::int64_t low = 0, high = 0;
    for (int i = 0; i < t.shape().rank; ++i) {
      std::int64_t const last = (t.shape().d[i] - 1) * t.strides()[i];
      (last < 0 ? low : high) += last;
    }
    return std::pair(p + low * size, p + (high + 1) * size);
  };
  if (out.size() == 0 || x.size() == 0) return true;
  auto const [from, to] = span(x);
  auto const [first, last] = span(out);
  if (to <= first || last <= from) return true;
  if constexpr (Elementwise && std::is_same_v<typename Out::value_type, typename X::value_type>)
    return x.data() == out.data() && x.is_contiguous() && x.shape() == out.shape();
  else return false;
}

}  // namespace sinter::nd::detail::inline SINTER_ISA
