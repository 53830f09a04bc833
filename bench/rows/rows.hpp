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
void eager();
void interpreted_plans();

// Numbers from -2 to 2, the same each time.
template <class T, class S> void fill(nd::tensor<T, S> const& x) {
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 2654435761) % 1009) / T(252) - T(2);
}

// Parameters that other programs can make too: numbers from -1 to 1 in the order of `fill`, over the square root of a row's length. The
// first call has given them their shapes.
template <class Net> void set_parameters(Net const& net) {
  nn::visit_parameters(net, [](auto const& p, std::string_view) {
    auto* const v = p.storage().data();
    double const scale = 504.5 * std::sqrt(static_cast<double>(p.shape().d[p.shape().rank - 1]));
    for (std::int64_t i = 0; i < p.shape().size(); ++i)
      v[i] = static_cast<std::remove_reference_t<decltype(*v)>>((static_cast<double>((i * 2654435761) % 1009) - 504.5) / scale);
  });
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
