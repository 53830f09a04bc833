// SPDX-License-Identifier: Apache-2.0
// What sinter::compiled adds to the sources of a target: the code that all of its files share.
#define SINTER_COMPILED_HERE
#include <sinter/sinter.hpp>
