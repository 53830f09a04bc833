// SPDX-License-Identifier: Apache-2.0
// What a graph knows of an operation: a row of properties and rules. The rooms of the operations (ops/) fill it in.
#pragma once
#include <climits>
#include <cstdint>
#include <string_view>

#include "../core/dtype.hpp"
#include "../core/shape.hpp"
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
  opaque,       // a kernel of its own, which nothing joins
  composite     // written in terms of others; gone after `expand`
};

struct array_type {
  dtype type = dtype::none;
  dims shape;
  constexpr bool operator==(array_type const&) const = default;
};

// Numbers that belong to an operation: axes, a permutation, an epsilon. Reals are kept as the bits of a double.
struct attributes {
  int n = 0;
  std::int64_t v[3 * max_rank]{};
  constexpr bool operator==(attributes const& o) const {
    if (n != o.n) return false;
    for (int i = 0; i < n; ++i)
      if (v[i] != o.v[i]) return false;
    return true;
  }
};

// Why operands do not fit. The sentences stand in ops/problem.hpp.
enum class problem : std::int8_t {
  none,
  shapes_differ,
  inner_differ,
  rank_too_small,
  mixed_dtypes,
  wants_floating,
  wants_integer,
  wants_bool,
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
  kernel_too_large
};
struct inferred {
  array_type type;
  problem what = problem::none;
  int a = 0, b = 1;  // the operands that the sentence shows
};

// How many operands an operation takes: so many, or from `least` to `most`.
struct operand_count {
  static constexpr int any = INT_MAX;
  int least = 0, most = any;
  constexpr operand_count() = default;
  constexpr explicit(false) operand_count(int n) : least(n), most(n) {}
  constexpr operand_count(int from, int to) : least(from), most(to) {}
  constexpr bool holds(int n) const { return least <= n && n <= most; }
};

struct format_names {
  std::string_view mxnet = {}, onnx = {};
};

struct op_info {
  std::string_view name;
  std::uint64_t id = 0;
  family kind = family::leaf;
  format_names formats;
  operand_count arity;
  bool exact = false;        // correctly rounded, so folding it at build time changes no bit
  bool commutative = false;  // the same bits in either order, but for which of two NaNs comes out
  bool truth = false;        // the result is bool
  bool indexed = false;      // a reduction that gives a place, not a value
  bool mapped = false;       // a product that reads its operands through maps, or is written with one
  int flops = 1;             // counted for one element
  int cost = 1;              // cycles for 16 float elements, about: what recomputing is worth
  inferred (*infer)(array_type const* in, int n, attributes const& a, dimension_table& t) = nullptr;
  // elementwise: the value for operands of type `t`, all given and returned as the bits of a double, an int64 or 0 and 1
  std::uint64_t (*fold)(dtype t, std::uint64_t const* operands) = nullptr;
  // view: how the operand's memory is read; false when it cannot be without a copy
  bool (*view)(layout const& in, dims const& from, dims const& to, attributes const& a, dimension_table& t, layout& out) = nullptr;
  // composite: appends its definition to `g` and returns the node that stands for it
  int (*expand)(graph& g, int const* operands, int n, attributes const& a) = nullptr;
};

// Operations are compared by their names: whether two objects' addresses are equal is no constant for GCC's sanitizers.
constexpr bool operator==(op_info const& a, op_info const& b) { return a.id == b.id; }

constexpr std::uint64_t hash_of(std::string_view s) {  // FNV-1a
  std::uint64_t h = 14695981039346656037u;
  for (char c : s) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

}  // namespace SINTER_ISA
}  // namespace sinter
