// SPDX-License-Identifier: Apache-2.0
// Algebra: rules that make a node unnecessary or cheaper.
#pragma once
#include "relax.hpp"

namespace sinter::passes::inline SINTER_ISA {

namespace detail {
constexpr bool power_of_two(double v) {
  return (std::bit_cast<std::uint64_t>(v) & ((std::uint64_t{1} << 52) - 1)) == 0 && v != 0 && v - v == 0;
}

// Returns the node itself if no rule fits. `a` is the node x.
constexpr int simplify_exact(graph& r, int i) {
  node const k = r.nodes[i];
  if (k.in.n == 0 || k.op->effect) return i;
  int const x = r.operand(k, 0), y = k.in.n > 1 ? r.operand(k, 1) : -1;
  node const a = r.nodes[x];
  auto const is = [&](op_info const& op) { return *k.op == op; };
  auto const same_type = [&](int o) { return r.nodes[o].type == k.type; };
  bool const whole = !is_floating(k.type.type);
  if (is(ops::info<ops::multiply>)) {
    if (is_fill(r, y, 1) && same_type(x)) return x;                       // x * 1 -> x
    if (is_fill(r, x, 1) && same_type(y)) return y;
    if (whole && is_fill(r, y, 0)) return r.fill(k.type.type, k.type.shape, 0);  // x * 0 -> 0, for integers
    if (whole && is_fill(r, x, 0)) return r.fill(k.type.type, k.type.shape, 0);
  }
  if (is(ops::info<ops::divide>) && *r.nodes[y].op == constant_op && r.nodes[y].data == 1) {
    double const v = real_of(k.type.type, r.data[r.nodes[y].index]);
    if (v == 1 && same_type(x)) return x;                                 // x / 1 -> x
    double const inverse = power_of_two(v) ? 1 / v : 0;
    double const tiny = k.type.type == dtype::float32 ? 0x1p-126 : 0x1p-1022, huge = k.type.type == dtype::float32 ? 0x1p127 : 0x1p1023;
    double const size = inverse < 0 ? -inverse : inverse;
    if (size >= tiny && size <= huge)                                     // x / 2^n -> x * 2^-n, where that is a normal number
      return ops::make<ops::multiply>(r, x, r.fill(k.type.type, r.nodes[y].type.shape, bits_of(k.type.type, inverse)));
  }
  if (is(ops::info<ops::subtract>) && is_fill(r, y, 0) && same_type(x) && (whole || r.data[r.nodes[y].index] == 0)) return x;  // x - 0 -> x
  if (is(ops::info<ops::add>) && same_type(x) && is_fill(r, y, 0) && (whole || r.data[r.nodes[y].index] != 0)) return x;  // x + -0 -> x
  if (is(ops::info<ops::add>) && same_type(y) && is_fill(r, x, 0) && (whole || r.data[a.index] != 0)) return y;
  if (k.op->selects && x == y) return x;  // maximum(x, x) -> x
  if (k.op->involution && *a.op == *k.op) return r.operand(a, 0);  // -(-x) -> x
  if (k.op->idempotent && *a.op == *k.op) return x;  // relu(relu(x)) -> relu(x)
  if (is(ops::info<ops::cast>) && same_type(x)) return x;
  if (is(ops::info<ops::where>) && *r.nodes[x].op == constant_op && r.nodes[x].data == 1) {
    int const chosen = r.operand(k, r.data[r.nodes[x].index] ? 1 : 2);
    if (same_type(chosen)) return chosen;
  }
  if (is(ops::info<ops::transpose>)) {
    int_list axes = ops::attributes_in<ops::transpose>(r, k).axes;
    bool plain = true;
    for (int j = 0; j < axes.n; ++j) plain = plain && axes[j] == j;
    if (plain) return x;
    if (*a.op == *k.op) {  // a transpose of a transpose -> one
      int_list const first = ops::attributes_in<ops::transpose>(r, a).axes;
      for (int j = 0; j < axes.n; ++j) axes.at[j] = first[static_cast<int>(axes[j])];
      return simplify_exact(r, ops::make<ops::transpose>(r, {axes}, r.operand(a, 0)));
    }
  }
  if (k.op->keeps_order) {
    if (same_type(x)) return x;  // a reshape to the same shape
    if (a.op->keeps_order) {  // of a reshape -> one
      int const in = r.operand(a, 0);
      if (same_type(in)) return in;
      return r.append(ops::info<ops::reshape>, k.type, {&in, 1}, pack(ops::shape_attribute{k.type.shape}));
    }
  }
  if (is(ops::info<ops::broadcast_to>) && same_type(x)) return x;
  return i;
}

// relu(reshape(x)) -> reshape(relu(x)): so that an operation is next to a kernel that it can join. All operands are such views of equal
// shapes, or single numbers.
constexpr int sink_reshape(graph& r, int i) {
  node const k = r.nodes[i];
  if (k.op->kind != family::elementwise || *k.op == ops::info<ops::identity>) return i;
  list<int> in(k.in.n);
  dims inner = unknown_dims;
  for (int j = 0; j < k.in.n; ++j) {
    in[j] = r.operand(k, j);
    node const& o = r.nodes[in[j]];
    if (*o.op == constant_op && o.data == 1 && o.type.shape.rank == 0) continue;
    if (!o.op->keeps_order || !(o.type.shape == k.type.shape)) return i;
    in[j] = r.operand(o, 0);
    node const& source = r.nodes[in[j]];
    if (source.op->kind == family::leaf || source.op->kind == family::view) return i;
    if (inner.rank >= 0 && !(source.type.shape == inner)) return i;
    inner = source.type.shape;
  }
  if (inner.rank < 0) return i;
  int const done = r.append(*k.op, {k.type.type, inner}, {in.data(), in.size()}, r.copy_of_attributes(k));
  return r.append(ops::info<ops::reshape>, k.type, {&done, 1}, pack(ops::shape_attribute{k.type.shape}));
}

struct simplifying : plain_rule {
  numerics mode = numerics::exact;
  constexpr int operator()(rewriting& w, int i) const {
    graph& r = w.r;
    r.scope = r.nodes[i].name;
    int n = simplify_exact(r, i);
    // What a relaxed rule makes may fit another rule: x / 3 / 5 becomes a product of two constants first.
    for (int before = -1; mode == numerics::relaxed && n != before;) {
      before = n;
      n = simplify_exact(r, simplify_relaxed(r, n));
    }
    return sink_reshape(r, n);
  }
};
}  // namespace detail

// exact by default: every rule holds for NaN, infinities and signed zeros. On request also rules that hold for real numbers only.
constexpr graph simplify(graph g, numerics mode = numerics::exact) { return rewrite(std::move(g), detail::simplifying{{}, mode}); }

}  // namespace sinter::passes::inline SINTER_ISA
