// SPDX-License-Identifier: Apache-2.0
// The kernels around a product: what is computed before and after it runs line by line on the product's own tiles.
#pragma once
#include "run_lines.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

struct product_kernel {
  interpreter::multiplier const* multiplier = nullptr;
  int first = -1, second = -1, product = -1;  // operands, and the step; `first` is -1 where it is computed
  dtype type = dtype::none;
  tape before, after;
};
// One run of it.
struct product_run {
  product_kernel const* k = nullptr;
  plan const* p = nullptr;
  group const* q = nullptr;
  std::byte* const* base = nullptr;
};

inline void fill_lines(product_call::batch const& at, std::int64_t i, std::int64_t rows, std::int64_t from, std::int64_t count,
                       std::byte* to, std::int64_t stride) {
  auto const& r = *static_cast<product_run const*>(at.call->context);
  tape const& t = r.k->before;
  int const each = bytes_of(r.k->type);
  frame f(t, *r.p, *r.q, *at.call->l, r.base);
  for (int d = 0; d < at.rows; ++d) f.turn[d] = at.turn[d];
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t k = 0; k < count; k += t.capacity) {
      f.turn[at.rows] = i + row;
      f.turn[t.line] = from + k;
      f.length = std::min(t.capacity, count - k);
      f.seek();
      f.set_outside(to + (row * stride + k) * each);
      f.run(t.phases[0].body);
    }
}
inline void finish_lines(product_call::batch const& at, std::byte const* c, std::int64_t stride, std::int64_t i, std::int64_t rows,
                         std::int64_t from, std::int64_t columns) {
  auto const& r = *static_cast<product_run const*>(at.call->context);
  tape const& t = r.k->after;
  int const each = bytes_of(r.k->type);
  frame f(t, *r.p, *r.q, *at.call->l, r.base);
  for (int d = 0; d < at.rows; ++d) f.turn[d] = at.turn[d];
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t j = 0; j < columns; j += t.capacity) {
      f.turn[at.rows] = i + row;
      f.turn[t.line] = from + j;
      f.length = std::min(t.capacity, columns - j);
      f.set(r.k->product, c + (row * stride + j) * each);
      f.seek();
      f.run(t.phases[0].body);
    }
}

inline product_call call_of(product_kernel const& k, group const& q, kernel::launch const& l, kernel::pointer const* p) {
  product_call c;
  c.l = &l;
  c.p = p;
  c.operands = q.operands.n;
  c.first = k.first;
  c.second = k.second;
  c.fill = &fill_lines;
  c.finish = &finish_lines;
  return c;
}
inline product_kernel make_product_kernel(kernel_view const& k, std::int64_t capacity) {
  product_kernel r;
  for (int i = 0; i < k.q->steps.n; ++i) {
    step_info const& s = k.step(i);
    if (s.op->kind != family::product) continue;
    r.product = i;
    r.type = s.type;
    r.first = s.from[0] < 0 ? -1 - s.from[0] : -1;
    r.second = -1 - s.from[1];
    r.multiplier = k.loops[static_cast<std::size_t>(i)]->multiplier;
  }
  if (r.first < 0) r.before = write_tape(k, part::before_product, layout_of_tile::along, capacity);
  r.after = write_tape(k, part::after_product, layout_of_tile::along, capacity);
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
