// SPDX-License-Identifier: Apache-2.0
// What sinter::cuda adds to the sources of a target: the algorithms of CUB that its other files call.
#include <sinter/thrust_algorithms.hpp>
