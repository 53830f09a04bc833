// SPDX-License-Identifier: Apache-2.0
// Reads and writes NumPy's .npy files.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "write.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

struct descr_row {
  std::string_view code;  // without the byte order
  dtype type;
};
inline constexpr descr_row descr_rows[] = {{"f4", dtype::float32}, {"f8", dtype::float64}, {"f2", dtype::float16}, {"u1", dtype::uint8},
                                           {"i4", dtype::int32},   {"i1", dtype::int8},    {"i8", dtype::int64},   {"b1", dtype::boolean},
                                           {"i2", dtype::int16},   {"u2", dtype::uint16},  {"u4", dtype::uint32},  {"u8", dtype::uint64}};

// The header is the text of a Python dictionary. This reads the few forms that NumPy writes or has written and evaluates nothing:
// strings without escapes, True and False, a tuple of plain numbers.
class npy_header {
 public:
  dtype type = dtype::none;
  bool big_endian = false, fortran_order = false;
  std::vector<extent> shape;

  npy_header(std::string_view text, std::uint64_t offset, bool python2, reader const& in)
      : text_(text), offset_(offset), python2_(python2), in_(in) {
    expect('{', "a dictionary");
    bool seen[3]{};
    while (!accept('}')) {
      auto const key_at = at_;
      auto const key = string("a key");
      std::size_t const k = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : 3;
      if (k == 3) fail(key_at, "the key " + in_quotes(key) + " is not one of descr, fortran_order and shape");
      if (seen[k]) fail(key_at, "the key " + in_quotes(key) + " stands there twice");
      seen[k] = true;
      expect(':', "a colon");
      if (k == 0) descr();
      else if (k == 1) fortran_order = truth();
      else tuple();
      if (accept(',')) continue;
      expect('}', "a comma or the end of the dictionary");
      break;
    }
    if (!seen[0] || !seen[1] || !seen[2]) fail(at_, "the dictionary lacks one of the keys descr, fortran_order and shape");
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    if (at_ != text_.size()) fail(at_, "something follows the dictionary");
  }

 private:
  [[noreturn]] void fail(std::size_t at, std::string const& reason) const { refuse(at, "the header is not NumPy's: " + reason); }
  [[noreturn]] void refuse(std::size_t at, std::string const& reason) const { in_.fail_at(offset_ + at, reason); }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, char const* what) {
    if (!accept(c)) fail(at_, std::string(what) + " was expected");
  }

  std::string_view string(char const* what) {
    skip_spaces();
    char const quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') fail(at_, std::string(what) + " in quotes was expected");
    auto const first = ++at_;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_)
      if (text_[at_] < ' ' || text_[at_] > '~' || text_[at_] == '\\') fail(at_, "a string has an escape or a character outside ASCII");
    if (at_ == text_.size()) fail(first, "a string has no end");
    return text_.substr(first, at_++ - first);
  }

  bool truth() {
    skip_spaces();
    for (std::string_view word : {"True", "False"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    fail(at_, "fortran_order is neither True nor False");
  }

  void tuple() {
    expect('(', "the shape as a tuple");
    while (!accept(')')) {
      auto const at = at_;
      shape.push_back(number());
      if (shape.size() > largest_file_rank) fail(at, "the rank is above 32");
      if (accept(',')) continue;
      if (shape.size() == 1) fail(at_, "a comma was expected: (2) is a number, (2,) a tuple");
      expect(')', "a comma or the end of the tuple");
      break;
    }
  }

  extent number() {
    skip_spaces();
    auto const at = at_;
    auto const is_digit = [&] { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; };
    if (!is_digit()) fail(at, at < text_.size() && text_[at] == '-' ? "an extent is negative" : "an extent is not a plain number");
    extent n = 0;
    for (; is_digit(); ++at_) {
      int const digit = text_[at_] - '0';
      if (n > (std::numeric_limits<extent>::max() - digit) / 10) fail(at, "an extent does not fit in 64 bits");
      n = 10 * n + digit;
    }
    if (text_[at] == '0' && at_ - at > 1) fail(at, "an extent has a leading zero");
    if (python2_ && at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote its long integers so
    return n;
  }

  void descr() {
    skip_spaces();
    auto const at = at_;
    if (at_ < text_.size() && text_[at_] == '[') refuse(at, "structured arrays are not read: save each field alone");
    auto const all = string("the dtype");
    auto const code = all.find_first_of("<>|=") == 0 ? all.substr(1) : all;
    for (auto const& row : descr_rows)
      if (row.code == code) type = row.type;
    big_endian = all.starts_with(">");
    if (type == dtype::none) refuse(at, "the dtype " + in_quotes(all) + " is not read: " + refusal(code));
  }

  static std::string refusal(std::string_view code) {
    switch (code.empty() ? ' ' : code[0]) {
      case 'O': return "Python objects (pickle) can run code";
      case 'S':
      case 'a':
      case 'U': return "it is text";
      case 'V': return "it is raw bytes; if they are bfloat16, save them as float32";
      case 'M':
      case 'm': return "it is a time; save it as int64";
      case 'c': return "there are no complex tensors";
      case 'f': return "only floats of 2, 4 and 8 bytes are; longdouble differs from machine to machine";
      case 'b': return "a bool has 1 byte; MXNet's bfloat16 (b2) is not NumPy's, save it as float32";
      default: return "only bool, integers of 1 to 8 and floats of 2 to 8 bytes are";
    }
  }

  std::string_view text_;
  std::uint64_t offset_;
  bool python2_;
  reader const& in_;
  std::size_t at_ = 0;
};

// From first-index-fastest to last-index-fastest: walks the result in order and keeps the offset in the source by an odometer.
inline std::vector<std::byte> to_c_order(std::span<std::byte const> from, std::vector<extent> const& shape, std::size_t size) {
  std::vector<std::byte> to(from.size());
  std::size_t const rank = shape.size();
  std::vector<std::size_t> both(2 * rank + 1, 0);  // in one, because GCC 12 warns at -O3 of the memory of a second
  std::size_t *const index = both.data(), *const stride = index + rank;
  stride[0] = size;
  for (std::size_t i = 1; i < rank; ++i) stride[i] = stride[i - 1] * static_cast<std::size_t>(shape[i - 1]);
  std::size_t source = 0;
  for (std::size_t at = 0; at < to.size(); at += size) {
    std::memcpy(to.data() + at, from.data() + source, size);
    for (std::size_t i = rank; i-- > 0;) {
      source += stride[i];
      if (++index[i] < static_cast<std::size_t>(shape[i])) break;
      source -= index[i] * stride[i];
      index[i] = 0;
    }
  }
  return to;
}

// All that stands before the data, which must be as many bytes as are left then.
inline npy_header start_of_npy(reader& in) {
  constexpr std::uint64_t longest_header = 1 << 16;
  if (std::string const other = in.foreign(); !other.empty()) in.fail("this is not an .npy file; " + other);
  if (in.starts_with("PK\3\4"))
    in.fail("this is a zip archive, perhaps .npz, not a single .npy array: nd::load reads it, with sinter/io/npz.hpp included");
  if (!in.starts_with("\x93NUMPY")) in.fail("this is not an .npy file: it does not begin with 93 4e 55 4d 50 59" + in.seeming());
  in.take(6, "the magic");
  int const major = in.get<std::uint8_t>("the version"), minor = in.get<std::uint8_t>("the version");
  if (major < 1 || major > 3 || minor != 0)
    in.fail_at(6, "the version is " + std::to_string(major) + "." + std::to_string(minor) + ", not 1.0, 2.0 or 3.0");
  std::uint64_t const length = major == 1 ? in.get<std::uint16_t>("the header length") : in.get<std::uint32_t>("the header length");
  if (length > longest_header) in.fail_at(8, "the header has " + std::to_string(length) + " bytes, more than any array needs");
  auto const header_at = in.offset();
  auto const text = in.take(length, "the header");
  npy_header header({reinterpret_cast<char const*>(text.data()), text.size()}, header_at, major < 3, in);
  auto const size = checked_bytes(header.shape, header.type);
  if (!size) in.fail_at(header_at, "the shape " + to_string(header.shape) + " has too many elements");
  in.want(*size, "the data of shape " + to_string(header.shape));
  if (in.left() != *size) in.fail_at(in.offset() + *size, std::to_string(in.left() - *size) + " bytes follow the data");
  return header;
}

}  // namespace detail

// One .npy array of format 1.0, 2.0 or 3.0, as row-major little-endian data and with an empty name. Damage of any kind, dtypes
// that sinter does not have and bytes behind the data (NumPy lets several arrays follow each other) are a file_error; `file` is
// the name it shows.
inline array parse_npy(std::span<std::byte const> bytes, std::string const& file) {
  reader in(bytes, file);
  detail::npy_header const header = detail::start_of_npy(in);
  auto const data = in.take(in.left(), "the data");
  array a{{}, header.type, header.shape, {}};
  auto const item = static_cast<std::size_t>(bytes_of(a.type));
  if (header.fortran_order) a.data = detail::to_c_order(data, a.shape, item);
  else a.data.assign(data.begin(), data.end());
  if (header.big_endian)
    for (std::size_t i = 0; i < a.data.size(); i += item) std::reverse(a.data.data() + i, a.data.data() + i + item);
  detail::normalise_bools(a);
  return a;
}
//   auto images = sinter::io::read_npy("images.npy");
inline array read_npy(std::string const& path) {
  return parse_npy(read_file(path, [](reader in) { detail::start_of_npy(in); }), path);
}

// The .npy file of an array, format 1.0, byte for byte what NumPy 1.24 and later write. bfloat16, which .npy cannot name, is a
// dtype_error; a shape that disagrees with the data is a shape_error.
inline std::vector<std::byte> npy_bytes(array const& a) {
  std::string_view code;
  for (auto const& row : detail::descr_rows)
    if (row.type == a.type) code = row.code;
  if (code.empty()) throw dtype_error("sinter: an .npy file has no elements of " + std::string(name_of(a.type)) + ": cast them to float32");
  detail::check_bytes(a, detail::largest_file_rank);

  std::string text = "{'descr': '";
  (text += bytes_of(a.type) == 1 ? '|' : '<') += code;
  ((text += "', 'fortran_order': False, 'shape': ") += to_string(a.shape)) += ", }";
  // NumPy leaves room for the first extent to grow to 21 digits in place, then aligns the data to 64 bytes.
  if (!a.shape.empty()) text.append(21 - std::to_string(a.shape[0]).size(), ' ');
  text.append(64 - (8 + 2 + text.size() + 1) % 64, ' ');
  text += '\n';

  std::string start("\x93NUMPY\1\0", 8);
  start += static_cast<char>(text.size() & 255);
  start += static_cast<char>(text.size() >> 8);
  start += text;
  std::vector<std::byte> bytes(start.size() + a.data.size());
  std::memcpy(bytes.data(), start.data(), start.size());
  if (!a.data.empty()) std::memcpy(bytes.data() + start.size(), a.data.data(), a.data.size());
  return bytes;
}

// As write_file does: the old file or the new one, never a half.
inline void write_npy(std::string const& path, array const& a) { write_file(path, npy_bytes(a)); }

}  // namespace sinter::io::inline SINTER_ISA
