// SPDX-License-Identifier: Apache-2.0
// What a graph knows about an operation: its properties and rules. The headers in ops/ fill it in.
#pragma once
#include <climits>
#include <cstdint>
#include <string_view>

#include "../core/dtype.hpp"
#include "../core/shape.hpp"
#include "attributes.hpp"
#include "dimensions.hpp"
#include "layout.hpp"

namespace sinter {
inline namespace SINTER_ISA {

struct graph;

enum class family : std::int8_t {
  leaf,         // input, parameter, constant
  elementwise,  // one element of each operand gives one element
  reduction,    // over axes, which stay in the shape with extent 1
  view,         // the same memory, read in another order
  product,      // matmul
  join,         // concat: operands laid side by side
  opaque,       // a kernel of its own, never fused
  composite,    // written in terms of others; gone after `expand`
  result,       // one of several results of its operand
  tuple         // its operands, as the results of one operation; gone after `expand`
};

struct array_type {
  dtype type = dtype::none;
  dims shape;
  constexpr bool operator==(array_type const&) const = default;
};

// The operands of a call: their types, or their nodes.
template <class T> struct operand_row {
  T const* data = nullptr;
  int n = 0;
  constexpr T const& operator[](int i) const { return data[i]; }
  constexpr T const* begin() const { return data; }
  constexpr T const* end() const { return data + n; }
};
using operand_types = operand_row<array_type>;
using operand_nodes = operand_row<int>;

// Why operands do not fit. The messages are in ops/problem.hpp.
enum class problem : std::int8_t {
  none,
  shapes_differ,
  parts_differ,
  inner_differ,
  rank_too_small,
  mixed_dtypes,
  wants_floating,
  wants_integer,
  wants_bool,
  takes_no_bool,
  no_such_axis,
  reshape_count,
  slice_range,
  split_uneven,
  squeeze_extent,
  wants_number,
  too_many_dimensions,
  operand_count,
  wants_array,
  keyword_count,
  keyword_value,
  axis_twice,
  channels_differ,
  kernel_rank,
  kernel_too_large,
  window_too_large,
  pad_too_large,
  border_too_large,
  index_shape,
  lengths_shape,
  coordinates_shape,
  attention_shapes,
  subscripts_count,
  subscripts_extents,
  not_square,
  ctc_shapes,
  transposed_channels,
  grid_shape,
  regions_shape,
  spatial_axes,
  image_extents,
  groups_differ,
  top_range,
  states_shape,
  head_shape,
  wants_key
};
struct inferred {
  array_type type;  // of the result, or of the first one
  problem what = problem::none;
  int a = 0, b = 1;  // the operands that the sentence shows
};

// The most operands of an elementwise operation, a reduction or a product; others have as many as they declare.
inline constexpr int max_step_operands = 6;
// How many operands an operation takes: a number, or from `least` to `most`.
struct operand_count {
  static constexpr int any = INT_MAX;
  int least = 0, most = any;
  constexpr operand_count() = default;
  constexpr explicit(false) operand_count(int n) : least(n), most(n) {}
  constexpr operand_count(int from, int to) : least(from), most(to) {}
  constexpr bool holds(int n) const { return least <= n && n <= most; }
};

// The four things that an operation may say of its gradient.
enum class derivative : std::int8_t {
  unknown,     // nobody has written it yet
  zero,        // wherever there is one: of a rounding, a comparison, a position, of what has no operands
  definition,  // that of its definition
  rule         // op_info::gradient
};
// A question to the rule of an operation, and the answer.
struct gradient_request {
  int y = -1;            // the node
  operand_nodes d;       // the gradient of each of its results: a node, or -1 where there is none
  operand_nodes wanted;  // for each operand whether its gradient is asked for
  int* to = nullptr;     // for each operand its gradient: a node, or -1 where it is zero, as it is before the rule says otherwise
};

using gradient_rule = void (*)(graph& g, gradient_request const& r);

// What a matrix library can do to a product's result before it is stored.
enum class library_epilogue : std::int8_t { none, relu, gelu_tanh };

struct format_names {
  std::string_view mxnet = {}, onnx = {};
};

struct op_info {
  std::string_view name;
  std::uint64_t id = 0;
  family kind = family::leaf;
  format_names formats;
  operand_count arity;
  // Properties that passes ask for. An operation sets those that it has.
  bool exact = false;        // correctly rounded, so folding it at build time changes no bit
  bool commutative = false;  // the same bits in either order, except for which of two NaNs is the result
  bool idempotent = false;   // f(f(x)) is f(x)
  bool involution = false;   // f(f(x)) is x
  bool selects = false;      // f(x, x) is x
  bool truth = false;        // the result is bool
  bool condition = false;    // the first operand is bool, whatever the others are
  bool indexed = false;      // a reduction that gives a position, not a value
  bool mapped = false;       // a product that reads its operands through maps, or is written with one
  bool several = false;      // results: `result` nodes stand for them
  bool effect = false;       // opaque; does something beside its results, as often and in the order in which the network says it
  bool own_gradient = false; // with_gradient: no gradient goes to its first operand, and to those behind the first half
  bool moves = false;        // the results hold elements of the operands, as they are: any dtype will do
  bool keeps_order = false;  // a view that reads its operand's elements in their order
  int divisor = -1;          // the operand that it divides by
  int flops = 1;             // counted for one element
  int cost = 1;              // about how many cycles 16 float elements take: what it costs to recompute them
  attribute_field const* fields = nullptr;  // the names and kinds of its attributes
  int n_fields = 0;
  // The functions below are given the attributes as words.
  inferred (*infer)(operand_types in, std::int64_t const* a, dimension_table& t) = nullptr;
  // several: how many, and the type of result i, where `first` is that of the first
  int (*results)(std::int64_t const* a) = nullptr;
  array_type (*result)(int i, operand_types in, std::int64_t const* a, array_type const& first) = nullptr;
  // elementwise: the value for operands of type `t`, all given and returned as the bits of a double, an int64 or 0 and 1
  std::uint64_t (*fold)(dtype t, std::uint64_t const* operands) = nullptr;
  // view: how the operand's memory is read; false when it cannot be without a copy
  bool (*view)(layout const& in, dims const& from, dims const& to, std::int64_t const* a, dimension_table& t, layout& out) = nullptr;
  derivative derives = derivative::unknown;
  // rule: appends the gradients of the operands that are wanted. One may have the shape of the result: who asks sums it over the axes along
  // which the operand is stretched. Null for operations of F, whose rules only who asks for a gradient pays for:
  gradient_rule gradient = nullptr;
  // of a node that asks for gradients: finds them
  gradient_rule (*rule_of)(op_info const& op) = nullptr;
  // of a reduction that depends on its dtype where there are no elements: appends what node `done`, which is computed in 32 bits, is in `type`
  int (*narrowed)(graph& g, int done, dtype type) = nullptr;
  // composite: appends its definition to `g` and returns the node that replaces it, a `tuple` of them if there are several results
  int (*expand)(graph& g, operand_nodes in, std::int64_t const* a) = nullptr;
};

// Operations are compared by name: comparing their addresses is not a constant expression under GCC's sanitizers.
constexpr bool operator==(op_info const& a, op_info const& b) { return a.id == b.id; }

}  // namespace SINTER_ISA
}  // namespace sinter
