// SPDX-License-Identifier: Apache-2.0
// The plan: which kernels run, on which buffers, and where those lie. A value, like the graph.
#pragma once
#include <algorithm>

#include "../passes/fuse.hpp"

namespace sinter {
inline namespace SINTER_ISA {

enum class storage : std::int8_t { input, parameter, constant, arena, output, prepared, block };  // block: plan/blocks.hpp

struct buffer_info {
  storage where = storage::arena;
  int index = -1;            // which input, parameter or output; a constant's first datum
  int data = 0;              // constant: how many data
  dtype type = dtype::none;
  size elements;
  int first = -1, last = -1; // the groups that write it first and read it last
  int node = -1;
  int home = -1;             // the buffer whose bytes it reuses: itself unless the planner made it in-place
  int body = -1, other = -1; // the arena of these bodies of the graph, of which one runs: whoever runs them says how large it is
  std::int64_t (*const* arena_of_body)(binding const&) = nullptr;
  bool knows_arenas = false;  // whether it is set; with -fsanitize=undefined GCC 12 compares no such pointer in a constant expression
};

template <class Buffers> constexpr int home_of(Buffers const& buffers, int i) {
  while (buffers[i].home != i) i = buffers[i].home;
  return i;
}

// How one operand of a kernel is read or written while the innermost loop runs.
enum class access : std::int8_t { unit, zero, strided };
struct operand {
  int buffer = -1;
  dtype type = dtype::none;
  access mode = access::unit;
  bool written = false;
  bool windowed = false;    // read through the windows of the group's map
  place_sum offset;
  size stride[max_loop]{};  // for each loop
  size touched;             // distinct elements
};
// One operation inside a kernel. `from`: an earlier step, or -1 - j for operand j.
struct step_info {
  op_info const* op = nullptr;
  dtype type = dtype::none;
  int from[max_step_operands]{}, n = 0;  // none for an opaque operation, which reads all operands of its kernel
  bool row = false;         // rows: one value a row
  int phase = 0;            // rows: when it is complete; 0 in other kernels
  unsigned needed = 0;      // rows: the phases in which its elements are computed, as bits
  int keep = -1;            // rows: the operand (an output) in which it waits for later phases
  int store = -1;           // the operand that it is stored to
  int node = -1;
  bool prologue = false;
};
// The loops of a product that has several for rows, columns or depth, and the windows through which its first operand, and what that is
// computed from, are read: `outer` and `inner` are loops, and outside [0, extent) stands a zero. An operand's strides in the two loops are its
// stride along the axis times `step` and `dilation`; its offset does not know of the shift, because it must lie inside the buffer.
struct window {
  int outer = 0, inner = 0;
  std::int64_t step = 1, dilation = 1, shift = 0, extent = 0;
  SINTER_HD constexpr std::int64_t place(std::int64_t o, std::int64_t i) const { return o * step + i * dilation - shift; }
  SINTER_HD constexpr bool holds(std::int64_t at) const { return at >= 0 && at < extent; }
};
struct loop_map {
  int rows = 1, columns = 1, depth = 1;  // how many loops, behind those of the batches
  int windows = 0;
  window window_at[ops::max_windows]{};
};
// Which rows of an operand, `height` in all, rows [from, to) of a result are computed from.
struct row_window {
  std::int64_t step = 1, shift = 0, reach = 0;
  constexpr std::int64_t first(std::int64_t from, std::int64_t height) const {
    return std::clamp(from * step - shift, std::int64_t{0}, height);
  }
  constexpr std::int64_t end(std::int64_t to, std::int64_t height) const {
    return std::clamp((to - 1) * step - shift + reach + 1, std::int64_t{0}, height);
  }
  // The most rows of the operand that `rows` rows of the result need.
  constexpr std::int64_t rows_for(std::int64_t rows, std::int64_t height) const { return std::min((rows - 1) * step + reach + 1, height); }
};
// A kernel that runs some rows of an image after the other (plan/image_blocks.hpp): its loop over the images, -1 for one image, its loop over
// their rows, -1 if it runs in another way, and which rows it reads of what the kernel before it gives.
struct image_rows {
  int image = -1, row = -1;
  row_window read;
};
struct group {
  kernel_kind kind = kernel_kind::pointwise;
  span_of steps, operands;  // operands: inputs, then outputs
  int inputs = 0;
  int rank = 0, row_rank = 0;  // loops; rows: how many of them count rows. product: batch loops, then m, n, k
  size extents[max_loop]{};
  int phases = 1;
  int map = -1;  // product: in plan::maps, or -1: one loop each for rows, columns and depth
  int anchor = -1;  // node of the product or opaque operation
  bool once = false;  // it runs when parameters have changed, and not in every call
  int together = -1;  // the last of the kernels that it runs together with, block of rows by block of rows (plan/blocks.hpp); or -1
  image_rows of_images;
  span_of attributes;  // opaque: in graph::attributes
  span_of shapes;  // opaque: in plan::shapes, of its results, then of its operands
  constexpr int results() const { return operands.n - inputs; }
  // opaque: where the shape of operand j stands.
  constexpr int shape_of(int j) const { return shapes.at + (j < inputs ? results() + j : j - inputs); }
};
// Work that depends on parameters and constants alone. It is done before the first run, and again when a parameter has changed: kernels with
// the mark `once`, then this: a backend may bring an operand of a kernel, the second one of a product, into the order in which it reads it.
struct preparation {
  int group = -1, operand = -1;  // counted from the group's first operand
  int like = -1;  // an earlier one that brings the same weights into the same order, and is what this kernel reads
};
// A parameter that a run changes. Its next value is one of the last results, which stand in the order of the updates.
struct update {
  int parameter = -1;  // of the model; -1: one that several parameters of the graph share
  int number = -1;  // among those that the plan reads, or -1
  bool in_place = false;  // whether the next value may be written over the old one
};
// What a plan costs at given dynamic dimensions.
struct costs {
  std::int64_t flops = 0, loads = 0, stores = 0, bytes_read = 0, bytes_written = 0, parameter_bytes = 0, lower_bound = 0;
};

struct plan {
  graph g;  // the graph that it computes, after the passes
  list<buffer_info> buffers;
  list<operand> operands;
  list<step_info> steps;
  list<group> groups;
  list<loop_map> maps;
  list<preparation> preparations;
  list<update> updates;
  list<dims> shapes;
  list<passes::missed> misses;
  list<array_type> results;  // of the network, in order, and the next values of what it changes
  int parameters = 0;  // parameters of the model that it uses
  list<int> parameter_at;  // which ones, in the order of a visit
  list<array_type> parameter_types;
  list<plan> bodies;  // of its graph's control flow, where the program makes the plan; the compiler makes a program of each
};

}  // namespace SINTER_ISA
}  // namespace sinter
