// SPDX-License-Identifier: Apache-2.0
#include <everything.hpp>

int two();
int main() { return two() - sinter::shape<2>::rank; }
