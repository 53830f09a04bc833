// SPDX-License-Identifier: Apache-2.0
// Results that a caller gives, and that may lie where an input or another result does.
#pragma once
#include <algorithm>
#include <functional>

#include "../nd/tensor.hpp"
#include "../plan/program.hpp"

namespace sinter::detail::inline SINTER_ISA {

// fn(tensor) for each tensor in nested tuples, in order
template <class Y, class Fn> constexpr void each_tensor(Y const& y, Fn& fn) {
  if constexpr (nd::is_tensor<Y>) fn(y);
  else std::apply([&](auto const&... k) { (each_tensor(k, fn), ...); }, y);
}
template <class Y> constexpr int tensors_in() {
  if constexpr (nd::is_tensor<Y>) return 1;
  else return []<class... K>(std::tuple<K...>*) { return (tensors_in<K>() + ... + 0); }(static_cast<Y*>(nullptr));
}

// What a result may share with an input: anything, because no kernel reads the input from the one on that first writes the result; the
// same elements, because that kernel reads each where it writes it; nothing.
enum class sharing : std::int8_t { anything, same_elements, nothing };
template <class P> struct sharing_of {
  static constexpr int n = P::sizes.inputs, m = P::sizes.results;
  sharing with[n + 1][m + 1]{};
  bool matters = m > 1;
  constexpr sharing_of() {
    for (int i = 0; i < n; ++i)
      for (int o = 0; o < m; ++o) {
        with[i][o] = of(buffer_of(storage::input, i), buffer_of(storage::output, o));
        matters = matters || with[i][o] != sharing::anything;
      }
  }
  static constexpr int buffer_of(storage where, int index) {
    int b = 0;
    while (b < P::sizes.buffers && !(P::plan.buffers[b].where == where && P::plan.buffers[b].index == index)) ++b;
    return b;
  }
  static constexpr sharing of(int in, int out) {
    if (in == P::sizes.buffers || out == P::sizes.buffers) return sharing::anything;
    int const last = P::plan.buffers[in].last, first = P::plan.buffers[out].first;
    if (last < first) return sharing::anything;
    if (last > first) return sharing::nothing;
    group const& q = P::plan.groups[first];
    for (int i = 0; i < q.inputs; ++i)
      for (int j = q.inputs; j < q.operands.n; ++j)
        if (P::plan.operands[q.operands.at + i].buffer == in && P::plan.operands[q.operands.at + j].buffer == out &&
            !reads_where_it_writes(P::made, q, i, j))
          return sharing::nothing;
    return sharing::same_elements;
  }
};

// The bytes of a row-major tensor. Others are copied before a network reads them.
struct bytes_of_tensor {
  void const *from = nullptr, *to = nullptr;
  bool row_major = true;
};
template <class T, class S, class D> bytes_of_tensor place_of(nd::tensor<T, S, D> const& t) {
  return {t.data(), t.data() + t.size(), t.is_contiguous()};
}
inline bool overlap(bytes_of_tensor const& a, bytes_of_tensor const& b) {
  std::less<> const before;
  return before(a.from, b.to) && before(b.from, a.to);
}
// Whether a call must not write to the results while it reads the inputs; throws where two results share elements.
template <class P, class Out, class... X> bool must_run_apart(Out const& out, X const&... x) {
  static constexpr sharing_of<P> allowed{};
  if constexpr (allowed.matters) {
    bytes_of_tensor in[(tensors_in<X>() + ... + 0) + 1], to[P::sizes.results + 1];
    int n = 0, m = 0;
    auto const note = [&](auto const& t) { in[n++] = place_of(t); };
    (each_tensor(x, note), ...);
    auto const note_result = [&](auto const& t) { to[m++] = place_of(t); };
    each_tensor(out, note_result);
    for (int o = 0; o < m; ++o)
      for (int p = 0; p < o; ++p)
        if (overlap(to[o], to[p])) throw error("sinter: two tensors that are given for results of one call share elements");
    for (int i = 0; i < n; ++i)
      for (int o = 0; o < m; ++o) {
        if (allowed.with[i][o] == sharing::anything || !overlap(in[i], to[o]) || !in[i].row_major) continue;
        if (allowed.with[i][o] == sharing::nothing || in[i].from != to[o].from || in[i].to != to[o].to) return true;
      }
  }
  return false;
}

// Copies tensors, or each of a tuple, to others of the same types, all row-major.
template <class Y> constexpr void copy_tensors(Y const& from, Y const& to) {
  if constexpr (nd::is_tensor<Y>) {
    if constexpr (Y::device_type::is_host) std::copy_n(from.data(), from.size(), to.data());
    else Y::device_type::copy(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(typename Y::value_type));
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (copy_tensors(std::get<I>(from), std::get<I>(to)), ...);
    }(std::make_index_sequence<std::tuple_size_v<Y>>{});
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
