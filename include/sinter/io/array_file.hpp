// SPDX-License-Identifier: Apache-2.0
// A file of arrays whose elements are read when somebody asks for them.
#pragma once
#include <functional>

#include "file.hpp"

namespace sinter::io {

// How the elements of array i come out of a file. A file that is no longer what it was is a file_error.
struct array_access {
  std::function<void(std::size_t i, std::span<std::byte> to)> read;           // copies them: as many bytes as its shape takes
  std::function<std::shared_ptr<std::byte>(std::size_t i)> map;  // where they lie, or nothing; what is written there stays private
  array_order order = array_order::unknown;
};

struct array_file {
  std::string path;
  std::vector<array> arrays;  // with their elements, or, where there is access.read, without
  array_access access;
};

inline namespace SINTER_ISA {
// The bytes that its elements take.
inline std::size_t size_in_bytes(array const& a) {
  auto const n = detail::checked_bytes(a.shape, a.type);
  if (!n) throw shape_error("sinter: array " + in_quotes(a.name) + " has the shape " + to_string(a.shape) + ", of too many elements");
  return static_cast<std::size_t>(*n);
}
// Array i of a file, which `what` describes, with its elements.
template <class = void> array read_array(array const& what, std::size_t i, array_access const& access, std::string const& path) {
  array a = what;
  a.data = detail::room_for(size_in_bytes(a), path);
  access.read(i, a.data);
  return a;
}
template <class = void> array read_array(array_file const& file, std::size_t i) {
  return file.access.read ? read_array(file.arrays[i], i, file.access, file.path) : file.arrays[i];
}
}  // namespace SINTER_ISA

}  // namespace sinter::io
