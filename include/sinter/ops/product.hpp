// SPDX-License-Identifier: Apache-2.0
// Sums of products: matmul and fully_connected, both written with one primitive; and outer, of products alone.
#pragma once
#include "elementwise.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// Whether the first and the second operand are given transposed.
struct product_attributes {
  bool transpose_a = false, transpose_b = false;
  static constexpr void each(auto& a, auto&& f) { f("transpose_a", a.transpose_a), f("transpose_b", a.transpose_b); }
};
// (..., M, K) x (..., K, N). Leading axes broadcast.
struct product {
  static constexpr std::string_view name = "product";
  static constexpr format_names formats{"batch_dot", "MatMul"};
  static constexpr family kind = family::product;
  static constexpr int cost = 1000, arity = 2;
  using attributes = product_attributes;
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    dims const &x = in[0].shape, &y = in[1].shape;
    if (in[0].type != in[1].type) return {{}, problem::mixed_dtypes, 0, 1};
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 1};
    if (x.rank < 2 || y.rank < 2) return {{}, problem::rank_too_small, 0, 1};
    extent const m = x.d[x.rank - (a.transpose_a ? 1 : 2)], k = x.d[x.rank - (a.transpose_a ? 2 : 1)],
                 l = y.d[y.rank - (a.transpose_b ? 1 : 2)], n = y.d[y.rank - (a.transpose_b ? 2 : 1)];
    extent both = 0;
    if (k != l && (k == 1 || l == 1 || !broadcast_extent(k, l, both))) return {{}, problem::inner_differ, 0, 1};
    t.same(k, l);
    dims front_x = x, front_y = y;
    front_x.rank -= 2;
    front_y.rank -= 2;
    broadcasted const b = broadcast(front_x, front_y, t);
    if (!b.ok) return {{}, problem::shapes_differ, 0, 1};
    inferred r{{summed_in(in[0].type), b.shape}};
    r.type.shape.push(m);
    r.type.shape.push(n);
    return r;
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::product);

namespace sinter::ops::inline SINTER_ISA {

// Of y = a b: d b' for a and a' d for b, where ' transposes; of an operand that is given transposed, the transposed of that.
constexpr int product::gradient(auto& g, int y, operand_nodes d, int i) {
  auto const [ta, tb] = attributes_in<product>(g, g.nodes[y]);
  int const a = operand_of(g, y, 0), b = operand_of(g, y, 1);
  if (i == 0) return ta ? make<product>(g, {tb, true}, b, d[0]) : make<product>(g, {false, !tb}, d[0], b);
  return tb ? make<product>(g, {true, ta}, d[0], a) : make<product>(g, {!ta, false}, a, d[0]);
}

// matmul(a, b, transpose_a, transpose_b): NumPy's rules, a vector on the left is a row and on the right a column.
struct matmul {
  static constexpr format_names formats{"_npi_matmul", "MatMul"};
  static constexpr family kind = family::composite;
  using keywords = list_of<may<key::transpose_a>, may<key::transpose_b>>;
  using attributes = product_attributes;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::transpose_a{}].value, k[key::transpose_b{}].value}; }
  static constexpr dims as_matrix(dims s, bool left) { return s.rank != 1 ? s : left ? dims{1, s.d[0]} : dims{s.d[0], 1}; }
  static constexpr attributes without_vectors(array_type const& x, array_type const& y, attributes a) {
    if (x.shape.rank == 1) a.transpose_a = false;
    if (y.shape.rank == 1) a.transpose_b = false;
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (in[0].shape.rank < 1 || in[1].shape.rank < 1) return {{}, problem::rank_too_small, 0, 1};
    array_type const both[]{{in[0].type, as_matrix(in[0].shape, true)}, {in[1].type, as_matrix(in[1].shape, false)}};
    inferred r = product::infer({both, 2}, without_vectors(in[0], in[1], a), t);
    if (r.what == problem::none) r.type.shape = without_ones(r.type.shape, in[0].shape.rank == 1, in[1].shape.rank == 1);
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const x = g.nodes[in[0]].type, y = g.nodes[in[1]].type;
    int const left = x.shape.rank == 1 ? make<reshape>(g, {as_matrix(x.shape, true)}, in[0]) : in[0];
    int const right = y.shape.rank == 1 ? make<reshape>(g, {as_matrix(y.shape, false)}, in[1]) : in[1];
    int const r = make<product>(g, without_vectors(x, y, a), left, right);
    if (x.shape.rank > 1 && y.shape.rank > 1) return r;
    return make<reshape>(g, {without_ones(g.nodes[r].type.shape, x.shape.rank == 1, y.shape.rank == 1)}, r);
  }

 private:
  static constexpr dims without_ones(dims const& s, bool row, bool column) {
    dims r;
    for (int i = 0; i < s.rank; ++i)
      if (!(row && i == s.rank - 2) && !(column && i == s.rank - 1)) r.push(s.d[i]);
    return r;
  }
};

// fully_connected(x, weight[, bias]): x (N, ...) flattened to (N, K), weight (units, K), bias (units,): x weight^T + bias.
// With flattened<false> it works on the last axis and keeps the others.
struct fully_connected {
  static constexpr format_names formats{"FullyConnected", "Gemm"};
  static constexpr family kind = family::composite;
  using keywords = list_of<may<key::flattened>>;
  struct attributes {
    bool flattened = true;
    static constexpr void each(auto& a, auto&& f) { f("flattened", a.flattened); }
  };
  static constexpr operand_count arity{2, 3};
  static constexpr bool wants_arrays = true;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::flattened{}].or_else(true)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    int const n = in.n;
    dims const &x = in[0].shape, &w = in[1].shape;
    for (int i = 1; i < n; ++i)
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 1};
    if (x.rank < 1 || (a.flattened && x.rank < 2) || w.rank != 2) return {{}, problem::rank_too_small, 0, 1};
    size last = t.size_of(x.d[x.rank - 1]);
    for (int i = 1; a.flattened && i + 1 < x.rank; ++i) last = last * t.size_of(x.d[i]);
    extent const k = last.fixed() ? last.k : t.extent_of(last);
    extent both = 0;
    if (k != w.d[1] && (k == 1 || w.d[1] == 1 || !broadcast_extent(k, w.d[1], both))) return {{}, problem::inner_differ, 0, 1};
    t.same(k, w.d[1]);
    if (n > 2 && (in[2].shape.rank != 1 || in[2].shape.d[0] != w.d[0])) return {{}, problem::shapes_differ, 1, 2};
    inferred r{{summed_in(in[0].type), in[0].shape}};
    if (a.flattened) r.type.shape.rank = 2;
    r.type.shape.d[r.type.shape.rank - 1] = w.d[0];
    return r;
  }
  // The inputs of the weight follow from x.
  static constexpr void complete(list<array_type>& in, attributes const& a) {
    dims const& x = in[0].shape;
    dims& w = in[1].shape;
    if (w.rank != 2 || w.d[1] != unknown_extent || x.rank < 1) return;
    w.d[1] = x.d[x.rank - 1];
    for (int i = 1; a.flattened && i + 1 < x.rank; ++i) w.d[1] = w.d[1] < 0 || x.d[i] < 0 ? unknown_extent : w.d[1] * x.d[i];
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const x = g.nodes[in[0]].type.shape;
    int rows = in[0];
    if (a.flattened && x.rank > 2) rows = make<flatten>(g, rows);
    if (!a.flattened && x.rank != 2) {
      size front{1, 0};
      for (int i = 0; i + 1 < x.rank; ++i) front = front * g.dimensions.size_of(x.d[i]);
      rows = make<reshape>(g, {{g.dimensions.extent_of(front), x.d[x.rank - 1]}}, rows);
    }
    int r = make<product>(g, {false, true}, rows, in[1]);
    if (in.n > 2) r = make<add>(g, r, in[2]);
    if (a.flattened || x.rank == 2) return r;
    dims back = x;
    back.d[x.rank - 1] = g.nodes[in[1]].type.shape.d[0];
    return make<reshape>(g, {back}, r);
  }
};

// outer(a, b): the product of each element of a, which are rows, and each of b. Of arrays of any rank all elements are taken, as in NumPy.
struct outer {
  static constexpr format_names formats{"", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    if (in[0].type != in[1].type) return {{}, problem::mixed_dtypes, 0, 1};
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 1};
    return {{in[0].type, {t.extent_of(t.elements(in[0].shape)), t.extent_of(t.elements(in[1].shape))}}};
  }
  static constexpr int expand(auto& g, operand_nodes in) {
    int const rows = make<reshape>(g, {{-1}}, in[0]), columns = make<reshape>(g, {{-1}}, in[1]);
    return make<multiply>(g, make<expand_dims>(g, {1}, rows), columns);
  }
};

using product_ops = list_of<matmul, fully_connected, outer>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(matmul, "(a, b, transpose_a, transpose_b)")
SINTER_OP(fully_connected, "(x, weight[, bias], flattened<false>)")
SINTER_MATH_OP(outer, "(a, b)")  // a function: many a variable has this name
