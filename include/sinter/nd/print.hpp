// SPDX-License-Identifier: Apache-2.0
// Arrays as NumPy writes them: a line for each row, an empty one between planes, and of more than a thousand elements only the first and
// last three along each dimension. Where all floats are whole numbers, they have no points; NumPy writes 1. for them.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "words.hpp"

namespace sinter {
inline namespace SINTER_ISA {

inline std::ostream& operator<<(std::ostream& out, dims const& s) { return out << to_string(s); }
}  // namespace SINTER_ISA

namespace nd::inline SINTER_ISA {

inline constexpr extent shown_at_an_end = 3;

// Words in brackets; a row that is too long goes on in the next line.
class word_layout {
 public:
  word_layout(std::ostream& out, dims const& shape, bool shortened, std::vector<std::string> const& words)
      : out_(out), shape_(shape), shortened_(shortened), next_(words.begin()) {
    write(0);
  }

 private:
  std::ostream& out_;
  dims const& shape_;
  bool shortened_;
  std::vector<std::string>::const_iterator next_;
  std::size_t column_ = 0;

  void break_line(int lines, int axis) {
    column_ = static_cast<std::size_t>(axis) + 1;
    out_ << std::string(static_cast<std::size_t>(lines), '\n') << std::string(column_, ' ');
  }
  void word(std::string const& text, bool first) {
    std::size_t const line_length = static_cast<std::size_t>(75 - shape_.rank);
    if (!first && column_ + 2 + text.size() > line_length) {
      out_ << ',';
      break_line(1, shape_.rank - 1);
    } else if (!first) {
      out_ << ", ";
      column_ += 2;
    }
    out_ << text;
    column_ += text.size();
  }
  void write(int axis) {
    out_ << '[';
    column_ = static_cast<std::size_t>(axis) + 1;
    extent const n = shape_.d[axis];
    bool const last = axis + 1 == shape_.rank, gap = shortened_ && n > 2 * shown_at_an_end;
    for (extent i = 0; i < n; ++i) {
      bool const left_out = gap && i == shown_at_an_end;
      if (!last && i > 0) {
        out_ << ',';
        break_line(shape_.rank - axis - 1, axis);
      }
      if (last) word(left_out ? "..." : *next_++, i == 0);
      else if (left_out) out_ << "...";
      else write(axis + 1);
      if (left_out) i = n - shown_at_an_end - 1;
    }
    out_ << ']';
  }
};

template <class T> class array_printer {
 public:
  array_printer(std::ostream& out, T const* data, dims const& shape, std::int64_t const* strides)
      : data_(data), shape_(shape), strides_(strides), shortened_(shape.size() > 1000) {
    if (shape.size() == 0) out << "[]";
    else if (shape.rank == 0) out << word_of<std::remove_const_t<T>>(*data, out);
    else {
      collect(0, 0);
      std::vector<std::string> const words = words_of(shown_, out);
      word_layout const written(out, shape, shortened_, words);
    }
  }

 private:
  T const* data_;
  dims const& shape_;
  std::int64_t const* strides_;
  bool shortened_;
  std::vector<std::remove_const_t<T>> shown_;

  void collect(int axis, std::int64_t place) {
    if (axis == shape_.rank) return shown_.push_back(data_[place]);
    extent const n = shape_.d[axis];
    for (extent i = 0; i < n; ++i) {
      if (shortened_ && n > 2 * shown_at_an_end && i == shown_at_an_end) i = n - shown_at_an_end;
      collect(axis + 1, place + i * strides_[axis]);
    }
  }
};

}  // namespace nd::inline SINTER_ISA
}  // namespace sinter
