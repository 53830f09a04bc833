// SPDX-License-Identifier: Apache-2.0
// Computes at build time what depends on constants alone.
#pragma once
#include "../ops/creation.hpp"
#include "../ops/transcendental.hpp"
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

inline constexpr extent fold_limit = 256;  // larger constants are computed when the program runs, to keep it small

namespace detail {
// The datum of constant `c` that element `at` of an array of shape `s` reads, by NumPy's broadcasting.
constexpr int datum(node const& c, dims const& s, extent at) {
  if (c.data == 1) return c.index;
  extent place = 0, step = 1;
  for (int i = 1; i <= s.rank; ++i) {
    extent const e = s.d[s.rank - i], k = at % e;
    at /= e;
    if (i > c.type.shape.rank) continue;
    extent const own = c.type.shape.d[c.type.shape.rank - i];
    if (own != 1) place += k * step;
    step *= own;
  }
  return c.index + static_cast<int>(place);
}
// Whether a constant expression may compute this: compilers refuse what overflows, divides by zero or gives a NaN, and casts out of range.
// The bounds leave room for any sum, product or quotient of two; what lies outside is computed when the program runs.
constexpr bool foldable(op_info const* op, dtype t, std::uint64_t const* v, int n) {
  if (!is_floating(t)) return true;
  for (int j = 0; j < n; ++j) {
    if (j == 0 && op->condition) continue;
    double const x = real_of(t, v[j]), size = x < 0 ? -x : x;
    if (!(size <= (*op == ops::info<ops::cast> ? 2e9 : 1e18)) || (size < 1e-18 && (size > 0 || j == op->divisor))) return false;
  }
  return true;
}
struct folding : plain_rule {
  constexpr int operator()(rewriting& w, int i) const {
    graph& r = w.r;
    node const k = r.nodes[i];
    if (*k.op == ops::info<ops::arange> && k.type.shape.d[0] <= fold_limit && k.type.shape.d[0] > 0) {
      node c;
      c.op = &constant_op;
      c.type = k.type;
      c.index = r.data.size();
      c.data = static_cast<int>(k.type.shape.d[0]);
      auto const a = ops::attributes_in<ops::arange>(r, k);
      for (int e = 0; e < c.data; ++e)
        r.data.push(with_type(k.type.type, [&]<class T>(T*) { return bits_of(k.type.type, ops::arange::at<T>(a, e)); }));
      return r.append(c);
    }
    if (k.in.n == 0) return i;
    bool filled = true;
    for (int j = 0; j < k.in.n; ++j) {
      node const& c = r.nodes[r.operand(k, j)];
      if (*c.op != constant_op) return i;
      filled = filled && c.data == 1;
    }
    node const& first = r.nodes[r.operand(k, 0)];
    if (k.op->kind == family::view && filled) return r.fill(k.type.type, k.type.shape, r.data[first.index]);
    bool const casts = *k.op == ops::info<ops::cast>;
    if (k.op->kind != family::elementwise || (!k.op->exact && !casts)) return i;
    if (!filled && (!k.type.shape.fixed() || k.type.shape.size() > fold_limit || k.type.shape.size() == 0)) return i;
    dtype const t = r.nodes[r.operand(k, k.in.n - 1)].type.type;
    node c;
    c.op = &constant_op;
    c.type = k.type;
    c.data = filled ? 1 : static_cast<int>(k.type.shape.size());
    list<std::uint64_t> values;
    for (int e = 0; e < c.data; ++e) {
      list<std::uint64_t> v(k.in.n);
      for (int j = 0; j < k.in.n; ++j)
        v[j] = r.data[filled ? r.nodes[r.operand(k, j)].index : datum(r.nodes[r.operand(k, j)], k.type.shape, e)];
      if (!foldable(k.op, t, v.data(), k.in.n)) return i;
      values.push(casts ? cast_bits(t, k.type.type, v[0]) : k.op->fold(t, v.data()));
    }
    c.index = r.data.size();
    for (std::uint64_t v : values) r.data.push(v);
    return r.append(c);
  }
};
}  // namespace detail

// exact: only operations whose result is correctly rounded, so that it equals what a kernel computes; exp and the like are not folded, nor
// is what overflows.
//   multiply(2, 3)  ->  6
constexpr graph fold_constants(graph g) { return rewrite(std::move(g), detail::folding{}); }

}  // namespace sinter::passes::inline SINTER_ISA
