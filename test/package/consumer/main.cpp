// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <sinter/core/config.hpp>
#include <sinter/core/shape.hpp>
#if __has_include(<sinter/sinter.hpp>)
#include <sinter/sinter.hpp>
#endif

int main() {
  static_assert(sinter::broadcast(sinter::shape<3, 1>::value, sinter::shape<4>::value).shape == sinter::shape<3, 4>::value);
  std::printf("sinter %d.%d.%d\n", SINTER_VERSION_MAJOR, SINTER_VERSION_MINOR, SINTER_VERSION_PATCH);
}
