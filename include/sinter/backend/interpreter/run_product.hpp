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
  // Of a product with a map: so many elements of its columns lie side by side for all that follows, in the loops [merged, line of after].
  std::int64_t length = 1;
  int merged = 0;
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
  for (std::int64_t j = 0; j < columns; j += t.capacity) {
    f.turn[at.rows] = i;
    f.turn[t.line] = from + j;
    f.length = std::min(t.capacity, columns - j);
    f.seek();
    for (std::int64_t row = 0; row < rows; ++row) {
      if (row > 0) f.advance(at.rows);
      f.set(r.k->product, c + (row * stride + j) * each);
      f.run(t.phases[0].body);
    }
  }
}

// ---- around a product with a map, whose rows and columns are several loops each

struct mapped_line {
  frame f;
  product_kernel const& k;
};
inline void open_line(product_call::batch const& at, void* task, void (*then)(void* task, void* line)) {
  auto const& r = *static_cast<product_run const*>(at.call->context);
  mapped_line line{frame(r.k->before, *r.p, *r.q, *at.call->l, r.base), *r.k};
  then(task, &line);
}
inline void fill_strip(void* line, std::int64_t const* turn, std::int64_t count, std::byte* to) {
  auto& [f, k] = *static_cast<mapped_line*>(line);
  tape const& t = k.before;
  std::copy_n(turn, max_loop, f.turn);
  for (std::int64_t c = 0; c < count; c += t.capacity, f.turn[t.line] += t.capacity) {
    f.length = std::min(t.capacity, count - c);
    f.seek();
    f.set_outside(to + c * bytes_of(k.type));
    f.run(t.phases[0].body);
  }
}
inline void finish_mapped_lines(product_call::batch const& at, std::byte const* c, std::int64_t stride, std::int64_t i, std::int64_t rows,
                                std::int64_t from, std::int64_t columns) {
  auto const& r = *static_cast<product_run const*>(at.call->context);
  product_kernel const& k = *r.k;
  tape const& t = k.after;
  kernel::launch const& l = *at.call->l;
  int const each = bytes_of(k.type), column_loops = at.rows + l.map->rows, inner_row = column_loops - 1;
  frame f(t, *r.p, *r.q, l, r.base);
  std::copy_n(at.turn, at.rows, f.turn);
  for (std::int64_t j = from, some = 0; j < from + columns; j += some) {
    turns_in(l, column_loops, k.merged, j / k.length, f.turn);
    f.turn[t.line] = j % k.length;
    some = f.length = std::min({t.capacity, from + columns - j, k.length - j % k.length});
    for (std::int64_t row = 0; row < rows; ++row) {
      if (row > 0 && f.turn[inner_row] + 1 < l.extent[inner_row]) f.advance(inner_row);
      else {
        turns_in(l, at.rows, column_loops, i + row, f.turn);
        f.seek();
      }
      f.set(k.product, c + (row * stride + j - from) * each);
      f.run(t.phases[0].body);
    }
  }
}
// The columns that are one line for all operands around the product.
inline void merge_columns(product_kernel& r, kernel_view const& k) {
  int const line = r.after.line, first = k.q->rank - k.l->map->depth - k.l->map->columns;
  r.merged = line;
  r.length = k.l->extent[line];
  auto const goes_on = [&](int loop) {
    for (int j = 0; j < k.q->operands.n; ++j)
      if (!k.at(j).windowed && k.l->extent[loop] != 1 && k.stride(j, loop) != k.stride(j, line) * r.length) return false;
    return true;
  };
  while (r.merged > first && r.length > 1 && goes_on(r.merged - 1)) r.length *= k.l->extent[--r.merged];
}

inline product_call call_of(product_kernel const& k, group const& q, kernel::launch const& l, kernel::pointer const* p) {
  product_call c;
  c.l = &l;
  c.p = p;
  c.operands = q.operands.n;
  c.first = k.first;
  c.second = k.second;
  c.fill = &fill_lines;
  c.finish = l.map ? &finish_mapped_lines : &finish_lines;
  c.open = &open_line;
  c.strip = &fill_strip;
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
  if (k.l->map) merge_columns(r, k);
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
