// SPDX-License-Identifier: Apache-2.0
// Networks of dense layers: one row of input against the reading of the weights, many rows against the peak of multiplications.
#include "rows.hpp"

namespace bench {

using seed = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
using wide = nn::hybrid_sequential<nn::dense<4096, nn::relu>, nn::dense<4096, nn::relu>, nn::dense<4096>>;
using tiny = nn::hybrid_sequential<nn::dense<16, nn::tanh>, nn::dense<16, nn::tanh>, nn::dense<1>>;
static constexpr double relu(double v) { return v > 0 ? v : 0; }

template <class X, class Y, class Act> void compare(std::string const& what, auto const& net, X const& x, Y const& y, Act act) {
  int const in = static_cast<int>(x.size() / x.shape().d[0]), out = static_cast<int>(y.size() / y.shape().d[0]);
  for (std::int64_t i = 0; i < x.shape().d[0]; i += 7) {
    auto const want = dense_layers(parameters_of(net), std::vector<double>(x.data() + i * in, x.data() + (i + 1) * in), act);
    for (int j = 0; j < out; ++j) check(what, static_cast<double>(y(i, j)), want[static_cast<std::size_t>(j)], 1);
  }
}

// One row of input; and the same eagerly beside compiled.
static void one_row() {
  seed net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, 512>> x;
  nd::tensor<float, shape<1, 2>> y;
  fill(x);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, y);
  compare("C1", net, x, y, relu);
  constexpr std::size_t n = sinter::compiled_t<seed, shape<1, 512>>::parameter_bytes / sizeof(float);
  array const weights(n);
  row("C1", "seed MLP, 1 row", [&] { fast(x, y); }, {reading(weights.get(), n)});
  row("C6", "seed MLP, 1 row, eager beside compiled", [&] { net(x); }, {{[&] { fast(x, y); }}});
}

// One row and weights in fewer bits, beside the reading of as many bytes. The result is to be that of float32 weights, as near as 7 bits are.
template <class Net, int In, int Out, class Format> static void few_bits(std::string const& network, Format form, std::size_t bytes_each) {
  std::string const what = network + ", 1 row, " + std::string(Format::name) + " weights";
  if (!wanted("C2", what)) return;
  Net net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, In>> x;
  nd::tensor<float, shape<1, Out>> y;
  fill(x);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize(form);
  fast(x, y);
  auto const want = dense_layers(parameters_of(net), std::vector<double>(x.data(), x.data() + In), relu);
  double size = 0;
  for (double v : want) size = std::max(size, std::abs(v));
  for (int j = 0; j < Out; ++j) check(what, static_cast<double>(y(0, j)), want[static_cast<std::size_t>(j)], size, 0.02);
  array const weights(sinter::compiled_t<Net, shape<1, In>>::parameter_bytes / sizeof(float) * bytes_each / sizeof(float));
  row("C2", what, [&] { fast(x, y); }, {reading(weights.get(), weights.size)});
}

template <class Net, int Rows, int In, int Out> static void many_rows(std::string const& what) {
  if (!wanted("C12", what)) return;
  Net net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<Rows, In>> x;
  nd::tensor<float, shape<Rows, Out>> y;
  fill(x);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, y);
  if (In <= 512) compare(what, net, x, y, relu);
  constexpr auto count = sinter::compiled_t<Net, shape<Rows, In>>::flops;
  row("C12", what, [&] { fast(x, y); }, {flops(static_cast<double>(count))});
}

// The output goes back into the input. The limit is a chain of dependent operations: 8 + 16 + 16 multiplications and 3 additions of a
// bias, and twice 10 multiplications and a division for tanh.
static void chained() {
  tiny net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, 8>> x;
  nd::tensor<float, shape<1, 1>> y;
  fill(x);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, y);
  compare("C4", net, x, y, [](double v) { return std::tanh(v); });
  // Each call begins with the value of the last one: calls side by side would hide what they wait for.
  auto const chain = [last = 0.5f]() mutable {
    float v = last;
    for (int i = 0; i < 63; ++i) {
      v = v * 0.999f;
      keep(v);
    }
    for (int i = 0; i < 2; ++i) {
      v = 1.5f / v;
      keep(v);
    }
    last = v;
  };
  row("C4", "dense 8-16-16-1 with tanh, chained",
      [&] {
        fast(x, y);
        x.data()[0] = y.data()[0];
      },
      {{chain}});
}

void networks() {
  one_row();
  chained();
  few_bits<seed, 512, 2>("seed MLP", sinter::weights::bf16, 2);
  few_bits<seed, 512, 2>("seed MLP", sinter::weights::int8, 1);
  few_bits<wide, 4096, 4096>("3 dense of 4096", sinter::weights::bf16, 2);
  few_bits<wide, 4096, 4096>("3 dense of 4096", sinter::weights::int8, 1);
  many_rows<seed, 8, 512, 2>("seed MLP, 8 rows");
  many_rows<seed, 64, 512, 2>("seed MLP, 64 rows");
  many_rows<seed, 256, 512, 2>("seed MLP, 256 rows");
  many_rows<wide, 64, 4096, 4096>("3 dense of 4096, 64 rows");
}

}  // namespace bench
