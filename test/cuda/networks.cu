// SPDX-License-Identifier: Apache-2.0
// Networks that nvcc must trace, optimise and plan as other compilers do; each of them met a defect of its front end. Nothing here runs.
#include <sinter/models/bert.hpp>
#include <sinter/models/densenet.hpp>
#include <sinter/models/googlenet.hpp>
#include <sinter/models/gpt2.hpp>
#include <sinter/models/inception.hpp>
#include <sinter/models/lenet.hpp>
#include <sinter/models/mobilenet.hpp>
#include <sinter/models/resnet.hpp>
#include <sinter/sinter.hpp>

namespace models = sinter::models;
namespace nn = sinter::nn;
using sinter::shape;

// Layers of many widths, each with types of its own: nvcc would need hours if these named each other.
template <class Indices> struct widening;
template <std::size_t... I> struct widening<std::index_sequence<I...>> {
  using type = nn::hybrid_sequential<nn::dense<static_cast<int>(16 + I)>...>;
};
using wide = widening<std::make_index_sequence<32>>::type;
static_assert(sinter::compiled_t<wide, shape<1, 64>>::kernels == 32);

// Three operands of three shapes, a part of one of them, and what is joined again.
struct parts : nn::hybrid_block<parts> {
  BOOST_HANA_DEFINE_STRUCT(parts);
  constexpr auto hybrid_forward(auto F, auto x, auto w, auto b) const {
    auto const y = F.matmul(x, w) + b;
    return F.concat(y(sinter::all, sinter::range<0, 3>), F.exp(y), x(sinter::all, sinter::range<1, 2>), sinter::axis<-1>);
  }
};
static_assert(sinter::compiled_t<parts, shape<5, 7>, shape<7, 4>, shape<4>>::kernels > 0);

// Slices and states of different shapes.
struct loop : nn::hybrid_block<loop> {
  BOOST_HANA_DEFINE_STRUCT(loop);
  constexpr auto hybrid_forward(auto F, auto x, auto y, auto state) const {
    return F.foreach (
        [&](auto slices, auto states) {
          auto [a, b] = slices;
          auto [s, n] = states;
          return std::tuple(std::tuple(a * s, F.sort(b)), std::tuple(s * 2 - a, n + 1));
        },
        std::tuple(x, y), std::tuple(state, F.sum(state)));
  }
};
static_assert(sinter::compiled_t<loop, shape<4, 3>, shape<4, 2>, shape<3>>::kernels > 0);

static_assert(sinter::compiled_t<models::lenet<>, shape<1, 1, 28, 28>>::kernels > 0);  // layers without members
using gpt2 = models::basic_gpt2<12, 64, 4>;  // NaN, and a graph optimised in parts
static_assert(sinter::compiled_t<gpt2, sinter::nd::tensor<std::int64_t, shape<1, 16>>>::kernels > 0);

// Eagerly, on the host.
float on_host() {
  sinter::nd::tensor<float, shape<2, 3>> const x{1, 2, 3, 4, 5, 6};
  auto const y = sinter::concat(x, x * 2, sinter::axis<-1>);
  parts const net;
  auto const z = net(y, sinter::ones(sinter::into<6, 4>), sinter::ones(sinter::into<4>));
  auto const attended = sinter::scaled_dot_product_attention(sinter::reshape(x, sinter::into<1, 2, 3>), sinter::ones(sinter::into<1, 4, 3>),
                                                             sinter::ones(sinter::into<1, 4, 2>));  // its definition has definitions in it
  wide stack;
  stack.initialize();
  return z[0] + attended[0] + stack(sinter::ones(sinter::into<1, 64>))[0];
}
