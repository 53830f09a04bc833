// SPDX-License-Identifier: Apache-2.0
// A program that the compiler made, at one choice of its dynamic dimensions: its kernels, called in order.
#pragma once
#include <bit>

#include "../plan/program.hpp"
#include "blocks.hpp"
#include "call.hpp"
#include "image_blocks.hpp"
#include "joined.hpp"

namespace sinter::executor::inline SINTER_ISA {

// The kernels of a program by a backend, in order. Everything that is done for each kernel goes through this table: a function for each
// kernel of a plan would be compiled for each, and equal kernels are one type.
template <int N> struct kernel_table {
  void (*go[N + 1])(kernel::launch const&, kernel::pointer const*);
  std::size_t (*packed_bytes[N + 1])(kernel::launch const&);
  void (*pack[N + 1])(kernel::launch const&, kernel::pointer const*, std::byte*);
};
// The row of a kernel; control flow has none.
template <class Backend, class Kernel> struct row_of_kernel {
  static constexpr auto go = &Backend::template go<Kernel>;
  static constexpr auto packed_bytes = &Backend::template packed_bytes<Kernel>;
  static constexpr auto pack = &Backend::template pack<Kernel>;
};
template <class Backend> struct row_of_kernel<Backend, kernel::region> {
  static constexpr std::nullptr_t go = nullptr, packed_bytes = nullptr, pack = nullptr;
};
template <class P, class Backend, int... G> constexpr kernel_table<P::sizes.groups> table_of(std::integer_sequence<int, G...>) {
  if constexpr (P::sizes.regions > 0)
    return {{row_of_kernel<Backend, typename P::template kernel_at<G>>::go..., nullptr},
            {row_of_kernel<Backend, typename P::template kernel_at<G>>::packed_bytes..., nullptr},
            {row_of_kernel<Backend, typename P::template kernel_at<G>>::pack..., nullptr}};
  else
    return {{&Backend::template go<typename P::template kernel_at<G>>..., nullptr},
            {&Backend::template packed_bytes<typename P::template kernel_at<G>>..., nullptr},
            {&Backend::template pack<typename P::template kernel_at<G>>..., nullptr}};
}
template <class P, class Backend>
inline constexpr kernel_table<P::sizes.groups> kernels_of = table_of<P, Backend>(std::make_integer_sequence<int, P::sizes.groups>{});

// What an operand's place is counted from: one of the inputs, parameters or outputs, or the arena, the constants, or what runs once.
struct origin {
  storage where = storage::arena;
  int index = 0;
};
template <int N> struct origin_list {
  origin items[N + 1]{};
  template <class Plan> constexpr explicit origin_list(Plan const& p) {
    for (int j = 0; j < N; ++j) {
      buffer_info const& f = p.buffers[p.operands[j].buffer];
      bool const only =
          f.where == storage::arena || f.where == storage::constant || f.where == storage::prepared || f.where == storage::block;
      items[j] = {f.where, only ? 0 : f.index};
    }
  }
};
template <class P> inline constexpr origin_list<P::sizes.operands> origins_of{P::plan};

// The constants of a program where the backend's kernels can read them.
template <class P, class Backend> auto const& constants_for() {
  if constexpr (requires { Backend::place(P::constants); }) return Backend::place(P::constants);
  else return P::constants;
}

// Runs kernel `q`, which is control flow (run/body.hpp).
template <class P, class Backend> void run_control_flow(int q, call const& c, kernel::launch const& l, kernel::pointer const* p);

template <class P, class Backend> class instance {
 public:
  // `numbers` must outlive it.
  explicit instance(geometry<P> const& numbers) : g_(&numbers) {}
  geometry<P> const& numbers() const { return *g_; }
  // Kernels that run together need less, if the backend runs them so.
  static constexpr bool in_blocks = P::sizes.together > 0 && runs_blocks<Backend>;
  static constexpr bool as_one = P::sizes.together > 0 && joins_kernels<Backend>;
  std::int64_t arena_bytes() const {
    if constexpr (P::sizes.together > 0 && !in_blocks) return g_->arena_bytes + (keeps_whole() ? g_->block_bytes : 0);
    else return g_->arena_bytes;
  }
  static constexpr int kernels() { return P::sizes.groups; }

  void run(call const& c) const { run_kernels<false>(c); }
  std::size_t once_bytes() const {
    if constexpr (P::sizes.once == 0) return 0;
    else return static_cast<std::size_t>(place_prepared(P::plan.buffers, nullptr));
  }
  void run_once(call const& c) const {
    if constexpr (P::sizes.once > 0) run_kernels<true>(c);
  }

  static constexpr auto const& preparations() { return P::plan.preparations; }
  // Constants stay as they are: no format of weights is meant for them, and they are small.
  std::size_t prepared_bytes(preparation const& w) const {
    if (buffer_of(w).where == storage::constant) return 0;
    return kernels_of<P, Backend>.packed_bytes[w.group](launch_of(w));
  }
  void prepare(preparation const& w, call const& c, std::byte* to) const {
    kernel::pointer p[P::largest_group() + 1]{};
    int const at = P::plan.groups.items[w.group].operands.at + w.operand;
    std::byte* const from = buffer_of(w).where == storage::parameter ? c.parameters[buffer_of(w).index] : once_of(c);
    p[w.operand] = std::bit_cast<kernel::pointer>(from + g_->place[at]);
    kernels_of<P, Backend>.pack[w.group](launch_of(w), p, to);
  }

 private:
  geometry<P> const* g_;

  // Whether the backend runs those kernels as one of which `last` is the last.
  bool is_joined(int last) const {
    if constexpr (as_one) {
      kernel::launch const* l[most_together];
      return joined_of<P, Backend>.items[last].go && joined_of<P, Backend>.items[last].takes(loops_of(last, l));
    } else return false;
  }
  // Whether some kernels that could run together run one after the other, so that what lies between them is in memory.
  bool keeps_whole() const {
    for (int q = 0; q < P::sizes.groups; ++q)
      if (int const last = P::plan.groups.items[q].together; last >= 0 && !is_joined(last)) return true;
    return false;
  }
  // The loops of those kernels.
  kernel::launch const* const* loops_of(int last, kernel::launch const** l) const {
    int n = 0;
    for (int q = 0; q <= last; ++q)
      if (P::plan.groups.items[q].together == last) l[n++] = &g_->launches[q];
    return l;
  }
  // What kernels write that run once.
  static std::byte* once_of(call const& c) {
    if constexpr (P::sizes.once == 0) return nullptr;
    else return const_cast<std::byte*>(c.prepared[P::sizes.groups]);
  }
  // The kernels that run in each call, or those that run once.
  template <bool Once> void run_kernels(call const& c) const {
    geometry<P> const& g = *g_;  // names for what the kernels would seem to change
    std::byte const* const* const prepared = c.prepared;
    std::byte *const arena = c.arena, *const pool = const_cast<std::byte*>(
                                          reinterpret_cast<std::byte const*>(&constants_for<P, Backend>()));  // kernels only read them
    std::byte* const once = once_of(c);
    std::byte* whole = nullptr;  // what lies between kernels that run together, for a backend that keeps it whole
    if constexpr (P::sizes.together > 0 && !in_blocks && !Once) whole = arena + g.arena_bytes;
    std::byte* const* const base[]{c.inputs, c.parameters, &pool, &arena, c.outputs, &once, &whole};  // as `storage` counts
    kernel::pointer p[P::largest_group() + 1];
    for (int q = 0; q < P::sizes.groups; ++q) {
      if constexpr (P::sizes.once > 0)
        if (P::plan.groups.items[q].once != Once) continue;
      if constexpr (in_blocks)
        if (int const last = P::plan.groups.items[q].together; last >= 0) {
          if (last == q) run_together(q, c, base);
          continue;
        }
      if constexpr (as_one)
        if (int const last = P::plan.groups.items[q].together; last >= 0 && is_joined(last)) {
          if (last == q) run_joined(q, base);
          continue;
        }
      span_of const operands = P::plan.groups.items[q].operands;
      for (int j = 0; j < operands.n; ++j) {
        origin const from = origins_of<P>.items[operands.at + j];
        p[j] = std::bit_cast<kernel::pointer>(base[static_cast<int>(from.where)][from.index] + g.place[operands.at + j]);
      }
      if constexpr (P::sizes.regions > 0)
        if (!kernels_of<P, Backend>.go[q]) {
          run_control_flow<P, Backend>(q, c, g.launches[q], p);
          continue;
        }
      if (!prepared || !prepared[q]) {
        kernels_of<P, Backend>.go[q](g.launches[q], p);
        continue;
      }
      kernel::launch l = g.launches[q];
      l.packed = prepared[q];
      kernels_of<P, Backend>.go[q](l, p);
    }
  }
  // Where operand j begins; null where it lies between kernels that run together.
  std::byte* outside(std::byte* const* const* base, int j) const {
    origin const from = origins_of<P>.items[j];
    return from.where == storage::block ? nullptr : base[static_cast<int>(from.where)][from.index] + g_->place[j];
  }
  // The kernels of which `last` is the last one.
  void run_together(int last, call const& c, std::byte* const* const* base) const {
    if constexpr (P::sizes.of_images > 0)
      if (P::plan.groups.items[last].of_images.row >= 0) return run_together<image_block_runner>(last, c, base);
    run_together<block_runner>(last, c, base);
  }
  template <class Runner> void run_together(int last, call const& c, std::byte* const* const* base) const {
    std::byte* at[most_together * (P::largest_group() + 1)];
    Runner r(*c.dimensions, P::plan.buffers.items);
    int n = 0;
    for (int q = 0; q <= last; ++q) {
      group const& k = P::plan.groups.items[q];
      if (k.together != last) continue;
      r.add({&g_->launches[q], &k, P::plan.operands.items + k.operands.at, at + n, kernels_of<P, Backend>.go[q],
             kernels_of<P, Backend>.packed_bytes[q], kernels_of<P, Backend>.pack[q], c.prepared ? c.prepared[q] : nullptr});
      for (int j = k.operands.at; j < k.operands.at + k.operands.n; ++j) at[n++] = outside(base, j);
    }
    r.template run<Backend>();
  }
  void run_joined(int last, std::byte* const* const* base) const {
    kernel::launch const* l[most_together];
    kernel::pointer p[most_together * (P::largest_group() + 1)];
    kernel::pointer const* operands[most_together];
    int n = 0, k = 0;
    for (int q = 0; q <= last; ++q) {
      group const& g = P::plan.groups.items[q];
      if (g.together != last) continue;
      operands[k++] = p + n;
      for (int j = g.operands.at; j < g.operands.at + g.operands.n; ++j) p[n++] = std::bit_cast<kernel::pointer>(outside(base, j));
    }
    joined_of<P, Backend>.items[last].go(loops_of(last, l), operands);
  }
  static buffer_info const& buffer_of(preparation const& w) {
    return P::plan.buffers.items[P::plan.operands.items[P::plan.groups.items[w.group].operands.at + w.operand].buffer];
  }
  kernel::launch launch_of(preparation const& w) const {
    kernel::launch l = g_->launches[w.group];
    if constexpr (!P::fixed) {
      if (!l.map) l.extent[l.rank - 3] = std::max(l.extent[l.rank - 3], std::int64_t{64});  // prepared for any number of rows
      else
        for (int i = 0; i < l.rank; ++i)
          if (!P::plan.groups.items[w.group].extents[i].fixed()) l.extent[i] = kernel::any_extent;
    }
    return l;
  }
};

// A call of a whole network: a backend may have a way of its own to run all kernels of a plan together.
template <class P, class Backend> void run_network(instance<P, Backend> const& f, call const& c) {
  if constexpr (P::sizes.regions == 0 && requires { &Backend::template run_together<P>; })
    Backend::template run_together<P>(f.numbers(), c);
  else f.run(c);
}

}  // namespace sinter::executor::inline SINTER_ISA
