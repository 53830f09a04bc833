// SPDX-License-Identifier: Apache-2.0
// A compiled network that is called with what is recorded: one call of the record, whose gradient is one plan. It computes the forward pass again.
#pragma once
#include <array>
#include <optional>

#include "../compile/hybridized.hpp"
#include "recording.hpp"

namespace sinter::autograd::inline SINTER_ISA {

// The network as an operation: its parameters are operands behind its inputs, and what it assigns is left out.
template <class M, class... X> struct network_as_operation {
  static constexpr graph whole() {
    graph g = trace<M, X...>(false).g;
    g.outputs.shrink(g.results());
    g.updates.shrink(0);
    for (node& k : g.nodes)
      if (*k.op == parameter_op) {
        k.op = &input_op;
        k.index = g.inputs++;
        k.data = 0;
      }
    return g;
  }
  struct parameter {
    int visited = 0;
    array_type type;
  };
  struct measurement {
    int parameters = 0;
    bool has_keys = false, has_bodies = false;
  };
  static constexpr measurement measured = [] {
    graph const g = trace<M, X...>(false).g;
    measurement r{0, g.inputs > (sinter::detail::tensors_in<unmarked_t<X>>() + ... + 0), !g.bodies.empty()};
    for (node const& k : g.nodes) r.parameters += *k.op == parameter_op;
    return r;
  }();
  static constexpr std::size_t count = static_cast<std::size_t>(measured.parameters);
  static constexpr std::array<parameter, count> parameters = [] {
    graph const g = trace<M, X...>(false).g;
    std::array<parameter, count> r{};
    std::size_t n = 0;
    for (node const& k : g.nodes)
      if (*k.op == parameter_op) r[n++] = {k.index, k.type};
    return r;
  }();
  template <std::size_t I> using shape_at = typename decltype([]<int... K>(std::integer_sequence<int, K...>) {
    return std::type_identity<shape<static_cast<int>(parameters[I].type.shape.d[K])...>>{};
  }(std::make_integer_sequence<int, parameters[I].type.shape.rank>{}))::type;
};

// A recorded tensor, or a plain one, as the compiled network has it.
template <class X> auto const& plain_value(X const& x) {
  if constexpr (nd::is_recorded<X>) return plain_value(x.held());
  else return x;
}
template <bool Training, class X> auto operand_of_network(X const& x) {
  if constexpr (Training) return training(plain_value(unmarked(x)));
  else return plain_value(unmarked(x));
}
template <class Mode> Mode unmarked_mode(Mode const& F) { return F; }
template <class Mode> Mode unmarked_mode(training_functions<Mode> const& F) { return F.mode; }

template <class M, class Backend, class... X> auto recorded_call(in_sinter tag, hybridized<M, Backend> const& fast, X const&... x) {
  constexpr bool trains = (is_training<X> || ...);
  auto const F = unmarked_mode(space_for(tag, x...));
  using Source = network_as_operation<M, input_tensor_t<decltype(operand_of_network<trains>(x))>...>;
  constexpr bool can = !Source::measured.has_keys && !Source::measured.has_bodies && std::remove_cvref_t<decltype(F)>::depth == 1;
  static_assert(
      can,
      "sinter: a compiled network that draws random numbers or has loops and branches is not recorded, and none in a gradient of a "
      "gradient; call the network itself, fast.network()(x)");
  if constexpr (!can) return ops::first_of(x...);
  else {
    nn::block_space<std::remove_cvref_t<decltype(F)>> const space(F);
    // Before the call, which may assign states: what a gradient is computed of shares the old values.
    auto const parameter = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      using T = type_of<Source::parameters[I].type.type>;
      using S = typename Source::template shape_at<I>;
      std::optional<recorded<nd::tensor<T, S>>> r;
      int visited = 0;
      nn::visit_parameters(
          fast.network(),
          [&]<class P>(nn::parameter_of<P> const& p, std::string_view) {
            if constexpr (std::is_same_v<P, T>)
              if (visited == Source::parameters[I].visited) r.emplace(space.get(p, S{}));
            ++visited;
          },
          nn::detail::ignore_blocks{}, false);
      return *r;
    };
    auto const all = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(parameter(std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<Source::count>{});
    auto const y = unmarked_copy(fast(operand_of_network<trains>(x)...));
    auto const noted =
        std::apply([&](auto const&... p) { return F.template noted<Source>("a compiled network", y, unmarked(x)..., p...); }, all);
    if constexpr (trains) return training(noted);
    else return noted;
  }
}

}  // namespace sinter::autograd::inline SINTER_ISA
