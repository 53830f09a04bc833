// SPDX-License-Identifier: Apache-2.0
// The numbers of a plan for given extents of its dynamic dimensions.
#pragma once
#include <iterator>

#include "frozen.hpp"
#include "kernel.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The numbers of a plan's loops for one binding of its dynamic dimensions.
template <class Tag> struct geometry {
  static constexpr plan_sizes n = Tag::sizes;
  kernel::launch launches[n.groups ? n.groups : 1]{};
  std::int64_t stride[n.operands ? n.operands * max_loop : 1]{};
  std::int64_t offset[n.operands ? n.operands : 1]{};  // in elements
  std::int64_t place[n.operands ? n.operands : 1]{};  // in bytes, behind the buffer's base: the arena's, that of the constants, or its own
  dims shapes[n.shapes ? n.shapes : 1]{};
  std::int64_t arena[n.buffers ? n.buffers : 1]{};  // where buffers lie in the arena, or in what is prepared; in bytes
  std::int64_t arena_bytes = 0;
  std::int64_t block_bytes = 0;  // of what lies between kernels that run together, where a backend keeps it whole
  binding at;
};

// The same wherever it is stored, and the lists of a plan that it is made of: what they do when the program runs is compiled once, not for
// every plan.
template <class T> struct list_view {
  T const* items = nullptr;
  int count = 0;
  constexpr list_view() = default;
  constexpr explicit(false) list_view(auto const& l) : items(l.data()), count(l.size()) {}
  constexpr int size() const { return count; }
  constexpr T const& operator[](int i) const { return items[i]; }
  constexpr T const* begin() const { return items; }
  constexpr T const* end() const { return items + count; }
  constexpr T const* data() const { return items; }
};
struct plan_view {
  list_view<buffer_info> buffers;
  list_view<resident> residents;
  list_view<operand> operands;
  list_view<group> groups;
  list_view<dims> shapes;
  list_view<std::int64_t> attributes;
  list_view<dimension> dimensions;
  list_view<loop_map> maps;
  template <class Plan>
  constexpr explicit plan_view(Plan const& p)
      : buffers(p.buffers),
        residents(p.residents),
        operands(p.operands),
        groups(p.groups),
        shapes(p.shapes),
        attributes(p.attributes),
        dimensions(p.dimensions),
        maps(p.maps) {}
};
struct geometry_view {
  kernel::launch* launches;
  std::int64_t *stride, *offset, *place;
  dims* shapes;
  std::int64_t *arena, *block_bytes;
  template <class Tag>
  constexpr explicit geometry_view(geometry<Tag>& g)
      : launches(g.launches),
        stride(g.stride),
        offset(g.offset),
        place(g.place),
        shapes(g.shapes),
        arena(g.arena),
        block_bytes(&g.block_bytes) {}
};

// `Plan` is here and below a frozen_plan, or what has its lists of the same names: a program that made its plan itself knows no Tag.

template <class Numbers, class Plan> constexpr void fill(Numbers& r, Plan const& p, binding const& b) {
  for (int j = 0; j < p.operands.size(); ++j) {
    for (int i = 0; i < max_loop; ++i) r.stride[j * max_loop + i] = b(p.operands[j].stride[i]);
    r.offset[j] = b(p.operands[j].offset);
  }
  for (int q = 0; q < p.groups.size(); ++q) {
    group const& g = p.groups[q];
    kernel::launch& l = r.launches[q];
    l.rank = g.rank;
    l.row_rank = g.row_rank;
    for (int i = 0; i < g.rank; ++i) l.extent[i] = b(g.extents[i]);
  }
  for (int k = 0; k < p.shapes.size(); ++k) {
    r.shapes[k] = p.shapes[k];
    for (int i = 0; i < p.shapes[k].rank; ++i) r.shapes[k].d[i] = extent_in(p.dimensions, b, p.shapes[k].d[i]);
  }
}
// An array, a pointer to one, or a list, which may be empty.
template <class List> constexpr dims const* shapes_in(List const& l) {
  if constexpr (requires { l.data(); }) return l.data();
  else return l;
}
template <class Numbers, class Plan> constexpr void connect(Numbers& r, Plan const& p) {
  for (int q = 0; q < p.groups.size(); ++q) {
    r.launches[q].stride = &r.stride[p.groups[q].operands.at * max_loop];
    r.launches[q].attributes = p.attributes.data() + p.groups[q].attributes.at;
    r.launches[q].map = p.groups[q].map >= 0 ? p.maps.data() + p.groups[q].map : nullptr;
    r.launches[q].shapes = shapes_in(r.shapes) + p.groups[q].shapes.at;
  }
}

// The numbers of a call whose dynamic dimensions have the values `b`; the result is the arena's size. `constant(type, index)`: where a
// constant lies, in bytes behind all of them. `top`: a zero for each kernel.
std::int64_t fill_geometry(geometry_view r, plan_view p, binding const& b, std::int64_t* top, std::int64_t (*constant)(dtype, int));
#if !defined(SINTER_COMPILED_ELSEWHERE)
SINTER_NOINLINE SINTER_COMPILED_ONCE std::int64_t fill_geometry(geometry_view r, plan_view p, binding const& b, std::int64_t* top,
                                                                std::int64_t (*constant)(dtype, int)) {
  fill(r, p, b);
  std::int64_t const bytes = stack_arena(p.buffers, p.residents, b, r.arena, top);
  *r.block_bytes = place_blocks(p, b, r.arena);
  connect(r, p);
  for (int j = 0; j < p.operands.size(); ++j) {
    operand const& o = p.operands[j];
    buffer_info const& f = p.buffers[o.buffer];
    r.place[j] = r.offset[j] * bytes_of(o.type);
    if (f.where == storage::arena || f.where == storage::prepared || f.where == storage::block) r.place[j] += r.arena[o.buffer];
    if (f.where == storage::constant) r.place[j] += constant(f.type, f.index);
  }
  return bytes;
}
#endif

}  // namespace SINTER_ISA
}  // namespace sinter
