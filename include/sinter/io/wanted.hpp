// SPDX-License-Identifier: Apache-2.0
// What a network wants of a file, and how strictly.
#pragma once
#include "array.hpp"

namespace sinter::io {

// A parameter that a network wants: its structural name (`0.weight`, `hidden.bias`), in the order in which the members are
// visited. An extent below zero is not known yet and takes any number.
struct wanted {
  std::string name;
  dtype type = dtype::none;
  std::vector<extent> shape;
  bool any_shape = false;  // not even the rank is known
};

// What a file may lack or have beyond the network: load_parameters(net, path, {.ignore_extra = true}). The first three are Gluon's.
struct load_options {
  bool allow_missing = false;  // a parameter that is not in the file keeps what it has; at least one must be there
  bool ignore_extra = false;   // an array without a parameter is left out
  bool cast_dtype = false;     // another element type is converted; a value that the parameter's cannot hold is an error
  bool by_order = false;       // the arrays lie in the order of the parameters, unless all names agree
};

}  // namespace sinter::io
