// SPDX-License-Identifier: Apache-2.0
// The exceptions of sinter, all derived from sinter::error.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "dtype.hpp"
#include "shape.hpp"

namespace sinter {

// The base class. `what()` is one sentence, which begins with the path of the layer where that is known.
class error : public std::runtime_error {
 public:
  SINTER_OWN explicit error(std::string const& sentence) : std::runtime_error(sentence), sentence_(sentence) {}
  char const* what() const noexcept override { return sentence_.c_str(); }
  SINTER_OWN std::string const& layer() const noexcept { return layer_; }
  // Sets the layer in which it happened. Each block that the exception leaves calls it; the outermost knows the whole path.
  SINTER_OWN void set_layer(std::string path) {
    layer_ = std::move(path);
    sentence_ = "in " + layer_ + ": " + std::runtime_error::what();
  }
  // The block that threw the exception, or that it left last.
  SINTER_OWN void const* where() const noexcept { return where_; }
  SINTER_OWN void const* where_type() const noexcept { return where_type_; }
  SINTER_OWN void set_where(void const* block, void const* type) noexcept {
    where_ = block;
    where_type_ = type;
  }

 private:
  std::string sentence_, layer_;
  void const *where_ = nullptr, *where_type_ = nullptr;
};
// Shapes that do not fit: the operation and both shapes are in the sentence.
class shape_error : public error {
  using error::error;
};
// Element types that do not fit.
class dtype_error : public error {
  using error::error;
};
// A parameter that is missing, not initialised or of another shape.
class parameter_error : public error {
  using error::error;
};
// The device: there is none, it is out of memory, it failed, or this program has no code for it.
class device_error : public error {
  using error::error;
};
// A damaged or foreign file: name, offset in bytes from its start, and the reason.
class file_error : public error {
 public:
  SINTER_OWN file_error(std::string file, std::uint64_t offset, std::string reason)
      : error(start_of(file) + ", at byte " + std::to_string(offset) + ": " + reason),
        file_(std::move(file)),
        offset_(offset),
        reason_(std::move(reason)) {}
  // Of a file of which nothing was read.
  SINTER_OWN file_error(std::string file, std::string reason)
      : error(start_of(file) + ": " + reason), file_(std::move(file)), offset_(0), reason_(std::move(reason)) {}
  SINTER_OWN std::string const& file() const noexcept { return file_; }
  SINTER_OWN std::uint64_t offset() const noexcept { return offset_; }
  SINTER_OWN std::string const& reason() const noexcept { return reason_; }

 private:
  SINTER_OWN static std::string start_of(std::string const& file) {
    std::string text = "sinter: ";
    return file.empty() ? text += "''" : text += file;  // an empty name is not seen
  }
  std::string file_;
  std::uint64_t offset_;
  std::string reason_;
};

inline namespace SINTER_ISA {
// An extent and a shape as people write them: 512, batch, ?; (batch, 512).
std::string to_string(extent e);
std::string to_string(dims const& s);
// Extents as they were given: a negative one is a mistake here, not a dynamic dimension.
std::string numbers_of(dims const& s);
// What an error says behind "sinter: ".
std::string reason_of(error const& e);

#if !defined(SINTER_COMPILED_ELSEWHERE)
SINTER_COMPILED_ONCE std::string to_string(extent e) {
  if (e >= 0) return std::to_string(e);
  if (!is_named(e)) return "?";
  char name[16]{};
  detail::unpack_name(e, name);
  return name;
}
SINTER_COMPILED_ONCE std::string to_string(dims const& s) {
  if (s.rank < 0) return "(unknown)";
  std::string r = "(";
  for (int i = 0; i < s.rank; ++i) r += (i ? ", " : "") + to_string(s.d[i]);
  return r + (s.rank == 1 ? ",)" : ")");
}
SINTER_COMPILED_ONCE std::string numbers_of(dims const& s) {
  if (s.rank < 0) return "(more than eight)";
  std::string r = "(";
  for (int i = 0; i < s.rank; ++i) r += (i ? ", " : "") + std::to_string(s.d[i]);
  return r + (s.rank == 1 ? ",)" : ")");
}
SINTER_COMPILED_ONCE std::string reason_of(error const& e) {
  std::string sentence = e.what();
  if (sentence.starts_with("sinter: ")) sentence.erase(0, 8);
  return sentence;
}
#endif

}  // namespace SINTER_ISA
}  // namespace sinter
