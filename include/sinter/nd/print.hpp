// SPDX-License-Identifier: Apache-2.0
// Arrays as NumPy writes them: a line for each row, an empty one between planes, and of more than a thousand elements only the first and
// last three along each dimension.
#pragma once
#include <ostream>
#include <sstream>
#include <string>

#include "../core/error.hpp"

namespace sinter {
inline namespace SINTER_ISA {

inline std::ostream& operator<<(std::ostream& out, dims const& s) { return out << to_string(s); }
}  // namespace SINTER_ISA

namespace nd::inline SINTER_ISA {

template <class T> class array_printer {
 public:
  array_printer(std::ostream& out, T const* data, dims const& shape, std::int64_t const* strides)
      : out_(out), data_(data), shape_(shape), strides_(strides), shortened_(shape.size() > 1000) {
    if (shape.size() == 0) out_ << "[]";
    else write(0, 0);
  }

 private:
  static constexpr std::size_t line_length = 75;
  static constexpr extent shown_at_an_end = 3;
  std::ostream& out_;
  T const* data_;
  dims const& shape_;
  std::int64_t const* strides_;
  bool shortened_;
  std::size_t column_ = 0;

  void break_line(int lines, int axis) {
    column_ = static_cast<std::size_t>(axis) + 1;
    out_ << std::string(static_cast<std::size_t>(lines), '\n') << std::string(column_, ' ');
  }
  void element(std::string const& text, bool first) {
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
  std::string in_words(std::int64_t place) const {
    std::ostringstream text;  // with the stream's precision and flags
    text.copyfmt(out_);
    text << +data_[place];
    return text.str();
  }
  void write(int axis, std::int64_t place) {
    if (axis == shape_.rank) {
      out_ << +data_[place];
      return;
    }
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
      if (last) element(left_out ? "..." : in_words(place + i * strides_[axis]), i == 0);
      else if (left_out) out_ << "...";
      else write(axis + 1, place + i * strides_[axis]);
      if (left_out) i = n - shown_at_an_end - 1;
    }
    out_ << ']';
  }
};

}  // namespace nd::inline SINTER_ISA
}  // namespace sinter
