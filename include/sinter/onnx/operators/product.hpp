// SPDX-License-Identifier: Apache-2.0
// ONNX's products and the operators over windows: convolutions and pooling.
#pragma once
#include "elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline void compose_matmul(site& k) { k.give(k.cast(k("matmul", {k[0], k[1]}), k[0].type.type)); }
inline void compose_gemm(site& k) {
  if (k[0].rank() != 2 || k[1].rank() != 2)
    k.fail("its operands are " + in_words(k[0].type) + " and " + in_words(k[1].type) + ", and matrices are wanted");
  dtype const t = k[0].type.type;
  auto const times = [&](term const& x, double by) {
    if (by == 1) return x;
    if (!is_floating(t) && by != std::floor(by)) k.fail("alpha and beta of integers are whole numbers");
    return is_floating(t) ? scaled(k, x, by) : k("multiply", {x, k.beside(x, static_cast<std::int64_t>(by))});
  };
  term r = k("matmul", {k[0], k[1]}, {{"transpose_a", k.truth("transA", false)}, {"transpose_b", k.truth("transB", false)}});
  r = times(k.cast(r, t), k.real("alpha", 1));
  if (double const beta = k.real("beta", 1); k.has(2) && beta != 0) {
    term const c = times(k[2], beta);
    r = k("add", {r, k.stretched_beside(c, r)});
  }
  k.give(r);
}
// Leaves out the axes of extent 1 whose letter has another extent in another operand, so that they stretch: sinter's einsum refuses them.
// Gives the equation of what is left, if it is another one.
inline std::optional<std::string> without_stretched(site& k, ops::axes_of_operands const& said, terms& in) {
  std::vector<ops::axis_names> axes;
  bool stretches[128]{};
  for (int i = 0; i < said.in.size(); ++i) {
    term const& x = in[static_cast<std::size_t>(i)];
    ops::axis_names const& n = axes.emplace_back(said.in[i].with_axes(x.rank()));
    for (int j = 0; j < n.n; ++j) stretches[n.code(j)] |= n.code(j) > max_rank && x.free(j) != 1;
  }
  std::string equation;
  bool changed = false;
  for (int i = 0; i < said.in.size(); ++i) {
    term& x = in[static_cast<std::size_t>(i)];
    ops::axis_names const& n = axes[static_cast<std::size_t>(i)];
    bool is_one[128]{};
    for (int j = 0; j < n.n; ++j) is_one[n.code(j)] = stretches[n.code(j)];
    for (int j = 0; j < n.n; ++j) is_one[n.code(j)] &= x.free(j) == 1;  // both axes of a diagonal
    dims left;
    for (int j = 0; j < n.n; ++j)
      if (!is_one[n.code(j)]) left.push(x.free(j));
    if (left.rank < n.n) x = k.reshape(x, left), changed = true;
    equation += i == 0 ? "" : ",";
    for (int j = 0; j < said.in[i].n; ++j) {
      char const c = said.in[i].at[j];
      if (!is_one[said.in[i].code(j)]) equation += c == '.' ? "..." : std::string(1, c);
    }
  }
  equation += "->";
  for (int j = 0; j < said.out.n; ++j) equation += said.out.at[j] == '.' ? "..." : std::string(1, said.out.at[j]);
  return changed ? std::optional(equation) : std::nullopt;
}
inline void compose_einsum(site& k) {
  std::string spelled;
  for (char c : k.text("equation", ""))
    if (c != ' ') spelled += c;
  auto const parsed = [&] {
    ops::axes_of_operands const r(ops::axes_of_operands::packed(spelled));
    if (spelled.size() > ops::axes_of_operands::longest || !r.ok) k.fail("sinter cannot compute the equation " + io::in_quotes(spelled));
    return r;
  };
  terms in = k.all();
  if (auto const said = parsed(); said.in.size() == k.operands())
    if (auto const of_others = without_stretched(k, said, in)) spelled = *of_others, parsed();
  k.give(k.cast(k("einsum", in, {{"subscripts", ops::axes_of_operands::packed(spelled)}}), k[0].type.type));
}

// The windows of a convolution or a pooling: what attributes say of them, for each spatial axis.
struct windows {
  int axes;
  std::vector<std::int64_t> size, stride, dilate, before, behind;
  bool ceil = false;

  windows(site& k, term const& x, std::vector<std::int64_t> kernel) : axes(x.rank() - 2), size(std::move(kernel)) {
    if (axes < 1) k.fail("the operand is " + in_words(x.type) + ", and has no spatial axes");
    if (auto const said = k.wholes("kernel_shape"); said && *said != size) k.fail("kernel_shape is another than that of the weight");
    auto const get = [&](char const* name, std::int64_t otherwise, std::int64_t least, int each) {
      std::vector<std::int64_t> v =
          k.wholes(name).value_or(std::vector<std::int64_t>(static_cast<std::size_t>(axes) * static_cast<std::size_t>(each), otherwise));
      bool fits = v.size() == static_cast<std::size_t>(axes) * static_cast<std::size_t>(each);
      for (std::int64_t e : v) fits = fits && e >= least && e < (std::int64_t{1} << 31);
      if (!fits) k.fail(std::string("attribute ") + name + " has wrong numbers, or not one for each spatial axis");
      return v;
    };
    stride = get("strides", 1, 1, 1);
    dilate = get("dilations", 1, 1, 1);
    for (std::int64_t e : size)
      if (e < 1 || e >= (std::int64_t{1} << 31)) k.fail("a window is empty");
    if (size.size() != stride.size()) k.fail("the windows have another number of axes than " + in_words(x.type));
    std::vector<std::int64_t> const pads = get("pads", 0, 0, 2);
    before.assign(pads.begin(), pads.begin() + axes);
    behind.assign(pads.begin() + axes, pads.end());
    ceil = k.truth("ceil_mode", false);
  }
  static std::string auto_pad_of(site& k) {
    std::string const how = k.text("auto_pad", "NOTSET");
    if (how != "NOTSET" && how != "VALID" && how != "SAME_UPPER" && how != "SAME_LOWER") k.fail("auto_pad is " + io::in_quotes(how));
    return how;
  }
  // What auto_pad makes of it, where the result is a window for each `stride` elements.
  void pad_like(site& k, term const& x) {
    std::string const how = auto_pad_of(k);
    if (how == "NOTSET") return;
    for (int i = 0; i < axes; ++i) {
      auto const a = static_cast<std::size_t>(i);
      std::int64_t const n = x[i + 2], count = (n + stride[a] - 1) / stride[a];
      std::int64_t const all = how == "VALID" ? 0 : std::max<std::int64_t>((count - 1) * stride[a] + spanned(a) - n, 0);
      before[a] = how == "SAME_UPPER" ? all / 2 : all - all / 2;
      behind[a] = all - before[a];
    }
  }
  std::int64_t spanned(std::size_t a) const { return dilate[a] * (size[a] - 1) + 1; }
  // How many windows there are, and how far the last of them reaches beyond the padding.
  std::int64_t count(site& k, term const& x, std::size_t a) const {
    std::int64_t const room = x[static_cast<int>(a) + 2] + before[a] + behind[a] - spanned(a);
    if (room < 0) k.fail("a window is larger than " + in_words(x.type) + " with its padding");
    std::int64_t n = (ceil ? room + stride[a] - 1 : room) / stride[a] + 1;
    if (ceil && (n - 1) * stride[a] >= x[static_cast<int>(a) + 2] + before[a]) --n;  // it would begin in the padding behind
    return n;
  }
  std::int64_t beyond(site& k, term const& x, std::size_t a) const {
    return std::max<std::int64_t>((count(k, x, a) - 1) * stride[a] + spanned(a) - x[static_cast<int>(a) + 2] - before[a] - behind[a], 0);
  }
  bool is_symmetric() const { return before == behind; }
  static int_list as_list(std::vector<std::int64_t> const& v) {
    int_list r;
    for (std::int64_t e : v) r.push(e);
    return r;
  }
};
// x with so many elements more before and behind each spatial axis.
inline term padded_with(site& k, term const& x, std::vector<std::int64_t> const& before, std::vector<std::int64_t> const& behind,
                        sinter::number with) {
  int_list begin{0, 0}, end{0, 0};
  bool none = true;
  for (std::size_t a = 0; a < before.size(); ++a) {
    begin.push(before[a]), end.push(behind[a]);
    none = none && before[a] == 0 && behind[a] == 0;
  }
  ops::number_list v;
  v.at[v.n++] = with;
  return none ? x : k("padded", {x}, {{"begin", begin}, {"end", end}, {"values", v}});
}
inline std::vector<std::int64_t> kernel_of(term const& w) {
  std::vector<std::int64_t> r;
  for (int i = 2; i < w.rank(); ++i) r.push_back(w[i]);
  return r;
}
inline int groups_of(site& k, extent channels) {
  std::int64_t const g = k.whole("group", 1);
  if (g < 1 || g > channels || channels % g != 0)
    k.fail("the groups, " + std::to_string(g) + ", do not divide the channels, " + std::to_string(channels));
  return static_cast<int>(g);
}
inline void compose_conv(site& k) {
  term const &x = k[0], &w = k[1];
  windows at(k, x, kernel_of(w));
  at.pad_like(k, x);
  keywords said{{"stride", windows::as_list(at.stride)}, {"dilate", windows::as_list(at.dilate)}, {"groups", groups_of(k, x[1])}};
  term in = x;
  if (at.is_symmetric()) said.emplace("pad", windows::as_list(at.before));
  else in = padded_with(k, x, at.before, at.behind, sinter::number(0));
  terms operands{in, w};
  if (k.has(2)) operands.push_back(k[2]);
  k.give(k("convolution", operands, said));
}
// All elements that the operation can reach, and of these a part.
inline void compose_conv_transpose(site& k) {
  term const &x = k[0], &w = k[1];
  windows at(k, x, kernel_of(w));
  std::string const how = windows::auto_pad_of(k);
  auto const n = static_cast<std::size_t>(at.axes);
  std::vector<std::int64_t> const adjust = k.wholes("output_padding").value_or(std::vector<std::int64_t>(n, 0));
  auto const wanted = k.wholes("output_shape");
  if (adjust.size() != n || (wanted && wanted->size() != n)) k.fail("output_padding and output_shape have a number for each spatial axis");
  terms operands{x, w};
  if (k.has(2)) operands.push_back(k[2]);
  term r = k("convolution_transpose", operands,
             {{"stride", windows::as_list(at.stride)}, {"dilate", windows::as_list(at.dilate)}, {"groups", groups_of(k, x[1])}});
  term bias = k.has(2) ? k.along(k[2], 1, x.rank()) : k.beside(x, 0);
  for (std::size_t a = 0; a < n; ++a) {
    int const axis = static_cast<int>(a) + 2;
    std::int64_t const all = r[axis];  // without padding
    if (adjust[a] < 0 || adjust[a] >= std::max(at.stride[a], at.dilate[a]))
      k.fail("output_padding is not less than the stride or the dilation");
    std::int64_t before = at.before[a], extent_wanted = all + adjust[a] - before - at.behind[a];
    if (wanted || how == "SAME_UPPER" || how == "SAME_LOWER") {
      extent_wanted = wanted ? (*wanted)[a] : x[axis] * at.stride[a];
      std::int64_t const total = all + adjust[a] - extent_wanted;
      before = how == "SAME_UPPER" || total < 0 ? total / 2 : total - total / 2;
    }
    if (extent_wanted < 1 || before < 0) k.fail("the result would have no elements, or begin before them");
    std::int64_t const missing = before + extent_wanted - all;
    if (missing > 0) {
      dims more = r.type.shape;
      more.d[axis] = missing;
      r = k("concat", {r, k.stretch(bias, more)}, {{"axis", int_list{axis}}});
    }
    r = k.part(r, axis, before, before + extent_wanted);
  }
  k.give(r);
}

inline sinter::number lowest_of(dtype t) {
  if (is_floating(t)) return sinter::number(-std::numeric_limits<double>::infinity());
  return with_type(t, []<class T>(T*) {
    if constexpr (std::is_integral_v<T>) return sinter::number(static_cast<std::int64_t>(std::numeric_limits<T>::lowest()));
    else return sinter::number(0);
  });
}
inline windows pooling_windows(site& k) {
  auto const size = k.wholes("kernel_shape");
  if (!size) k.fail("the attribute kernel_shape is missing");
  windows at(k, k[0], *size);
  at.pad_like(k, k[0]);
  return at;
}
// x as windows read it: with its padding, and with what the last window reads beyond that.
inline term pool_operand(site& k, term const& x, windows const& at, sinter::number pad, sinter::number beyond) {
  std::vector<std::int64_t> none(at.size.size(), 0), more = none;
  for (std::size_t a = 0; a < more.size(); ++a) more[a] = at.beyond(k, x, a);
  return padded_with(k, padded_with(k, x, at.before, at.behind, pad), none, more, beyond);
}
// What `op` makes of the elements of each window, one after the other.
inline term over_windows(site& k, term const& padded, windows const& at, term const& x, std::string_view op) {
  term r = padded;
  for (std::size_t a = 0; a < at.size.size(); ++a) {
    int const axis = static_cast<int>(a) + 2;
    std::int64_t const count = at.count(k, x, a);
    std::optional<term> sum;
    for (std::int64_t i = 0; i < at.size[a]; ++i) {
      int_list begin, end, step;
      for (int d = 0; d < r.rank(); ++d) {
        bool const here = d == axis;
        begin.push(here ? i * at.dilate[a] : 0);
        end.push(here ? i * at.dilate[a] + (count - 1) * at.stride[a] + 1 : r.end(d));
        step.push(here ? at.stride[a] : 1);
      }
      term const one = k("slice", {r}, {{"begin", begin}, {"end", end}, {"step", step}});
      sum = sum ? k(op, {*sum, one}) : one;
    }
    r = *sum;
  }
  return r;
}
inline bool is_dilated(windows const& at) {
  return std::any_of(at.dilate.begin(), at.dilate.end(), [](std::int64_t d) { return d != 1; });
}
inline void compose_max_pool(site& k) {
  if (k.wants(1)) k.fail("it gives the places of the maxima, too, which sinter does not");
  windows const at = pooling_windows(k);
  sinter::number const low = lowest_of(k[0].type.type);
  term const x = pool_operand(k, k[0], at, low, low);
  if (is_dilated(at) || at.axes > 3) return k.give(over_windows(k, x, at, k[0], "maximum"));
  k.give(k("max_pool", {x}, {{"pool_size", windows::as_list(at.size)}, {"stride", windows::as_list(at.stride)}}));
}
// The sum of each window divided by the number of elements in it; padding counts if count_include_pad says so, what is beyond it never.
inline void compose_average_pool(site& k) {
  windows const at = pooling_windows(k);
  term const& x = k[0];
  bool const counts = k.truth("count_include_pad", false);
  sinter::number const zero(0), one(1);
  term const sum = over_windows(k, pool_operand(k, x, at, zero, zero), at, x, "add");
  dims plane = x.type.shape;
  plane.d[0] = plane.d[1] = 1;
  term const ones = k.c.number_of(x.type.type, 1, plane);
  k.give(k("divide", {sum, over_windows(k, pool_operand(k, ones, at, counts ? one : zero, zero), at, x, "add")}));
}
inline void compose_lp_pool(site& k) {
  windows const at = pooling_windows(k);
  term const& x = k[0];
  double const p = static_cast<double>(k.whole("p", 2));
  sinter::number const zero(0);
  term const powers = k("power", {k("abs", {x}), k.beside(x, p)});
  term const sum = over_windows(k, pool_operand(k, powers, at, zero, zero), at, x, "add");
  k.give(k("power", {sum, k.beside(x, 1 / p)}));
}
inline void compose_global(site& k, std::string_view op) {
  int_list axes;
  for (int i = 2; i < k[0].rank(); ++i) axes.push(i);
  if (axes.n == 0) k.fail("the operand is " + in_words(k[0].type) + ", and has no spatial axes");
  k.give(k(op, {k[0]}, {{"axis", axes}, {"keepdims", true}}));
}

inline constexpr operator_row product_rows[] = {
    {"AveragePool", 7, 9, 1, "auto_pad count_include_pad kernel_shape pads strides", "", in_float32<compose_average_pool>},
    {"AveragePool", 10, 18, 1, "auto_pad ceil_mode count_include_pad kernel_shape pads strides", "", in_float32<compose_average_pool>},
    {"AveragePool", 19, 0, 1, "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides", "",
     in_float32<compose_average_pool>},
    {"Conv", 1, 0, 3, "auto_pad dilations group kernel_shape pads strides", "", compose_conv},
    {"ConvTranspose", 1, 0, 3, "auto_pad dilations group kernel_shape output_padding output_shape pads strides", "",
     compose_conv_transpose},
    {"Det", 11, 0, 1, "", "det"},
    {"Einsum", 12, 0, any_number, "equation", "", compose_einsum},
    {"Gemm", 7, 0, 3, "alpha beta transA transB", "", compose_gemm},
    {"GlobalAveragePool", 1, 0, 1, "", "", [](site& k) { compose_global(k, "mean"); }},
    {"GlobalMaxPool", 1, 0, 1, "", "", [](site& k) { compose_global(k, "max"); }},
    {"LpPool", 2, 10, 1, "auto_pad kernel_shape p pads strides", "", in_float32<compose_lp_pool>},
    {"LpPool", 11, 17, 1, "auto_pad kernel_shape p pads strides", "", in_float32<compose_lp_pool>},
    {"LpPool", 18, 0, 1, "auto_pad ceil_mode dilations kernel_shape p pads strides", "", in_float32<compose_lp_pool>},
    {"MatMul", 1, 0, 2, "", "", compose_matmul},
    {"MaxPool", 1, 7, 1, "auto_pad kernel_shape pads strides", "", compose_max_pool},
    {"MaxPool", 8, 9, 1, "auto_pad kernel_shape pads storage_order strides", "", compose_max_pool},
    {"MaxPool", 10, 0, 1, "auto_pad ceil_mode dilations kernel_shape pads storage_order strides", "", compose_max_pool},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
