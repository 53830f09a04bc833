// SPDX-License-Identifier: Apache-2.0
// The single header with ONNX: the names of a model's inputs, beside the other one, which it has in it.
#include <iostream>
#include <sinter/sinter-onnx.hpp>
#include <sinter/sinter.hpp>

int main(int, char** arguments) {
  for (auto const& name : sinter::onnx::load(arguments[1]).input_names()) std::cout << name << '\n';
}
