// SPDX-License-Identifier: Apache-2.0
// What depends on parameters alone: done when they have changed, and not in every call.
#pragma once
#include <atomic>

#include "../core/device.hpp"
#include "call.hpp"
#include "value.hpp"

namespace sinter::executor::inline SINTER_ISA {

// Does everything that the plan says to do beforehand: the kernels that run once, and what backends make of weights. `made`: for each kernel
// what was made for it, in `memory`, and behind them what those kernels wrote, in memory of the device.
template <class Device = device::cpu_t, class Instance>
void prepare(Instance const& f, std::byte* const* parameters, std::byte const** made, buffer<std::byte>& memory) {
  static_assert(is_instance<Instance>);
  auto const& all = f.preparations();
  auto const whole_lines = [](std::size_t n) { return (n + storage_alignment - 1) / storage_alignment * storage_alignment; };
  std::size_t const once = whole_lines(f.once_bytes());
  std::size_t total = once;
  for (preparation const& w : all)
    if (w.like < 0) total += whole_lines(f.prepared_bytes(w));
  if constexpr (!Device::is_host)
    if (memory) waitall();  // what is queued may still read it
  memory = total ? Device::template allocate<std::byte>(total, false) : buffer<std::byte>{};
  std::byte* to = memory.data();
  call c;
  c.parameters = parameters;
  c.prepared = made;
  made[f.kernels()] = to;
  if (once) f.run_once(c);
  to += once;
  for (preparation const& w : all) {
    if (w.like >= 0) {
      made[w.group] = made[all[w.like].group];
      continue;
    }
    std::size_t const bytes = f.prepared_bytes(w);
    made[w.group] = bytes ? to : nullptr;
    if (bytes == 0) continue;
    f.prepare(w, c, to);
    to += whole_lines(bytes);
  }
  if constexpr (!Device::is_host) Device::wait();  // other streams read it, too
}

// The parameters of a program: where they are, in which versions, and what was made of these.
template <class P> struct prepared {
  std::byte* values[P::sizes.parameters + 1]{};
  std::uint64_t versions[P::sizes.parameters + 1]{};
  std::byte const* made[P::sizes.groups + 1]{};
  any_value* changing[P::sizes.updates + 1]{};  // what its calls change, in the order of plan::updates
  any_value calls;  // held by such a call: another one of the same program waits here
  buffer<std::byte> memory;
  std::atomic<std::uint64_t> epoch{0};  // of the parameters when they were last looked at

  // Parameter `i` is at `v` in this version. Whether that is new; what is not new is not even written: another thread may read it.
  bool note(int i, std::byte* v, std::uint64_t version) {
    if (values[i] == v && versions[i] == version) return false;
    values[i] = v;
    versions[i] = version;
    return true;
  }
  void forget() {
    for (std::uint64_t& v : versions) v = 0;
  }
};
// Brings `p` up to date with the parameters, whose epoch moves when any of them gets other values. look(changed) notes all of them.
template <class Device = device::cpu_t, class P, class Instance, class Look>
void renew(prepared<P>& p, Instance const& f, Look const& look) {
  for (;;) {
    std::uint64_t const now = value_epoch.load(std::memory_order_acquire);
    if (p.epoch.load(std::memory_order_relaxed) == now) return;
    bool changed = p.epoch.load(std::memory_order_relaxed) == 0;  // the first time
    try {
      look(changed);
      if (changed) prepare<Device>(f, p.values, p.made, p.memory);
    } catch (...) {  // what was made may be of other values: the next call looks at all of them again
      if (changed) p.forget();
      throw;
    }
    p.epoch.store(now, std::memory_order_release);  // making deferred values has moved it: look again until it stands still
  }
}

}  // namespace sinter::executor::inline SINTER_ISA
