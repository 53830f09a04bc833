// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

bool second();
bool plain();
bool model();
int main() {
  if (!works() || !second() || !plain()) return 1;
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
#endif
  return model() ? 0 : 1;
}
