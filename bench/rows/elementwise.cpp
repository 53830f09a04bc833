// SPDX-License-Identifier: Apache-2.0
// Chains of elementwise operations, fused, beside a copy of the same arrays and beside the operations they are made of.
#include "rows.hpp"

namespace bench {

// Floating-point operations of one vector that a function needs with a relative error near 2^-24: an exponential reduces its argument
// (3), has a polynomial of degree 5 (5) and scales (1), within a clamp (1); tanh is a rational function of degree 9 over 8 in
// a clamp; erf the same of 12 over 10. A division counts as one, though none is.
inline constexpr int exp_needs = 10, sigmoid_needs = exp_needs + 2, tanh_needs = 13, erf_needs = 14, gelu_needs = erf_needs + 3,
                     gelu_tanh_needs = tanh_needs + 7;

template <int N, class F, class G, class... Policy>
void chain(std::string const& id, std::string const& what, int needs, F f, G want, Policy... policy) {
  std::string const text = what + ", " + std::to_string(N / 1024) + " Ki elements";
  if (!wanted(id, text)) return;
  auto const fast = sinter::hybridize(f, policy...);
  nd::tensor<float, shape<N>> x, y;
  fill(x);
  fast.network(x, y);
  for (int i = 0; i < N; i += 1 + N / 1009) check(text, static_cast<double>(y(i)), want(static_cast<double>(x(i))), 1);
  std::vector<limit> limits{copying(x.data(), y.data(), N)};
  if (needs) limits.push_back(ports(static_cast<double>(needs) * N / static_cast<double>(lanes)));
  row(id, text, [&] { fast.network(x, y); }, limits);
}

struct cheap {
  constexpr auto operator()(auto F, auto x) const {
    auto const a = F.relu(F.add(F.multiply(x, 1.5f), 0.25f));
    return F.multiply(F.relu(F.add(F.subtract(F.multiply(a, 0.75f), 1.0f), 0.125f)), 3.0f);
  }
};
struct dear {
  constexpr auto operator()(auto F, auto x) const {
    auto const a = F.sigmoid(F.add(F.multiply(x, 1.5f), 0.25f));
    return F.multiply(F.add(F.tanh(F.subtract(F.multiply(a, 0.75f), 1.0f)), 0.125f), 3.0f);
  }
};
struct gelu {
  constexpr auto operator()(auto F, auto x) const { return F.gelu(x); }
};
struct gelu_tanh {
  constexpr auto operator()(auto F, auto x) const { return F.gelu_tanh(x); }
};

template <int N> static void all() {
  auto const relu = [](double v) { return v > 0 ? v : 0; };
  auto const eight = [=](double x) { return 3 * relu(relu(1.5 * x + 0.25) * 0.75 - 1 + 0.125); };
  chain<N>("C7", "8 cheap operations", 0, cheap{}, eight);
  chain<N>("C7", "8 cheap operations beside their ports", 8, cheap{}, eight);
  auto const activations = [](double x) { return 3 * (std::tanh(0.75 / (1 + std::exp(-1.5 * x - 0.25)) - 1) + 0.125); };
  chain<N>("C8", "8 operations with sigmoid and tanh", 6 + sigmoid_needs + tanh_needs, dear{}, activations);
  chain<N>("C8", "8 with sigmoid and tanh, math::fast", 6 + sigmoid_needs + tanh_needs, dear{}, activations, sinter::math::fast);
  chain<N>("C8", "GELU", gelu_needs, gelu{}, [](double x) { return x / 2 * (1 + std::erf(x * std::sqrt(0.5))); });
  chain<N>("C8", "GELU with tanh", gelu_tanh_needs, gelu_tanh{},
           [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(8 / (4 * std::atan(1.0)) / 4) * (x + 0.044715 * x * x * x))); });
}

void elementwise() {
  all<4 << 10>();
  all<1 << 20>();
  all<16 << 20>();
}

}  // namespace bench
