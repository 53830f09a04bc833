// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a safetensors file are arrays that come back from a file of their own, or a file_error.
#include <sinter/io/safetensors.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sinter;
  std::vector<io::array> arrays;
  try {
    arrays = io::parse_safetensors({reinterpret_cast<std::byte const*>(data), size}, "fuzz.safetensors");
  } catch (file_error const& e) {
    if (e.offset() > size) std::abort();
    return 0;
  }
  std::size_t total = 0;
  for (auto const& a : arrays) total += a.data.size();
  if (total > size) std::abort();
  auto const bytes = io::safetensors_bytes(arrays);
  auto const again = io::parse_safetensors(bytes, "again.safetensors");
  if (again.size() != arrays.size()) std::abort();
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (again[i].name != arrays[i].name || again[i].type != arrays[i].type || again[i].shape != arrays[i].shape ||
        again[i].data != arrays[i].data)
      std::abort();
  return 0;
}
