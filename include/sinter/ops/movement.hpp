// SPDX-License-Identifier: Apache-2.0
// Elements that change place: concat and take.
#pragma once
#include "opaque.hpp"

namespace sinter::ops::inline SINTER_ISA {

// concat(a, b, ..., axis<1>): side by side along an axis, by default the second. Its operands are computed directly into the result.
struct concat {
  static constexpr format_names formats{"Concat", "Concat"};
  static constexpr family kind = family::join;
  static constexpr operand_count arity{1, operand_count::any};
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    return {place(k[key::axis{}], rank > 1 ? 1 : 0, rank)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    inferred r{in[0]};
    for (int i = 1; i < in.n; ++i) {
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
      if (in[i].shape.rank != in[0].shape.rank) return {{}, problem::parts_differ, 0, i};
      for (int k = 0; k < in[0].shape.rank; ++k) {
        extent const x = r.type.shape.d[k], y = in[i].shape.d[k];
        if (k == a.axis) r.type.shape.d[k] = t.sum(x, y);
        else if (x != y) {
          if (x == 1 || y == 1 || !broadcast_extent(x, y, r.type.shape.d[k])) return {{}, problem::parts_differ, 0, i};
          t.same(x, y);
        }
      }
    }
    return r;
  }
};

// take(data, indices, axis<0>): the slices that the indices name. An index out of range is clipped to the nearest, as in Gluon.
struct take : opaque_op<take> {
  static constexpr format_names formats{"take", "Gather"};
  static constexpr bool moves = true;
  static constexpr bool promotes = false;
  static constexpr bool lanes_share_items = true;
  static constexpr int arity = 2;
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {place(k[key::axis{}], 0, in[0].shape.rank)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axis < 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[1].type == dtype::boolean || is_floating(in[1].type)) return {{}, problem::wants_integer, 1, 1};
    if (in[0].shape.rank + in[1].shape.rank - 1 > max_rank) return {{}, problem::too_many_dimensions, 0, 1};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (i != a.axis) r.type.shape.push(in[0].shape.d[i]);
      else
        for (int k = 0; k < in[1].shape.rank; ++k) r.type.shape.push(in[1].shape.d[k]);
    return r;
  }
  // An item is one slice.
  static constexpr std::int64_t items(attributes const& a, dims const* shapes) {
    return around(shapes[1], a.axis).outer * shapes[2].size();
  }
  template <class T, class I> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out,
                                                                   array_view<T const> data, array_view<I const> indices) {
    around const axis(data.shape, a.axis);
    std::int64_t const count = indices.shape.size(), last = axis.n - 1, asked = static_cast<std::int64_t>(indices.data[s.item % count]),
                       at = asked < 0 || last < 0 ? 0
                            : asked > last        ? last
                                                  : asked;
    T const* const from = data.data + (s.item / count * axis.n + at) * axis.inner;
    T* const to = out.data + s.item * axis.inner;
    for (std::int64_t i = s.lane; i < axis.inner; i += s.lanes) to[i] = last < 0 ? T{} : from[i];
  }
};

using movement_ops = list_of<concat, take>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(concat, "(a, b, ..., axis<1>)")
SINTER_OP(take, "(x, indices, axis<0>)")
