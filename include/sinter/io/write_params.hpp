// SPDX-License-Identifier: Apache-2.0
// Writes MXNet's .params files.
#pragma once
#include "params.hpp"
#include "write.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

class byte_writer {
 public:
  std::vector<std::byte> bytes;
  template <class T> void put(T v) { append(&v, sizeof v); }
  void append(void const* from, std::size_t n) {
    auto const* const b = static_cast<std::byte const*>(from);
    bytes.insert(bytes.end(), b, b + n);
  }
};

// A record of version 2, which every MXNet from 0.12 on reads, or of version 3, which it reads in its numpy mode.
inline void write_record(byte_writer& out, array const& a, bool numpy) {
  check_bytes(a, largest_file_rank);
  out.put(numpy ? std::uint32_t{0xf993faca} : std::uint32_t{0xf993fac9});
  out.put(std::int32_t{0});  // dense
  out.put(static_cast<std::int32_t>(a.shape.size()));
  for (extent e : a.shape) out.put(static_cast<std::int64_t>(e));
  out.put(std::int32_t{1});  // from the host, device 0
  out.put(std::int32_t{0});
  out.put(static_cast<std::int32_t>(a.type));  // the numbers of dtype are those of MXNet
  out.append(a.data.data(), a.data.size());
}

}  // namespace detail

// The bytes of an NDArray list, as MXNet 1.9.1 writes them; arrays of which none has a name are a list without names. A shape that disagrees with
// the data is a shape_error. MXNet reads a file in one mode: all records are of its numpy mode where the graph is, or an array is a scalar.
inline std::vector<std::byte> params_bytes(std::vector<array> const& arrays, bool numpy = false) {
  for (array const& a : arrays) numpy = numpy || a.shape.empty();
  detail::byte_writer out;
  out.put(std::uint64_t{0x112});
  out.put(std::uint64_t{0});
  out.put(std::uint64_t{arrays.size()});
  for (array const& a : arrays) detail::write_record(out, a, numpy);
  bool const named = detail::have_names(arrays);
  out.put(std::uint64_t{named ? arrays.size() : 0});
  for (array const& a : arrays) {
    if (!named) break;
    out.put(std::uint64_t{a.name.size()});
    out.append(a.name.data(), a.name.size());
  }
  return std::move(out.bytes);
}
// The same for a file of this name, which refuses names that no file may have.
inline std::vector<std::byte> params_bytes_for(std::string const& path, std::vector<array> const& arrays, bool numpy = false) {
  if (detail::have_names(arrays)) detail::check_names(path, arrays, true);
  return params_bytes(arrays, numpy);
}
// As write_file does: the old file or the new one, never a half.
inline void write_params(std::string const& path, std::vector<array> const& arrays) { write_file(path, params_bytes_for(path, arrays)); }

}  // namespace sinter::io::inline SINTER_ISA
