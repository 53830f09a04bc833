// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol JSON has no variable of this name, which is to be an input of the network
// expect: "image"
// lines-gcc: 20
// lines-clang: 40
#include <sinter/sinter.hpp>

#include <sinter/literal.hpp>
using namespace sinter;
struct text_of_model {
  static constexpr char const* json = R"JSON({"nodes": [
{"op": "null", "name": "data", "inputs": []},
{"op": "null", "name": "dense0_weight", "attrs": {"__shape__": "(4, 0)"}, "inputs": []},
{"op": "FullyConnected", "name": "dense0_fwd", "attrs": {"num_hidden": "4", "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]}
], "heads": [[2, 0, 0]]})JSON";
};
int main() {
#ifdef SINTER_FAIL
  symbol_network<text_of_model, "image"> net;
#else
  symbol_network<text_of_model, "data"> net;
#endif
  net.initialize();
  nd::tensor<float, shape<2, 3>> const x;
  return net.hybridize()(x).size() == 0;
}
