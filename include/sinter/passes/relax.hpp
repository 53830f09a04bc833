// SPDX-License-Identifier: Apache-2.0
// The algebra that holds for real numbers only: what net.hybridize(math::relaxed) adds to the exact rules of simplify.hpp.
#pragma once
#include "../ops/all.hpp"
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

namespace detail {
// The number that a floating constant fills its shape with, if it is of moderate size: its inverse and its product with another are normal
// numbers of either dtype. 0 for other nodes.
constexpr bool is_moderate(double v) {
  double const size = v < 0 ? -v : v;
  return size > 1e-18 && size < 1e18;
}
constexpr double number_in(graph const& g, int i) {
  node const& k = g.nodes[i];
  if (!is_constant(g, i) || k.data != 1 || !is_floating(k.type.type)) return 0;
  double const v = real_of(k.type.type, g.data[k.index]);
  return is_moderate(v) ? v : 0;
}
// The operands of a sum or product of an array and a number; the number is 0 for other nodes.
struct with_number {
  int x = -1;
  double number = 0;
};
constexpr with_number split_number(graph const& g, node const& k) {
  int const a = g.operand(k, 0), b = g.operand(k, 1);
  if (double const v = number_in(g, b); v != 0 && g.nodes[a].type == k.type) return {a, v};
  if (double const v = number_in(g, a); v != 0 && g.nodes[b].type == k.type) return {b, v};
  return {};
}

// The rules for sums and products with numbers.
//   x - c  ->  x + -c      (x + c) + d  ->  x + (c + d)      (x * c) * d  ->  x * (c * d)
constexpr int join_numbers(graph& r, int i) {
  node const k = r.nodes[i];
  bool const sum = *k.op == ops::info<ops::add>, difference = *k.op == ops::info<ops::subtract>;
  if (!sum && !difference && *k.op != ops::info<ops::multiply>) return i;
  with_number const outer = split_number(r, k);
  if (outer.number == 0) return i;
  auto const number = [&](double v) { return r.scalar(k.type.type, v); };
  if (difference) return outer.x == r.operand(k, 0) ? ops::make<ops::add>(r, outer.x, number(-outer.number)) : i;
  node const& in = r.nodes[outer.x];
  with_number const inner = *in.op == *k.op ? split_number(r, in) : with_number{};
  double const v = sum ? inner.number + outer.number : inner.number * outer.number;
  if (inner.number == 0 || !is_moderate(v)) return i;
  return sum ? ops::make<ops::add>(r, inner.x, number(v)) : ops::make<ops::multiply>(r, inner.x, number(v));
}

// The rules for quotients.
//   x / c  ->  x * (1 / c)      x / x  ->  1      x / y  ->  x * (1 / y), where y is stretched: one division for many elements
constexpr int relax_quotient(graph& r, int i) {
  node const k = r.nodes[i];
  int const x = r.operand(k, 0), y = r.operand(k, 1);
  dtype const t = k.type.type;
  if (x == y) return r.fill(t, k.type.shape, bits_of(t, 1.));
  if (double const v = number_in(r, y); v != 0) return ops::make<ops::multiply>(r, x, r.fill(t, r.nodes[y].type.shape, bits_of(t, 1 / v)));
  if (is_constant(r, x) || is_constant(r, y) || r.nodes[y].type.shape == k.type.shape) return i;
  return ops::make<ops::multiply>(r, x, ops::make<ops::divide>(r, r.scalar(t, 1), y));
}

// The rules for powers with a number as exponent, where the operand has the shape of the result.
constexpr int relax_power(graph& r, int i) {
  node const k = r.nodes[i];
  int const x = r.operand(k, 0), y = r.operand(k, 1);
  dtype const t = k.type.type;
  if (!(r.nodes[x].type == k.type)) return i;
  if (is_fill(r, y, 0)) return r.fill(t, k.type.shape, bits_of(t, 1.));
  if (is_fill(r, y, 1)) return x;
  if (is_fill(r, y, 2)) return ops::make<ops::square>(r, x);
  if (is_fill(r, y, 3)) return ops::make<ops::multiply>(r, ops::make<ops::square>(r, x), x);
  if (is_fill(r, y, 0.5)) return ops::make<ops::sqrt>(r, x);
  if (is_fill(r, y, -0.5)) return ops::make<ops::rsqrt>(r, x);
  if (is_fill(r, y, -1)) return ops::make<ops::divide>(r, r.scalar(t, 1), x);
  return i;
}

// relaxed. Returns the node itself if no rule fits.
constexpr int simplify_relaxed(graph& r, int i) {
  node const k = r.nodes[i];
  if (k.op->kind != family::elementwise) return i;
  int const x = r.operand(k, 0), y = k.in.n > 1 ? r.operand(k, 1) : -1;
  auto const is = [&](op_info const& op) { return *k.op == op; };
  auto const inside = [&](op_info const& op) { return *r.nodes[x].op == op; };
  auto const same_type = [&](int o) { return r.nodes[o].type == k.type; };
  auto const zero = [&] { return r.fill(k.type.type, k.type.shape, 0); };
  if (is(ops::info<ops::multiply>) && (is_fill(r, x, 0) || is_fill(r, y, 0))) return zero();  // x * 0 -> 0
  if (is(ops::info<ops::subtract>) && x == y) return zero();                                  // x - x -> 0
  if (is(ops::info<ops::subtract>) && is_fill(r, y, 0) && same_type(x)) return x;             // x - -0 -> x
  if (is(ops::info<ops::add>) && is_fill(r, y, 0) && same_type(x)) return x;                  // x + 0 -> x
  if (is(ops::info<ops::add>) && is_fill(r, x, 0) && same_type(y)) return y;
  bool const undone = (is(ops::info<ops::exp>) && inside(ops::info<ops::log>)) ||        // exp(log(x)) -> x
                      (is(ops::info<ops::log>) && inside(ops::info<ops::exp>)) ||        // log(exp(x)) -> x
                      (is(ops::info<ops::square>) && inside(ops::info<ops::sqrt>));      // square(sqrt(x)) -> x
  if (undone) return r.operand(r.nodes[x], 0);
  if (is(ops::info<ops::sqrt>) && inside(ops::info<ops::square>)) return ops::make<ops::abs>(r, r.operand(r.nodes[x], 0));
  if (is(ops::info<ops::power>)) return relax_power(r, i);
  if (is(ops::info<ops::divide>)) return relax_quotient(r, i);
  return join_numbers(r, i);
}
}  // namespace detail

}  // namespace sinter::passes::inline SINTER_ISA
