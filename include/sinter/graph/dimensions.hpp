// SPDX-License-Identifier: Apache-2.0
// The dynamic dimensions of a graph, and sizes that are products of them.
#pragma once
#include <cstdint>

#include "../core/error.hpp"
#include "../core/list.hpp"
#include "../core/shape.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// How many dynamic dimensions a graph can have: first those of the inputs, in the order of their shapes, then those that are computed from
// them.
inline constexpr int max_dimensions = 16;

// A count of elements, a stride or an extent: a number times powers of the graph's dynamic dimensions (four bits each).
struct size {
  std::int64_t k = 0;
  std::uint64_t powers = 0;

  constexpr bool fixed() const { return powers == 0; }
  constexpr std::uint64_t power_of(int row) const { return (powers >> (4 * row)) & 15; }
  constexpr bool operator==(size const&) const = default;
  friend constexpr size operator*(size a, size b) {
    if ((a.powers | b.powers) == 0 || a.k == 0 || b.k == 0) return {a.k * b.k, 0};
    std::uint64_t const sum = a.powers + b.powers, carried = a.powers ^ b.powers ^ sum;
    if ((carried & 0x1111'1111'1111'1110) != 0 || sum < a.powers)
      throw shape_error("sinter: a size is more than the fifteenth power of one dynamic dimension");
    return {a.k * b.k, sum};
  }
};
// Whether b divides a without knowing the dynamic dimensions; then `r` is the quotient.
constexpr bool divides(size a, size b, size& r) {
  if (b.k == 0 || a.k % b.k != 0) return false;
  for (int i = 0; i < max_dimensions; ++i)
    if (a.power_of(i) < b.power_of(i)) return false;
  r = {a.k / b.k, a.k ? a.powers - b.powers : 0};
  return true;
}

// A place in a buffer, in elements: a number and products of dynamic dimensions, which are added up.
struct place_sum {
  std::int64_t fixed = 0;
  size dynamic[4];

  constexpr bool operator==(place_sum const&) const = default;
  // False where that needs more products than there is room for.
  constexpr bool add(size s) {
    if (s.fixed()) {
      fixed += s.k;
      return true;
    }
    for (size& d : dynamic) {
      if (d.k != 0 && d.powers != s.powers) continue;
      d = {d.k + s.k, s.powers};
      return true;
    }
    return false;
  }
};

// One dynamic dimension: an axis of an input, or computed from others.
struct dimension {
  enum class origin : std::int8_t { input, sum, quotient, product };
  extent code = 0;
  origin from = origin::input;
  int input = -1, axis = -1;  // origin::input: where its value is read
  extent a = 0, b = 0;        // origin::sum: a + b, where b may be a negative number; origin::quotient: a / b
  size value;                 // its value: itself, or for origin::product the product
};
// Two extents that are equal in every run, which only the run can check.
struct equality {
  extent a = 0, b = 0;
};
struct binding {
  std::int64_t value[max_dimensions]{};
  constexpr std::int64_t operator()(size const& s) const {  // unsigned: strides of an array without elements may wrap
    auto r = static_cast<std::uint64_t>(s.k);
    std::uint64_t p = s.powers;
    for (int i = 0; p; ++i, p >>= 4)
      for (std::uint64_t n = p & 15; n; --n) r *= static_cast<std::uint64_t>(value[i]);
    return static_cast<std::int64_t>(r);
  }
  // Whether memory can have so many elements.
  constexpr bool is_countable(size const& s) const {
    auto r = static_cast<double>(s.k);
    std::uint64_t p = s.powers;
    for (int i = 0; p; ++i, p >>= 4)
      for (std::uint64_t n = p & 15; n; --n) r *= static_cast<double>(value[i]);
    return r <= 0x1p59;
  }
  constexpr std::int64_t operator()(place_sum const& p) const {
    std::int64_t r = p.fixed;
    for (size const& d : p.dynamic)
      if (d.k != 0) r += (*this)(d);
    return r;
  }
  constexpr bool operator==(binding const&) const = default;
  // The same for a table of `rows` dimensions.
  constexpr bool agrees(binding const& o, int rows) const {
    for (int i = 0; i < rows; ++i)
      if (value[i] != o.value[i]) return false;
    return true;
  }
};

// The value of an extent in a run; `rows` are those of a dimension_table.
template <class Rows> constexpr std::int64_t extent_in(Rows const& rows, binding const& b, extent e) {
  if (e > -named_base) return e;
  for (int i = 0; i < rows.size(); ++i)
    if (rows[i].code == e) return rows[i].from == dimension::origin::product ? b(rows[i].value) : b.value[i];
  return e;
}
// The value of a row that is a sum or a quotient. A slice that begins behind the end has no elements, as in NumPy.
constexpr std::int64_t computed_from(dimension const& d, std::int64_t a, std::int64_t b) {
  if (d.from == dimension::origin::quotient) return b == 0 ? 0 : a / b;
  return a + b < 0 ? 0 : a + b;
}
// Fills in what is computed from the inputs' dimensions.
template <class Rows> constexpr binding with_computed(Rows const& rows, binding b) {
  for (int i = 0; i < rows.size(); ++i)
    if (dimension const& d = rows[i]; d.from == dimension::origin::sum || d.from == dimension::origin::quotient)
      b.value[i] = computed_from(d, extent_in(rows, b, d.a), extent_in(rows, b, d.b));
  return b;
}

class dimension_table {
 public:
  list<dimension> rows;
  list<equality> equal;
  bool full = false;   // more dynamic dimensions than a graph can hold
  bool typed = false;  // of a call by the types of its operands, where a dimension with a name is not one that only the run knows

  // An extent of input `input` as the graph knows it: numbers and known names stay, nameless ones get a code.
  constexpr extent declare(extent e, int input, int axis) {
    if (e >= 0) return e;
    if (e != unknown_extent)
      for (dimension const& r : rows)
        if (r.code == e) return e;
    return add_row({e == unknown_extent ? fresh() : e, dimension::origin::input, input, axis, 0, 0, {}});
  }
  constexpr size size_of(extent e) const {
    if (e >= 0) return {e, 0};
    for (dimension const& r : rows)
      if (r.code == e) return r.value;
    return {0, 0};
  }
  constexpr size elements(dims const& s) const {
    size n{1, 0};
    for (int i = 0; i < s.rank; ++i) n = n * size_of(s.d[i]);
    return n;
  }
  constexpr extent extent_of(size s) {
    if (s.fixed()) return s.k;
    for (dimension const& r : rows)
      if (r.value == s) return r.code;
    return add_row({fresh(), dimension::origin::product, -1, -1, 0, 0, s});
  }
  constexpr extent sum(extent a, extent b) {
    if (a >= 0 && is_count(b)) return a + b;
    if (b == 0) return a;
    if (a == 0 || (is_count(a) && !is_count(b))) {
      extent const t = a;
      a = b;
      b = t;
    }
    if (b == 0) return a;
    for (dimension const& r : rows)
      if (r.from == dimension::origin::sum && r.a == a && r.b == b) return r.code;
    return add_row({fresh(), dimension::origin::sum, -1, -1, a, b, {}});
  }
  // `all` divided by `known`, where only the run can tell whether that is a whole number; there it must be.
  constexpr extent quotient(size all, size known) {
    extent const a = extent_of(all), b = extent_of(known);
    for (dimension const& r : rows)
      if (r.from == dimension::origin::quotient && r.a == a && r.b == b) return r.code;
    extent const q = add_row({fresh(), dimension::origin::quotient, -1, -1, a, b, {}});
    same(extent_of(size_of(q) * known), a);
    return q;
  }
  constexpr void same(extent a, extent b) {
    if (a == b || (a >= 0 && b >= 0)) return;
    for (equality const& e : equal)
      if (e.a == a && e.b == b) return;
    equal.push({a, b});
  }
  constexpr bool operator==(dimension_table const&) const = default;

 private:
  static constexpr bool is_count(extent e) { return e > -named_base; }
  constexpr extent fresh() const { return derived_base - 1 - rows.size(); }
  constexpr extent add_row(dimension d) {
    if (rows.size() == max_dimensions) {
      full = true;
      return rows[0].code;
    }
    if (d.from != dimension::origin::product) d.value = {1, std::uint64_t{1} << (4 * rows.size())};
    rows.push(d);
    return d.code;
  }
};
// Whether two axes can have one extent; where one of them is dynamic, that is checked when the program runs.
constexpr bool same_extent(extent a, extent b, dimension_table& t) {
  extent both = 0;
  if (a == b) return true;
  if (a == 1 || b == 1 || !broadcast_extent(a, b, both)) return false;
  t.same(a, b);
  return true;
}
// Broadcasting inside a graph: dynamic extents that meet are noted as equal.
constexpr broadcasted broadcast(dims const& a, dims const& b, dimension_table& t) {
  broadcasted const r = broadcast(a, b);
  for (int k = 1; r.ok && k <= a.rank && k <= b.rank; ++k) {
    extent const x = a.d[a.rank - k], y = b.d[b.rank - k];
    if (x != 1 && y != 1) t.same(x, y);
  }
  return r;
}
constexpr bool operator==(dimension const& a, dimension const& b) {
  return a.code == b.code && a.from == b.from && a.input == b.input && a.axis == b.axis && a.a == b.a && a.b == b.b && a.value == b.value;
}
constexpr bool operator==(equality const& a, equality const& b) { return a.a == b.a && a.b == b.b; }

}  // namespace SINTER_ISA
}  // namespace sinter
