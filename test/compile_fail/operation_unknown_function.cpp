// SPDX-License-Identifier: Apache-2.0
// An operation that is not there, in a plain function: the compiler says so, and nothing wrong follows.
// lines-gcc: 16
// lines-clang: 35
// expect: no member named 'swish'
// expect: operation_unknown_function.cpp:10:
#include <sinter/compile/hybridized.hpp>

#ifdef SINTER_FAIL
auto const fast = sinter::hybridize([](auto F, auto x) { return F.swish(x); });
#else
auto const fast = sinter::hybridize([](auto F, auto x) { return F.relu(x); });
#endif

int main() { return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0; }
