// SPDX-License-Identifier: Apache-2.0
// A function without its operands as the result. F.relu names overloads, so that the compiler itself says first, on the right line, that it is
// to be called.
// expect-gcc: forward_function.cpp:15:14: error: unable to deduce 'auto' from 'F.
// expect-clang: sinter: relu: too many or too few operands; call it as relu(x)
// expect-clang: forward_function.cpp:15:14: error: reference to non-static member function must be called
// lines-gcc: 7
// lines-clang: 73
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward([[maybe_unused]] auto F, [[maybe_unused]] auto x) const {
#ifdef SINTER_FAIL
    return F.relu;
#else
    return F.relu(x);
#endif
  }
};

int main() {
  network const net;
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
