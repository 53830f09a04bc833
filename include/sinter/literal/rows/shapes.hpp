// SPDX-License-Identifier: Apache-2.0
// MXNet's operations on shapes, as symbol/mxnet/shapes.hpp has them.
#pragma once
#include "../../core/reshape_codes.hpp"
#include "common.hpp"

namespace sinter::literal::inline SINTER_ISA {
SINTER_SAME("Flatten", flatten, 1);
SINTER_ALIAS("Flatten", "flatten");
SINTER_ALIAS("Flatten", "_npx_batch_flatten");
SINTER_SAME("reshape_like", reshape_like, 2);
SINTER_SAME("broadcast_like", broadcast_like, 2);

namespace detail {
struct reshape_values {
  whole_numbers codes;
  bool reverse = false, numpy_codes = false, plain = false;
};
template <reshape_values V, dims From, dims To = reshape_codes::apply(From, V.codes, V.reverse, V.numpy_codes)>
constexpr dims try_codes(int) {
  return To;
}
template <reshape_values, dims> constexpr dims try_codes(long) { return unknown_dims; }
struct reshape {
  static constexpr operand_count operands = 1;
  using values = reshape_values;
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr dims to = N::values.plain ? dims_of(N::values.codes) : try_codes<N::values, shape_of<X>>(0);
    static_assert(to.rank >= 0,
                  "sinter: the codes of a Reshape of this symbol JSON do not fit the shape that it is given, or leave more than one "
                  "dynamic extent over");
    return reshaped<to>(F, x);
  }
};
}  // namespace detail
template <> struct row<"Reshape"> : detail::reshape {
  static constexpr values read(attributes& a, node_facts const&) {
    values v{a.list("shape", whole_numbers{})};
    v.reverse = a.flag("reverse", false);
    bool const highest = a.flag("keep_highest", false);
    whole_numbers const target = a.list("target_shape", whole_numbers{});
    if (v.codes.empty()) {  // as files of the first years have it: 0 is what is left over
      v.codes = target;
      for (int i = 0; i < v.codes.n; ++i)
        if (v.codes.at[i] == 0) v.codes.at[i] = i == 0 && highest ? 0 : -1;
    }
    if (v.codes.empty() || v.codes.n > max_rank) a.refuse("shape");
    return v;
  }
};
SINTER_ALIAS("Reshape", "reshape");
template <> struct row<"_npx_reshape"> : detail::reshape {
  static constexpr values read(attributes& a, node_facts const& n) {
    bool const codes = n.op != "_np_reshape", reverse = codes && a.flag("reverse", false);
    values const v{a.list("newshape"), reverse, codes, !codes};
    a.only("order", {"C"});
    if (v.codes.n > max_rank) a.refuse("newshape");
    return v;
  }
};
SINTER_ALIAS("_npx_reshape", "_npi_reshape");
SINTER_ALIAS("_npx_reshape", "_np_reshape");

namespace detail {
// Axes as a keyword, which is left out where there are none.
struct axes_values {
  whole_numbers axes;
};
template <class Op> struct along_axes {
  static constexpr operand_count operands = 1;
  using values = axes_values;
  template <class N> static constexpr auto call(auto, auto const&... x) {
    if constexpr (N::values.axes.n == 0) return ops::function<Op>{}(x...);
    else return ops::function<Op>{}(x..., list_word<ops::key::axis, N::values.axes>);
  }
};
}  // namespace detail
template <> struct row<"transpose"> : detail::along_axes<ops::transpose> {
  static constexpr values read(attributes& a, node_facts const&) { return {a.list_or_none("axes")}; }
};
SINTER_ALIAS("transpose", "_np_transpose");
SINTER_ALIAS("transpose", "_npi_transpose");
template <> struct row<"SwapAxis"> : detail::along_axes<ops::swap_axes> {
  static constexpr values read(attributes& a, node_facts const&) {
    int const first = a.whole("dim1", 0);
    return {{2, {first, a.whole("dim2", 0)}}};
  }
};
SINTER_ALIAS("SwapAxis", "swapaxes");
SINTER_ALIAS("SwapAxis", "_npi_swapaxes");
template <> struct row<"expand_dims"> : detail::along_axes<ops::expand_dims> {
  static constexpr values read(attributes& a, node_facts const&) { return {{1, {a.whole("axis")}}}; }
};
SINTER_ALIAS("expand_dims", "_npi_expand_dims");
template <> struct row<"squeeze"> : detail::along_axes<ops::squeeze> {
  static constexpr values read(attributes& a, node_facts const&) { return {a.list_or_none("axis")}; }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    auto const y = detail::along_axes<ops::squeeze>::call<N>(F, x);
    if constexpr (!N::facts.is_numpy && shape_of<decltype(y)>.rank == 0) return reshaped<dims{1}>(F, y);  // one axis is always left
    else return y;
  }
};
SINTER_ALIAS("squeeze", "_np_squeeze");
SINTER_ALIAS("squeeze", "_npi_squeeze");
template <> struct row<"reverse"> : detail::along_axes<ops::flip> {
  static constexpr values read(attributes& a, node_facts const&) { return {a.list("axis")}; }
};
SINTER_ALIAS("reverse", "flip");
SINTER_ALIAS("reverse", "_npi_flip");
template <> struct row<"slice_like"> : detail::along_axes<ops::slice_like> {
  static constexpr operand_count operands = 2;
  static constexpr values read(attributes& a, node_facts const&) { return {a.list_or_none("axes")}; }
};

namespace detail {
struct slice_values {
  whole_numbers begin, end, step;
};
// Where `None` is the natural end.
constexpr whole_numbers with_open(whole_numbers all) {
  for (std::int64_t& v : all)
    if (v == none) v = open;
  return all;
}
}  // namespace detail
template <> struct row<"slice"> {
  static constexpr operand_count operands = 1;
  using values = detail::slice_values;
  static constexpr values read(attributes& a, node_facts const&) {
    values v{a.list_with_none("begin"), a.list_with_none("end"), {}};
    if (!a.is_none("step")) v.step = a.list_with_none("step");
    if (v.begin.empty() || v.begin.n != v.end.n || v.begin.n > max_rank) a.refuse("begin");
    return {detail::with_open(v.begin), detail::with_open(v.end), detail::with_open(v.step)};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    constexpr auto from = list_word<ops::key::begin, N::values.begin>;
    constexpr auto to = list_word<ops::key::end, N::values.end>;
    if constexpr (N::values.step.n == 0) return F.slice(x, from, to);
    else return F.slice(x, from, to, list_word<ops::key::step, N::values.step>);
  }
};
SINTER_ALIAS("slice", "crop");
SINTER_ALIAS("slice", "_npx_slice");
SINTER_ALIAS("slice", "_npi_slice");
template <> struct row<"slice_axis"> {
  static constexpr operand_count operands = 1;
  struct values {
    int axis = 0, begin = 0, end = 0;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values v{a.whole("axis"), a.whole("begin")};
    v.end = a.is_none("end") ? open : a.whole("end");
    return v;
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr int rank = shape_of<X>.rank, axis = N::values.axis < 0 ? N::values.axis + rank : N::values.axis;
    static_assert(axis >= 0 && axis < rank, "sinter: a slice_axis of this symbol JSON has an axis that its operand does not have");
    constexpr auto bounds = [](int last) {
      whole_numbers r;
      for (int i = 0; i < axis && i < max_rank; ++i) r.push_back(open);
      r.push_back(last);
      return r;
    };
    return F.slice(x, list_word<ops::key::begin, bounds(N::values.begin)>, list_word<ops::key::end, bounds(N::values.end)>);
  }
};

namespace detail {
template <class Op> struct join {
  static constexpr operand_count operands{1, operand_count::any};
  struct values {
    int axis = 0;
  };
  static constexpr values read(attributes& a, node_facts const& n) {
    if (a.at_least(1, "num_args") != n.inputs) a.refuse("num_args");
    bool const is_concat = n.op == "Concat" || n.op == "concat";
    std::string_view const key = is_concat ? "dim" : "axis";
    return {a.whole(key, is_concat ? 1 : 0)};
  }
  template <class N> static constexpr auto call(auto, auto const&... x) {
    return ops::function<Op>{}(x..., ops::keyword<ops::key::axis, N::values.axis>{});
  }
};
}  // namespace detail
template <> struct row<"Concat"> : detail::join<ops::concat> {};
SINTER_ALIAS("Concat", "concat");
SINTER_ALIAS("Concat", "_npi_concatenate");
template <> struct row<"stack"> : detail::join<ops::stack> {};
SINTER_ALIAS("stack", "_npi_stack");
template <> struct row<"SliceChannel"> {
  static constexpr operand_count operands = 1;
  struct values {
    int parts = 1, axis = 1;
    bool squeeze = false;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values const v{a.at_least(1, "num_outputs"), a.whole("axis", 1), a.flag("squeeze_axis", false)};
    if (v.parts > 64) a.refuse("num_outputs");
    return v;
  }
  static constexpr int results(values const& v) { return v.parts; }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    constexpr ops::keyword<ops::key::axis, N::values.axis> along;
    auto const all = F.split(x, ops::keyword<ops::key::parts, N::values.parts>{}, along);
    if constexpr (!N::values.squeeze) return all;
    else return std::apply([&](auto const&... one) { return std::tuple{F.squeeze(one, along)...}; }, all);
  }
};
SINTER_ALIAS("SliceChannel", "split");

template <> struct row<"broadcast_to"> {
  static constexpr operand_count operands = 1;
  struct values {
    whole_numbers shape;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values const v{a.list("shape")};
    if (v.shape.n > max_rank) a.refuse("shape");
    for (std::int64_t const e : v.shape)
      if (e < 0) a.refuse("shape");
    return v;
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr dims to = [] {  // 0 keeps an extent
      dims r = dims_of(N::values.shape);
      for (int i = 0; !N::facts.is_numpy && i < r.rank && r.rank == shape_of<X>.rank; ++i)
        if (r.d[i] == 0) r.d[i] = shape_of<X>.d[i];
      return r;
    }();
    return F.broadcast_to(x, into_word<to>());
  }
};
SINTER_ALIAS("broadcast_to", "_np_broadcast_to");
SINTER_ALIAS("broadcast_to", "_npi_broadcast_to");
template <> struct row<"broadcast_axis"> {
  static constexpr operand_count operands = 1;
  struct values {
    whole_numbers axes, sizes;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values const v{a.list("axis", whole_numbers{}), a.list("size", whole_numbers{})};
    if (v.axes.n != v.sizes.n) a.refuse("size");
    return v;
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr dims to = [] {
      dims r = shape_of<X>;
      for (int i = 0; i < N::values.axes.n; ++i) {
        auto const axis = N::values.axes.at[i] < 0 ? N::values.axes.at[i] + r.rank : N::values.axes.at[i];
        if (axis < 0 || axis >= r.rank) return unknown_dims;
        r.d[axis] = N::values.sizes.at[i];
      }
      return r;
    }();
    static_assert(to.rank >= 0, "sinter: a broadcast_axis of this symbol JSON has an axis that its operand does not have");
    return F.broadcast_to(x, into_word<to>());
  }
};
SINTER_ALIAS("broadcast_axis", "broadcast_axes");

namespace detail {
struct reps_values {
  whole_numbers reps, axes;
};
template <class Op> struct repeated {
  static constexpr operand_count operands = 1;
  using values = reps_values;
  template <class N> static constexpr auto call(auto, auto const& x) {
    if constexpr (N::values.axes.n == 0) return ops::function<Op>{}(x, list_word<ops::key::reps, N::values.reps>);
    else return ops::function<Op>{}(x, list_word<ops::key::reps, N::values.reps>, list_word<ops::key::axis, N::values.axes>);
  }
};
}  // namespace detail
template <> struct row<"tile"> : detail::repeated<ops::tile> {
  static constexpr values read(attributes& a, node_facts const&) { return {a.list("reps"), {}}; }
};
SINTER_ALIAS("tile", "_npi_tile");
template <> struct row<"repeat"> : detail::repeated<ops::repeat> {
  static constexpr values read(attributes& a, node_facts const&) {
    values v{{1, {a.at_least(0, "repeats")}}, {}};
    if (!a.is_none("axis")) v.axes.push_back(a.whole("axis"));
    return v;
  }
};
SINTER_ALIAS("repeat", "_np_repeat");
SINTER_ALIAS("repeat", "_npi_repeat");

template <> struct row<"Pad"> {
  static constexpr operand_count operands = 1;
  struct values {
    whole_numbers begin, end;
    borders border{};
    double value = 0;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    constexpr borders all[]{borders::constant, borders::edge, borders::reflect};
    values v;
    v.border = all[a.choice("mode", {"constant", "edge", "reflect"})];
    whole_numbers const widths = a.list("pad_width");
    v.value = a.real("constant_value", 0);
    if (widths.n % 2 != 0) a.refuse("pad_width");
    for (int i = 0; i + 1 < widths.n; i += 2) {
      if (widths.at[i] < 0 || widths.at[i + 1] < 0) a.refuse("pad_width");
      v.begin.push_back(widths.at[i]);
      v.end.push_back(widths.at[i + 1]);
    }
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.padded(x, list_word<ops::key::begin, N::values.begin>, list_word<ops::key::end, N::values.end>,
                    ops::keyword<ops::key::border, N::values.border>{}, ops::keyword<ops::key::values, N::values.value>{});
  }
};
SINTER_ALIAS("Pad", "pad");
template <> struct row<"_npi_tril"> {
  static constexpr operand_count operands = 1;
  struct values {
    int diagonal = 0;
  };
  static constexpr values read(attributes& a, node_facts const&) { return {a.whole("k", 0)}; }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.tril(x, ops::keyword<ops::key::diagonal, N::values.diagonal>{});
  }
};
namespace detail {
template <class Op> struct in_blocks {
  static constexpr operand_count operands = 1;
  struct values {
    int block = 1;
  };
  static constexpr values read(attributes& a, node_facts const&) { return {a.at_least(1, "block_size")}; }
  template <class N> static constexpr auto call(auto, auto const& x) {
    return ops::function<Op>{}(x, ops::keyword<ops::key::block, N::values.block>{});
  }
};
}  // namespace detail
template <> struct row<"space_to_depth"> : detail::in_blocks<ops::space_to_depth> {};
template <> struct row<"depth_to_space"> : detail::in_blocks<ops::depth_to_space> {};

}  // namespace sinter::literal::inline SINTER_ISA
