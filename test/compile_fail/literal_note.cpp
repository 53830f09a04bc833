// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the shape that is noted of this parameter of a symbol JSON (`__shape__`) is not the one that the attributes of the node say
// expect: "dense0_fwd"
// expect: "dense0_weight"
// lines-gcc: 40
// lines-clang: 80
#include <sinter/sinter.hpp>

#include <sinter/literal.hpp>
using namespace sinter;
struct text_of_model {
  static constexpr char const* json =
      R"JSON({"nodes": [
{"op": "null", "name": "data", "inputs": []},)JSON"
#ifdef SINTER_FAIL
      R"JSON({"op": "null", "name": "dense0_weight", "attrs": {"__shape__": "(2, 0)"}, "inputs": []},)JSON"
#else
      R"JSON({"op": "null", "name": "dense0_weight", "attrs": {"__shape__": "(4, 0)"}, "inputs": []},)JSON"
#endif
      R"JSON({"op": "FullyConnected", "name": "dense0_fwd", "attrs": {"num_hidden": "4", "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]}
], "heads": [[2, 0, 0]]})JSON";
};
int main() {
  symbol_network<text_of_model> net;
  net.initialize();
  nd::tensor<float, shape<2, 3>> const x;
  return net.hybridize()(x).size() == 0;
}
