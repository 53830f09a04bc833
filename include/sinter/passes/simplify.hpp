// SPDX-License-Identifier: Apache-2.0
// Algebra: rules that make a node unnecessary or cheaper.
#pragma once
#include "relax.hpp"

namespace sinter::passes::inline SINTER_ISA {

namespace detail {
constexpr bool power_of_two(double v) {
  return (std::bit_cast<std::uint64_t>(v) & ((std::uint64_t{1} << 52) - 1)) == 0 && v != 0 && v - v == 0;
}

// Each of these returns the node itself if no rule fits.

constexpr int simplify_multiply(graph& r, int i) {
  node const k = r.nodes[i];
  int const x = r.operand(k, 0), y = r.operand(k, 1);
  auto const same_type = [&](int o) { return r.nodes[o].type == k.type; };
  if (is_fill(r, y, 1) && same_type(x)) return x;  // x * 1 -> x
  if (is_fill(r, x, 1) && same_type(y)) return y;
  bool const whole = !is_floating(k.type.type);
  if (whole && (is_fill(r, y, 0) || is_fill(r, x, 0))) return r.fill(k.type.type, k.type.shape, 0);  // x * 0 -> 0, for integers
  return i;
}
constexpr int simplify_divide(graph& r, int i) {
  node const k = r.nodes[i];
  int const x = r.operand(k, 0);
  node const y = r.nodes[r.operand(k, 1)];
  if (*y.op != constant_op || y.data != 1) return i;
  dtype const t = k.type.type;
  double const v = real_of(t, r.data[y.index]);
  if (v == 1 && r.nodes[x].type == k.type) return x;  // x / 1 -> x
  double const inverse = power_of_two(v) ? 1 / v : 0, size = inverse < 0 ? -inverse : inverse;
  double const tiny = t == dtype::float32 ? 0x1p-126 : 0x1p-1022, huge = t == dtype::float32 ? 0x1p127 : 0x1p1023;
  if (!(size >= tiny && size <= huge)) return i;
  return ops::make<ops::multiply>(r, x, r.fill(t, y.type.shape, bits_of(t, inverse)));  // x / 2^n -> x * 2^-n, a normal number
}
constexpr int simplify_sum(graph& r, int i) {
  node const k = r.nodes[i];
  int const x = r.operand(k, 0), y = r.operand(k, 1);
  bool const whole = !is_floating(k.type.type);
  auto const is_zero = [&](int o, bool positive) {  // of this sign: 0 + -0 is 0
    return is_fill(r, o, 0) && (whole || (r.data[r.nodes[o].index] == 0) == positive);
  };
  bool const minus = *k.op == ops::info<ops::subtract>;
  if (r.nodes[x].type == k.type && is_zero(y, minus)) return x;  // x - 0 -> x, x + -0 -> x
  if (!minus && r.nodes[y].type == k.type && is_zero(x, false)) return y;
  return i;
}
constexpr int simplify_where(graph& r, int i) {
  node const k = r.nodes[i], condition = r.nodes[r.operand(k, 0)];
  if (*condition.op != constant_op || condition.data != 1) return i;
  int const chosen = r.operand(k, r.data[condition.index] ? 1 : 2);
  return r.nodes[chosen].type == k.type ? chosen : i;
}
constexpr int simplify_transpose(graph& r, int i) {
  node const k = r.nodes[i], a = r.nodes[r.operand(k, 0)];
  int_list axes = ops::attributes_in<ops::transpose>(r, k).axes;
  bool plain = true;
  for (int j = 0; j < axes.n; ++j) plain = plain && axes[j] == j;
  if (plain) return r.operand(k, 0);
  if (*a.op != *k.op) return i;
  int_list const first = ops::attributes_in<ops::transpose>(r, a).axes;
  for (int j = 0; j < axes.n; ++j) axes.at[j] = first[static_cast<int>(axes[j])];
  return simplify_transpose(r, ops::make<ops::transpose>(r, {axes}, r.operand(a, 0)));  // a transpose of a transpose -> one
}
constexpr int simplify_reshape(graph& r, int i) {
  node const k = r.nodes[i];
  int const x = r.operand(k, 0);
  if (r.nodes[x].type == k.type) return x;  // a reshape to the same shape
  if (!r.nodes[x].op->keeps_order) return i;
  int const in = r.operand(r.nodes[x], 0);  // a reshape of a reshape -> one
  if (r.nodes[in].type == k.type) return in;
  return r.append(ops::info<ops::reshape>, k.type, {&in, 1}, pack(ops::shape_attribute{k.type.shape}));
}

constexpr int simplify_exact(graph& r, int i) {
  node const k = r.nodes[i];
  if (k.in.n == 0 || k.op->effect) return i;
  auto const is = [&](op_info const& op) { return *k.op == op; };
  if (is(ops::info<ops::multiply>)) return simplify_multiply(r, i);
  if (is(ops::info<ops::divide>)) return simplify_divide(r, i);
  if (is(ops::info<ops::add>) || is(ops::info<ops::subtract>)) return simplify_sum(r, i);
  if (is(ops::info<ops::where>)) return simplify_where(r, i);
  if (is(ops::info<ops::transpose>)) return simplify_transpose(r, i);
  if (k.op->keeps_order) return simplify_reshape(r, i);
  int const x = r.operand(k, 0);
  if (k.op->selects && k.in.n == 2 && x == r.operand(k, 1)) return x;  // maximum(x, x) -> x
  op_info const& before = *r.nodes[x].op;
  if (k.op->involution && before == *k.op) return r.operand(r.nodes[x], 0);  // -(-x) -> x
  if (k.op->idempotent && before == *k.op) return x;  // relu(relu(x)) -> relu(x)
  bool const same = r.nodes[x].type == k.type;
  return same && (is(ops::info<ops::cast>) || is(ops::info<ops::broadcast_to>)) ? x : i;
}

constexpr int in_shape(graph& r, int x, dims const& to) {
  return r.append(ops::info<ops::reshape>, {r.nodes[x].type.type, to}, {&x, 1}, pack(ops::shape_attribute{to}));
}
// True if node x of shape `outer` is a parameter, or computed elementwise from parameters and scalars alone, as a weight decay is. Looks back a few
// nodes only, so that its cost does not grow with the network.
constexpr bool of_parameters(graph const& r, int x, dims const& outer, int far = 4) {
  node const& k = r.nodes[x];
  if (*k.op == parameter_op) return k.type.shape == outer;
  if (k.op->kind != family::elementwise || far == 0 || !(k.type.shape == outer)) return false;
  for (int j = 0; j < k.in.n; ++j)
    if (int const o = r.operand(k, j); r.nodes[o].type.shape.rank > 0 && !of_parameters(r, o, outer, far - 1)) return false;
  return true;
}
// The same in another shape.
constexpr int of_parameters_in(graph& r, int x, dims const& to) {
  node const k = r.nodes[x];
  if (*k.op == parameter_op) return in_shape(r, x, to);
  list<int> in(k.in.n);
  for (int j = 0; j < k.in.n; ++j) {
    in[j] = r.operand(k, j);
    if (r.nodes[in[j]].type.shape.rank > 0) in[j] = of_parameters_in(r, in[j], to);
  }
  return r.append(*k.op, {k.type.type, to}, {in.data(), in.size()}, r.copy_of_attributes(k));
}
// relu(reshape(x)) -> reshape(relu(x)): so that an operation is next to a kernel that it can join. All operands are such views of equal
// shapes, single numbers, or computed of parameters, of which a view costs nothing: so a bias is updated where its gradient is summed.
constexpr int sink_reshape(graph& r, int i) {
  node const k = r.nodes[i];
  if (k.op->kind != family::elementwise || *k.op == ops::info<ops::identity>) return i;
  bool any = false;
  for (int j = 0; j < k.in.n && !any; ++j) any = r.nodes[r.operand(k, j)].op->keeps_order;
  if (!any) return i;
  list<int> in(k.in.n);
  dims inner = unknown_dims;
  for (int j = 0; j < k.in.n; ++j) {
    in[j] = r.operand(k, j);
    node const& o = r.nodes[in[j]];
    if (o.type.shape.rank == 0 && (k.type.shape.rank > 0 || (*o.op == constant_op && o.data == 1))) continue;
    if (!(o.type.shape == k.type.shape)) return i;
    if (!o.op->keeps_order) {
      if (!of_parameters(r, in[j], k.type.shape)) return i;
      continue;
    }
    in[j] = r.operand(o, 0);
    node const& source = r.nodes[in[j]];
    if (source.op->kind == family::leaf || source.op->kind == family::view) return i;
    if (inner.rank >= 0 && !(source.type.shape == inner)) return i;
    inner = source.type.shape;
  }
  if (inner.rank < 0) return i;
  for (int j = 0; j < k.in.n; ++j)
    if (int const o = r.operand(k, j); in[j] == o && r.nodes[o].type.shape.rank > 0) in[j] = of_parameters_in(r, o, inner);
  return in_shape(r, r.append(*k.op, {k.type.type, inner}, {in.data(), in.size()}, r.copy_of_attributes(k)), k.type.shape);
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
constexpr graph simplify(graph g, numerics mode = numerics::exact) { return rewrite(g, detail::simplifying{{}, mode}); }

}  // namespace sinter::passes::inline SINTER_ISA
