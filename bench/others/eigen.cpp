// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <unsupported/Eigen/SpecialFunctions>

#include "other.hpp"

using namespace others;
using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using rows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class M> static Eigen::Map<M> view(array const& a, integer height, integer width) { return {a.get(), height, width}; }

static void activate(activation a, auto&& y) {
  if (a == activation::relu) y = y.max(0.0f);
  if (a == activation::tanh) y = y.tanh();
}

// A layer's sizes are known to the compiler: what one writes for a network as small.
template <int In, int Out> static Eigen::Matrix<float, Out, 1> small(layer const& l, Eigen::Matrix<float, In, 1> const& x) {
  using weights = Eigen::Matrix<float, Out, In, In == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  Eigen::Matrix<float, Out, 1> y =
      Eigen::Map<weights const>(l.weights.get()) * x + Eigen::Map<Eigen::Matrix<float, Out, 1> const>(l.bias.get());
  activate(l.after, y.array());
  return y;
}

static work network(row const& r) {
  if (r.kind == "tiny")
    return chained(r, [l = r.layers, x = r.inputs[0], y = r.result] {
      Eigen::Matrix<float, 8, 1> const in = Eigen::Map<Eigen::Matrix<float, 8, 1> const>(x.get());
      y.get()[0] = small<16, 1>(l[2], small<16, 16>(l[1], small<8, 16>(l[0], in)))[0];
    });
  return [r, between = std::vector<matrix>(r.layers.size())]() mutable {
    auto const step = [&](layer const& l, auto const& x, auto& y) {
      auto const w = view<matrix>(l.weights, l.out, l.in);
      auto const b = view<matrix>(l.bias, 1, l.out);
      if (r.height == 1) y.transpose().noalias() = w * x.transpose();
      else y.noalias() = x * w.transpose();
      if (l.after == activation::none) y.rowwise() += b.row(0);
      else activate(l.after, (y.rowwise() += b.row(0)).array());
    };
    auto const put = [&](std::size_t i, auto const& x) {
      if (i + 1 < r.layers.size()) {
        between[i].resize(r.height, r.layers[i].out);
        step(r.layers[i], x, between[i]);
      } else {
        auto y = view<matrix>(r.result, r.height, r.layers[i].out);
        step(r.layers[i], x, y);
      }
    };
    put(0, view<matrix>(r.inputs[0], r.height, r.width));
    for (std::size_t i = 1; i < r.layers.size(); ++i) put(i, between[i - 1]);
  };
}

template <class F> static work each(row const& r, F f) {
  return [x = view<Eigen::ArrayXf>(r.inputs[0], r.inputs[0].size, 1), y = view<Eigen::ArrayXf>(r.result, r.result.size, 1), f]() mutable {
    y = f(x);
  };
}
template <class F> static work each_row(row const& r, F f) {
  return [x = view<rows>(r.inputs[0], r.height, r.width), y = view<rows>(r.result, r.height, r.width), f]() mutable {
    for (integer i = 0; i < x.rows(); ++i) f(x.row(i), y.row(i));
  };
}

static work make(row const& r) {
  if (!r.layers.empty()) return network(r);
  if (r.kind == "add")
    return [a = view<Eigen::ArrayXf>(r.inputs[0], 1, 1), b = view<Eigen::ArrayXf>(r.inputs[1], 1, 1),
            c = view<Eigen::ArrayXf>(r.result, 1, 1)]() mutable { c = a + b; };
  if (r.kind == "matmul")
    return [a = view<matrix>(r.inputs[0], r.width, r.width), b = view<matrix>(r.inputs[1], r.width, r.width),
            c = view<matrix>(r.result, r.width, r.width)]() mutable { c.noalias() = a * b; };
  if (r.kind == "cheap")
    return each(r, [](auto const& x) { return ((x * 1.5f + 0.25f).max(0.0f) * 0.75f - 1.0f + 0.125f).max(0.0f) * 3.0f; });
  if (r.kind == "dear")
    return each(r, [](auto const& x) { return (((x * 1.5f + 0.25f).logistic() * 0.75f - 1.0f).tanh() + 0.125f) * 3.0f; });
  if (r.kind == "gelu") return each(r, [](auto const& x) { return x * 0.5f * (1.0f + (x * 0.70710678f).erf()); });
  if (r.kind == "gelu_tanh")
    return each(r, [](auto const& x) { return x * 0.5f * (1.0f + ((x + x * x * x * 0.044715f) * 0.79788456f).tanh()); });
  if (r.kind == "softmax")
    return each_row(r, [](auto const& x, auto&& y) {
      y = (x - x.maxCoeff()).exp();
      y *= 1.0f / y.sum();
    });
  if (r.kind == "log_softmax")
    return each_row(r, [](auto const& x, auto&& y) {
      float const most = x.maxCoeff();
      y = x - (most + std::log((x - most).exp().sum()));
    });
  if (r.kind == "layer_norm")
    return each_row(r, [gamma = view<rows>(r.inputs[1], 1, r.width), beta = view<rows>(r.inputs[2], 1, r.width)](auto const& x, auto&& y) {
      float const mean = x.mean();
      y = (x - mean) * (1.0f / std::sqrt((x - mean).square().mean() + 1e-5f)) * gamma.row(0) + beta.row(0);
    });
  return nullptr;
}

int main() {
  std::ostringstream name;
  name << "Eigen " << EIGEN_WORLD_VERSION << '.' << EIGEN_MAJOR_VERSION << '.' << EIGEN_MINOR_VERSION;
  return serve(name.str(), make);
}
