// SPDX-License-Identifier: Apache-2.0
// Networks that the program composes while it runs, of symbols without types: sym::var, the same F, operators and blocks, run by the
// interpreter. What that costs a translation unit is said in interpreter.hpp.
#pragma once
#include "nn/layers/basic.hpp"
#include "symbol/dot.hpp"
#include "symbol/executor.hpp"
#include "symbol/part.hpp"
