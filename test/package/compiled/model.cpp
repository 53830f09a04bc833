// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

bool model();
bool model() { return works(); }
