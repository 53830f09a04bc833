// SPDX-License-Identifier: Apache-2.0
// A plan with its kernels as types.
#pragma once
#include <bit>

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

// In what follows a function that makes a constant is given what it computes from. Where a body calls a function with constants, or with nothing,
// GCC evaluates the call once more, and Clang where it initialises an object with a destructor.
template <class Source> constexpr graph_sizes bounds_of() {
  if constexpr (requires { Source::bounds; }) return Source::bounds;
  else {
    auto const sizes = [](plan (*origin)()) {
      plan const p = origin();
      return sizes_of(p.g);
    };
    return sizes(&Source::make);
  }
}
template <class Source, graph_sizes N> struct plan_within {
  static constexpr bounded_plan<N> make(plan (*origin)()) {
    plan const p = origin();  // a name, because nvcc forgets to destroy a temporary here
    return bounded_plan<N>(p);
  }
  static constexpr bounded_plan<N> made = make(&Source::make);
};
// Says that what Source plans runs in no constant expression, where the reference kernels would run it: `static constexpr bool never_constant = true`
template <class Source> inline constexpr bool is_never_constant = requires { Source::never_constant; };
// Source is a plan's origin: `static constexpr plan make()`, and where it is known beforehand `static constexpr graph_sizes bounds`, the sizes
// of its graph or more; a plan that does not fit is made again. All else is derived, once for each Source.
template <class Source> struct program {
  using source = Source;
  static constexpr graph_sizes usual = bounds_of<Source>();
  static constexpr graph_sizes bounds = plan_within<Source, usual>::made.sizes.within(usual);
  using within = plan_within<Source, bounds>;
  using resident_list = bounded_list<resident, bounds.nodes + bounds.memory>;
  static constexpr resident_list stack_residents(bounded_plan<bounds> const& made) {
    list<resident> const stacked = plan_arena(made.buffers, made.dimensions, made.sizes.groups);
    return resident_list(stacked);
  }
  static constexpr resident_list residents = stack_residents(within::made);
  static constexpr plan_sizes sizes = within::made.sizes.with_residents(residents.count);
  static constexpr frozen_plan<program> plan{within::made, residents};
  static constexpr frozen_list<step_info, sizes.steps> steps{within::made.steps};
  static constexpr bool fixed = sizes.dimensions == 0;
  static constexpr constant_pool<program> constants{plan};
  static constexpr plan_pieces<program> pieces{plan, steps};
  template <int G> using kernel_at = typename lower<program, G>::type;

  // The loops of a static plan. Computed when they are first needed: as a constant they would cost the compiler more than the plan.
  static geometry<program> const& fixed_numbers() {
    struct numbers : geometry<program> {
      numbers() { compute_numbers(*this, binding{}); }
    };
    static numbers const g;
    return g;
  }

  // The numbers of a call whose dynamic dimensions have the values `b`.
  static void compute_numbers(geometry<program>& g, binding const& b) {
    g.at.value[0] = -1;  // invalid until all are computed, because one that is too large throws
    std::int64_t top[sizes.groups + 1]{};
    g.arena_bytes = fill_geometry(geometry_view(g), plan_view(plan), b, top, &place_of_constant);
    g.at = b;
  }
  static std::int64_t place_of_constant(dtype t, int i) {
    return std::bit_cast<std::byte*>(constants.at(t, i)) - reinterpret_cast<std::byte const*>(&constants);
  }
  // The arena at given dimensions of a plan that this one is a part of.
  static constexpr std::int64_t bytes_at(binding const& b) {
    std::int64_t offset[sizes.buffers + 1]{}, top[sizes.groups + 1]{};
    binding const all = with_computed(plan.dimensions, b);
    return stack_arena(plan.buffers, plan.residents, all, offset, top) + place_blocks(plan, all, offset);
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
