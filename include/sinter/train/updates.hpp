// SPDX-License-Identifier: Apache-2.0
// A step of training as a trace: behind the loss one node that asks for the gradients of the parameters, and for each of these an update, which is
// assigned as a state is.
#pragma once
#include "../ops/gradient.hpp"
#include "../passes/expand.hpp"
#include "trained.hpp"

namespace sinter::train::detail {

// Parameters and what an optimizer keeps, as the update takes them: of any shape, which it must not depend on.
using flat = shape<dim<"elements">>;

// The update of one parameter of dtype T as a graph: inputs w, g, 1 / batch, numbers, slots; outputs the next w and slots.
template <class Optimizer, class Clip, class F, class X, class N, std::size_t... K, std::size_t... S>
constexpr auto updated(F const& f, X const& w, X const& g, N const& scale, std::index_sequence<K...>, std::array<N, sizeof...(K)> const& n,
                       std::index_sequence<S...>, std::array<X, sizeof...(S)> const& kept) {
  auto const scaled = Clip::clipped(f, g * scale);
  return as_tuple(Optimizer::update(f, w, scaled, n[K]..., kept[S]...));
}
// True if the update takes as many operands as it is given.
template <class Optimizer> constexpr bool has_update() {
  using X = sym::tensor<float, flat>;
  using N = sym::tensor<float, shape<>>;
  return []<std::size_t... K, std::size_t... S>(std::index_sequence<K...>, std::index_sequence<S...>) {
    return requires(sym::functions F, X x, std::array<N, sizeof...(K)> n, std::array<X, sizeof...(S)> kept) {
      Optimizer::update(F, x, x, n[K]..., kept[S]...);
    };
  }(std::make_index_sequence<number_count<Optimizer>>{}, std::make_index_sequence<slot_count<Optimizer>>{});
}
template <class Optimizer, class Clip, class T> constexpr graph update_graph() {
  tape t;
  t.named = false;
  constexpr std::size_t numbers = number_count<Optimizer>, slots = slot_count<Optimizer>;
  using X = sym::tensor<T, flat>;
  using N = sym::tensor<T, shape<>>;
  auto const array = [&] { return X{&t, t.input(dtype_of<T>, flat::value, {})}; };
  auto const number = [&] { return N{&t, t.input(dtype_of<T>, dims{}, {})}; };
  X const w = array(), g = array();
  N const scale = number();
  std::array<N, numbers> n{};
  for (N& k : n) k = number();
  std::array<X, slots> kept{};
  for (X& k : kept) k = array();
  if constexpr (has_update<Optimizer>()) {
    auto const next = updated<Optimizer, Clip>(sym::functions{&t}, w, g, scale, std::make_index_sequence<numbers>{}, n,
                                               std::make_index_sequence<slots>{}, kept);
    static_assert(
        std::tuple_size_v<decltype(next)> == 1 + slots,
        "sinter: the update of an optimizer returns the next parameter, and behind it in a std::tuple what it keeps, in the order "
        "of its slots");
    std::apply([&](auto const&... k) { (t.g.outputs.push(k.id), ...); }, next);
  } else {  // the trainer says so, and nothing else is wrong
    t.g.outputs.push(w.id);
    for (X const& k : kept) t.g.outputs.push(k.id);
  }
  return passes::expand(std::move(t.g));
}
// True if the update is elementwise, so that it can be applied to parameters of any shape.
template <class Optimizer, class Clip, class T> constexpr bool is_elementwise() {
  graph const g = update_graph<Optimizer, Clip, T>();
  for (node const& k : g.nodes)
    if (k.op->kind != family::leaf && k.op->kind != family::elementwise) return false;
  for (node const& k : g.nodes)
    if (*k.op == constant_op && k.type.shape.rank != 0) return false;
  return true;
}
// Appends the graph of an update, whose inputs are the nodes `in`; its outputs come into `out`.
constexpr void append_update(graph& to, graph const& update, list<int> const& in, list<int>& out) {
  list<int> at(update.nodes.size(), -1), operands;
  for (int i = 0; i < update.nodes.size(); ++i) {
    node const& k = update.nodes[i];
    if (*k.op == input_op) at[i] = in[k.index];
    else if (*k.op == constant_op) at[i] = to.fill(k.type.type, k.type.shape, update.data[k.index]);
    else {
      operands.shrink(0);
      for (int j = 0; j < k.in.n; ++j) operands.push(at[update.operand(k, j)]);
      inferred why;
      at[i] = to.apply(*k.op, {operands.data(), operands.size()}, update.copy_of_attributes(k), why);
    }
  }
  for (int o : update.outputs) out.push(at[o]);
}
// Element (i, k) of the numbers, as a number of dtype t.
constexpr int number_at(graph& g, int numbers, int i, int k, dtype t) {
  ops::slice::attributes part;
  for (int const from : {i, k}) part.begin.push(from), part.end.push(from + 1), part.step.push(1);
  int const one = ops::make<ops::reshape>(g, {dims{}}, ops::make<ops::slice>(g, part, numbers));
  return g.nodes[one].type.type == t ? one : ops::make<ops::cast>(g, {t}, one);
}

}  // namespace sinter::train::detail
