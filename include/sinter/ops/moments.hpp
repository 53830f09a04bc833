// SPDX-License-Identifier: Apache-2.0
// Over axes, written with sums, means, maxima and minima: variance, norms, logsumexp, any_true and all_true. Their keywords are those of sum.
#pragma once
#include "reduction.hpp"
#include "rounding.hpp"
#include "transcendental.hpp"

namespace sinter::ops::inline SINTER_ISA {

template <class Self> struct composite_reduction : reduction<Self> {
  static constexpr family kind = family::composite;
  // The axes stay, for what is beside the operand.
  static constexpr reduction_attributes kept(std::int64_t axes) { return {axes, true}; }
  // Drops the axes that the call does not keep.
  static constexpr int finished(auto& g, int kept_axes, reduction_attributes const& a) {
    if (a.keepdims) return kept_axes;
    array_type const t = g.nodes[kept_axes].type;
    dimension_table unused;
    return make<reshape>(g, {Self::infer({&t, 1}, a, unused).type.shape}, kept_axes);
  }
};
template <class Self> struct floating_reduction : composite_reduction<Self> {
  static constexpr problem check(dtype t) { return is_floating(t) ? problem::none : problem::wants_floating; }
  // d / y, for a root y of a sum of squares: 0 where all of them are 0, as in PyTorch.
  static constexpr int over_root(auto& g, int y, int d) {
    int const root = with_axes_of(g, y, y), zero = number_beside(g, y, 0);
    return make<where>(g, make<equal>(g, root, zero), zero, make<divide>(g, with_axes_of(g, y, d), root));
  }
};

// any_true(x), all_true(x): of bools; of no elements false and true. NumPy's any and all; `all` is an index here (core/index.hpp). Integers
// are reduced, whose largest and smallest stand for no elements.
template <class Self, class Extremum> struct truth_reduction : composite_reduction<Self> {
  static constexpr problem check(dtype t) { return t == dtype::boolean ? problem::none : problem::wants_bool; }
  static constexpr int expand(auto& g, operand_nodes in, reduction_attributes const& a) {
    int const number = make<cast>(g, {dtype::int32}, in[0]);
    return make<greater>(g, make<Extremum>(g, a, number), g.scalar(dtype::int32, 0));
  }
};
struct any_true : truth_reduction<any_true, max> {
  static constexpr format_names formats{"_npi_any", ""};
};
struct all_true : truth_reduction<all_true, min> {
  static constexpr format_names formats{"_npi_all", ""};
};

// mean((x - mean(x))^2); with ddof<d> the sum is divided by the number of elements less d, at least by 0, as in NumPy.
struct var : floating_reduction<var> {
  static constexpr format_names formats{"_npi_var", ""};
  using keywords = list_of<may<key::axis>, may<key::keepdims>, may<key::exclude>, may<key::ddof>>;
  struct attributes {
    reduction_attributes over;
    int ddof = 0;
    static constexpr void each(auto& a, auto&& f) { reduction_attributes::each(a.over, f), f("ddof", a.ddof); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {axes_and_keepdims(k, k[key::exclude{}].value, in), k[key::ddof{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    inferred const r = floating_reduction::infer(in, a.over, t);
    if (r.what == problem::none && a.ddof != 0 && count(in[0].shape, a.over.axes) < 0) return {{}, problem::wants_number, 0, 0};
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const centred = make<subtract>(g, in[0], make<mean>(g, {a.over.axes, true}, in[0]));
    int const squares = make<square>(g, centred);
    if (a.ddof == 0) return make<mean>(g, a.over, squares);
    std::int64_t const n = count(g.nodes[in[0]].type.shape, a.over.axes) - a.ddof;
    int const freedom = g.scalar(g.nodes[in[0]].type.type, static_cast<double>(n < 0 ? 0 : n));
    return make<divide>(g, make<sum>(g, a.over, squares), freedom);
  }

 private:
  // Elements along the axes; negative where one of them is dynamic.
  static constexpr std::int64_t count(dims const& s, std::int64_t axes) {
    std::int64_t n = 1;
    for (int i = 0; i < s.rank; ++i)
      if ((axes >> i) & 1) {
        if (s.d[i] < 0) return -1;
        n *= s.d[i];
      }
    return n;
  }
};
// The square root of var: NumPy's std, a name that C++ has taken.
struct stddev : var {
  static constexpr format_names formats{"_npi_std", ""};
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) { return make<sqrt>(g, var::expand(g, in, a)); }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    int const x = operand_of(g, y, 0);
    auto const a = unpack<attributes>(g.words_of(g.nodes[y]));
    int const centred = make<subtract>(g, x, make<mean>(g, {a.over.axes, true}, x));
    return make<multiply>(g, centred, make<divide>(g, over_root(g, y, d[0]), count_of(g, y, a.ddof)));
  }
};
// The root of the sum of squares; with ord<1> the sum of magnitudes.
struct norm : floating_reduction<norm> {
  static constexpr format_names formats{"norm", "ReduceL2"};
  using keywords = list_of<may<key::axis>, may<key::keepdims>, may<key::exclude>, may<key::ord>>;
  struct attributes {
    reduction_attributes over;
    int ord = 2;
    static constexpr void each(auto& a, auto&& f) { reduction_attributes::each(a.over, f), f("ord", a.ord); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    return {axes_and_keepdims(k, k[key::exclude{}].value, in), k[key::ord{}].or_else(2)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (a.ord != 1 && a.ord != 2) return {{}, problem::keyword_value, 0, 0};
    return floating_reduction::infer(in, a.over, t);
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    if (a.ord == 1) return make<sum>(g, a.over, make<abs>(g, in[0]));
    return make<sqrt>(g, make<sum>(g, a.over, make<square>(g, in[0])));
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    int const x = operand_of(g, y, 0);
    if (unpack<attributes>(g.words_of(g.nodes[y])).ord == 1) return make<multiply>(g, with_axes_of(g, y, d[0]), make<sign>(g, x));
    return make<multiply>(g, x, over_root(g, y, d[0]));
  }
};
// log(sum(exp(x - m))) + m, where m is the maximum, or 0 where that is infinite: SciPy's logsumexp. Of no elements it is -infinity.
struct logsumexp : floating_reduction<logsumexp> {
  static constexpr format_names formats{"", "ReduceLogSumExp"};
  static constexpr int expand(auto& g, operand_nodes in, reduction_attributes const& a) {
    dtype const t = g.nodes[in[0]].type.type;
    int const most = make<max>(g, kept(a.axes), in[0]);
    int const finite = make<lesser>(g, make<abs>(g, most), g.scalar(t, math::infinity<double>));
    int const m = make<where>(g, finite, most, g.scalar(t, 0));
    int const total = make<sum>(g, kept(a.axes), make<exp>(g, make<subtract>(g, in[0], m)));
    return finished(g, make<add>(g, make<log>(g, total), m), a);
  }
  // exp(x - y)
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    int const share_of_each = make<exp>(g, make<subtract>(g, operand_of(g, y, 0), with_axes_of(g, y, y)));
    return make<multiply>(g, with_axes_of(g, y, d[0]), share_of_each);
  }
};

using moment_ops = list_of<any_true, all_true, var, stddev, norm, logsumexp>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(any_true, "(x, axis<1>, keepdims, exclude)")
SINTER_OP(all_true, "(x, axis<1>, keepdims, exclude)")
SINTER_OP(var, "(x, axis<1>, keepdims, exclude, ddof<1>)")
SINTER_OP(stddev, "(x, axis<1>, keepdims, exclude, ddof<1>)")
SINTER_OP(norm, "(x, axis<1>, keepdims, exclude, ord<1>)")
SINTER_OP(logsumexp, "(x, axis<1>, keepdims, exclude)")
