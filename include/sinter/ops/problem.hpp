// SPDX-License-Identifier: Apache-2.0
// The sentences for operands that do not fit.
#pragma once
#include <string_view>

#include "../graph/op.hpp"

// Total over `problem`. Each is the second half of a sentence that begins with the operation and ends with the operands. A macro, because a
// static_assert takes literals only.
// clang-format off
#define SINTER_PROBLEMS(say) \
  say(shapes_differ, "the shapes do not broadcast; make them equal, or 1 where one should stretch") \
  say(inner_differ, "the inner dimensions differ; the last of the first operand is summed with the matching one of the second") \
  say(rank_too_small, "an operand has too few dimensions") \
  say(mixed_dtypes, "the dtypes are of different kinds; use F.cast<...> on one of them") \
  say(wants_floating, "the operand must be float32 or float64; use F.cast<float>") \
  say(wants_integer, "the operand must be int32 or int64; use F.cast<std::int64_t>") \
  say(wants_bool, "the operand must be bool; compare it with something, or use F.cast<bool>") \
  say(no_such_axis, "the operand has no such axis") \
  say(reshape_count, "the new shape holds another number of elements") \
  say(slice_range, "the range lies outside the operand, or is empty of meaning (step 0)") \
  say(split_uneven, "the axis cannot be cut into that many equal parts") \
  say(squeeze_extent, "only dimensions of extent 1 can be squeezed") \
  say(wants_number, "an axis along which the layer has parameters must have a number as its extent; only others may be dynamic") \
  say(too_many_dimensions, "the result would have more than eight dimensions, or more than sixteen dynamic ones meet") \
  say(operand_count, "the operation takes another number of operands") \
  say(wants_array, "a plain number stands where an array belongs; an axis is written axis<1>") \
  say(keyword_count, "a keyword is missing, given twice, or has too many or too few values") \
  say(keyword_value, "a keyword has a value that the operation cannot take") \
  say(axis_twice, "an axis is named twice")
// clang-format on

namespace sinter {
inline namespace SINTER_ISA {

constexpr std::string_view sentence(problem p) {
  switch (p) {
    case problem::none: return "fits";
#define SINTER_SENTENCE(why, words) \
  case problem::why: return words;
      SINTER_PROBLEMS(SINTER_SENTENCE)
#undef SINTER_SENTENCE
  }
  return "";
}

}  // namespace SINTER_ISA
}  // namespace sinter
