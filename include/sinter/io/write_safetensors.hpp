// SPDX-License-Identifier: Apache-2.0
// Writes safetensors files. Needs nlohmann/json.
#pragma once
#include "detail/names.hpp"
#include "detail/safetensors_header.hpp"
#include "write.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

// A file of these arrays in parts: its header, and the elements of the arrays where they are.
struct safetensors_parts {
  std::string header;  // with its length before it
  std::vector<std::span<std::byte const>> parts;

  safetensors_parts(std::string const& file, std::vector<array> const& arrays, std::map<std::string, std::string> const& metadata) {
    check(file, arrays);
    std::vector<array const*> sorted;
    sorted.reserve(arrays.size());
    for (array const& a : arrays) sorted.push_back(&a);
    std::sort(sorted.begin(), sorted.end(), [](array const* a, array const* b) {
      return std::pair(row_of(*a), std::string_view(a->name)) < std::pair(row_of(*b), std::string_view(b->name));
    });
    parts.emplace_back();
    std::string text = "{";
    auto const add = [&](std::string_view name, nlohmann::ordered_json const& value) {
      if (text.size() > 1) text += ',';
      text += nlohmann::json(name).dump() + ':' + value.dump();
    };
    if (!metadata.empty()) add(metadata_key, metadata);
    std::uint64_t at = 0;
    for (array const* a : sorted) {
      add(a->name, {{"dtype", row_of(*a)->name}, {"shape", a->shape}, {"data_offsets", {at, at + a->data.size()}}});
      parts.emplace_back(a->data);
      at += a->data.size();
    }
    text += '}';
    text.append((8 - text.size() % 8) % 8, ' ');
    std::uint64_t const length = text.size();
    header.assign(reinterpret_cast<char const*>(&length), 8);
    header += text;
    parts[0] = std::as_bytes(std::span(header));
  }
  safetensors_parts(safetensors_parts const&) = delete;
  safetensors_parts& operator=(safetensors_parts const&) = delete;

 private:
  static safetensors_dtype const* row_of(array const& a) {
    return std::find_if(std::begin(safetensors_dtypes), std::end(safetensors_dtypes), [&](auto& r) { return r.type == a.type; });
  }
  static void check(std::string const& file, std::vector<array> const& arrays) {
    check_names(file, arrays);
    for (array const& a : arrays) {
      check_bytes(a, largest_file_rank);
      if (a.name == metadata_key) throw file_error(file, "an array cannot be named " + in_quotes(a.name) + " in a safetensors file");
    }
  }
};

}  // namespace detail

// As write_file does: the old file or the new one, never a half. The bytes are those that the format's own library writes. Two arrays of one
// name, a name that is no UTF-8 and one that the format keeps for itself are a file_error. Readers of PyTorch's files want {{"format", "pt"}}
// as metadata.
inline void write_safetensors(std::string const& path, std::vector<array> const& arrays,
                              std::map<std::string, std::string> const& metadata = {}) {
  detail::safetensors_parts const file(path, arrays, metadata);
  write_file(path, file.parts);
}
// The bytes of such a file.
inline std::vector<std::byte> safetensors_bytes(std::vector<array> const& arrays, std::map<std::string, std::string> const& metadata = {}) {
  std::vector<std::byte> bytes;
  detail::safetensors_parts const file("", arrays, metadata);
  for (auto const part : file.parts) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

}  // namespace sinter::io::inline SINTER_ISA
