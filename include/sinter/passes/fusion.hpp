// SPDX-License-Identifier: Apache-2.0
// The result of fusion: the nodes that one kernel computes together, and the reasons why others are not among them.
#pragma once
#include "schedule.hpp"

namespace sinter {
inline namespace SINTER_ISA {

enum class kernel_kind : std::int8_t {
  pointwise,  // elementwise operations over one space
  rows,       // reductions over the same axes with elementwise operations around them
  product,    // one product with a prologue on its first operand and an epilogue on its result
  opaque
};

// Why a value goes through memory between two kernels.
enum class reason : std::int8_t {
  none,
  different_space,     // the two run over shapes of which one is stretched or cut to the other
  view_between,        // the consumer reads the elements in another order
  opaque,              // one of the two never fuses
  product_operand,     // a product reads its operands many times
  product_reduced,     // a reduction needs whole rows of a product, which come in tiles
  second_product,      // a kernel holds one product
  different_axes,      // two reductions over other axes
  would_cycle,         // something between the two needs the one and is needed by the other
  budget               // the kernel would hold more values than there are registers
};
constexpr std::string_view sentence(reason r) {
  switch (r) {
    case reason::none: return "they are fused";
    case reason::different_space: return "they run over different shapes";
    case reason::view_between: return "the elements are read in another order";
    case reason::opaque: return "one of them never fuses";
    case reason::product_operand: return "a product reads its operand many times";
    case reason::product_reduced: return "a reduction needs whole rows, and a product gives tiles";
    case reason::second_product: return "a kernel holds one product";
    case reason::different_axes: return "they reduce over different axes";
    case reason::would_cycle: return "something between them needs the first and is needed by the second";
    case reason::budget: return "the kernel would hold too many values";
  }
  return "";
}

}  // namespace SINTER_ISA
namespace passes::inline SINTER_ISA {

struct fused_group {
  kernel_kind kind = kernel_kind::pointwise;
  int parent = -1;         // this group, or the one that it became part of
  int position = 0;        // kernels run in the order of their positions
  int shape = -1;          // a node that has the shape the kernel runs over
  std::int64_t axes = 0;   // rows: the reduced axes as bits
  int anchor = -1;         // the product, or the opaque operation
  int steps = 0;
  int first = -1;          // its first node
};
struct missed {
  int producer = -1, consumer = -1;  // nodes
  reason why = reason::none;
};
struct fusion {
  list<fused_group> groups;
  list<int> of;            // node -> group, -1 for leaves, views and joins
  list<char> prologue;     // the node runs on a product's first operand
  list<missed> misses;

  constexpr int root(int g) const {
    fused_group const* const all = groups.data();
    while (all[g].parent != g) g = all[g].parent;
    return g;
  }
};
// State of fusion between two nodes. The compiler fuses a large network in several evaluations, each of which goes on where the one before has
// stopped.
struct reader {
  int group = -1, next = -1;  // a group that reads another, and the next reader of the same
};
struct reader_list {
  int first = -1, last = -1;  // in fusion_notes::readers
};
struct fusion_notes {
  list<reason> why;  // of each operand: why its node is not fused with what computes it
  list<int> uses;  // of each node
  list<int> last;  // the last pointwise group that has read the node, among those that merge_siblings has seen
  list<reader> readers;
  list<reader_list> read_by;  // of each group: the groups that read what it computes
  int positions = 0;
};

}  // namespace passes::inline SINTER_ISA
}  // namespace sinter
