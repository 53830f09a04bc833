// SPDX-License-Identifier: Apache-2.0
// Plans made while the program runs. Its loops, one for each operation and element type, cost a translation unit 17 s of GCC 12, 12 s of
// Clang 19 and 0.4 MB (AVX-512, -O2). A program can have them in one: with SINTER_INTERPRETER_ELSEWHERE defined, another includes this header
// for 0.2 s (backend/interpreter/library.hpp).
#pragma once
#include "backend/interpreter/instance.hpp"
