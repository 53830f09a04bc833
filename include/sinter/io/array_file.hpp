// SPDX-License-Identifier: Apache-2.0
// A file of arrays whose elements are read when somebody asks for them.
#pragma once
#include <functional>

#include "file.hpp"

namespace sinter::io {

struct array_file {
  std::string path;
  std::vector<array> arrays;  // with their elements, or, where there is `read`, without
  // Reads the elements of arrays[i]: as many bytes as its shape takes. A file that is no longer what it was is a file_error.
  std::function<void(std::size_t i, std::span<std::byte> to)> read;
};

inline namespace SINTER_ISA {
// Array i of the file with its elements.
inline array read_array(array_file const& file, std::size_t i) {
  array a = file.arrays[i];
  if (!file.read) return a;
  a.data = detail::room_for(detail::checked_bytes(a.shape, a.type).value_or(0), file.path);
  file.read(i, a.data);
  return a;
}
}  // namespace SINTER_ISA

}  // namespace sinter::io
