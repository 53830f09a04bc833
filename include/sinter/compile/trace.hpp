// SPDX-License-Identifier: Apache-2.0
// From a model and the types of its inputs to a graph: the model is made in a constant expression and called with symbols.
#pragma once
#include "../nn/block.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What an input is for a trace: a tensor type, or a shape alone (then float).
template <class X> struct input_type;
template <auto... D> struct input_type<shape<D...>> {
  using value_type = float;
  using shape_type = shape<D...>;
};
template <class T, class S, class D> struct input_type<nd::tensor<T, S, D>> {
  using value_type = T;
  using shape_type = S;
};
template <class X> struct input_type<in_training<X>> : input_type<X> {};
template <class... X> struct input_type<std::tuple<X...>> {};
template <class X>
concept input_of_network = requires { sizeof(input_type<X>); };
template <class X> struct input_tensor {
  using type = nd::tensor<typename input_type<X>::value_type, typename input_type<X>::shape_type>;
};
template <class X> struct input_tensor<in_training<X>> {
  using type = in_training<typename input_tensor<X>::type>;
};
template <class... X> struct input_tensor<std::tuple<X...>> {
  using type = std::tuple<typename input_tensor<X>::type...>;
};
template <class X> using input_tensor_t = typename input_tensor<X>::type;
template <class X> struct symbol_of {
  using type = sym::tensor<typename input_type<X>::value_type, typename input_type<X>::shape_type>;
};
template <class X> struct symbol_of<in_training<X>> {
  using type = in_training<typename symbol_of<X>::type>;
};
template <class... X> struct symbol_of<std::tuple<X...>> {
  using type = std::tuple<typename symbol_of<X>::type...>;
};
template <class X> using symbol_t = typename symbol_of<X>::type;

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {

template <class X> struct make_symbols;
template <class X> constexpr auto make_symbol(tape& t, int& n) {
  if constexpr (requires { typename input_type<X>::value_type; }) {
    char name[12]{'d', 'a', 't', 'a'};
    if (t.named) nn::detail::put_number(n++, name + 4);
    return symbol_t<X>{&t, t.input(dtype_of<typename input_type<X>::value_type>, input_type<X>::shape_type::value, name)};
  } else return make_symbols<X>::of(t, n);
}
template <class... X> struct make_symbols<std::tuple<X...>> {
  static constexpr auto of(tape& t, int& n) { return std::tuple<symbol_t<X>...>{make_symbol<X>(t, n)...}; }
};
template <class Y> constexpr void collect_outputs(tape& t, Y const& y) {
  if constexpr (sym::is_symbol<unmarked_t<Y>>) t.g.outputs.push(t.local(y.t, y.id));
  else if constexpr (!sym::is_poison<Y>) std::apply([&](auto const&... k) { (collect_outputs(t, k), ...); }, y);
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// The network M called with symbols of the types X, as a tape. Names cost the compiler more than all else, and only people read them.
template <class M, class... X> constexpr tape trace(bool names = true) {
  tape t;
  t.named = names;
  M const model{};
  nn::visit_parameters(
      model, [&](auto const& p, std::string_view name) { t.declare(&p, name); },
      [&](void const* block, void const* type, std::string_view path) {
        if (names) t.declare_block(block, type, path);
      },
      names);
  t.reserve();
  int n = 0;
  std::tuple<symbol_t<X>...> in{detail::make_symbol<X>(t, n)...};
  auto const y = std::apply(model, in);
  detail::collect_outputs(t, y);
  t.finish_updates();
  t.forget_bodies();
  return t;
}

// The same when the program runs. GCC tries every constexpr call with constant arguments at build time, and this one is expensive.
template <class M, class... X> SINTER_NOINLINE graph named_graph(bool names = true) { return trace<M, X...>(names).g; }

// What the network gives: symbols, tuples of them, or poison.
template <class M, class... X> using traced_result =
    std::remove_cvref_t<decltype(std::declval<M const&>()(std::declval<symbol_t<X> const&>()...))>;

template <class Y> inline constexpr bool is_result = sym::is_symbol<unmarked_t<Y>> || sym::is_poison<Y>;
template <class... Y> inline constexpr bool is_result<std::tuple<Y...>> = (is_result<Y> && ...);
template <class Y> inline constexpr bool has_poison = sym::is_poison<Y>;
template <class... Y> inline constexpr bool has_poison<std::tuple<Y...>> = (has_poison<Y> || ...);

}  // namespace SINTER_ISA
}  // namespace sinter
