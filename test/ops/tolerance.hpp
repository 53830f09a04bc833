// SPDX-License-Identifier: Apache-2.0
// How far a result may lie from the true value: the table of every operation and dtype.
#pragma once
#include <sinter/ops/all.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace test {

// In units in the last place of the result's dtype. Integers and truth values always agree exactly. Where additions or cancellation are
// inherent, the distance is bounded by a record of the expected values instead (`bound`: in units of the dtype's rounding error, 2^-24 or
// 2^-53, from the standard gamma_n; make.py derives it beside each operation), and this table adds the operation's own rounding.
struct tolerance {
  std::string_view op;
  double float32, float64;
  bool sign_of_zero = true;  // false: of two zeros with different signs either may come out, as in NumPy
};
inline constexpr tolerance tolerances[] = {
    {"power", 1.1, 1.1},
    {"maximum", 0.5, 0.5, false},
    {"minimum", 0.5, 0.5, false},
    {"clip", 0.5, 0.5, false},
    {"relu", 0.5, 0.5, false},  // the maximum of x and 0
    {"rsqrt", 1.5, 1.5},
    {"exp", 1.1, 1.1},
    {"expm1", 1.1, 1.1},
    {"log", 1, 1},
    {"log1p", 2, 2},
    {"tanh", 2, 1.5},
    {"erf", 1.5, 1.5},
    {"erfinv", 0.501, 4},
    {"gamma", 0.501, 3.5},
    {"gammaln", 0.501, 4},  // and a bound
    {"sigmoid", 2, 2},
    {"softrelu", 2, 2},
    {"gelu", 1, 1},
    {"gelu_tanh", 1, 1},            // and a bound: 1 + erf(x) cancels
    {"sin", 0.501, 1.1},
    {"cos", 0.501, 1.1},
    {"tan", 0.501, 3},
    {"arcsin", 0.501, 2.1},
    {"arccos", 0.501, 1.5},
    {"arctan", 0.501, 1.5},
    {"sinh", 0.501, 3},
    {"cosh", 0.501, 3},
    {"arcsinh", 0.501, 3},
    {"arccosh", 0.501, 3},
    {"arctanh", 0.501, 3},
    {"log2", 0.501, 0.51},
    {"log10", 0.501, 0.51},
    {"cbrt", 0.501, 1},
    {"hypot", 0.501, 2},
    {"silu", 4, 4},  // and a bound
    {"softsign", 2, 2},
    {"hard_sigmoid", 0.5, 0.5},  // and a bound
    {"hard_swish", 0.5, 0.5},    // and a bound
    {"mish", 6, 6},            // and a bound
    {"elu", 2.5, 2.5},
    {"selu", 3.5, 3.5},
    {"leaky_relu", 1, 1},
    {"prelu", 0.5, 0.5},
    {"logaddexp", 1, 1},  // and a bound
    {"smooth_l1", 2.5, 2.5},
    {"degrees", 1, 1},
    {"radians", 1, 1},
    {"sum", 0.5, 0.5, false},
    {"mean", 0.5, 0.5, false},
    {"max", 0.5, 0.5, false},
    {"min", 0.5, 0.5, false},
    {"prod", 0.5, 0.5, false},  // and a bound
    {"argmax", 0, 0},
    {"argmin", 0, 0},
    {"any_true", 0, 0},
    {"all_true", 0, 0},
    {"var", 1, 1, false},        // and a bound
    {"stddev", 1, 1, false},     // and a bound
    {"norm", 1, 1, false},       // and a bound
    {"logsumexp", 2, 2, false},  // and a bound
    {"softmax", 1, 1},
    {"log_softmax", 1, 1, false},
    {"layer_norm", 1, 1, false},  // and a bound
    {"softmin", 1, 1},
    {"l2_normalize", 1, 1, false},   // and a bound, as those below
    {"rms_norm", 1, 1, false},
    {"batch_norm", 1, 1, false},
    {"instance_norm", 1, 1, false},
    {"group_norm", 1, 1, false},
    {"matmul", 0.5, 0.5, false},
    {"outer", 0.5, 0.5},
    {"fully_connected", 0.5, 0.5, false},  // and a bound
    {"convolution", 0.5, 0.5, false},      // and a bound
    {"convolution_transpose", 0.5, 0.5, false},  // and a bound
    {"resize", 0, 0},                            // and a bound
    {"upsample", 0, 0},
    {"pixel_shuffle", 0, 0},
    {"lrn", 0, 0},                 // and a bound
    {"grid_sample", 0, 0, false},  // and a bound
    {"roi_pool", 0, 0},
    {"max_pool", 0, 0},
    {"avg_pool", 0.5, 0.5},  // and a bound
    {"concat", 0, 0},
    {"take", 0, 0},
    {"sort", 0, 0, false},
    {"argsort", 0, 0},
    {"topk", 0, 0, false},
    {"gather_nd", 0, 0},
    {"scatter_nd", 0, 0},
    {"scatter_add", 0, 0},  // and a bound
    {"split", 0, 0},
    {"stack", 0, 0},
    {"stop_gradient", 0, 0},
    {"tile", 0, 0},
    {"repeat", 0, 0},
    {"roll", 0, 0},
    {"broadcast_like", 0, 0},
    {"reshape_like", 0, 0},
    {"cumsum", 0, 0},  // and a bound
    {"cumprod", 0, 0},  // and a bound
    {"arange_like", 0, 0},
    {"pick", 0, 0},
    {"sequence_mask", 0, 0},
    {"sequence_last", 0, 0},
    {"sequence_reverse", 0, 0},
    {"scaled_dot_product_attention", 1, 1, false},  // and a bound
    {"einsum", 0.5, 0.5, false},  // and a bound
    {"gemm2", 1, 1, false},      // and a bound, as those below
    {"cholesky", 0.5, 0.5},
    {"solve_triangular", 0.5, 0.5},
    {"det", 0.5, 0.5},
    {"slogdet", 0.5, 0.5},
    {"inverse", 0.5, 0.5},
    {"ctc_loss", 1, 1, false},
    {"slice_like", 0, 0},
    {"tril", 0, 0},
    {"triu", 0, 0},
    {"diag", 0, 0},
    {"space_to_depth", 0, 0},
    {"depth_to_space", 0, 0},
    {"padded", 0, 0},
    {"arange", 0.5, 0.5},
    {"linspace", 0.5, 1.5},  // the step is rounded, too
    {"zeros", 0, 0},
    {"ones", 0, 0},
    {"full", 0, 0},
    {"zeros_like", 0, 0},
    {"ones_like", 0, 0},
    {"full_like", 0, 0},
    {"eye", 0, 0},
    {"one_hot", 0, 0},
    {"dropout_mask", 0, 0},
    {"random_uniform", 0.5, 0.5},
    {"random_normal", 0.5, 0.5},  // and a bound
    {"random_randint", 0, 0},
    {"shuffle", 0, 0},
};

// Views move nothing and what the operation calls exact is correctly rounded; the others must stand in the table.
constexpr tolerance tolerance_of(std::string_view name, sinter::family kind, bool exact) {
  for (tolerance const& t : tolerances)
    if (t.op == name) return t;
  if (kind == sinter::family::view) return {name, 0, 0};
  if (exact) return {name, 0.5, 0.5};
  throw std::runtime_error("test: " + std::string(name) + " has no line in test/ops/tolerance.hpp");
}
template <class Op> constexpr tolerance tolerance_of() {
  return tolerance_of(sinter::ops::op_name<Op>, Op::kind, requires { requires Op::exact; });
}

}  // namespace test
