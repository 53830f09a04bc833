// SPDX-License-Identifier: Apache-2.0
// Tensors of any number, with names or without, in one file: MXNet's nd.save and nd.load.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../io/format.hpp"
#include "../io/tensor.hpp"
#include "tensor.hpp"

namespace sinter::nd::inline SINTER_ISA {

// A tensor on its way to a file.
struct named_array {
  io::array value;
  template <class T, class S, class D> named_array(std::string name, tensor<T, S, D> const& t) {
    tensor<T, S> const host = t.to(device::cpu).contiguous();
    value = io::detail::array_of(std::move(name), host.shape(), host.data());
  }
  template <class T, class S, class D> named_array(tensor<T, S, D> const& t) : named_array("", t) {}
};

// Writes tensors to a file, by its extension MXNet's params (which mx.nd.load reads), .safetensors or .npz; the last two where the program
// includes sinter/io/safetensors.hpp or sinter/io/npz.hpp. All have names, or none. The file is replaced as a whole or not at all.
//   nd::save("state.params", {{"mean", mean}, {"steps", steps}});   nd::save("list.params", {x, y});
template <class = void>
void save(std::string const& path, std::vector<named_array> const& tensors, io::save_options const& options = {}) {
  std::vector<io::array> arrays;
  arrays.reserve(tensors.size());
  for (named_array const& t : tensors) arrays.push_back(t.value);
  io::write_arrays(path, arrays, options);
}

// The arrays of a file, whose shapes and dtypes the file says.
class loaded_arrays {
 public:
  explicit loaded_arrays(io::array_file file) : file_(std::move(file)) {}
  std::size_t size() const { return file_.arrays.size(); }
  std::string const& name(std::size_t i) const {
    if (i >= size())
      throw file_error(file_.path, "it has " + io::counted(size(), "array") + ", and array " + std::to_string(i) + " is wanted");
    return file_.arrays[i].name;
  }
  // The array with its elements; of no such name it is a file_error.
  io::array read(std::size_t i) const {
    static_cast<void>(name(i));
    return io::read_array(file_, i);
  }
  io::array read(std::string_view name) const { return read(index(name)); }
  // As a tensor of this type. Another shape is a shape_error, another element type a dtype_error.
  template <io::tensor_type T> T get(std::size_t i, io::cast_options const& options = {}) const {
    try {
      return io::to_tensor<T>(read(i), options);
    } catch (dtype_error const& e) { throw dtype_error(in_file(e)); } catch (shape_error const& e) {
      throw shape_error(in_file(e));
    }
  }
  template <io::tensor_type T> T get(std::string_view name, io::cast_options const& options = {}) const {
    return get<T>(index(name), options);
  }

 private:
  std::string in_file(error const& e) const {
    return "sinter: " + file_.path + ": " + std::string(e.what()).substr(sizeof("sinter: ") - 1);
  }
  std::size_t index(std::string_view name) const {
    for (std::size_t i = 0; i < size(); ++i)
      if (file_.arrays[i].name == name) return i;
    throw file_error(file_.path, io::missing_array(file_.arrays, name));
  }
  io::array_file file_;
};

// Opens a file of arrays of any format, which its first bytes tell.
//   auto const state = nd::load("state.params");   auto mean = state.get<nd::tensor<float, shape<64>>>("mean");
template <class = void> loaded_arrays load(std::string const& path) { return loaded_arrays(io::open_arrays(path)); }

}  // namespace sinter::nd::inline SINTER_ISA
