// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this function is in a header of its own; include sinter/symbol/json.hpp
// expect: symbol_header.cpp:12:
// flags: -std=c++20
// lines-gcc: 16
// lines-clang: 14
#include <sinter/symbol.hpp>
#ifndef SINTER_FAIL
#include <sinter/symbol/json.hpp>
#endif

int main() { return sinter::symbol::load("net-symbol.json").outputs(); }
