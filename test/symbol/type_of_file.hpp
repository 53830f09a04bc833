// SPDX-License-Identifier: Apache-2.0
// Networks that were written from MXNet's files: their outputs, eager and compiled, are MXNet's.
#pragma once
#include <sinter/io/npy.hpp>
#include <sinter/sinter.hpp>

#include <cstring>
#include <fstream>

#include "../catch.hpp"

namespace {

std::string const models = SINTER_SOURCE_DIR "/test/data/models/";

template <class T, class S> sinter::nd::tensor<T, S> tensor_of(sinter::io::array const& a) {
  REQUIRE(a.type == sinter::dtype_of<T>);
  sinter::dims shape;
  for (sinter::extent const e : a.shape) shape.push(e);
  REQUIRE(sinter::nd::tensor<T, S>::fits(shape));
  sinter::nd::tensor<T, S> x(shape, false);
  if (!a.data.empty()) std::memcpy(x.data(), a.data.data(), a.data.size());
  return x;
}
template <class T, class S> sinter::nd::tensor<T, S> input(std::string const& folder, int i) {
  return tensor_of<T, S>(sinter::io::read_npy(models + folder + "/input" + std::to_string(i) + ".npy"));
}
// The first pictures of the digits.
template <class S> sinter::nd::tensor<float, S> pictures(sinter::dims const& shape = S::value) {
  sinter::nd::tensor<float, S> x(shape, false);
  std::ifstream file(SINTER_SOURCE_DIR "/examples/data/digits.csv");
  std::string line;
  std::getline(file, line);  // the names of the columns
  for (sinter::extent i = 0; i < shape.size(); ++i) {
    std::getline(file, line, ',');
    x.data()[i] = std::stof(line) / 16;
    if (i % 64 == 63) std::getline(file, line);  // the label
  }
  return x;
}
// The first rows where `y` has fewer.
template <class T, class S, class D>
void check_output(sinter::nd::tensor<T, S, D> const& y, std::string const& folder, int i) {
  auto const want = sinter::io::read_npy(models + folder + "/output" + std::to_string(i) + ".npy");
  INFO(folder << " output " << i);
  REQUIRE(want.type == sinter::dtype_of<T>);
  REQUIRE(want.shape.size() == static_cast<std::size_t>(y.shape().rank));
  for (int k = folder.starts_with("digits") ? 1 : 0; k < y.shape().rank; ++k)
    CHECK(want.shape[static_cast<std::size_t>(k)] == y.shape().d[k]);
  T const* const w = reinterpret_cast<T const*>(want.data.data());
  auto const c = y.contiguous();
  double worst = 0;
  for (sinter::extent k = 0; k < c.shape().size(); ++k) {
    double const a = static_cast<double>(c.data()[k]), b = static_cast<double>(w[k]);
    double const off = (a > b ? a - b : b - a) / (1 + (b < 0 ? -b : b));
    if (!(off <= worst)) worst = off;  // NaN, too
  }
  CHECK(worst < (sinter::dtype_of<T> == sinter::dtype::float16 ? 2e-3 : 2e-5));
}
template <class... Y> void check_outputs(std::tuple<Y...> const& y, std::string const& folder) {
  int i = 0;
  std::apply([&](auto const&... one) { (check_output(one, folder, i++), ...); }, y);
}
template <class T, class S, class D> void check_outputs(sinter::nd::tensor<T, S, D> const& y, std::string const& folder) {
  check_output(y, folder, 0);
}
template <class Net, class... X> void check_model(std::string const& folder, X const&... x) {
  Net net;
  net.load(models + folder + "/" + folder + "-0000.params");
  check_outputs(net(x...), folder);
  check_outputs(net.hybridize()(x...), folder);
}

}  // namespace
