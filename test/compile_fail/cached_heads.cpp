// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the heads of an attention share its units equally, so their number divides that of the units, as in cached_attention<64, 8, 1, 128>
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nn::cached_attention<6, 4, 1, 3> attention;
#else
  nn::cached_attention<6, 3, 1, 3> attention;
#endif
  attention.initialize();
}
