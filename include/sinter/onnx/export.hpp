// SPDX-License-Identifier: Apache-2.0
// A network as an ONNX model: net.export_onnx<shape<dim<"batch">, 784>>("digits.onnx").
#pragma once
#include "../symbol/network.hpp"
#include "save.hpp"

namespace sinter::inline SINTER_ISA {

template <class... X, class M> void export_onnx_network(in_sinter, M const& net, std::string const& path) {
  onnx::save(sym::symbol_to_save<X...>(net), path, sym::types_of_inputs<X...>());
}

}  // namespace sinter::inline SINTER_ISA
