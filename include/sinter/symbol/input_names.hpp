// SPDX-License-Identifier: Apache-2.0
// What the inputs of a network are called in files, and in which order a call gives them.
#pragma once
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "../core/config.hpp"

namespace sinter::sym::inline SINTER_ISA {

// One input is called `data`, several are `data0`, `data1`, ..., as Gluon calls them.
inline std::string input_name(int i, int n) { return n == 1 ? "data" : "data" + std::to_string(i); }

// Graphs list variables as their operations read them. Inputs that are called as above are put into the order of a call; others stay.
inline std::vector<std::string> in_order_of_call(std::vector<std::string> names) {
  auto const number = [](std::string const& s) {
    int n = -1;
    char const* const end = s.data() + s.size();
    if (!s.starts_with("data") || std::from_chars(s.data() + 4, end, n).ptr != end) return -1;
    return n;
  };
  if (std::all_of(names.begin(), names.end(), [&](std::string const& s) { return number(s) >= 0; }))
    std::sort(names.begin(), names.end(), [&](std::string const& a, std::string const& b) { return number(a) < number(b); });
  return names;
}
}  // namespace sinter::sym::inline SINTER_ISA
