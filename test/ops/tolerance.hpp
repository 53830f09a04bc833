// SPDX-License-Identifier: Apache-2.0
// How far a result may lie from the true value: the table of every operation and dtype.
#pragma once
#include <sinter/ops/all.hpp>

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
    {"log", 1, 1},
    {"log1p", 2, 2},
    {"tanh", 2, 1.5},
    {"erf", 1.5, 1.5},
    {"sigmoid", 2, 2},
    {"softrelu", 2, 2},
    {"gelu", 1, 1},
    {"gelu_tanh", 1, 1},            // and a bound: 1 + erf(x) cancels
    {"sum", 0.5, 0.5, false},
    {"mean", 0.5, 0.5, false},
    {"max", 0.5, 0.5, false},
    {"argmax", 0, 0},
    {"softmax", 1, 1},
    {"log_softmax", 1, 1, false},
    {"layer_norm", 1, 1, false},  // and a bound
    {"matmul", 0.5, 0.5, false},
    {"fully_connected", 0.5, 0.5, false},  // and a bound
    {"convolution", 0.5, 0.5, false},      // and a bound
    {"concat", 0, 0},
    {"take", 0, 0},
    {"sort", 0, 0, false},
    {"topk", 0, 0, false},
    {"split", 0, 0},
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
template <class Op> constexpr tolerance tolerance_of() {
  for (tolerance const& t : tolerances)
    if (t.op == Op::name) return t;
  if (Op::kind == sinter::family::view) return {Op::name, 0, 0};
  if constexpr (requires { requires Op::exact; }) return {Op::name, 0.5, 0.5};
  throw "test: the operation has no line in test/ops/tolerance.hpp";
}

}  // namespace test
