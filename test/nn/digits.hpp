// SPDX-License-Identifier: Apache-2.0
// Networks that MXNet trained to read the digits, with its scores.
#pragma once
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/io/tensor.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/symbol.hpp>

#include <algorithm>
#include <fstream>

#include "../builds.hpp"
#include "network.hpp"

namespace test {

using sinter::axis;
using sinter::range;
namespace io = sinter::io;

inline constexpr int some = 48;  // of the 1797 digits
using pictures = f32<some, 1, 8, 8>;
using scores = f32<some, 10>;
struct digits {
  pictures images;
  std::vector<int> labels;
};
inline digits read_digits() {
  digits r;
  std::ifstream file(SINTER_SOURCE_DIR "/examples/data/digits.csv");
  std::string line;
  std::getline(file, line);  // the names of the columns
  for (int i = 0; i < some * 64; ++i) {
    std::getline(file, line, ',');
    r.images[i] = std::stof(line) / 16;
    if (i % 64 != 63) continue;
    std::getline(file, line);
    r.labels.push_back(std::stoi(line));
  }
  return r;
}
inline int correct(scores const& of, std::vector<int> const& labels) {
  auto const best = sinter::argmax(of, axis<1>);
  int n = 0;
  for (int i = 0; i < some; ++i) n += best[i] == labels[static_cast<std::size_t>(i)];
  return n;
}
// MXNet's scores and as many digits as MXNet reads, as a symbol and, where this build compiles networks, eagerly and compiled. Input: the shape in which the network takes them.
template <class Net, class Input = pictures> void reads_the_digits(std::string const& name, nn::load_options const& options = {}) {
  INFO(name);
  std::string const folder = SINTER_SOURCE_DIR "/test/data/models/" + name + "/";
  Net net;
  nn::load_parameters(net, folder + name + "-0000.params", options);
  digits const all = read_digits();
  Input input;
  std::copy_n(all.images.data(), all.images.size(), input.data());
  scores const want = io::load<f32<1797, 10>>(folder + "output0.npy")(range<0, some>);
  auto const check = [&](scores const& got) {
    CHECK(sinter::max(sinter::abs(got - want)).item() < 2e-4f);
    CHECK(correct(got, all.labels) == correct(want, all.labels));
  };
  if constexpr (compiles_networks) {
    check(net(input));
    check(net.hybridize()(input));
  }
  check(net(sinter::sym::var("x")).eval({{"x", input}})[0].template as<scores>());
}

}  // namespace test
