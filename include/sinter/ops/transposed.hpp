// SPDX-License-Identifier: Apache-2.0
// Transposed convolution, written with a product and sums of its parts.
#pragma once
#include "blocks.hpp"
#include "convolution.hpp"
#include "product.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct transposed_attributes {
  int groups = 1;
  int_list stride, pad, dilate, adjust;  // of three spatial axes
  bool fits = true;                      // whether a call gave as many numbers as there are
  static constexpr void each(auto& a, auto&& f) {
    f("groups", a.groups), f("stride", a.stride), f("pad", a.pad), f("dilate", a.dilate), f("adjust", a.adjust), f("fits", a.fits);
  }
};
// convolution_transpose(x, weight[, bias], stride<..>, pad<..>, dilate<..>, groups<g>, adjust<..>): x (N, C, W), (N, C, H, W) or
// (N, C, D, H, W), weight (C, O / g, kernel...), bias (O,). Element i of x times weight k is added to place i stride + k dilate - pad of the
// result; what lies outside of it is dropped. An output extent is (x - 1) stride - 2 pad + dilate (kernel - 1) + 1 + adjust, where `adjust` is
// less than the stride or the dilation: it chooses among the extents that a convolution makes equal.
struct convolution_transpose : convolves {
  static constexpr format_names formats{"Deconvolution", "ConvTranspose"};
  using keywords = list_of<may<key::stride>, may<key::pad>, may<key::dilate>, may<key::groups>, may<key::adjust>>;
  using attributes = transposed_attributes;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    attributes a = windows<attributes>(k, in);
    a.adjust = for_each_window(k[key::adjust{}].or_else({0}), in[0].shape.rank - 2, a.fits);
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (inferred const wrong = check(in, a.fits); wrong.what != problem::none) return wrong;
    dims const &x = in[0].shape, &w = in[1].shape;
    if (x.d[1] != w.d[0] || x.d[1] % a.groups != 0) return {{}, problem::transposed_channels, 0, 1};
    if (in.n > 2 && (in[2].shape.rank != 1 || in[2].shape.d[0] != w.d[1] * a.groups)) return {{}, problem::shapes_differ, 1, 2};
    inferred r{{summed_in(in[0].type), {x.d[0], w.d[1] * a.groups}}};
    for (int i = 0; i + 2 < x.rank; ++i) {
      if (w.d[i + 2] == 0) return {{}, problem::kernel_too_large, 0, 1};
      std::int64_t const n = extent_of(x.d[i + 2], w.d[i + 2], a, i);
      if (n < 1 || (a.adjust[i] >= a.stride[i] && a.adjust[i] >= a.dilate[i])) return {{}, problem::keyword_value, 0, 1};
      r.type.shape.push(n);
    }
    return r;
  }
  // The channels that the weight reads follow from x, and the extent of the bias from the weight.
  static constexpr void complete(list<array_type>& in, attributes const& a) {
    dims const& x = in[0].shape;
    dims& w = in[1].shape;
    if (x.rank < 3 || w.rank != x.rank) return;
    if (w.d[0] == unknown_extent && x.d[1] >= 0) w.d[0] = x.d[1];
    if (in.size() > 2 && in[2].shape.rank < 0 && w.d[1] >= 0) in[2].shape = {w.d[1] * a.groups};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const x = g.nodes[in[0]].type.shape, w = g.nodes[in[1]].type.shape;
    extent const groups_ = a.groups, inner = x.d[1] / groups_;
    extent taps = 1, places = 1;
    dims apart{x.d[0], w.d[1] * groups_};
    for (int i = 2; i < x.rank; ++i) taps *= w.d[i], places *= x.d[i], apart.push(w.d[i]);
    for (int i = 2; i < x.rank; ++i) apart.push(x.d[i]);
    // All products of elements and weights, (N, O, kernel..., places...).
    int const from = make<reshape>(g, {groups_ == 1 ? dims{x.d[0], inner, places} : dims{x.d[0], groups_, inner, places}}, in[0]);
    int const by = make<reshape>(g, {groups_ == 1 ? dims{inner, w.d[1] * taps} : dims{groups_, inner, w.d[1] * taps}}, in[1]);
    int r = make<reshape>(g, {apart}, make<matmul>(g, {true, false}, by, from));
    for (int i = 0; i + 2 < x.rank; ++i) r = gathered(g, r, x.rank, a, i, extent_of(x.d[i + 2], w.d[i + 2], a, i));
    if (in.n < 3) return r;
    return make<add>(g, r, vector_along(g, in[2], 1, x.rank));
  }

 private:
  static constexpr std::int64_t extent_of(extent x, extent kernel, attributes const& a, int i) {
    return (x - 1) * a.stride[i] - 2 * a.pad[i] + a.dilate[i] * (kernel - 1) + 1 + a.adjust[i];
  }
  // Zeros between the weights of axis 2.
  static constexpr int spread(auto& g, int x, std::int64_t dilate) {
    array_type t = g.nodes[x].type;
    extent const taps = t.shape.d[2];
    if (dilate == 1 || taps == 1) return x;
    t.shape.d[2] = dilate - 1;
    list<int> all;
    for (extent k = 0; k < taps; ++k) {
      if (k > 0) all.push(g.fill(t.type, t.shape, bits_of(t.type, 0)));
      all.push(make<slice>(g, roll::between(t.shape.rank, 2, k, k + 1), x));
    }
    inferred why;
    return g.apply(info<concat>, {all.data(), all.size()}, pack(axis_attribute{2}), why);
  }
  // Of (N, O, weights of the axes from i on, extents of all) the same without the weights of axis i, which has `n` places then. The weights
  // are cut into rows of `stride`: those of a row go to `stride` places side by side, those of the next row one element further.
  static constexpr int gathered(auto& g, int x, int at, attributes const& a, int i, extent n) {
    std::int64_t const stride_ = a.stride[i];
    x = spread(g, x, a.dilate[i]);
    dims const s = g.nodes[x].type.shape;
    extent const rows = (s.d[2] + stride_ - 1) / stride_, end_ = a.pad[i] + n;
    extent length = s.d[at] + rows - 1;
    if (length * stride_ < end_) length = (end_ + stride_ - 1) / stride_;
    x = between_zeros(g, between_zeros(g, x, 2, 0, rows * stride_ - s.d[2]), at, rows - 1, length - s.d[at]);
    transpose::attributes beside;  // a row behind the places: what is added lies in the order of the result
    dims to;
    for (int k = 0; k < s.rank; ++k) {
      if (k == 2) continue;
      beside.axes.push(k);
      if (k == at) beside.axes.push(2);
      to.push(k == at ? length * stride_ : s.d[k]);
    }
    x = make<transpose>(g, beside, x);
    int r = -1;
    for (extent row = 0; row < rows; ++row) {
      slice::attributes part = roll::between(s.rank, at - 1, rows - 1 - row, rows - 1 - row + length);
      part.begin.at[at] = row * stride_;
      part.end.at[at] = (row + 1) * stride_;
      int const one = make<slice>(g, part, x);
      r = r < 0 ? one : make<add>(g, r, one);
    }
    r = make<reshape>(g, {to}, r);
    return make<slice>(g, roll::between(to.rank, at - 1, a.pad[i], end_), r);
  }
};

using transposed_ops = list_of<convolution_transpose>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(convolution_transpose, "(x, weight[, bias], stride<2>, pad<1>, dilate<1>, groups<1>, adjust<1>)")
