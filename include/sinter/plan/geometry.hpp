// SPDX-License-Identifier: Apache-2.0
// The numbers of a plan for given extents of its dynamic dimensions.
#pragma once
#include <iterator>

#include "../graph/print.hpp"
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
  std::int64_t arena[n.buffers ? n.buffers : 1]{};  // in bytes
  std::int64_t arena_bytes = 0;
  binding at;
};

// `Plan` is here and below a frozen_plan, or what has its lists of the same names: a program that made its plan itself knows no Tag.

// The dynamic dimensions of a call, from the extents that its inputs have; throws if two that must agree do not.
template <class Plan> constexpr binding bind(Plan const& p, dims const* actual, dims const* typed, int inputs) {
  binding b;
  for (int i = 0; i < p.dimensions.size(); ++i) {
    dimension const& d = p.dimensions[i];
    if (d.from == dimension::origin::input) b.value[i] = actual[d.input].d[d.axis];
    else if (d.from == dimension::origin::sum) b.value[i] = sum_in(p.dimensions, b, d);
  }
  for (int i = 0; i < inputs; ++i)
    for (int k = 0; k < typed[i].rank; ++k)
      if (extent const e = typed[i].d[k]; e != unknown_extent && extent_in(p.dimensions, b, e) != actual[i].d[k])
        throw shape_error("sinter: input " + std::to_string(i) + " of shape " + to_string(typed[i]) + " is given the extents " +
                          to_string(actual[i]) + "; dimension " + std::to_string(k) + " must be " +
                          std::to_string(extent_in(p.dimensions, b, e)));
  for (equality const& e : p.equalities)
    if (extent_in(p.dimensions, b, e.a) != extent_in(p.dimensions, b, e.b))
      throw shape_error("sinter: two dynamic dimensions meet that must be equal: " + to_string_in(e.a, p.dimensions) + " is " +
                        std::to_string(extent_in(p.dimensions, b, e.a)) + ", " + to_string_in(e.b, p.dimensions) + " is " +
                        std::to_string(extent_in(p.dimensions, b, e.b)));
  return b;
}

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
template <class Numbers, class Plan> constexpr void connect(Numbers& r, Plan const& p) {
  for (int q = 0; q < p.groups.size(); ++q) {
    r.launches[q].stride = &r.stride[p.groups[q].operands.at * max_loop];
    r.launches[q].attributes = p.attributes.data() + p.groups[q].attributes.at;
    r.launches[q].map = p.groups[q].map >= 0 ? p.maps.data() + p.groups[q].map : nullptr;
    r.launches[q].shapes = std::data(r.shapes) + p.groups[q].shapes.at;
  }
}

}  // namespace SINTER_ISA
}  // namespace sinter
