// SPDX-License-Identifier: Apache-2.0
// Results that a caller gives, and that may lie where an input or another result does.
#pragma once
#include <algorithm>
#include <cstdint>
#include <tuple>

#include "../nd/tensor.hpp"
#include "../plan/program.hpp"
#include "../plan/sharing.hpp"

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

template <class P> struct sharing_of {
  static constexpr int n = P::sizes.inputs, m = P::sizes.results;
  sharing with[n + 1][m + 1]{};
  bool matters = m > 1;
  constexpr sharing_of() {
    for (int i = 0; i < n; ++i)
      for (int o = 0; o < m; ++o) {
        auto const& p = P::within::made;
        with[i][o] = sharing_between(p, buffer_of(p, storage::input, i), buffer_of(p, storage::output, o));
        matters = matters || with[i][o] != sharing::anything;
      }
  }
};

// The bytes of a row-major tensor. Others are copied before a network reads them.
struct bytes_of_tensor {
  std::uintptr_t from = 0, to = 0;
};
template <class T, class S, class D> SINTER_INLINE bytes_of_tensor place_of(nd::tensor<T, S, D> const& t) {
  std::uintptr_t const from = reinterpret_cast<std::uintptr_t>(t.data());
  if constexpr (S::fixed) return {from, from + static_cast<std::uintptr_t>(S::value.size()) * sizeof(T)};
  else return {from, from + static_cast<std::uintptr_t>(t.size()) * sizeof(T)};
}
inline bool overlap(bytes_of_tensor const& a, bytes_of_tensor const& b) { return (a.from < b.to) & (b.from < a.to); }

template <class P, class Out, class... X> struct given_places {
  static constexpr sharing_of<P> allowed{};
  static constexpr int n = (tensors_in<X>() + ... + 0), m = P::sizes.results;
  bytes_of_tensor in[n + 1], to[m + 1];

  SINTER_INLINE given_places(Out const& out, X const&... x) {
    int i = 0, o = 0;
    auto const note = [&](auto const& t) { in[i++] = place_of(t); };
    (each_tensor(x, note), ...);
    auto const note_result = [&](auto const& t) { to[o++] = place_of(t); };
    each_tensor(out, note_result);
  }
  // Of every call: whether anything overlaps that may not overlap in all ways.
  SINTER_INLINE bool suspicious() const {
    bool any = false;
    for (int o = 0; o < m; ++o) {
      for (int p = 0; p < o; ++p) any |= overlap(to[o], to[p]);
      for (int i = 0; i < n; ++i)
        if (allowed.with[i][o] != sharing::anything) any |= overlap(in[i], to[o]);
    }
    return any;
  }
};
// Whether the results must not be written while the inputs are read; throws where two results share elements.
template <class P, class Out, class... X> SINTER_NOINLINE bool look_closely(Out const& out, X const&... x) {
  using places = given_places<P, Out, X...>;
  places const at(out, x...);
  bool row_major[places::n + 1];
  int k = 0;
  auto const note = [&](auto const& t) { row_major[k++] = t.is_contiguous(); };
  (each_tensor(x, note), ...);
  for (int o = 0; o < places::m; ++o)
    for (int p = 0; p < o; ++p)
      if (overlap(at.to[o], at.to[p])) throw error("sinter: two tensors that are given for results of one call share elements");
  for (int i = 0; i < places::n; ++i)
    for (int o = 0; o < places::m; ++o) {
      sharing const allowed = places::allowed.with[i][o];
      if (allowed == sharing::anything || !overlap(at.in[i], at.to[o]) || !row_major[i]) continue;
      if (allowed == sharing::nothing || at.in[i].from != at.to[o].from || at.in[i].to != at.to[o].to) return true;
    }
  return false;
}
template <class P, class Out, class... X> SINTER_INLINE bool must_run_apart(Out const& out, X const&... x) {
  if constexpr (!given_places<P, Out, X...>::allowed.matters) return false;
  else return given_places<P, Out, X...>(out, x...).suspicious() && look_closely<P>(out, x...);
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
