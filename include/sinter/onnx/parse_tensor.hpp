// SPDX-License-Identifier: Apache-2.0
// Reads the tensors of an ONNX file, whose elements may stand in one of seven fields.
#pragma once
#include <algorithm>
#include <span>

#include "../io/array.hpp"
#include "message.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// The bytes that a shape takes; what does not fit in 63 bits is none.
inline std::optional<std::uint64_t> bytes_of(std::vector<std::int64_t> const& shape, element type) {
  auto const row = row_of(type);
  auto const n = io::detail::checked_bytes(shape, dtype::uint8);
  if (!n || *n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / 128) return std::nullopt;
  return (*n * static_cast<std::uint64_t>(row.bits) + 7) / 8;
}

// The elements of a tensor, from whichever field.
class tensor_reader {
 public:
  explicit tensor_reader(message in) : in_(in) { r_.at = in.at(); }
  tensor read() {
    while (std::uint32_t const field = in_.next()) read_field(field);
    finish();
    return std::move(r_);
  }

 private:
  message in_;
  tensor r_;
  enum class carrier : std::uint8_t { none, raw, reals, words, strings, longs, doubles, naturals } from_ = carrier::none;
  std::vector<std::int64_t> words_;

  void read_field(std::uint32_t field) {
    switch (field) {
      case 1: in_.each_number("a tensor's dims", [&](auto& in, char const* what) { add_extent(in.whole(what)); }); break;
      case 2: {
        std::int64_t const code = in_.whole("a tensor's data_type");
        if (!is_element(code)) in_.fail("a tensor has elements of type " + std::to_string(code) + ", which there is not");
        r_.type = static_cast<element>(code);
        break;
      }
      case 3: in_.fail("a tensor has segments, which no version of ONNX uses");
      case 4:
        from(carrier::reals);
        in_.each_number("float_data", [&](auto& in, char const* what) { append(in.real(what)); });
        break;
      case 5:
        from(carrier::words);
        in_.each_number("int32_data", [&](auto& in, char const* what) { words_.push_back(in.whole(what)); });
        break;
      case 6:
        from(carrier::strings);
        r_.strings.push_back(in_.string("string_data"));
        break;
      case 7:
        from(carrier::longs);
        in_.each_number("int64_data", [&](auto& in, char const* what) { append(in.whole(what)); });
        break;
      case 8: r_.name = in_.string("a tensor's name"); break;
      case 9: {
        from(carrier::raw);
        std::string_view const all = in_.bytes("raw_data");
        auto const* const first = reinterpret_cast<std::byte const*>(all.data());
        r_.data.assign(first, first + all.size());
        break;
      }
      case 10:
        from(carrier::doubles);
        in_.each_number("double_data", [&](auto& in, char const* what) { append(in.wide_real(what)); });
        break;
      case 11:
        from(carrier::naturals);
        in_.each_number("uint64_data", [&](auto& in, char const* what) { words_.push_back(in.whole(what)); });
        break;
      case 13: read_external(in_.inner("external_data")); break;
      case 14: r_.is_external = in_.whole("data_location") == 1; break;
      default: in_.skip();
    }
  }
  void add_extent(std::int64_t n) {
    if (n < 0) in_.fail("a tensor has the extent " + std::to_string(n));
    if (r_.shape.size() == io::detail::largest_file_rank) in_.fail("a tensor has more than 32 dimensions");
    r_.shape.push_back(n);
  }
  void from(carrier c) {
    if (from_ != carrier::none && (from_ != c || c == carrier::raw)) in_.fail("a tensor has its elements twice");
    from_ = c;
  }
  template <class T> void append(T v) {
    auto const at = r_.data.size();
    r_.data.resize(at + sizeof v);
    std::memcpy(r_.data.data() + at, &v, sizeof v);
  }
  void read_external(message in) {
    std::string key, text;
    while (std::uint32_t const field = in.next()) {
      if (field == 1) key = in.string("a key");
      else if (field == 2) text = in.string("a value");
      else in.skip();
    }
    auto const number = [&] {
      std::uint64_t n = 0;
      for (char c : text) {
        if (c < '0' || c > '9' || n > std::numeric_limits<std::uint64_t>::max() / 20) in.fail("external_data has no number as its " + key);
        n = 10 * n + static_cast<std::uint64_t>(c - '0');
      }
      return n;
    };
    if (key == "location") r_.external.location = text;
    else if (key == "offset") r_.external.offset = number();
    else if (key == "length") r_.external.length = number(), r_.external.has_length = true;
  }
  [[noreturn]] void fail(std::string const& reason) const {
    in_.fail("tensor " + io::in_quotes(r_.name) + " of " + std::string(name_of(r_.type)) + " " + io::to_string(r_.shape) + " " + reason);
  }
  carrier expected() const {
    switch (r_.type) {
      case element::float32:
      case element::complex64: return carrier::reals;
      case element::string: return carrier::strings;
      case element::int64: return carrier::longs;
      case element::float64:
      case element::complex128: return carrier::doubles;
      case element::uint32:
      case element::uint64: return carrier::naturals;
      default: return carrier::words;
    }
  }
  void finish() {
    if (r_.type == element::undefined) fail("has no type of elements");
    if (r_.is_external && from_ != carrier::none) fail("has its elements in another file, and here, too");
    auto const size = bytes_of(r_.shape, r_.type);
    if (!size) fail("has too many elements");
    if (r_.is_external) return;
    if (r_.type == element::string) {
      std::uint64_t n = 1;
      for (std::int64_t e : r_.shape) n *= static_cast<std::uint64_t>(e);
      if ((from_ != carrier::none && from_ != carrier::strings) || r_.strings.size() != n) fail("has not so many strings");
      return;
    }
    if (from_ != carrier::none && from_ != carrier::raw && from_ != expected())
      fail("has its elements in a field for those of other types");
    if (!words_.empty()) narrow();
    if (r_.data.size() != *size)
      fail("needs " + std::to_string(*size) + " bytes for its elements, and has " + std::to_string(r_.data.size()));
    if (r_.type == element::boolean)
      for (std::byte b : r_.data)
        if (b > std::byte{1}) fail("has a bool that is neither 0 nor 1");
  }
  // Elements of up to 32 bits stand in the file as numbers of 32 or 64, narrow floats as their bits.
  void narrow() {
    int const bits = std::max(row_of(r_.type).bits, 8);  // elements of fewer come as bytes, several in each
    bool const is_signed = r_.type == element::int8 || r_.type == element::int16 || r_.type == element::int32;
    std::int64_t const low = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    std::int64_t const high = (std::int64_t{1} << (bits == 64 ? 0 : is_signed ? bits - 1 : bits)) - 1;
    for (std::int64_t v : words_) {
      if (bits < 64 && (v < low || v > high)) fail("has the element " + std::to_string(v) + ", which its type cannot hold");
      for (int i = 0; i < bits; i += 8) r_.data.push_back(static_cast<std::byte>(v >> i & 255));
    }
  }
};

inline std::string_view as_text(std::span<std::byte const> bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }

}  // namespace detail

// One tensor, as in a file of test data. `file` is the name that errors show.
inline tensor parse_tensor(std::span<std::byte const> bytes, std::string const& file) {
  std::string_view const all = detail::as_text(bytes);
  return detail::tensor_reader({all, file}).read();
}

}  // namespace sinter::onnx::inline SINTER_ISA
