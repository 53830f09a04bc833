// SPDX-License-Identifier: Apache-2.0
// The interpreter, compiled for tests whose other files define SINTER_INTERPRETER_ELSEWHERE.
#include <sinter/symbol.hpp>

template struct sinter::interpreter::precompiled<sinter::interpreter::all_ops>;
template class sinter::sym::executor_of<sinter::interpreter::all_ops>;
