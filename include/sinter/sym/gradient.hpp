// SPDX-License-Identifier: Apache-2.0
// F.gradient of a trace: the function is called with symbols of its own, and a node asks for the gradients with respect to these.
#pragma once
#include <array>

#include "../ops/gradient.hpp"
#include "control_flow.hpp"

namespace sinter::sym::inline SINTER_ISA {

template <class... X, std::size_t... I> constexpr auto write_gradient(tape& on, int head, std::tuple<X...> const& x,
                                                                      std::index_sequence<I...>) {
  int const in[]{head, on.local(std::get<I>(x).t, std::get<I>(x).id)...};
  list<int> wanted;
  for (std::size_t i = 0; i < sizeof...(X); ++i) wanted.push(in[i + 1]);
  if (ops::independent(on.g, head, wanted) >= 0) on.fail(trace_error::independent);
  else if (op_info const* const op = ops::without_gradient(on.g, head, wanted)) {
    on.fail(trace_error::no_gradient);
    on.whole().without_gradient = op;
  }
  if (ops::loses_captured(on.g, head, wanted)) on.fail(trace_error::captured);
  inferred why;
  int const id = on.g.apply(ops::info<ops::gradient>, {in, sizeof...(X) + 1}, pack(ops::gradient::attributes{sizeof...(X)}), why);
  return ops::one_or_all(X{&on, on.g.result(id, I)}...);
}
template <class X> constexpr X own_operand(functions const& F, X const& x) {
  tape& on = F.t->now();
  int const in[]{on.local(x.t, x.id)};
  inferred why;
  return X{&on, on.g.apply(ops::info<ops::own_operand>, {in, 1}, {}, why)};
}
// Poison is passed on, as every operation does.
template <class Function, class... X> constexpr auto value_and_gradient_in(functions const& F, Function const& f, X const&... x) {
  if constexpr ((is_poison<X> || ...)) {
    auto const p = poison_among(x...);
    return std::tuple(p, ops::one_or_all(all_poison(x, p)...));
  } else if constexpr (!ops::takes_operands<Function, (is_symbol<X> && ...), X...>())
    return F.t->fail(trace_error::refused), ops::unchanged(x...);
  else {
    std::tuple<X...> const own{own_operand(F, x)...};
    auto const y = std::apply(f, own);
    using Y = std::remove_cvref_t<decltype(y)>;
    if constexpr (is_poison<Y>) return std::tuple(y, ops::one_or_all(all_poison(x, y)...));
    else if constexpr (!ops::is_differentiable<Y>()) return F.t->fail(trace_error::refused), ops::unchanged(x...);
    else {
      tape& on = F.t->now();
      return std::tuple(y, write_gradient(on, on.local(y.t, y.id), own, std::index_sequence_for<X...>{}));
    }
  }
}

template <class Forward, class Backward, class... X>
constexpr auto with_gradient_in(functions const& F, Forward const& forward, Backward const& backward, X const&... x) {
  if constexpr ((is_poison<X> || ...)) return poison_among(x...);
  else {
    std::tuple<X...> const own{own_operand(F, x)...};
    auto const y = std::apply(forward, own);
    using Y = std::remove_cvref_t<decltype(y)>;
    if constexpr (is_poison<Y>) return y;
    else if constexpr (!ops::takes_gradient<Backward, Y, X...>()) return F.t->fail(trace_error::refused), y;
    else {
      tape& on = F.t->now();
      auto const apply = [&]<std::size_t N>(op_info const& op, std::array<int, N> const& in) {
        inferred why;
        return Y{&on, on.g.apply(op, {in.data(), static_cast<int>(N)}, {}, why)};
      };
      Y const d = apply(ops::info<ops::given_gradient>, std::array{on.local(y.t, y.id)});
      auto const g = as_tuple(backward(d, x...));  // x as it is: what is differentiated again
      if constexpr (!ops::gives_gradients<std::remove_cvref_t<decltype(g)>, X...>()) return F.t->fail(trace_error::refused), y;
      else
        return std::apply(
            [&](auto const&... k) {
              return apply(ops::info<ops::with_gradient>,
                           std::array{on.local(y.t, y.id), on.local(x.t, x.id)..., on.local(d.t, d.id), on.local(k.t, k.id)...});
            },
            g);
    }
  }
}

}  // namespace sinter::sym::inline SINTER_ISA
