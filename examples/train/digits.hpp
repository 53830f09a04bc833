// SPDX-License-Identifier: Apache-2.0
// 1,797 handwritten digits, as 1,437 to train with and 360 that training never sees.
#pragma once
#include <cstdio>
#include <fstream>
#include <sinter/sinter.hpp>
#include <sinter/train.hpp>
#include <string>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
namespace autograd = sinter::autograd;
using sinter::shape;

// N digits: pixels from 0 to 1, row by row, and which digit each is.
template <int N> struct digits {
  nd::tensor<float, shape<N, 64>> pixels;
  nd::tensor<std::int64_t, shape<N>> labels;
};
struct all_digits {
  digits<1437> known;
  digits<360> unseen;
};

inline all_digits read_digits() {
  std::ifstream file(SINTER_EXAMPLE_DATA "/digits.csv"), rows(SINTER_EXAMPLE_DATA "/digits-unseen.txt");
  all_digits all;
  std::string field;
  std::getline(file, field);
  int unseen = -1, next[2] = {0, 0};
  rows >> unseen;
  for (int row = 0; row < 1797; ++row) {
    bool const is_unseen = row == unseen;
    int const to = next[is_unseen]++;
    for (int column = 0; column < 65; ++column) {
      std::getline(file, field, column < 64 ? ',' : '\n');
      if (!file) throw sinter::file_error("digits.csv", 0, "row " + std::to_string(row) + " is missing");
      if (column == 64) (is_unseen ? all.unseen.labels(to) : all.known.labels(to)) = std::stoi(field);
      else (is_unseen ? all.unseen.pixels(to, column) : all.known.pixels(to, column)) = std::stof(field) / 16;
    }
    if (is_unseen) rows >> unseen;
  }
  return all;
}

// The number of unseen digits that a network classifies correctly.
template <class Net, class Pixels> int correct(Net const& net, Pixels const& pixels, digits<360> const& of) {
  auto const guess = sinter::argmax(net(pixels), sinter::axis<1>);
  int n = 0;
  for (int i = 0; i < 360; ++i) n += guess(i) == of.labels(i);
  return n;
}
