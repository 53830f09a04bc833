// SPDX-License-Identifier: Apache-2.0
// Convolution, a product that reads its operands through a map.
#pragma once
#include "mapped_product.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct convolution_attributes {
  int groups = 1;
  int_list stride, pad, dilate;  // of three spatial axes
  bool fits = true;              // whether a call gave as many numbers as there are
  static constexpr void each(auto& a, auto&& f) {
    f("groups", a.groups), f("stride", a.stride), f("pad", a.pad), f("dilate", a.dilate), f("fits", a.fits);
  }
};
// What a convolution and a transposed one have in common: operands, and numbers for each spatial axis.
struct convolves {
  static constexpr family kind = family::composite;
  static constexpr operand_count arity{2, 3};
  static constexpr bool wants_arrays = true;
  template <class Attributes> static constexpr Attributes windows(auto const& k, operand_types in) {
    int const spatial = in[0].shape.rank - 2;
    Attributes a;
    a.groups = k[key::groups{}].or_else(1);
    a.stride = for_each_window(k[key::stride{}].or_else({1}), spatial, a.fits);
    a.pad = for_each_window(k[key::pad{}].or_else({0}), spatial, a.fits);
    a.dilate = for_each_window(k[key::dilate{}].or_else({1}), spatial, a.fits);
    return a;
  }
  // What is wrong with the operands before their channels are looked at.
  static constexpr inferred check(operand_types in, bool fits) {
    dims const &x = in[0].shape, &w = in[1].shape;
    for (int i = 1; i < in.n; ++i)
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 1};
    if (x.rank < 3 || w.rank < 3) return {{}, problem::rank_too_small, 0, 1};
    if (x.rank > 2 + max_windows) return {{}, problem::too_many_dimensions, 0, 1};
    if (w.rank != x.rank) return {{}, problem::kernel_rank, 0, 1};
    if (!fits) return {{}, problem::keyword_count, 0, 1};
    for (int i = 0; i < x.rank; ++i)
      if ((i > 0 && x.d[i] < 0) || w.d[i] < 0) return {{}, i > 0 && x.d[i] < 0 ? problem::image_extents : problem::wants_number, 0, 1};
    return {};
  }
};
// convolution(x, weight[, bias], stride<..>, pad<..>, dilate<..>, groups<g>): x (N, C, W), (N, C, H, W) or (N, C, D, H, W), weight
// (O, C / g, kernel...), bias (O,). An output extent is floor((x + 2 pad - dilate (kernel - 1) - 1) / stride) + 1. Padding is made of zeros,
// which are multiplied as the elements are: an infinite weight makes NaN of them.
struct convolution : convolves {
  static constexpr format_names formats{"Convolution", "Conv"};
  using keywords = list_of<may<key::stride>, may<key::pad>, may<key::dilate>, may<key::groups>>;
  using attributes = convolution_attributes;
  static constexpr bool mapped = true;
  static constexpr attributes arguments(auto const& k, operand_types in) { return windows<attributes>(k, in); }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (inferred const wrong = check(in, a.fits); wrong.what != problem::none) return wrong;
    dims const &x = in[0].shape, &w = in[1].shape;
    if (x.d[1] % a.groups != 0) return {{}, problem::groups_differ, 0, 1};
    if (x.d[1] != w.d[1] * a.groups || w.d[0] % a.groups != 0) return {{}, problem::channels_differ, 0, 1};
    if (in.n > 2 && (in[2].shape.rank != 1 || in[2].shape.d[0] != w.d[0])) return {{}, problem::shapes_differ, 1, 2};
    inferred r{{summed_in(in[0].type), {x.d[0], w.d[0]}}};
    for (int i = 0; i + 2 < x.rank; ++i) {
      std::int64_t const room = x.d[i + 2] + 2 * a.pad[i] - a.dilate[i] * (w.d[i + 2] - 1) - 1;
      if (w.d[i + 2] == 0 || room < 0) return {{}, problem::kernel_too_large, 0, 1};
      r.type.shape.push(room / a.stride[i] + 1);
    }
    return r;
  }
  // The channels that the weight reads follow from x, and the extent of the bias from the weight.
  static constexpr void complete(list<array_type>& in, attributes const& a) {
    dims const& x = in[0].shape;
    dims& w = in[1].shape;
    if (x.rank < 3 || w.rank != x.rank) return;
    if (w.d[1] == unknown_extent && x.d[1] >= 0) w.d[1] = x.d[1] / a.groups;
    if (in.size() > 2 && in[2].shape.rank < 0 && w.d[0] >= 0) in[2].shape = {w.d[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const types[]{g.nodes[in[0]].type, g.nodes[in[1]].type};
    dims const &x = types[0].shape, &w = types[1].shape, y = infer({types, 2}, a, g.dimensions).type.shape;
    product_map map;
    map.add(product_map::loop{0, -1, 0});
    if (a.groups > 1) map.add(product_map::loop{1, 0, 1, a.groups});
    map.add(product_map::loop{-1, 0, 1, w.d[0] / a.groups});
    for (int i = 2; i < x.rank; ++i) map.add(product_map::loop{i, -1, i, y.d[i]});
    for (int i = 1; i < x.rank; ++i) map.add(product_map::loop{i, i, -1, w.d[i]});
    for (int i = 0; i + 2 < x.rank; ++i) map.add(product_map::window{i + 2, a.stride[i], a.dilate[i], a.pad[i]});
    int const r = make<mapped_product>(g, map, in[0], in[1]);
    if (in.n < 3) return r;
    return make<add>(g, r, vector_along(g, in[2], 1, x.rank));
  }
};

using convolution_ops = list_of<convolution>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(convolution, "(x, weight[, bias], stride<2>, pad<1>, dilate<1>, groups<1>)")
