// SPDX-License-Identifier: Apache-2.0
// ONNX's own tests of its operators, a folder each with a model and arrays, run through onnx::load: nodes.py says where they are, and reads
// the lines that are written here.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/onnx.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "free.hpp"

namespace onnx = sinter::onnx;
namespace fs = std::filesystem;

static sinter::sym::array read(fs::path const& p) { return onnx::detail::array_of(onnx::parse_tensor(sinter::io::read_file(p), p)); }

// What is wrong with a result; empty where nothing is.
static std::string difference(sinter::sym::array const& got, sinter::sym::array const& want, double rtol, double atol) {
  if (got.type() != want.type() || got.shape() != want.shape())
    return onnx::detail::in_words({got.type(), got.shape()}) + " instead of " + onnx::detail::in_words({want.type(), want.shape()});
  std::string r;
  sinter::with_type(want.type(), [&]<class T>(T*) {
    T const *a = reinterpret_cast<T const*>(got.data()), *b = reinterpret_cast<T const*>(want.data());
    for (std::int64_t i = 0; i < want.shape().size() && r.empty(); ++i) {
      bool same;
      if constexpr (std::is_integral_v<T>) same = a[i] == b[i];
      else {
        double const x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
        same = std::isnan(x) == std::isnan(y) && (std::isnan(x) || x == y || std::abs(x - y) <= atol + rtol * std::abs(y));
      }
      if (!same)
        r = "element " + std::to_string(i) + " is " + std::to_string(static_cast<double>(a[i])) + " instead of " +
            std::to_string(static_cast<double>(b[i]));
    }
  });
  return r;
}
static double tolerance(fs::path const& folder, std::string const& name, double otherwise) {
  std::ifstream in(folder / "data.json");
  std::string const text{std::istreambuf_iterator<char>(in), {}};
  auto const at = text.find('"' + name + '"');
  return at == text.npos ? otherwise : std::stod(text.substr(text.find(':', at) + 1));
}
static std::string run(fs::path const& folder) {
  try {
    onnx::model const net = onnx::load(folder / "model.onnx");
    if (!fs::exists(folder / "test_data_set_0")) return "FAIL there are no data";
    for (int set = 0; fs::exists(folder / ("test_data_set_" + std::to_string(set))); ++set) {
      fs::path const data = folder / ("test_data_set_" + std::to_string(set));
      sinter::sym::arrays_by_name in;
      auto const inputs = net.input_names();
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        fs::path const file = data / ("input_" + std::to_string(i) + ".pb");
        if (fs::file_size(file)) in.insert_or_assign(inputs[i], read(file));
        else in.insert_or_assign(inputs[i], sinter::sym::array(sinter::dtype::float32, {0}));
      }
      auto const out = net(in);
      for (std::size_t i = 0; i < out.size(); ++i) {
        std::string const wrong = difference(out[i], read(data / ("output_" + std::to_string(i) + ".pb")), tolerance(folder, "rtol", 1e-3),
                                             tolerance(folder, "atol", 1e-7));
        if (!wrong.empty()) return "FAIL output " + std::to_string(i) + ": " + wrong;
      }
      bool taken = false;
      for (int axes : {1, sinter::max_rank})
        if (!is_same_free(net, in, out, axes, taken)) return "FAIL with names for the extents of " + std::to_string(axes) + " axes";
    }
    return "pass";
  } catch (sinter::file_error const& e) {
    return (e.reason().find("sinter has no operator ") != std::string::npos ? "missing " : "refused ") + e.reason();
  } catch (sinter::dtype_error const& e) { return std::string("refused dtype ") + e.what(); } catch (std::exception const& e) {
    return std::string("refused ") + e.what();
  }
}

TEST_CASE("the node tests of ONNX", "[.nodes]") {
  char const *const from = std::getenv("SINTER_ONNX_NODES"), *const to = std::getenv("SINTER_ONNX_REPORT");
  REQUIRE(from);
  REQUIRE(to);
  std::ofstream out(to);
  for (auto const& table : onnx::detail::operator_tables)
    for (auto const& row : table) out << "operator " << row.name << " " << row.since << " " << row.until << "\n";
  int n = 0;
  for (auto const& folder : fs::directory_iterator(from)) {
    out << "test " << folder.path().filename().string() << " " << run(folder.path()) << "\n" << std::flush;
    ++n;
  }
  REQUIRE(n > 0);
}
