// SPDX-License-Identifier: Apache-2.0
// Its kernels, each made for one shape when the program runs, with loops by hand around them; weights turned around beforehand.
#include <libxsmm.h>

#include "other.hpp"

using namespace others;

// Rows of C are columns to it. Nothing for what it makes no kernel for.
static libxsmm_smmfunction kernel(integer m, integer n, integer k, bool add) {
  auto const rows = static_cast<libxsmm_blasint>(m), columns = static_cast<libxsmm_blasint>(n), depth = static_cast<libxsmm_blasint>(k);
  float const alpha = 1, beta = add ? 1 : 0;
  int const flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_PREFETCH_NONE;
  return libxsmm_smmdispatch(columns, rows, depth, &columns, &depth, &columns, &alpha, &beta, &flags, &prefetch);
}

static work make(row const& r) {
  if (r.kind == "matmul") {
    libxsmm_smmfunction const product = kernel(r.width, r.width, r.width, false);
    if (!product) return nullptr;
    return [r, product] { product(r.inputs[1].get(), r.inputs[0].get(), r.result.get()); };
  }
  if (r.layers.empty()) return nullptr;
  struct step {
    layer of;
    array turned, output;
    libxsmm_smmfunction product;
  };
  std::vector<step> steps;
  for (layer const& l : r.layers) {
    steps.push_back(
        {l, array(l.in * l.out), &l == &r.layers.back() ? r.result : array(r.height * l.out), kernel(r.height, l.out, l.in, true)});
    if (!steps.back().product) return nullptr;
    for (integer i = 0; i < l.out; ++i)
      for (integer k = 0; k < l.in; ++k) steps.back().turned.get()[k * l.out + i] = l.weights.get()[i * l.in + k];
  }
  return chained(r, [r, steps] {
    float const* x = r.inputs[0].get();
    for (step const& s : steps) {
      float* const y = s.output.get();
      integer const all = r.height * s.of.out;
      for (integer i = 0; i < r.height; ++i) std::copy_n(s.of.bias.get(), s.of.out, y + i * s.of.out);
      s.product(s.turned.get(), x, y);
      if (s.of.after == activation::relu)
        for (integer i = 0; i < all; ++i) y[i] = y[i] > 0 ? y[i] : 0;
      if (s.of.after == activation::tanh)
        for (integer i = 0; i < all; ++i) y[i] = std::tanh(y[i]);
      x = y;
    }
  });
}

int main() { return serve("LIBXSMM " LIBXSMM_VERSION, make); }
