// SPDX-License-Identifier: Apache-2.0
// What each library beside sinter is given: a row's inputs and weights, made as bench/rows makes them, and its result in double precision;
// and how it answers bench/peers. A library is a program of its own, with one function that knows it.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../harness.hpp"

namespace others {

using integer = std::int64_t;
using bench::work;

// Floats at the beginning of a page, and zeros after them for who reads whole vectors.
struct array {
  explicit array(integer n) : size(n), data(static_cast<float*>(std::aligned_alloc(4096, room(n))), std::free) {
    std::fill_n(data.get(), room(n) / sizeof(float), 0.0f);
  }
  array(integer n, double middle, double divisor) : array(n) {
    for (integer i = 0; i < n; ++i) data.get()[i] = static_cast<float>((static_cast<double>(i * 2654435761 % 1009) - middle) / divisor);
  }
  static std::size_t room(integer n) { return (static_cast<std::size_t>(n) * sizeof(float) / 4096 + 2) * 4096; }
  float* get() const { return data.get(); }

  integer size;
  std::shared_ptr<float> data;
};

enum class activation { none, relu, tanh };
struct layer {
  integer in, out;
  array weights, bias;  // out rows of in numbers
  activation after;
};

struct row {
  std::string kind;
  integer height = 1, width = 1;  // of the input; a product's is square
  std::vector<array> inputs;
  std::vector<layer> layers;
  array result{0};
};

inline row read_row(std::string const& line) {
  std::istringstream words(line);
  row r;
  words >> r.kind;
  std::vector<integer> sizes{std::istream_iterator<integer>(words), {}}, widths;
  bool const dense = r.kind == "dense";
  if (r.kind == "mlp") widths = {512, 256, 128, 2};
  else if (r.kind == "wide") widths = {4096, 4096, 4096, 4096};
  else if (r.kind == "tiny") widths = {8, 16, 16, 1};
  else if (dense) widths = {sizes[2], sizes[1]};
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    double const scale = 504.5 * std::sqrt(static_cast<double>(widths[i])),
                 bias_scale = 504.5 * std::sqrt(static_cast<double>(widths[i + 1]));
    bool const last = i + 2 == widths.size() && !dense;
    r.layers.push_back({widths[i], widths[i + 1], array(widths[i] * widths[i + 1], 504.5, scale), array(widths[i + 1], 504.5, bias_scale),
                        last               ? activation::none
                        : r.kind == "tiny" ? activation::tanh
                                           : activation::relu});
  }
  bool const normal = r.kind == "softmax" || r.kind == "log_softmax" || r.kind == "layer_norm";
  r.height = sizes[0];
  r.width = normal ? sizes[1] : r.kind == "matmul" ? sizes[0] : widths.empty() ? 1 : widths[0];
  r.inputs.emplace_back(r.height * r.width, 504, 252);
  if (r.kind == "layer_norm") r.inputs.insert(r.inputs.end(), 2, array(r.width, 504, 252));
  if (r.kind == "matmul" || r.kind == "add") r.inputs.push_back(r.inputs[0]);
  r.result = array(r.height * (widths.empty() ? r.width : widths.back()));
  return r;
}

// Row i of the result.
inline std::vector<double> want(row const& r, integer i) {
  std::vector<double> x(r.inputs[0].get() + i * r.width, r.inputs[0].get() + (i + 1) * r.width), y;
  for (layer const& l : r.layers) {
    y.assign(l.bias.get(), l.bias.get() + l.out);
    for (integer j = 0; j < l.out; ++j) {
      double& sum = y[static_cast<std::size_t>(j)];
      for (integer k = 0; k < l.in; ++k) sum += x[static_cast<std::size_t>(k)] * l.weights.get()[j * l.in + k];
      if (l.after != activation::none) sum = l.after == activation::tanh ? std::tanh(sum) : std::max(sum, 0.0);
    }
    x = y;
  }
  if (!r.layers.empty()) return x;
  if (r.kind == "matmul") {
    y.assign(x.size(), 0);
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[k] * r.inputs[1].get()[k * y.size() + j];
    return y;
  }
  double most = x[0], total = 0, mean = 0, variance = 0;
  for (double v : x) most = std::max(most, v), mean += v / static_cast<double>(x.size());
  for (double v : x) total += std::exp(v - most), variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    double& v = x[j];
    if (r.kind == "add") v += v;
    else if (r.kind == "cheap") v = 3 * std::max(std::max(1.5 * v + 0.25, 0.0) * 0.75 - 1 + 0.125, 0.0);
    else if (r.kind == "dear") v = 3 * (std::tanh(0.75 / (1 + std::exp(-1.5 * v - 0.25)) - 1) + 0.125);
    else if (r.kind == "gelu") v = v / 2 * (1 + std::erf(v * std::sqrt(0.5)));
    else if (r.kind == "gelu_tanh") v = v / 2 * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
    else if (r.kind == "softmax") v = std::exp(v - most) / total;
    else if (r.kind == "log_softmax") v = v - most - std::log(total);
    else v = (v - mean) / std::sqrt(variance + 1e-5) * r.inputs[1].get()[j] + r.inputs[2].get()[j];
  }
  return x;
}

// A line with a row, as "mlp 64", is answered with the library's name, or with an empty line where it has nothing for it; a line with a
// number with the microseconds of a block. `make` gives what writes the row's `result`, or nothing;
// the row outlives it.
inline int serve(std::string const& name, work (*make)(row const&)) {
  row r;
  work run;
  int n = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (run && !line.empty() && line[0] >= '0' && line[0] <= '9') {
      if (n > 1) run();
      std::cout << bench::seconds(run, n) * 1e6 << std::endl;
      continue;
    }
    run = nullptr;  // what the last row needed goes first
    r = row();
    r = read_row(line);
    run = make(r);
    if (!run) {
      std::cout << std::endl;
      continue;
    }
    float const before = r.inputs[0].get()[0];
    run();
    r.inputs[0].get()[0] = before;  // where the result goes back into it
    integer const width = r.result.size / r.height;
    for (integer i = 0; i < r.height; i += 1 + r.height / 1009 + (r.layers.empty() ? 0 : 6)) {
      std::vector<double> const y = want(r, i);
      for (integer j = 0; j < width; ++j)
        bench::check(name + ", " + line, static_cast<double>(r.result.get()[i * width + j]), y[static_cast<std::size_t>(j)],
                     1 + std::abs(y[static_cast<std::size_t>(j)]), 1e-4);
    }
    n = bench::repeats(run, 2e-3);
    std::cout << name << std::endl;
  }
  return 0;
}

// The output of a network of one number goes back into its input, as in sinter's row.
inline work chained(row const& r, work run) {
  if (r.kind != "tiny") return run;
  return [run, x = r.inputs[0], y = r.result] {
    run();
    x.get()[0] = y.get()[0];
  };
}

}  // namespace others
