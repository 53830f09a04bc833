// SPDX-License-Identifier: Apache-2.0
// A program in a constant expression, where every buffer is an array of its own.
#pragma once
#include "body.hpp"

namespace sinter::executor::inline SINTER_ISA {

// As executor::call, with pointers that a constant expression can have.
struct constant_call {
  kernel::pointer const* inputs = nullptr;
  kernel::pointer const* outputs = nullptr;
  kernel::pointer const* parameters = nullptr;
  kernel::pointer const* const* bodies = nullptr;  // the parameters of each body
};
constexpr kernel::pointer new_array(dtype t, std::int64_t n) {
  return with_type(t, [&]<class T>(T*) -> kernel::pointer { return new T[static_cast<std::size_t>(n) + 1]{}; });
}
constexpr void delete_array(dtype t, kernel::pointer p) {
  with_type(t, [&]<class T>(T*) { delete[] p.get<T>(); });
}

template <class P, class Backend> constexpr void run_constant(constant_call const& c, binding const& b);
template <class P, class Backend, class R>
constexpr void run_constant_region(constant_call const& c, binding const& b, kernel::launch const& l, kernel::pointer const* p) {
  kernel::pointer in[R::q.inputs + 1]{}, out[R::q.results() + 1]{};
  auto const run = [&]<int I>(std::integral_constant<int, I>, kernel::pointer const* from, kernel::pointer const* to) {
    using B = body_program<P, I>;
    run_constant<B, Backend>({from, to, c.bodies[I], c.bodies}, with_computed(B::plan.dimensions, b));
  };
  run_region<host_memory>(R::id, R::call_of(l, p, in, out), [&](int which, kernel::pointer const* from, kernel::pointer const* to) {
    if constexpr (R::info.otherwise >= 0)
      if (which != R::info.body) return run(std::integral_constant<int, R::info.otherwise>{}, from, to);
    run(std::integral_constant<int, R::info.body>{}, from, to);
  });
}
// What is the same for all programs.
struct constant_memory {
  plan_view p;
  geometry_view numbers;
  kernel::pointer* base;  // of each buffer
  constexpr void take(constant_call const& c, binding const& b, kernel::pointer (*constant)(dtype, int)) const {
    fill(numbers, p, b);
    connect(numbers, p);
    for (int i = 0; i < p.buffers.size(); ++i) {
      buffer_info const& f = p.buffers[i];
      switch (f.where) {
        case storage::input: base[i] = c.inputs[f.index]; break;
        case storage::parameter: base[i] = c.parameters[f.index]; break;
        case storage::output: base[i] = c.outputs[f.index]; break;
        case storage::constant: base[i] = constant(f.type, f.index); break;
        case storage::block:
        case storage::prepared:
        case storage::arena: base[i] = new_array(f.type, b(f.elements));
      }
    }
  }
  constexpr void find_operands(int q, kernel::pointer* to) const {
    span_of const operands = p.groups[q].operands;
    for (int j = 0; j < operands.n; ++j) {
      operand const& o = p.operands[operands.at + j];
      to[j] = kernel::advance(base[o.buffer], o.type, numbers.offset[operands.at + j]);
    }
  }
  constexpr void give_back() const {
    for (int i = 0; i < p.buffers.size(); ++i)
      if (storage const kept = p.buffers[i].where; kept == storage::arena || kept == storage::prepared || kept == storage::block)
        delete_array(p.buffers[i].type, base[i]);
  }
};
template <class P, class Backend> constexpr void run_constant(constant_call const& c, binding const& b) {
  geometry<P> g;
  kernel::pointer base[P::sizes.buffers + 1]{}, operands[P::largest_group() + 1]{};
  constant_memory const memory{plan_view(P::plan), geometry_view(g), base};
  memory.take(c, b, [](dtype t, int i) { return P::constants.at(t, i); });
  for (int q = 0; q < P::sizes.groups; ++q) {
    memory.find_operands(q, operands);
    if constexpr (P::sizes.regions > 0)
      with_region<P>(q, [&]<class R>(R) { run_constant_region<P, Backend, R>(c, b, g.launches[q], operands); });
    if (auto const go = kernels_of<P, Backend>.go[q]) go(g.launches[q], operands);
  }
  memory.give_back();
}

}  // namespace sinter::executor::inline SINTER_ISA
