// SPDX-License-Identifier: Apache-2.0
// The header of a safetensors file: JSON that says what each array is and where its elements lie.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../array.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// Those that there are arrays of, in the order in which the format's own library writes them: widest first, so that all lie aligned.
struct safetensors_dtype {
  std::string_view name;
  dtype type;
};
inline constexpr safetensors_dtype safetensors_dtypes[] = {
    {"U64", dtype::uint64}, {"I64", dtype::int64},     {"F64", dtype::float64}, {"F32", dtype::float32}, {"U32", dtype::uint32},
    {"I32", dtype::int32},  {"BF16", dtype::bfloat16}, {"F16", dtype::float16}, {"U16", dtype::uint16},  {"I16", dtype::int16},
    {"I8", dtype::int8},    {"U8", dtype::uint8},      {"BOOL", dtype::boolean}};
inline constexpr std::string_view metadata_key = "__metadata__";

struct safetensors_entry {
  array what;  // without elements
  std::uint64_t begin = 0, end = 0;  // from the first byte behind the header
};
struct safetensors_header {
  std::vector<safetensors_entry> entries;  // as their elements lie
  std::map<std::string, std::string> metadata;
};

// Takes the header from the events of the JSON parser and lets nothing pass that the format does not have: two values for one key, a field
// of another name, a number that is not plain.
class safetensors_events {
 public:
  explicit safetensors_events(std::string const& file) : file_(file) {}
  safetensors_header header;

  bool start_object(std::size_t) {
    if (at_ == place::start) at_ = place::names;
    else if (at_ == place::entry) at_ = name_ == metadata_key ? place::metadata : place::fields;
    else fail("an object is in the wrong place");
    return true;
  }
  bool key(std::string& k) {
    if (at_ == place::names) {
      if (!names_.emplace(k, true).second) fail("the name " + in_quotes(k) + " stands there twice");
      name_ = k;
      at_ = place::entry;
    } else if (at_ == place::metadata) {
      if (!header.metadata.emplace(k, "").second) fail("the key " + in_quotes(k) + " of the metadata stands there twice");
      key_ = k;
      at_ = place::text;
    } else field(k);
    return true;
  }
  bool end_object() {
    if (at_ == place::fields) finish();
    at_ = at_ == place::names ? place::end : place::names;
    return true;
  }
  bool string(std::string& s) {
    if (at_ == place::text) header.metadata[key_] = s, at_ = place::metadata;
    else if (at_ == place::type) {
      auto const* const row =
          std::find_if(std::begin(safetensors_dtypes), std::end(safetensors_dtypes), [&](auto& r) { return r.name == s; });
      if (row == std::end(safetensors_dtypes)) fail_entry("the dtype " + in_quotes(s) + " is not one that is read");
      entry_.what.type = row->type;
      at_ = place::fields;
    } else fail("a string is in the wrong place");
    return true;
  }
  bool start_array(std::size_t) {
    if (at_ != place::shape && at_ != place::offsets) fail("an array is in the wrong place");
    at_ = at_ == place::shape ? place::extents : place::two_offsets;
    return true;
  }
  bool number_unsigned(std::uint64_t n) {
    if (at_ != place::extents && at_ != place::two_offsets) fail("a number is in the wrong place");
    if (at_ == place::extents && n > static_cast<std::uint64_t>(std::numeric_limits<extent>::max()))
      fail_entry("an extent does not fit in 64 bits");
    if (at_ == place::extents && entry_.what.shape.size() == largest_file_rank) fail_entry("the rank is above 32");
    if (at_ == place::extents) entry_.what.shape.push_back(static_cast<extent>(n));
    else if (offsets_ == 2) fail_entry("data_offsets are more than two numbers");
    else (offsets_++ == 0 ? entry_.begin : entry_.end) = n;
    return true;
  }
  bool end_array() {
    if (at_ == place::two_offsets && offsets_ != 2) fail_entry("data_offsets are not two numbers");
    at_ = place::fields;
    return true;
  }
  bool null() {
    if (at_ != place::entry || name_ != metadata_key) fail("null is in the wrong place");
    at_ = place::names;
    return true;
  }
  bool boolean(bool) { fail("true or false is in the wrong place"); }
  bool number_integer(std::int64_t) { fail("a number is negative"); }
  bool number_float(double, std::string const& text) { fail("the number " + in_quotes(text) + " is not a plain integer of 64 bits"); }
  bool binary(std::vector<std::uint8_t>&) { fail("bytes are in the wrong place"); }
  bool parse_error(std::size_t position, std::string const& token, nlohmann::json::exception const&) {
    throw file_error(file_, 8 + (position == 0 ? 0 : position - 1), "the header is no JSON: there is " + in_quotes(token));
  }

 private:
  enum class place : char { start, names, entry, metadata, text, fields, type, shape, extents, offsets, two_offsets, end };

  [[noreturn]] void fail(std::string const& reason) const {
    throw file_error(file_, 8, "the header is not that of safetensors: " + reason);
  }
  [[noreturn]] void fail_entry(std::string const& reason) const { throw file_error(file_, 8, "array " + in_quotes(name_) + ": " + reason); }

  void field(std::string const& k) {
    static constexpr std::pair<std::string_view, place> fields[] = {
        {"dtype", place::type}, {"shape", place::shape}, {"data_offsets", place::offsets}};
    for (unsigned i = 0; i < 3; ++i) {
      if (k != fields[i].first) continue;
      if ((seen_ >> i & 1u) != 0) fail_entry(k + " stands there twice");
      seen_ |= 1u << i;
      at_ = fields[i].second;
      return;
    }
    fail_entry("the field " + in_quotes(k) + " is not one of dtype, shape and data_offsets");
  }
  void finish() {
    if (seen_ != 7) fail_entry("it lacks dtype, shape or data_offsets");
    auto const bytes = checked_bytes(entry_.what.shape, entry_.what.type);
    if (!bytes) fail_entry("the shape " + to_string(entry_.what.shape) + " has too many elements");
    if (entry_.end < entry_.begin || entry_.end - entry_.begin != *bytes)
      fail_entry("bytes " + std::to_string(entry_.begin) + " to " + std::to_string(entry_.end) + " are not the " + std::to_string(*bytes) +
                 " of " + std::string(name_of(entry_.what.type)) + " " + to_string(entry_.what.shape));
    entry_.what.name = name_;
    header.entries.push_back(std::exchange(entry_, {}));
    seen_ = 0;
    offsets_ = 0;
  }

  std::string const& file_;
  place at_ = place::start;
  std::string name_, key_;
  std::map<std::string, bool> names_;
  safetensors_entry entry_;
  unsigned seen_ = 0;
  int offsets_ = 0;
};

// How long the header is that follows these eight bytes.
inline std::uint64_t length_of_safetensors_header(reader& in) {
  constexpr std::uint64_t longest = 100'000'000;  // the format's own limit
  bool const is_text = in.starts_with("{");
  if (std::string const other = in.foreign(); !other.empty()) in.fail("this is not a safetensors file; " + other);
  std::string const seems = in.seeming();
  auto const n = in.get<std::uint64_t>("the length of the header");
  if (n > longest && is_text) in.fail_at(0, "this is not a safetensors file, but JSON text; symbol_block::imports reads that of a symbol");
  if (n > longest) in.fail_at(0, "this is not a safetensors file: its header would have " + std::to_string(n) + " bytes" + seems);
  if (!seems.empty() && !in.starts_with("{")) in.fail_at(0, "this is not a safetensors file" + seems);
  in.want(n, "the header");
  return n;
}

// The header, of which `data` bytes follow. The elements of the arrays must fill these, without a hole and each byte once.
inline safetensors_header parse_safetensors_header(std::string_view text, std::uint64_t data, std::string const& file) {
  if (!text.starts_with('{')) throw file_error(file, 8, "this is not a safetensors file: its header does not begin with {");
  if (auto const zero = text.find('\0'); zero != text.npos) throw file_error(file, 8 + zero, "the header is no JSON: there is a zero byte");
  safetensors_events events(file);
  nlohmann::json::sax_parse(text.begin(), text.end(), &events);
  auto& entries = events.header.entries;
  std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  std::uint64_t const start = 8 + text.size();
  std::uint64_t at = 0;
  for (auto const& e : entries) {
    if (e.end > data)
      throw file_error(file, start + data,
                       "the file is truncated: the data of array " + in_quotes(e.what.name) + " end at byte " + std::to_string(e.end) +
                           " behind the header, and " + std::to_string(data) + " follow it");
    if (e.begin != at)
      throw file_error(file, start + std::min(e.begin, at),
                       "array " + in_quotes(e.what.name) + " begins at byte " + std::to_string(e.begin) +
                           " behind the header, and the one before it ends at " + std::to_string(at));
    at = e.end;
  }
  if (at != data) throw file_error(file, start + at, std::to_string(data - at) + " bytes follow the data");
  return std::move(events.header);
}

}  // namespace sinter::io::inline SINTER_ISA::detail
