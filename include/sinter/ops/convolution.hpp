// SPDX-License-Identifier: Apache-2.0
// Products that read their operands through maps, and convolution, which is one.
#pragma once
#include "elementwise.hpp"
#include "product_map.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// The product of a map, which is its attributes.
struct mapped_product {
  static constexpr std::string_view name = "mapped_product";
  static constexpr family kind = family::product;
  static constexpr int cost = 1000, arity = 2;
  static constexpr bool mapped = true;
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table& t) {
    if (in[0].type != in[1].type || in[0].type == dtype::boolean) return {{}, problem::mixed_dtypes, 0, 1};
    product_map const map = product_map::of(a);
    size along[3][max_rank]{};  // of each axis of the two operands and the result: what its loops span
    int rank = 0;
    for (auto& array : along)
      for (size& s : array) s = {1, 0};
    for (int i = 0; i < map.loops; ++i) {
      product_map::loop const& l = map.loop_at[i];
      size const n = map.extent_of(i, in[0].shape, in[1].shape, t);
      if (l.first >= 0) along[0][l.first] = along[0][l.first] * n;
      if (l.second >= 0) along[1][l.second] = along[1][l.second] * n;
      if (l.result >= 0) along[2][l.result] = along[2][l.result] * n;
      if (l.result >= rank) rank = l.result + 1;
    }
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < in[j].shape.rank; ++i)
        if (!(along[j][i] == t.size_of(in[j].shape.d[i])) && (j == 1 || !map.window_of(i))) return {{}, problem::shapes_differ, 0, 1};
    inferred r{{in[0].type, {}}};
    for (int i = 0; i < rank; ++i) r.type.shape.push(t.extent_of(along[2][i]));
    return r;
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::mapped_product);

namespace sinter::ops::inline SINTER_ISA {

// convolution(x, weight[, bias], stride<..>, pad<..>, dilate<..>, groups<g>): x (N, C, W), (N, C, H, W) or (N, C, D, H, W), weight
// (O, C / g, kernel...), bias (O,). An output extent is floor((x + 2 pad - dilate (kernel - 1) - 1) / stride) + 1. Padding is made of zeros,
// which are multiplied as the elements are: an infinite weight makes NaN of them.
struct convolution {
  static constexpr std::string_view name = "convolution";
  static constexpr format_names formats{"Convolution", "Conv"};
  static constexpr family kind = family::composite;
  static constexpr unsigned accepts = keyword::stride | keyword::pad | keyword::dilate | keyword::groups;
  static constexpr operand_count arity{2, 3};
  static constexpr bool wants_arrays = true, mapped = true;
  // attributes: the groups, then strides, padding and dilation of three spatial axes each
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    attributes a{10, {s.groups, 1, 1, 1, 0, 0, 0, 1, 1, 1}};
    int const spatial = in[0].shape.rank - 2;
    auto const take = [&](int const* v, int n, int at) {
      if (n > 1 && n != spatial) a.n = -1;
      for (int i = 0; n > 0 && i < 3; ++i) a.v[at + i] = v[n == 1 ? 0 : i];
    };
    take(s.stride, s.n_stride, 1);
    take(s.pad, s.n_pad, 4);
    take(s.dilate, s.n_dilate, 7);
    return a;
  }
  static constexpr inferred infer(array_type const* in, int n, attributes const& a, dimension_table&) {
    dims const &x = in[0].shape, &w = in[1].shape;
    for (int i = 1; i < n; ++i)
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
    if (in[0].type == dtype::boolean) return {{}, problem::mixed_dtypes, 0, 1};
    if (x.rank < 3 || w.rank < 3) return {{}, problem::rank_too_small, 0, 1};
    if (x.rank > 2 + max_windows) return {{}, problem::too_many_dimensions, 0, 1};
    if (w.rank != x.rank) return {{}, problem::channels_differ, 0, 1};
    if (a.n < 0) return {{}, problem::keyword_count, 0, 1};
    for (int i = 0; i < x.rank; ++i)
      if ((i > 0 && x.d[i] < 0) || w.d[i] < 0) return {{}, problem::wants_number, 0, 1};
    if (x.d[1] != w.d[1] * a.v[0] || w.d[0] % a.v[0] != 0) return {{}, problem::channels_differ, 0, 1};
    if (n > 2 && (in[2].shape.rank != 1 || in[2].shape.d[0] != w.d[0])) return {{}, problem::shapes_differ, 1, 2};
    inferred r{{in[0].type, {x.d[0], w.d[0]}}};
    for (int i = 0; i + 2 < x.rank; ++i) {
      std::int64_t const room = x.d[i + 2] + 2 * a.v[4 + i] - a.v[7 + i] * (w.d[i + 2] - 1) - 1;
      if (w.d[i + 2] == 0 || room < 0) return {{}, problem::kernel_too_large, 0, 1};
      r.type.shape.push(room / a.v[1 + i] + 1);
    }
    return r;
  }
  static constexpr int expand(graph& g, int const* in, int n, attributes const& a) {
    array_type const types[]{g.nodes[in[0]].type, g.nodes[in[1]].type};
    dims const &x = types[0].shape, &w = types[1].shape, y = infer(types, 2, a, g.dimensions).type.shape;
    product_map map;
    map.add(product_map::loop{0, -1, 0});
    if (a.v[0] > 1) map.add(product_map::loop{1, 0, 1, a.v[0]});
    map.add(product_map::loop{-1, 0, 1, w.d[0] / a.v[0]});
    for (int i = 2; i < x.rank; ++i) map.add(product_map::loop{i, -1, i, y.d[i]});
    for (int i = 1; i < x.rank; ++i) map.add(product_map::loop{i, i, -1, w.d[i]});
    for (int i = 0; i + 2 < x.rank; ++i) map.add(product_map::window{i + 2, a.v[1 + i], a.v[7 + i], a.v[4 + i]});
    int const r = g.make(info<mapped_product>, map.packed(), in[0], in[1]);
    if (n < 3) return r;
    dims along{w.d[0]};
    for (int i = 2; i < x.rank; ++i) along.push(1);
    int const bias = g.make(info<reshape>, reshape::to_shape(along), in[2]);
    return g.make(info<add>, {}, r, bias);
  }
};

using convolution_ops = list_of<convolution>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(convolution, "convolution(x, weight[, bias], stride<2>, pad<1>, dilate<1>, groups<1>)")
