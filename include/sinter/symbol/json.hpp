// SPDX-License-Identifier: Apache-2.0
// MXNet's symbol JSON: symbol::load_json, symbol::load, tojson and save. Needs nlohmann/json.
#pragma once
#include "../io/write.hpp"
#include "mxnet/read.hpp"
#include "mxnet/write.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

inline symbol read_symbol(std::string_view text, std::string const& file) {
  return group(mxnet::graph_reader(file, {}, {}).read(mxnet::text_reader::read(text, file)));
}
// The text of a graph, with what is noted of its inputs and outputs. `inputs` are named first among the arguments.
inline std::string json_of(mxnet::graph_text g, std::string const& signature, std::vector<std::string> const& inputs = {}) {
  std::sort(g.arguments.begin(), g.arguments.end(), [&](int a, int b) {
    auto const place = [&](int i) { return std::find(inputs.begin(), inputs.end(), g.nodes[static_cast<std::size_t>(i)].name); };
    return std::pair(place(a), a) < std::pair(place(b), b);
  });
  g.signature = signature;
  return mxnet::json_writer::write(g);
}
inline std::string text_of_file(std::string const& path) {
  std::vector<std::byte> const bytes = io::read_file(path);
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

}  // namespace sym::inline SINTER_ISA

inline symbol symbol::load_json(std::string_view text) { return sym::read_symbol(text, "symbol JSON"); }
inline symbol symbol::load(std::string const& path) { return sym::read_symbol(sym::text_of_file(path), path); }
inline std::string symbol::tojson() const { return sym::json_of(sym::mxnet::graph_writer::write(*this), {}); }
inline void symbol::save(std::string const& path) const { io::write_file(path, std::as_bytes(std::span<char const>(tojson()))); }

}  // namespace sinter
