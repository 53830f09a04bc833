// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as an .npz archive are arrays that come back from an archive of their own, or a file_error.
#include <sinter/io/npz.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sinter;
  std::vector<io::array> arrays;
  try {
    arrays = io::parse_npz({reinterpret_cast<std::byte const*>(data), size}, "fuzz.npz");
  } catch (file_error const& e) {
    if (e.offset() > 1100 * size) std::abort();  // in a member, unpacked
    return 0;
  }
  auto const again = io::parse_npz(io::npz_bytes(arrays, "again.npz"), "again.npz");
  if (again.size() != arrays.size()) std::abort();
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (again[i].type != arrays[i].type || again[i].shape != arrays[i].shape || again[i].data != arrays[i].data) std::abort();
  return 0;
}
