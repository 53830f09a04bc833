// SPDX-License-Identifier: Apache-2.0
// Gradients of symbols, also of networks that were read from files.
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

}  // namespace sinter::sym::inline SINTER_ISA
