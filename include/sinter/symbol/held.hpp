// SPDX-License-Identifier: Apache-2.0
// A variable that has its values, as a parameter of a block has: weights that come from a file.
#pragma once
#include "executor.hpp"

namespace sinter::sym::inline SINTER_ISA {

// The symbol shares the array's elements.
inline symbol held(std::string name, array const& values) {
  auto k = std::make_shared<composed>();
  k->name = std::move(name);
  k->type = {values.type(), values.shape()};
  k->known_shape = [shape = values.shape()] { return shape; };
  k->values = [values](dims const&) { return values.data(); };
  return symbol(std::move(k));
}

}  // namespace sinter::sym::inline SINTER_ISA
