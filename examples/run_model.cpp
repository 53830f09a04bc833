// SPDX-License-Identifier: Apache-2.0
// Runs a network from a file without a compiler; `usage` below says how it is called. (RUN_MODEL_NPZ: PARAMS may be .npz, which needs libzip.)
#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sinter/io/npy.hpp>
#include <sinter/onnx.hpp>
#include <sinter/symbol.hpp>
#include <sinter/symbol/one_file.hpp>
#include <sinter/viz/report.hpp>
#if defined(RUN_MODEL_NPZ)
#include <sinter/io/npz.hpp>
#endif

namespace {

namespace sym = sinter::sym;
using arrays = std::vector<sym::array>;

constexpr char const* usage =
    "run_model MODEL [PARAMS] INPUT.npy... [--out DIR] [--time] [--plan] [--threads N]\n"
    "  MODEL      MXNet's symbol JSON, an ONNX model, or the one file that net.save() writes\n"
    "  PARAMS     of symbol JSON: the file of its parameters (.params, .safetensors, .npz)\n"
    "  INPUT.npy  the inputs, in the order of the signature, which is printed with the shapes of the outputs\n"
    "  --out      the folder for output0.npy, output1.npy, ...\n"
    "  --time     prints how long loading and the first pass took, the median of a pass and of each kernel\n"
    "  --plan     prints the kernels\n"
    "  --threads  how many threads compute\n";

struct arguments {
  std::string model, params, out;
  std::vector<std::string> inputs;
  bool time = false, plan = false, help = false;
};
unsigned threads_of(std::string const& s) {
  unsigned n = 0;
  auto const [end, code] = std::from_chars(s.data(), s.data() + s.size(), n);
  if (code != std::errc() || end != s.data() + s.size() || n == 0)
    throw sinter::error("run_model: --threads wants a number from 1 on, and is given " + sinter::io::in_quotes(s));
  return n;
}
arguments read(int count, char** all) {
  arguments a;
  for (int i = 1; i < count; ++i) {
    std::string const s = all[i];
    auto const next = [&] { return ++i < count ? std::string(all[i]) : throw sinter::error("run_model: " + s + " wants a value"); };
    if (s == "--out") a.out = next();
    else if (s == "--threads") sinter::simd::set_threads(threads_of(next()));
    else if (s == "--time") a.time = true;
    else if (s == "--plan") a.plan = true;
    else if (s == "--help" || s == "-h") a.help = true;
    else if (s.starts_with("-")) throw sinter::error("run_model: there is no option " + s + "; it is called as\n" + usage);
    else if (a.model.empty()) a.model = s;
    else if (s.ends_with(".npy")) a.inputs.push_back(s);
    else if (a.params.empty()) a.params = s;
    else throw sinter::error("run_model: nothing is known of the argument " + s);
  }
  if (a.model.empty() && !a.help) throw sinter::error(std::string("run_model: MODEL is missing; it is called as\n") + usage);
  return a;
}

// What there is to do with a network, whichever file it comes from.
struct network {
  std::string signature;
  std::vector<std::string> outputs;
  std::function<sym::results(arrays const&)> call;
  std::function<sinter::plan const&(arrays const&)> plan;
  std::function<std::vector<double>(arrays const&)> kernel_times;
};
network of(sinter::symbol_block const& net) {
  return {net.signature(), net.graph().list_outputs(), [=](arrays const& x) { return net.call(x); },
          [=](arrays const& x) -> sinter::plan const& { return net.plan(x); }, [=](arrays const& x) { return net.kernel_times(x); }};
}
network of(sinter::onnx::model const& net) {
  auto const named = [net](arrays const& x) {
    auto const names = net.input_names();
    if (names.size() != x.size())
      throw sinter::error("run_model: the model has " + sinter::io::counted(names.size(), "input") + ", and " + std::to_string(x.size()) +
                          (x.size() == 1 ? " is" : " are") + " given: " + net.signature());
    sym::arrays_by_name r;
    for (std::size_t i = 0; i < x.size(); ++i) r.emplace(names[i], x[i]);
    return r;
  };
  return {net.signature(), net.output_names(), [=](arrays const& x) { return net(named(x)); },
          [=](arrays const& x) -> sinter::plan const& { return net.plan(named(x)); },
          [=](arrays const& x) { return net.kernel_times(named(x)); }};
}
// The inputs of a graph are the variables that its parameters leave.
sinter::symbol_block imported(arguments const& a) {
  sym::arrays_by_name values;
  if (!a.params.empty()) values = sym::values_in(a.params);
  auto const names = sym::left_by(values, sinter::symbol::load(a.model).list_arguments());
  if (a.params.empty() && names.size() != a.inputs.size())
    throw sinter::error("run_model: " + a.model + " is a graph without parameters; give the file that has them as PARAMS, or " +
                        sinter::io::counted(names.size(), "input") + ": " + sinter::io::listed(names));
  return sinter::symbol_block::imports(a.model, names, a.params);
}
network load(arguments const& a) {
  std::vector<std::byte> const bytes = sinter::io::read_file(a.model);
  std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  auto const first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '{') return of(imported(a));
  if (!a.params.empty())
    throw sinter::error("run_model: " + a.model + " is no symbol JSON, which comes first and alone has its weights in another file; " +
                        a.params + " is given behind it");
  if (text.size() > 8 && text[8] == '{') return of(sinter::symbol_block::load(a.model));
  return of(sinter::onnx::load(a.model));
}

double median(std::vector<double>& all) {
  auto const middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}
// Calls f for a second, at least five times and at most a thousand.
void repeat(auto const& f) {
  using clock = std::chrono::steady_clock;
  auto const begin = clock::now();
  for (int i = 0; i < 5 || (i < 1000 && clock::now() - begin < std::chrono::seconds(1)); ++i) f();
}
double seconds_of(auto const& f) {
  auto const before = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}
void print_times(network const& net, arrays const& x) {
  std::vector<double> passes;
  repeat([&] { passes.push_back(seconds_of([&] { net.call(x); })); });
  sinter::plan const& plan = net.plan(x);
  std::vector<std::vector<double>> kernels(static_cast<std::size_t>(plan.groups.size()));
  repeat([&] {
    std::vector<double> const times = net.kernel_times(x);
    for (std::size_t i = 0; i < times.size(); ++i) kernels[i].push_back(times[i]);
  });
  std::cout << std::fixed << std::setprecision(1) << "median of a pass: " << 1e6 * median(passes) << " us\n";
  std::vector<double> medians;
  double sum = 0;
  for (auto& k : kernels) sum += medians.emplace_back(median(k));
  for (std::size_t i = 0; i < medians.size(); ++i)
    std::cout << std::setw(10) << 1e6 * medians[i] << " us " << std::setw(5) << (sum > 0 ? 100 * medians[i] / sum : 0) << " %  "
              << sinter::viz::title_of(plan, static_cast<int>(i)) << "\n";
}

void run(arguments const& a) {
  network net;
  double const loading = seconds_of([&] { net = load(a); });
  std::cout << net.signature << "\n";
  arrays x;
  x.reserve(a.inputs.size());
  for (std::string const& file : a.inputs) try {
      x.push_back(sym::array_of(sinter::io::read_npy(file)));
    } catch (sinter::file_error&) { throw; } catch (sinter::error const& e) {
      throw sinter::file_error(file, sinter::reason_of(e));
    }
  std::optional<sym::results> made;
  double const first = seconds_of([&] { made.emplace(net.call(x)); });
  sym::results const& y = *made;
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::cout << net.outputs[i] << " " << sinter::name_of(y[i].type()) << " " << to_string(y[i].shape()) << "\n";
    if (!a.out.empty()) sinter::io::write_npy(a.out + "/output" + std::to_string(i) + ".npy", sym::file_array_of("", y[i]));
  }
  if (a.plan) std::cout << sinter::viz::report(net.plan(x), true);
  if (!a.time) return;
  std::cout << std::fixed << std::setprecision(2) << "loaded in " << 1e3 * loading << " ms, planned and run for the first time in "
            << 1e3 * first << " ms\n";
  print_times(net, x);
}

}  // namespace

int main(int count, char** all) try {
  arguments const a = read(count, all);
  if (a.help) std::cout << usage;
  else run(a);
} catch (std::exception const& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
