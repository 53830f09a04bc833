// SPDX-License-Identifier: Apache-2.0
// Every operator of ONNX that sinter has.
#pragma once
#include <algorithm>
#include <span>

#include "operators/control_flow.hpp"
#include "operators/elementwise.hpp"
#include "operators/index.hpp"
#include "operators/learning.hpp"
#include "operators/norms.hpp"
#include "operators/product.hpp"
#include "operators/recurrent.hpp"
#include "operators/reduce.hpp"
#include "operators/resize.hpp"
#include "operators/shape.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline constexpr int oldest_opset = 7, newest_opset = 28, newest_ir = 14;

inline constexpr std::span<operator_row const> operator_tables[] = {control_flow_rows, elementwise_rows, index_rows,     learning_rows,
                                                                    norm_rows,         product_rows,     recurrent_rows, reduce_rows,
                                                                    resize_rows,       shape_rows};

// Under which name the table has it: those of another domain have it in front.
inline std::string name_in_table(node const& n) { return n.domain.empty() || n.domain == "ai.onnx" ? n.op : n.domain + "." + n.op; }
inline bool has_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx" || domain == "ai.onnx.ml"; }
// The row of an operator in an opset of ONNX; null where there is none, and `in_others` says whether other opsets have one.
inline operator_row const* find_operator(std::string_view name, int opset, bool* in_others = nullptr) {
  for (auto const& table : operator_tables)
    for (operator_row const& row : table) {
      if (row.name != name) continue;
      if (in_others) *in_others = true;
      if (row.since <= opset && (row.until == 0 || opset <= row.until)) return &row;
    }
  return nullptr;
}
inline bool has_attribute(operator_row const& row, std::string_view name) {
  std::string_view rest = row.attributes;
  while (!rest.empty()) {
    std::size_t const end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
