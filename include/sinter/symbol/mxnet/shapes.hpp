// SPDX-License-Identifier: Apache-2.0
// MXNet's operations on shapes: reshape with its codes, transpose, slices, concat.
#pragma once
#include "../../core/reshape_codes.hpp"
#include "node.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

inline symbols read_reshape(node_reader& n) {
  whole_numbers codes = n.a.list("shape", whole_numbers{});
  bool const reverse = n.a.flag("reverse", false), highest = n.a.flag("keep_highest", false);
  whole_numbers const target = n.a.list("target_shape", whole_numbers{});
  if (codes.empty()) {  // as files of the first years have it: 0 is what is left over
    codes = target;
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (codes[i] == 0) codes[i] = i == 0 && highest ? 0 : -1;
  }
  if (codes.empty()) n.a.refuse("shape", "it is missing");
  return n.written([=](symbols const& in, operand_types t) {
    return symbols{reshaped(in[0], reshape_codes::apply(t[0].shape, codes, reverse, false))};
  });
}
inline symbols read_numpy_reshape(node_reader& n) {
  bool const codes = n.of.name == "_npx_reshape", reverse = codes && n.a.flag("reverse", false);
  whole_numbers const shape = n.a.list("newshape");
  n.a.only("order", {"C"});
  return n.written([=](symbols const& in, operand_types t) {
    return symbols{reshaped(
        in[0], codes ? reshape_codes::apply(t[0].shape, shape, reverse, true) : [&] {
          dims to;
          for (std::int64_t const e : shape) to.push(e);
          return to;
        }())};
  });
}

inline symbols read_transpose(node_reader& n) {
  whole_numbers const axes = n.a.list_or_none("axes").value_or(whole_numbers{});
  return n.direct("transpose", n.in, axes.empty() ? keyword_values{} : keyword_values{{"axis", ints_of(axes)}});
}
inline symbols read_swap_axes(node_reader& n) {
  return n.direct("swap_axes", n.in, {{"axis", int_list{n.a.whole("dim1", 0), n.a.whole("dim2", 0)}}});
}
inline symbols read_expand_dims(node_reader& n) { return n.direct("expand_dims", n.in, {{"axis", int_list{n.a.whole("axis")}}}); }
inline symbols read_squeeze(node_reader& n) {
  auto const axis = n.a.list_or_none("axis");
  keyword_values const k = axis ? keyword_values{{"axis", ints_of(*axis)}} : keyword_values{};
  if (n.is_numpy) return n.direct("squeeze", n.in, k);
  return n.written([k](symbols const& in, operand_types t) {  // one axis is always left
    bool const all = k.empty() ? t[0].shape.size() == 1 && t[0].shape.fixed() : std::get<int_list>(k.at("axis")).n == t[0].shape.rank;
    return symbols{all ? reshaped(in[0], dims{1}) : one("squeeze", in, k)};
  });
}
// begin, end and step of a slice, where `None` is the natural end.
inline int_list slice_numbers(whole_numbers all) {
  for (std::int64_t& v : all)
    if (v == none) v = open;
  return ints_of(all);
}
inline symbols read_slice(node_reader& n) {
  whole_numbers const begin = n.a.list("begin"), end = n.a.list("end"), step = n.a.list_or_none("step").value_or(whole_numbers{});
  if (begin.empty() || begin.size() != end.size()) n.a.refuse("begin", "`begin` and `end` have different numbers of axes");
  keyword_values k{{"begin", slice_numbers(begin)}, {"end", slice_numbers(end)}};
  if (!step.empty()) k.emplace("step", slice_numbers(step));
  return n.direct("slice", n.in, k);
}
// From `begin` to `end` along one axis.
inline symbol slice_along(symbol const& x, int axis, std::int64_t begin, std::int64_t end) {
  int_list from, to;
  for (int i = 0; i < axis; ++i) from.push(open), to.push(open);
  from.push(begin), to.push(end);
  return one("slice", {x}, {{"begin", from}, {"end", to}});
}
inline symbols read_slice_axis(node_reader& n) {
  int const axis = n.a.whole("axis"), begin = n.a.whole("begin");
  std::optional<int> const end = n.a.whole_or_none("end");
  return n.written([=](symbols const& in, operand_types t) {
    return symbols{slice_along(in[0], axis_within(axis, t[0].shape.rank), begin, end ? *end : open)};
  });
}
inline symbols read_slice_like(node_reader& n) {
  whole_numbers const axes = n.a.list_or_none("axes").value_or(whole_numbers{});
  return n.direct("slice_like", n.in, axes.empty() ? keyword_values{} : keyword_values{{"axis", ints_of(axes)}});
}
inline symbols read_concat(node_reader& n) {
  if (n.a.at_least(1, "num_args") != n.inputs())
    n.a.refuse("num_args", "the node has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  bool const is_concat = n.of.name == "Concat", is_stack = n.of.name == "stack";
  char const* const key = is_concat || n.of.name == "_rnn_param_concat" ? "dim" : "axis";
  int const otherwise = is_concat ? 1 : 0;
  if (key == std::string_view("axis") && !is_stack && n.a.has("axis") && n.a.is_none("axis"))
    n.a.refuse("axis", "sinter joins arrays along an axis");
  return n.direct(is_stack ? "stack" : "concat", n.in, {{"axis", int_list{n.a.whole(key, otherwise)}}});
}
inline symbols read_split(node_reader& n) {
  int const parts = n.a.at_least(1, "num_outputs"), axis = n.a.whole("axis", 1);
  bool const squeeze = n.a.flag("squeeze_axis", false);
  if (parts > most_results) n.a.refuse("num_outputs", "so many outputs are none of a network");
  if (!squeeze) return n.direct("split", n.in, {{"parts", parts}, {"axis", int_list{axis}}});
  return n.written(
      [=](symbols const& in, operand_types) {
        symbols all = sym::call("split", in, {{"parts", parts}, {"axis", int_list{axis}}});
        for (symbol& s : all) s = one("squeeze", {s}, {{"axis", int_list{axis}}});
        return all;
      },
      parts);
}
// At the indices, or into so many sections.
inline symbols read_split_at(node_reader& n) {
  int const sections = n.a.whole("sections", 0), axis = n.a.whole("axis", 0);
  bool const squeeze = n.a.flag("squeeze_axis", false);
  whole_numbers const at = n.a.list("indices", whole_numbers{});
  if (sections < 0 || sections > most_results) n.a.refuse("sections", "so many outputs are none of a network");
  int const results = sections > 0 ? sections : static_cast<int>(at.size());
  if (results < 1) n.a.refuse("indices", "there is neither an index nor a number of sections");
  return n.written(
      [=](symbols const& in, operand_types t) {
        int const along = axis_within(axis, t[0].shape.rank);
        extent const all = t[0].shape.d[along];
        if (sections > 0 && (all < 0 || all % sections != 0)) throw shape_error("sinter: an axis cannot be cut into so many equal parts");
        symbols r;
        for (int i = 0; i < results; ++i) {
          bool const last = i + 1 == results;
          std::int64_t const from = sections > 0 ? i * (all / sections) : at[static_cast<std::size_t>(i)];
          std::int64_t const to = last ? open : sections > 0 ? (i + 1) * (all / sections) : at[static_cast<std::size_t>(i) + 1];
          r.push_back(slice_along(in[0], along, from, to));
          if (squeeze) r.back() = one("squeeze", {r.back()}, {{"axis", int_list{along}}});
        }
        return r;
      },
      results);
}
// 0 in the shape keeps an extent.
inline symbols read_broadcast_to(node_reader& n) {
  whole_numbers const shape = n.a.list("shape");
  return n.written([=, np = n.is_numpy](symbols const& in, operand_types t) {
    dims to = dims_of(shape);
    for (int i = 0; !np && i < to.rank && to.rank == t[0].shape.rank; ++i)
      if (to.d[i] == 0) to.d[i] = t[0].shape.d[i];
    return symbols{one("broadcast_to", in, {{"into", to}})};
  });
}
inline symbols read_broadcast_axis(node_reader& n) {
  whole_numbers const axes = n.a.list("axis", whole_numbers{}), sizes = n.a.list("size", whole_numbers{});
  if (axes.size() != sizes.size()) n.a.refuse("size", "there is not one for each axis");
  return n.written([=](symbols const& in, operand_types t) {
    dims to = t[0].shape;
    for (std::size_t i = 0; i < axes.size(); ++i) to.d[axis_within(axes[i], to.rank)] = dims_of({sizes[i]}).d[0];
    return symbols{one("broadcast_to", in, {{"into", to}})};
  });
}
inline symbols read_like(node_reader& n) { return n.direct(n.of.same, n.in); }
inline symbols read_tile(node_reader& n) { return n.direct("tile", n.in, {{"reps", ints_of(n.a.list("reps"))}}); }
inline symbols read_repeat(node_reader& n) {
  keyword_values k{{"reps", int_list{n.a.at_least(0, "repeats")}}};
  if (auto const axis = n.a.whole_or_none("axis")) k.emplace("axis", int_list{*axis});
  return n.direct("repeat", n.in, k);
}
inline symbols read_reverse(node_reader& n) { return n.direct("flip", n.in, {{"axis", ints_of(n.a.list("axis"))}}); }
inline symbols read_pad(node_reader& n) {
  std::string const mode = n.a.word("mode", {"constant", "edge", "reflect"});
  whole_numbers const widths = n.a.list("pad_width");
  double const value = n.a.real("constant_value", 0);
  int_list begin, end;
  if (widths.size() % 2 != 0) n.a.refuse("pad_width", "there are not two for each axis");
  for (std::size_t i = 0; i < widths.size(); i += 2) {
    if (widths[i] < 0 || widths[i + 1] < 0 || widths[i] > std::numeric_limits<int>::max() ||
        widths[i + 1] > std::numeric_limits<int>::max())
      n.a.refuse("pad_width", "a width is out of range");
    begin.push(widths[i]), end.push(widths[i + 1]);
  }
  int const how = static_cast<int>(mode == "constant" ? borders::constant : mode == "edge" ? borders::edge : borders::reflect);
  return n.direct("padded", n.in, {{"begin", begin}, {"end", end}, {"border", how}, {"values", ops::number_list{1, {number(value)}}}});
}
inline symbols read_tril(node_reader& n) { return n.direct("tril", n.in, {{"diagonal", n.a.whole("k", 0)}}); }
inline symbols read_block(node_reader& n) { return n.direct(n.of.same, n.in, {{"block", n.a.at_least(1, "block_size")}}); }
// The arrays that a file makes of nothing. An extent of 0 is one that MXNet finds from what reads the array: here it is 1 and stretches.
inline symbols read_full(node_reader& n) {
  whole_numbers const shape = n.a.list("shape", whole_numbers{});
  double const value = n.of.name == "_full" ? n.a.real("value") : n.of.name == "_ones" ? 1 : 0;
  dtype const t = n.a.type_or_none("dtype").value_or(dtype::float32);
  n.a.ignore({"ctx"});
  dims to = dims_of(shape);
  for (int i = 0; !n.is_numpy && i < to.rank; ++i)
    if (to.d[i] == 0) to.d[i] = 1;
  return n.direct("full", {}, {{"into", to}, {"values", ops::number_list{1, {number(value)}}}, {"as", t}});
}
inline symbols read_arange(node_reader& n) {
  double const start = n.a.real("start", 0), step = n.a.real("step", 1);
  if (n.a.is_none("stop")) n.a.refuse("stop", "sinter makes no array whose length its reader decides");
  double const stop = n.a.real("stop");
  if (n.a.whole("repeat", 1) != 1) n.a.refuse("repeat", "sinter knows 1");
  if (n.a.flag("infer_range", false)) n.a.refuse("infer_range", "sinter knows False");
  n.a.ignore({"ctx"});
  return n.direct("arange", {},
                  {{"values", ops::number_list{3, {number(start), number(stop), number(step)}}},
                   {"as", n.a.type_or_none("dtype").value_or(dtype::float32)}});
}

// The extents, as an array of one axis. Those that are no numbers are counted when they are known.
inline symbols read_shape_array(node_reader& n) {
  return n.written([](symbols const& in, operand_types t) {
    dims const& shape = t[0].shape;
    if (shape.rank == 0) throw shape_error("sinter: an array without axes has no extents");
    symbols extents;
    for (int i = 0; i < shape.rank; ++i) {
      symbol const places = one("arange_like", in, {{"axis", int_list{i}}});
      extents.push_back(
          shape.d[i] < 0
              ? one("sum", {one("ones_like", {places})}, {{"keepdims", true}})
              : one("full", {}, {{"into", dims{1}}, {"values", ops::number_list{1, {number(shape.d[i])}}}, {"as", dtype::int64}}));
    }
    return symbols{one("concat", extents, {{"axis", int_list{0}}})};
  });
}

inline std::vector<row> shape_rows() {
  constexpr operand_count any{1, operand_count::any};
  return {
      {"Reshape", "reshape", 1, "", &read_reshape},
      {"_npx_reshape", "_npi_reshape", 1, "", &read_numpy_reshape},
      {"_np_reshape", "", 1, "", &read_numpy_reshape},
      {"reshape_like", "", 2, "reshape_like"},
      {"Flatten", "flatten _npx_batch_flatten", 1, "flatten"},
      {"transpose", "_np_transpose _npi_transpose", 1, "", &read_transpose},
      {"SwapAxis", "swapaxes _npi_swapaxes", 1, "", &read_swap_axes},
      {"expand_dims", "_npi_expand_dims", 1, "", &read_expand_dims},
      {"squeeze", "_np_squeeze _npi_squeeze", 1, "", &read_squeeze},
      {"slice", "crop _npx_slice _npi_slice", 1, "", &read_slice},
      {"slice_axis", "", 1, "", &read_slice_axis},
      {"slice_like", "", 2, "", &read_slice_like},
      {"Concat", "concat", any, "", &read_concat},
      {"_npi_concatenate", "", any, "", &read_concat},
      {"_rnn_param_concat", "_npi_rnn_param_concat", any, "", &read_concat},
      {"stack", "_npi_stack", any, "", &read_concat},
      {"SliceChannel", "split", 1, "", &read_split},
      {"_split_v2", "_npi_split", 1, "", &read_split_at},
      {"broadcast_to", "_np_broadcast_to _npi_broadcast_to", 1, "", &read_broadcast_to},
      {"broadcast_axis", "broadcast_axes", 1, "", &read_broadcast_axis},
      {"broadcast_like", "", 2, "broadcast_like", &read_like},
      {"tile", "_npi_tile", 1, "", &read_tile},
      {"repeat", "_np_repeat _npi_repeat", 1, "", &read_repeat},
      {"reverse", "flip _npi_flip", 1, "", &read_reverse},
      {"Pad", "pad", 1, "", &read_pad},
      {"_npi_tril", "", 1, "", &read_tril},
      {"space_to_depth", "", 1, "space_to_depth", &read_block},
      {"depth_to_space", "", 1, "depth_to_space", &read_block},
      {"shape_array", "", 1, "", &read_shape_array},
      {"_zeros", "_npi_zeros _zeros_without_dtype", 0, "", &read_full},
      {"_ones", "_npi_ones", 0, "", &read_full},
      {"_full", "_npi_full", 0, "", &read_full},
      {"_arange", "_npi_arange", 0, "", &read_arange},
  };
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
