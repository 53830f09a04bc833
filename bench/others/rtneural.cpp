// SPDX-License-Identifier: Apache-2.0
// One row at a time, sizes known to the compiler; vectors from xsimd, or from Eigen with RTNEURAL_USE_EIGEN.
#if RTNEURAL_USE_EIGEN
#define RTNEURAL_DEFAULT_ALIGNMENT 32
#define EIGEN_STACK_ALLOCATION_LIMIT 0  // the layers hold their weights
#else
#define RTNEURAL_DEFAULT_ALIGNMENT 64
#define RTNEURAL_USE_XSIMD 1
#endif
#include <RTNeural/RTNeural.h>

#include "other.hpp"

using namespace others;
template <int In, int Out> using dense = RTNeural::DenseT<float, In, Out>;
template <int N> using relu = RTNeural::ReLuActivationT<float, N>;
template <int N> using tanh_of = RTNeural::TanhActivationT<float, N>;
using mlp = RTNeural::ModelT<float, 512, 2, dense<512, 256>, relu<256>, dense<256, 128>, relu<128>, dense<128, 2>>;
using tiny = RTNeural::ModelT<float, 8, 1, dense<8, 16>, tanh_of<16>, dense<16, 16>, tanh_of<16>, dense<16, 1>>;

template <class Model> static work run(row const& r) {
  auto const model = std::make_shared<Model>();
  auto const set = [&](layer const& l, auto& to) {
    std::vector<std::vector<float>> weights;
    for (integer i = 0; i < l.out; ++i) weights.emplace_back(l.weights.get() + i * l.in, l.weights.get() + (i + 1) * l.in);
    to.setWeights(weights);
    to.setBias(l.bias.get());
  };
  set(r.layers[0], model->template get<0>());
  set(r.layers[1], model->template get<2>());
  set(r.layers[2], model->template get<4>());
  return chained(r, [model, x = r.inputs[0], y = r.result] {
    model->forward(x.get());
    std::copy_n(model->getOutputs(), y.size, y.get());
  });
}

static work make(row const& r) {
  if (r.kind == "mlp" && r.height == 1) return run<mlp>(r);
  if (r.kind == "tiny") return run<tiny>(r);
  return nullptr;
}

int main() {
#if RTNEURAL_USE_EIGEN
  return serve("RTNeural, Eigen", make);
#else
  return serve("RTNeural, xsimd", make);
#endif
}
