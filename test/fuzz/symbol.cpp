// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as MXNet's symbol JSON are a graph, which is written and read again as the same, or a file_error.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol/json.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    auto const s = sinter::symbol::load_json({reinterpret_cast<char const*>(data), size});
    std::string text;
    auto const attempt = [](auto const& what) {
      try {
        what();
      } catch (sinter::error const&) {}  // a control character in a name; shapes that do not fit
    };
    attempt([&] { text = s.tojson(); });
    attempt([&] { static_cast<void>(s.infer_shape()); });
    attempt([&] { static_cast<void>(s.infer_shape({{"data", {2, 3}}})); });
    if (!text.empty() && sinter::symbol::load_json(text).tojson() != text) std::abort();
  } catch (sinter::file_error const& e) {
    if (e.offset() > size) std::abort();
  }
  return 0;
}
