// SPDX-License-Identifier: Apache-2.0
// The groups of rows; each is a file of its name.
#pragma once
#include <sinter/sinter.hpp>

#include "../probe.hpp"

namespace bench {

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::shape;

void probes();
void networks();
void convolutions();
void sequences();
void models();
void elementwise();
void rows();
void products();
void gradients();
void training();
void eager();
void interpreted_plans();

// Numbers from -2 to 2, the same each time.
template <class T, class S> void fill(nd::tensor<T, S> const& x) {
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 2654435761) % 1009) / T(252) - T(2);
}

// Parameters that other programs can make too: numbers from -1 to 1 in the order of `fill`, over the square root of a row's length. The
// first call has given them their shapes.
template <class T> void set_parameter(T* v, sinter::dims const& s) {
  double const scale = 504.5 * std::sqrt(static_cast<double>(s.d[s.rank - 1]));
  for (std::int64_t i = 0; i < s.size(); ++i) v[i] = static_cast<T>((static_cast<double>((i * 2654435761) % 1009) - 504.5) / scale);
}
template <class Net> void set_parameters(Net const& net) {
  nn::visit_parameters(net, [](auto const& p, std::string_view) { set_parameter(p.storage().data(), p.shape()); });
}
// Calls `one` for each of some convolutions of ResNet-18 and MobileNet v2: one.operator()<Channels, Size, Outputs, Kernel, Stride, Groups>(what).
template <class F> void each_convolution(F const& one) {
  one.template operator()<3, 224, 64, 7, 2, 1>("convolution 7 x 7, 3 to 64 channels, 224 x 224, step 2");
  one.template operator()<64, 56, 64, 3, 1, 1>("convolution 3 x 3, 64 channels, 56 x 56");
  one.template operator()<64, 56, 128, 3, 2, 1>("convolution 3 x 3, 64 to 128 channels, 56 x 56, step 2");
  one.template operator()<128, 28, 128, 3, 1, 1>("convolution 3 x 3, 128 channels, 28 x 28");
  one.template operator()<256, 14, 256, 3, 1, 1>("convolution 3 x 3, 256 channels, 14 x 14");
  one.template operator()<512, 7, 512, 3, 1, 1>("convolution 3 x 3, 512 channels, 7 x 7");
  one.template operator()<64, 56, 128, 1, 2, 1>("convolution 1 x 1, 64 to 128 channels, 56 x 56, step 2");
  one.template operator()<256, 56, 64, 1, 1, 1>("convolution 1 x 1, 256 to 64 channels, 56 x 56");
  one.template operator()<96, 112, 96, 3, 1, 96>("convolution 3 x 3 of each of 96 channels, 112 x 112");
}
// The values of a network's parameters, in its own order, for a reference that knows nothing of layers.
template <class Net> std::vector<std::vector<double>> parameters_of(Net const& net) {
  std::vector<std::vector<double>> all;
  nn::visit_parameters(net, [&](auto const& p, std::string_view) {
    auto const n = static_cast<std::size_t>(p.shape().size());
    all.emplace_back(p.storage().data(), p.storage().data() + n);
  });
  return all;
}
// Dense layers in double precision: weights, bias, weights, bias, ...; `act` between them.
template <class Act> std::vector<double> dense_layers(std::vector<std::vector<double>> const& p, std::vector<double> x, Act act) {
  for (std::size_t l = 0; l + 1 < p.size(); l += 2) {
    std::vector<double> y = p[l + 1];
    for (std::size_t j = 0; j < y.size(); ++j) {
      for (std::size_t k = 0; k < x.size(); ++k) y[j] += x[k] * p[l][j * x.size() + k];
      if (l + 2 < p.size()) y[j] = act(y[j]);
    }
    x = std::move(y);
  }
  return x;
}

}  // namespace bench
