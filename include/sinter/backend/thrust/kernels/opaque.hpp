// SPDX-License-Identifier: Apache-2.0
// An operation that nothing joins: it says itself how many items it has, and a team does one.
#pragma once
#include "rows.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class Op, class... R, class... T> struct body<opaque<Op, kernel::types<R...>, kernel::types<T...>>> {
  static constexpr int inputs = sizeof...(T), results = sizeof...(R), n = inputs + results;
  ops::attributes_of<Op> attributes;
  dims shapes[n];
  pointer p[n];

  body(launch const& l, pointer const* operands) : attributes(unpack<ops::attributes_of<Op>>(l.attributes)) {
    for (int i = 0; i < n; ++i) {
      shapes[i] = l.shapes[i];
      p[i] = operands[i];
    }
  }
  std::int64_t size() const { return Op::items(attributes, shapes); }

  template <class Team> SINTER_HD void operator()(std::int64_t item, Team team) const {
    if constexpr (Op::lanes_share_items)
      run({item, team.lane(), team.size()}, std::make_index_sequence<results>{}, std::make_index_sequence<inputs>{});
    else if (team.lane() == 0) run({item}, std::make_index_sequence<results>{}, std::make_index_sequence<inputs>{});
  }
  SINTER_HD void operator()(std::int64_t item) const { (*this)(item, alone{}); }

 private:
  template <std::size_t... I, std::size_t... J>
  SINTER_HD void run(ops::share part, std::index_sequence<I...>, std::index_sequence<J...>) const {
    Op::item(attributes, part, ops::array_view<R>{p[inputs + I].template get<R>(), shapes[I]}...,
             ops::array_view<T const>{p[J].template get<T>(), shapes[results + J]}...);
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
