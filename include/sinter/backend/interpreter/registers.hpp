// SPDX-License-Identifier: Apache-2.0
// Which values of a tile lie in the same memory: a value's is free when the last instruction that reads it has run.
#pragma once
#include <utility>

#include "tape.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

template <class F> void each_input(instruction const& n, F const& f) {
  if (n.what == action::store) f(n.value);
  for (int j = 0; j < n.inputs; ++j) f(n.in[j]);
}

class register_file {
 public:
  explicit register_file(std::vector<instruction> const& body, int slots)
      : last_(static_cast<std::size_t>(slots), -1), held_(static_cast<std::size_t>(slots), 0), bytes_(static_cast<std::size_t>(slots), 0) {
    for (std::size_t i = 0; i < body.size(); ++i)
      each_input(body[i], [&](int slot) { last_[static_cast<std::size_t>(slot)] = static_cast<int>(i); });
  }
  void give(instruction& n, int i) {
    auto const value = static_cast<std::size_t>(n.value);
    bytes_[value] = n.bytes;
    if (n.what == action::compute)  // in place: each element is read before it is written
      for (int j = 0; j < n.inputs; ++j)
        if (bytes_[static_cast<std::size_t>(n.in[j])] == n.bytes) release(n.in[j], i);
    if (n.what == action::load || n.what == action::spread || (n.what == action::compute && n.operand < 0)) {
      if (free_.empty()) free_.push_back(-++count);
      n.place = held_[value] = free_.back();
      free_.pop_back();
      if (last_[value] < 0) free_.push_back(std::exchange(held_[value], 0));
    }
    each_input(n, [&](int slot) { release(slot, i); });
  }
  std::int64_t count = 0;

 private:
  std::vector<int> last_;            // the instruction that reads a slot last
  std::vector<std::int64_t> held_, free_;
  std::vector<int> bytes_;           // of an element

  void release(int slot, int i) {
    auto const s = static_cast<std::size_t>(slot);
    if (held_[s] != 0 && last_[s] == i) free_.push_back(std::exchange(held_[s], 0));
  }
};
// Gives each value that `body` makes a register, and returns how many there are. Register k is written as place -k: where the registers
// begin is not known yet.
inline std::int64_t give_registers(std::vector<instruction>& body, int slots) {
  register_file r(body, slots);
  for (std::size_t i = 0; i < body.size(); ++i) r.give(body[i], static_cast<int>(i));
  return r.count;
}

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
