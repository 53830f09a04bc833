// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this literal is a JSON text, and no symbol JSON that a literal may be
// expect-gcc: no_graph
// expect-clang: no_graph
// lines-gcc: 20
// lines-clang: 40
#include <sinter/sinter.hpp>

#include <sinter/literal.hpp>
using namespace sinter;
struct text_of_model {
  static constexpr char const* json = R"JSON({"nodes": [
{"op": "null", "name": "data", "inputs": []},
{"op": "null", "name": "dense0_weight", "attrs": {"__shape__": "(4, 0)"}, "inputs": []},
{"op": "FullyConnected", "name": "dense0_fwd", "attrs": {"num_hidden": "4", "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]})JSON"
#ifdef SINTER_FAIL
                                      R"JSON(], "arg_nodes": [0, 1]})JSON"
#else
                                      R"JSON(], "heads": [[2, 0, 0]]})JSON"
#endif
                                      R"JSON()JSON";
};
int main() {
  symbol_network<text_of_model> net;
  net.initialize();
  nd::tensor<float, shape<2, 3>> const x;
  return net.hybridize()(x).size() == 0;
}
