// SPDX-License-Identifier: Apache-2.0
// MXNet's reductions and indices, as symbol/mxnet/reductions.hpp has them. Its positions are floats; a reduction of all axes has the shape
// (1,), in the numpy mode ().
#pragma once
#include "common.hpp"

namespace sinter::literal::inline SINTER_ISA {
namespace detail {
struct reduction_values {
  whole_numbers axes;
  bool keepdims = false, exclude = false;
  dtype as = dtype::none;
  int order = 0;
};
constexpr reduction_values read_axes(attributes& a) {
  reduction_values v;
  v.keepdims = a.flag("keepdims", false);
  v.axes = a.list_or_none("axis");
  if (v.axes.n > max_rank) a.refuse("axis");
  return v;
}
// What is left without axes gets one.
template <class N, class X> constexpr auto finished(auto F, X const&, auto const& y) {
  constexpr auto const& v = N::values;
  constexpr int reduced = v.axes.n == 0 ? shape_of<X>.rank : v.axes.n, left = v.exclude ? reduced : shape_of<X>.rank - reduced;
  if constexpr (!N::facts.is_numpy && !v.keepdims && left == 0) return reshaped<dims{1}>(F, y);
  else return y;
}
template <class Op, class N> constexpr auto reduce(auto const& x, auto... more) {
  constexpr auto const& v = N::values;
  constexpr ops::keyword<ops::key::keepdims, true> kept;
  constexpr auto along = list_word<ops::key::axis, v.axes>;
  if constexpr (v.exclude && v.keepdims) return ops::function<Op>{}(x, along, kept, ops::keyword<ops::key::exclude, true>{}, more...);
  else if constexpr (v.exclude) return ops::function<Op>{}(x, along, ops::keyword<ops::key::exclude, true>{}, more...);
  else if constexpr (v.axes.n > 0 && v.keepdims) return ops::function<Op>{}(x, along, kept, more...);
  else if constexpr (v.axes.n > 0) return ops::function<Op>{}(x, along, more...);
  else if constexpr (v.keepdims) return ops::function<Op>{}(x, kept, more...);
  else return ops::function<Op>{}(x, more...);
}
// The sum or product y of an operand of dtype T, as symbol/mxnet/reductions.hpp has it.
template <dtype T> constexpr auto summed_as(auto F, auto const& y) {
  if constexpr (summed_in(T) == T) return y;
  else return cast_to<T>(F, y);
}
template <class Op> struct reduction {
  static constexpr operand_count operands = 1;
  using values = reduction_values;
  static constexpr values read(attributes& a, node_facts const&) {
    values v = read_axes(a);
    v.exclude = a.flag("exclude", false) && v.axes.n > 0;
    v.as = a.type_or_none("dtype");
    a.only("initial", {"None"});
    return v;
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    if constexpr (N::values.as == dtype::none) return finished<N>(F, x, reduced<N>(F, x));
    else return finished<N>(F, x, reduced<N>(F, cast_to<N::values.as>(F, x)));
  }
  template <class N, class X> static constexpr auto reduced(auto F, X const& x) {
    if constexpr (std::is_same_v<Op, ops::sum> || std::is_same_v<Op, ops::prod>) return summed_as<type_of_elements<X>>(F, reduce<Op, N>(x));
    else return reduce<Op, N>(x);
  }
};
template <class Op> struct position {
  static constexpr operand_count operands = 1;
  using values = reduction_values;
  static constexpr values read(attributes& a, node_facts const&) { return read_axes(a); }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    auto const at = finished<N>(F, x, reduce<Op, N>(x));
    if constexpr (N::facts.is_numpy) return at;
    else return cast_to<dtype_of<typename X::value_type>>(F, at);
  }
};
}  // namespace detail

#define SINTER_REDUCTION(name)                                     \
  template <> struct row<#name> : detail::reduction<ops::name> {}; \
  SINTER_ALIAS(#name, "_np_" #name);                               \
  SINTER_ALIAS(#name, "_npi_" #name)
SINTER_REDUCTION(sum);
SINTER_REDUCTION(max);
SINTER_REDUCTION(min);
SINTER_REDUCTION(prod);
#undef SINTER_REDUCTION
SINTER_ALIAS("sum", "sum_axis");
SINTER_ALIAS("max", "max_axis");
SINTER_ALIAS("min", "min_axis");
template <> struct row<"mean"> : detail::reduction<ops::mean> {};
SINTER_ALIAS("mean", "_npi_mean");
template <> struct row<"norm"> {
  static constexpr operand_count operands = 1;
  using values = detail::reduction_values;
  static constexpr values read(attributes& a, node_facts const&) {
    values v = detail::read_axes(a);
    v.order = a.whole("ord", 2);
    if (v.order != 1 && v.order != 2) a.refuse("ord");
    a.only("out_dtype", {"None"});
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return detail::finished<N>(F, x, detail::reduce<ops::norm, N>(x, ops::keyword<ops::key::ord, N::values.order>{}));
  }
};
template <> struct row<"argmax"> : detail::position<ops::argmax> {};
SINTER_ALIAS("argmax", "_npi_argmax");
template <> struct row<"argmin"> : detail::position<ops::argmin> {};
SINTER_ALIAS("argmin", "_npi_argmin");

// ---- orders: along one axis, or where it is None of all elements in one row

namespace detail {
struct order_values {
  int axis = -1;
  bool of_all = false, ascending = true;
  int top = 1, what = 0;
  dtype as = dtype::float32;
};
constexpr order_values read_order(attributes& a, bool ascending) {
  order_values v;
  v.of_all = a.has("axis") && a.is_none("axis");
  v.axis = v.of_all ? 0 : a.whole("axis", -1);
  v.ascending = a.flag("is_ascend", ascending);
  return v;
}
template <class N> constexpr auto in_a_row(auto F, auto const& x) {
  if constexpr (N::values.of_all) return reshaped<dims{-1}>(F, x);
  else return x;
}
template <class Op, class N> constexpr auto ordered(auto F, auto const& x, auto... more) {
  return ops::function<Op>{}(in_a_row<N>(F, x), ops::keyword<ops::key::axis, N::values.axis>{},
                             ops::keyword<ops::key::ascending, N::values.ascending>{}, more...);
}
}  // namespace detail
template <> struct row<"sort"> {
  static constexpr operand_count operands = 1;
  using values = detail::order_values;
  static constexpr values read(attributes& a, node_facts const&) { return detail::read_order(a, true); }
  template <class N> static constexpr auto call(auto F, auto const& x) { return detail::ordered<ops::sort, N>(F, x); }
};
template <> struct row<"argsort"> {
  static constexpr operand_count operands = 1;
  using values = detail::order_values;
  static constexpr values read(attributes& a, node_facts const&) {
    values v = detail::read_order(a, true);
    v.as = a.type("dtype", dtype::float32);
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return cast_to<N::values.as>(F, detail::ordered<ops::argsort, N>(F, x));
  }
};
template <> struct row<"topk"> {
  static constexpr operand_count operands = 1;
  using values = detail::order_values;
  static constexpr values read(attributes& a, node_facts const&) {
    values v = detail::read_order(a, false);
    v.top = a.at_least(1, "k", 1);
    v.what = a.choice("ret_typ", {"value", "indices", "both"}, "indices");
    v.as = a.type("dtype", dtype::float32);
    return v;
  }
  static constexpr int results(values const& v) { return v.what == 2 ? 2 : 1; }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    auto const all = detail::ordered<ops::topk, N>(F, x, ops::keyword<ops::key::top, N::values.top>{});
    if constexpr (N::values.what == 0) return std::get<0>(all);
    else if constexpr (N::values.what == 1) return cast_to<N::values.as>(F, std::get<1>(all));
    else return std::tuple{std::get<0>(all), cast_to<N::values.as>(F, std::get<1>(all))};
  }
};
SINTER_ALIAS("topk", "_npx_topk");
template <> struct row<"_np_cumsum"> {
  static constexpr operand_count operands = 1;
  struct values {
    whole_numbers axis;
    dtype as = dtype::none;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values v;
    if (!a.is_none("axis")) v.axis.push_back(a.whole("axis"));
    v.as = a.type_or_none("dtype");
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    if constexpr (N::values.as != dtype::none) return along<N>(F, cast_to<N::values.as>(F, x));
    else return along<N>(F, x);
  }
  template <class N, class X> static constexpr auto along(auto F, X const& x) {
    constexpr dtype type = type_of_elements<X>;
    if constexpr (N::values.axis.n == 0) return detail::summed_as<type>(F, F.cumsum(x));
    else return detail::summed_as<type>(F, F.cumsum(x, list_word<ops::key::axis, N::values.axis>));
  }
};
SINTER_ALIAS("_np_cumsum", "cumsum");

// ---- indices

template <> struct row<"Embedding"> {
  static constexpr operand_count operands = 2;
  struct values {
    int rows = 1, columns = 1;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    int const rows = a.at_least(1, "input_dim");
    a.ignore({"dtype", "sparse_grad"});
    return {rows, a.at_least(1, "output_dim")};
  }
  static constexpr dims wanted(values const& v, int, dims const&) { return {v.rows, v.columns}; }
  template <class N> static constexpr auto call(auto F, auto const& x, auto const& weight) { return F.take(weight, as_index(F, x)); }
};
SINTER_ALIAS("Embedding", "_npx_embedding");
template <> struct row<"take"> {
  static constexpr operand_count operands = 2;
  struct values {
    int axis = 0;
    bool wraps = false;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    int const axis = a.whole("axis", 0);
    return {axis, a.word("mode", {"clip", "wrap"}, "clip") == "wrap"};
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x, auto const& at) {
    constexpr int axis = N::values.axis < 0 ? N::values.axis + shape_of<X>.rank : N::values.axis;
    constexpr ops::keyword<ops::key::axis, N::values.axis> along;
    if constexpr (!N::values.wraps || axis < 0 || axis >= shape_of<X>.rank) return F.take(x, as_index(F, at), along);
    else {
      constexpr extent all = shape_of<X>.d[axis];
      static_assert(all > 0, "sinter: a take of this symbol JSON wraps its indices around an axis whose extent is no number from 1 on");
      return F.take(x, F.mod(as_index(F, at), static_cast<int>(all)), along);
    }
  }
};
SINTER_ALIAS("take", "_npi_take");
template <> struct row<"pick"> {
  static constexpr operand_count operands = 2;
  struct values {
    int axis = -1;
    bool keepdims = false;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    int const axis = a.whole("axis", -1);
    a.only("mode", {"clip"});
    return {axis, a.flag("keepdims", false)};
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x, auto const& at) {
    auto const y =
        F.pick(x, as_index(F, at), ops::keyword<ops::key::axis, N::values.axis>{}, ops::keyword<ops::key::keepdims, N::values.keepdims>{});
    if constexpr (shape_of<X>.rank == 1) return reshaped<dims{1}>(F, y);  // an axis is always left, in the numpy mode, too
    else return y;
  }
};
SINTER_ALIAS("pick", "choose_element_0index");
SINTER_ALIAS("pick", "_npx_pick");
template <> struct row<"one_hot"> {
  static constexpr operand_count operands = 1;
  struct values {
    int depth = 0;
    double on = 1, off = 0;
    dtype as = dtype::float32;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values v{a.at_least(0, "depth")};
    v.on = a.real("on_value", 1);
    v.off = a.real("off_value", 0);
    v.as = a.type("dtype", dtype::float32);
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& at) {
    return F.one_hot(as_index(F, at), ops::keyword<ops::key::depth, N::values.depth>{},
                     ops::keyword<ops::key::values, N::values.on, N::values.off>{}, ops::keyword<ops::key::as, N::values.as>{});
  }
};
SINTER_ALIAS("one_hot", "_npx_one_hot");

}  // namespace sinter::literal::inline SINTER_ISA
