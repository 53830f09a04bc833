// SPDX-License-Identifier: Apache-2.0
// docs/operations.md is made of the operations' own rows and of the table below. Written by
//   SINTER_WRITE_DOCS=1 ctest --test-dir build/clang -R docs.operations
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "../catch.hpp"

using namespace sinter;
using sinter::ops::op_name;

namespace {

// What no row of an operation says: how a call looks, and what the operation is called elsewhere. In a call, `weight` and `table` are of
// rank 2 (of a convolution all but the bias of rank 4), `gamma`, `beta`, `bias`, `mean` and `variance` of rank 1, `key` is one int64, `i` are places, `coordinates` one for each of four places, `condition` is bool; the others are of the dtype asked for.
struct entry {
  char const *name, *operands, *sign, *numpy, *gluon, *torch;
};
constexpr entry entries[] = {
    {"add", "a, b", "a + b", "add", "broadcast_add", "add"},
    {"subtract", "a, b", "a - b", "subtract", "broadcast_sub", "sub"},
    {"multiply", "a, b", "a * b", "multiply", "broadcast_mul", "mul"},
    {"divide", "a, b", "a / b", "true_divide", "broadcast_div", "div"},
    {"power", "a, b", "", "power", "broadcast_power", "pow"},
    {"maximum", "a, b", "", "maximum", "broadcast_maximum", "maximum"},
    {"minimum", "a, b", "", "minimum", "broadcast_minimum", "minimum"},
    {"clip", "x, low, high", "", "clip", "clip", "clamp"},
    {"negative", "x", "-x", "negative", "negative", "neg"},
    {"abs", "x", "", "abs", "abs", "abs"},
    {"square", "x", "", "square", "square", "square"},
    {"equal", "a, b", "a == b", "equal", "broadcast_equal", "eq"},
    {"not_equal", "a, b", "a != b", "not_equal", "broadcast_not_equal", "ne"},
    {"lesser", "a, b", "a < b", "less", "broadcast_lesser", "lt"},
    {"lesser_equal", "a, b", "a <= b", "less_equal", "broadcast_lesser_equal", "le"},
    {"greater", "a, b", "a > b", "greater", "broadcast_greater", "gt"},
    {"greater_equal", "a, b", "a >= b", "greater_equal", "broadcast_greater_equal", "ge"},
    {"logical_and", "a, b", "a && b", "logical_and", "broadcast_logical_and", "logical_and"},
    {"logical_or", "a, b", "a \\|\\| b", "logical_or", "broadcast_logical_or", "logical_or"},
    {"logical_xor", "a, b", "", "logical_xor", "broadcast_logical_xor", "logical_xor"},
    {"logical_not", "x", "!x", "logical_not", "logical_not", "logical_not"},
    {"bitwise_and", "a, b", "", "bitwise_and", "np.bitwise_and", "bitwise_and"},
    {"bitwise_or", "a, b", "", "bitwise_or", "np.bitwise_or", "bitwise_or"},
    {"bitwise_xor", "a, b", "", "bitwise_xor", "np.bitwise_xor", "bitwise_xor"},
    {"bitwise_not", "x", "", "bitwise_not", "np.bitwise_not", "bitwise_not"},
    {"left_shift", "x, n", "", "left_shift", "", "bitwise_left_shift"},
    {"right_shift", "x, n", "", "right_shift", "", "bitwise_right_shift"},
    {"where", "condition, a, b", "", "where", "where", "where"},
    {"cast", "x", "", "x.astype", "cast", "x.to"},
    {"identity", "x", "", "copy", "identity", "clone"},
    {"stop_gradient", "x", "", "", "BlockGrad", "Tensor.detach"},
    {"floor", "x", "", "floor", "floor", "floor"},
    {"ceil", "x", "", "ceil", "ceil", "ceil"},
    {"trunc", "x", "", "trunc", "trunc", "trunc"},
    {"rint", "x", "", "rint", "", "round"},
    {"round", "x", "", "round", "", "round"},
    {"sign", "x", "", "sign", "sign", "sign"},
    {"reciprocal", "x", "", "reciprocal", "reciprocal", "reciprocal"},
    {"isnan", "x", "", "isnan", "contrib.isnan", "isnan"},
    {"isinf", "x", "", "isinf", "contrib.isinf", "isinf"},
    {"isfinite", "x", "", "isfinite", "contrib.isfinite", "isfinite"},
    {"mod", "a, b", "", "mod", "broadcast_mod", "remainder"},
    {"floor_divide", "a, b", "", "floor_divide", "np.floor_divide", "floor_divide"},
    {"sqrt", "x", "", "sqrt", "sqrt", "sqrt"},
    {"rsqrt", "x", "", "", "rsqrt", "rsqrt"},
    {"exp", "x", "", "exp", "exp", "exp"},
    {"expm1", "x", "", "expm1", "expm1", "expm1"},
    {"log", "x", "", "log", "log", "log"},
    {"log1p", "x", "", "log1p", "log1p", "log1p"},
    {"tanh", "x", "", "tanh", "tanh", "tanh"},
    {"erf", "x", "", "", "erf", "erf"},
    {"erfinv", "x", "", "", "erfinv", "erfinv"},
    {"gamma", "x", "", "", "gamma", ""},
    {"gammaln", "x", "", "", "gammaln", "lgamma"},
    {"sigmoid", "x", "", "", "sigmoid", "sigmoid"},
    {"relu", "x", "", "", "relu", "relu"},
    {"softrelu", "x", "", "", "Activation(act_type='softrelu')", "nn.functional.softplus"},
    {"gelu", "x", "", "", "LeakyReLU(act_type='gelu')", "nn.functional.gelu"},
    {"gelu_tanh", "x", "", "", "", "nn.functional.gelu(approximate='tanh')"},
    {"sin", "x", "", "sin", "sin", "sin"},
    {"cos", "x", "", "cos", "cos", "cos"},
    {"tan", "x", "", "tan", "tan", "tan"},
    {"arcsin", "x", "", "arcsin", "arcsin", "asin"},
    {"arccos", "x", "", "arccos", "arccos", "acos"},
    {"arctan", "x", "", "arctan", "arctan", "atan"},
    {"sinh", "x", "", "sinh", "sinh", "sinh"},
    {"cosh", "x", "", "cosh", "cosh", "cosh"},
    {"arcsinh", "x", "", "arcsinh", "arcsinh", "asinh"},
    {"arccosh", "x", "", "arccosh", "arccosh", "acosh"},
    {"arctanh", "x", "", "arctanh", "arctanh", "atanh"},
    {"log2", "x", "", "log2", "log2", "log2"},
    {"log10", "x", "", "log10", "log10", "log10"},
    {"cbrt", "x", "", "cbrt", "cbrt", ""},
    {"hypot", "a, b", "", "hypot", "broadcast_hypot", "hypot"},
    {"silu", "x", "", "", "", "nn.functional.silu"},
    {"softsign", "x", "", "", "softsign", "nn.functional.softsign"},
    {"hard_sigmoid", "x", "", "", "hard_sigmoid", ""},
    {"hard_swish", "x", "", "", "", "nn.functional.hardswish"},
    {"mish", "x", "", "", "", "nn.functional.mish"},
    {"elu", "x", "", "", "LeakyReLU(act_type='elu')", "nn.functional.elu"},
    {"selu", "x", "", "", "LeakyReLU(act_type='selu')", "nn.functional.selu"},
    {"leaky_relu", "x", "", "", "LeakyReLU", "nn.functional.leaky_relu"},
    {"prelu", "x, alpha", "", "", "LeakyReLU(act_type='prelu')", "nn.functional.prelu"},
    {"logaddexp", "a, b", "", "logaddexp", "np.logaddexp", "logaddexp"},
    {"smooth_l1", "x", "", "", "smooth_l1", ""},
    {"degrees", "x", "", "degrees", "degrees", "rad2deg"},
    {"radians", "x", "", "radians", "radians", "deg2rad"},
    {"sum", "x", "", "sum", "sum", "sum"},
    {"mean", "x", "", "mean", "mean", "mean"},
    {"max", "x", "", "max", "max", "amax"},
    {"min", "x", "", "min", "min", "amin"},
    {"prod", "x", "", "prod", "prod", "prod"},
    {"argmax", "x", "", "argmax", "argmax", "argmax"},
    {"argmin", "x", "", "argmin", "argmin", "argmin"},
    {"any_true", "x", "", "any", "np.any", "any"},
    {"all_true", "x", "", "all", "np.all", "all"},
    {"var", "x", "", "var", "np.var", "var(correction=0)"},
    {"stddev", "x", "", "std", "np.std", "std(correction=0)"},
    {"norm", "x", "", "linalg.norm", "norm", "linalg.vector_norm"},
    {"logsumexp", "x", "", "", "", "logsumexp"},
    {"transpose", "x", "", "transpose", "transpose", "permute"},
    {"reshape", "x", "", "reshape", "reshape", "reshape"},
    {"flatten", "x", "", "", "flatten", "flatten(start_dim=1)"},
    {"expand_dims", "x", "", "expand_dims", "expand_dims", "unsqueeze"},
    {"squeeze", "x", "", "squeeze", "squeeze", "squeeze"},
    {"broadcast_to", "x", "", "broadcast_to", "broadcast_to", "broadcast_to"},
    {"slice", "x", "", "x[a:b:c]", "slice", "x[a:b:c]"},
    {"split", "x", "", "split", "split", "chunk"},
    {"matmul", "a, b", "", "matmul", "np.matmul", "matmul"},
    {"outer", "a, b", "", "outer", "np.outer", "outer"},
    {"fully_connected", "x, weight[, bias]", "", "", "FullyConnected", "nn.functional.linear"},
    {"convolution", "x, weight[, bias]", "", "", "Convolution", "nn.functional.conv2d"},
    {"convolution_transpose", "x, weight[, bias]", "", "", "Deconvolution", "nn.functional.conv_transpose2d"},
    {"max_pool", "x", "", "", "Pooling", "nn.functional.max_pool2d"},
    {"avg_pool", "x", "", "", "Pooling(pool_type='avg')", "nn.functional.avg_pool2d"},
    {"softmax", "x", "", "", "softmax", "softmax"},
    {"log_softmax", "x", "", "", "log_softmax", "log_softmax"},
    {"layer_norm", "x, gamma, beta", "", "", "LayerNorm", "nn.functional.layer_norm"},
    {"softmin", "x", "", "", "softmin", "softmin"},
    {"l2_normalize", "x", "", "", "L2Normalization", "nn.functional.normalize"},
    {"rms_norm", "x, gamma", "", "", "", "nn.functional.rms_norm"},
    {"batch_norm", "x, gamma, beta, mean, variance", "", "", "BatchNorm", "nn.functional.batch_norm"},
    {"instance_norm", "x, gamma, beta", "", "", "InstanceNorm", "nn.functional.instance_norm"},
    {"group_norm", "x, gamma, beta", "", "", "GroupNorm", "nn.functional.group_norm"},
    {"concat", "a, b, ...", "", "concatenate", "concat", "cat"},
    {"take", "x, i", "", "take", "take", "index_select"},
    {"gather_nd", "x, coordinates", "", "", "gather_nd", ""},
    {"scatter_nd", "data, coordinates", "", "", "scatter_nd", ""},
    {"scatter_add", "data, coordinates", "", "add.at", "", "index_put(accumulate=True)"},
    {"swap_axes", "x", "", "swapaxes", "swapaxes", "swapaxes"},
    {"flip", "x", "", "flip", "flip", "flip"},
    {"stack", "a, b, ...", "", "stack", "stack", "stack"},
    {"tile", "x", "", "tile", "tile", "tile"},
    {"repeat", "x", "", "repeat", "repeat", "repeat_interleave"},
    {"roll", "x", "", "roll", "np.roll", "roll"},
    {"broadcast_like", "x, y", "", "", "broadcast_like", "expand_as"},
    {"slice_like", "x, y", "", "", "slice_like", ""},
    {"reshape_like", "x, y", "", "", "reshape_like", "view_as"},
    {"tril", "x", "", "tril", "np.tril", "tril"},
    {"triu", "x", "", "triu", "np.triu", "triu"},
    {"diag", "x", "", "diag", "diag", "diag"},
    {"space_to_depth", "x", "", "", "space_to_depth", "nn.functional.pixel_unshuffle"},
    {"depth_to_space", "x", "", "", "depth_to_space", ""},
    {"padded", "x", "", "pad", "pad", "nn.functional.pad"},
    {"resize", "x", "", "", "contrib.BilinearResize2D", "nn.functional.interpolate"},
    {"upsample", "x", "", "", "UpSampling", "nn.functional.interpolate(scale_factor=2)"},
    {"pixel_shuffle", "x", "", "", "", "nn.functional.pixel_shuffle"},
    {"lrn", "x", "", "", "LRN", "nn.functional.local_response_norm"},
    {"grid_sample", "x, grid", "", "", "BilinearSampler", "nn.functional.grid_sample"},
    {"roi_pool", "x, rois", "", "", "ROIPooling", ""},
    {"sort", "x", "", "sort", "sort", "sort"},
    {"argsort", "x", "", "argsort", "argsort", "argsort"},
    {"topk", "x", "", "", "topk(ret_typ='both')", "topk"},
    {"cumsum", "x", "", "cumsum", "np.cumsum", "cumsum"},
    {"cumprod", "x", "", "cumprod", "", "cumprod"},
    {"arange_like", "x", "", "", "contrib.arange_like", ""},
    {"pick", "x, index", "", "take_along_axis", "pick", "gather"},
    {"sequence_mask", "x, lengths", "", "", "SequenceMask", ""},
    {"sequence_last", "x, lengths", "", "", "SequenceLast", ""},
    {"sequence_reverse", "x, lengths", "", "", "SequenceReverse", ""},
    {"scaled_dot_product_attention", "q, k, v[, mask]", "", "", "", "nn.functional.scaled_dot_product_attention"},
    {"einsum", "a, b, ...", "", "einsum", "np.einsum", "einsum"},
    {"gemm2", "a, b", "", "", "linalg.gemm2", ""},
    {"cholesky", "square", "", "linalg.cholesky", "linalg.potrf", "linalg.cholesky"},
    {"solve_triangular", "square, b", "", "", "linalg.trsm", "linalg.solve_triangular"},
    {"det", "square", "", "linalg.det", "linalg.det", "linalg.det"},
    {"slogdet", "square", "", "linalg.slogdet", "linalg.slogdet", "linalg.slogdet"},
    {"inverse", "square", "", "linalg.inv", "linalg.inverse", "linalg.inv"},
    {"ctc_loss", "x, label[, times][, counts]", "", "", "ctc_loss(blank_label='last')", "nn.functional.ctc_loss"},
    {"arange", "", "", "arange", "arange", "arange"},
    {"linspace", "", "", "linspace", "linspace", "linspace"},
    {"zeros", "", "", "zeros", "zeros", "zeros"},
    {"ones", "", "", "ones", "ones", "ones"},
    {"full", "", "", "full", "full", "full"},
    {"zeros_like", "x", "", "zeros_like", "zeros_like", "zeros_like"},
    {"ones_like", "x", "", "ones_like", "ones_like", "ones_like"},
    {"full_like", "x", "", "full_like", "full_like", "full_like"},
    {"eye", "", "", "eye", "eye", "eye"},
    {"one_hot", "i", "", "", "one_hot", "nn.functional.one_hot"},
    {"dropout_mask", "x, key", "", "", "", ""},
    {"random_uniform", "key", "", "random.uniform", "random.uniform", "rand"},
    {"random_normal", "key", "", "random.normal", "random.normal", "randn"},
    {"random_randint", "key", "", "random.randint", "random.randint", "randint"},
    {"shuffle", "x, key", "", "random.permutation", "shuffle", ""},
};
constexpr entry const* find(std::string_view name) {
  for (entry const& e : entries)
    if (e.name == name) return &e;
  return nullptr;
}

std::string_view name_of(family f) {
  switch (f) {
    case family::leaf: return "leaf";
    case family::elementwise: return "elementwise";
    case family::reduction: return "reduction";
    case family::view: return "view";
    case family::product: return "product";
    case family::join: return "join";
    case family::opaque: return "opaque";
    case family::composite: return "composite";
    case family::result:
    case family::tuple: break;
  }
  return "";
}

std::string_view name_of(derivative d) {
  switch (d) {
    case derivative::unknown: return "not yet";
    case derivative::zero: return "zero";
    case derivative::definition: return "its definition's";
    case derivative::rule: return "a rule";
  }
  return "";
}

// The keywords of an operation, as they are written.
std::string example_of(std::string_view op, std::string_view key) {
  struct {
    std::string_view key, text;
  } const all[]{{"pool_size", "pool_size<2>"},
                {"count_include_pad", "count_include_pad<false>"},
                {"axis", "axis<1>"},
                {"begin", "begin<0>"},
                {"end", "end<4>"},
                {"step", "step<2>"},
                {"into", "into<3, 4>"},
                {"eps", "eps<1e-5>"},
                {"alpha", "alpha<1>"},
                {"slope", "slope<0.1>"},
                {"reps", "reps<2>"},
                {"shift", "shift<1>"},
                {"diagonal", "diagonal<1>"},
                {"block", "block<2>"},
                {"border", "border<borders::edge>"},
                {"over", "over<parts_of::channel>"},
                {"ddof", "ddof<1>"},
                {"ord", "ord<1>"},
                {"as", "as<float>"},
                {"depth", "depth<10>"},
                {"parts", "parts<3>"},
                {"top", "top<3>"},
                {"stride", "stride<2>"},
                {"pad", "pad<1>"},
                {"dilate", "dilate<2>"},
                {"groups", "groups<4>"},
                {"adjust", "adjust<1>"},
                {"mode", "mode<interpolation::bilinear>"},
                {"scale", "scale<2>"},
                {"factor", "factor<2>"},
                {"nsize", "nsize<5>"},
                {"beta", "beta<0.75>"},
                {"knorm", "knorm<2>"},
                {"num_heads", "num_heads<8>"},
                {"subscripts", "subscripts<\"ij,jk->ik\">"},
                {"flattened", "flattened<false>"},
                {"values", "values<0.5>"}};
  if (op == "roi_pool" && key == "scale") return "scale<0.0625>";
  if (op == "roi_pool" && key == "into") return "into<7, 7>";
  if (op == "lrn" && key == "alpha") return "alpha<1e-4>";
  if (op == "transpose" && key == "axis") return "axes<1, 0>";
  if (op == "swap_axes" && key == "axis") return "axes<0, 1>";
  if (op == "tile" && key == "reps") return "reps<2, 3>";
  if (op == "reshape" && key == "into") return "into<2, -1>";
  if (op == "arange" && key == "values") return "values<0, 10, 2>";
  if (op == "one_hot" && key == "values") return "values<1, 0>";
  if (op == "linspace" && key == "values") return "values<0, 1, 11>";
  if (op == "random_randint") {
    if (key == "values") return "values<0, 10>";
    if (key == "as") return "as<int>";
  }
  if (op.starts_with("random_") && key == "values") return "values<0, 1>";
  if ((op == "sort" || op == "argsort") && key == "ascending") return "descending";
  if (op == "smooth_l1" && key == "values") return "values<2>";
  if (op == "sequence_mask" && key == "values") return "values<0>";
  if (op == "scaled_dot_product_attention" && key == "alpha") return "alpha<0.125>";
  for (auto const& e : all)
    if (e.key == key) return std::string(e.text);
  return std::string(key);
}

// What a keyword is in a call that leaves it out. `value` depends on the shape of the first operand; `words` says it where the numbers alone
// do not. The test compares it with what the operation does; without a `value` no axis is the same, and the operation's own test does so.
using numbers = std::vector<double>;
struct left_out {
  std::string_view op, key;  // no op: every other operation
  char const* words;
  numbers (*value)(dims const&);
};
numbers every_axis(dims const& s) {
  numbers r;
  for (int i = 0; i < s.rank; ++i) r.push_back(i);
  return r;
}
numbers reversed_axes(dims const& s) {
  numbers r = every_axis(s);
  return {r.rbegin(), r.rend()};
}
numbers axes_of_one(dims const& s) {
  numbers r;
  for (int i = 0; i < s.rank; ++i)
    if (s.d[i] == 1) r.push_back(i);
  return r;
}
numbers natural_end(dims const& s) { return numbers(static_cast<std::size_t>(s.rank), open); }
constexpr left_out fallbacks[] = {
    {"sum", "axis", "all axes", every_axis},
    {"mean", "axis", "all axes", every_axis},
    {"max", "axis", "all axes", every_axis},
    {"min", "axis", "all axes", every_axis},
    {"prod", "axis", "all axes", every_axis},
    {"argmax", "axis", "all axes, as one", every_axis},
    {"argmin", "axis", "all axes, as one", every_axis},
    {"any_true", "axis", "all axes", every_axis},
    {"all_true", "axis", "all axes", every_axis},
    {"var", "axis", "all axes", every_axis},
    {"stddev", "axis", "all axes", every_axis},
    {"norm", "axis", "all axes", every_axis},
    {"logsumexp", "axis", "all axes", every_axis},
    {"flip", "axis", "all axes", every_axis},
    {"cumsum", "axis", "all axes, as one", nullptr},
    {"cumprod", "axis", "all axes, as one", nullptr},
    {"arange_like", "axis", "", [](dims const&) { return numbers{0}; }},
    {"sequence_mask", "axis", "", [](dims const&) { return numbers{0}; }},
    {"sequence_mask", "values", "", [](dims const&) { return numbers{0}; }},
    {"sequence_last", "axis", "", [](dims const&) { return numbers{0}; }},
    {"", "num_heads", "1", [](dims const&) { return numbers{1}; }},
    {"", "is_causal", "off", [](dims const&) { return numbers{0}; }},
    {"", "upper", "off", [](dims const&) { return numbers{0}; }},
    {"gemm2", "alpha", "", [](dims const&) { return numbers{1}; }},
    {"scaled_dot_product_attention", "alpha", "1 / sqrt(channels / heads)", nullptr},
    {"lrn", "alpha", "1e-4", [](dims const&) { return numbers{1e-4}; }},
    {"lrn", "beta", "", [](dims const&) { return numbers{0.75}; }},
    {"lrn", "knorm", "", [](dims const&) { return numbers{2}; }},
    {"", "adjust", "0", [](dims const&) { return numbers{0}; }},
    {"", "align_corners", "off", [](dims const&) { return numbers{0}; }},
    {"", "mode", "interpolation::nearest", [](dims const&) { return numbers{0}; }},
    {"roi_pool", "scale", "", [](dims const&) { return numbers{1}; }},
    {"stack", "axis", "", [](dims const&) { return numbers{0}; }},
    {"repeat", "axis", "all axes, as one", nullptr},
    {"roll", "axis", "all axes, as one", nullptr},
    {"slice_like", "axis", "all axes", every_axis},
    {"", "diagonal", "0", [](dims const&) { return numbers{0}; }},
    {"padded", "begin", "0", [](dims const& s) { return numbers(static_cast<std::size_t>(s.rank), 0); }},
    {"padded", "end", "0", [](dims const& s) { return numbers(static_cast<std::size_t>(s.rank), 0); }},
    {"padded", "values", "", [](dims const&) { return numbers{0}; }},
    {"", "border", "borders::constant", [](dims const&) { return numbers{0}; }},
    {"batch_norm", "axis", "", [](dims const&) { return numbers{1}; }},
    {"", "over", "parts_of::instance", [](dims const&) { return numbers{0}; }},
    {"l2_normalize", "eps", "1e-10", [](dims const&) { return numbers{1e-10}; }},
    {"", "ddof", "0", [](dims const&) { return numbers{0}; }},
    {"", "ord", "2", [](dims const&) { return numbers{2}; }},
    {"transpose", "axis", "reversed", reversed_axes},
    {"squeeze", "axis", "all of extent 1", axes_of_one},
    {"batch_norm", "axis", "", [](dims const&) { return numbers{1}; }},
    {"concat", "axis", "1, for rank 1 it is 0", [](dims const& s) { return numbers{s.rank > 1 ? 1.0 : 0.0}; }},
    {"split", "axis", "", [](dims const&) { return numbers{1}; }},
    {"expand_dims", "axis", "", [](dims const&) { return numbers{0}; }},
    {"take", "axis", "", [](dims const&) { return numbers{0}; }},
    {"", "axis", "", [](dims const&) { return numbers{-1}; }},
    {"", "keepdims", "off", [](dims const&) { return numbers{0}; }},
    {"sort", "ascending", "ascending", [](dims const&) { return numbers{1}; }},
    {"argsort", "ascending", "ascending", [](dims const&) { return numbers{1}; }},
    {"smooth_l1", "values", "", [](dims const&) { return numbers{1}; }},
    {"topk", "ascending", "descending", [](dims const&) { return numbers{0}; }},
    {"", "transpose_a", "off", [](dims const&) { return numbers{0}; }},
    {"", "transpose_b", "off", [](dims const&) { return numbers{0}; }},
    {"", "flattened", "true", [](dims const&) { return numbers{1}; }},
    {"", "begin", "the beginning", natural_end},
    {"", "end", "the end", natural_end},
    {"", "step", "1", [](dims const& s) { return numbers(static_cast<std::size_t>(s.rank), 1); }},
    {"max_pool", "stride", "the pool size", [](dims const&) { return numbers{2}; }},
    {"avg_pool", "stride", "the pool size", [](dims const&) { return numbers{2}; }},
    {"", "exclude", "off", [](dims const&) { return numbers{0}; }},
    {"", "ceil_mode", "off", [](dims const&) { return numbers{0}; }},
    {"", "count_include_pad", "true", [](dims const&) { return numbers{1}; }},
    {"", "stride", "1", [](dims const&) { return numbers{1}; }},
    {"", "pad", "0", [](dims const&) { return numbers{0}; }},
    {"", "dilate", "1", [](dims const&) { return numbers{1}; }},
    {"", "groups", "1", [](dims const&) { return numbers{1}; }},
    {"", "alpha", "", [](dims const&) { return numbers{1}; }},
    {"", "slope", "", [](dims const&) { return numbers{0.25}; }},
    {"", "eps", "1e-5", [](dims const&) { return numbers{1e-5}; }},
    {"random_randint", "as", "std::int64_t", [](dims const&) { return numbers{static_cast<double>(dtype::int64)}; }},
    {"", "as", "float", [](dims const&) { return numbers{static_cast<double>(dtype::float32)}; }},
    {"one_hot", "values", "", [](dims const&) { return numbers{1, 0}; }},
    {"random_uniform", "values", "", [](dims const&) { return numbers{0, 1}; }},
    {"random_normal", "values", "", [](dims const&) { return numbers{0, 1}; }},
};
left_out const* fallback_of(std::string_view op, std::string_view key) {
  for (left_out const& f : fallbacks)
    if ((f.op == op || f.op.empty()) && f.key == key) return &f;
  return nullptr;
}
template <class T> T value_of(numbers const& v) {
  T r{};
  if constexpr (std::is_same_v<T, int_list>)
    for (double d : v) r.push(static_cast<std::int64_t>(d));
  else if constexpr (std::is_same_v<T, ops::number_list>)
    for (double d : v) r.at[r.n++] = number(static_cast<std::int64_t>(d));
  else if constexpr (std::is_same_v<T, dtype>) r = static_cast<dtype>(static_cast<int>(v[0]));
  else if constexpr (std::is_same_v<T, bool>) r = v[0] != 0;
  else r = static_cast<T>(v[0]);
  return r;
}
// Keywords that a call may not leave out.
template <class Op> ops::given_to<Op> needed_by() {
  ops::given_to<Op> k;
  auto const give = [&]<class Key>(Key key, typename Key::value v) {
    if constexpr (ops::has_key<Key, ops::keywords_of<Op>>) k[key] = {v, true};
  };
  give(ops::key::into{}, {4, 4});
  if (op_name<Op> == "cast") give(ops::key::as{}, dtype::float32);
  if (op_name<Op> == "arange" || op_name<Op> == "dropout_mask" || op_name<Op> == "full")
    give(ops::key::values{}, {1, {number(op_name<Op> == "full" ? 1 : 0.5)}});
  if (op_name<Op> == "full_like") give(ops::key::values{}, {1, {number(1)}});
  if (op_name<Op> == "linspace") give(ops::key::values{}, {3, {number(0), number(1), number(3)}});
  if (op_name<Op> == "random_randint") give(ops::key::values{}, {2, {number(0), number(3)}});
  give(ops::key::depth{}, 4);
  give(ops::key::parts{}, 2);
  give(ops::key::top{}, 2);
  if constexpr (ops::has_key<ops::key::pool_size, ops::keywords_of<Op>>) k[ops::key::pool_size{}].value.push(2);
  give(ops::key::reps{}, {2});
  give(ops::key::shift{}, {1});
  give(ops::key::block{}, 2);
  give(ops::key::subscripts{}, ops::axes_of_operands::packed("ij,jk"));
  give(ops::key::factor{}, {2});
  give(ops::key::nsize{}, 5);
  if (op_name<Op> == "upsample") give(ops::key::scale{}, 2);
  if (op_name<Op> == "swap_axes") give(ops::key::axis{}, {0, 1});
  return k;
}
// Whether a call without the keyword is the same as one that gives it this value.
template <class Op, class Key> bool is_left_out_as(left_out const& f) {
  for (dims const& shape : {dims{4}, dims{4, 1}, dims{1, 4, 1}, dims{2, 4, 4, 2}}) {
    if (op_name<Op> == "split" && shape.rank == 1) continue;  // which has no second axis
    array_type in[5];
    for (array_type& t : in) t = {dtype::float32, shape};
    ops::given_to<Op> without = needed_by<Op>(), with = without;
    without[Key{}] = {};
    with[Key{}] = {value_of<typename Key::value>(f.value(shape)), true};
    words const a = pack(ops::attributes_for<Op>(without, {in, 5})), b = pack(ops::attributes_for<Op>(with, {in, 5}));
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) return false;
  }
  return true;
}
template <class Op, class Word> std::string keyword() {
  std::string const text = "`" + example_of(op_name<Op>, Word::key::name) + "`";
  if constexpr (Word::needed) return text + " (required)";
  else {
    left_out const* const f = fallback_of(op_name<Op>, Word::key::name);
    INFO(op_name<Op> << ", " << Word::key::name);
    REQUIRE(f);
    if (f->value) CHECK(is_left_out_as<Op, typename Word::key>(*f));
    if (*f->words) return text + " (default: " + f->words + ")";
    std::ostringstream out;
    char const* between = "";
    for (double d : f->value({4, 4})) out << between << d, between = ", ";
    return text + " (default: " + out.str() + ")";
  }
}
template <class Op, class... Word> std::string keywords(ops::list_of<Word...>) {
  std::string r;
  ((r += (r.empty() ? "" : ", ") + keyword<Op, Word>()), ...);
  return r;
}

std::vector<std::string> operands_of(entry const& e) {
  std::vector<std::string> r;
  std::string word;
  for (char const* c = e.operands;; ++c) {
    if (*c && *c != ',' && *c != ' ' && *c != '[' && *c != ']') word += *c;
    else if (!word.empty()) {
      if (word != "...") r.push_back(word);
      word.clear();
    }
    if (!*c) return r;
  }
}
// Whether `as` alone says the dtype of the result.
bool makes_arrays(entry const& e) { return !*e.operands || e.operands == std::string_view("key"); }
bool is_vector(std::string const& name) {
  return name == "gamma" || name == "beta" || name == "bias" || name == "mean" || name == "variance";
}
// What the operation makes of operands of dtype t; dtype::none where it refuses them.
template <class Op> dtype result_of(entry const& e, dtype t) {
  array_type in[5]{};
  int n = 0;
  for (std::string const& name : operands_of(e)) {
    dims shape;
    bool const image = op_name<Op>.starts_with("convolution") || op_name<Op> == "resize" || op_name<Op> == "upsample" ||
                       op_name<Op> == "pixel_shuffle" || name == "grid" ||
                       (name == "x" && (op_name<Op> == "grid_sample" || op_name<Op> == "roi_pool")) || op_name<Op>.ends_with("_pool") ||
                       op_name<Op> == "space_to_depth" || op_name<Op> == "depth_to_space" || op_name<Op> == "instance_norm";
    bool const index = name == "index" || name == "lengths" || name == "times" || name == "counts", labels = name == "label";
    bool const aligned = op_name<Op> == "ctc_loss" && name == "x",
               attends = op_name<Op> == "scaled_dot_product_attention" && name != "mask";
    for (int rank = name == "key" ? 0 : is_vector(name) || index ? 1 : image ? 4 : attends || aligned ? 3 : 2; rank > 0; --rank)
      shape.push(4);
    if (name == "grid") shape.d[3] = 2;
    if (name == "rois") shape = {4, 5};
    bool const truth = name == "condition" || name == "mask", coordinates = name == "coordinates";
    if (coordinates) shape = {1, 4};
    in[n] = {name == "key" || index || labels || coordinates || (name == "i" && n) ? dtype::int64 : truth ? dtype::boolean : t, shape};
    ++n;
  }
  ops::given_to<Op> k = needed_by<Op>();
  if constexpr (ops::has_key<ops::key::as, ops::keywords_of<Op>>)
    if (makes_arrays(e)) k[ops::key::as{}] = {t, true};
  dimension_table table;
  inferred const r = ops::infer<Op>({in, n}, ops::attributes_for<Op>(k, {in, n}), table);
  return r.what == problem::none ? r.type.type : dtype::none;
}
template <class Op> std::string dtypes(entry const& e) {
  if (op_name<Op> == "cast") return "all to what `as` says";
  std::string accepted;
  bool same = true;
  dtype result = dtype::none;
  for (dtype const t : {dtype::float32, dtype::float64, dtype::int32, dtype::int64, dtype::boolean}) {
    dtype const r = result_of<Op>(e, t);
    accepted += r == dtype::none ? '-' : '+';
    if (r != dtype::none) same = same && r == t, result = r;
  }
  std::string const to = op_name<Op> == "one_hot" ? " to what `as` says" : same ? "" : " to " + std::string(sinter::name_of(result));
  if (makes_arrays(e)) {
    CHECK(same);
    std::string const as = ", as `as` says";
    return accepted == "+++++" ? "all" + as : accepted == "++---" ? "floats" + as : accepted == "--++-" ? "integers" + as : accepted;
  }
  if (accepted == "+++++") return "all" + to;
  if (accepted == "++++-") return "numbers" + to;
  if (accepted == "++---") return "floats" + to;
  if (accepted == "--++-") return "integers" + to;
  if (accepted == "--+++") return "integers and bool" + to;
  if (accepted == "----+") return "bool";
  return "dtypes " + accepted;
}

// Where the libraries differ. What sinter does is checked below.
struct difference {
  char const *what, *here, *numpy, *gluon, *torch;
};
constexpr difference differences[] = {
    {"`concat`, no axis given", "axis 1; 0 for rank 1", "axis 0", "axis 1", "axis 0"},
    {"`split`, no axis given", "axis 1; equal parts only", "axis 0; equal parts only", "axis 1; equal parts only",
     "axis 0; the last part of `chunk` may be smaller"},
    {"`take`, no axis given", "axis 0", "the flattened array", "axis 0", "the axis is required"},
    {"`take`, index out of range", "the first or the last element, of an axis without elements zeros; a negative index is out of range",
     "an error; a negative index counts from the end", "the first or the last element", "an error"},
    {"`pick`, and the labels of losses, index out of range", "the first or the last element", "", "the first or the last element",
     "an error"},
    {"`sequence_last`, a length of 0 or too large", "the first or the last place", "", "reads beside the array", ""},
    {"`gather_nd`, coordinate out of range", "the first or the last of the axis; a negative one is out of range", "", "", ""},
    {"`scatter_nd`, several slices for one place", "the last one stays", "", "any of them", ""},
    {"`scatter_nd`, `scatter_add`, coordinate out of range", "the slice is left out", "", "", ""},
    {"`scatter_add`, several slices for one place", "added in their order; the dtype stays, and integers wrap around", "added", "",
     "added, on a GPU in any order"},
    {"`one_hot`, index out of range", "a row of `off`", "", "a row of `off`", "an error"},
    {"`one_hot`, no dtype given", "float32", "", "float32", "int64"},
    {"`arange` of integers, no dtype given", "float32", "int64", "float32", "int64"},
    {"`sum` of int32", "int32, which wraps around", "int64", "", "int64"},
    {"`mean`, `divide`, `sqrt`, ... of integers", "refused by the compiler: `cast` first", "float64", "",
     "`mean` is an error; the others give float32"},
    {"a float32 and an int32 array together", "refused by the compiler: `cast` first", "float64", "an error", "float32"},
    {"`equal` and other comparisons", "bool", "bool", "0 and 1 in the dtype of the operands", "bool"},
    {"`round` and `rint` of a half", "the even number", "the even number", "`round`: away from zero; `rint`: the number below",
     "the even number"},
    {"`mod` of floats by 0", "NaN", "NaN", "0", "NaN"},
    {"`mod` and `floor_divide` of integers by 0", "0", "0 and a warning", "0", "an error"},
    {"`left_shift` and `right_shift` by a negative number or by all bits and more", "0; `right_shift` of a negative number gives -1",
     "the same", "", ""},
    {"`leaky_relu`, no slope given", "0.25", "", "0.25; `nn.LeakyReLU` wants one", "0.01"},
    {"`prelu`, shape of `alpha`", "broadcasts with x as in NumPy", "", "(channels), along axis 1", "(channels), along axis 1"},
    {"`hard_sigmoid`", "x / 5 + 1/2 between 0 and 1", "", "x / 5 + 1/2 between 0 and 1", "`hardsigmoid`: x / 6 + 1/2 between 0 and 1"},
    {"`silu`, `mish` and `hard_swish` of -infinity; `softsign` of infinities", "NaN, as the formulas say; the limits are 0 and 1", "", "",
     "NaN"},
    {"`argmax`, dtype of the result", "int64", "int64", "float32", "int64"},
    {"`max` of no elements", "-infinity, or the lowest integer", "an error", "", "an error"},
    {"`min` of no elements", "infinity, or the highest integer", "an error", "", "an error"},
    {"`argmax` and `argmin` of no elements", "0", "an error", "", "an error"},
    {"`prod` of int32", "int32, which wraps around", "int64", "", "int64"},
    {"`any_true` and `all_true` of numbers", "refused by the compiler: compare them with something first", "whether they are not 0",
     "whether they are not 0", "whether they are not 0"},
    {"`var` and `stddev`, no degrees of freedom given", "`ddof<0>`", "`ddof=0`", "`ddof=0`", "`correction=1`"},
    {"`norm`, no order given", "the root of the sum of squares, of any rank", "the same", "the same", "the same"},
    {"`mean` of no elements", "NaN", "NaN and a warning", "", "NaN"},
    {"`sort`, NaN", "last, also in descending order", "last", "", "the largest: last, first in descending order"},
    {"`argsort`, dtype of the result", "int64", "int64", "float32", "int64"},
    {"`argsort`, equal elements", "in their order", "in any order, unless `kind='stable'`", "in any order",
     "in any order, unless `stable=True`"},
    {"`topk`, NaN", "last", "", "", "the largest, so the first result"},
    {"`topk`, results", "values and int64 indices", "", "float32 indices, unless `ret_typ` asks for more", "values and int64 indices"},
    {"`reshape`, 0 in the new shape", "an extent of 0", "an extent of 0",
     "copies the extent of the input (-2, -3 and -4 have meanings, too)", "an extent of 0"},
    {"`flatten`", "keeps the first axis", "`ravel` keeps none", "keeps the first axis", "keeps none, unless `start_dim=1`"},
    {"`fully_connected` of more than two axes", "flattens all but the first; `flattened<false>`: the last axis alone", "",
     "flattens all but the first", "the last axis alone"},
    {"`softmax`, no axis given", "the last axis", "", "the last axis", "chosen by the rank, with a warning"},
    {"`transpose`, no axes given", "reversed", "reversed", "reversed", "`permute` requires them"},
    {"`expand_dims`, no axis given", "axis 0", "required", "required", "required"},
    {"`repeat` and `roll`, no axis given", "the flattened array; `roll` gives it its shape back", "the same", "the same", "the same"},
    {"`tile`, fewer numbers than axes", "those of the last axes", "the same", "the same", "the same"},
    {"`diag` of more than two axes", "the diagonals of the last two", "an error", "those of the first two", "an error"},
    {"`einsum`, a letter with the extents 1 and n", "refused by the compiler", "stretches", "", "stretches"},
    {"`einsum` of two operands, `ij,jk`", "a string in the type: `subscripts<\"ij,jk\">`, behind the operands", "a string before them",
     "a string before them", "a string before them"},
    {"`inverse` of a singular matrix", "NaN everywhere", "an error", "", "an error"},
    {"`cholesky` of a matrix that is not positive definite", "NaN everywhere", "an error", "an error", "an error"},
    {"`solve_triangular`, no keyword given", "lower triangles, on the left", "", "lower triangles, on the left", "`upper` is required"},
    {"`ctc_loss`, the blank", "the last class", "", "the first class; `gluon.loss.CTCLoss`: the last", "class 0"},
    {"`ctc_loss`, what it is given", "(time, batch, classes) before the softmax", "", "the same", "logarithms of probabilities"},
    {"`depth_to_space`, order of the channels", "blocks first (ONNX: DCR); `pixel_shuffle`: blocks last (CRD)", "",
     "blocks first; `contrib.nn.PixelShuffle2D`: last", "`pixel_shuffle`: blocks last"},
    {"`resize` and `upsample`, no mode given", "nearest", "", "bilinear; `UpSampling` wants one", "nearest"},
    {"`resize`, the nearest element", "nearest to the center; of two the one before (ONNX's default)", "", "",
     "that at floor(i H / H'); `nearest-exact`: of two the one behind"},
    {"`resize`, bilinear without `align_corners`", "centers of elements at halves (ONNX's default)", "",
     "`align_corners=True` unless it is said", "centers at halves"},
    {"`upsample`, bilinear", "`resize`", "", "a transposed convolution whose weight is a parameter", "`interpolate`"},
    {"`grid_sample`, layout of the grid", "(N, H, W, 2)", "", "(N, 2, H, W)", "(N, H, W, 2)"},
    {"`grid_sample`, no corners given", "-1 and 1 are the edges", "", "centers of the outermost elements: `align_corners`", "the edges"},
    {"`lrn`, alpha", "divided by `nsize` (ONNX, too)", "", "divided by `nsize`", "divided by the size"},
    {"`roi_pool`, bins", "computed with integers", "", "computed with floats, which may add a row to a bin", ""},
    {"`gelu` and `gelu_tanh` of -infinity", "NaN, because the formula is -infinity times 0; the limit would be 0", "", "", ""},
};

struct table {
  std::ostringstream out;
  int rows = 0;
  std::vector<std::string> unknown;
  std::string foreign(char const* before, char const* name) const { return *name ? "`" + std::string(before) + name + "`" : ""; }

  template <class Op> void row() {
    entry const* const e = find(op_name<Op>);
    if (!e) {
      unknown.emplace_back(op_name<Op>);
      return;
    }
    ++rows;
    bool const method = std::string_view(e->numpy).starts_with("x");
    out << "| `" << e->name << "(" << e->operands << ")`" << (*e->sign ? ", `" : "") << e->sign << (*e->sign ? "`" : "") << " | "
        << keywords<Op>(ops::keywords_of<Op>{}) << " | " << dtypes<Op>(*e) << " | " << name_of(Op::kind) << " | "
        << name_of(ops::info<Op>.derives) << " | " << foreign(method ? "" : "np.", e->numpy) << " | " << foreign("F.", e->gluon) << " | "
        << foreign(method ? "" : "torch.", e->torch) << " |\n";
  }
  template <class... Op> void rows_of(ops::list_of<Op...>) { (row<Op>(), ...); }
  template <class... Op> void section(char const* title, ops::list_of<Op...> list) {
    out << "\n## " << title
        << "\n\n| operation | keywords | dtypes | class | gradient | NumPy | Gluon | PyTorch |\n| --- | --- | --- | --- | --- | --- | --- "
           "| --- |\n";
    rows_of(list);
  }
};

constexpr char const* page_at = SINTER_SOURCE_DIR "/docs/operations.md";
std::string read(char const* path) {
  std::ifstream in(path);
  std::ostringstream s;
  s << in.rdbuf();
  return s.str();
}

}  // namespace

TEST_CASE("docs/operations.md is what the operations say of themselves") {
  table t;
  t.section("Arithmetic and comparison", ops::arithmetic_ops{});
  t.rows_of(ops::own_gradient_ops{});
  t.section("Bits", ops::bitwise_ops{});
  t.section("Rounding, signs and remainders", ops::rounding_ops{});
  t.section("Roots, exponentials and activations", ops::transcendental_ops{});
  t.section("Trigonometric and hyperbolic functions, logarithms and roots", ops::trigonometric_ops{});
  t.section("Activations written with other operations", ops::activation_ops{});
  t.section("Reductions", ops::reduction_ops{});
  t.rows_of(ops::moment_ops{});
  t.section("Views", ops::view_ops{});
  t.section("Products", ops::product_ops{});
  t.rows_of(ops::einsum_ops{});
  t.rows_of(ops::convolution_ops{});
  t.rows_of(ops::transposed_ops{});
  t.rows_of(ops::pooling_ops{});
  t.section("Along an axis", ops::row_ops{});
  t.rows_of(ops::norm_ops{});
  t.section("Movement", ops::movement_ops{});
  t.rows_of(ops::arrange_ops{});
  t.rows_of(ops::block_ops{});
  t.rows_of(ops::coordinate_ops{});
  t.section("Images", ops::image_ops{});
  t.rows_of(ops::sampling_ops{});
  t.section("Order", ops::order_ops{});
  t.section("Positions and sequences", ops::sequence_ops{});
  t.rows_of(ops::attention_ops{});
  t.rows_of(ops::ctc_ops{});
  t.section("Linear algebra", ops::linalg_ops{});
  t.section("Creation", ops::creation_ops{});
  t.section("Random numbers", ops::random_ops{});
  CHECK(t.unknown == std::vector<std::string>{});
  CHECK(t.rows == static_cast<int>(std::size(entries)));

  std::ostringstream page;
  page << "# The operations\n\n"
          "<!-- Written by `SINTER_WRITE_DOCS=1 ctest --test-dir build/clang -R docs.operations`; the test fails when it is out of date. "
          "-->\n\n"
       << "sinter has " << t.rows
       << " operations. Each is a function of `F` inside a network, `F.relu(x)`, and of the namespace outside, `sinter::relu(x)`.\n"
          "Operands come first, keywords after them in any order: `F.sum(x, axis<0>, keepdims)`. A keyword's numbers stand in angle\n"
          "brackets, because they decide the shape of the result, and shapes are types. Operands of different shapes broadcast as in "
          "NumPy.\n\n"
          "Dtypes: *floats* are float32, float64, float16 and bfloat16, *integers* int32, int64, int8, int16 and uint8, *numbers* both, "
          "*all*\n"
          "also bool. The result has the dtype of the operands unless the table says another (\"numbers to bool\"); sums and products of "
          "narrow\n"
          "integers are int32, but for `scatter_add`. Two widths of floats give the wider one, and so do two of integers;\n"
          "floats and integers are combined only after a `cast`.\n\n"
          "Class: how the planner treats it. Neighbouring *elementwise* operations become one kernel. A *reduction* joins the elementwise\n"
          "operations around it in a kernel over rows. A *view* or a *join* moves no data. A *composite* operation is written in terms of\n"
          "others, and those are planned. An *opaque* one is a kernel of its own.\n\n"
          "Gradient: *a rule*, or that of the operations in *its definition*. *Zero*, wherever there is one: of roundings, comparisons, "
          "positions and\n"
          "what is made without operands. *Not yet*: a network that needs it is refused. `F.gradient` asks for gradients.\n";
  page
      << t.out.str()
      << "\n`split`, `topk` and `slogdet` have several results, which a `std::tuple` holds: `auto [values, places] = F.topk(x, top<3>)`. "
         "`F.print(\"label\", x)` prints values eagerly; in a compiled\n"
         "network it prints the symbol and its shape once, at the first call.\n"
         "`arange(values<10>)` begins at 0, and its step is 1 unless a third value is given.\n"
         "The values of `linspace` are the first number, the last and how many; of `random_uniform` the lowest and the highest number, of\n"
         "`random_normal` mean and standard deviation, of `random_randint` the lowest number and the one above the highest. `shuffle` "
         "changes the\n"
         "order along the first axis. One number in `stride`, `pad`, `dilate`, `adjust` or `factor` is that of all spatial axes.\n"
         "\n## Where libraries differ\n\nAn empty field: there is no such function, or nothing is promised.\n\n"
         "| what | sinter | NumPy | Gluon | PyTorch |\n| --- | --- | --- | --- | --- |\n";
  for (difference const& d : differences)
    page << "| " << d.what << " | " << d.here << " | " << d.numpy << " | " << d.gluon << " | " << d.torch << " |\n";
  if (std::getenv("SINTER_WRITE_DOCS")) std::ofstream(page_at) << page.str();
  INFO(
      "docs/operations.md is out of date: SINTER_WRITE_DOCS=1 ctest --test-dir build/clang -R docs.operations; the README names the "
      "number, too");
  CHECK((read(page_at) == page.str()));
  CHECK(read(SINTER_SOURCE_DIR "/README.md").find("| operations | " + std::to_string(t.rows) + ", ") != std::string::npos);
}

TEST_CASE("the operations do what docs/operations.md says where libraries differ") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  using ints = nd::tensor<int, shape<2>>;
  using floats = nd::tensor<float, shape<4>>;
  nd::tensor<float, shape<2, 6>> const m;
  CHECK(sinter::concat(m, m).shape() == dims{2, 12});
  CHECK(sinter::concat(floats{}, floats{}).shape() == dims{8});
  CHECK(std::get<0>(sinter::split(m, parts<3>)).shape() == dims{2, 2});
  CHECK(sinter::take(m, ints{}).shape() == dims{2, 6});
  CHECK(sinter::take(floats{1, 2, 3, 4}, ints{-1, 9}).to_vector() == std::vector<float>{1, 4});
  nd::tensor<int, shape<1, 2>> const apart{-1, 9}, together{3, 3};
  CHECK(sinter::gather_nd(floats{1, 2, 3, 4}, apart).to_vector() == std::vector<float>{1, 4});
  nd::tensor<float, shape<2>> const slices{5, 6};
  CHECK(sinter::scatter_nd(slices, apart, into<4>).to_vector() == std::vector<float>{0, 0, 0, 0});
  CHECK(sinter::scatter_nd(slices, together, into<4>).to_vector() == std::vector<float>{0, 0, 0, 6});
  CHECK(sinter::scatter_add(slices, apart, into<4>).to_vector() == std::vector<float>{0, 0, 0, 0});
  CHECK(sinter::right_shift(ints{5, -5}, ints{-1, 32}).to_vector() == std::vector<int>{0, -1});
  CHECK(sinter::left_shift(ints{5, -5}, ints{-1, 32}).to_vector() == std::vector<int>{0, 0});
  CHECK(sinter::argsort(floats{2, 1, 2, 1}).to_vector() == std::vector<std::int64_t>{1, 3, 0, 2});
  CHECK(sinter::one_hot(ints{-1, 9}, depth<2>, values<5, 6>).to_vector() == std::vector<float>{6, 6, 6, 6});
  STATIC_REQUIRE(std::is_same_v<decltype(sinter::arange(values<3>)), nd::tensor<float, shape<3>>>);
  CHECK(sinter::sum(ints{2000000000, 2000000000}).item() == -294967296);
  STATIC_REQUIRE(std::is_same_v<decltype(floats{} == floats{}), nd::tensor<bool, shape<4>>>);
  STATIC_REQUIRE(std::is_same_v<decltype(sinter::argmax(floats{})), nd::tensor<std::int64_t, shape<>>>);

  nd::tensor<float, shape<0>> const nothing;
  CHECK(sinter::max(nothing).item() == -infinity);
  CHECK(sinter::max(nd::tensor<int, shape<0>>{}).item() == std::numeric_limits<int>::lowest());
  CHECK(sinter::argmax(nothing).item() == 0);
  CHECK(std::isnan(sinter::mean(nothing).item()));

  floats const some{1, nan, 3, 2};
  CHECK(std::isnan(sinter::sort(some)(3)));
  CHECK(std::isnan(sinter::sort(some, descending)(3)));
  auto const [best, places] = sinter::topk(some, top<3>);
  CHECK(best.to_vector() == std::vector<float>{3, 2, 1});
  STATIC_REQUIRE(std::is_same_v<decltype(places)::value_type, std::int64_t>);

  CHECK(sinter::reshape(nothing, into<0, 5>).shape() == dims{0, 5});
  nd::tensor<float, shape<2, 3, 4>> const deep;
  CHECK(sinter::flatten(deep).shape() == dims{2, 12});
  CHECK(sinter::fully_connected(deep, nd::tensor<float, shape<5, 12>>{}).shape() == dims{2, 5});
  CHECK(sinter::fully_connected(deep, nd::tensor<float, shape<5, 4>>{}, flattened<false>).shape() == dims{2, 3, 5});
  CHECK(sinter::softmax(m)(0, 0) == 1.0f / 6);
  CHECK(sinter::transpose(deep).shape() == dims{4, 3, 2});
  CHECK(sinter::expand_dims(deep).shape() == dims{1, 2, 3, 4});
  nd::tensor<float, shape<1>> const low{-infinity};
  CHECK(std::isnan(sinter::gelu(low).item()));
  CHECK(std::isnan(sinter::gelu_tanh(low).item()));
}
