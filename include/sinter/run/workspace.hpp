// SPDX-License-Identifier: Apache-2.0
// The memory that the calls of one program work in, one after the other: a thread's, a stream's, or that of a single call.
#pragma once
#include "../core/buffer.hpp"
#include "../core/per_thread.hpp"
#include "../core/random.hpp"
#include "instance.hpp"

namespace sinter::executor::inline SINTER_ISA {

struct workspace_base {
  buffer<std::byte> arena;
  std::int64_t bytes = -1;
  buffer<std::int64_t> keys;  // on another device than the host

  template <class Device> SINTER_NOINLINE void grow(std::int64_t to) {
    bytes = -1;  // without an arena, should there be no memory for the new one
    arena = {};
    arena = Device::template allocate<std::byte>(static_cast<std::size_t>(to), false);
    bytes = to;
  }
};
// The numbers of a program's loops at the dimensions of its last call.
template <class P> struct dynamic_workspace : workspace_base {
  geometry<P> g;
  geometry<P> const& numbers_at(binding const& b) {
    if (bytes < 0 || !g.at.agrees(b, P::sizes.dimensions)) P::compute_numbers(g, b);
    return g;
  }
};
template <class P> struct fixed_workspace : workspace_base {
  static geometry<P> const& numbers_at(binding const&) { return P::fixed_numbers(); }
};
template <class P> using workspace = std::conditional_t<P::fixed, fixed_workspace<P>, dynamic_workspace<P>>;

// This thread's, or that of the stream on which the backend runs its kernels now.
template <class P, class Backend> inline auto& workspace_of() {
  if constexpr (requires { Backend::template workspace<workspace<P>>(); }) return Backend::template workspace<workspace<P>>();
  else return detail::of_this_thread<workspace<P>>();
}

// The program at the dimensions of the call, which gets an arena.
template <class P, class Backend, class Device> instance<P, Backend> begin(workspace<P>& w, call& c) {
  instance<P, Backend> const f(w.numbers_at(*c.dimensions));
  if constexpr (P::sizes.residents == 0 && P::sizes.together == 0) w.bytes = 0;  // nothing is ever in the arena
  else {
    if (f.arena_bytes() > w.bytes) w.template grow<Device>(f.arena_bytes());
    c.arena = w.arena.data();
  }
  return f;
}

// Keys for random numbers: inputs [from, to), which the caller does not give, in the order in which the network asks for them.
template <class Device> void draw_keys(workspace_base& w, std::byte** inputs, std::int64_t* keys, int from, int to) {
  for (int i = from; i < to; ++i) {
    keys[i] = random::next_key();
    inputs[i] = reinterpret_cast<std::byte*>(&keys[i]);
  }
  if constexpr (!Device::is_host) {  // where kernels can read them
    auto const n = static_cast<std::size_t>(to);
    if (!w.keys) w.keys = Device::template allocate<std::int64_t>(n, false);
    Device::copy(w.keys.data() + from, keys + from, (n - static_cast<std::size_t>(from)) * sizeof *keys);
    for (int i = from; i < to; ++i) inputs[i] = reinterpret_cast<std::byte*>(w.keys.data() + i);
  }
}

}  // namespace sinter::executor::inline SINTER_ISA
