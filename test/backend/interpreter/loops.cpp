// SPDX-License-Identifier: Apache-2.0
// The interpreter's loops, compiled for tests whose other files define SINTER_INTERPRETER_ELSEWHERE.
#include <sinter/interpreter.hpp>

template struct sinter::interpreter::precompiled<sinter::interpreter::all_ops>;
