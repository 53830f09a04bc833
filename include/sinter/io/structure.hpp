// SPDX-License-Identifier: Apache-2.0
// What a network is made of, line by line, whichever format it is written in: its hash goes into files, and two of them are compared.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/config.hpp"

namespace sinter::io {

struct structure_line {
  std::string where;  // for errors; no part of the structure
  std::string what;
};
using structure = std::vector<structure_line>;

inline namespace SINTER_ISA {

// Sixteen hexadecimal digits (FNV-1a). It tells networks apart that differ by mistake; nobody is kept from making two of one hash.
inline std::string hash_of_structure(structure const& lines) {
  std::uint64_t h = 14695981039346656037u;
  auto const add = [&](char c) { h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u; };
  for (structure_line const& l : lines) {
    for (char const c : l.what) add(c);
    add('\n');
  }
  std::string r(16, '0');
  for (std::size_t i = 16; i-- > 0; h >>= 4) r[i] = "0123456789abcdef"[h & 15];
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
// What to say of a graph that is not the one whose hash its file has.
inline std::string changed_structure(std::string_view noted, structure const& found, std::string_view key) {
  return "the graph was changed after sinter wrote it: its structure is " + hash_of_structure(found) + ", and the file notes " +
         std::string(noted) + "; without the attribute `" + std::string(key) + "` it is read as it is";
}

}  // namespace SINTER_ISA
}  // namespace sinter::io
