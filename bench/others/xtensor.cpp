// SPDX-License-Identifier: Apache-2.0
// xtensor's own expressions: it has no product of matrices without a BLAS.
#include <xtensor/xadapt.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor_config.hpp>

#include "other.hpp"

using namespace others;

template <std::size_t Rank> static auto view(array const& a, std::array<std::size_t, Rank> const& shape) {
  return xt::adapt(a.get(), static_cast<std::size_t>(a.size), xt::no_ownership(), shape);
}

template <std::size_t Rank, class F> static work put(row const& r, std::array<std::size_t, Rank> const& shape, F f) {
  return [x = view(r.inputs[0], shape), y = view(r.result, shape), f]() mutable { f(x, y); };
}

static work make(row const& r) {
  std::array<std::size_t, 1> const flat{static_cast<std::size_t>(r.result.size)}, width{static_cast<std::size_t>(r.width)};
  std::array<std::size_t, 2> const shape{static_cast<std::size_t>(r.height), static_cast<std::size_t>(r.width)};
  auto const keep = xt::keep_dims | xt::evaluation_strategy::immediate;
  if (r.kind == "add")
    return
        [a = xt::xtensor_fixed<float, xt::xshape<1>>{r.inputs[0].get()[0]},
         b = xt::xtensor_fixed<float, xt::xshape<1>>{r.inputs[1].get()[0]}, c = view(r.result, flat)]() mutable { xt::noalias(c) = a + b; };
  if (r.kind == "cheap")
    return put(r, flat, [](auto const& x, auto& y) {
      xt::noalias(y) = xt::maximum(xt::maximum(x * 1.5f + 0.25f, 0.0f) * 0.75f - 1.0f + 0.125f, 0.0f) * 3.0f;
    });
  if (r.kind == "dear")
    return put(r, flat, [](auto const& x, auto& y) {
      xt::noalias(y) = (xt::tanh(0.75f / (1.0f + xt::exp(-(x * 1.5f + 0.25f))) - 1.0f) + 0.125f) * 3.0f;
    });
  if (r.kind == "gelu") return put(r, flat, [](auto const& x, auto& y) { xt::noalias(y) = x * 0.5f * (1.0f + xt::erf(x * 0.70710678f)); });
  if (r.kind == "gelu_tanh")
    return put(r, flat,
               [](auto const& x, auto& y) { xt::noalias(y) = x * 0.5f * (1.0f + xt::tanh((x + x * x * x * 0.044715f) * 0.79788456f)); });
  if (r.kind == "softmax")
    return put(r, shape, [keep](auto const& x, auto& y) {
      xt::noalias(y) = xt::exp(x - xt::amax(x, {1}, keep));
      y /= xt::sum(y, {1}, keep);
    });
  if (r.kind == "log_softmax")
    return put(r, shape, [keep](auto const& x, auto& y) {
      auto const most = xt::amax(x, {1}, keep);
      xt::noalias(y) = x - most;
      y -= xt::eval(xt::log(xt::sum(xt::exp(y), {1}, keep)));
    });
  if (r.kind == "layer_norm")
    return put(r, shape, [keep, gamma = view(r.inputs[1], width), beta = view(r.inputs[2], width)](auto const& x, auto& y) {
      auto const mean = xt::mean(x, {1}, keep);
      xt::noalias(y) = x - mean;
      auto const scale = xt::eval(1.0f / xt::sqrt(xt::mean(y * y, {1}, keep) + 1e-5f));
      y = y * scale * gamma + beta;
    });
  return nullptr;
}

int main() {
  std::ostringstream name;
  name << "xtensor " << XTENSOR_VERSION_MAJOR << '.' << XTENSOR_VERSION_MINOR << '.' << XTENSOR_VERSION_PATCH;
#if XTENSOR_USE_OPENMP
  name << ", OpenMP";
#endif
  return serve(name.str(), make);
}
