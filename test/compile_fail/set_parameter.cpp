// SPDX-License-Identifier: Apache-2.0
// A parameter is given values of its own dtype.
// expect: sinter: a parameter is given a tensor of its dtype, weight.set(nd::tensor<float, shape<2, 3>>{...}), or row-major values of its dtype
// lines-gcc: 14
// lines-clang: 14
#include <sinter/nn/layers/basic.hpp>

#include <vector>

#ifdef SINTER_FAIL
using values = std::vector<double>;
#else
using values = std::vector<float>;
#endif
int main() {
  sinter::nn::dense<2> net;
  net.bias.set(values{1, 2});
  return 0;
}
