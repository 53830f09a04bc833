// SPDX-License-Identifier: Apache-2.0
// A symbol as text.
#pragma once
#include <ostream>

#include "symbol.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// A line for each variable and operation, and the outputs.
inline std::ostream& operator<<(std::ostream& out, symbol const& s) {
  auto const name_in = [](symbol const& x) {
    sym::composed const& k = x.node(0);
    if (k.is_number) return std::string(k.value.is_whole ? in_digits(k.value.whole).view() : in_words(k.value.real).view());
    std::string r = k.name;  // written so, because GCC 12 warns at -O3 of "[" + std::to_string(n)
    if (k.call && k.call->results > 1) r.append("[").append(std::to_string(x.index(0))).append("]");
    return r;
  };
  for (sym::composed const* k : s.nodes()) {
    if (k->is_number) continue;
    out << k->name;
    if (k->is_variable()) {
      if (k->type.shape.rank >= 0) out << " " << to_string(k->type.shape);
      if (k->type.type != dtype::none) out << " " << name_of(k->type.type);
    } else {
      out << " = " << k->call->op->name << "(";
      for (std::size_t i = 0; i < k->in.size(); ++i) out << (i ? ", " : "") << name_in(k->in[i]);
      out << ")";
    }
    out << "\n";
  }
  out << "outputs:";
  for (std::string const& name : s.list_outputs()) out << " " << name;
  return out << "\n";
}

}  // namespace SINTER_ISA
}  // namespace sinter
