// SPDX-License-Identifier: Apache-2.0
// From .npy files to tensors and back, checked.
#pragma once
#include <concepts>

#include "cast.hpp"
#include "npy.hpp"

namespace sinter::io::inline SINTER_ISA {

// A type with the shape and the element type of a tensor; this room does not know tensors themselves.
template <class T>
concept tensor_type = requires(dims const& d) {
  requires element_type<typename T::value_type> && T::device_type::is_host;
  { T::shape_type::value } -> std::convertible_to<dims>;
  { T(d, false).data() } -> std::convertible_to<typename T::value_type*>;
};
struct cast_options {
  bool cast_dtype = false;  // another element type is converted; a value that the tensor's cannot hold is an error
};

namespace detail {
// The extents of an array, which a tensor of type T can have.
template <tensor_type T> dims checked_extents(array const& a) {
  constexpr dims want = T::shape_type::value;
  dims shape;
  bool fits = a.shape.size() == static_cast<std::size_t>(want.rank);
  for (int i = 0; fits && i < want.rank; ++i) shape.push(a.shape[static_cast<std::size_t>(i)]);
  if (!fits || !T::fits(shape))
    throw shape_error("sinter: array " + in_quotes(a.name) + " has shape " + to_string(a.shape) + ", and a tensor of shape " +
                      sinter::to_string(want) + " was asked for");
  return shape;
}
}  // namespace detail

// An array as a tensor of type T. Another shape is a shape_error, another element type a dtype_error.
//   auto gamma = io::to_tensor<nd::tensor<float, shape<64>>>(arrays[0]);
template <tensor_type T> T to_tensor(array const& a, cast_options const& options = {}) {
  dims const shape = detail::checked_extents<T>(a);
  detail::checked_count(a);
  T t(shape, false);
  detail::copy_elements(a, t.data(), options.cast_dtype);
  return t;
}
// A tensor from an .npy file; shape and element type are checked. NumPy's default is float64, and {.cast_dtype = true} converts it.
//   auto labels = io::load<nd::tensor<int, shape<dim<"batch">>>>("labels.npy", {.cast_dtype = true});
template <tensor_type T> T load(std::string const& path, cast_options const& options = {}) {
  array a = read_npy(path);
  a.name = path;
  return to_tensor<T>(a, options);
}
template <std::convertible_to<std::string> Path> array load(Path const&, cast_options const& = {}) {
  static_assert(sizeof(Path) == 0,
                "sinter: a tensor has a type, which a file is loaded as: io::load<nd::tensor<float, shape<dim<\"n\">, 64>>>(path); "
                "io::read_npy(path) gives an array of the shape and dtype that it has");
  return {};
}
// A tensor as an .npy file.
template <tensor_type T> void save(std::string const& path, T const& tensor) {
  detail::refuse_extensions(path, {".npz", ".safetensors", ".params"},
                            "io::save writes one tensor as .npy; nd::save writes arrays by extension");
  T const t = tensor.contiguous();
  write_npy(path, detail::array_of(path, t.shape(), t.data()));
}

}  // namespace sinter::io::inline SINTER_ISA
