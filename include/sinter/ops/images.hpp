// SPDX-License-Identifier: Apache-2.0
// Images (N, C, H, W): resize, upsample, pixel_shuffle, and lrn, which divides by what the channels around have.
#pragma once
#include "blocks.hpp"
#include "elementwise.hpp"
#include "product_map.hpp"
#include "rounding.hpp"
#include "transcendental.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct image_op {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  static constexpr problem check(dims const& s) {
    return s.rank < 4 ? problem::rank_too_small : s.rank > 4 ? problem::too_many_dimensions : problem::none;
  }
};
// resize(x, into<H', W'>, mode<interpolation::nearest>, align_corners): elements are squares, and their centers lie at 1/2, 3/2, ... of the
// extent, which stays the same: the center of element i is at (i + 1/2) H / H' - 1/2 of the old ones. With `align_corners` the centers of the
// outermost elements stay where they are: i (H - 1) / (H' - 1), 0 where H' is 1. The nearest element, of two the one before; or, bilinear, along
// each axis (1 - t) of the element before and t of that behind, and at the border the outermost one. Places are computed with integers.
struct resize : image_op {
  static constexpr format_names formats{"_contrib_BilinearResize2D", "Resize"};
  using keywords = list_of<must<key::into, 2>, may<key::mode>, may<key::align_corners>>;
  struct attributes {
    dims shape;
    int mode = 0;
    bool align_corners = false;
    static constexpr void each(auto& a, auto&& f) { f("shape", a.shape), f("mode", a.mode), f("align_corners", a.align_corners); }
    constexpr bool is_linear() const { return interpolation(mode) == interpolation::bilinear; }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    return {k[key::into{}].value, k[key::mode{}].value, k[key::align_corners{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& s = in[0].shape;
    if (problem const p = check(s); p != problem::none) return {{}, p, 0, 0};
    if (a.is_linear() && !is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (a.shape.rank != 2) return {{}, problem::keyword_count, 0, 0};
    inferred r{in[0]};
    for (int i = 0; i < 2; ++i) {
      if (s.d[i + 2] < 0) return {{}, problem::image_extents, 0, 0};
      if (s.d[i + 2] < 1 || a.shape.d[i] < 1 || a.shape.d[i] > longest_axis) return {{}, problem::keyword_value, 0, 0};
      r.type.shape.d[i + 2] = a.shape.d[i];
    }
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int r = in[0];
    for (int i : {2, 3}) {
      if (g.nodes[r].type.shape.d[i] == a.shape.d[i - 2]) continue;
      r = a.is_linear() ? linear_along(g, r, i, a.shape.d[i - 2], a.align_corners)
                        : nearest_along(g, r, i, a.shape.d[i - 2], a.align_corners);
    }
    return r;
  }

 private:
  static constexpr extent longest_axis = extent{1} << 24;
  static constexpr int numbers(auto& g, std::int64_t first, std::int64_t by, extent n) {
    if (by == 0) return g.fill(dtype::int64, {n}, 0);
    return make<arange>(g, {number(first), number(first + by * n), number(by), dtype::int64});
  }
  static constexpr int whole(auto& g, std::int64_t n) { return g.scalar(dtype::int64, static_cast<double>(n)); }

  static constexpr int nearest_along(auto& g, int x, int axis, extent to, bool corners) {
    extent const from = g.nodes[x].type.shape.d[axis];
    if (!corners && to % from == 0) return several_times(g, x, axis, to / from, true);
    if (!corners && from % to == 0)
      return make<slice>(g, roll::between(g.nodes[x].type.shape.rank, axis, (from / to - 1) / 2, from, from / to), x);
    // (2 i + 1) from / (2 to) - 1/2, or i (from - 1) / (to - 1), to the nearest whole number; a half to the one below.
    int const twice = !corners  ? numbers(g, from - 1, 2 * from, to)
                      : to == 1 ? numbers(g, 0, 0, to)
                                : numbers(g, to - 2, 2 * (from - 1), to);
    extent const by = !corners ? 2 * to : to == 1 ? 1 : 2 * (to - 1);
    return make<take>(g, {axis}, x, make<floor_divide>(g, twice, whole(g, by)));
  }
  static constexpr int linear_along(auto& g, int x, int axis, extent to, bool corners) {
    array_type const t = g.nodes[x].type;
    extent const from = t.shape.d[axis], by = !corners ? 2 * to : to == 1 ? 1 : to - 1;
    int at = !corners ? numbers(g, from - to, 2 * from, to) : numbers(g, 0, to == 1 ? 0 : from - 1, to);
    at = make<minimum>(g, make<maximum>(g, at, whole(g, 0)), whole(g, (from - 1) * by));
    int const before = make<floor_divide>(g, at, whole(g, by)), rest = make<mod>(g, at, whole(g, by));
    int const behind = make<minimum>(g, make<add>(g, before, whole(g, 1)), whole(g, from - 1));
    auto const along = [&](int v) { return vector_along(g, v, axis, t.shape.rank); };
    auto const weight = [&](int v) {
      return along(make<divide>(g, make<cast>(g, {t.type}, v), g.scalar(t.type, static_cast<double>(by))));
    };
    int const a = make<take>(g, {axis}, x, before), b = make<take>(g, {axis}, x, behind);
    int const mixed = make<add>(g, make<multiply>(g, a, weight(make<subtract>(g, whole(g, by), rest))), make<multiply>(g, b, weight(rest)));
    // Where a place is an element it is that alone: an infinite one behind it times 0 would be NaN.
    return make<where>(g, along(make<greater>(g, rest, whole(g, 0))), mixed, a);
  }
};
// upsample(x, scale<2>, mode<interpolation::bilinear>): resize to so many times the height and the width, a whole number
struct upsample : image_op {
  static constexpr format_names formats{"UpSampling", "Upsample"};
  using keywords = list_of<must<key::scale>, may<key::mode>>;
  struct attributes {
    double scale = 1;
    int mode = 0;
    static constexpr void each(auto& a, auto&& f) { f("scale", a.scale), f("mode", a.mode); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::scale{}].value, k[key::mode{}].value}; }
  static constexpr bool is_linear(attributes const& a) { return interpolation(a.mode) == interpolation::bilinear; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    dims const& s = in[0].shape;
    if (problem const p = check(s); p != problem::none) return {{}, p, 0, 0};
    if (!(a.scale >= 1 && a.scale <= 4096) || a.scale != math::floor(a.scale)) return {{}, problem::keyword_value, 0, 0};
    if (is_linear(a)) return resize::infer(in, {larger(s, a, t), a.mode, false}, t);
    dims const to = larger(s, a, t);
    return {{in[0].type, {s.d[0], s.d[1], to.d[0], to.d[1]}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    if (is_linear(a)) return make<resize>(g, {larger(g.nodes[in[0]].type.shape, a, g.dimensions), a.mode, false}, in[0]);
    auto const n = static_cast<std::int64_t>(a.scale);
    return several_times(g, several_times(g, in[0], 2, n, true), 3, n, true);
  }

 private:
  static constexpr dims larger(dims const& s, attributes const& a, dimension_table& t) {
    size const n{static_cast<std::int64_t>(a.scale), 0};
    return {t.extent_of(t.size_of(s.d[2]) * n), t.extent_of(t.size_of(s.d[3]) * n)};
  }
};
// pixel_shuffle(x, factor<2>): channels become places, (N, C 4, H, W) to (N, C, 2 H, 2 W); of one to three spatial axes, and factor<2, 3> where
// they differ. Of each channel the new places follow each other, as in Gluon and PyTorch; depth_to_space has them the other way round.
struct pixel_shuffle : arrangement {
  static constexpr format_names formats{"", "DepthToSpace"};
  using keywords = list_of<must<key::factor>>;
  struct attributes {
    int_list factor;
    bool fits = true;
    static constexpr void each(auto& a, auto&& f) { f("factor", a.factor), f("fits", a.fits); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    attributes a;
    a.factor = for_each_window(k[key::factor{}].value, in[0].shape.rank - 2, a.fits);
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    dims const& s = in[0].shape;
    if (s.rank < 3) return {{}, problem::rank_too_small, 0, 0};
    if (s.rank > 2 + max_windows) return {{}, problem::too_many_dimensions, 0, 0};
    if (!a.fits) return {{}, problem::keyword_count, 0, 0};
    if (s.d[1] < 0) return {{}, problem::wants_number, 0, 0};
    inferred r{in[0]};
    std::int64_t parts_ = 1;
    for (int i = 0; i + 2 < s.rank; ++i) {
      parts_ *= a.factor[i];
      r.type.shape.d[i + 2] = t.extent_of(t.size_of(s.d[i + 2]) * size{a.factor[i], 0});
    }
    if (s.d[1] % parts_ != 0) return {{}, problem::split_uneven, 0, 0};
    r.type.shape.d[1] = s.d[1] / parts_;
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type;
    int const spatial = x.shape.rank - 2;
    dims const to = infer({&x, 1}, a, g.dimensions).type.shape;
    dims apart{x.shape.d[0], to.d[1]};
    transpose::attributes beside{{0, 1}};
    for (int i = 0; i < spatial; ++i) apart.push(a.factor[i]);
    for (int i = 0; i < spatial; ++i) apart.push(x.shape.d[i + 2]);
    for (int i = 0; i < spatial; ++i) beside.axes.push(2 + spatial + i), beside.axes.push(2 + i);
    return make<reshape>(g, {to}, make<transpose>(g, beside, make<reshape>(g, {apart}, in[0])));
  }
};

// lrn(x, nsize<5>, alpha<1e-4>, beta<0.75>, knorm<2>): each element of (N, C, ...) divided by (knorm + alpha / nsize sum)^beta, where the sum is
// that of the squares at its place in the `nsize` channels around it, an odd number: Krizhevsky et al., NIPS 2012, where alpha stands for
// alpha / nsize.
struct lrn : image_op {
  static constexpr format_names formats{"LRN", "LRN"};
  using keywords = list_of<must<key::nsize>, may<key::alpha>, may<key::beta>, may<key::knorm>>;
  struct attributes {
    int nsize = 1;
    double alpha = 0, beta = 0, knorm = 0;
    static constexpr void each(auto& a, auto&& f) { f("nsize", a.nsize), f("alpha", a.alpha), f("beta", a.beta), f("knorm", a.knorm); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    return {k[key::nsize{}].value, k[key::alpha{}].or_else(1e-4), k[key::beta{}].or_else(0.75), k[key::knorm{}].or_else(2)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dtype const t = in[0].type;
    if (!is_floating(t)) return {{}, problem::wants_floating, 0, 0};
    if (in[0].shape.rank < 2) return {{}, problem::rank_too_small, 0, 0};
    if (in[0].shape.d[1] < 0) return {{}, problem::wants_number, 0, 0};
    bool const fit = holds(t, a.alpha) && holds(t, a.beta) && holds(t, a.knorm);
    if (a.nsize < 1 || a.nsize % 2 == 0 || !fit) return {{}, problem::keyword_value, 0, 0};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type;
    extent const n = x.shape.d[1];
    std::int64_t const most = n > 0 ? n - 1 : 0, half = a.nsize / 2 < most ? a.nsize / 2 : most;  // no farther than there are channels
    padded::attributes p{slice::filled({}, x.shape.rank, 0), slice::filled({}, x.shape.rank, 0), number(0), 0};
    p.begin.at[1] = p.end.at[1] = half;
    int const squares = make<padded>(g, p, make<square>(g, in[0]));
    int all = -1;
    for (std::int64_t k = 0; k <= 2 * half; ++k) {
      int const one = make<slice>(g, roll::between(x.shape.rank, 1, k, k + n), squares);
      all = all < 0 ? one : make<add>(g, all, one);
    }
    auto const beside = [&](double v) { return g.scalar(x.type, v); };
    int const scale_ = make<add>(g, make<multiply>(g, all, beside(a.alpha / a.nsize)), beside(a.knorm));
    return make<divide>(g, in[0], make<power>(g, scale_, beside(a.beta)));
  }
};

using image_ops = list_of<resize, upsample, pixel_shuffle, lrn>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(resize, "(x, into<64, 64>, mode<interpolation::bilinear>, align_corners)")
SINTER_OP(upsample, "(x, scale<2>, mode<interpolation::bilinear>), where the scale is a whole number")
SINTER_OP(pixel_shuffle, "(x, factor<2>)")
SINTER_OP(lrn, "(x, nsize<5>, alpha<1e-4>, beta<0.75>, knorm<2>), where nsize is odd")
