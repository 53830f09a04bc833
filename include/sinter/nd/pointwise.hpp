// SPDX-License-Identifier: Apache-2.0
// Eager elementwise operations: one kernel each, whose loops follow from the operands' strides when it is called. Needs no plan.
#pragma once
#include "../backend/default.hpp"
#include "../ops/elementwise.hpp"
#include "tensor.hpp"

namespace sinter::nd::detail::inline SINTER_ISA {

// An array that a kernel reads or writes, whatever the type of its tensor.
struct any_array {
  kernel::pointer data;
  dims const* shape;
  std::int64_t const* strides;
};
template <class T, class S, class D> constexpr any_array array_of(tensor<T, S, D> const& x) { return {x.data(), &x.shape(), x.strides()}; }

// The axes of a result, as bits, along which an operand of this shape moves: those where its type has no 1. What its extents are when it
// runs says nothing: the kernel's type expects a step, or none.
constexpr unsigned moving_axes(dims const& typed, int rank) {
  unsigned r = 0;
  for (int k = 0; k < typed.rank; ++k) r |= unsigned{typed.d[k] != 1} << (rank - typed.rank + k);
  return r;
}

// The loops of one elementwise operation over operands and, last, its result; the largest possible runs become one loop. `moves`: the axes
// along which each of them moves. An axis of the result that is a 1 in its type is no loop.
template <int N> struct pointwise_loops {
  kernel::launch l;
  std::int64_t stride[N * max_loop]{};
  constexpr void set(unsigned const* moves, any_array const* arrays) {
    int n = 0;
    dims const& out = *arrays[N - 1].shape;
    for (int i = 0; i < out.rank; ++i) {
      if (!((moves[N - 1] >> i) & 1)) continue;
      std::int64_t s[N]{};
      for (int j = 0; j < N; ++j) s[j] = (moves[j] >> i) & 1 ? arrays[j].strides[i - out.rank + arrays[j].shape->rank] : 0;
      bool merge = n > 0;
      for (int j = 0; j < N; ++j) merge = merge && stride[j * max_loop + n - 1] == s[j] * out.d[i];
      if (merge) l.extent[n - 1] *= out.d[i];
      else l.extent[n++] = out.d[i];
      for (int j = 0; j < N; ++j) stride[j * max_loop + n - 1] = s[j];
    }
    if (n == 0) l.extent[n++] = 1;
    l.rank = n;
    l.stride = stride;
  }
  // One loop over `n` elements, which all arrays run through in order.
  constexpr void set_in_step(std::int64_t n) {
    l.extent[0] = n;
    for (int j = 0; j < N; ++j) stride[j * max_loop] = 1;
    l.rank = 1;
    l.stride = stride;
  }
};

template <class Device> using device_backend = typename backend_of<Device>::type;

template <class Device, class Kernel, int N> constexpr void run_pointwise(pointwise_loops<N> const& loops, any_array const* arrays) {
  kernel::pointer p[N];
  for (int j = 0; j < N; ++j) p[j] = arrays[j].data;
  if constexpr (Device::is_host)
    if (SINTER_IS_CONSTANT) return reference::backend::go<Kernel>(loops.l, p);
  device_backend<Device>::template go<Kernel>(loops.l, p);
}

// Elements of type T as they lie, into `out`; `from` has its shape.
template <class T, class Device> constexpr void copy_array(any_array const& from, any_array const& out) {
  using copy = kernel::pointwise<kernel::types<kernel::slot<T, access::strided, false>, kernel::slot<T, access::strided, true>>,
                                 kernel::types<kernel::step<ops::identity, T, kernel::step_bits{.store = 1}.pack(), -1>>>;
  any_array const arrays[]{from, out};
  unsigned const moves[]{~0u, ~0u};
  pointwise_loops<2> loops;
  loops.set(moves, arrays);
  run_pointwise<Device, copy, 2>(loops, arrays);
}
template <class X, class Out> constexpr void copy_elements(X const& x, Out const& out) {
  copy_array<typename X::value_type, typename Out::device_type>(array_of(x), array_of(out));
}
// A row-major copy, or x itself where it is row-major.
template <class T, class S, class D> tensor<T, S, D> copied(tensor<T, S, D> const& x) {
  if (x.is_contiguous()) return x;
  tensor<T, S, D> out(x.shape(), false);
  copy_elements(x, out);
  return out;
}

// The last axis along which the result has more than one element, from its type; an operand that does not move along it is one number there.
template <class Out, class X> constexpr access expected_access() {
  constexpr dims out = Out::shape_type::value, in = X::shape_type::value;
  for (int i = 1; i <= out.rank; ++i)
    if (out.d[out.rank - i] != 1) return i > in.rank || in.d[in.rank - i] == 1 ? access::zero : access::unit;
  return access::zero;
}
template <class Op, class T, class J, class... Slot> struct one_step;
template <class Op, class T, int... J, class... Slot> struct one_step<Op, T, std::integer_sequence<int, J...>, Slot...> {
  static constexpr std::uint64_t bits = kernel::step_bits{.store = sizeof...(J)}.pack();
  using type =
      kernel::pointwise<kernel::types<Slot..., kernel::slot<T, access::unit, true>>, kernel::types<kernel::step<Op, T, bits, (-1 - J)...>>>;
};
// One kernel for each operation and dtype: operands that lie otherwise than row-major are copied by the one kernel that reads anyhow.
template <class Op, class T, class Out, class... X> constexpr void pointwise(Out const& out, X const&... x) {
  using Device = typename Out::device_type;
  if (!(Device::is_host && std::is_constant_evaluated()) && !(x.is_contiguous() && ...)) return pointwise<Op, T>(out, copied(x)...);
  using kernel_type = typename one_step<Op, T, std::make_integer_sequence<int, sizeof...(X)>,
                                        kernel::slot<typename X::value_type, expected_access<Out, X>(), false>...>::type;
  any_array const arrays[]{array_of(x)..., array_of(out)};
  constexpr unsigned moves[]{moving_axes(X::shape_type::value, Out::rank)..., moving_axes(Out::shape_type::value, Out::rank)};
  constexpr bool in_step = ((moving_axes(X::shape_type::value, Out::rank) == moves[sizeof...(X)]) && ...);
  pointwise_loops<sizeof...(X) + 1> loops;
  if (in_step && !(Device::is_host && std::is_constant_evaluated())) loops.set_in_step(out.size());
  else loops.set(moves, arrays);
  run_pointwise<Device, kernel_type, sizeof...(X) + 1>(loops, arrays);
}

}  // namespace sinter::nd::detail::inline SINTER_ISA
