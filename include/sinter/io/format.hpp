// SPDX-License-Identifier: Apache-2.0
// Files of arrays in any format: told apart by their first bytes when they are read, and by their extension when they are written.
#pragma once
#include "array_file.hpp"
#include "write_params.hpp"

namespace sinter::io {

enum class file_format : std::int8_t { by_extension, params, safetensors, npz };

struct save_options {
  // by_extension: .safetensors and .npz are what they say, every other name is MXNet's params.
  file_format format = file_format::by_extension;
};

inline namespace SINTER_ISA {
// How the files of a format are read and written. A format that needs a library has a header of its own, which fills in its row: programs
// that do not include it need no library. (The functions are templates, so that a program which reads no file does not compile them.)
struct codec {
  char const* what;
  char const* header;
  array_file (*open)(std::string const& path) = nullptr;
  array_file (*parse)(std::span<std::byte const> bytes, std::string const& file) = nullptr;
  void (*write)(std::string const& path, std::vector<array> const& arrays) = nullptr;
};
template <class = void> codec& codec_of(file_format f) {
  static codec rows[] = {
      {"", ""},
      {"MXNet's params", "", [](std::string const& path) { return array_file{path, read_params(path), {{}, {}, array_order::kept}}; },
       [](std::span<std::byte const> bytes, std::string const& file) {
         return array_file{file, parse_params(bytes, file), {{}, {}, array_order::kept}};
       },
       [](std::string const& path, std::vector<array> const& arrays) { write_params(path, arrays); }},
      {"a safetensors file", "sinter/io/safetensors.hpp"},
      {"a zip archive of .npy files", "sinter/io/npz.hpp"},
  };
  return rows[static_cast<int>(f)];
}

namespace detail {
template <class = void> codec const& ready_codec(file_format f, std::string const& path) {
  codec const& c = codec_of(f);
  if (!c.open)
    throw file_error(path, "it is " + std::string(c.what) + ", which a program reads and writes if one of its files includes " + c.header);
  return c;
}

// The format of a file that begins so; what has none of the other formats is read as params, whose reader says what is wrong.
template <class = void> file_format format_of(reader in) {
  if (in.starts_with("PK\3\4") || in.starts_with("PK\5\6")) return file_format::npz;
  if (in.left() < 10) return file_format::params;
  in.take(8, "the first number");  // in the others it is no length of a JSON text
  return in.starts_with("{") ? file_format::safetensors : file_format::params;
}
}  // namespace detail

// Opens a file of arrays: MXNet's params of every version, safetensors, .npz and MXNet 2's zip of .npy, whatever it is called.
template <class = void> array_file open_arrays(std::string const& path) {
  std::byte first[512]{};
  detail::opened_file const opened = detail::open_to_read(path);
  std::size_t const n = std::fread(first, 1, sizeof first, opened.handle.get());
  reader const in(std::span(first, n), opened.size(), path);
  if (std::string const other = in.foreign(); !other.empty()) throw file_error(path, other);
  auto const format = n == 0 ? file_format::params : detail::format_of(in);
  return detail::ready_codec(format, path).open(path);
}

// The arrays of a file that is in memory, in any of these formats. In errors it is called by its format.
template <class = void> array_file parse_arrays(std::span<std::byte const> bytes) {
  std::string const unknown = "a file in memory";
  reader const in(bytes, unknown);
  if (bytes.empty()) throw file_error(unknown, 0, "it is empty");
  if (std::string const other = in.foreign(); !other.empty()) throw file_error(unknown, other);
  auto const format = detail::format_of(in);
  codec const& c = detail::ready_codec(format, unknown);
  return c.parse(bytes, std::string(c.what) + " in memory");
}

// As write_file does: the old file or the new one, never a half.
template <class = void>
void write_arrays(std::string const& path, std::vector<array> const& arrays, save_options const& options = {}) {
  auto format = options.format;
  if (format == file_format::by_extension)
    format = detail::has_extension(path, ".safetensors") ? file_format::safetensors
             : detail::has_extension(path, ".npz")       ? file_format::npz
                                                         : file_format::params;
  detail::ready_codec(format, path).write(path, arrays);
}

}  // namespace SINTER_ISA
}  // namespace sinter::io
