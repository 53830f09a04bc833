// SPDX-License-Identifier: Apache-2.0
// Reads and writes safetensors files. Needs nlohmann/json; with it included somewhere in the program, load_parameters, save_parameters,
// nd::load and nd::save have the format, too. (In a program for several instruction sets, include it in files for one of them: the linker
// keeps what nlohmann/json defines once, for any of them.)
#pragma once
#include "../core/buffer.hpp"
#include "array_file.hpp"
#include "detail/safetensors_file.hpp"
#include "format.hpp"
#include "tensor.hpp"
#include "write_safetensors.hpp"

namespace sinter::io::inline SINTER_ISA {

// A safetensors file: the header is read at once, elements when they are asked for. Copies of it are the same file, which stays open while
// one of them, or a tensor that it mapped, is there. Damage of any kind is a file_error; so are dtypes that there are no arrays of (F8, F4,
// complex). The format: https://github.com/huggingface/safetensors
//   io::safetensors const file("model.safetensors");
//   auto w = file.load<nd::tensor<float, shape<64, 64>>>("layers.0.weight", {.cast_dtype = true});
class safetensors {
 public:
  explicit safetensors(std::string const& path) : state_(std::make_shared<detail::safetensors_state>(path)) {}

  // Names, dtypes and shapes, without elements. Sorted by name, numbers as numbers: the file does not say in which order they are used.
  std::vector<array> const& arrays() const { return state_->arrays; }
  std::map<std::string, std::string> const& metadata() const { return state_->metadata; }

  // The array of this name, copied out of the file. A file that was changed since it was opened is a file_error.
  array read(std::string_view name) const { return read_array(as_array_file(), index(name)); }
  // The same as a tensor. Another shape is a shape_error, another element type a dtype_error.
  template <tensor_type T> T load(std::string_view name, cast_options const& options = {}) const {
    return to_tensor<T>(read(name), options);
  }

  // The elements where they lie in the file: nothing is copied, and pages are read when they are used. Nobody may write to it, nor make the
  // file shorter meanwhile: the system would end the program (SIGBUS); what `read` and `load` copy is safe from that. Elements that do not
  // lie aligned are copied, and bools.
  template <tensor_type T> T map(std::string_view name) const {
    std::size_t const i = index(name);
    array const& a = arrays()[i];
    using element = typename T::value_type;
    dims const extents = detail::checked_extents<T>(a);
    if (a.type != dtype_of<element>) detail::refuse_dtype<element>(a);
    std::byte* const from = state_->map(i);
    if (!from) return load<T>(name);
    using owner = std::shared_ptr<detail::safetensors_state>;
    auto* const values = reinterpret_cast<element*>(from);
    return T::share(buffer<element>(values, new owner(state_), [](void* o) { delete static_cast<owner*>(o); }), extents, true);
  }

  array_file as_array_file() const {
    return {state_->path,
            state_->arrays,
            {[state = state_](std::size_t i, std::span<std::byte> to) { state->read_array(i, to); },
             [state = state_](std::size_t i) { return std::shared_ptr<std::byte>(state, state->map(i)); }, array_order::sorted}};
  }

 private:
  std::size_t index(std::string_view name) const {
    for (std::size_t i = 0; i < arrays().size(); ++i)
      if (arrays()[i].name == name) return i;
    throw file_error(state_->path, missing_array(arrays(), name));
  }
  std::shared_ptr<detail::safetensors_state> state_;
};

// The arrays of a file that is in memory, sorted by name.
inline std::vector<array> parse_safetensors(std::span<std::byte const> bytes, std::string const& file) {
  reader in(bytes, file);
  auto const text = in.take(detail::length_of_safetensors_header(in), "the header");
  auto header = detail::parse_safetensors_header({reinterpret_cast<char const*>(text.data()), text.size()}, in.left(), file);
  std::vector<array> arrays;
  for (auto& e : header.entries) {
    auto const data = in.take(e.end - e.begin, "the elements");
    e.what.data.assign(data.begin(), data.end());
    detail::normalise_bools(e.what);
    arrays.push_back(std::move(e.what));
  }
  std::sort(arrays.begin(), arrays.end(), [](array const& a, array const& b) { return detail::counts_before(a.name, b.name); });
  return arrays;
}

// From here on the program has the format.
inline bool const has_safetensors = [] {
  codec& c = codec_of(file_format::safetensors);
  c.open = [](std::string const& path) { return safetensors(path).as_array_file(); };
  c.parse = [](std::span<std::byte const> bytes, std::string const& file) {
    return array_file{file, parse_safetensors(bytes, file), {{}, {}, array_order::sorted}};
  };
  c.write = [](std::string const& path, std::vector<array> const& arrays) { write_safetensors(path, arrays); };
  return true;
}();

}  // namespace sinter::io::inline SINTER_ISA
