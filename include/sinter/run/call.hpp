// SPDX-License-Identifier: Apache-2.0
// What a program is given to run, whoever calls: an eager operation, a compiled network, or a plan that the program made.
#pragma once
#include <concepts>
#include <cstddef>

#include "../plan/plan.hpp"

namespace sinter::executor::inline SINTER_ISA {

// The parameters of a body (run/region.hpp), and what was prepared from them; of a program that the compiler made the numbers of its loops at
// the dimensions of the call.
struct body_values {
  std::byte* const* parameters = nullptr;
  std::byte const* const* prepared = nullptr;
  void const* numbers = nullptr;
};
// One call. Inputs, parameters and outputs stand in the order in which the plan counts them.
struct call {
  std::byte* const* inputs = nullptr;
  std::byte* const* outputs = nullptr;
  binding const* dimensions = nullptr;  // the values of the dynamic dimensions (run/bind.hpp)
  std::byte* const* parameters = nullptr;
  // For each kernel what was prepared for it (run/prepare.hpp), or null; behind them what kernels wrote that run once. Null: nothing was
  // prepared, which needs a plan without such kernels.
  std::byte const* const* prepared = nullptr;
  std::byte* arena = nullptr;  // arena_bytes() of them, aligned to 64
  body_values const* bodies = nullptr;  // for each body of the network's graph
};

// A program at one choice of its dynamic dimensions. What depends on parameters alone is prepared one by one, when parameters have changed;
// run() does everything else. Both are const: several threads may run one instance, each with an arena of its own.
template <class I>
concept is_instance = requires(I const& f, call const& c, preparation const& w, std::byte* to) {
  { f.arena_bytes() } -> std::same_as<std::int64_t>;
  { f.kernels() } -> std::same_as<int>;  // all of them, those that run once, too
  { f.preparations().size() } -> std::same_as<int>;
  { f.once_bytes() } -> std::same_as<std::size_t>;  // of what kernels write that run once
  f.run_once(c);  // these kernels; what they write is where a call's `once` points to
  { f.prepared_bytes(w) } -> std::same_as<std::size_t>;  // 0: the kernel reads what is there
  f.prepare(w, c, to);
  f.run(c);
};

}  // namespace sinter::executor::inline SINTER_ISA
