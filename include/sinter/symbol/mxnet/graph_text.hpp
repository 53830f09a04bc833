// SPDX-License-Identifier: Apache-2.0
// What MXNet's symbol JSON says: nodes with names, attributes and inputs.
#pragma once
#include "attributes.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

// Output `output` of an earlier node.
struct entry {
  int node = 0, output = 0;
};
struct graph_text;
struct node_text {
  std::string op, name;  // "null": a variable
  attribute_texts attributes;
  std::vector<entry> inputs;
  std::vector<graph_text> subgraphs;
  int results = 1;  // of a graph that is written
};
struct graph_text {
  std::vector<node_text> nodes;
  std::vector<int> arguments;  // the variables
  std::vector<entry> heads;  // the outputs
  bool is_numpy = false;  // numpy shapes: a scalar has rank 0
  std::string signature;  // what is noted of inputs and outputs, or nothing
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
