// SPDX-License-Identifier: Apache-2.0
// Parameters and operands that follow from a name and a place alone, as formula.py makes them, and files of what other libraries gave with them.
#pragma once
#include <sinter/symbol.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace formula {

// Number `i` of those that belong to a name, from 0 to 1.
inline double number_of(std::string_view name, std::uint32_t i) {
  auto v = static_cast<std::uint32_t>(sinter::hash_of(name)) + i * 0x9E3779B1u;
  v = (v ^ v >> 16) * 0x85EBCA6Bu;
  v = (v ^ v >> 13) * 0xC2B2AE35u;
  return static_cast<double>(v ^ v >> 16) / 4294967296.;
}
inline float value_of(std::string_view name, sinter::dims const& shape, std::uint32_t i) {
  double const u = number_of(name, i);
  if (name.ends_with("weight")) return static_cast<float>((2 * u - 1) * std::sqrt(6. / static_cast<double>(shape.size() / shape.d[0])));
  if (name.ends_with("gamma")) return static_cast<float>(0.75 + 0.5 * u);
  if (name.ends_with("running_var")) return static_cast<float>(0.5 + u);
  return static_cast<float>(0.2 * u - 0.1);
}
// Gives the parameters of a network the values of their names, in the shapes that they have in a symbol of it.
template <class Net>
void set_parameters(Net const& net, sinter::symbol const& output, std::map<std::string, sinter::dims> const& inputs) {
  auto const names = output.list_arguments();
  auto const extents = output.infer_shape(inputs).arguments;
  std::map<std::string, sinter::dims> shapes;
  for (std::size_t i = 0; i < names.size(); ++i) shapes[names[i]] = extents[i];
  std::vector<float> values;
  sinter::nn::visit_parameters(net, [&]<class T>(sinter::nn::parameter_of<T> const& p, std::string_view parameter) {
    auto const found = shapes.find(std::string(parameter));
    if (found == shapes.end()) return;  // of a norm without scale and shift
    auto const n = static_cast<std::uint32_t>(found->second.size());
    values.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) values[i] = value_of(parameter, found->second, i);
    p.assign(found->second, values.data());
  });
}
// The numbers that stand behind a name in a file of this folder; none if the name is not there.
inline std::vector<double> numbers_in(std::string const& file, std::string const& name) {
  std::ifstream in(SINTER_SOURCE_DIR "/test/models/" + file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    std::vector<double> numbers;
    for (double v; words >> v;) numbers.push_back(v);
    if (first == name) return numbers;
  }
  return {};
}

}  // namespace formula
