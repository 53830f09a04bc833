// SPDX-License-Identifier: Apache-2.0
// Caches of one channel would stretch.
// expect: sinter: an attention with a cache is called with x, keys, values and position, of shapes (batch, places, channels), twice (batch, Length, Units), and ()
// lines-gcc: 20
// lines-clang: 40
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
  nn::multi_head_attention<6, 2> attention;
  attention.initialize();
  nd::tensor<float, shape<1, 2, 6>> const x;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<1, 4, 1>> const cache;
#else
  nd::tensor<float, shape<1, 4, 6>> const cache;
#endif
  return std::get<0>(attention(x, cache, cache, nd::tensor<std::int64_t, shape<>>{0}))[0] != 0;
}
