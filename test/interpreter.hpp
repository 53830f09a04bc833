// SPDX-License-Identifier: Apache-2.0
// The beginning of tests that only declare the interpreter, whose loops are compiled once (backend/interpreter/loops.cpp).
#pragma once
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/sinter.hpp>
#include <sinter/symbol.hpp>

#include "catch.hpp"
