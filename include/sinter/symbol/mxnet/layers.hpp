// SPDX-License-Identifier: Apache-2.0
// MXNet's layers: products, convolutions, pooling, norms, softmax, images.
#pragma once
#include <cmath>

#include "shapes.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

// The inputs: data, weight and, unless `no_bias`, a bias.
inline void check_bias(node_reader& n, bool without) {
  bool const no_bias = n.a.flag("no_bias", without);
  if (n.inputs() != (no_bias ? 2 : 3)) n.a.refuse("no_bias", "the node has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
}
inline symbols read_fully_connected(node_reader& n) {
  int const outputs = n.a.at_least(1, "num_hidden");
  bool const flatten = n.a.flag("flatten", true);
  check_bias(n, false);
  n.want(1, {outputs, unknown_extent}, {"num_hidden"});
  n.want(2, {outputs}, {"num_hidden"});
  return n.direct("fully_connected", n.in, {{"flattened", flatten}});
}

// Numbers for the spatial axes.
inline int_list windows(node_reader& n, char const* key, int least, std::size_t axes, int otherwise) {
  whole_numbers all = n.a.list(key, whole_numbers{});
  if (all.empty()) all.assign(axes, otherwise);
  if (all.size() != axes) n.a.refuse(key, "there is not one for each axis of the kernel");
  for (std::int64_t const v : all)
    if (v < least || v > std::numeric_limits<int>::max()) n.a.refuse(key, "a number is out of range");
  return ints_of(all);
}
inline void check_layout(node_reader& n) {
  if (!n.a.is_none("layout")) static_cast<void>(n.a.word("layout", {"NCW", "NCHW", "NCDHW"}));
}
inline symbols read_convolution(node_reader& n) {
  bool const transposed = n.of.name == "Deconvolution";
  whole_numbers const kernel = n.a.list("kernel");
  std::size_t const axes = kernel.size();
  if (axes < 1 || axes > 3) n.a.refuse("kernel", "it has one to three numbers");
  windows(n, "kernel", 1, axes, 1);
  int const filters = n.a.at_least(1, "num_filter"), groups = n.a.at_least(1, "num_group", 1);
  keyword_values k{{"stride", windows(n, "stride", 1, axes, 1)},
                   {"dilate", windows(n, "dilate", 1, axes, 1)},
                   {"pad", windows(n, "pad", 0, axes, 0)},
                   {"groups", groups}};
  if (transposed) {
    k.emplace("adjust", windows(n, "adj", 0, axes, 0));
    if (!n.a.list("target_shape", whole_numbers{}).empty()) n.a.refuse("target_shape", "write `pad` and `adj` instead");
  }
  check_layout(n);
  check_bias(n, transposed);
  n.a.ignore({"workspace", "cudnn_tune", "cudnn_off"});
  if (filters % groups != 0) n.a.refuse("num_group", "the filters are no multiple of it");
  dims weight{unknown_extent, unknown_extent};
  weight.d[transposed ? 1 : 0] = transposed ? filters / groups : filters;
  for (std::int64_t const e : kernel) weight.push(e);
  if (transposed) n.want(1, weight, {"num_filter", "num_group", "kernel"});
  else n.want(1, weight, {"num_filter", "kernel"});
  n.want(2, {filters}, {"num_filter"});
  return n.direct(transposed ? "convolution_transpose" : "convolution", n.in, k);
}

// `sum` and `lp` by means: MXNet's powers are 1, 2 and 3, and keep their signs.
inline symbol pooled(symbol const& x, std::string const& what, int p, double count, std::function<symbol(symbol const&)> const& mean) {
  if (what == "avg") return mean(x);
  if (what == "sum" || p == 1) return mean(x) * count;
  if (p == 2) return one("sqrt", {mean(x * x) * count});
  return one("cbrt", {mean(x * x * x) * count});
}
inline symbols read_pooling(node_reader& n) {
  std::string const what = n.a.word("pool_type", {"max", "avg", "sum", "lp"}, "max");
  int const p = n.a.is_none("p_value") ? 2 : n.a.at_least(1, "p_value");
  if (p > 3) n.a.refuse("p_value", "MXNet knows 1, 2 and 3");
  bool const global = n.a.flag("global_pool", false), counts_pad = n.a.is_none("count_include_pad") || n.a.flag("count_include_pad");
  whole_numbers const kernel = n.a.list("kernel", whole_numbers{});
  std::size_t const axes = kernel.size();
  bool const full = n.a.word("pooling_convention", {"valid", "full"}, "valid") == "full";
  check_layout(n);
  n.a.ignore({"cudnn_off"});
  if (global) {
    n.a.ignore({"stride", "pad"});
    return n.written([=](symbols const& in, operand_types t) {
      int_list spatial;
      double count = 1;
      for (int i = 2; i < t[0].shape.rank; ++i) {
        spatial.push(i);
        if (what == "sum" || what == "lp") count *= static_cast<double>(known_extent(t[0].shape, i));
      }
      if (spatial.n == 0) throw shape_error("sinter: an array of shape " + to_string(t[0].shape) + " has no axes to pool");
      keyword_values const k{{"axis", spatial}, {"keepdims", true}};
      if (what == "max") return symbols{one("max", in, k)};
      return symbols{pooled(in[0], what, p, count, [&](symbol const& x) { return one("mean", {x}, k); })};
    });
  }
  if (axes < 1 || axes > 3) n.a.refuse("kernel", "it has one to three numbers");
  int_list const size = windows(n, "kernel", 1, axes, 1), stride = windows(n, "stride", 1, axes, 1), pad = windows(n, "pad", 0, axes, 0);
  keyword_values k{{"pool_size", size}, {"stride", stride}, {"pad", pad}, {"ceil_mode", full}};
  auto const check = [=](operand_types in) {
    if (in[0].shape.rank != static_cast<int>(axes) + 2)
      throw shape_error("sinter: a kernel of " + std::to_string(axes) + " axes for an array of shape " + to_string(in[0].shape));
    // With `full`, MXNet also counts a window that shows no element at all, and gives the lowest number or 0 for it.
    for (std::size_t i = 0; full && i < axes; ++i) {
      int const at = static_cast<int>(i);
      extent const all = in[0].shape.d[at + 2] + 2 * pad[at], step = stride[at];
      if (all >= size[at] && (all - size[at] + step - 1) / step * step >= all - pad[at])
        throw shape_error(
            "sinter: the last window of this pooling shows no element of an array of shape " + to_string(in[0].shape) +
            ", only padding: MXNet counts such a window, and ceil_mode does not; take another pad, stride or pool_size, or no "
            "ceil_mode (`valid`)");
    }
  };
  if (what == "max") return n.direct("max_pool", n.in, k, check);
  if (what != "avg" && full) n.a.refuse("pooling_convention", "sinter knows `valid` for sums");
  k.emplace("count_include_pad", what != "avg" || counts_pad);
  if (what == "avg") return n.direct("avg_pool", n.in, k, check);
  double count = 1;
  for (std::int64_t const e : kernel) count *= static_cast<double>(e);
  return n.written([=](symbols const& in, operand_types t) {
    check(t);
    return symbols{pooled(in[0], what, p, count, [&](symbol const& x) { return one("avg_pool", {x}, k); })};
  });
}

// ---- norms

inline void no_moments(node_reader& n) {
  if (n.a.flag("output_mean_var", false)) n.a.refuse("output_mean_var", "sinter has no such outputs");
}
inline symbols read_batch_norm(node_reader& n) {
  double const eps = n.a.real("eps", 1e-3);
  int const axis = n.a.whole("axis", 1);
  bool const fixed = n.a.flag("fix_gamma", true);
  no_moments(n);
  n.a.ignore({"momentum", "use_global_stats", "cudnn_off", "min_calib_range", "max_calib_range"});
  if (n.inputs() == 3) n.in.push_back(var(n.name + "_moving_mean")), n.in.push_back(var(n.name + "_moving_var"));  // before 0.9
  if (n.inputs() != 5) throw error("it has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  keyword_values const k{{"axis", int_list{axis}}, {"eps", eps}};
  if (!fixed) return n.direct("batch_norm", n.in, k);
  return n.written([k](symbols const& in, operand_types) {
    return symbols{one("batch_norm", {in[0], one("ones_like", {in[1]}), in[2], in[3], in[4]}, k)};
  });
}
inline symbols read_layer_norm(node_reader& n) {
  no_moments(n);
  return n.direct("layer_norm", n.in, {{"axis", int_list{n.a.whole("axis", -1)}}, {"eps", n.a.real("eps", 1e-5)}});
}
inline symbols read_instance_norm(node_reader& n) { return n.direct("instance_norm", n.in, {{"eps", n.a.real("eps", 1e-3)}}); }
// In 1.x there is a gamma and a beta for each group, in 2.x for each channel.
inline symbols read_group_norm(node_reader& n) {
  int const groups = n.a.at_least(1, "num_groups", 1);
  keyword_values const k{{"groups", groups}, {"eps", n.a.real("eps", 1e-5)}};
  no_moments(n);
  return n.written([=](symbols const& in, operand_types t) {
    auto const of_channels = [&](std::size_t i) {
      dims const &x = t[0].shape, &v = t.data[i].shape;
      if (x.rank < 2 || !(v == dims{groups}) || x.d[1] < 0 || x.d[1] % groups != 0) return in[i];
      return one("repeat", {in[i]}, {{"reps", int_list{x.d[1] / groups}}});
    };
    return symbols{one("group_norm", {in[0], of_channels(1), of_channels(2)}, k)};
  });
}
inline symbols read_l2_normalization(node_reader& n) {
  std::string const mode = n.a.word("mode", {"instance", "channel", "spatial"}, "instance");
  parts_of const over = mode == "instance" ? parts_of::instance : mode == "channel" ? parts_of::channel : parts_of::spatial;
  return n.direct("l2_normalize", n.in, {{"over", static_cast<int>(over)}, {"eps", n.a.real("eps", 1e-10)}});
}
inline symbols read_lrn(node_reader& n) {
  return n.direct("lrn", n.in,
                  {{"nsize", n.a.at_least(1, "nsize")},
                   {"alpha", n.a.real("alpha", 1e-4)},
                   {"beta", n.a.real("beta", 0.75)},
                   {"knorm", n.a.real("knorm", 2)}});
}

// ---- softmax

inline symbols read_softmax(node_reader& n) {
  int const axis = n.a.whole("axis", -1);
  std::optional<double> temperature;
  if (!n.a.is_none("temperature")) temperature = n.a.real("temperature");
  std::optional<dtype> const type = n.a.type_or_none("dtype");
  bool const lengths = n.a.flag("use_length", false);
  if (n.inputs() != (lengths ? 2 : 1))
    n.a.refuse("use_length", "the node has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  std::string_view const op = n.of.same;
  keyword_values const k{{"axis", int_list{axis}}};
  if (!temperature && !type && !lengths) return n.direct(op, n.in, k);
  if (lengths && op != "softmax") n.a.refuse("use_length", "sinter knows it of softmax");
  return n.written([=](symbols const& in, operand_types t) {
    symbol x = type ? cast_to(in[0], *type) : in[0];
    if (temperature) x = x / number_symbol(*temperature);
    if (!lengths) return symbols{one(op, {x}, k)};
    int const along = axis_within(axis, t[0].shape.rank);
    dims places{1};
    places.rank = t[0].shape.rank;
    for (int i = 0; i < places.rank; ++i) places.d[i] = i == along ? t[0].shape.d[i] : 1;
    symbol const place = reshaped(one("arange_like", in.empty() ? in : symbols{in[0]}, {{"axis", int_list{along}}}), places);
    symbol const length = one("expand_dims", {cast_to(in[1], dtype::int64)}, {{"axis", int_list{along}}});
    symbol const inside = one("lesser", {place, length});
    symbol const y = one(op, {one("where", {inside, x, number_symbol(-std::numeric_limits<double>::infinity())})}, k);
    return symbols{one("where", {inside, y, number_symbol(0.0)})};
  });
}
// For training these have a label, which decides nothing here: what is composed are other operations.
inline symbols read_output(node_reader& n) {
  bool const channels = n.a.flag("multi_output", false) || n.a.word("mode", {"instance", "channel"}, "instance") == "channel";
  bool const last = n.a.flag("preserve_shape", false) || n.of.name == "SoftmaxActivation";
  n.a.ignore({"grad_scale", "ignore_label", "use_ignore", "normalization", "out_grad", "smooth_alpha"});
  if (channels || last) return sym::call("softmax", {n.in[0]}, {{"axis", int_list{channels ? 1 : -1}}}, n.name);
  symbols const flat = sym::call("flatten", {n.in[0]}, {}, n.name + "_flat");
  symbols const y = sym::call("softmax", flat, {{"axis", int_list{-1}}}, n.name + "_softmax");
  return sym::call("reshape_like", {y[0], n.in[0]}, {}, n.name);
}
inline symbols read_regression(node_reader& n) {
  n.a.ignore({"grad_scale"});
  return sym::call(n.of.same, {n.in[0]}, {}, n.name);
}

// ---- products

inline symbols read_dot(node_reader& n) {
  bool const a = n.a.flag("transpose_a", false), b = n.a.flag("transpose_b", false);
  n.a.only("forward_stype", {"None", "default"});
  return n.written([=, np = n.is_numpy](symbols const& in, operand_types t) {
    dims const &x = t[0].shape, &y = t[1].shape;
    if (x.rank < 1 || y.rank < 1) throw shape_error("sinter: dot of an array without axes");
    // The summed axis is the last of the first operand and the first of the second; transposed, the other end.
    extent const sum_a = x.d[a ? 0 : x.rank - 1], sum_b = y.d[b ? y.rank - 1 : 0];
    dims to;
    auto const keep = [&](dims const& of, bool skips_first) {
      for (int i = skips_first ? 1 : 0; i < of.rank - (skips_first ? 0 : 1); ++i) {
        if (to.rank == max_rank) throw shape_error("sinter: the product has more than eight axes");
        to.push(of.d[i]);
      }
    };
    keep(x, a), keep(y, !b);
    if (to.rank == 0 && !np) to.push(1);
    symbol const left = reshaped(in[0], a ? dims{sum_a, -1} : dims{-1, sum_a}),
                 right = reshaped(in[1], b ? dims{-1, sum_b} : dims{sum_b, -1});
    return symbols{reshaped(one("matmul", {left, right}, {{"transpose_a", a}, {"transpose_b", b}}), to)};
  });
}
inline symbols read_batch_dot(node_reader& n) {
  n.a.only("forward_stype", {"None", "default"});
  return n.direct("matmul", n.in, {{"transpose_a", n.a.flag("transpose_a", false)}, {"transpose_b", n.a.flag("transpose_b", false)}});
}
inline symbols read_gemm2(node_reader& n) {
  if (n.a.whole("axis", -2) != -2) n.a.refuse("axis", "sinter knows -2");
  return n.direct(
      "gemm2", n.in,
      {{"transpose_a", n.a.flag("transpose_a", false)}, {"transpose_b", n.a.flag("transpose_b", false)}, {"alpha", n.a.real("alpha", 1)}});
}
inline symbols read_div_sqrt_dim(node_reader& n) {
  return n.written([](symbols const& in, operand_types t) {
    if (t[0].shape.rank < 1) throw shape_error("sinter: an array without axes has no last one");
    extent const last = t[0].shape.d[t[0].shape.rank - 1];
    if (last < 0) throw shape_error("sinter: its last axis is dynamic, and the root of its extent is wanted");
    return symbols{in[0] / number_symbol(std::sqrt(static_cast<double>(last)))};
  });
}
inline symbols read_upsampling(node_reader& n) {
  int const scale = n.a.at_least(1, "scale");
  static_cast<void>(n.a.word("sample_type", {"nearest"}));
  if (n.a.whole("num_args", 1) != 1 || n.inputs() != 1) n.a.refuse("num_args", "sinter knows 1");
  n.a.ignore({"num_filter", "multi_input_mode", "workspace"});
  return n.direct("upsample", n.in, {{"scale", static_cast<double>(scale)}});
}

inline std::vector<row> layer_rows() {
  return {
      {"FullyConnected", "_npx_fully_connected", {2, 3}, "", &read_fully_connected},
      {"Convolution", "Convolution_v1 _npx_convolution", {2, 3}, "", &read_convolution},
      {"Deconvolution", "_npx_deconvolution", {2, 3}, "", &read_convolution},
      {"Pooling", "Pooling_v1 _npx_pooling", 1, "", &read_pooling},
      {"BatchNorm", "BatchNorm_v1 CuDNNBatchNorm _npx_batch_norm", {3, 5}, "", &read_batch_norm, 2},
      {"LayerNorm", "_npx_layer_norm", 3, "", &read_layer_norm, 2},
      {"InstanceNorm", "_npx_instance_norm", 3, "", &read_instance_norm, 2},
      {"GroupNorm", "_npx_group_norm", 3, "", &read_group_norm, 2},
      {"L2Normalization", "", 1, "", &read_l2_normalization, 1},
      {"LRN", "", 1, "", &read_lrn, 1},
      {"softmax", "_npx_softmax", {1, 2}, "softmax", &read_softmax},
      {"log_softmax", "_npx_log_softmax", 1, "log_softmax", &read_softmax},
      {"softmin", "", 1, "softmin", &read_softmax},
      {"SoftmaxOutput", "Softmax", {1, 2}, "", &read_output},
      {"SoftmaxActivation", "", 1, "", &read_output},
      {"LinearRegressionOutput", "", {1, 2}, "identity", &read_regression},
      {"MAERegressionOutput", "", {1, 2}, "identity", &read_regression},
      {"LogisticRegressionOutput", "", {1, 2}, "sigmoid", &read_regression},
      {"dot", "_np_dot _npi_dot", 2, "", &read_dot},
      {"batch_dot", "_npx_batch_dot", 2, "", &read_batch_dot},
      {"_npi_matmul", "", 2, "matmul"},
      {"_linalg_gemm2", "linalg_gemm2", 2, "", &read_gemm2},
      {"_contrib_div_sqrt_dim", "", 1, "", &read_div_sqrt_dim},
      {"UpSampling", "", 1, "", &read_upsampling},
  };
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
