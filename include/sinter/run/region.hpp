// SPDX-License-Identifier: Apache-2.0
// Control flow: the kernels of a body, run turn by turn. The same code runs in a program and in a constant expression.
#pragma once
#include "../ops/region.hpp"
#include "../plan/kernel.hpp"

namespace sinter::executor::inline SINTER_ISA {

// One call of an operation of ops/region.hpp, with its operands as its group counts them: inputs, results, memory.
struct region_call {
  ops::region_info info;
  operand const* operands = nullptr;
  kernel::pointer const* at = nullptr;
  dims const* shapes = nullptr;  // of what is written, then of the inputs
  int inputs = 0, written = 0, results = 0;
  kernel::pointer *in = nullptr, *out = nullptr;  // room for those of a body: as many as the operation has inputs, and results and one

  constexpr dtype type(int j) const { return operands[j].type; }
  constexpr dims const& shape(int j) const { return shapes[j < inputs ? written + j : j - inputs]; }
  // Elements of one slice along the first axis.
  constexpr std::int64_t slice(int j) const {
    std::int64_t n = 1;
    for (int i = 1; i < shape(j).rank; ++i) n *= shape(j).d[i];
    return n;
  }
  constexpr kernel::pointer slice(int j, std::int64_t turn) const { return kernel::advance(at[j], type(j), turn * slice(j)); }
};
// Memory of the host; `at` has T[n].
struct host_memory {
  template <class T> static constexpr void copy(T* to, T const* from, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
  }
  template <class T> static constexpr void clear(T* to, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = T{};
  }
  static constexpr bool read(bool const* from) { return *from; }
};

template <class Memory> class region_runner {
 public:
  constexpr explicit region_runner(region_call const& c) : c_(c), outputs_(c.results - c.info.states) {}

  // body(which, inputs, outputs) runs a body.
  template <class Body> constexpr void foreach (Body const& body) {
    int const sequences = c_.info.sequences, states = c_.info.states;
    std::int64_t const turns = c_.shape(0).d[0];
    begin();
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      for (int j = 0; j < sequences; ++j) c_.in[j] = c_.slice(j, turn);
      run_turn(body, sequences, turn, (turns - turn) % 2 == 1);
    }
    if (turns == 0)
      for (int j = 0; j < states; ++j) copy_state(state(j), c_.in[sequences + j], j);
  }
  template <class Body> constexpr void while_loop(Body const& body) {
    int const states = c_.info.states, flag = memory() + states;
    // The body has no input for the flag: what stands behind it moves up by one.
    for (int j = 1; j < c_.inputs; ++j) c_.in[j - 1] = c_.at[j];
    c_.out[c_.results] = c_.at[flag];
    std::int64_t turn = 0;
    for (bool const* go = c_.at[0].get<bool>(); turn < c_.info.most && Memory::read(go); ++turn) {
      run_turn(body, 0, turn, turn % 2 == 0);
      go = c_.at[flag].get<bool>();
    }
    for (int j = 0; j < states; ++j)
      if (turn % 2 == 0) copy_state(state(j), c_.in[j], j);
    for (int j = 0; j < outputs_; ++j)
      with_type(c_.type(c_.inputs + j), [&]<class T>(T*) {
        Memory::clear(c_.slice(c_.inputs + j, turn).get<T>(), (c_.info.most - turn) * c_.slice(c_.inputs + j));
      });
  }
  template <class Body> constexpr void cond(Body const& body) {
    for (int j = 1; j < c_.inputs; ++j) c_.in[j - 1] = c_.at[j];
    for (int j = 0; j < c_.results; ++j) c_.out[j] = c_.at[c_.inputs + j];
    body(Memory::read(c_.at[0].get<bool>()) ? c_.info.body : c_.info.otherwise, c_.in, c_.out);
  }

 private:
  region_call const& c_;
  int outputs_;

  constexpr int memory() const { return c_.inputs + c_.results; }
  constexpr kernel::pointer state(int j) const { return c_.at[c_.inputs + outputs_ + j]; }
  constexpr void begin() {
    for (int j = 0; j < c_.inputs; ++j) c_.in[j] = c_.at[j];
  }
  // States are written to the result or to memory in turns, because a turn still reads those of the turn before.
  template <class Body> constexpr void run_turn(Body const& body, int first, std::int64_t turn, bool to_result) {
    for (int j = 0; j < outputs_; ++j) c_.out[j] = c_.slice(c_.inputs + j, turn);
    for (int j = 0; j < c_.info.states; ++j) c_.out[outputs_ + j] = to_result ? state(j) : c_.at[memory() + j];
    body(c_.info.body, c_.in, c_.out);
    for (int j = 0; j < c_.info.states; ++j) c_.in[first + j] = c_.out[outputs_ + j];
  }
  constexpr void copy_state(kernel::pointer to, kernel::pointer from, int j) const {
    int const of = c_.inputs + outputs_ + j;
    std::int64_t n = 1;
    for (int i = 0; i < c_.shape(of).rank; ++i) n *= c_.shape(of).d[i];
    with_type(c_.type(of), [&]<class T>(T*) { Memory::copy(to.get<T>(), from.get<T>(), n); });
  }
};
template <class Memory, class Body> constexpr void run_region(std::uint64_t id, region_call const& c, Body const& body) {
  region_runner<Memory> run(c);
  if (id == ops::foreach_id) run.foreach (body);
  else if (id == ops::while_loop_id) run.while_loop(body);
  else run.cond(body);
}

}  // namespace sinter::executor::inline SINTER_ISA
