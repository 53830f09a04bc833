// SPDX-License-Identifier: Apache-2.0
#include <everything.hpp>

int two();
int two() { return sinter::shape<3>::rank; }
