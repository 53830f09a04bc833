// SPDX-License-Identifier: Apache-2.0
// What sinter::thrust adds to the sources of a target: the algorithms of Thrust that its other files call.
#include <sinter/thrust_algorithms.hpp>
