// SPDX-License-Identifier: Apache-2.0
// MXNet's symbol JSON: symbol::load_json, symbol::load, tojson and save. Needs nlohmann/json.
#pragma once
#include "../io/file.hpp"
#include "mxnet/read.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

inline symbol read_symbol(std::string_view text, std::string const& file) {
  return group(mxnet::graph_reader(file, {}, {}).read(mxnet::text_reader::read(text, file)));
}
inline std::string text_of_file(std::string const& path) {
  std::vector<std::byte> const bytes = io::read_file(path);
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

}  // namespace sym::inline SINTER_ISA

inline symbol symbol::load_json(std::string_view text) { return sym::read_symbol(text, "symbol JSON"); }
inline symbol symbol::load(std::string const& path) { return sym::read_symbol(sym::text_of_file(path), path); }

}  // namespace sinter
