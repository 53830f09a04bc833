// SPDX-License-Identifier: Apache-2.0
// ONNX's operators that arrange elements, and those that compute shapes, which are numbers when a model is composed.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline void compose_reshape(site& k) {
  term const& x = k[0];
  std::vector<extent> to = k.extents(1);
  bool const zeros = k.truth("allowzero", false);
  bool fixed = x.type.shape.fixed();
  std::int64_t known = 1;
  int open_at = -1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 0 && !zeros) {
      if (i >= static_cast<std::size_t>(x.rank())) k.fail("the new shape keeps axis " + std::to_string(i) + " of " + in_words(x.type));
      to[i] = x.free(static_cast<int>(i));
    }
    if (to[i] <= -named_base) {
      fixed = false;
      continue;
    }
    if (to[i] < -1 || (to[i] == -1 && open_at >= 0)) k.fail("the new shape has more than one -1, or a negative extent");
    if (to[i] == -1) open_at = static_cast<int>(i);
    else if (to[i] != 0 && known > std::numeric_limits<std::int64_t>::max() / to[i]) k.fail("the new shape holds too many elements");
    else known *= to[i];
  }
  if (open_at >= 0 && fixed) {
    if (known == 0 || x.type.shape.size() % known != 0) k.fail("the new shape does not hold the elements of " + in_words(x.type));
    to[static_cast<std::size_t>(open_at)] = x.type.shape.size() / known;
  }
  k.give(k.reshape(x, k.shape(to)));
}
inline void compose_flatten(site& k) {
  term const& x = k[0];
  std::int64_t const given = k.whole("axis", 1);
  int const axis = given == x.rank() ? x.rank() : k.axis(given, x.rank());
  extent outer = 1, inner = 1;
  for (int i = 0; i < x.rank(); ++i) {
    extent& all = i < axis ? outer : inner;
    all = k.c.product(all, x.free(i));
  }
  k.give(k.reshape(x, {outer, inner}));
}
inline void compose_transpose(site& k) {
  auto const order = k.wholes("perm");
  if (!order) return k.give(k[0].rank() < 2 ? k("identity", {k[0]}) : k("transpose", {k[0]}));
  for (std::int64_t const axis : *order)
    if (axis < 0) k.fail("perm has the axis " + std::to_string(axis) + ", and counts from the front");
  k.give(k[0].rank() == 0 ? k("identity", {k[0]}) : k("transpose", {k[0]}, {{"axis", k.list(*order)}}));
}
// The axes of Squeeze and Unsqueeze: an attribute, from opset 13 on an operand.
inline std::optional<std::vector<std::int64_t>> axes_of(site& k) {
  if (k.opset < 13) return k.wholes("axes");
  return k.has(1) ? std::optional(k.integers(1)) : std::nullopt;
}
inline void compose_squeeze(site& k) {
  term const& x = k[0];
  std::vector<bool> drop(static_cast<std::size_t>(x.rank()));
  auto const given = axes_of(k);
  bool const all = !given || given->empty();  // an empty list is none, as in ONNX Runtime; the standard does not say
  for (int i = 0; all && i < x.rank(); ++i) drop[static_cast<std::size_t>(i)] = x[i] == 1;
  if (!all)
    for (std::int64_t a : *given) {
      int const axis = k.axis(a, x.rank());
      if (x[axis] != 1) k.fail("axis " + std::to_string(axis) + " of " + in_words(x.type) + " is not 1 and cannot be squeezed");
      drop[static_cast<std::size_t>(axis)] = true;
    }
  dims to;
  for (int i = 0; i < x.rank(); ++i)
    if (!drop[static_cast<std::size_t>(i)]) to.push(x.free(i));
  k.give(k.reshape(x, to));
}
inline void compose_unsqueeze(site& k) {
  term const& x = k[0];
  auto const given = axes_of(k);
  if (!given) k.fail("the axes are missing");
  int const rank = x.rank() + static_cast<int>(std::min<std::size_t>(given->size(), 64));
  if (rank > max_rank) k.fail("the result would have more than 8 dimensions");
  dims to;
  for (int i = 0; i < rank; ++i) to.push(-1);
  for (std::int64_t a : *given) {
    extent& e = to.d[k.axis(a, rank)];
    if (e == 1) k.fail("an axis is named twice");
    e = 1;
  }
  for (int i = 0, from = 0; i < rank; ++i)
    if (to.d[i] == -1) to.d[i] = x.free(from++);
  k.give(k.reshape(x, to));
}
inline void compose_concat(site& k) {
  if (!k.find("axis", attribute_type::whole)) k.fail("the attribute axis is missing");
  int const axis = k.axis(k.whole("axis", 0), k[0].rank());
  k.give(k.operands() == 1 ? k("identity", {k[0]}) : k("concat", k.all(), {{"axis", int_list{axis}}}));
}
inline void compose_split(site& k) {
  term const& x = k[0];
  int const axis = k.axis(k.whole("axis", 0), x.rank());
  std::vector<std::int64_t> sizes;
  if (k.opset < 13) sizes = k.wholes("split").value_or(sizes);
  else if (k.has(1)) sizes = k.integers(1);
  if (sizes.empty()) {
    std::int64_t const n = k.whole("num_outputs", k.outputs());
    if (n < 1 || n > k.outputs()) k.fail("num_outputs is not the number of outputs");
    std::int64_t const each = (x[axis] + n - 1) / n;
    for (std::int64_t i = 0; i < n; ++i) sizes.push_back(std::min(each, std::max<std::int64_t>(x[axis] - i * each, 0)));
  }
  std::int64_t at = 0;
  for (std::int64_t s : sizes) {
    if (s < 0 || s > x[axis] - at) k.fail("the parts are more than " + in_words(x.type) + " has along axis " + std::to_string(axis));
    k.give(k.part(x, axis, at, at + s));
    at += s;
  }
  if (at != x[axis]) k.fail("the parts are fewer than " + in_words(x.type) + " has along axis " + std::to_string(axis));
}
// Of an axis without a number: from a distance from its beginning to its end or a distance from there, or all of it backwards.
inline bool is_part_of_any(std::int64_t from, std::int64_t to, std::int64_t by, int axis, int_list& begin, int_list& end, int_list& step) {
  constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
  bool const backwards = by == -1 && (from == -1 || from >= far) && to <= -far;
  if (!backwards && (by != 1 || from < 0 || from >= far || (to >= 0 && to < far) || to <= -far)) return false;
  begin.at[axis] = backwards ? open : from, end.at[axis] = backwards || to >= far ? open : to, step.at[axis] = by;
  return true;
}
inline void compose_slice(site& k) {
  term const& x = k[0];
  auto const get = [&](int i, char const* name) {
    return k.opset < 10 ? k.wholes(name) : k.has(i) ? std::optional(k.integers(i)) : std::nullopt;
  };
  auto const starts = get(1, "starts"), ends = get(2, "ends"), axes = get(3, "axes");
  auto const steps = k.opset < 10 ? std::nullopt : get(4, "steps");
  if (!starts || !ends) k.fail("starts or ends are missing");
  std::size_t const n = starts->size();
  if (ends->size() != n || (axes && axes->size() != n) || (steps && steps->size() != n))
    k.fail("starts, ends, axes and steps have different lengths");
  int_list begin, end, step;
  for (int i = 0; i < x.rank(); ++i) begin.push(0), end.push(x.end(i)), step.push(1);
  for (std::size_t i = 0; i < n; ++i) {
    int const axis = k.axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), x.rank());
    std::int64_t const by = steps ? (*steps)[i] : 1;
    if (by == 0) k.fail("a step is 0");
    if (x.free(axis) < 0 && is_part_of_any((*starts)[i], (*ends)[i], by, axis, begin, end, step)) continue;
    std::int64_t const all = x[axis];
    auto const within = [&](std::int64_t v, std::int64_t low, std::int64_t high) { return std::clamp(v < 0 ? v + all : v, low, high); };
    // Backwards, a slice that begins before the first element begins at it.
    begin.at[axis] = by > 0 ? within((*starts)[i], 0, all) : all == 0 ? -1 : within((*starts)[i], 0, all - 1);
    end.at[axis] = by > 0 ? within((*ends)[i], 0, all) : within((*ends)[i], -1, all - 1);
    step.at[axis] = std::clamp<std::int64_t>(by, -(std::int64_t{1} << 30), std::int64_t{1} << 30);
    if (by < 0 ? begin[axis] <= end[axis] : begin[axis] >= end[axis]) begin.at[axis] = end.at[axis] = 0, step.at[axis] = 1;
    if (step[axis] < 0 && end[axis] == -1) end.at[axis] = open;
  }
  k.give(x.rank() == 0 ? k("identity", {x}) : k("slice", {x}, {{"begin", begin}, {"end", end}, {"step", step}}));
}
// Less than no padding cuts off.
inline term cropped(site& k, term const& x, std::vector<std::int64_t>& pads) {
  int const rank = x.rank();
  term r = x;
  for (int i = 0; i < rank; ++i) {
    std::int64_t &before = pads[static_cast<std::size_t>(i)], &behind = pads[static_cast<std::size_t>(i) + static_cast<std::size_t>(rank)];
    if (before >= 0 && behind >= 0) continue;
    std::int64_t const from = std::max<std::int64_t>(-before, 0), to = x[i] - std::max<std::int64_t>(-behind, 0);
    if (from > to) k.fail("the padding cuts off more than there is");
    if (from > 0 || to < x[i]) r = k.part(r, i, from, to);
    before = std::max<std::int64_t>(before, 0), behind = std::max<std::int64_t>(behind, 0);
  }
  return r;
}
inline void compose_pad(site& k) {
  term const& x = k[0];
  int const rank = x.rank();
  std::string const mode = k.text("mode", "constant");
  std::vector<std::int64_t> given = k.opset < 11 ? k.wholes("pads").value_or(std::vector<std::int64_t>{}) : k.integers(1),
                            pads(2 * static_cast<std::size_t>(rank));
  if (k.has(3)) {
    auto const axes = k.integers(3);
    if (given.size() != 2 * axes.size()) k.fail("there are not two pads for each axis");
    for (std::size_t i = 0; i < axes.size(); ++i) {
      auto const axis = static_cast<std::size_t>(k.axis(axes[i], rank));
      pads[axis] = given[i];
      pads[axis + static_cast<std::size_t>(rank)] = given[i + axes.size()];
    }
  } else pads = given;
  if (pads.size() != 2 * static_cast<std::size_t>(rank)) k.fail("there are not two pads for each axis");
  ops::number_list value;
  value.at[value.n++] = k.opset < 11 ? number(k.real("value", 0)) : k.has(2) ? k.known_number(k[2]) : number(0);
  borders const border = mode == "constant" ? borders::constant : mode == "edge" ? borders::edge : borders::reflect;
  if (mode != "constant" && mode != "edge" && mode != "reflect")
    k.fail("sinter pads with constant, edge and reflect, and the mode is " + mode);
  for (std::int64_t p : pads)
    if (p < -most_elements || p > most_elements) k.fail("the padding " + std::to_string(p) + " is too large");
  term const r = cropped(k, x, pads);
  int_list begin, end;
  for (int i = 0; i < rank; ++i)
    begin.push(pads[static_cast<std::size_t>(i)]), end.push(pads[static_cast<std::size_t>(i) + static_cast<std::size_t>(rank)]);
  k.give(k("padded", {r}, {{"begin", begin}, {"end", end}, {"values", value}, {"border", static_cast<int>(border)}}));
}
inline void compose_expand(site& k) {
  term const& x = k[0];
  dims const to = k.shape(k.extents(1));
  dims r;
  int const rank = std::max(x.rank(), to.rank);
  for (int i = 0; i < rank; ++i) {
    extent const a = i < rank - x.rank() ? 1 : x.free(i - rank + x.rank()), b = i < rank - to.rank ? 1 : to.d[i - rank + to.rank];
    if (a != b && a != 1 && b != 1) k.fail("the shapes do not broadcast: " + to_string(x.type.shape) + " and " + to_string(to));
    r.push(a == 1 ? b : a);
  }
  k.give(k("broadcast_to", {x}, {{"into", r}}));
}
inline void compose_tile(site& k) {
  auto const reps = k.integers(1);
  if (static_cast<int>(reps.size()) != k[0].rank()) k.fail("there is not one number of repeats for each axis");
  for (int i = 0; i < k[0].rank(); ++i)
    if (std::int64_t const n = reps[static_cast<std::size_t>(i)]; n > 0 && k[0].free(i) > most_elements / n)
      k.fail(std::to_string(n) + " repeats of axis " + std::to_string(i) + " give too many elements");
  k.give(k[0].rank() == 0 ? k("identity", {k[0]}) : k("tile", {k[0]}, {{"reps", k.list(reps)}}));
}

// ---- shapes as numbers

inline void compose_shape(site& k) {
  term const& x = k[0];
  auto const place = [&](std::int64_t v) { return static_cast<int>(std::clamp<std::int64_t>(v < 0 ? v + x.rank() : v, 0, x.rank())); };
  int const start = place(k.whole("start", 0)), end = place(k.whole("end", x.rank()));
  std::vector<extent> r;
  for (int i = start; i < end; ++i) r.push_back(x.free(i));
  k.give(k.c.of_extents(dtype::int64, {r.size()}, r));
}
inline void compose_size(site& k) {
  if (k[0].type.shape.fixed()) return k.give(k.c.number_of(dtype::int64, k[0].size()));
  extent n = 1;
  for (int i = 0; i < k[0].rank(); ++i) n = k.c.product(n, k[0].free(i));
  k.give(k.c.of_extents(dtype::int64, {}, {n}));
}
inline void compose_constant(site& k) {
  if (k.n.attributes.size() != 1) k.fail("a constant has one attribute");
  attribute const& a = k.n.attributes[0];
  sym::array r(dtype::int64, {0});
  auto const fill = [&]<class T>(std::vector<T> const& v, dims const& shape) {
    r = sym::array(sinter::dtype_of<T>, shape);
    std::copy(v.begin(), v.end(), reinterpret_cast<T*>(r.data()));
  };
  auto const length = [](auto const& v) { return dims{static_cast<extent>(v.size())}; };
  if (a.name == "value" && a.type == attribute_type::tensor) r = array_of(a.tensors[0]);
  else if (a.name == "value_float" && a.type == attribute_type::real) fill(std::vector<float>{a.real}, {});
  else if (a.name == "value_int" && a.type == attribute_type::whole) fill(std::vector<std::int64_t>{a.whole}, {});
  else if (a.name == "value_floats" && a.type == attribute_type::reals) fill(a.reals, length(a.reals));
  else if (a.name == "value_ints" && a.type == attribute_type::wholes) fill(a.wholes, length(a.wholes));
  else k.fail("attribute " + a.name + " is no number and no tensor");
  k.give(k.c.constant(r, k.n.outputs.empty() ? "constant" : k.n.outputs[0]));
}
inline void compose_constant_of_shape(site& k) {
  dims const to = k.shape(k.integers(0));
  attribute const* const a = k.find("value", attribute_type::tensor);
  if (!a) return k.give(k.c.number_of(dtype::float32, 0, to));
  term const v = k.c.constant(array_of(a->tensors[0]), "value");
  k.give(k.stretch(k.reshape(v, {}), to));
}
inline void compose_range(site& k) {
  dtype const t = k[0].type.type;
  auto const write = [&]<class V>(V start, V stop, V step) {
    if (step == 0) k.fail("the step is 0");
    double n = 0;
    if constexpr (std::is_integral_v<V>) {  // exact, whatever their size
      auto const apart = [](V high, V low) { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); };
      auto const steps = [](std::uint64_t all, std::uint64_t by) { return (all - 1) / by + 1; };
      if (step > 0 && stop > start) n = static_cast<double>(steps(apart(stop, start), apart(step, 0)));
      if (step < 0 && stop < start) n = static_cast<double>(steps(apart(start, stop), apart(0, step)));
    } else n = std::ceil((stop - start) / step);
    if (!(n < 1e9)) k.fail("the range has too many elements");
    sym::array r(t, {static_cast<extent>(std::max(n, 0.))});
    with_type(t, [&]<class T>(T*) {
      for (extent i = 0; i < r.shape().d[0]; ++i) reinterpret_cast<T*>(r.data())[i] = static_cast<T>(start + static_cast<V>(i) * step);
    });
    k.give(k.c.constant(r, sym::fresh_name("range")));
  };
  number const a = k.known_number(k[0]), b = k.known_number(k[1]), c = k.known_number(k[2]);
  if (is_floating(t)) write(a.real, b.real, c.real);
  else write(a.whole, b.whole, c.whole);
}
inline void compose_eye(site& k) {
  term const& x = k[0];
  if (x.rank() != 2) k.fail("the operand is " + in_words(x.type) + ", and a matrix is wanted");
  dtype const t = k.find("dtype", attribute_type::whole) ? dtype_of_code(k, k.whole("dtype", 1)) : x.type.type;
  term const rows = k.along(k.positions(x[0]), 0, 2), columns = k.along(k.positions(x[1]), 1, 2);
  k.give(k.cast(k("equal", {k("add", {rows, k.number(k.whole("k", 0), dtype::int64)}), columns}), t));
}
inline void compose_trilu(site& k) {
  std::int64_t const at = std::clamp<std::int64_t>(k.has(1) ? k.integer(1) : 0, -(std::int64_t{1} << 30), std::int64_t{1} << 30);
  k.give(k(k.truth("upper", true) ? "triu" : "tril", {k[0]}, {{"diagonal", static_cast<int>(at)}}));
}
// Channels apart as blocks: DCR has the blocks before the channels, CRD behind.
inline void compose_depth_to_space(site& k) {
  term const& x = k[0];
  std::int64_t const b = k.wanted_whole("blocksize");
  std::string const mode = k.text("mode", "DCR");
  if (x.rank() != 4 || b < 1 || b > 4096 || x[1] % (b * b) != 0 || (mode != "DCR" && mode != "CRD"))
    k.fail("blocks of " + std::to_string(b) + ", " + mode + ", do not fit " + in_words(x.type));
  extent const c = x[1] / (b * b);
  bool const first = mode == "DCR";
  term const apart = k.reshape(x, first ? dims{x.free(0), b, b, c, x[2], x[3]} : dims{x.free(0), c, b, b, x[2], x[3]});
  term const turned = k("transpose", {apart}, {{"axis", first ? int_list{0, 3, 4, 1, 5, 2} : int_list{0, 1, 4, 2, 5, 3}}});
  k.give(k.reshape(turned, {x.free(0), c, x[2] * b, x[3] * b}));
}
inline void compose_space_to_depth(site& k) {
  term const& x = k[0];
  std::int64_t const b = k.wanted_whole("blocksize");
  std::string const mode = k.text("mode", "DCR");
  int_list const order = mode == "DCR" ? int_list{0, 3, 5, 1, 2, 4} : int_list{0, 1, 3, 5, 2, 4};
  if (x.rank() != 4 || b < 1 || (mode != "DCR" && mode != "CRD") || x[2] % b != 0 || x[3] % b != 0)
    k.fail("blocks of " + std::to_string(b) + " do not fit " + in_words(x.type));
  term const apart = k.reshape(x, {x.free(0), x[1], x[2] / b, b, x[3] / b, b});
  k.give(k.reshape(k("transpose", {apart}, {{"axis", order}}), {x.free(0), x[1] * b * b, x[2] / b, x[3] / b}));
}
inline void compose_dropout(site& k) {
  if (k.has(2) && k.known_number(k[2]).whole != 0) {
    if (k.has(1) ? k.known_number(k[1]).real != 0 : true) k.fail("it drops elements in training, which is not run");
  }
  k.give(k("identity", {k[0]}));
  k.give(k.c.number_of(k.opset < 10 ? k[0].type.type : dtype::boolean, 1, k[0].type.shape));
}

inline constexpr operator_row shape_rows[] = {
    {"Concat", 4, 0, any_number, "axis", "", compose_concat},
    {"Constant", 1, 11, 0, "value", "", compose_constant},
    {"Constant", 12, 0, 0, "value value_float value_floats value_int value_ints", "", compose_constant},
    {"ConstantOfShape", 9, 0, 1, "value", "", compose_constant_of_shape},
    {"DepthToSpace", 1, 10, 1, "blocksize", "", compose_depth_to_space},
    {"DepthToSpace", 11, 0, 1, "blocksize mode", "", compose_depth_to_space},
    {"Dropout", 7, 11, 1, "ratio", "", compose_dropout},
    {"Dropout", 12, 0, 3, "seed", "", compose_dropout},
    {"Expand", 8, 0, 2, "", "", compose_expand},
    {"EyeLike", 9, 0, 1, "dtype k", "", compose_eye},
    {"Flatten", 1, 0, 1, "axis", "", compose_flatten},
    {"Identity", 1, 0, 1, "", "identity"},
    {"Pad", 2, 10, 1, "mode pads value", "", compose_pad},
    {"Pad", 11, 17, 3, "mode", "", compose_pad},
    {"Pad", 18, 0, 4, "mode", "", compose_pad},
    {"Range", 11, 26, 3, "", "", compose_range},
    {"Range", 27, 0, 3, "stash_type", "", compose_range},
    {"Reshape", 5, 13, 2, "", "", compose_reshape},
    {"Reshape", 14, 0, 2, "allowzero", "", compose_reshape},
    {"Shape", 1, 14, 1, "", "", compose_shape},
    {"Shape", 15, 0, 1, "start end", "", compose_shape},
    {"Size", 1, 0, 1, "", "", compose_size},
    {"Slice", 1, 9, 1, "axes ends starts", "", compose_slice},
    {"Slice", 10, 0, 5, "", "", compose_slice},
    {"SpaceToDepth", 1, 27, 1, "blocksize", "", compose_space_to_depth},
    {"SpaceToDepth", 28, 0, 1, "blocksize mode", "", compose_space_to_depth},
    {"Split", 2, 12, 1, "axis split", "", compose_split},
    {"Split", 13, 17, 2, "axis", "", compose_split},
    {"Split", 18, 0, 2, "axis num_outputs", "", compose_split},
    {"Squeeze", 1, 12, 1, "axes", "", compose_squeeze},
    {"Squeeze", 13, 0, 2, "", "", compose_squeeze},
    {"Tile", 6, 0, 2, "", "", compose_tile},
    {"Transpose", 1, 0, 1, "perm", "", compose_transpose},
    {"Trilu", 14, 0, 2, "upper", "", compose_trilu},
    {"Unsqueeze", 1, 12, 1, "axes", "", compose_unsqueeze},
    {"Unsqueeze", 13, 0, 2, "", "", compose_unsqueeze},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
