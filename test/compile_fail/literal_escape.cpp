// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this node of a symbol JSON has an attribute with an escape sequence in its text, which a literal does not read
// expect: "plus0"
// expect: "scalar"
// lines-gcc: 20
// lines-clang: 40
#include <sinter/sinter.hpp>

#include <sinter/literal.hpp>
using namespace sinter;
struct text_of_model {
  static constexpr char const* json = R"JSON({"nodes": [
{"op": "null", "name": "data", "inputs": []},
{"op": "_plus_scalar", "name": "plus0", "attrs": {"scalar": ")JSON"
#ifdef SINTER_FAIL
                                      R"JSON(\u0032)JSON"
#else
                                      R"JSON(0.1)JSON"
#endif
                                      R"JSON("}, "inputs": [[0, 0, 0]]}], "heads": [[1, 0, 0]]})JSON";
};
int main() {
  symbol_network<text_of_model> net;
  nd::tensor<float, shape<2, 3>> const x;
  return net.hybridize()(x).size() == 0;
}
