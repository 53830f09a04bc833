// SPDX-License-Identifier: Apache-2.0
// What is said of a variable when a symbol is evaluated, beside what it was declared with.
#pragma once
#include <string>

#include "symbol.hpp"

namespace sinter::sym::inline SINTER_ISA {

// What is said of a variable when it is evaluated fits what it was declared with. A dimension that has a name keeps it.
inline void take(array_type& known, array_type const& given, composed const& k) {
  if (given.type != dtype::none) {
    if (known.type != dtype::none && known.type != given.type)
      throw dtype_error("sinter: variable `" + k.name + "` of dtype " + std::string(name_of(known.type)) + " is given " +
                        std::string(name_of(given.type)));
    known.type = given.type;
  }
  check_rank(k.name, given.shape);
  if (given.shape.rank < 0) return;
  if (known.shape.rank < 0) known.shape = given.shape;
  if (!may_equal(known.shape, given.shape))
    throw shape_error("sinter: variable `" + k.name + "` of shape " + to_string(known.shape) + " is given the shape " +
                      to_string(given.shape));
  for (int i = 0; i < known.shape.rank; ++i)
    if (known.shape.d[i] == unknown_extent) known.shape.d[i] = given.shape.d[i];
}

// The values of a parameter, which gets this shape.
inline std::byte* values_of(composed const& parameter, dims const& shape) {
  try {
    return parameter.values(shape);
  } catch (error& e) {
    e.set_layer(parameter.name);
    throw;
  }
}

}  // namespace sinter::sym::inline SINTER_ISA
