// SPDX-License-Identifier: Apache-2.0
// What a network is made of, line by line, whichever format it is written in: its hash goes into files, and two of them are compared.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/hash.hpp"

namespace sinter::io {

struct structure_line {
  std::string where;  // for errors; no part of the structure
  std::string what;
};
using structure = std::vector<structure_line>;

inline namespace SINTER_ISA {

inline std::string in_hex(std::uint64_t h, std::size_t digits) {
  std::string r(digits, '0');
  for (std::size_t i = digits; i-- > 0; h >>= 4) r[i] = "0123456789abcdef"[h & 15];
  return r;
}
// Of all lines, in sixteen hexadecimal digits.
inline std::string hash_of_structure(structure const& lines) {
  std::string all;
  for (structure_line const& l : lines) all += l.what + "\n";
  return in_hex(hash_of(all), 16);
}
// What a file notes of a structure: its hash, and behind a space four digits of each line, which tell what was changed in it.
inline std::string note_of_structure(structure const& lines) {
  std::string r = hash_of_structure(lines) + " ";
  for (structure_line const& l : lines) r += in_hex(hash_of(l.what), 4);
  return r;
}
// The first difference of two networks as words, or nothing.
inline std::string first_difference(structure const& there, structure const& here) {
  for (std::size_t i = 0; i < there.size() || i < here.size(); ++i) {
    if (i == here.size()) return there[i].where + " is " + there[i].what + " in the file, and this network ends before it";
    if (i == there.size()) return "the graph of the file ends before " + here[i].where + " of this network, which is " + here[i].what;
    if (there[i].what != here[i].what)
      return there[i].where + " is " + there[i].what + " in the file, and " + here[i].what + " in this network";
  }
  return {};
}
// What to say of a graph that is not the one that its file notes; nothing where it is.
inline std::string changed_structure(std::string_view noted, structure const& found, std::string_view key) {
  std::string const now = note_of_structure(found);
  constexpr std::size_t digits = 16, of_line = 4;
  if (noted.substr(0, digits) == std::string_view(now).substr(0, digits)) return {};
  std::string what = "the graph was changed after sinter wrote it";
  if (noted.size() > digits) {
    std::string_view const here = std::string_view(now).substr(digits + 1), there = noted.substr(digits + 1);
    auto const alike = std::mismatch(here.begin(), here.end(), there.begin(), there.end()).first - here.begin();
    std::size_t const i = static_cast<std::size_t>(alike) / of_line;
    if (i < found.size()) what += ": " + found[i].where + " is " + found[i].what + " now";
    else if (there.size() > here.size()) what += ": what followed " + found.back().where + " is missing";
  }
  return what + "; without the attribute `" + std::string(key) + "` it is read as it is";
}

}  // namespace SINTER_ISA
}  // namespace sinter::io
