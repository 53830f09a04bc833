// SPDX-License-Identifier: Apache-2.0
// Products, as a layer (weights kept packed, a bias and relu) and as a function of two arrays.
#include "rows.hpp"

namespace bench {

template <int M, int N, int K> static void dense() {
  std::string const what = "dense " + std::to_string(M) + " x " + std::to_string(N) + " x " + std::to_string(K);
  if (!wanted("C10", what)) return;
  using network = nn::hybrid_sequential<nn::dense<N, nn::relu>>;
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<M, K>> x;
  nd::tensor<float, shape<M, N>> y;
  fill(x);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, y);
  auto const p = parameters_of(net);
  for (int i = 0; i < M; i += 1 + M / 9)
    for (int j = 0; j < N; j += 1 + N / 13) {
      double sum = p[1][static_cast<std::size_t>(j)], size = 0;
      for (int k = 0; k < K; ++k) {
        double const t = static_cast<double>(x(i, k)) * p[0][static_cast<std::size_t>(j) * K + static_cast<std::size_t>(k)];
        sum += t;
        size += std::abs(t);
      }
      check(what, static_cast<double>(y(i, j)), sum > 0 ? sum : 0, size);
    }
  array const weights(std::size_t{N} * K);
  row("C10", what, [&] { fast(x, y); }, {flops(2.0 * M * N * K), reading(weights.get(), std::size_t{N} * K)});
}

struct matmul {
  constexpr auto operator()(auto F, auto a, auto b) const { return F.matmul(a, b); }
};
template <int N> static void cube() {
  std::string const what = "matmul " + std::to_string(N) + " cubed";
  if (!wanted("C10", what)) return;
  nd::tensor<float, shape<N, N>> a, b, c;
  fill(a);
  fill(b);
  auto const fast = sinter::hybridize(matmul{});
  fast.network(a, b, c);
  for (int i = 0; i < N; i += 1 + N / 9)
    for (int j = 0; j < N; j += 1 + N / 13) {
      double sum = 0, size = 0;
      for (int k = 0; k < N; ++k) {
        sum += static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
        size += std::abs(static_cast<double>(a(i, k)) * static_cast<double>(b(k, j)));
      }
      check(what, static_cast<double>(c(i, j)), sum, size);
    }
  row("C10", what, [&] { fast.network(a, b, c); }, {flops(2.0 * N * N * N)});
}

template <int... M> static void skinny() { (dense<M, 256, 512>(), ...); }
template <int... N> static void cubes() { ((dense<N, N, N>(), cube<N>()), ...); }

void products() {
  cubes<16, 32, 48, 64, 96, 128, 256, 512, 1024, 2048>();
  skinny<1, 2, 3, 4, 6, 8, 12, 16>();
}

}  // namespace bench
