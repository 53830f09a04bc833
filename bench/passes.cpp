// SPDX-License-Identifier: Apache-2.0
// A fixed set of passes, ten each, for a tool that counts their instructions.
#include <cstdio>

#include "rows/rows.hpp"

namespace bench {

template <class Layers, int Rows, int In, int Out> struct model {
  Layers net;
  nd::tensor<float, shape<Rows, In>> x;
  nd::tensor<float, shape<Rows, Out>> y;
  sinter::hybridized<Layers, sinter::default_backend> fast{net};
  model() {
    net.initialize(sinter::init::xavier{}, 1);
    fill(x);
  }
  void operator()() { fast(x, y); }
};
struct seed_one_row : model<nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>, 1, 512, 2> {};
struct seed_eight_rows : model<nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>, 8, 512, 2> {};
struct tiny : model<nn::hybrid_sequential<nn::dense<16, nn::tanh>, nn::dense<16, nn::tanh>, nn::dense<1>>, 1, 8, 1> {};
struct small_product : model<nn::hybrid_sequential<nn::dense<16, nn::relu>>, 16, 16, 16> {};
struct short_softmax : model<nn::hybrid_sequential<nn::activation<nn::softmax>>, 768, 64, 64> {};
struct short_layer_norm : model<nn::hybrid_sequential<nn::layer_norm<>>, 768, 64, 64> {};
struct gelu : model<nn::hybrid_sequential<nn::activation<nn::gelu>>, 16, 256, 256> {};
struct eager_add {
  nd::tensor<float, shape<1>> a{1.0f}, b{2.0f};
  void operator()() const { static_cast<void>(sinter::add(a, b)); }
};

template <class Model> SINTER_NOINLINE void ten_passes(Model& m) {
  for (int i = 0; i < 10; ++i) m();
}
template <class Model> void count() {
  Model m;
  m();  // takes its memory
  ten_passes(m);
}
template <class... Model> void all() { (count<Model>(), ...); }

}  // namespace bench

int main() {
  using namespace bench;
  sinter::simd::set_threads(1);
  all<seed_one_row, seed_eight_rows, tiny, small_product, short_softmax, short_layer_norm, gelu, eager_add>();
}
