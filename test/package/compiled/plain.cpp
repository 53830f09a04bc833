// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

bool plain();
bool plain() { return works(); }
