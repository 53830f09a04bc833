// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a .params file are arrays that keep their promises, or a file_error.
#include <sinter/io/params.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    auto const arrays = sinter::io::parse_params({reinterpret_cast<std::byte const*>(data), size}, "fuzz.params");
    std::size_t total = 0;
    for (auto const& a : arrays) {
      total += a.data.size();
      if (static_cast<std::size_t>(sinter::io::element_count(a)) * static_cast<std::size_t>(bytes_of(a.type)) != a.data.size())
        std::abort();
      if (a.type == sinter::dtype::boolean)
        for (auto b : a.data)
          if (b > std::byte{1}) std::abort();
    }
    if (total > 65 * size) std::abort();  // the limit of sparse arrays, and the dense ones
  } catch (sinter::file_error const& e) {
    if (e.offset() > size) std::abort();
  }
  return 0;
}
