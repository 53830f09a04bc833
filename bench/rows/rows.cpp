// SPDX-License-Identifier: Apache-2.0
// Normalisations of rows, some 48 Ki elements each time, so that all of it stays in the second-level cache.
#include "rows.hpp"

namespace bench {

// Operations of one vector: softmax a maximum, a difference, an exponential of 10, a sum and a product; layer norm a sum, a difference,
// a square that is added, and three for scale, gamma and beta.
inline constexpr int softmax_needs = 14, layer_norm_needs = 6;

struct softmax {
  constexpr auto operator()(auto F, auto x) const { return F.softmax(x); }
};
struct log_softmax {
  constexpr auto operator()(auto F, auto x) const { return F.log_softmax(x); }
};
struct layer_norm {
  constexpr auto operator()(auto F, auto x, auto gamma, auto beta) const { return F.layer_norm(x, gamma, beta); }
};

template <int Width, class F, class G> static void normal(std::string const& what, int needs, F f, G want) {
  constexpr int height = 49152 / Width;
  std::string const text = what + ", " + std::to_string(height) + " x " + std::to_string(Width);
  if (!wanted("C9", text)) return;
  nd::tensor<float, shape<height, Width>> x, y;
  nd::tensor<float, shape<Width>> gamma, beta;
  fill(x);
  fill(gamma);
  fill(beta);
  auto const fast = sinter::hybridize(f);
  auto const run = [&] {
    if constexpr (std::is_same_v<F, layer_norm>) fast.network(x, gamma, beta, y);
    else fast.network(x, y);
  };
  run();
  for (int i = 0; i < height; i += 1 + height / 9) {
    std::vector<double> const row(x.data() + i * Width, x.data() + (i + 1) * Width);
    for (int j = 0; j < Width; ++j)
      check(text, static_cast<double>(y(i, j)), want(row, j, static_cast<double>(gamma(j)), static_cast<double>(beta(j))), 4);
  }
  row("C9", text, run, {copying(x.data(), y.data(), 49152), ports(static_cast<double>(needs) * 49152 / static_cast<double>(lanes))});
}

static double log_total(std::vector<double> const& row) {
  double total = 0;
  for (double v : row) total += std::exp(v);
  return std::log(total);
}
template <int Width> static void all() {
  normal<Width>("softmax", softmax_needs, softmax{},
                [](auto const& row, int j, double, double) { return std::exp(row[static_cast<std::size_t>(j)] - log_total(row)); });
  normal<Width>("log_softmax", softmax_needs, log_softmax{},
                [](auto const& row, int j, double, double) { return row[static_cast<std::size_t>(j)] - log_total(row); });
  normal<Width>("layer_norm", layer_norm_needs, layer_norm{}, [](auto const& row, int j, double gamma, double beta) {
    double mean = 0, variance = 0;
    for (double v : row) mean += v / Width;
    for (double v : row) variance += (v - mean) * (v - mean) / Width;
    return (row[static_cast<std::size_t>(j)] - mean) / std::sqrt(variance + 1e-5) * gamma + beta;
  });
}

void rows() {
  all<64>();
  all<256>();
  all<384>();
  all<1024>();
  all<4096>();
}

}  // namespace bench
