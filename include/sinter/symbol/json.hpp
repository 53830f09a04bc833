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
// The text of a graph, with what is noted of its inputs and outputs.
inline std::string json_of(mxnet::graph_text g, std::string const& signature) {
  g.signature = signature;
  return mxnet::json_writer::write(g);
}
inline std::string text_of_file(std::string const& path) {
  std::vector<std::byte> const bytes = io::read_file(path);
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

}  // namespace sym::inline SINTER_ISA

inline namespace SINTER_ISA {
inline symbol symbol_in_json(in_sinter, std::string_view text, std::string const& file) { return sym::read_symbol(text, file); }
inline symbol symbol_in_file(in_sinter, std::string const& path) { return sym::read_symbol(sym::text_of_file(path), path); }
inline std::string json_of_symbol(in_sinter, symbol const& s) { return sym::json_of(sym::mxnet::graph_writer::write(s), {}); }
inline void save_symbol(in_sinter, symbol const& s, std::string const& path) {
  io::write_file(path, std::as_bytes(std::span<char const>(s.tojson())));
}
}  // namespace SINTER_ISA

}  // namespace sinter
