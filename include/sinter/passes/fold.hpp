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
// Where several values stand in the data already, as where the layers of a network count the same places; at its end if they do not.
constexpr int place_of(list<std::uint64_t> const& data, list<std::uint64_t> const& values) {
  int const n = values.size();
  if (n > 1)
    for (int at = 0; at + n <= data.size(); ++at) {
      int same = 0;
      while (same < n && data[at + same] == values[same]) ++same;
      if (same == n) return at;
    }
  return data.size();
}
// A constant of this type whose elements are `values`, or one value that fills it.
constexpr int append_constant(graph& r, array_type const& t, list<std::uint64_t> const& values) {
  node c;
  c.op = &constant_op;
  c.type = t;
  c.index = place_of(r.data, values);
  c.data = values.size();
  if (c.index == r.data.size())
    for (std::uint64_t v : values) r.data.push(v);
  return r.append(c);
}
constexpr int fold_arange(graph& r, node const& k) {
  list<std::uint64_t> values;
  auto const a = ops::attributes_in<ops::arange>(r, k);
  for (extent e = 0; e < k.type.shape.d[0]; ++e)
    values.push(with_computed_type(k.type.type, [&]<class T>(T*) { return bits_of(k.type.type, ops::arange::at<T>(a, e)); }));
  return append_constant(r, k.type, values);
}
struct folding : plain_rule {
  constexpr bool applies(graph const& g) const {
    for (node const& k : g.nodes)
      if (*k.op == constant_op || *k.op == ops::info<ops::arange>) return true;
    return false;
  }
  constexpr int operator()(rewriting& w, int i) const {
    graph& r = w.r;
    node const k = r.nodes[i];
    dims const& shape = k.type.shape;
    if (is_narrow(k.type.type)) return i;  // a cast, or what `expand` has replaced
    if (*k.op == ops::info<ops::arange> && shape.d[0] <= fold_limit && shape.d[0] > 0) return fold_arange(r, k);
    if (k.in.n == 0) return i;
    bool filled = true;
    for (int j = 0; j < k.in.n; ++j) {
      node const& c = r.nodes[r.operand(k, j)];
      if (*c.op != constant_op) return i;
      filled = filled && c.data == 1;
    }
    node const& first = r.nodes[r.operand(k, 0)];
    if (k.op->kind == family::view && filled) return r.fill(k.type.type, shape, r.data[first.index]);
    bool const casts = *k.op == ops::info<ops::cast>;
    if (k.op->kind != family::elementwise || (!k.op->exact && !casts)) return i;
    if (!filled && (!shape.fixed() || shape.size() > fold_limit || shape.size() == 0)) return i;
    dtype const t = r.nodes[r.operand(k, k.in.n - 1)].type.type;
    if (is_narrow(t)) return i;
    list<std::uint64_t> values;
    for (int e = 0, n = filled ? 1 : static_cast<int>(shape.size()); e < n; ++e) {
      list<std::uint64_t> v(k.in.n);
      for (int j = 0; j < k.in.n; ++j) {
        node const& in = r.nodes[r.operand(k, j)];
        v[j] = r.data[filled ? in.index : datum(in, shape, e)];
      }
      if (!foldable(k.op, t, v.data(), k.in.n)) return i;
      values.push(casts ? cast_bits(t, k.type.type, v[0]) : k.op->fold(t, v.data()));
    }
    return append_constant(r, k.type, values);
  }
};
}  // namespace detail

// exact: only operations whose result is correctly rounded, so that it equals what a kernel computes; exp and the like are not folded, nor
// is what overflows.
//   multiply(2, 3)  ->  6
constexpr graph fold_constants(graph g) { return rewrite(g, detail::folding{}); }

}  // namespace sinter::passes::inline SINTER_ISA
