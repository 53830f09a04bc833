// SPDX-License-Identifier: Apache-2.0
// What the tests of files share: bytes built by hand, temporary files, and the error that a call throws.
#pragma once
#include <sinter/io/array.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace io_test {

using bytes = std::vector<std::byte>;

// Appends numbers in host order and text: b.u32(1).text("arg:w").
struct builder {
  bytes data;
  template <class T> builder& number(T v) {
    auto const at = data.size();
    data.resize(at + sizeof v);
    std::memcpy(data.data() + at, &v, sizeof v);
    return *this;
  }
  builder& u32(std::uint32_t v) { return number(v); }
  builder& i32(std::int32_t v) { return number(v); }
  builder& u64(std::uint64_t v) { return number(v); }
  builder& i64(std::int64_t v) { return number(v); }
  builder& f32(float v) { return number(v); }
  builder& text(std::string_view s) {
    for (char c : s) number(c);
    return *this;
  }
  builder& more(builder const& b) {
    data.insert(data.end(), b.data.begin(), b.data.end());
    return *this;
  }
};

inline bytes from_hex(std::string_view hex) {
  bytes r;
  int half = -1;
  for (char c : hex) {
    if (c == ' ' || c == '\n') continue;
    int const v = c <= '9' ? c - '0' : c - 'a' + 10;
    if (half >= 0) r.push_back(static_cast<std::byte>(half * 16 + v));
    half = half >= 0 ? -1 : v;
  }
  return r;
}

// A zip archive's first bytes: the header of a member of this name.
inline bytes start_of_zip(std::string_view member) {
  builder b;
  b.text("PK\3\4").data.resize(26);
  return b.number(static_cast<std::uint16_t>(member.size())).number(std::uint16_t{0}).text(member).u64(0).data;
}

template <class T> bytes with(bytes b, std::size_t at, T v) {
  std::memcpy(b.data() + at, &v, sizeof v);
  return b;
}

template <class T> std::vector<T> elements_of(sinter::io::array const& a) {
  std::vector<T> r(a.data.size() / sizeof(T));
  if (!r.empty()) std::memcpy(r.data(), a.data.data(), a.data.size());
  return r;
}

// "offset|reason" of the file_error that f throws, or "no error". Anything else escapes and fails the test.
template <class F> std::string error_of(F const& f) {
  try {
    f();
  } catch (sinter::file_error const& e) { return std::to_string(e.offset()) + "|" + e.reason(); }
  return "no error";
}
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// A folder of its own that goes away with the test.
struct folder {
  std::filesystem::path path;
  explicit folder(std::string const& name) : path(std::filesystem::temp_directory_path() / ("sinter-test-" + name)) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() { std::filesystem::remove_all(path); }
  std::string file(std::string const& name) const { return (path / name).string(); }
  std::size_t count() const {
    std::size_t n = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(path)) ++n;
    return n;
  }
};
inline void write(std::string const& path, bytes const& b) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<char const*>(b.data()), static_cast<std::streamsize>(b.size()));
}

}  // namespace io_test
