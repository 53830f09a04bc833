// SPDX-License-Identifier: Apache-2.0
// The sentences for operands that do not fit.
#pragma once
#include <string_view>

#include "../graph/op.hpp"

namespace sinter {

// Total over `problem`. Each is the second half of a sentence that begins with the operation's name and ends with the operands.
constexpr std::string_view sentence(problem p) {
  switch (p) {
    case problem::none: return "fits";
    case problem::shapes_differ: return "the shapes do not broadcast; make them equal, or 1 where one should stretch";
    case problem::inner_differ: return "the inner dimensions differ; the last of the first operand is summed with the matching one of the second";
    case problem::rank_too_small: return "an operand has too few dimensions";
    case problem::mixed_dtypes: return "the dtypes are of different kinds; use F.cast<...> on one of them";
    case problem::wants_floating: return "the operand must be float32 or float64; use F.cast<float>";
    case problem::wants_integer: return "the operand must be int32 or int64; use F.cast<std::int64_t>";
    case problem::wants_bool: return "the operand must be bool; compare it with something, or use F.cast<bool>";
    case problem::no_such_axis: return "the operand has no such axis";
    case problem::reshape_count: return "the new shape holds another number of elements";
    case problem::slice_range: return "the range lies outside the operand, or is empty of meaning (step 0)";
    case problem::split_uneven: return "the axis cannot be cut into that many equal parts";
    case problem::squeeze_extent: return "only dimensions of extent 1 can be squeezed";
    case problem::too_many_dimensions: return "the result would have more than eight dimensions, or the network more than eight dynamic ones";
  }
  return "";
}

}  // namespace sinter
