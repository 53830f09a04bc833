// SPDX-License-Identifier: Apache-2.0
// Gradients of symbols, also of networks that were read from files, and F.gradient in networks of symbols.
#pragma once
#include "../ops/gradient.hpp"
#include "call.hpp"

namespace sinter::sym::inline SINTER_ISA {

// The gradient of `head`, a single number, with respect to each of these symbols, on which it depends. They are symbols themselves, so that they may
// stand in a head again.
//   symbol const loss = mean(square(y - target));
//   auto const slopes = sym::gradient(loss, {w, b});
inline symbols gradient(symbol const& head, symbols const& of) {
  if (of.empty()) throw error("sinter: sym::gradient is asked for with respect to no symbol");
  auto made = std::make_shared<called>();
  int const n = static_cast<int>(of.size());
  made->op = &ops::info<ops::gradient>;
  made->attributes = [n](operand_types) { return pack(ops::gradient::attributes{n}); };
  made->results = n;
  made->first_promoted = -1;
  symbols in{head};
  in.insert(in.end(), of.begin(), of.end());
  return compose(std::move(made), in, {});
}

template <class Op> symbol one_node(symbols const& in) {
  auto made = std::make_shared<called>();
  made->op = &ops::info<Op>;
  made->attributes = [](operand_types) { return words{}; };
  made->results = 1;
  made->first_promoted = -1;
  return compose(std::move(made), in, {})[0];
}
// F.gradient of symbols. Whether the function gives a single number shows when the types are known.
template <class Function, class... X> auto value_and_gradient_in(composing const&, Function const& f, X const&... x) {
  if constexpr (!ops::takes_operands<Function, (ops::is_untyped<X> && ...), X...>()) return ops::unchanged(x...);
  else {
    std::tuple const own{one_node<ops::own_operand>({x})...};
    auto const y = std::apply(f, own);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      symbols const slopes = gradient(y, {std::get<I>(own)...});
      return std::tuple(y, ops::one_or_all(slopes[I]...));
    }(std::index_sequence_for<X...>{});
  }
}

template <class Forward, class Backward, class... X>
symbol with_gradient_in(composing const&, Forward const& forward, Backward const& backward, X const&... x) {
  std::tuple const own{one_node<ops::own_operand>({x})...};
  symbol const y = std::apply(forward, own), d = one_node<ops::given_gradient>({y});
  symbols in{y, x..., d};
  std::apply([&](auto const&... g) { (in.push_back(g), ...); }, as_tuple(backward(d, x...)));
  return one_node<ops::with_gradient>(in);
}

}  // namespace sinter::sym::inline SINTER_ISA
