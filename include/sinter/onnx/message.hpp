// SPDX-License-Identifier: Apache-2.0
// A message of a file in protobuf's wire format, field by field. protozero decodes it; every mistake is a file_error that says at which byte.
#pragma once
#include <algorithm>
#include <cstring>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "../core/error.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline constexpr int deepest_message = 100;  // as in protobuf

// A message: its fields one after the other, each read as what it is to be.
class message {
 public:
  // All of a file.
  message(std::string_view bytes, std::string const& file)
      : in_(protozero::data_view(bytes.data(), bytes.size())), begin_(bytes.data()), file_(file), depth_(0) {
    field_at_ = at_ = offset();
  }
  message(std::string_view bytes, char const* begin, std::string const& file, int depth)
      : in_(protozero::data_view(bytes.data(), bytes.size())), begin_(begin), file_(file), depth_(depth) {
    field_at_ = at_ = offset();
    if (depth > deepest_message)
      fail("messages lie in each other more than " + std::to_string(deepest_message) + " deep, which no model needs");
  }
  // The number of the next field; 0 behind the last.
  std::uint32_t next() {
    field_at_ = offset();
    return guarded([&] { return in_.next() ? in_.tag() : 0u; });
  }
  // Where the message begins.
  std::uint64_t at() const { return at_; }
  [[noreturn]] void fail(std::string reason) const { throw file_error(file_, field_at_, std::move(reason)); }
  void skip() {
    guarded([&] { in_.skip(); });
  }
  std::int64_t whole(char const* what) {
    want(protozero::pbf_wire_type::varint, what);
    return guarded([&] { return in_.get_int64(); });
  }
  std::uint64_t natural(char const* what) { return static_cast<std::uint64_t>(whole(what)); }
  float real(char const* what) {
    want(protozero::pbf_wire_type::fixed32, what);
    return guarded([&] { return in_.get_float(); });
  }
  double wide_real(char const* what) {
    want(protozero::pbf_wire_type::fixed64, what);
    return guarded([&] { return in_.get_double(); });
  }
  std::string_view bytes(char const* what) {
    want(protozero::pbf_wire_type::length_delimited, what);
    protozero::data_view const v = guarded([&] { return in_.get_view(); });
    return {v.data(), v.size()};
  }
  std::string string(char const* what) { return std::string(bytes(what)); }
  message inner(char const* what) { return {bytes(what), begin_, file_, depth_ + 1}; }
  // A repeated number: one of them, or many behind each other. f(read) is called for each, where read(this) is one of the above.
  template <class Read> void each_number(char const* what, Read read) {
    if (in_.wire_type() != protozero::pbf_wire_type::length_delimited) return read(*this, what);
    packed many{bytes(what), *this};
    while (!many.left.empty()) read(many, what);
  }

 private:
  protozero::pbf_reader in_;
  char const* begin_;
  std::string const& file_;
  int depth_;
  std::uint64_t at_, field_at_;

  // Numbers without tags.
  struct packed {
    std::string_view left;
    message& of;
    std::int64_t whole(char const*) {
      return of.guarded([&] {
        char const* from = left.data();
        auto const v = protozero::decode_varint(&from, left.data() + left.size());
        left.remove_prefix(static_cast<std::size_t>(from - left.data()));
        return static_cast<std::int64_t>(v);
      });
    }
    template <class T> T fixed(char const* what) {
      if (left.size() < sizeof(T)) of.fail(std::string(what) + " ends inside a number");
      T v;
      std::copy_n(left.begin(), sizeof v, reinterpret_cast<char*>(&v));
      left.remove_prefix(sizeof v);
      return v;
    }
    float real(char const* what) { return fixed<float>(what); }
    double wide_real(char const* what) { return fixed<double>(what); }
  };

  std::uint64_t offset() const { return static_cast<std::uint64_t>(in_.data().data() - begin_); }
  void want(protozero::pbf_wire_type type, char const* what) const {
    if (in_.wire_type() != type)
      fail(std::string(what) + " has wire type " + std::to_string(static_cast<int>(in_.wire_type())) + ", not " +
           std::to_string(static_cast<int>(type)));
  }
  template <class F> std::invoke_result_t<F&> guarded(F f) {
    try {
      return f();
    } catch (protozero::end_of_buffer_exception const&) {
      fail("the file or a message in it ends inside a field");
    } catch (protozero::varint_too_long_exception const&) {
      fail("a number has more than 10 bytes");
    } catch (protozero::unknown_pbf_wire_type_exception const&) {
      fail("a field has a wire type that protobuf no longer has; this is no ONNX file, or a damaged one");
    } catch (protozero::exception const&) { fail("a field has no number; this is no ONNX file, or a damaged one"); }
  }
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
