// SPDX-License-Identifier: Apache-2.0
// A network as a symbol: called with variables, which files know by their names.
#pragma once
#include "../compile/trace.hpp"
#include "input_names.hpp"
#include "typed.hpp"

namespace sinter::sym::inline SINTER_ISA {

// The inputs of a symbol whose parameters have their values.
inline std::vector<std::string> inputs_of(symbol const& s) {
  std::vector<std::string> r;
  for (composed const* k : s.nodes())
    if (k->is_variable() && !k->values) r.push_back(k->name);
  return in_order_of_call(std::move(r));
}

// The outputs of a network, one behind the other, of variables that nothing is known of. X: the inputs, shapes or tensor types; without
// them as many as the network takes, if these are at most three.
template <class... X, class M> symbol symbol_of(M const& net) {
  using F = decltype(nn::in_block(space_of(std::declval<symbol const&>())));
  constexpr int n = sizeof...(X) > 0 ? static_cast<int>(sizeof...(X)) : nn::operands_of<M, F, symbol>;
  static_assert(n > 0,
                "sinter: how many inputs this network takes is not known; write their shapes: net.export_<shape<8>, shape<4>>(file)");
  auto const y = [&]<int... I>(std::integer_sequence<int, I...>) {
    return net(var(input_name(I, n))...);
  }(std::make_integer_sequence<int, n>{});
  std::vector<symbol> outputs;
  each_part(y, [&](symbol const& s) { outputs.push_back(s); });
  return group(outputs);
}
// What is known of these inputs: shape<dim<"batch">, 784> is of floats, a tensor type says which dtype.
template <class... X> types_by_name types_of_inputs() {
  types_by_name r;
  int i = 0;
  (r.emplace(input_name(i++, sizeof...(X)), array_type{dtype_of<typename input_type<X>::value_type>, input_type<X>::shape_type::value}),
   ...);
  return r;
}
// The same of a network that is to be saved: shapes of parameters that follow from those of the inputs are theirs from now on, as behind a call.
template <class... X, class M> symbol symbol_to_save(M const& net) {
  symbol const s = symbol_of<X...>(net);
  if constexpr (sizeof...(X) > 0) {
    for (auto const& [parameter, type] : typed_graph(s, types_of_inputs<X...>()).parameters)
      if (type.shape.fixed() && !parameter->known_shape().fixed()) static_cast<void>(values_of(*parameter, type.shape));
  }
  return s;
}

// Names, dtypes and shapes of inputs and outputs: `data: float32 (batch, 784) -> output0: float32 (batch, 10)`. Nothing, where no types are given.
inline std::string signature_of(symbol const& s, types_by_name const& types) {
  if (types.empty()) return {};
  typed_graph const t(s, types);
  std::string in, out;
  auto const add = [&](std::string& to, std::string const& name, array_type const& type) {
    to += (to.empty() ? "" : ", ") + name + ": " + std::string(name_of(type.type)) + " " + to_string(type.shape, t.g.dimensions);
  };
  for (std::string const& name : inputs_of(s))
    for (auto const& v : t.inputs)
      if (v.node->name == name) add(in, name, v.type);
  std::vector<std::string> const names = s.list_outputs();
  for (int i = 0; i < s.outputs(); ++i)
    add(out, s.node(i).is_named ? names[static_cast<std::size_t>(i)] : "output" + std::to_string(i), t.g.nodes[t.g.outputs[i]].type);
  return in + " -> " + out;
}

}  // namespace sinter::sym::inline SINTER_ISA
