// SPDX-License-Identifier: Apache-2.0
// Its products, with loops by hand around them.
#include <cblas.h>

#include "other.hpp"

using namespace others;

static void dense(layer const& l, integer height, float const* x, float* y) {
  int const m = static_cast<int>(height), n = static_cast<int>(l.out), k = static_cast<int>(l.in);
  for (int i = 0; i < m; ++i) std::copy_n(l.bias.get(), n, y + i * n);
  if (m == 1) cblas_sgemv(CblasRowMajor, CblasNoTrans, n, k, 1, l.weights.get(), k, x, 1, 1, y, 1);
  else cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, x, k, l.weights.get(), k, 1, y, n);
  if (l.after == activation::relu)
    for (int i = 0; i < m * n; ++i) y[i] = y[i] > 0 ? y[i] : 0;
  if (l.after == activation::tanh)
    for (int i = 0; i < m * n; ++i) y[i] = std::tanh(y[i]);
}

static work make(row const& r) {
  if (r.kind == "matmul")
    return [r, n = static_cast<int>(r.width)] {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, r.inputs[0].get(), n, r.inputs[1].get(), n, 0, r.result.get(), n);
    };
  if (r.layers.empty()) return nullptr;
  std::vector<array> outputs;
  for (layer const& l : r.layers) outputs.push_back(&l == &r.layers.back() ? r.result : array(r.height * l.out));
  return chained(r, [r, outputs] {
    float const* x = r.inputs[0].get();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      dense(r.layers[i], r.height, x, outputs[i].get());
      x = outputs[i].get();
    }
  });
}

int main() {
  std::string const text = openblas_get_config();  // "OpenBLAS 0.3.21 ..."
  return serve(text.substr(0, text.find(' ', text.find(' ') + 1)), make);
}
