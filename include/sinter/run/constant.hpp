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
template <class P, class Backend> constexpr void run_constant(constant_call const& c, binding const& b) {
  geometry<P> g;
  fill(g, P::plan, b);
  connect(g, P::plan);
  kernel::pointer base[P::sizes.buffers + 1]{};
  for (int i = 0; i < P::sizes.buffers; ++i) {
    buffer_info const& f = P::plan.buffers[i];
    switch (f.where) {
      case storage::input: base[i] = c.inputs[f.index]; break;
      case storage::parameter: base[i] = c.parameters[f.index]; break;
      case storage::output: base[i] = c.outputs[f.index]; break;
      case storage::constant: base[i] = P::constants.at(f.type, f.index); break;
      case storage::block:
      case storage::prepared:
      case storage::arena: base[i] = new_array(f.type, b(f.elements));
    }
  }
  for (int q = 0; q < P::sizes.groups; ++q) {
    span_of const operands = P::plan.groups[q].operands;
    kernel::pointer p[P::largest_group() + 1]{};
    for (int j = 0; j < operands.n; ++j) {
      operand const& o = P::plan.operands[operands.at + j];
      p[j] = kernel::advance(base[o.buffer], o.type, g.offset[operands.at + j]);
    }
    if constexpr (P::sizes.regions > 0) {
      with_region<P>(q, [&]<class R>(R) { run_constant_region<P, Backend, R>(c, b, g.launches[q], p); });
      if (!kernels_of<P, Backend>.go[q]) continue;
    }
    kernels_of<P, Backend>.go[q](g.launches[q], p);
  }
  for (int i = 0; i < P::sizes.buffers; ++i)
    if (storage const kept = P::plan.buffers[i].where; kept == storage::arena || kept == storage::prepared || kept == storage::block)
      delete_array(P::plan.buffers[i].type, base[i]);
}

}  // namespace sinter::executor::inline SINTER_ISA
