// SPDX-License-Identifier: Apache-2.0
// A network's parameters into a file.
#pragma once
#include "../io/format.hpp"
#include "../ops/registry.hpp"
#include "visit.hpp"

namespace sinter::nn::inline SINTER_ISA {

// All parameters and states as arrays, in the order of the members, named by their paths: hidden.weight. One without values is a
// parameter_error. Parameters that share their values are an array each.
template <class M> std::vector<io::array> arrays_of(M const& net) {
  std::vector<io::array> arrays;
  visit_parameters(net, [&]<class T>(parameter_of<T> const& p, std::string_view name, dims const& declared) {
    if (!p.has_values() && p.is_initialized() && declared.fixed()) p.use(declared);  // as it begins: no call has read it yet
    if (!p.has_values())
      throw parameter_error("sinter: parameter " + io::in_quotes(name) +
                            " has no values to save; call initialize(), and the network once if its inputs say the shape");
    arrays.push_back(io::detail::array_of(std::string(name), p.shape(), p.storage().data()));
  });
  return arrays;
}

// MXNet's params file, as Gluon's save_parameters writes it: Gluon's load_parameters reads it into a network with children of the same
// names, and nn::load_parameters into any network of this type. A name that ends in .safetensors or .npz makes such a file, where the program
// includes sinter/io/safetensors.hpp or sinter/io/npz.hpp. The file is replaced as a whole or not at all.
//   nn::save_parameters(net, "digits.params");   nn::save_parameters(net, "weights", {.format = io::file_format::safetensors});
template <class M> void save_parameters(M const& net, std::string const& path, io::save_options const& options = {}) {
  if (options.format == io::file_format::by_extension)
    io::detail::refuse_extensions(path, {".json", ".onnx", ".npy", ".pt", ".pth", ".pkl", ".h5", ".keras"},
                                  "parameters are .params, .safetensors or .npz");
  io::write_arrays(path, arrays_of(net), options);
}

}  // namespace sinter::nn::inline SINTER_ISA

namespace sinter {
inline namespace SINTER_ISA {
template <class M> void save_parameters_of(in_sinter, M const& net, std::string const& path, io::save_options const& options = {}) {
  nn::save_parameters(net, path, options);
}
}  // namespace SINTER_ISA
}  // namespace sinter
