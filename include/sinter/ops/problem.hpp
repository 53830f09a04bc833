// SPDX-License-Identifier: Apache-2.0
// The messages for operands that do not fit.
#pragma once
#include <string_view>

#include "../graph/op.hpp"

// Each is the second half of a sentence that begins with the operation and ends with the operands. Macros, because a static_assert takes
// literals only; and one for each message, because the compilers print every macro around a condition that failed (compile/trace.hpp).
#define SINTER_SAY_SHAPES_DIFFER "the shapes do not broadcast; make them equal, or 1 where one should stretch"
#define SINTER_SAY_PARTS_DIFFER \
  "the parts have as many dimensions as the first, and its extents along all axes but the one they are joined along"
#define SINTER_SAY_INNER_DIFFER "the inner dimensions differ; the last of the first operand is summed with the matching one of the second"
#define SINTER_SAY_RANK_TOO_SMALL "an operand has too few dimensions"
#define SINTER_SAY_MIXED_DTYPES "the dtypes are of different kinds; cast one of them: F.cast(x, as<float>), in eager code sinter::cast"
#define SINTER_SAY_WANTS_FLOATING "the operand must have a floating dtype; write F.cast(x, as<float>), in eager code sinter::cast"
#define SINTER_SAY_WANTS_INTEGER "the operand must have an integer dtype; write F.cast(x, as<std::int64_t>), in eager code sinter::cast"
#define SINTER_SAY_WANTS_BOOL \
  "the operand must be bool; compare it with something, or write F.cast(x, as<bool>), in eager code sinter::cast"
#define SINTER_SAY_TAKES_NO_BOOL \
  "the operation takes numbers, and an operand is bool; write F.cast(mask, as<std::int32_t>), in eager code sinter::cast"
#define SINTER_SAY_NO_SUCH_AXIS "the operand has no such axis"
#define SINTER_SAY_RESHAPE_COUNT "the new shape holds another number of elements"
#define SINTER_SAY_SLICE_RANGE "the range lies outside the operand, or its step is 0"
#define SINTER_SAY_SPLIT_UNEVEN \
  "the axis cannot be cut into that many equal parts; heads and groups divide the channels, the product of pixel_shuffle's factors too"
#define SINTER_SAY_SQUEEZE_EXTENT "only dimensions of extent 1 can be squeezed"
#define SINTER_SAY_WANTS_NUMBER "the operation needs a number as the extent of an axis that is dynamic here; only other axes may be dynamic"
#define SINTER_SAY_TOO_MANY_DIMENSIONS "the result would have more than eight dimensions, or more than sixteen dynamic ones meet"
#define SINTER_SAY_OPERAND_COUNT "the operation takes another number of operands"
#define SINTER_SAY_WANTS_ARRAY "a plain number stands where an array belongs; an axis is written axis<1>"
#define SINTER_SAY_KEYWORD_COUNT "a keyword is missing, given twice, or has too many or too few values"
#define SINTER_SAY_KEYWORD_VALUE "a keyword has a value that the operation cannot take"
#define SINTER_SAY_AXIS_TWICE "an axis is named twice"
#define SINTER_SAY_CHANNELS_DIFFER \
  "the channels differ: weights are (outputs, inputs / groups, kernel...), and the groups divide the channels of both operands"
#define SINTER_SAY_KERNEL_RANK "the weights have as many dimensions as the operand, whose first two are batch and channels"
#define SINTER_SAY_KERNEL_TOO_LARGE "the kernel is empty, or larger than the operand with its padding"
#define SINTER_SAY_WINDOW_TOO_LARGE "the window is larger than the operand with its padding"
#define SINTER_SAY_PAD_TOO_LARGE "the padding is as large as the window, which could then hold nothing but padding"
#define SINTER_SAY_BORDER_TOO_LARGE "the border is larger than what the operand has to repeat there: a reflection is smaller than its axis"
#define SINTER_SAY_INDEX_SHAPE "the index has the shape of the operand without the axis, or with 1 there"
#define SINTER_SAY_LENGTHS_SHAPE \
  "there is one length for each sequence: of (time, batch, ...), and with axis<1> of (batch, time, ...), as many as the batch"
#define SINTER_SAY_COORDINATES_SHAPE                                                                                                    \
  "indices are (k, places...), with coordinates for the array's first k axes, and data, or what is read, (places..., the other axes); " \
  "indices of rows alone: F.expand_dims(i, axis<0>)"
#define SINTER_SAY_ATTENTION_SHAPES                                                                                                  \
  "the shapes are (batch, queries, channels), (batch, keys, channels) and (batch, keys, outputs), and a mask broadcasts to (batch, " \
  "heads, "                                                                                                                          \
  "queries, keys)"
#define SINTER_SAY_SUBSCRIPTS_COUNT \
  "subscripts<\"ij,jk\"> have as many operands as the call, between commas, and a letter for each of their axes"
#define SINTER_SAY_SUBSCRIPTS_EXTENTS "a letter of the subscripts stands for two different extents"
#define SINTER_SAY_NOT_SQUARE "the last two dimensions are those of a square matrix, and have the same extent"
#define SINTER_SAY_CTC_SHAPES \
  "the shapes are (time, batch, classes), (batch, labels) and, for each of the lengths, (batch); there is at least one class"
#define SINTER_SAY_TRANSPOSED_CHANNELS \
  "the channels differ: weights of a transposed convolution are (inputs, outputs / groups, kernel...), and the groups divide the inputs"
#define SINTER_SAY_GRID_SHAPE \
  "the grid is (batch, height, width, 2): a place, x and y, in an image of its batch for each element of the result"
#define SINTER_SAY_REGIONS_SHAPE "the regions are (number, 5): the index of an image, then x and y of two opposite corners"
#define SINTER_SAY_SPATIAL_AXES                                                                                        \
  "a layer of one spatial axis (conv1d, max_pool1d) wants an operand of shape (batch, channels, width), one of two "   \
  "(batch, channels, height, width), one of three (batch, channels, depth, height, width); F.expand_dims(x, axis<0>) " \
  "makes a batch of one"
#define SINTER_SAY_IMAGE_EXTENTS "the spatial axes of images, and the channels of a convolution, are numbers; only others may be dynamic"
#define SINTER_SAY_GROUPS_DIFFER "the groups do not divide the channels of the operand"
#define SINTER_SAY_TOP_RANGE "top is from 1 to the extent of the axis"
#define SINTER_SAY_STATES_SHAPE                                                                                             \
  "the states of a recurrent layer, h, and of an lstm c, have the shape (layers, batch, Hidden), in both directions twice " \
  "as many layers: an lstm<16, 2> wants (2, 8, 16) where the batch is 8"
#define SINTER_SAY_WANTS_KEY "the key of random numbers is one int64, of shape (); write F.cast(key, as<std::int64_t>)"
#define SINTER_SAY_HEAD_SHAPE "a gradient is that of a single number; take the sum or the mean of the operand first"

namespace sinter {
inline namespace SINTER_ISA {

constexpr std::string_view sentence(problem p) {
  switch (p) {
    case problem::none: return "fits";
    case problem::shapes_differ: return SINTER_SAY_SHAPES_DIFFER;
    case problem::parts_differ: return SINTER_SAY_PARTS_DIFFER;
    case problem::inner_differ: return SINTER_SAY_INNER_DIFFER;
    case problem::rank_too_small: return SINTER_SAY_RANK_TOO_SMALL;
    case problem::mixed_dtypes: return SINTER_SAY_MIXED_DTYPES;
    case problem::wants_floating: return SINTER_SAY_WANTS_FLOATING;
    case problem::wants_integer: return SINTER_SAY_WANTS_INTEGER;
    case problem::wants_bool: return SINTER_SAY_WANTS_BOOL;
    case problem::takes_no_bool: return SINTER_SAY_TAKES_NO_BOOL;
    case problem::no_such_axis: return SINTER_SAY_NO_SUCH_AXIS;
    case problem::reshape_count: return SINTER_SAY_RESHAPE_COUNT;
    case problem::slice_range: return SINTER_SAY_SLICE_RANGE;
    case problem::split_uneven: return SINTER_SAY_SPLIT_UNEVEN;
    case problem::squeeze_extent: return SINTER_SAY_SQUEEZE_EXTENT;
    case problem::wants_number: return SINTER_SAY_WANTS_NUMBER;
    case problem::too_many_dimensions: return SINTER_SAY_TOO_MANY_DIMENSIONS;
    case problem::operand_count: return SINTER_SAY_OPERAND_COUNT;
    case problem::wants_array: return SINTER_SAY_WANTS_ARRAY;
    case problem::keyword_count: return SINTER_SAY_KEYWORD_COUNT;
    case problem::keyword_value: return SINTER_SAY_KEYWORD_VALUE;
    case problem::axis_twice: return SINTER_SAY_AXIS_TWICE;
    case problem::channels_differ: return SINTER_SAY_CHANNELS_DIFFER;
    case problem::kernel_rank: return SINTER_SAY_KERNEL_RANK;
    case problem::kernel_too_large: return SINTER_SAY_KERNEL_TOO_LARGE;
    case problem::window_too_large: return SINTER_SAY_WINDOW_TOO_LARGE;
    case problem::pad_too_large: return SINTER_SAY_PAD_TOO_LARGE;
    case problem::border_too_large: return SINTER_SAY_BORDER_TOO_LARGE;
    case problem::index_shape: return SINTER_SAY_INDEX_SHAPE;
    case problem::lengths_shape: return SINTER_SAY_LENGTHS_SHAPE;
    case problem::coordinates_shape: return SINTER_SAY_COORDINATES_SHAPE;
    case problem::attention_shapes: return SINTER_SAY_ATTENTION_SHAPES;
    case problem::subscripts_count: return SINTER_SAY_SUBSCRIPTS_COUNT;
    case problem::subscripts_extents: return SINTER_SAY_SUBSCRIPTS_EXTENTS;
    case problem::not_square: return SINTER_SAY_NOT_SQUARE;
    case problem::ctc_shapes: return SINTER_SAY_CTC_SHAPES;
    case problem::transposed_channels: return SINTER_SAY_TRANSPOSED_CHANNELS;
    case problem::grid_shape: return SINTER_SAY_GRID_SHAPE;
    case problem::regions_shape: return SINTER_SAY_REGIONS_SHAPE;
    case problem::spatial_axes: return SINTER_SAY_SPATIAL_AXES;
    case problem::image_extents: return SINTER_SAY_IMAGE_EXTENTS;
    case problem::groups_differ: return SINTER_SAY_GROUPS_DIFFER;
    case problem::top_range: return SINTER_SAY_TOP_RANGE;
    case problem::states_shape: return SINTER_SAY_STATES_SHAPE;
    case problem::head_shape: return SINTER_SAY_HEAD_SHAPE;
    case problem::wants_key: return SINTER_SAY_WANTS_KEY;
  }
  return "";
}

}  // namespace SINTER_ISA
}  // namespace sinter
