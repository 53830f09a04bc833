// SPDX-License-Identifier: Apache-2.0
// Networks from a symbol JSON of MXNet that stands in the program as a literal.
#pragma once
#include "compile/hybridized.hpp"
#include "literal/network.hpp"
