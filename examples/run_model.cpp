// SPDX-License-Identifier: Apache-2.0
// Runs a network from MXNet's files without a compiler:
//   run_model MODEL [PARAMS] INPUT.npy... --out DIR [--time] [--plan] [--threads N]
// MODEL is a symbol JSON. Writes output0.npy, output1.npy, ... into DIR and prints their shapes; --plan prints the kernels, --time the
// median of a pass.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sinter/io/npy.hpp>
#include <sinter/symbol.hpp>
#include <sinter/symbol/symbol_block.hpp>
#include <sinter/viz/report.hpp>

namespace {

using sinter::symbol_block;

struct arguments {
  std::string model, params, out;
  std::vector<std::string> inputs;
  bool time = false, plan = false;
};
arguments read(int count, char** all) {
  arguments a;
  for (int i = 1; i < count; ++i) {
    std::string const s = all[i];
    auto const next = [&] { return ++i < count ? all[i] : throw sinter::error("run_model: " + s + " wants a value"); };
    if (s == "--out") a.out = next();
    else if (s == "--threads") sinter::simd::set_threads(static_cast<unsigned>(std::max(1, std::atoi(next()))));
    else if (s == "--time") a.time = true;
    else if (s == "--plan") a.plan = true;
    else if (a.model.empty()) a.model = s;
    else if (s.ends_with(".npy")) a.inputs.push_back(s);
    else if (a.params.empty()) a.params = s;
    else throw sinter::error("run_model: nothing is known of the argument " + s);
  }
  if (a.model.empty()) throw sinter::error("run_model MODEL [PARAMS] INPUT.npy... --out DIR [--time] [--plan] [--threads N]");
  return a;
}
// The inputs of a model are the variables that its parameters leave.
symbol_block load(arguments const& a) {
  std::vector<std::string> names;
  for (std::string const& name : sinter::symbol::load(a.model).list_arguments()) names.push_back(name);
  std::vector<std::string> held;
  if (!a.params.empty())
    for (auto const& p : sinter::io::read_params(a.params)) held.emplace_back(sinter::io::detail::bare_name(p.name));
  std::erase_if(names, [&](std::string const& n) { return std::find(held.begin(), held.end(), n) != held.end(); });
  return symbol_block::imports(a.model, names, a.params);
}
double median_of_passes(symbol_block const& net, std::vector<sinter::sym::array> const& x) {
  using clock = std::chrono::steady_clock;
  std::vector<double> all;
  for (auto const begin = clock::now(); all.size() < 5 || (clock::now() - begin < std::chrono::seconds(1) && all.size() < 1000);) {
    auto const before = clock::now();
    net.call(x);
    all.push_back(std::chrono::duration<double, std::micro>(clock::now() - before).count());
  }
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

void run(arguments const& a) {
  symbol_block const net = load(a);
  std::vector<sinter::sym::array> x;
  x.reserve(a.inputs.size());
  for (std::string const& file : a.inputs) x.push_back(sinter::sym::array_of(sinter::io::read_npy(file)));
  auto const y = net.call(x);
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::cout << net.graph().list_outputs()[i] << " " << sinter::name_of(y[i].type()) << " " << to_string(y[i].shape()) << "\n";
    if (!a.out.empty()) sinter::io::write_npy(a.out + "/output" + std::to_string(i) + ".npy", sinter::sym::file_array_of("", y[i]));
  }
  if (a.plan) std::cout << sinter::viz::report(net.plan(x), true);
  if (a.time) std::cout << "median of a pass: " << median_of_passes(net, x) << " us\n";
}

}  // namespace

int main(int count, char** all) try { run(read(count, all)); } catch (std::exception const& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
