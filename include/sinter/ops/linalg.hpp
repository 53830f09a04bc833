// SPDX-License-Identifier: Apache-2.0
// Linear algebra of matrices in the last two axes, for each place of the axes before them: gemm2, cholesky, solve_triangular, det, slogdet,
// inverse.
#pragma once
#include "blocks.hpp"
#include "opaque.hpp"
#include "product.hpp"
#include "sequence.hpp"

namespace sinter::ops::inline SINTER_ISA {

// gemm2(a, b, transpose_a, transpose_b, alpha<1>): alpha a b, as matmul multiplies
struct gemm2 {
  static constexpr format_names formats{"_linalg_gemm2", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::transpose_a>, may<key::transpose_b>, may<key::alpha>>;
  struct attributes {
    product_attributes product;
    double alpha = 1;
    static constexpr void each(auto& a, auto&& f) { product_attributes::each(a.product, f), f("alpha", a.alpha); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    return {{k[key::transpose_a{}].value, k[key::transpose_b{}].value}, k[key::alpha{}].or_else(1)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    inferred const r = product::infer(in, a.product, t);
    if (r.what == problem::none && !number(a.alpha).fits(r.type.type)) return {{}, problem::keyword_value, 0, 1};
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const r = make<product>(g, a.product, in[0], in[1]);
    return a.alpha == 1 ? r : make<multiply>(g, r, g.scalar(g.nodes[r].type.type, a.alpha));
  }
};

// What operations of square matrices have in common.
template <class Self> struct matrix_op : opaque_op<Self> {
  static constexpr bool wants_arrays = true;
  static constexpr int arity = 1;
  static constexpr problem check(array_type const& x, dimension_table& t) {
    dims const& s = x.shape;
    if (!is_floating(x.type)) return problem::wants_floating;
    if (s.rank < 2) return problem::rank_too_small;
    return same_extent(s.d[s.rank - 1], s.d[s.rank - 2], t) ? problem::none : problem::not_square;
  }
  static constexpr inferred infer(operand_types in, dimension_table& t) { return {in[0], check(in[0], t), 0, 0}; }
  static SINTER_HD constexpr std::int64_t matrices_in(dims const& s) {
    std::int64_t n = 1;
    for (int i = 0; i < s.rank - 2; ++i) n *= s.d[i];
    return n;
  }
};
// Of a matrix for each place the columns as rows.
constexpr int transposed(auto& g, int x) {
  transpose::attributes a;
  int const rank = g.nodes[x].type.shape.rank;
  for (int i = 0; i < rank; ++i) a.axes.push(i < rank - 2 ? i : 2 * rank - 3 - i);
  return make<transpose>(g, a, x);
}
// Where Comparison holds for a row and a column of square matrices like those of x.
template <class Comparison> constexpr int where_in_matrix(auto& g, int x) {
  dims const s = g.nodes[x].type.shape;
  return make<Comparison>(g, make<expand_dims>(g, {1}, positions(g, s.d[s.rank - 2])), positions(g, s.d[s.rank - 1]));
}
constexpr int triangle_of(auto& g, int x, bool upper) {
  int const inside = upper ? where_in_matrix<lesser_equal>(g, x) : where_in_matrix<greater_equal>(g, x);
  return make<where>(g, inside, x, number_beside(g, x, 0));
}

// cholesky(a): the lower triangle L of a = L L', of symmetric matrices, of which only the lower triangle is read. A matrix that is not
// positive definite gives NaN everywhere.
struct cholesky : matrix_op<cholesky> {
  static constexpr format_names formats{"_linalg_potrf", ""};
  static constexpr std::int64_t items(no_attributes const&, dims const* shapes) { return matrix_op::matrices_in(shapes[0]); }
  template <class T> static SINTER_HD constexpr void item(no_attributes const&, share s, array_view<T> out, array_view<T const> in) {
    std::int64_t const n = in.shape.d[in.shape.rank - 1];
    T const* const a = in.data + s.item * n * n;
    T* const l = out.data + s.item * n * n;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        T v = j > i ? T(0) : a[i * n + j];
        for (std::int64_t k = 0; j <= i && k < j; ++k) v -= math::mul(l[i * n + k], l[j * n + k]);
        if (i == j && !(v > 0)) {
          for (std::int64_t k = 0; k < n * n; ++k) l[k] = math::nan<T>;
          return;
        }
        l[i * n + j] = j > i ? v : j == i ? math::sqrt(v) : v / l[j * n + j];
      }
    }
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
};

struct triangular_attributes {
  bool upper = false, transpose_a = false;
  static constexpr void each(auto& a, auto&& f) { f("upper", a.upper), f("transpose_a", a.transpose_a); }
};
// Of as many matrices on the left as on the right. Columns are independent.
struct triangular_solution : matrix_op<triangular_solution> {
  static constexpr std::string_view name = "triangular_solution";
  static constexpr bool lanes_share_items = true;
  static constexpr int arity = 2;
  using attributes = triangular_attributes;
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table&) { return {in[1]}; }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return matrix_op::matrices_in(shapes[0]); }
  template <class T> static SINTER_HD constexpr void item(attributes const& o, share s, array_view<T> out, array_view<T const> left,
                                                          array_view<T const> right) {
    std::int64_t const n = right.shape.d[right.shape.rank - 2], columns = right.shape.d[right.shape.rank - 1];
    T const* const a = left.data + s.item * n * n;
    T const* const b = right.data + s.item * n * columns;
    T* const x = out.data + s.item * n * columns;
    bool const forward = o.upper == o.transpose_a;
    for (std::int64_t c = s.lane; c < columns; c += s.lanes)
      for (std::int64_t turn = 0; turn < n; ++turn) {
        std::int64_t const i = forward ? turn : n - 1 - turn;
        T v = b[i * columns + c];
        for (std::int64_t before = 0; before < turn; ++before) {
          std::int64_t const k = forward ? before : n - 1 - before;
          v -= math::mul(a[o.transpose_a ? k * n + i : i * n + k], x[k * columns + c]);
        }
        x[i * columns + c] = v / a[i * n + i];
      }
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
};

template <class T> SINTER_HD constexpr void exchange_rows(T* a, std::int64_t n, std::int64_t k, std::int64_t p) {
  for (std::int64_t j = 0; j < n; ++j) {
    T const v = a[k * n + j];
    a[k * n + j] = a[p * n + j];
    a[p * n + j] = v;
  }
}
// In place: L below the diagonal, where its own is 1, and U, of the matrix with its rows exchanged such that each column is divided by its
// largest element. Exchanges the rows of `also`, too, and gives whether that were an odd number of times.
template <class T> SINTER_HD constexpr bool factor(T* a, std::int64_t n, T* also) {
  bool odd = false;
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t p = k;
    for (std::int64_t i = k + 1; i < n; ++i)
      if (T const best = math::abs(a[p * n + k]); best == best && !(math::abs(a[i * n + k]) <= best)) p = i;
    if (p != k) {
      exchange_rows(a, n, k, p);
      if (also) exchange_rows(also, n, k, p);
      odd = !odd;
    }
    if (a[k * n + k] == 0) continue;
    for (std::int64_t i = k + 1; i < n; ++i) {
      T const f = a[i * n + k] /= a[k * n + k];
      for (std::int64_t j = k + 1; j < n; ++j) a[i * n + j] -= math::mul(f, a[k * n + j]);
    }
  }
  return odd;
}
// The inverse, and what it was computed with.
struct lu_inverse : matrix_op<lu_inverse> {
  static constexpr std::string_view name = "lu_inverse";
  static constexpr int results(no_attributes const&) { return 2; }
  static constexpr array_type result(int, operand_types, no_attributes const&, array_type const& first) { return first; }
  static constexpr std::int64_t items(no_attributes const&, dims const* shapes) { return matrix_op::matrices_in(shapes[0]); }
  template <class T> static SINTER_HD constexpr void item(no_attributes const&, share s, array_view<T> out, array_view<T> factors,
                                                          array_view<T const> in) {
    std::int64_t const n = in.shape.d[in.shape.rank - 1], first = s.item * n * n;
    T *const x = out.data + first, *const a = factors.data + first;
    for (std::int64_t k = 0; k < n * n; ++k) a[k] = in.data[first + k], x[k] = T(k / n == k % n ? 1 : 0);
    factor(a, n, x);
    bool singular = false;
    for (std::int64_t k = 0; k < n; ++k) singular = singular || a[k * n + k] == 0;
    for (std::int64_t k = 0; singular && k < n * n; ++k) x[k] = math::nan<T>;
    for (std::int64_t i = 0; !singular && i < n; ++i) subtract_rows(a, x, n, i, 0, i);
    for (std::int64_t i = n; !singular && i-- > 0;) {
      subtract_rows(a, x, n, i, i + 1, n);
      for (std::int64_t j = 0; j < n; ++j) x[i * n + j] /= a[i * n + i];
    }
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);

 private:
  template <class T> static SINTER_HD constexpr void subtract_rows(T const* a, T* x, std::int64_t n, std::int64_t i, std::int64_t k,
                                                                   std::int64_t last) {
    for (; k < last; ++k)
      for (std::int64_t j = 0; j < n; ++j) x[i * n + j] -= math::mul(a[i * n + k], x[k * n + j]);
  }
};
// The determinant, its sign, the logarithm of its magnitude, and what they were computed with.
struct lu_determinant : matrix_op<lu_determinant> {
  static constexpr std::string_view name = "lu_determinant";
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    inferred r = matrix_op::infer(in, t);
    if (r.what == problem::none) r.type.shape.rank -= 2;
    return r;
  }
  static constexpr int results(no_attributes const&) { return 4; }
  static constexpr array_type result(int i, operand_types in, no_attributes const&, array_type const& first) {
    return i == 3 ? in[0] : first;
  }
  static constexpr std::int64_t items(no_attributes const&, dims const* shapes) { return shapes[0].size(); }
  template <class T> static SINTER_HD constexpr void item(no_attributes const&, share s, array_view<T> out, array_view<T> signs,
                                                          array_view<T> logarithms, array_view<T> factors, array_view<T const> in) {
    std::int64_t const n = in.shape.d[in.shape.rank - 1], first = s.item * n * n;
    T* const a = factors.data + first;
    for (std::int64_t k = 0; k < n * n; ++k) a[k] = in.data[first + k];
    T product = factor(a, n, static_cast<T*>(nullptr)) ? T(-1) : T(1), sign = product, logarithm = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      T const u = a[k * n + k];
      product *= u;
      if (u == 0) sign = sign == sign ? T(0) : sign;
      else sign = u > 0 ? sign : u < 0 ? T(0) - sign : u;
      logarithm += math::log(math::abs(u));
    }
    out.data[s.item] = product;
    signs.data[s.item] = sign;
    logarithms.data[s.item] = logarithm;
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::triangular_solution);
SINTER_USER_OP(sinter::ops::lu_inverse);
SINTER_USER_OP(sinter::ops::lu_determinant);

namespace sinter::ops::inline SINTER_ISA {

// solve_triangular(a, b, upper, transpose_a): x of a x = b for lower triangles a, or upper ones; the other triangle of a is not read. A zero on
// the diagonal gives infinities and NaN. With transpose_a of a' x = b.
struct solve_triangular {
  static constexpr format_names formats{"_linalg_trsm", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::upper>, may<key::transpose_a>>;
  using attributes = triangular_attributes;
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::upper{}].value, k[key::transpose_a{}].value}; }
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table& t) {
    dims front = in[0].shape, result = in[1].shape;
    if (problem const p = cholesky::check(in[0], t); p != problem::none) return {{}, p, 0, 0};
    if (result.rank < 2) return {{}, problem::rank_too_small, 0, 1};
    extent const rows = result.d[result.rank - 2], columns = result.d[result.rank - 1];
    if (!same_extent(front.d[front.rank - 1], rows, t)) return {{}, problem::inner_differ, 0, 1};
    front.rank -= 2;
    result.rank -= 2;
    broadcasted const both = broadcast(front, result, t);
    if (!both.ok) return {{}, problem::shapes_differ, 0, 1};
    inferred r{{in[0].type, both.shape}};
    r.type.shape.push(rows);
    r.type.shape.push(columns);
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const both[]{g.nodes[in[0]].type, g.nodes[in[1]].type};
    dims const to = infer({both, 2}, a, g.dimensions).type.shape;
    int const matrix = stretched(g, in[0], to);
    return make<triangular_solution>(g, a, matrix, stretched(g, in[1], to));
  }

 private:
  static constexpr int stretched(auto& g, int x, dims to) {
    dims const s = g.nodes[x].type.shape;
    for (int i = 1; i <= 2; ++i) to.d[to.rank - i] = s.d[s.rank - i];
    return s == to ? x : make<broadcast_to>(g, {to}, x);
  }
};
// What is one of the results of another operation.
struct of_matrix {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
};
// det(a): the determinants, by LU factors with pivots; of a matrix without elements 1
struct det : of_matrix {
  static constexpr format_names formats{"_linalg_det", "Det"};
  static constexpr inferred infer(operand_types in, dimension_table& t) { return lu_determinant::infer(in, t); }
  static constexpr int expand(auto& g, operand_nodes in) { return g.result(make<lu_determinant>(g, in[0]), 0); }
};
// slogdet(a): the signs of the determinants, and the logarithms of their magnitudes; 0 and -infinity of a singular matrix
struct slogdet : of_matrix {
  static constexpr format_names formats{"_linalg_slogdet", ""};
  static constexpr inferred infer(operand_types in, dimension_table& t) { return lu_determinant::infer(in, t); }
  static constexpr int results(no_attributes const&) { return 2; }
  static constexpr array_type result(int, operand_types, no_attributes const&, array_type const& first) { return first; }
  static constexpr int expand(auto& g, operand_nodes in) {
    int const all = make<lu_determinant>(g, in[0]);
    int const both[]{g.result(all, 1), g.result(all, 2)};
    return g.tuple({both, 2});
  }
};
// inverse(a): by LU factors with pivots. A matrix in which they find a zero pivot is singular, and its inverse NaN everywhere; as in NumPy,
// rounding may hide that, and then the elements are very large.
struct inverse : of_matrix {
  static constexpr format_names formats{"_linalg_inverse", ""};
  static constexpr inferred infer(operand_types in, dimension_table& t) { return lu_inverse::infer(in, t); }
  static constexpr int expand(auto& g, operand_nodes in) { return g.result(make<lu_inverse>(g, in[0]), 0); }
};

// ---- gradients

// By Murray, arXiv 1602.07527. Only the lower triangle of the operand is read, so only that of the gradient is not zero.
constexpr int cholesky::gradient(auto& g, int y, operand_nodes d, int) {
  auto const halved = [&](int x) {  // the lower triangle, and half of the diagonal
    int const half = make<multiply>(g, x, number_beside(g, x, 0.5)), below = make<where>(g, where_in_matrix<greater>(g, x), x, half);
    return triangle_of(g, below, false);
  };
  triangular_attributes const backward{false, true};
  int const inner = halved(make<product>(g, {true, false}, y, d[0]));
  int const left = make<triangular_solution>(g, backward, y, transposed(g, inner));
  int const both = make<triangular_solution>(g, backward, y, transposed(g, left));
  return halved(make<add>(g, both, transposed(g, both)));
}
constexpr int triangular_solution::gradient(auto& g, int y, operand_nodes d, int i) {
  auto const [upper, across] = attributes_in<triangular_solution>(g, g.nodes[y]);
  int const back = make<triangular_solution>(g, {upper, !across}, operand_of(g, y, 0), d[0]);
  if (i == 1) return back;
  int const all = across ? make<product>(g, {false, true}, y, back) : make<product>(g, {false, true}, back, y);
  return make<negative>(g, triangle_of(g, all, upper));
}
// Of y = a^-1: -y' d y'
constexpr int lu_inverse::gradient(auto& g, int y, operand_nodes d, int) {
  if (d[0] < 0) return -1;
  int const made = g.result(y, 0);
  return make<negative>(g, make<product>(g, {true, false}, made, make<product>(g, {false, true}, d[0], made)));
}
// The determinant times the inverse, transposed, and of the logarithm that alone.
constexpr int lu_determinant::gradient(auto& g, int y, operand_nodes d, int) {
  int all = d[0] < 0 ? -1 : make<multiply>(g, d[0], g.result(y, 0));
  if (d[2] >= 0) all = all < 0 ? d[2] : make<add>(g, all, d[2]);
  if (all < 0) return -1;
  int const rank = g.nodes[all].type.shape.rank;
  int const for_each = make<expand_dims>(g, {rank + 1}, make<expand_dims>(g, {rank}, all));
  return make<multiply>(g, for_each, transposed(g, g.result(make<lu_inverse>(g, operand_of(g, y, 0)), 0)));
}

using linalg_ops = list_of<gemm2, cholesky, solve_triangular, det, slogdet, inverse>;

}  // namespace sinter::ops::inline SINTER_ISA

namespace sinter::inline SINTER_ISA {
inline constexpr ops::keyword<ops::key::upper, true> upper{};
}  // namespace sinter::inline SINTER_ISA

SINTER_OP(gemm2, "(a, b, transpose_a, transpose_b, alpha<1>)")
SINTER_OP(cholesky, "(a)")
SINTER_OP(solve_triangular, "(a, b, upper, transpose_a)")
SINTER_OP(det, "(a)")
SINTER_OP(slogdet, "(a)")
SINTER_OP(inverse, "(a)")
