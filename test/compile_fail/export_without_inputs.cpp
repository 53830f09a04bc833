// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 12
// lines-clang: 12
// expect: sinter: an ONNX model says what its inputs are: net.export_onnx<shape<dim<"batch">, 784>>(file)
#include <sinter/nn/layers/basic.hpp>

namespace sinter {
template <class... X, class M> void export_onnx_network(in_sinter, M const&, std::string const&) {}
}  // namespace sinter

int main() {
  sinter::nn::dense<4> const net;
#ifdef SINTER_FAIL
  net.export_onnx("net.onnx");
#else
  net.export_onnx<sinter::shape<2, 8>>("net.onnx");
#endif
}
