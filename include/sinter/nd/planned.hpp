// SPDX-License-Identifier: Apache-2.0
// Eager operations that need more than one loop over their elements: each is a network of one operation, planned by the compiler.
#pragma once
#include <bit>

#include "../ops/all.hpp"
#include "../ops/rule.hpp"
#include "../run/bind.hpp"
#include "../run/constant.hpp"
#include "../run/workspace.hpp"
#include "pointwise.hpp"

namespace sinter::nd::detail::inline SINTER_ISA {

// The network.
template <class Rule> struct single_op;
template <class Op, class... K, class... Arg> struct single_op<ops::rule<Op, ops::list_of<K...>, Arg...>> {
  using rule = ops::rule<Op, ops::list_of<K...>, Arg...>;
  static constexpr graph whole() {
    graph g;
    int in[sizeof...(Arg) + 1]{};
    array_type types[sizeof...(Arg) + 1]{};
    for (int i = 0; i < static_cast<int>(sizeof...(Arg)); ++i) {
      node k;
      k.op = &input_op;
      k.type = rule::value.in[i];
      for (int d = 0; d < k.type.shape.rank; ++d) k.type.shape.d[d] = g.dimensions.declare(k.type.shape.d[d], i, d);
      k.index = i;
      types[i] = k.type;
      in[i] = g.append(k);
    }
    g.inputs = static_cast<int>(sizeof...(Arg));
    inferred why;
    int const made = g.apply(ops::info<Op>, {in, g.inputs}, pack(rule::attributes(types)), why);
    if constexpr (!ops::has_several<Op>) g.outputs.push(made);
    else
      for (int i = 0; i < rule::results; ++i) g.outputs.push(g.result(made, i));
    return g;
  }
  static constexpr plan make() {
    graph g;  // a name, because nvcc forgets to destroy a temporary here
    g = whole();
    return make_plan(std::move(g));
  }
  // One operation becomes at most this.
  static constexpr graph_sizes bounds{static_cast<int>(sizeof...(Arg)) * 2 + 24 + 2 * rule::results,
                                      static_cast<int>(sizeof...(Arg)) * 3 + 40 + 2 * rule::results,
                                      300 + 30 * rule::results,
                                      300,
                                      1 + rule::results,
                                      max_dimensions,
                                      2 * max_dimensions,
                                      4};
};

template <class X> constexpr auto* elements_to_read(X const& x) {
  return const_cast<std::remove_const_t<typename X::value_type>*>(x.data());
}

// Runs P in memory of this call alone.
template <class P, class Device> void run_once(binding const& b, std::byte* const* in, std::byte* const* to) {
  executor::workspace<P> memory;
  executor::call c{in, to, &b};
  sinter::detail::call_of_this_thread const here;
  executor::begin<P, device_backend<Device>, Device>(memory, c).run(c);
}
template <class P, class Device, class... X> constexpr void run_row_major(kernel::pointer const* to, X const&... x) {
  binding b;
  if constexpr (!P::fixed) {
    dims const actual[]{x.shape()..., dims{}}, typed[]{X::shape_type::value..., dims{}};
    b = executor::bind(P::plan, actual, typed, sizeof...(X));
  }
  if constexpr (Device::is_host && !is_never_constant<typename P::source>) {
    if (SINTER_IS_CONSTANT) {
      kernel::pointer const in[]{kernel::pointer(elements_to_read(x))..., kernel::pointer()};
      return executor::run_constant<P, reference::backend>({in, to}, b);
    }
  }
  std::byte* const in[]{reinterpret_cast<std::byte*>(elements_to_read(x))..., nullptr};
  std::byte* results[P::sizes.results];
  for (int i = 0; i < P::sizes.results; ++i) results[i] = std::bit_cast<std::byte*>(to[i]);
  run_once<P, Device>(b, in, results);
}
// `to`: where the results lie.
template <class P, class Device, class... X> constexpr void run_planned(kernel::pointer const* to, X const&... x) {
  if (!(x.is_contiguous() && ...)) {
    if (SINTER_IS_CONSTANT) run_row_major<P, Device>(to, x.contiguous()...);
    else run_row_major<P, Device>(to, copied(x)...);
  } else run_row_major<P, Device>(to, x...);
}

}  // namespace sinter::nd::detail::inline SINTER_ISA
