// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as an .npy file are an array that comes back from its own file and can be cast or says why not, or a file_error.
#include <sinter/io/cast.hpp>
#include <sinter/io/npy.hpp>

#include <cstdlib>

template <class T> static void cast(sinter::io::array const& a) {
  std::vector<T> to(sinter::io::detail::checked_count(a));
  try {
    sinter::io::detail::copy_elements(a, to.data(), true);
  } catch (sinter::dtype_error const&) {}
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    auto const a = sinter::io::parse_npy({reinterpret_cast<std::byte const*>(data), size}, "fuzz.npy");
    if (a.data.size() > size) std::abort();
    cast<float>(a);
    cast<std::int32_t>(a);
    cast<std::int64_t>(a);
    try {
      auto const again = sinter::io::parse_npy(sinter::io::npy_bytes(a), "again.npy");
      if (again.type != a.type || again.shape != a.shape || again.data != a.data) std::abort();
    } catch (sinter::error const&) { std::abort(); }
  } catch (sinter::file_error const& e) {
    if (e.offset() > size) std::abort();
  }
  return 0;
}
