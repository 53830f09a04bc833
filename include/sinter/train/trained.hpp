// SPDX-License-Identifier: Apache-2.0
// The parameters of a network that are trained, and the optimizer state of each.
#pragma once
#include "../core/text.hpp"
#include "../nn/block.hpp"
#include "../nn/pattern.hpp"
#include "optimizers.hpp"

namespace sinter::train {

// Only parameters whose names match, as in collect_params; the others have no backward pass: train::only<"output\\..*">
template <text Pattern> struct only_these {
  static constexpr auto pattern = Pattern;
  static constexpr bool holds(std::string_view name) { return nn::detail::pattern(Pattern.view()).matches(name); }
};
template <text Pattern> inline constexpr bool is_pattern =
    requires { typename std::bool_constant<(static_cast<void>(nn::detail::pattern(Pattern.view()).matches("")), true)>; };
template <text Pattern> constexpr auto only_if_pattern() {
  static_assert(
      is_pattern<Pattern>,
      "sinter: train::only is given a pattern that is none: it knows . [] (a|b) * + ? ^ $, and \\ before a character that means itself");
  if constexpr (is_pattern<Pattern>) return only_these<Pattern>{};
  else return only_these<".*">{};
}
template <text Pattern> inline constexpr auto only = only_if_pattern<Pattern>();
struct all_of_them {};

namespace detail {

// A parameter that is trained: its place in a visit of the network.
struct trained_one {
  int visited = 0;
  dtype type = dtype::none;
};
template <class Net, class Which> struct trained {
  template <class F> static constexpr void each(F const& f) {
    Net const net{};
    int visited = 0;
    nn::visit_parameters(
        net,
        [&]<class T>(nn::parameter_of<T> const& p, [[maybe_unused]] std::string_view name) {
          bool takes = p.kind() == nn::role::parameter && is_floating(dtype_of<T>);
          if constexpr (!std::is_same_v<Which, all_of_them>) takes = takes && Which::holds(name);
          if (takes) f(trained_one{visited, dtype_of<T>}, name);
          ++visited;
        },
        nn::detail::ignore_blocks{}, !std::is_same_v<Which, all_of_them>);
  }
  static constexpr int count = [] {
    int n = 0;
    each([&](trained_one const&, std::string_view) { ++n; });
    return n;
  }();
  static constexpr std::array<trained_one, static_cast<std::size_t>(count)> list = [] {
    std::array<trained_one, count> r{};
    std::size_t n = 0;
    each([&](trained_one const& one, std::string_view) { r[n++] = one; });
    return r;
  }();
  static constexpr bool has_doubles = [] {
    for (trained_one const& one : list)
      if (one.type == dtype::float64) return true;
    return false;
  }();
  // The dtype in which the numbers of updates are read.
  using number_type = std::conditional_t<has_doubles, double, float>;
};

// Optimizer state: the slots of the first parameter, then those of the second, ... Optimizer::slots names them.
template <class Trained, class Optimizer, class Numbers> struct states_list;
template <class Trained, class Optimizer, int... I> struct states_list<Trained, Optimizer, std::integer_sequence<int, I...>> {
  static constexpr int n = slot_count<Optimizer>;
  using list = nn::children_list<nn::basic_state<type_of<Trained::list[static_cast<std::size_t>(I / n)].type>>...>;
};
template <class Net, class Optimizer, class Which> struct kept : nn::hybrid_block<kept<Net, Optimizer, Which>> {
  static constexpr int size = trained<Net, Which>::count * slot_count<Optimizer>;
  using child_types = typename states_list<trained<Net, Which>, Optimizer, std::make_integer_sequence<int, size>>::list;
  nn::children_of_list<child_types> children;
};
template <class Net, class Optimizer, class Which>
  requires(slot_count<Optimizer> == 0)
struct kept<Net, Optimizer, Which> : nn::hybrid_block<kept<Net, Optimizer, Which>> {
  static constexpr int size = 0;
};

}  // namespace detail
}  // namespace sinter::train
