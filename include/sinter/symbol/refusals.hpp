// SPDX-License-Identifier: Apache-2.0
// What is wrong with an operation of a symbol, as a sentence that begins with its name and the types of its operands.
#pragma once
#include <string>

#include "../ops/problem.hpp"
#include "symbol.hpp"

namespace sinter::sym::inline SINTER_ISA {

inline std::string described(composed const& k, list<array_type> const& types_in) {
  std::string of;
  for (array_type const& t : types_in)
    of += (of.empty() ? "" : ", ") + std::string(name_of(t.type)) + std::string(" ") + to_string(t.shape);
  if (k.call)
    if (auto const at = k.call->keywords.find("into"); at != k.call->keywords.end())
      if (dims const* const into = std::get_if<dims>(&at->second)) of += " into " + to_string(*into);
  return "sinter: " + k.name + " of " + of + ": ";
}
[[noreturn]] inline void refuse(composed const& k, list<array_type> const& types_in, std::string const& why) {
  throw shape_error(described(k, types_in) + why);
}
[[noreturn]] inline void refuse(composed const& k, list<array_type> const& types_in, problem what) {
  std::string const s = described(k, types_in) + std::string(sentence(what));
  bool const of_dtypes = what == problem::mixed_dtypes || what == problem::wants_floating || what == problem::wants_integer ||
                         what == problem::wants_bool || what == problem::takes_no_bool;
  if (of_dtypes) throw dtype_error(s);
  throw shape_error(s);
}
// Numbers of elements are computed with 64 bits.
inline void check_size(composed const& k, list<array_type> const& types_in, dims const& shape) {
  dims numbers;
  for (int i = 0; i < shape.rank; ++i)
    if (shape.d[i] >= 0) numbers.push(shape.d[i]);
  if (!is_countable(numbers)) refuse(k, types_in, "its result has more elements than can be counted: " + to_string(shape));
}
[[noreturn]] inline void refuse_twins(composed const& a, composed const& b) {
  if (!a.values != !b.values)
    throw error("sinter: an input and a parameter of this symbol are both called `" + a.name +
                "`; give one another name (inputs of a network are called data, or data0, data1, ...: no member of a block is)");
  throw error("sinter: two variables of this symbol are called `" + a.name + "`; give each a name of its own, or use one symbol twice");
}
[[noreturn]] inline void refuse_unknown_shape(composed const& k, dims const& known) {
  throw shape_error(std::string("sinter: the shape of ") + (k.values ? "parameter `" : "variable `") + k.name +
                    "` is not known, and does not follow from others" + (known.rank < 0 ? "" : ": of " + to_string(known)) +
                    (k.values ? "; its extents are those of the inputs, which are numbers there: shape<dim<\"batch\">, 784>"
                              : "; give it a value, or a shape in sym::var"));
}
[[noreturn]] inline void refuse_stranger(composed const& k) {
  throw error("sinter: " + k.name +
              " is used outside the function of a foreach, while_loop or cond in which it was made; the function returns what is used "
              "outside");
}

}  // namespace sinter::sym::inline SINTER_ISA
