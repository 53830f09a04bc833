// SPDX-License-Identifier: Apache-2.0
// What nvcc makes of plans, for check.py: how many launches a plan is, and kernels whose machine code is looked at. Nothing here runs.
#include <sinter/thrust.hpp>

namespace nn = sinter::nn;
using sinter::shape;

// d = b * a + 1 with both results is one launch of 128-bit loads and stores, and no fused multiply-add.
struct fused : nn::hybrid_block<fused> {
  BOOST_HANA_DEFINE_STRUCT(fused);
  constexpr auto hybrid_forward(auto F, auto a, auto b) const {
    auto const c = F.multiply(b, a);
    return std::tuple{c, c + 1};
  }
};
using fused_plan = sinter::compiled_t<fused, shape<1024>, shape<1024>>;
static_assert(sinter::device_kernels<fused_plan> == 1 && fused_plan::kernels == 1);

// Bias and relu are epilogues of the library's, the exact gelu and a sum with something else are not.
template <class Layer> using launches = std::integral_constant<int, sinter::device_kernels<sinter::compiled_t<Layer, shape<4, 64>>>>;
static_assert(launches<nn::dense<8>>::value == 1);
static_assert(launches<nn::dense<8, nn::relu>>::value == 1);
static_assert(launches<nn::dense<8, nn::gelu>>::value == 2);
struct residual : nn::hybrid_block<residual> {
  BOOST_HANA_DEFINE_STRUCT(residual, (nn::dense<64>, layer));
  constexpr auto hybrid_forward(auto F, auto x) const { return x + F.relu(layer(x)); }
};
static_assert(launches<residual>::value == 2);
static_assert(sinter::compiled_t<residual, shape<4, 64>>::kernels == 1);

// Nothing in a kernel of integers is a host's function.
struct largest : nn::hybrid_block<largest> {
  BOOST_HANA_DEFINE_STRUCT(largest);
  constexpr auto hybrid_forward(auto F, auto x) const { return std::tuple{F.max(x, sinter::axis<1>), F.argmax(x, sinter::axis<0>)}; }
};

// A convolution with what stands before and after it is one launch.
struct convolved : nn::hybrid_block<convolved> {
  BOOST_HANA_DEFINE_STRUCT(convolved);
  constexpr auto hybrid_forward(auto F, auto x, auto w) const { return F.gelu(F.convolution(F.relu(x), w, sinter::pad<1>)); }
};
using convolved_plan = sinter::compiled_t<convolved, shape<2, 3, 8, 9>, shape<4, 3, 3, 3>>;
static_assert(sinter::device_kernels<convolved_plan> == 1 && convolved_plan::kernels == 1);

// Attention is one launch; with more keys than a block of threads has room for, it is three.
struct attention : nn::hybrid_block<attention> {
  BOOST_HANA_DEFINE_STRUCT(attention);
  constexpr auto hybrid_forward(auto F, auto q, auto k, auto v) const {
    return F.scaled_dot_product_attention(q, k, v, sinter::num_heads<2>);
  }
};
template <int Keys> using attention_of = sinter::compiled_t<attention, shape<2, 150, 24>, shape<2, Keys, 24>, shape<2, Keys, 24>>;
static_assert(sinter::device_kernels<attention_of<150>> == 1 && attention_of<150>::kernels == 3);
static_assert(sinter::device_kernels<attention_of<1500>> == 1);
static_assert(sinter::device_kernels<attention_of<1700>> == 3);

int main() {
  if (!sinter::device::gpu.available()) return 0;
  auto const fast = fused{}.hybridize();
  sinter::nd::tensor<float, shape<1024>, sinter::device::gpu_t> a;
  (void)fast(a, a);
  auto const soft = nn::dense<8, nn::softmax>{};
  sinter::nd::tensor<float, shape<4, 64>, sinter::device::gpu_t> x;
  (void)soft.hybridize()(x);
  sinter::nd::tensor<float, shape<2, 3, 8, 9>, sinter::device::gpu_t> images;
  sinter::nd::tensor<float, shape<4, 3, 3, 3>, sinter::device::gpu_t> weights;
  (void)convolved{}.hybridize()(images, weights);
  sinter::nd::tensor<float, shape<2, 150, 24>, sinter::device::gpu_t> q;
  (void)attention{}.hybridize()(q, q, q);
  (void)largest{}.hybridize()(sinter::nd::tensor<std::int32_t, shape<4, 64>, sinter::device::gpu_t>{});
  return 0;
}
