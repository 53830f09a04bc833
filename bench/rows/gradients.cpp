// SPDX-License-Identifier: Apache-2.0
// Gradients against the peak of multiplications: forward and backward of the seed MLP, and those of the convolutions of row C13, as plans of their own.
#include "rows.hpp"

#include <sinter/gradient.hpp>

namespace bench {

// Parameters are operands, as a step that changes them sees them: nothing of them is prepared beforehand.
struct seed_mlp_backward {
  constexpr auto operator()(auto F, auto x, auto labels, auto w0, auto b0, auto w1, auto b1, auto w2, auto b2) const {
    auto const loss = [&](auto v0, auto c0, auto v1, auto c1, auto v2, auto c2) {
      auto const h = F.relu(F.fully_connected(F.relu(F.fully_connected(x, v0, c0)), v1, c1));
      return -F.mean(F.pick(F.log_softmax(F.fully_connected(h, v2, c2)), labels));
    };
    return std::tuple_cat(F.gradient(loss, w0, b0, w1, b1, w2, b2));
  }
};
template <class X> void fill_parameter(X const& x) { set_parameter(x.data(), x.shape()); }
template <class X> std::vector<double> numbers(X const& x) { return {x.data(), x.data() + x.size()}; }
// The gradient of the last weights in double precision.
static void check_last_weight(std::string const& what, auto const& x, auto const& labels, std::vector<std::vector<double>> const& p,
                              auto const& got) {
  std::vector<double> want(2 * 128), size(2 * 128);
  for (int i = 0; i < 64; ++i) {
    std::vector<double> const row(x.data() + i * 512, x.data() + (i + 1) * 512);
    auto const relu = [](double v) { return v > 0 ? v : 0; };
    std::vector<double> h = dense_layers({p[0], p[1], p[2], p[3]}, row, relu);
    for (double& v : h) v = relu(v);
    std::vector<double> const z = dense_layers({p[4], p[5]}, h, relu);
    double const total = std::exp(z[0]) + std::exp(z[1]);
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 128; ++k) {
        double const part = (std::exp(z[j]) / total - (labels.data()[i] == static_cast<std::int64_t>(j))) / 64 * h[k];
        want[j * 128 + k] += part;
        size[j * 128 + k] += std::abs(part);
      }
  }
  for (std::size_t i = 0; i < want.size(); ++i) check(what, static_cast<double>(got.data()[i]), want[i], size[i]);
}
static void seed_mlp() {
  std::string const what = "forward and backward of the seed MLP, batch 64";
  if (!wanted("C27", what)) return;
  nd::tensor<float, shape<64, 512>> x;
  nd::tensor<std::int64_t, shape<64>> labels;
  nd::tensor<float, shape<256, 512>> w0, d0;
  nd::tensor<float, shape<128, 256>> w1, d1;
  nd::tensor<float, shape<2, 128>> w2, d2;
  nd::tensor<float, shape<256>> b0, e0;
  nd::tensor<float, shape<128>> b1, e1;
  nd::tensor<float, shape<2>> b2, e2;
  for (int i = 0; i < 64; ++i) labels.data()[i] = i % 2;
  fill(x), fill_parameter(w0), fill_parameter(w1), fill_parameter(w2), fill_parameter(b0), fill_parameter(b1), fill_parameter(b2);
  auto const fast = sinter::hybridize(seed_mlp_backward{});
  std::tuple to{d0, e0, d1, e1, d2, e2};
  fast.network(x, labels, w0, b0, w1, b1, w2, b2, to);
  check_last_weight(what, x, labels, {numbers(w0), numbers(b0), numbers(w1), numbers(b1), numbers(w2), numbers(b2)}, d2);
  constexpr double products = 512 * 256 * 2 + 256 * 128 * 3 + 128 * 2 * 3;  // forward, of the weights, and of what comes in but the first
  row("C27", what, [&] { fast.network(x, labels, w0, b0, w1, b1, w2, b2, to); }, {flops(2.0 * 64 * products)});
}

template <int Stride, int Pad, int Groups> struct of_weight {
  constexpr auto operator()(auto F, auto x, auto w, auto d) const {
    return F.gradient(
        [&](auto v) { return F.sum(F.convolution(x, v, sinter::stride<Stride>, sinter::pad<Pad>, sinter::groups<Groups>) * d); }, w);
  }
};
template <int Stride, int Pad, int Groups> struct of_input {
  constexpr auto operator()(auto F, auto x, auto w, auto d) const {
    return F.gradient(
        [&](auto v) { return F.sum(F.convolution(v, w, sinter::stride<Stride>, sinter::pad<Pad>, sinter::groups<Groups>) * d); }, x);
  }
};
template <int Channels, int Size, int Outputs, int Kernel, int Stride, int Groups> static void convolution(std::string const& what) {
  constexpr int pad = Kernel / 2, size = (Size + 2 * pad - Kernel) / Stride + 1;
  constexpr double all = 2.0 * Outputs * size * size * (Channels / Groups) * Kernel * Kernel;
  nd::tensor<float, shape<1, Channels, Size, Size>> x, to_x;
  nd::tensor<float, shape<Outputs, Channels / Groups, Kernel, Kernel>> w, to_w;
  nd::tensor<float, shape<1, Outputs, size, size>> d;
  fill(x), fill(w), fill(d);
  if (std::string const name = "weight gradient of a " + what; wanted("C27", name)) {
    auto const fast = sinter::hybridize(of_weight<Stride, pad, Groups>{});
    fast.network(x, w, d, to_w);
    row("C27", name, [&] { fast.network(x, w, d, to_w); }, {flops(all)});
  }
  if (std::string const name = "input gradient of a " + what; wanted("C27", name)) {
    auto const fast = sinter::hybridize(of_input<Stride, pad, Groups>{});
    fast.network(x, w, d, to_x);
    row("C27", name, [&] { fast.network(x, w, d, to_x); }, {flops(all)});
  }
}
void gradients() {
  seed_mlp();
  each_convolution([]<int Channels, int Size, int Outputs, int Kernel, int Stride, int Groups>(std::string const& what) {
    convolution<Channels, Size, Outputs, Kernel, Stride, Groups>(what);
  });
}

}  // namespace bench
