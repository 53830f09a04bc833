// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the shapes are (batch, queries, channels), (batch, keys, channels) and (batch, keys, outputs), and a mask broadcasts to (batch, heads, queries, keys)
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 5, 4>> const q;
  nd::tensor<float, shape<2, 3, 4>> const k;
#ifdef SINTER_FAIL
  nd::tensor<bool, shape<3, 5>> const mask;
#else
  nd::tensor<bool, shape<5, 3>> const mask;
#endif
  return scaled_dot_product_attention(q, k, k, mask)[0] != 0;
}
