// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

bool second();
bool second() { return works(); }
