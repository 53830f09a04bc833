// SPDX-License-Identifier: Apache-2.0
// Images read at places that an array says: grid_sample and roi_pool.
#pragma once
#include "images.hpp"
#include "reduction.hpp"
#include "sequence.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct sampling_op {
  static constexpr family kind = family::composite;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true, promotes = false;
  static constexpr inferred check(operand_types in) {
    for (int i = 0; i < 2; ++i) {
      if (!is_floating(in[i].type)) return {{}, problem::wants_floating, i, i};
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
    }
    if (problem const p = image_op::check(in[0].shape); p != problem::none) return {{}, p, 0, 0};
    for (int i : {2, 3})
      if (in[0].shape.d[i] < 0) return {{}, problem::image_extents, 0, 0};
    return {in[0]};
  }
  // As an index, where it is from `low` to `high`; elsewhere the nearest of them, and of a NaN the first.
  static constexpr int index(auto& g, int x, std::int64_t low, std::int64_t high) {
    int const first = number_beside(g, x, static_cast<double>(low)), last = number_beside(g, x, static_cast<double>(high));
    int const within = make<minimum>(g, make<maximum>(g, x, first), last);
    return make<cast>(g, {dtype::int64}, make<where>(g, make<equal>(g, x, x), within, first));
  }
  static constexpr int whole(auto& g, std::int64_t n) { return g.scalar(dtype::int64, static_cast<double>(n)); }
  static constexpr int both(auto& g, int a, int b) { return make<logical_and>(g, a, b); }
};

// grid_sample(x, grid, align_corners): grid (N, H', W', 2) has for each element of the result (N, C, H', W') the place in x (N, C, H, W) from
// which it is taken, first x and then y: -1 and 1 are the edges of the image, with `align_corners` the centers of its outermost elements. Bilinear
// between the four elements around the place; outside of the image there are zeros. A place that is NaN gives NaN.
struct grid_sample : sampling_op {
  static constexpr format_names formats{"", "GridSample"};
  using keywords = list_of<may<key::align_corners>>;
  struct attributes {
    bool align_corners = false;
    static constexpr void each(auto& a, auto&& f) { f("align_corners", a.align_corners); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::align_corners{}].value}; }
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table& t) {
    if (inferred const r = check(in); r.what != problem::none) return r;
    dims const &x = in[0].shape, &at = in[1].shape;
    if (at.rank != 4 || !same_extent(at.d[0], x.d[0], t) || at.d[3] != 2) return {{}, problem::grid_shape, 0, 1};
    extent n = 0;
    broadcast_extent(x.d[0], at.d[0], n);  // as what it is written with gives it
    return {{in[0].type, {n, x.d[1], at.d[1], at.d[2]}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type;
    extent const n = x.shape.d[0], height = x.shape.d[2], width = x.shape.d[3];
    // Each place is a row of channels.
    extent const rows = g.dimensions.extent_of(g.dimensions.size_of(n) * size{height * width, 0});
    int const pixels = make<reshape>(g, {{rows, x.shape.d[1]}}, make<transpose>(g, {int_list{0, 2, 3, 1}}, in[0]));
    int const image = make<multiply>(g, vector_along(g, positions(g, n), 0, 3), whole(g, height * width));
    neighbours const across(g, in[1], 0, width, a.align_corners), down(g, in[1], 1, height, a.align_corners);
    int all = -1;
    for (int i : {0, 1})
      for (int j : {0, 1}) {
        int const weight = make<multiply>(g, down.weight[i], across.weight[j]);
        int const row = make<add>(g, image, make<multiply>(g, down.index[i], whole(g, width)));
        int const found = make<take>(g, {0}, pixels, make<add>(g, row, across.index[j]));
        // An infinite element whose weight is 0 counts for nothing.
        int const counts = both(g, both(g, down.inside[i], across.inside[j]), make<not_equal>(g, weight, number_beside(g, weight, 0)));
        int const value = make<where>(g, make<expand_dims>(g, {3}, counts), found, number_beside(g, found, 0));
        int const one = make<multiply>(g, value, make<expand_dims>(g, {3}, weight));
        all = all < 0 ? one : make<add>(g, all, one);
      }
    return make<transpose>(g, {int_list{0, 3, 1, 2}}, all);
  }

 private:
  // Along one axis the elements before and behind each place.
  struct neighbours {
    int index[2]{}, inside[2]{}, weight[2]{};
    constexpr neighbours(auto& g, int grid, int which, extent n, bool corners) {
      dims const s = g.nodes[grid].type.shape;
      int const from = make<reshape>(g, {{s.d[0], s.d[1], s.d[2]}}, make<slice>(g, roll::between(4, 3, which, which + 1), grid));
      auto const beside = [&](double v) { return number_beside(g, from, v); };
      auto const extent_ = static_cast<double>(n);
      int at = make<add>(g, from, beside(1));
      if (corners) at = make<multiply>(g, at, beside((extent_ - 1) / 2));
      else at = make<multiply>(g, make<subtract>(g, make<multiply>(g, at, beside(extent_)), beside(1)), beside(0.5));
      // What is far outside is two elements outside, so that an infinity is, too.
      at = make<minimum>(g, make<maximum>(g, at, beside(-2)), beside(extent_ + 1));
      int const before = make<floor>(g, at), rest = make<subtract>(g, at, before);
      weight[0] = make<subtract>(g, beside(1), rest);
      weight[1] = rest;
      for (int k : {0, 1}) {
        int const place = k == 0 ? before : make<add>(g, before, beside(1));
        inside[k] = both(g, make<greater_equal>(g, place, beside(0)), make<lesser>(g, place, beside(extent_)));
        index[k] = sampling_op::index(g, place, 0, n > 0 ? n - 1 : 0);
      }
    }
  };
};

// roi_pool(x, rois, into<7, 7>, scale<0.0625>): of each region of x (N, C, H, W) the maxima of so many bins: (R, C, 7, 7). rois (R, 5) has the
// index of an image, clipped to those that there are, and x and y of two opposite elements of the region, which the scale multiplies and which
// are rounded, a half away from zero; both belong to the region. Bin i of n reaches from floor(i h / n) to before ceil((i + 1) h / n) of the
// region's h rows. What lies outside of the image does not count; a bin without elements is 0, and a region with a NaN gives NaN.
struct roi_pool : sampling_op {
  static constexpr format_names formats{"ROIPooling", "MaxRoiPool"};
  using keywords = list_of<must<key::into, 2>, may<key::scale>>;
  struct attributes {
    dims shape;
    double scale = 1;
    static constexpr void each(auto& a, auto&& f) { f("shape", a.shape), f("scale", a.scale); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::into{}].value, k[key::scale{}].or_else(1)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (inferred const r = check(in); r.what != problem::none) return r;
    dims const &x = in[0].shape, &at = in[1].shape;
    if (x.d[0] < 0) return {{}, problem::wants_number, 0, 0};
    if (at.rank != 2 || at.d[1] != 5) return {{}, problem::regions_shape, 0, 1};
    if (a.shape.rank != 2) return {{}, problem::keyword_count, 0, 0};
    if (a.shape.d[0] < 1 || a.shape.d[1] < 1 || !holds(in[0].type, a.scale)) return {{}, problem::keyword_value, 0, 0};
    return {{in[0].type, {at.d[0], x.d[1], a.shape.d[0], a.shape.d[1]}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type;
    extent const images = x.shape.d[0], regions = g.nodes[in[1]].type.shape.d[0];
    int const lowest = g.fill(x.type, dims{}, bits_of_lowest(x.type));
    int const image = index(g, column(g, in[1], 0), 0, images > 0 ? images - 1 : 0);
    int r = make<take>(g, {0}, in[0], image), filled = -1;
    for (int i : {0, 1}) {  // rows, then columns
      bins const b(g, in[1], 2 - i, x.shape.d[2 + i], a.shape.d[i], a.scale);
      // (regions, channels, bins of rows, rows, columns), then (regions, channels, bins of rows, bins of columns, columns)
      dims const s = g.nodes[r].type.shape;
      dims apart{s.d[0], s.d[1]}, masks{regions, 1};
      if (i == 1) apart.push(s.d[2]), masks.push(1);
      apart.push(1), masks.push(a.shape.d[i]);
      apart.push(x.shape.d[2 + i]), masks.push(x.shape.d[2 + i]);
      if (i == 0) apart.push(s.d[3]), masks.push(1);
      int const some = make<where>(g, make<reshape>(g, {masks}, b.inside), make<reshape>(g, {apart}, r), lowest);
      r = make<max>(g, {std::int64_t{1} << (3 + i), false}, some);
      int const has = make<reshape>(g, {i == 0 ? dims{regions, 1, a.shape.d[0], 1} : dims{regions, 1, 1, a.shape.d[1]}}, b.is_filled);
      filled = filled < 0 ? has : both(g, filled, has);
    }
    r = make<where>(g, filled, r, number_beside(g, r, 0));
    // The maximum of a row with a NaN is NaN.
    int const row = make<reshape>(g, {{regions, 1, 1, 1}}, make<max>(g, {2, false}, in[1]));
    return make<where>(g, make<equal>(g, row, row), r, row);
  }

 private:
  static constexpr int column(auto& g, int rois, int i) {
    return make<reshape>(g, {{g.nodes[rois].type.shape.d[0]}}, make<slice>(g, roll::between(2, 1, i, i + 1), rois));
  }
  // Along one axis: which places belong to each bin of each region, and whether any does.
  struct bins {
    int inside = -1, is_filled = -1;
    constexpr bins(auto& g, int rois, int first, extent n, extent count, double scale) {
      int const begin_ = corner(g, rois, first, scale), end_ = corner(g, rois, first + 2, scale);
      int const length = make<maximum>(g, make<add>(g, make<subtract>(g, end_, begin_), whole(g, 1)), whole(g, 1));
      auto const edge = [&](std::int64_t bin,
                            std::int64_t more) {  // of each bin: floor((its number + bin) length / count), with more: ceil
        int const numbers = make<arange>(g, {number(bin), number(bin + count), number(1), dtype::int64});
        int const all = make<add>(g, make<multiply>(g, make<expand_dims>(g, {1}, length), numbers), whole(g, more));
        int const at = make<add>(g, make<floor_divide>(g, all, whole(g, count)), make<expand_dims>(g, {1}, begin_));
        return make<minimum>(g, make<maximum>(g, at, whole(g, 0)), whole(g, n));
      };
      int const from = edge(0, 0), to = edge(1, count - 1), places = positions(g, n);
      is_filled = make<lesser>(g, from, to);
      inside =
          both(g, make<greater_equal>(g, places, make<expand_dims>(g, {2}, from)), make<lesser>(g, places, make<expand_dims>(g, {2}, to)));
    }
    static constexpr int corner(auto& g, int rois, int i, double scale) {
      int const v = make<multiply>(g, column(g, rois, i), number_beside(g, rois, scale)), down = make<trunc>(g, v);
      int const half = make<greater_equal>(g, make<abs>(g, make<subtract>(g, v, down)), number_beside(g, v, 0.5));
      int const rounded = make<where>(g, half, make<add>(g, down, make<sign>(g, v)), down);
      return sampling_op::index(g, rounded, -(std::int64_t{1} << 30), std::int64_t{1} << 30);
    }
  };
};

using sampling_ops = list_of<grid_sample, roi_pool>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(grid_sample, "(x, grid, align_corners)")
SINTER_OP(roi_pool, "(x, rois, into<7, 7>, scale<0.0625>)")
