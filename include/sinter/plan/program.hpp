// SPDX-License-Identifier: Apache-2.0
// A plan with its kernels as types, and the loop that runs them.
#pragma once
#include <bit>

#include "../core/buffer.hpp"
#include "costs.hpp"
#include "geometry.hpp"
#include "lower.hpp"
#include "make.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The constants of a plan, each one in every element type. There are few, and kernels read them as arrays.
template <class Tag> struct constant_pool {
  static constexpr int n = Tag::sizes.data ? Tag::sizes.data : 1;
  float f32[n]{};
  double f64[n]{};
  std::int32_t i32[n]{};
  std::int64_t i64[n]{};
  bool b[n]{};
  constexpr explicit constant_pool(frozen_plan<Tag> const& p) {
    for (buffer_info const& c : p.buffers)
      for (int i = 0; c.where == storage::constant && i < c.data; ++i) {
        std::uint64_t const v = p.data[c.index + i];
        switch (c.type) {
          case dtype::float64: f64[c.index + i] = element_of<double>(v); break;
          case dtype::int32: i32[c.index + i] = element_of<std::int32_t>(v); break;
          case dtype::int64: i64[c.index + i] = element_of<std::int64_t>(v); break;
          case dtype::boolean: b[c.index + i] = element_of<bool>(v); break;
          default: f32[c.index + i] = element_of<float>(v);
        }
      }
  }
  constexpr kernel::pointer at(dtype t, int i) const {  // kernels only read what is not marked as written
    switch (t) {
      case dtype::float64: return const_cast<double*>(f64 + i);
      case dtype::int32: return const_cast<std::int32_t*>(i32 + i);
      case dtype::int64: return const_cast<std::int64_t*>(i64 + i);
      case dtype::boolean: return const_cast<bool*>(b + i);
      default: return const_cast<float*>(f32 + i);
    }
  }
};

constexpr kernel::pointer advance(kernel::pointer p, dtype t, std::int64_t by) {
  return with_type(t, [&]<class T>(T*) -> kernel::pointer { return p.get<T>() + by; });
}

template <class Source> constexpr graph_sizes bounds_of() {
  if constexpr (requires { Source::bounds; }) return Source::bounds;
  else {
    plan const p = Source::make();
    return sizes_of(p.g);
  }
}
// Source is a plan's origin: `static constexpr plan make()`, and where it is known beforehand `static constexpr graph_sizes bounds`, at
// least the sizes of its graph. All else is derived, once for each Source.
template <class Source> struct program {
  static constexpr graph_sizes bounds = bounds_of<Source>();
  static constexpr bounded_plan<bounds> make() {
    sinter::plan const p = Source::make();  // names, because nvcc forgets to destroy temporaries here
    list<resident> const stacked = plan_arena(p);
    return bounded_plan<bounds>(p, stacked);
  }
  static constexpr bounded_plan<bounds> made = make();
  static constexpr plan_sizes sizes = made.sizes;
  static constexpr frozen_plan<program> plan{made, made.residents};
  static constexpr frozen_list<step_info, sizes.steps> steps{made.steps};
  static constexpr bool fixed = sizes.dimensions == 0;
  static constexpr constant_pool<program> constants{plan};
  static constexpr plan_pieces<program> pieces{plan, steps};
  template <int G> using kernel_at = typename lower<program, G>::type;

  // The loops of a static plan. Computed when they are first needed: as a constant they would cost the compiler more than the plan.
  static geometry<program> const& fixed_numbers() {
    struct numbers : geometry<program> {
      numbers() { prepare(*this, binding{}); }
    };
    static numbers const g;
    return g;
  }

  // The kernels of a backend, in order. Everything that is done for each group goes through such a table: a function for each group
  // would be compiled for each, and equal groups have one kernel.
  struct entry_points {
    void (*go[sizes.groups + 1])(kernel::launch const&, kernel::pointer const*);
    std::size_t (*packed_bytes[sizes.groups + 1])(kernel::launch const&);
    void (*pack[sizes.groups + 1])(kernel::launch const&, kernel::pointer const*, std::byte*);
  };
  template <class Backend, int... G> static constexpr entry_points entries(std::integer_sequence<int, G...>) {
    return {{&Backend::template go<kernel_at<G>>..., nullptr},
            {&Backend::template packed_bytes<kernel_at<G>>..., nullptr},
            {&Backend::template pack<kernel_at<G>>..., nullptr}};
  }
  template <class Backend> static constexpr entry_points table = entries<Backend>(std::make_integer_sequence<int, sizes.groups>{});

  // The numbers of a call whose dynamic dimensions have the values `b`.
  static void prepare(geometry<program>& g, binding const& b) {
    g.at.value[0] = -1;  // invalid until all are computed, because one that is too large throws
    fill(g, plan, b);
    std::int64_t top[sizes.groups + 1]{};
    g.arena_bytes = stack_arena(plan.buffers, plan.residents, b, g.arena, top);
    connect(g, plan);
    for (int j = 0; j < sizes.operands; ++j) {
      operand const& o = plan.operands[j];
      buffer_info const& f = plan.buffers[o.buffer];
      g.place[j] = g.offset[j] * bytes_of(o.type);
      if (f.where == storage::arena) g.place[j] += g.arena[o.buffer];
      if (f.where == storage::constant)
        g.place[j] += std::bit_cast<std::byte*>(constants.at(f.type, f.index)) - reinterpret_cast<std::byte const*>(&constants);
    }
    g.at = b;
  }
  // What an operand's place is counted from: one of the inputs, parameters or outputs, or the arena, or the constants.
  struct origin {
    storage where = storage::arena;
    int index = 0;
  };
  struct origin_list {
    origin items[sizes.operands + 1]{};
    constexpr origin_list() {
      for (int j = 0; j < sizes.operands; ++j) {
        buffer_info const& f = plan.buffers[plan.operands[j].buffer];
        bool const only = f.where == storage::arena || f.where == storage::constant;
        items[j] = {f.where, only ? 0 : f.index};
      }
    }
  };
  static constexpr origin_list origins{};

  // ---- in a constant expression: every buffer an array of its own
  template <class Backend> static constexpr void run_constant(kernel::pointer const* inputs, kernel::pointer const* parameters,
                                                              kernel::pointer const* outputs, binding const& b) {
    geometry<program> g;
    fill(g, plan, b);
    connect(g, plan);
    kernel::pointer base[sizes.buffers + 1]{};
    for (int i = 0; i < sizes.buffers; ++i) {
      buffer_info const& f = plan.buffers[i];
      switch (f.where) {
        case storage::input: base[i] = inputs[f.index]; break;
        case storage::parameter: base[i] = parameters[f.index]; break;
        case storage::output: base[i] = outputs[f.index]; break;
        case storage::constant: base[i] = constants.at(f.type, f.index); break;
        case storage::arena:
          base[i] = with_type(f.type, [&]<class T>(T*) -> kernel::pointer { return new T[static_cast<std::size_t>(b(f.elements)) + 1]{}; });
      }
    }
    for (int q = 0; q < sizes.groups; ++q) {
      span_of const operands = plan.groups[q].operands;
      kernel::pointer p[largest_group() + 1]{};
      for (int j = 0; j < operands.n; ++j) {
        operand const& o = plan.operands[operands.at + j];
        p[j] = advance(base[o.buffer], o.type, g.offset[operands.at + j]);
      }
      table<Backend>.go[q](g.launches[q], p);
    }
    for (int i = 0; i < sizes.buffers; ++i)
      if (plan.buffers[i].where == storage::arena)
        with_type(plan.buffers[i].type, [&]<class T>(T*) { delete[] base[i].template get<T>(); });
  }
  // ---- when the program runs
  template <class Backend> static void run(geometry<program> const& g, std::byte* const* inputs, std::byte* const* parameters,
                                           std::byte* const* outputs, std::byte* arena, std::byte const* const* packed) {
    std::byte* const pool =
        const_cast<std::byte*>(reinterpret_cast<std::byte const*>(&constants_for<Backend>()));  // kernels only read them
    std::byte* const* const base[]{inputs, parameters, &pool, &arena, outputs};  // as `storage` counts
    kernel::pointer p[largest_group() + 1];
    for (int q = 0; q < sizes.groups; ++q) {
      span_of const operands = plan.groups.items[q].operands;
      for (int j = 0; j < operands.n; ++j) {
        origin const from = origins.items[operands.at + j];
        p[j] = std::bit_cast<kernel::pointer>(base[static_cast<int>(from.where)][from.index] + g.place[operands.at + j]);
      }
      if (!packed || !packed[q]) {
        table<Backend>.go[q](g.launches[q], p);
        continue;
      }
      kernel::launch l = g.launches[q];
      l.packed = packed[q];
      table<Backend>.go[q](l, p);
    }
  }
  // The constants where the backend's kernels can read them.
  template <class Backend> static constant_pool<program> const& constants_for() {
    if constexpr (requires { Backend::place(constants); }) return Backend::place(constants);
    else return constants;
  }
  static constexpr int largest_group() {
    int m = 0;
    for (group const& q : plan.groups)
      if (q.operands.n > m) m = q.operands.n;
    return m;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter
