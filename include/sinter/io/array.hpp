// SPDX-License-Identifier: Apache-2.0
// An array that came out of a file, and what all readers share: the bytes of a file and a cursor that never leaves them.
#pragma once
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/dtype.hpp"
#include "../core/error.hpp"
#include "../core/shape.hpp"

namespace sinter::io {

static_assert(std::endian::native == std::endian::little, "sinter: files are read and written on little-endian machines only");

// Row-major, in host byte order, without gaps; a bool is a byte 0 or 1. The name is what the file says, with its prefix if it has
// one. The dtype may be one that has no tensors (uint16, uint32, uint64): then `data` is what there is.
struct array {
  std::string name;
  dtype type = dtype::none;
  std::vector<extent> shape;
  std::vector<std::byte> data;
};

// The order of arrays says something in a file whose writer chose it, nothing where they are sorted by name, and of those from elsewhere
// nobody knows.
enum class array_order : std::int8_t { unknown, kept, sorted };

inline namespace SINTER_ISA {
// The number of elements; one for a scalar, whose shape is empty.
inline extent element_count(array const& a) {
  extent n = 1;
  for (extent e : a.shape) n *= e;
  return n;
}

// Unicode 15, table 3-7: no surrogates, no overlong forms, nothing above U+10FFFF.
inline bool is_utf8(std::string_view s) {
  for (std::size_t i = 0; i < s.size();) {
    auto const byte = [&](std::size_t k) { return i + k < s.size() ? static_cast<unsigned char>(s[i + k]) : 0u; };
    unsigned const b = byte(0), c = byte(1);
    std::size_t length = 1;
    if (b >= 0xc2 && b <= 0xdf) length = 2;
    else if (b >= 0xe0 && b <= 0xef) length = 3;
    else if (b >= 0xf0 && b <= 0xf4) length = 4;
    else if (b >= 0x80) return false;
    if ((b == 0xe0 && c < 0xa0) || (b == 0xed && c > 0x9f) || (b == 0xf0 && c < 0x90) || (b == 0xf4 && c > 0x8f)) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(k) & 0xc0) != 0x80) return false;
    i += length;
  }
  return true;
}

// A name as error sentences quote it: bytes that would garble a terminal are escaped, long names cut.
inline std::string in_quotes(std::string_view name) {
  static constexpr char hex[] = "0123456789abcdef";
  std::size_t most = 120;
  bool const is_cut = name.size() > most;
  while (is_cut && most > 0 && (static_cast<unsigned char>(name[most]) & 0xc0) == 0x80) --most;  // between two characters
  std::string_view const shown = name.substr(0, most);
  unsigned const end = is_utf8(shown) ? 0x100 : 0x80;
  std::string r = "`";
  for (char c : shown) {
    auto const u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u != 0x7f && u < end) r += c;
    else r += {'\\', 'x', hex[u >> 4], hex[u & 15]};
  }
  return r + (is_cut ? "...`" : "`");
}

// `1 input`, `2 inputs`
inline std::string counted(std::size_t n, std::string const& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }
// `a`, `b` and 3 more
inline std::string listed(std::vector<std::string> const& names) {
  constexpr std::size_t most = 20;
  std::string r;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) r += (i ? ", " : "") + in_quotes(names[i]);
  if (names.empty()) return "none";
  return names.size() > most ? r + " and " + std::to_string(names.size() - most) + " more" : r;
}

// A sentence on an array that a file does not have.
inline std::string missing_array(std::vector<array> const& have, std::string_view name) {
  std::vector<std::string> names;
  names.reserve(have.size());
  for (array const& a : have) names.push_back(a.name);
  return "there is no array " + in_quotes(name) + " in the file, which has " + listed(names);
}

// A shape as people write it, of any rank: (2, 3), (3,), (). An extent below zero shows as its name or as ?.
inline std::string to_string(std::vector<extent> const& shape) {
  std::string r = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) r += (i ? ", " : "") + sinter::to_string(shape[i]);
  return r + (shape.size() == 1 ? ",)" : ")");
}

namespace detail {

inline constexpr int largest_file_rank = 32;  // NumPy's and MXNet's; tensors have at most max_rank

// "arg:x" and "aux:x" are the argument and the auxiliary state x of a symbol.
inline std::string_view bare_name(std::string_view name) {
  return name.starts_with("arg:") || name.starts_with("aux:") ? name.substr(4) : name;
}

// The bytes that a shape takes, or nothing if the number does not fit. Zeros do not hide an overflow: the shape (0, 2^62, 2^62)
// takes no bytes, yet its strides would be wrong.
inline std::optional<std::uint64_t> checked_bytes(std::vector<extent> const& shape, dtype type) {
  auto n = static_cast<std::uint64_t>(bytes_of(type));
  bool zero = false;
  for (extent e : shape) {
    if (e < 0) return std::nullopt;
    if (e == 0) zero = true;
    else if (n > static_cast<std::uint64_t>(std::numeric_limits<extent>::max()) / static_cast<std::uint64_t>(e)) return std::nullopt;
    else n *= static_cast<std::uint64_t>(e);
  }
  return zero ? 0 : n;
}

// Throws where the bytes are not those of the shape and the dtype.
inline void check_bytes(array const& a, std::size_t largest_rank) {
  auto const size = checked_bytes(a.shape, a.type);
  if (!size || *size != a.data.size() || a.shape.size() > largest_rank)
    throw shape_error("sinter: " + std::to_string(a.data.size()) + " bytes are no " + std::string(name_of(a.type)) + " array of shape " +
                      to_string(a.shape));
}
// Row-major elements as an array.
template <class T> array array_of(std::string name, dims const& shape, T const* from) {
  array a{std::move(name), dtype_of<T>, {}, {}};
  for (int i = 0; i < shape.rank; ++i) a.shape.push_back(shape.d[i]);
  a.data.resize(static_cast<std::size_t>(shape.size()) * sizeof(T));
  if (!a.data.empty()) std::memcpy(a.data.data(), from, a.data.size());
  return a;
}

// To read a byte of 2 as a bool is undefined; every byte but 0 counts as true.
inline void normalise_bools(std::span<std::byte> bytes) {
  for (std::byte& b : bytes) b = b == std::byte{0} ? std::byte{0} : std::byte{1};
}
inline void normalise_bools(array& a) {
  if (a.type == dtype::boolean) normalise_bools(std::span(a.data));
}

struct close_file {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

inline std::string system_reason(int code) { return std::generic_category().message(code); }

}  // namespace detail

// A cursor over bytes. Whatever would leave them is a file_error that says where, what was wanted and how much is left.
class reader {
 public:
  reader(std::span<std::byte const> bytes, std::string file) : reader(bytes, bytes.size(), std::move(file)) {}
  // The first bytes of a file that has `size` of them.
  reader(std::span<std::byte const> first, std::uint64_t size, std::string file) : bytes_(first), size_(size), file_(std::move(file)) {}

  std::uint64_t offset() const { return at_; }
  std::uint64_t left() const { return size_ - at_; }
  bool starts_with(std::string_view magic) const {
    return bytes_.size() - at_ >= magic.size() && std::memcmp(bytes_.data() + at_, magic.data(), magic.size()) == 0;
  }

  // What a file is that no reader of sinter takes, and what to do; nothing where it may be another.
  std::string foreign() const {
    std::string_view const first = text();
    if (seems_torchs())
      return "it is a PyTorch checkpoint; write safetensors in Python: safetensors.torch.save_file(net.state_dict(), \"file.safetensors\")";
    if (first.starts_with("version https://git-lfs"))
      return "it is text, a git-lfs pointer, whose file was not fetched: git lfs pull does that";
    std::string start(first.substr(std::min(first.find_first_not_of("\xef\xbb\xbf \t\r\n"), first.size())).substr(0, 9));
    for (char& c : start)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (start == "<!doctype" || start.starts_with("<html"))
      return "it is text, an HTML page: what was downloaded is the page of a site, and not the file";
    return "";
  }
  // Behind what a file is not: what it seems to be, as far as its first bytes tell.
  std::string seeming() const {
    std::string_view const first = text();
    if (std::string const other = foreign(); !other.empty()) return "; " + other;
    if (seems_onnx()) return "; it seems to be an ONNX model, which onnx::load reads";
    if (first.starts_with(std::string_view("\x12\x01\0", 3)))
      return "; it seems to be a .params file of MXNet, which nn::load_parameters and nd::load read";
    if (first.starts_with("\x93NUMPY")) return "; it seems to be an .npy file, which io::load reads";
    if (first.starts_with("PK\x03\x04")) return "; it seems to be a ZIP file, as .npz is";
    if (first.starts_with("{")) return "; it seems to be JSON text; symbol_block::imports reads that of a symbol";
    if (seems_safetensors())
      return "; it seems to be a safetensors file; nn::load_parameters reads one of weights, symbol_block::load that of net.save()";
    return "";
  }
  // A ModelProto begins with its ir_version, and then has the name of its producer, the graph or the opset.
  bool seems_onnx() const {
    auto const at = [&](std::size_t i) { return static_cast<int>(bytes_[i]); };
    return bytes_.size() > 2 && at(0) == 0x08 && at(1) > 0 && at(1) < 32 && (at(2) == 0x12 || at(2) == 0x3a || at(2) == 0x42);
  }
  // Its header is shorter than 16 MiB.
  bool seems_safetensors() const {
    std::string_view const first = text();
    return first.size() > 8 && first[8] == '{' && first.substr(3, 5) == std::string_view("\0\0\0\0\0", 5);
  }
  // torch.save writes a zip archive whose first member is NAME/data.pkl, that of torch.jit NAME/data/0; before version 1.6 it wrote pickles.
  // (The header of safetensors may have 0x280 bytes.)
  bool seems_torchs() const {
    std::string_view const first = text();
    constexpr std::size_t at_length = 26, at_name = 30;  // of the header of a zip archive's member
    if (first.starts_with("\x80\x02")) return first.size() > 2 && first[2] != '\0' && !seems_safetensors();
    if (!first.starts_with("PK\3\4") || first.size() <= at_name) return false;
    auto const byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(first[i])}; };
    std::string_view const name = first.substr(at_name, byte(at_length) | byte(at_length + 1) << 8);
    return name.ends_with("/data.pkl") || name.ends_with("/data/0");
  }
  [[noreturn]] void fail_at(std::uint64_t offset, std::string reason) const { throw file_error(file_, offset, std::move(reason)); }
  [[noreturn]] void fail(std::string reason) const { fail_at(at_, std::move(reason)); }

  void want(std::uint64_t n, std::string_view what) const {
    if (n > left())
      fail("the file is truncated: " + std::string(what) + " needs " + std::to_string(n) + " bytes, " + std::to_string(left()) +
           " are left");
  }
  // The next n bytes; `what` names them in the error. They are as long-lived as the bytes of the reader.
  std::span<std::byte const> take(std::uint64_t n, std::string_view what) {
    want(n, what);
    if (n > bytes_.size() - at_) fail(std::string(what) + " is not among the first " + std::to_string(bytes_.size()) + " bytes");
    auto const r = bytes_.subspan(at_, static_cast<std::size_t>(n));
    at_ += r.size();
    return r;
  }
  // The next number, little-endian and at any address.
  template <class T> T get(std::string_view what) {
    static_assert(std::is_integral_v<T>);
    T v;
    std::memcpy(&v, take(sizeof v, what).data(), sizeof v);
    return v;
  }

 private:
  std::string_view text() const { return {reinterpret_cast<char const*>(bytes_.data()), bytes_.size()}; }
  std::span<std::byte const> bytes_;
  std::size_t at_ = 0;
  std::uint64_t size_;
  std::string file_;
};

}  // namespace SINTER_ISA
}  // namespace sinter::io
