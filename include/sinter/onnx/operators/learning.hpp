// SPDX-License-Identifier: Apache-2.0
// Operators of the domain ai.onnx.ml, in which scikit-learn's models are written: the linear ones.
#pragma once
#include "../site.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// A list of an attribute as an array of floats, as these operators compute.
inline term reals_of(site& k, char const* name, dims const& shape) {
  std::vector<double> const v = k.real_list(name);
  if (static_cast<extent>(v.size()) != shape.size())
    k.fail("attribute " + std::string(name) + " has " + std::to_string(v.size()) + " numbers, and " + std::to_string(shape.size()) +
           " are wanted");
  sym::array a(dtype::float32, shape);
  std::copy(v.begin(), v.end(), reinterpret_cast<float*>(a.data()));
  return k.c.constant(a, sym::fresh_name(name));
}
inline term as_floats(site& k) {
  term const& x = k[0];
  return x.type.type == dtype::float32 ? x : k("cast", {x}, {{"as", dtype::float32}});
}
// One number for all columns, or one for each.
inline void compose_scaler(site& k) {
  term x = as_floats(k);
  if (x.rank() < 1) k.fail("the operand has no columns");
  extent const columns = x[x.rank() - 1];
  auto const numbers = [&](char const* name) { return reals_of(k, name, k.real_list(name).size() == 1 ? dims{1} : dims{columns}); };
  if (!k.real_list("offset").empty()) x = k("subtract", {x, numbers("offset")});
  if (!k.real_list("scale").empty()) x = k("multiply", {x, numbers("scale")});
  k.give(x);
}
inline void compose_linear_regressor(site& k) {
  if (k.text("post_transform", "NONE") != "NONE") k.fail("post_transform is " + k.text("post_transform", "") + ", and sinter knows NONE");
  term const x = as_floats(k);
  if (x.rank() != 2) k.fail("the operand is " + in_words(x.type) + ", and rows of numbers are wanted");
  std::int64_t const targets = k.whole("targets", 1), columns = x[1];
  if (targets < 1 || targets > static_cast<std::int64_t>(k.real_list("coefficients").size()))
    k.fail("targets is " + std::to_string(targets));
  term y = k("matmul", {x, reals_of(k, "coefficients", {targets, columns})}, {{"transpose_b", true}});
  if (!k.real_list("intercepts").empty()) y = k("add", {y, reals_of(k, "intercepts", {targets})});
  k.give(y);
}

inline constexpr operator_row learning_rows[] = {
    {"ai.onnx.ml.LinearRegressor", 1, 0, 1, "coefficients intercepts post_transform targets", "", compose_linear_regressor},
    {"ai.onnx.ml.Scaler", 1, 0, 1, "offset scale", "", compose_scaler},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
