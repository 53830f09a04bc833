// SPDX-License-Identifier: Apache-2.0
// MXNet's layers, as symbol/mxnet/layers.hpp has them: products, convolutions, pooling, softmax.
#pragma once
#include "common.hpp"

namespace sinter::literal::inline SINTER_ISA {
namespace detail {
// The inputs: data, weight and, unless `no_bias`, a bias.
constexpr void check_bias(attributes& a, node_facts const& n, bool without) {
  if (n.inputs != (a.flag("no_bias", without) ? 2 : 3)) a.refuse("no_bias");
}
// Numbers for the spatial axes.
constexpr whole_numbers windows(attributes& a, std::string_view key, int least, int axes, int otherwise) {
  whole_numbers all = a.list(key, whole_numbers{});
  if (all.empty())
    for (int i = 0; i < axes; ++i) all.push_back(otherwise);
  if (all.n != axes) a.refuse(key);
  for (std::int64_t const v : all)
    if (v < least) a.refuse(key);
  return all;
}
constexpr void check_layout(attributes& a) {
  if (!a.is_none("layout")) static_cast<void>(a.word("layout", {"NCW", "NCHW", "NCDHW"}));
}
struct convolution_values {
  whole_numbers kernel, stride, dilate, pad, adjust;
  int filters = 1, groups = 1;
};
template <bool Transposed> struct convolution {
  static constexpr operand_count operands{2, 3};
  using values = convolution_values;
  static constexpr values read(attributes& a, node_facts const& n) {
    values v{a.list("kernel"), {}, {}, {}, {}};
    int const axes = v.kernel.n;
    if (axes < 1 || axes > 3) a.refuse("kernel");
    for (std::int64_t const k : v.kernel)
      if (k < 1) a.refuse("kernel");
    v.filters = a.at_least(1, "num_filter");
    v.groups = a.at_least(1, "num_group", 1);
    v.stride = windows(a, "stride", 1, axes, 1);
    v.dilate = windows(a, "dilate", 1, axes, 1);
    v.pad = windows(a, "pad", 0, axes, 0);
    if (Transposed) {
      v.adjust = windows(a, "adj", 0, axes, 0);
      if (!a.list("target_shape", whole_numbers{}).empty()) a.refuse("target_shape");
    }
    check_layout(a);
    check_bias(a, n, Transposed);
    a.ignore({"workspace", "cudnn_tune", "cudnn_off"});
    if (v.filters % v.groups != 0) a.refuse("num_group");
    return v;
  }
  static constexpr dims wanted(values const& v, int k, dims const& x) {
    if (k == 2) return {v.filters};
    extent const channels = x.rank > 1 ? x.d[1] : unknown_extent;
    dims r = Transposed ? dims{channels, v.filters / v.groups} : dims{v.filters, channels < 0 ? unknown_extent : channels / v.groups};
    for (std::int64_t const e : v.kernel)
      if (r.rank < 5) r.push(e);
    return r;
  }
  template <class N> static constexpr auto call(auto F, auto const& x, auto const&... w) {
    constexpr auto const& v = N::values;
    constexpr auto step = list_word<ops::key::stride, v.stride>;
    constexpr auto apart = list_word<ops::key::dilate, v.dilate>;
    constexpr auto zeros = list_word<ops::key::pad, v.pad>;
    constexpr ops::keyword<ops::key::groups, v.groups> in_groups;
    if constexpr (Transposed) return F.convolution_transpose(x, w..., step, apart, zeros, in_groups, list_word<ops::key::adjust, v.adjust>);
    else return F.convolution(x, w..., step, apart, zeros, in_groups);
  }
};
}  // namespace detail

template <> struct row<"FullyConnected"> {
  static constexpr operand_count operands{2, 3};
  struct values {
    int outputs = 1;
    bool flatten = true;
  };
  static constexpr values read(attributes& a, node_facts const& n) {
    int const outputs = a.at_least(1, "num_hidden");
    bool const flatten = a.flag("flatten", true);
    detail::check_bias(a, n, false);
    return {outputs, flatten};
  }
  static constexpr dims wanted(values const& v, int k, dims const& x) {
    if (k == 2) return {v.outputs};
    extent in = x.rank > 0 ? x.d[x.rank - 1] : unknown_extent;
    for (int i = 1; v.flatten && i + 1 < x.rank; ++i) in = in < 0 || x.d[i] < 0 ? unknown_extent : in * x.d[i];
    return {v.outputs, in < 0 ? unknown_extent : in};
  }
  template <class N> static constexpr auto call(auto F, auto const& x, auto const&... w) {
    return F.fully_connected(x, w..., ops::keyword<ops::key::flattened, N::values.flatten>{});
  }
};
SINTER_ALIAS("FullyConnected", "_npx_fully_connected");
template <> struct row<"Convolution"> : detail::convolution<false> {};
SINTER_ALIAS("Convolution", "Convolution_v1");
SINTER_ALIAS("Convolution", "_npx_convolution");
template <> struct row<"Deconvolution"> : detail::convolution<true> {};
SINTER_ALIAS("Deconvolution", "_npx_deconvolution");

namespace detail {
enum class pool : std::int8_t { max, avg, sum, lp };
struct pooling_values {
  pool what{};
  int p = 2;
  bool global = false, counts_pad = true, full = false;
  whole_numbers kernel, stride, pad;
};
// `sum` and `lp` by means: MXNet's powers are 1, 2 and 3, and keep their signs.
template <class N> constexpr auto pooled(auto F, auto const& x, double count, auto const& mean) {
  constexpr auto const& v = N::values;
  if constexpr (v.what == pool::avg) return mean(x);
  else if constexpr (v.what == pool::sum || v.p == 1) return F.multiply(mean(x), count);
  else if constexpr (v.p == 2) return F.sqrt(F.multiply(mean(F.multiply(x, x)), count));
  else return F.cbrt(F.multiply(mean(F.multiply(F.multiply(x, x), x)), count));
}
}  // namespace detail
template <> struct row<"Pooling"> {
  static constexpr operand_count operands = 1;
  using values = detail::pooling_values;
  static constexpr values read(attributes& a, node_facts const&) {
    values v;
    v.what = static_cast<detail::pool>(a.choice("pool_type", {"max", "avg", "sum", "lp"}, "max"));
    if (!a.is_none("p_value")) v.p = a.at_least(1, "p_value");
    if (v.p > 3) a.refuse("p_value");
    v.global = a.flag("global_pool", false);
    if (!a.is_none("count_include_pad")) v.counts_pad = a.flag("count_include_pad");
    v.kernel = a.list("kernel", whole_numbers{});
    v.full = a.word("pooling_convention", {"valid", "full"}, "valid") == "full";
    detail::check_layout(a);
    a.ignore({"cudnn_off"});
    if (v.global) {
      a.ignore({"stride", "pad"});
      return v;
    }
    int const axes = v.kernel.n;
    if (axes < 1 || axes > 3) a.refuse("kernel");
    for (std::int64_t const k : v.kernel)
      if (k < 1) a.refuse("kernel");
    v.stride = detail::windows(a, "stride", 1, axes, 1);
    v.pad = detail::windows(a, "pad", 0, axes, 0);
    if (v.full && v.what != detail::pool::max && v.what != detail::pool::avg) a.refuse("pooling_convention");
    return v;
  }
  // With `full`, MXNet also counts a window that shows no element at all, and gives the lowest number or 0 for it.
  static constexpr bool shows_all(values const& v, dims const& x) {
    if (x.rank != v.kernel.n + 2) return true;  // the operation says it
    for (int i = 0; v.full && i < v.kernel.n; ++i) {
      extent const all = x.d[i + 2] + 2 * v.pad.at[i], step = v.stride.at[i], size = v.kernel.at[i];
      if (all >= size && (all - size + step - 1) / step * step >= all - v.pad.at[i]) return false;
    }
    return true;
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr auto const& v = N::values;
    if constexpr (v.global) return whole<N>(F, x);
    else {
      static_assert(
          shows_all(v, shape_of<X>),
          "sinter: the last window of a pooling of this symbol JSON, of the convention `full`, shows no element, only padding: MXNet "
          "counts such a window, and ceil_mode does not");
      constexpr auto size = list_word<ops::key::pool_size, v.kernel>;
      constexpr auto step = list_word<ops::key::stride, v.stride>;
      constexpr auto zeros = list_word<ops::key::pad, v.pad>;
      constexpr ops::keyword<ops::key::ceil_mode, v.full> full;
      if constexpr (v.what == detail::pool::max) return F.max_pool(x, size, step, zeros, full);
      else {
        constexpr ops::keyword<ops::key::count_include_pad, v.what != detail::pool::avg || v.counts_pad> counts;
        double count = 1;
        for (std::int64_t const e : v.kernel) count *= static_cast<double>(e);
        return detail::pooled<N>(F, x, count, [&](auto const& y) { return F.avg_pool(y, size, step, zeros, full, counts); });
      }
    }
  }
  template <class N, class X> static constexpr auto whole(auto F, X const& x) {
    constexpr auto spatial = [] {
      whole_numbers r;
      for (int i = 2; i < shape_of<X>.rank; ++i) r.push_back(i);
      return r;
    }();
    constexpr auto along = list_word<ops::key::axis, spatial>;
    constexpr ops::keyword<ops::key::keepdims, true> kept;
    if constexpr (N::values.what == detail::pool::max) return F.max(x, along, kept);
    else {
      double count = 1;
      for (int i = 2; i < shape_of<X>.rank; ++i) count *= static_cast<double>(shape_of<X>.d[i]);
      return detail::pooled<N>(F, x, count, [&](auto const& y) { return F.mean(y, along, kept); });
    }
  }
};
SINTER_ALIAS("Pooling", "Pooling_v1");
SINTER_ALIAS("Pooling", "_npx_pooling");
template <> struct row<"UpSampling"> {
  static constexpr operand_count operands = 1;
  struct values {
    int scale = 1;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    int const scale = a.at_least(1, "scale");
    static_cast<void>(a.word("sample_type", {"nearest"}));
    if (a.whole("num_args", 1) != 1) a.refuse("num_args");
    a.ignore({"num_filter", "multi_input_mode", "workspace"});
    return {scale};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.upsample(x, ops::keyword<ops::key::scale, static_cast<double>(N::values.scale)>{});
  }
};

// ---- softmax

namespace detail {
template <class Op> struct softmax {
  static constexpr operand_count operands = 1;
  struct values {
    int axis = -1;
    bool warm = false;
    double temperature = 1;
    dtype as = dtype::none;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values v{a.whole("axis", -1)};
    v.warm = !a.is_none("temperature");
    if (v.warm) v.temperature = a.real("temperature");
    v.as = a.type_or_none("dtype");
    if (a.flag("use_length", false)) a.refuse("use_length");
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    constexpr auto const& v = N::values;
    constexpr ops::keyword<ops::key::axis, v.axis> along;
    if constexpr (v.as != dtype::none && v.warm) return ops::function<Op>{}(F.divide(cast_to<v.as>(F, x), v.temperature), along);
    else if constexpr (v.as != dtype::none) return ops::function<Op>{}(cast_to<v.as>(F, x), along);
    else if constexpr (v.warm) return ops::function<Op>{}(F.divide(x, v.temperature), along);
    else return ops::function<Op>{}(x, along);
  }
};
}  // namespace detail
template <> struct row<"softmax"> : detail::softmax<ops::softmax> {};
SINTER_ALIAS("softmax", "_npx_softmax");
template <> struct row<"log_softmax"> : detail::softmax<ops::log_softmax> {};
SINTER_ALIAS("log_softmax", "_npx_log_softmax");
template <> struct row<"softmin"> : detail::softmax<ops::softmin> {};
// For training these have a label, which decides nothing here.
template <> struct row<"SoftmaxOutput"> {
  static constexpr operand_count operands{1, 2};
  struct values {
    bool channels = false, last = false;
  };
  static constexpr values read(attributes& a, node_facts const& n) {
    bool const multi = a.flag("multi_output", false), channel = a.word("mode", {"instance", "channel"}, "instance") == "channel";
    bool const last = a.flag("preserve_shape", false);
    a.ignore({"grad_scale", "ignore_label", "use_ignore", "normalization", "out_grad", "smooth_alpha"});
    return {multi || channel, last || n.op == "SoftmaxActivation"};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    if constexpr (N::values.channels) return F.softmax(x, ops::keyword<ops::key::axis, 1>{});
    else if constexpr (N::values.last) return F.softmax(x, ops::keyword<ops::key::axis, -1>{});
    else return F.reshape_like(F.softmax(F.flatten(x), ops::keyword<ops::key::axis, -1>{}), x);
  }
};
SINTER_ALIAS("SoftmaxOutput", "Softmax");
SINTER_ALIAS("SoftmaxOutput", "SoftmaxActivation");
namespace detail {
template <class Op> struct regression {
  static constexpr operand_count operands{1, 2};
  static constexpr no_values read(attributes& a, node_facts const&) {
    a.ignore({"grad_scale"});
    return {};
  }
  template <class N> static constexpr auto call(auto, auto const& x) { return ops::function<Op>{}(x); }
};
}  // namespace detail
template <> struct row<"LinearRegressionOutput"> : detail::regression<ops::identity> {};
template <> struct row<"MAERegressionOutput"> : detail::regression<ops::identity> {};
template <> struct row<"LogisticRegressionOutput"> : detail::regression<ops::sigmoid> {};

// ---- products

namespace detail {
struct product {
  static constexpr operand_count operands = 2;
  struct values {
    bool a = false, b = false;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    bool const first = a.flag("transpose_a", false), second = a.flag("transpose_b", false);
    a.only("forward_stype", {"None", "default"});
    return {first, second};
  }
};
}  // namespace detail
template <> struct row<"batch_dot"> : detail::product {
  template <class N> static constexpr auto call(auto F, auto const& a, auto const& b) {
    return F.matmul(a, b, ops::keyword<ops::key::transpose_a, N::values.a>{}, ops::keyword<ops::key::transpose_b, N::values.b>{});
  }
};
SINTER_ALIAS("batch_dot", "_npx_batch_dot");
SINTER_SAME("_npi_matmul", matmul, 2);
// The summed axis is the last of the first operand and the first of the second; transposed, the other end.
template <> struct row<"dot"> : detail::product {
  struct shapes {
    dims left, right, result;
  };
  static constexpr shapes of(values const& v, dims const& x, dims const& y, bool is_numpy) {
    extent const sum_a = x.d[v.a ? 0 : x.rank - 1], sum_b = y.d[v.b ? y.rank - 1 : 0];
    shapes r{v.a ? dims{sum_a, -1} : dims{-1, sum_a}, v.b ? dims{-1, sum_b} : dims{sum_b, -1}, {}};
    for (int i = v.a ? 1 : 0; i < x.rank - (v.a ? 0 : 1); ++i) r.result.push(x.d[i]);
    for (int i = v.b ? 0 : 1; i < y.rank - (v.b ? 1 : 0); ++i)
      if (r.result.rank < max_rank) r.result.push(y.d[i]);
    if (r.result.rank == 0 && !is_numpy) r.result.push(1);
    return r;
  }
  template <class N, class A, class B> static constexpr auto call(auto F, A const& a, B const& b) {
    static_assert(shape_of<A>.rank > 0 && shape_of<B>.rank > 0, "sinter: a dot of this symbol JSON has an array without axes");
    constexpr shapes s = of(N::values, shape_of<A>, shape_of<B>, N::facts.is_numpy);
    return reshaped<s.result>(F,
                              F.matmul(reshaped<s.left>(F, a), reshaped<s.right>(F, b), ops::keyword<ops::key::transpose_a, N::values.a>{},
                                       ops::keyword<ops::key::transpose_b, N::values.b>{}));
  }
};
SINTER_ALIAS("dot", "_np_dot");
SINTER_ALIAS("dot", "_npi_dot");

}  // namespace sinter::literal::inline SINTER_ISA
