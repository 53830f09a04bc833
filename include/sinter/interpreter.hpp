// SPDX-License-Identifier: Apache-2.0
// Plans made while the program runs. It compiles a loop for each operation and element type, so a program includes it only where it wants
// that; see backend/interpreter/library.hpp for compiling them in one translation unit.
#pragma once
#include "backend/interpreter/prepared.hpp"
