// SPDX-License-Identifier: Apache-2.0
// MXNet's reductions, orders and indices. Its positions are floats; a reduction of all axes has the shape (1,), in the numpy mode ().
#pragma once
#include "shapes.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

// Along which axes: none is all of them. `to_one`: what is left without axes gets one.
struct reduced {
  keyword_values keywords;
  bool to_one = false;
};
inline reduced read_reduced(node_reader& n) {
  reduced r;
  bool const keepdims = n.a.flag("keepdims", false);
  auto const axes = n.a.list_or_none("axis");
  if (keepdims) r.keywords.emplace("keepdims", true);
  if (axes && !axes->empty()) r.keywords.emplace("axis", ints_of(*axes));
  r.to_one = !n.is_numpy && !keepdims;
  return r;
}
inline symbol finished(symbol const& y, reduced const& r, operand_types in) {
  if (!r.to_one) return y;
  auto const axes = r.keywords.find("axis");
  int const n = axes == r.keywords.end() ? in[0].shape.rank : std::get<int_list>(axes->second).n;
  int const left = r.keywords.contains("exclude") ? n : in[0].shape.rank - n;
  return left == 0 ? reshaped(y, dims{1}) : y;
}
// Sums and products of int8 and uint8 have this dtype in MXNet, and wrap around; sinter's are int32.
inline symbol summed_as(dtype t, symbol const& y) { return summed_in(t) == t ? y : cast_to(y, t); }
inline symbols read_reduction(node_reader& n) {
  reduced r = read_reduced(n);
  if (n.a.flag("exclude", false) && r.keywords.contains("axis")) r.keywords.emplace("exclude", true);
  std::optional<dtype> const type = n.a.type_or_none("dtype");
  n.a.only("initial", {"None"});
  std::string_view const op = n.of.same;
  bool const adds = op == "sum" || op == "prod";
  if (!r.to_one && !type && !adds) return n.direct(op, n.in, r.keywords);
  return n.written([=](symbols const& in, operand_types t) {
    symbol const y = finished(one(op, {type ? cast_to(in[0], *type) : in[0]}, r.keywords), r, t);
    return symbols{adds ? summed_as(type.value_or(t[0].type), y) : y};
  });
}
inline symbols read_norm(node_reader& n) {
  reduced r = read_reduced(n);
  int const order = n.a.whole("ord", 2);
  if (order != 1 && order != 2) n.a.refuse("ord", "sinter knows 1 and 2");
  n.a.only("out_dtype", {"None"});
  r.keywords.emplace("ord", order);
  return n.written([=](symbols const& in, operand_types t) { return symbols{finished(one("norm", in, r.keywords), r, t)}; });
}
inline symbols read_position(node_reader& n) {
  reduced r = read_reduced(n);
  return n.written([=, op = n.of.same, np = n.is_numpy](symbols const& in, operand_types t) {
    symbol const at = finished(one(op, in, r.keywords), r, t);
    return symbols{np ? at : cast_to(at, t[0].type)};
  });
}
inline symbols read_argmax_channel(node_reader& n) {
  return n.written(
      [](symbols const& in, operand_types t) { return symbols{cast_to(one("argmax", in, {{"axis", int_list{1}}}), t[0].type)}; });
}

// Along one axis; None: of all elements in one row.
struct ordered_along {
  std::optional<int> axis;
  bool ascending = true;
  symbol row(symbol const& x) const { return axis ? x : reshaped(x, dims{-1}); }
  keyword_values keywords() const { return {{"axis", int_list{axis.value_or(0)}}, {"ascending", ascending}}; }
};
inline ordered_along read_ordered(node_reader& n, bool ascending) {
  ordered_along r;
  r.axis = n.a.has("axis") ? n.a.whole_or_none("axis") : std::optional(-1);
  r.ascending = n.a.flag("is_ascend", ascending);
  return r;
}
inline symbols read_sort(node_reader& n) {
  ordered_along const o = read_ordered(n, true);
  return n.written([o](symbols const& in, operand_types) { return symbols{one("sort", {o.row(in[0])}, o.keywords())}; });
}
inline symbols read_argsort(node_reader& n) {
  ordered_along const o = read_ordered(n, true);
  dtype const t = n.a.type("dtype", dtype::float32);
  return n.written([=](symbols const& in, operand_types) { return symbols{cast_to(one("argsort", {o.row(in[0])}, o.keywords()), t)}; });
}
inline symbols read_topk(node_reader& n) {
  ordered_along const o = read_ordered(n, false);
  int const k = n.a.at_least(1, "k", 1);
  std::string const what = n.a.word("ret_typ", {"value", "indices", "both"}, "indices");
  dtype const t = n.a.type("dtype", dtype::float32);
  return n.written(
      [=](symbols const& in, operand_types) {
        keyword_values keywords = o.keywords();
        keywords.emplace("top", k);
        symbols const all = sym::call("topk", {o.row(in[0])}, keywords);
        symbol const places = cast_to(all[1], t);
        return what == "value" ? symbols{all[0]} : what == "indices" ? symbols{places} : symbols{all[0], places};
      },
      what == "both" ? 2 : 1);
}

// ---- indices

inline symbols read_embedding(node_reader& n) {
  int const rows = n.a.at_least(1, "input_dim"), columns = n.a.at_least(1, "output_dim");
  n.a.ignore({"dtype", "sparse_grad"});
  n.want(1, {rows, columns}, {"input_dim", "output_dim"});
  return n.written([wants = n.wants](symbols const& in, operand_types t) {
    check_wanted(wants, t);
    return symbols{one("take", {in[1], as_index(in[0], t[0].type)})};
  });
}
inline symbols read_take(node_reader& n) {
  int const axis = n.a.whole("axis", 0);
  bool const wraps = n.a.word("mode", {"clip", "wrap"}, "clip") == "wrap";
  return n.written([=](symbols const& in, operand_types t) {
    symbol i = as_index(in[1], t[1].type);
    if (extent const all = t[0].shape.rank > 0 ? t[0].shape.d[axis_within(axis, t[0].shape.rank)] : 0; wraps) {
      if (all < 1) throw shape_error("sinter: there is nothing to take along an axis of extent " + to_string(all));
      i = one("mod", {i, number_symbol(all)});
    }
    return symbols{one("take", {in[0], i}, {{"axis", int_list{axis}}})};
  });
}
inline symbols read_pick(node_reader& n) {
  int const axis = n.of.name == "batch_take" ? 1 : n.a.whole("axis", -1);
  bool const keepdims = n.of.name != "batch_take" && n.a.flag("keepdims", false);
  n.a.only("mode", {"clip"});
  return n.written([=](symbols const& in, operand_types t) {
    symbol const y = one("pick", {in[0], as_index(in[1], t[1].type)}, {{"axis", int_list{axis}}, {"keepdims", keepdims}});
    return symbols{t[0].shape.rank == 1 ? reshaped(y, dims{1}) : y};  // an axis is always left, in the numpy mode, too
  });
}
inline symbols read_one_hot(node_reader& n) {
  int const depth = n.a.at_least(0, "depth");
  double const on = n.a.real("on_value", 1), off = n.a.real("off_value", 0);
  dtype const to = n.a.type("dtype", dtype::float32);
  return n.written([=](symbols const& in, operand_types t) {
    return symbols{one("one_hot", {as_index(in[0], t[0].type)},
                       {{"depth", depth}, {"values", ops::number_list{2, {number(on), number(off)}}}, {"as", to}})};
  });
}
// Negative indices count from the end of their axis.
inline symbols read_gather_nd(node_reader& n) {
  return n.written([](symbols const& in, operand_types t) {
    dims const &x = t[0].shape, &at = t[1].shape;
    if (at.rank < 1 || at.d[0] < 1 || at.d[0] > x.rank)
      throw shape_error("sinter: indices of shape " + to_string(at) + " for an array of shape " + to_string(x));
    dims one_for_each{at.d[0]}, one_row{1};
    for (int i = 1; i < at.rank; ++i) one_for_each.push(1);
    symbols extents;
    for (int i = 0; i < at.d[0]; ++i)
      extents.push_back(
          one("full", {}, {{"into", one_row}, {"values", ops::number_list{1, {number(known_extent(x, i))}}}, {"as", dtype::int64}}));
    symbol const i = cast_to(in[1], dtype::int64),
                 all = reshaped(extents.size() == 1 ? extents[0] : one("concat", extents, {{"axis", int_list{0}}}), one_for_each);
    return symbols{one("gather_nd", {in[0], one("where", {one("lesser", {i, number_symbol(std::int64_t{0})}), i + all, i})})};
  });
}
inline symbols read_scatter_nd(node_reader& n) {
  dims const to = dims_of(n.a.list("shape"));
  return n.written(
      [to](symbols const& in, operand_types t) { return symbols{one("scatter_nd", {in[0], as_index(in[1], t[1].type)}, {{"into", to}})}; });
}
inline symbols read_arange_like(node_reader& n) {
  std::optional<int> const axis = n.a.whole_or_none("axis");
  double const start = n.a.real("start", 0), step = n.a.real("step", 1);
  if (n.a.whole("repeat", 1) != 1) n.a.refuse("repeat", "sinter knows 1");
  n.a.ignore({"ctx"});
  return n.written([=](symbols const& in, operand_types t) {
    symbol const all = axis ? in[0] : reshaped(in[0], dims{-1});
    dtype const type = t[0].type;
    symbol const first = cast_to(one("arange_like", {all}, {{"axis", int_list{axis.value_or(0)}}}), type);
    symbol const places = first * number_beside(type, step) + number_beside(type, start);
    return symbols{axis ? places : one("reshape_like", {places, in[0]})};
  });
}

inline symbols read_cumsum(node_reader& n) {
  std::optional<int> const axis = n.a.whole_or_none("axis");
  std::optional<dtype> const type = n.a.type_or_none("dtype");
  keyword_values keywords;
  if (axis) keywords.emplace("axis", int_list{*axis});
  return n.written([=](symbols const& in, operand_types t) {
    return symbols{summed_as(type.value_or(t[0].type), one("cumsum", {type ? cast_to(in[0], *type) : in[0]}, keywords))};
  });
}

// ---- sequences: without lengths they are all as long as the array

inline bool reads_lengths(node_reader& n) {
  bool const uses = n.a.flag("use_sequence_length", false);
  if (n.inputs() != (uses ? 2 : 1))
    n.a.refuse("use_sequence_length", "the node has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  return uses;
}
inline symbols read_sequence_mask(node_reader& n) {
  int const axis = n.a.whole("axis", 0);
  double const value = n.a.real("value", 0);
  return n.written([=, uses = reads_lengths(n)](symbols const& in, operand_types t) {
    if (!uses) return symbols{one("identity", {in[0]})};
    return symbols{one("sequence_mask", {in[0], as_index(in[1], t[1].type)},
                       {{"axis", int_list{axis}}, {"values", ops::number_list{1, {number(value)}}}})};
  });
}
inline symbols read_sequence_last(node_reader& n) {
  int const axis = n.a.whole("axis", 0);
  return n.written([=, uses = reads_lengths(n)](symbols const& in, operand_types t) {
    if (uses) return symbols{one("sequence_last", {in[0], as_index(in[1], t[1].type)}, {{"axis", int_list{axis}}})};
    int const along = axis_within(axis, t[0].shape.rank);
    return symbols{one("squeeze", {slice_along(in[0], along, -1, open)}, {{"axis", int_list{along}}})};
  });
}
inline symbols read_sequence_reverse(node_reader& n) {
  if (n.a.whole("axis", 0) != 0) n.a.refuse("axis", "MXNet knows 0");
  return n.written([uses = reads_lengths(n)](symbols const& in, operand_types t) {
    if (uses) return symbols{one("sequence_reverse", {in[0], as_index(in[1], t[1].type)})};
    return symbols{one("flip", {in[0]}, {{"axis", int_list{0}}})};
  });
}

inline std::vector<row> reduction_rows() {
  return {
      {"sum", "sum_axis _np_sum _npi_sum", 1, "sum", &read_reduction},
      {"mean", "_npi_mean", 1, "mean", &read_reduction},
      {"max", "max_axis _np_max _npi_max", 1, "max", &read_reduction},
      {"min", "min_axis _np_min _npi_min", 1, "min", &read_reduction},
      {"prod", "_np_prod _npi_prod", 1, "prod", &read_reduction},
      {"norm", "", 1, "norm", &read_norm},
      {"argmax", "_npi_argmax", 1, "argmax", &read_position},
      {"argmin", "_npi_argmin", 1, "argmin", &read_position},
      {"argmax_channel", "", 1, "", &read_argmax_channel},
      {"sort", "", 1, "", &read_sort},
      {"argsort", "", 1, "", &read_argsort},
      {"topk", "_npx_topk", 1, "", &read_topk},
      {"Embedding", "_npx_embedding", 2, "", &read_embedding},
      {"take", "_npi_take", 2, "", &read_take},
      {"pick", "choose_element_0index _npx_pick", 2, "", &read_pick},
      {"batch_take", "", 2, "", &read_pick},
      {"one_hot", "_npx_one_hot", 1, "", &read_one_hot},
      {"gather_nd", "_npx_gather_nd", 2, "", &read_gather_nd},
      {"scatter_nd", "", 2, "", &read_scatter_nd},
      {"_contrib_arange_like", "_npx_arange_like", 1, "", &read_arange_like},
      {"_np_cumsum", "cumsum", 1, "", &read_cumsum},
      {"SequenceMask", "_npx_sequence_mask", {1, 2}, "", &read_sequence_mask},
      {"SequenceLast", "", {1, 2}, "", &read_sequence_last},
      {"SequenceReverse", "", {1, 2}, "", &read_sequence_reverse},
  };
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
