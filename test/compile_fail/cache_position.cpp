// SPDX-License-Identifier: Apache-2.0
// A position is a tensor, so that a compiled network may be called with another each time.
// expect: sinter: an attention with a cache is called with x, keys, values and position, of shapes (batch, places, channels), twice (batch, Length, Units), and (), or, where it keeps keys and values itself, with x and position, a tensor of one int64 number
// expect: cache_position.cpp:15:
// lines-gcc: 20
// lines-clang: 40
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
  nn::cached_attention<6, 2, 1, 4> attention;
  attention.initialize();
  nd::tensor<float, shape<1, 2, 6>> const x;
#ifdef SINTER_FAIL
  return attention(x, 0)[0] != 0;
#else
  return attention(x, nd::tensor<std::int64_t, shape<>>{0})[0] != 0;
#endif
}
