// SPDX-License-Identifier: Apache-2.0
// Parts of matrices and of images: tril, triu, diag, space_to_depth, depth_to_space, padded.
#pragma once
#include "arrange.hpp"
#include "creation.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct diagonal_attribute {
  std::int64_t diagonal = 0;
  static constexpr void each(auto& a, auto&& f) { f("diagonal", a.diagonal); }
};
struct diagonal_op : arrangement {
  using keywords = list_of<may<key::diagonal>>;
  using attributes = diagonal_attribute;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::diagonal{}].value}; }
  // The places 0, 1, ... of an axis.
  static constexpr int places(auto& g, std::int64_t n) { return make<arange>(g, {number(0), number(n), number(1), dtype::int64}); }
  // Above (negative), on (0) or below that diagonal: which column a row meets, and the columns.
  template <class Comparison> static constexpr int compared(auto& g, std::int64_t rows, std::int64_t columns, std::int64_t diagonal) {
    int const row = make<expand_dims>(g, {1}, places(g, rows));
    return make<Comparison>(g, make<add>(g, row, g.scalar(dtype::int64, static_cast<double>(diagonal))), places(g, columns));
  }
  static constexpr int zero(auto& g, dtype t) { return g.fill(t, dims{}, bits_of(t, 0)); }
};
template <class Self, class Comparison> struct triangle : diagonal_op {
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table&) {
    dims const& s = in[0].shape;
    if (s.rank < 2) return {{}, problem::rank_too_small, 0, 0};
    if (s.d[s.rank - 1] < 0 || s.d[s.rank - 2] < 0) return {{}, problem::wants_number, 0, 0};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type;
    int const inside = compared<Comparison>(g, x.shape.d[x.shape.rank - 2], x.shape.d[x.shape.rank - 1], a.diagonal);
    return make<where>(g, inside, in[0], zero(g, x.type));
  }
};
// tril(x, diagonal<0>): of each matrix what is on and below that diagonal, and 0 above
struct tril : triangle<tril, greater_equal> {
  static constexpr format_names formats{"_npi_tril", ""};
};
// triu(x, diagonal<0>): what is on and above
struct triu : triangle<triu, lesser_equal> {
  static constexpr format_names formats{"_npi_triu", ""};
};
// diag(x, diagonal<0>): a vector on the diagonal of a matrix of zeros; of a matrix, or of each of several, the diagonal
struct diag : diagonal_op {
  static constexpr format_names formats{"diag", ""};
  static constexpr std::int64_t length(std::int64_t rows, std::int64_t columns, std::int64_t k) {
    if (k < 0) rows += k;
    else columns -= k;
    std::int64_t const n = rows < columns ? rows : columns;
    return n < 0 ? 0 : n;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& s = in[0].shape;
    if (s.rank < 1) return {{}, problem::rank_too_small, 0, 0};
    if (s.d[s.rank - 1] < 0 || (s.rank > 1 && s.d[s.rank - 2] < 0)) return {{}, problem::wants_number, 0, 0};
    std::int64_t const all = s.d[0] + (a.diagonal < 0 ? -a.diagonal : a.diagonal);
    if (s.rank == 1) return {{in[0].type, {all, all}}};
    inferred r{in[0]};
    r.type.shape.rank = s.rank - 1;
    r.type.shape.d[s.rank - 2] = length(s.d[s.rank - 2], s.d[s.rank - 1], a.diagonal);
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type;
    std::int64_t const k = a.diagonal, n = x.shape.d[x.shape.rank - 1];
    if (x.shape.rank == 1) {
      std::int64_t const all = n + (k < 0 ? -k : k);
      int const rest = g.fill(x.type, {all - n}, bits_of(x.type, 0));
      int const row = k == 0 ? in[0] : k > 0 ? make<concat>(g, {0}, rest, in[0]) : make<concat>(g, {0}, in[0], rest);
      return make<where>(g, compared<equal>(g, all, all, k), row, zero(g, x.type));
    }
    std::int64_t const rows = x.shape.d[x.shape.rank - 2], count = length(rows, n, k), first = k < 0 ? -k * n : k;
    dims flat = x.shape;
    flat.rank = x.shape.rank - 1;
    flat.d[flat.rank - 1] = rows * n;
    std::int64_t const last = count == 0 ? first : first + (count - 1) * (n + 1) + 1;
    return make<slice>(g, roll::between(flat.rank, flat.rank - 1, first, last, n + 1), make<reshape>(g, {flat}, in[0]));
  }
};

struct block_attribute {
  int block = 1;
  static constexpr void each(auto& a, auto&& f) { f("block", a.block); }
};
struct block_op : arrangement {
  using keywords = list_of<must<key::block>>;
  using attributes = block_attribute;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::block{}].value}; }
  static constexpr problem check(dims const& s, int block) {
    if (s.rank < 4) return problem::rank_too_small;
    if (s.rank > 4) return problem::too_many_dimensions;
    if (s.d[1] < 0 || s.d[2] < 0 || s.d[3] < 0) return problem::wants_number;
    return block < 1 ? problem::keyword_value : problem::none;
  }
};
// space_to_depth(x, block<2>): blocks of the last two axes of (N, C, H, W) become channels: (N, 4 C, H / 2, W / 2)
struct space_to_depth : block_op {
  static constexpr format_names formats{"space_to_depth", "SpaceToDepth"};
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& s = in[0].shape;
    if (problem const p = check(s, a.block); p != problem::none) return {{}, p, 0, 0};
    if (s.d[2] % a.block != 0 || s.d[3] % a.block != 0) return {{}, problem::split_uneven, 0, 0};
    return {{in[0].type, {s.d[0], s.d[1] * a.block * a.block, s.d[2] / a.block, s.d[3] / a.block}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const s = g.nodes[in[0]].type.shape;
    extent const b = a.block, h = s.d[2] / b, w = s.d[3] / b;
    int const apart = make<reshape>(g, {{s.d[0], s.d[1], h, b, w, b}}, in[0]);
    return make<reshape>(g, {{s.d[0], s.d[1] * b * b, h, w}}, make<transpose>(g, {int_list{0, 3, 5, 1, 2, 4}}, apart));
  }
};
// depth_to_space(x, block<2>): the opposite
struct depth_to_space : block_op {
  static constexpr format_names formats{"depth_to_space", "DepthToSpace"};
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& s = in[0].shape;
    if (problem const p = check(s, a.block); p != problem::none) return {{}, p, 0, 0};
    if (s.d[1] % (extent{a.block} * a.block) != 0) return {{}, problem::split_uneven, 0, 0};
    return {{in[0].type, {s.d[0], s.d[1] / (extent{a.block} * a.block), s.d[2] * a.block, s.d[3] * a.block}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const s = g.nodes[in[0]].type.shape;
    extent const b = a.block, c = s.d[1] / (b * b);
    int const apart = make<reshape>(g, {{s.d[0], b, b, c, s.d[2], s.d[3]}}, in[0]);
    return make<reshape>(g, {{s.d[0], c, s.d[2] * b, s.d[3] * b}}, make<transpose>(g, {int_list{0, 3, 4, 1, 5, 2}}, apart));
  }
};

// padded(x, begin<1, 2>, end<0, 1>, values<0>, border<borders::edge>): so many elements more before and behind each axis: a number, the
// element at the edge, or those behind the edge in the opposite order.
struct padded : arrangement {
  static constexpr format_names formats{"Pad", "Pad"};
  using keywords = list_of<may<key::begin>, may<key::end>, may<key::values, 1>, may<key::border>>;
  struct attributes {
    int_list begin, end;
    number value;
    int border = 0;
    static constexpr void each(auto& a, auto&& f) { f("begin", a.begin), f("end", a.end), f("value", a.value), f("border", a.border); }
  };
  static constexpr attributes arguments(auto const& k, operand_types in) {
    int const rank = in[0].shape.rank;
    auto const& [v, has_value] = k[key::values{}];
    return {slice::filled(k[key::begin{}].value, rank, 0), slice::filled(k[key::end{}].value, rank, 0), has_value ? v.at[0] : number(0),
            k[key::border{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& s = in[0].shape;
    if (a.begin.n != s.rank || a.end.n != s.rank) return {{}, problem::no_such_axis, 0, 0};
    if (!a.value.fits(in[0].type)) return {{}, problem::keyword_value, 0, 0};
    inferred r{in[0]};
    for (int i = 0; i < s.rank; ++i) {
      std::int64_t const most = a.begin[i] > a.end[i] ? a.begin[i] : a.end[i];
      if (a.begin[i] < 0 || a.end[i] < 0) return {{}, problem::keyword_value, 0, 0};
      if (most == 0) continue;
      if (s.d[i] < 0) return {{}, problem::wants_number, 0, 0};
      if (borders(a.border) != borders::constant) {
        if (s.d[i] == 0 || (borders(a.border) == borders::reflect && most >= s.d[i])) return {{}, problem::border_too_large, 0, 0};
      }
      r.type.shape.d[i] += a.begin[i] + a.end[i];
    }
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int r = in[0];
    for (int i = 0; i < a.begin.n; ++i) {
      if (a.begin[i] == 0 && a.end[i] == 0) continue;
      int const x = r;
      if (a.begin[i] > 0) r = make<concat>(g, {i}, part(g, x, i, a, true), r);
      if (a.end[i] > 0) r = make<concat>(g, {i}, r, part(g, x, i, a, false));
    }
    return r;
  }

 private:
  // What comes before or behind axis i of x.
  static constexpr int part(auto& g, int x, int i, attributes const& a, bool before) {
    array_type t = g.nodes[x].type;
    extent const n = t.shape.d[i];
    int const rank = t.shape.rank;
    t.shape.d[i] = before ? a.begin[i] : a.end[i];
    if (borders(a.border) == borders::constant) return g.fill(t.type, t.shape, a.value.bits(t.type));
    if (borders(a.border) == borders::edge) {
      std::int64_t const at = before ? 0 : n - 1;
      return make<broadcast_to>(g, {t.shape}, make<slice>(g, roll::between(rank, i, at, at + 1), x));
    }
    std::int64_t const last = n - 2 - t.shape.d[i];
    return make<slice>(g, before ? roll::between(rank, i, t.shape.d[i], 0, -1) : roll::between(rank, i, n - 2, last < 0 ? open : last, -1),
                       x);
  }
};

using block_ops = list_of<tril, triu, diag, space_to_depth, depth_to_space, padded>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(tril, "(x, diagonal<0>)")
SINTER_OP(triu, "(x, diagonal<0>)")
SINTER_OP(diag, "(x, diagonal<0>)")
SINTER_OP(space_to_depth, "(x, block<2>)")
SINTER_OP(depth_to_space, "(x, block<2>)")
SINTER_OP(padded, "(x, begin<1>, end<1>, values<0>, border<borders::edge>)")
