// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the inner dimensions differ
// expect: "dense0_fwd"
// lines-gcc: 25
// lines-clang: 55
#include <sinter/sinter.hpp>

#include <sinter/literal.hpp>
using namespace sinter;
struct text_of_model {
  static constexpr char const* json =
      R"JSON({"nodes": [
{"op": "null", "name": "data", "inputs": []},)JSON"
#ifdef SINTER_FAIL
      R"JSON({"op": "null", "name": "dense0_weight", "attrs": {"__shape__": "(4, 5)"}, "inputs": []},)JSON"
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
