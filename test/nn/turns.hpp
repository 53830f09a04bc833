// SPDX-License-Identifier: Apache-2.0
// Recurrent layers in numbers: loops of double, which know nothing of operations.
#pragma once
#include <cmath>
#include <vector>

#include "network.hpp"

namespace test::turns {

using numbers = std::vector<double>;
inline double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
enum class kind { rnn, lstm, gru };

// One layer in one direction: x (time, batch, n) to (time, batch, hidden); `h` and `c` are changed.
struct one_layer {
  kind of;
  int time, batch, n, hidden;
  numbers wi, wh, bi, bh;

  double product(numbers const& w, double const* x, int row, int count) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += w[static_cast<std::size_t>(row * count + i)] * x[i];
    return sum;
  }
  numbers run(numbers const& x, numbers& h, numbers& c, bool backwards) const {
    numbers y(static_cast<std::size_t>(time * batch * hidden));
    for (int turn = 0; turn < time; ++turn) {
      int const t = backwards ? time - 1 - turn : turn;
      numbers const before = h;
      for (int b = 0; b < batch; ++b)
        for (int u = 0; u < hidden; ++u) {
          auto const at = static_cast<std::size_t>(b * hidden + u);
          auto const in = [&](int gate) {
            int const row = gate * hidden + u;
            return product(wi, &x[static_cast<std::size_t>((t * batch + b) * n)], row, n) + bi[static_cast<std::size_t>(row)];
          };
          auto const own = [&](int gate) {
            int const row = gate * hidden + u;
            return product(wh, &before[static_cast<std::size_t>(b * hidden)], row, hidden) + bh[static_cast<std::size_t>(row)];
          };
          if (of == kind::rnn) h[at] = std::tanh(in(0) + own(0));
          if (of == kind::lstm) {
            c[at] = sigmoid_of(in(1) + own(1)) * c[at] + sigmoid_of(in(0) + own(0)) * std::tanh(in(2) + own(2));
            h[at] = sigmoid_of(in(3) + own(3)) * std::tanh(c[at]);
          }
          if (of == kind::gru) {
            double const z = sigmoid_of(in(1) + own(1)), candidate = std::tanh(in(2) + sigmoid_of(in(0) + own(0)) * own(2));
            h[at] = (1 - z) * candidate + z * before[at];
          }
          y[static_cast<std::size_t>((t * batch + b) * hidden + u)] = h[at];
        }
    }
    return y;
  }
};
template <class P> numbers values_in(P const& p) {
  auto const& v = p.storage();
  return numbers(v.data(), v.data() + p.shape().size());
}
template <class X> numbers values_of(X const& x) {
  auto const v = x.to_vector();
  return numbers(v.begin(), v.end());
}
inline void close(numbers const& got, numbers const& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(want[i]).margin(2e-6));
}

}  // namespace test::turns
