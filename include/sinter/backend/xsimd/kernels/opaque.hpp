// SPDX-License-Identifier: Apache-2.0
// An operation that nothing joins: its items do not touch one another, so that threads share them out. An operation for which vectors do
// better has a specialisation of its own beside this one.
#pragma once
#include "../../reference/reference.hpp"
#include "common.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class Op, class... R, class... T> struct run<kernel::opaque<Op, types<R...>, types<T...>>> {
  using attributes = ops::attributes_of<Op>;
  static void go(launch const& l, pointer const* p) {
    if constexpr (requires(attributes const& a) { Op::items(a, l.shapes); })
      items(l, p, std::index_sequence_for<R...>{}, std::index_sequence_for<T...>{});
    else reference::run<kernel::opaque<Op, types<R...>, types<T...>>>::go(l, p);
  }

 private:
  template <std::size_t... I, std::size_t... J>
  static void items(launch const& l, pointer const* p, std::index_sequence<I...>, std::index_sequence<J...>) {
    constexpr std::size_t inputs = sizeof...(T), results = sizeof...(R);
    attributes const a = unpack<attributes>(l.attributes);
    std::int64_t const n = Op::items(a, l.shapes), elements = l.shapes[0].size();
    double const bytes = (static_cast<double>(sizeof(R)) + ... + 0.0) + (static_cast<double>(sizeof(T)) + ... + 0.0);
    // Whole cache lines of the result to each thread, where an item is less than one.
    std::int64_t const unit = elements > 0 ? std::max<std::int64_t>(16 * n / elements, 1) : 1;
    in_parts(share_of(elements, cost_of<Op>, bytes), n, unit, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; ++i)
        Op::item(a, ops::share{i}, ops::array_view<R>{p[inputs + I].template get<R>(), l.shapes[I]}...,
                 ops::array_view<T const>{p[J].template get<T>(), l.shapes[results + J]}...);
    });
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
