// SPDX-License-Identifier: Apache-2.0
// An operation that nothing joins: it says itself how many items it has, and a team does one.
#pragma once
#include "rows.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class Op, class R, class... T> struct body<opaque<Op, R, T...>> {
  static constexpr int n = sizeof...(T);
  attributes attrs;
  dims shapes[n + 1];
  pointer p[n + 1];

  body(launch const& l, pointer const* operands) : attrs(*l.attrs) {
    for (int i = 0; i <= n; ++i) {
      shapes[i] = l.shapes[i];
      p[i] = operands[i];
    }
  }
  std::int64_t size() const { return Op::items(attrs, shapes); }

  template <class Team> SINTER_HD void operator()(std::int64_t item, Team team) const { run(item, team, std::make_index_sequence<n>{}); }
  SINTER_HD void operator()(std::int64_t item) const { (*this)(item, alone{}); }

 private:
  template <class Team, std::size_t... J> SINTER_HD void run(std::int64_t item, Team team, std::index_sequence<J...>) const {
    Op::item(attrs, ops::share{item, team.lane(), team.size()}, ops::array_view<R>{p[n].template get<R>(), shapes[0]},
             ops::array_view<T const>{p[J].template get<T>(), shapes[J + 1]}...);
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
