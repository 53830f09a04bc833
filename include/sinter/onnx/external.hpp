// SPDX-License-Identifier: Apache-2.0
// Tensors of a model whose elements lie in other files beside it: they are read, as if they stood in the model.
#pragma once
#include <set>

#include "../io/file.hpp"
#include "parse_tensor.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

class external_reader {
 public:
  explicit external_reader(std::string const& file) : file_(file) {
    auto const slash = file.rfind('/');
    if (slash != std::string::npos) folder_ = file.substr(0, slash + 1);
  }
  void read(model_proto& m) {
    read(m.graph);
    for (function& f : m.functions) read(f.nodes);
  }
  // The other files that were read.
  std::set<std::string> const& files() const { return files_; }

 private:
  void read(graph& g) {
    for (tensor& t : g.initializers) read(t);
    read(g.nodes);
  }
  void read(std::vector<node>& nodes) {
    for (node& n : nodes)
      for (attribute& a : n.attributes) {
        for (tensor& t : a.tensors) read(t);
        for (graph& inner : a.graphs) read(inner);
      }
  }
  std::string const& file_;
  std::string folder_, open_name_;
  std::set<std::string> files_;
  std::optional<io::detail::opened_file> open_;  // the last one: tensors lie one behind the other in few files

  [[noreturn]] void fail(tensor const& t, std::string const& reason) const {
    throw file_error(file_, t.at, "tensor " + io::in_quotes(t.name) + " lies in " + io::in_quotes(t.external.location) + ", " + reason);
  }
  // A model names files in its own folder and below, none that it could find elsewhere.
  static bool stays_inside(std::string_view location) {
    if (location.empty() || location[0] == '/') return false;
    for (std::string_view rest = location;;) {
      auto const slash = rest.find('/');
      if (rest.substr(0, slash) == "..") return false;
      if (slash == rest.npos) return location.find('\0') == location.npos;
      rest.remove_prefix(slash + 1);
    }
  }
  void read(tensor& t) {
    if (!t.is_external) return;
    if (t.type == element::string) fail(t, "and strings stand in the model itself");
    if (!stays_inside(t.external.location)) fail(t, "and only files in the folder of the model are read");
    std::uint64_t const size = bytes_of(t.shape, t.type).value(), offset = t.external.offset;
    if (t.external.has_length && t.external.length != size)
      fail(t, "of which it says " + std::to_string(t.external.length) + " bytes, and its elements need " + std::to_string(size));
    std::string const path = folder_ + t.external.location;
    if (!open_ || open_name_ != path) {
      open_.reset();
      try {
        open_.emplace(io::detail::open_to_read(path));
      } catch (file_error const& e) { fail(t, "and " + e.reason()); }
      open_name_ = path;
      files_.insert(path);
    }
    if (offset > open_->size() || size > open_->size() - offset)
      fail(t, "which has " + std::to_string(open_->size()) + " bytes, and bytes " + std::to_string(offset) + " to " +
                  std::to_string(offset + size) + " are wanted");
    t.data = io::detail::room_for(size, path);
    std::FILE* const from = open_->handle.get();
    if (::fseeko(from, static_cast<off_t>(offset), SEEK_SET) != 0 || std::fread(t.data.data(), 1, t.data.size(), from) != t.data.size())
      throw file_error(path, offset, "the file cannot be read, or was cut meanwhile");
    if (t.type == element::boolean)
      for (std::byte const b : t.data)
        if (b > std::byte{1}) fail(t, "and has a bool there that is neither 0 nor 1");
    t.is_external = false;
    t.external = {};
  }
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
