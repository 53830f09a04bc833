// SPDX-License-Identifier: Apache-2.0
// Kernels that run together (plan/blocks.hpp) as one kernel of a backend that has such.
#pragma once
#include "../plan/program.hpp"

namespace sinter::executor::inline SINTER_ISA {

// A backend that may run kernels as one: joins<Kernel...> says whether it can, takes(launches) whether with these extents, and
// go_joined(launches, operands) runs them. Operands that lie between the kernels are null.
template <class Backend>
concept joins_kernels = requires { &Backend::template joins<>; };

// The kernels that run together with kernel `Last`, the last of them.
template <class P, int Last> struct joined_kernels {
  int at[most_together]{}, n = 0;
  constexpr joined_kernels() {
    if (P::plan.groups.items[Last].of_images.row >= 0) return;
    for (int q = 0; q <= Last; ++q)
      if (P::plan.groups.items[q].together == Last) at[n++] = q;
  }
};
struct joined_row {
  bool (*takes)(kernel::launch const* const*) = nullptr;
  void (*go)(kernel::launch const* const*, kernel::pointer const* const*) = nullptr;
};
template <class P, class Backend, int Last> constexpr joined_row row_of_joined() {
  using all = joined_kernels<P, Last>;
  return []<int... I>(std::integer_sequence<int, I...>) -> joined_row {
    if constexpr (sizeof...(I) == 0) return {};
    else if constexpr (Backend::template joins<typename P::template kernel_at<all().at[I]>...>)
      return {&Backend::template takes<typename P::template kernel_at<all().at[I]>...>,
              &Backend::template go_joined<typename P::template kernel_at<all().at[I]>...>};
    else return {};
  }(std::make_integer_sequence<int, all().n>{});
}
template <int N> struct joined_table {
  joined_row items[N + 1];
};
template <class P, class Backend> inline constexpr auto joined_of = []<int... Q>(std::integer_sequence<int, Q...>) {
  return joined_table<P::sizes.groups>{{row_of_joined<P, Backend, Q>()..., {}}};
}(std::make_integer_sequence<int, P::sizes.groups>{});

}  // namespace sinter::executor::inline SINTER_ISA
