// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as an ONNX file are a model whose names and operators are known, or a file_error; as a tensor, too.
#include <sinter/onnx/functions.hpp>
#include <sinter/onnx/parse.hpp>

#include <cstdlib>

namespace onnx = sinter::onnx;

static std::size_t bytes_in(onnx::graph const& g) {
  std::size_t n = 0;
  for (onnx::tensor const& t : g.initializers) n += t.data.size();
  for (onnx::node const& k : g.nodes)
    for (onnx::attribute const& a : k.attributes) {
      n += 8 * a.wholes.size() + 4 * a.reals.size();
      for (onnx::tensor const& t : a.tensors) n += t.data.size();
      for (onnx::graph const& inner : a.graphs) n += bytes_in(inner);
    }
  return n;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::span const bytes(reinterpret_cast<std::byte const*>(data), size);
  try {
    onnx::model_proto const m = onnx::parse_model(bytes, "fuzz.onnx");
    if (bytes_in(m.graph) > 8 * size) std::abort();
    static_cast<void>(onnx::without_functions(m, "fuzz.onnx"));
  } catch (sinter::file_error const& e) {
    if (e.offset() > size) std::abort();
  }
  try {
    if (onnx::parse_tensor(bytes, "fuzz.pb").data.size() > 8 * size) std::abort();
  } catch (sinter::file_error const& e) {
    if (e.offset() > size) std::abort();
  }
  return 0;
}
