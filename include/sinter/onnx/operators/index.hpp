// SPDX-License-Identifier: Apache-2.0
// ONNX's operators that read and write elements at indices.
#pragma once
#include "elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// Indices from the front, where negative ones count from the end of an axis of n elements. One that is known and out of range is an error;
// those that a run computes are taken for the nearest in it, as `take` does.
inline term from_front(site& k, term const& index, extent n) {
  term const i = k.cast(index, dtype::int64);
  return k("where", {k("lesser", {i, k.number(0, dtype::int64)}), k("add", {i, k.number(n, dtype::int64)}), i});
}
inline void check_in_range(site& k, std::int64_t i, extent n) {
  if (i < -n || i >= n) k.fail("index " + std::to_string(i) + " is none of " + std::to_string(n) + " elements");
}
inline void check_known(site& k, term const& index, extent n) {
  if (!k.c.is_constant(index)) return;
  for (std::int64_t i : k.integers(index)) check_in_range(k, i, n);
}
inline void compose_gather(site& k) {
  term const& x = k[0];
  int const axis = k.axis(k.whole("axis", 0), x.rank());
  check_known(k, k[1], x[axis]);
  k.give(k("take", {x, from_front(k, k[1], x[axis])}, {{"axis", int_list{axis}}}));
}
// The place of each element of an array along each axis, (rank, ...), with `index` along one of them.
inline term coordinates(site& k, term const& index, int axis, term const& x) {
  terms rows;
  dims row{1};
  for (int i = 0; i < index.rank(); ++i) row.push(index[i]);
  for (int i = 0; i < index.rank(); ++i) {
    term const places =
        i == axis ? from_front(k, index, x[axis]) : k.stretch(k.along(k.positions(index[i]), i, index.rank()), index.type.shape);
    rows.push_back(k.reshape(places, row));
  }
  return rows.size() == 1 ? rows[0] : k("concat", rows, {{"axis", int_list{0}}});
}
// Beside `axis` there are no more indices than elements.
inline void check_elements(site& k, term const& index, int axis, term const& x) {
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis && index[i] > x[i]) k.fail("the indices are " + in_words(index.type) + ", and the data " + in_words(x.type));
  check_known(k, index, x[axis]);
}
inline void compose_gather_elements(site& k) {
  term const &x = k[0], &index = k[1];
  if (x.rank() < 1 || index.rank() != x.rank()) k.fail("the indices are " + in_words(index.type) + ", and the data " + in_words(x.type));
  int const axis = k.axis(k.whole("axis", 0), x.rank());
  check_elements(k, index, axis, x);
  k.give(k("gather_nd", {x, coordinates(k, index, axis, x)}));
}
// Coordinates as F has them: along the first axis, from the front, and behind those of `batch` axes that both have in common.
inline term turned(site& k, term const& indices, term const& x, int batch) {
  int const last = indices.rank() - 1;
  if (last < batch || indices[last] < 1 || indices[last] + batch > x.rank())
    k.fail("the indices are " + in_words(indices.type) + ", and the data " + in_words(x.type));
  if (k.c.is_constant(indices)) {
    int i = 0;
    for (std::int64_t const index : k.integers(indices)) check_in_range(k, index, x[batch + i++ % static_cast<int>(indices[last])]);
  }
  dims row{1};
  for (int i = 0; i < last; ++i) row.push(indices[i]);
  dims rest = row;
  terms rows;
  dims flat;
  for (int i = 0; i < last; ++i) flat.push(indices[i]);
  for (int i = 0; i < batch; ++i) rows.push_back(k.reshape(k.stretch(k.along(k.positions(indices[i]), i, last), flat), row));
  for (int i = 0; i < indices[last]; ++i) rows.push_back(k.reshape(from_front(k, k.part(indices, last, i, i + 1), x[batch + i]), rest));
  return rows.size() == 1 ? rows[0] : k("concat", rows, {{"axis", int_list{0}}});
}
inline void compose_gather_nd(site& k) {
  std::int64_t const batch = k.whole("batch_dims", 0);
  if (batch < 0 || batch >= k[0].rank() || k[1].rank() < 1)
    k.fail("batch_dims is " + std::to_string(batch) + ", of " + in_words(k[0].type));
  k.give(k("gather_nd", {k[0], turned(k, k[1], k[0], static_cast<int>(batch))}));
}
// Data with other elements at some places; of several for one place the last one stays.
inline term written(site& k, term const& x, term const& at, term const& updates) {
  bool const truths = x.type.type == dtype::boolean;
  term const values = truths ? k.cast(updates, dtype::uint8) : updates;
  term const placed = k("scatter_nd", {values, at}, {{"into", x.type.shape}});
  term const ones = k.c.number_of(dtype::uint8, 1, updates.type.shape);
  term const there = k.cast(k("scatter_nd", {ones, at}, {{"into", x.type.shape}}), dtype::boolean);
  return k("where", {there, k.cast(placed, x.type.type), x});
}
// The same, or the sum of the data and of what comes to its places.
inline term scattered(site& k, term const& x, term const& at, term const& updates) {
  std::string const reduction = k.text("reduction", "none");
  if (reduction == "none") return written(k, x, at, updates);
  if (reduction == "add" && x.type.type != dtype::boolean) return k("add", {x, k("scatter_add", {updates, at}, {{"into", x.type.shape}})});
  k.fail("sinter does not scatter with the reduction " + io::in_quotes(reduction));
}
inline void compose_scatter_nd(site& k) {
  if (k[1].rank() < 1) k.fail("the indices are " + in_words(k[1].type));
  k.give(scattered(k, k[0], turned(k, k[1], k[0], 0), k[2]));
}
inline void compose_scatter_elements(site& k) {
  term const &x = k[0], &index = k[1];
  if (x.rank() < 1 || index.rank() != x.rank()) k.fail("the indices are " + in_words(index.type) + ", and the data " + in_words(x.type));
  int const axis = k.axis(k.whole("axis", 0), x.rank());
  check_elements(k, index, axis, x);
  if (!(k[2].type.shape == index.type.shape))
    k.fail("the indices are " + in_words(index.type) + ", and the updates " + in_words(k[2].type));
  k.give(scattered(k, x, coordinates(k, index, axis, x), k[2]));
}
inline void compose_one_hot(site& k) {
  sinter::number const depth = k.known_number(k[1]);
  std::int64_t const n = depth.is_whole ? depth.whole : static_cast<std::int64_t>(depth.real);
  if (n < 1 || n > std::numeric_limits<int>::max()) k.fail("the depth is " + std::to_string(n));
  if (k[2].rank() != 1 || k[2][0] != 2) k.fail("the values are " + in_words(k[2].type) + ", and two are wanted");
  term const hot = k("one_hot", {from_front(k, k[0], n)}, {{"depth", static_cast<int>(n)}, {"as", dtype::boolean}});
  int const axis = k.axis(k.whole("axis", -1), hot.rank());
  int_list order;
  for (int i = 0; i < hot.rank(); ++i) order.push(i < axis ? i : i == axis ? hot.rank() - 1 : i - 1);
  term const there = k("transpose", {hot}, {{"axis", order}});
  k.give(k("where", {there, k.reshape(k.part(k[2], 0, 1, 2), {}), k.reshape(k.part(k[2], 0, 0, 1), {})}));
}
inline void compose_reverse_sequence(site& k) {
  std::int64_t const time = k.whole("time_axis", 0), batch = k.whole("batch_axis", 1);
  if (time + batch != 1 || time < 0 || time > 1 || k[0].rank() < 2) k.fail("time and batch are the first two axes");
  auto const swapped = [&](term const& t) { return time == 0 ? t : k("swap_axes", {t}, {{"axis", int_list{0, 1}}}); };
  k.give(swapped(k("sequence_reverse", {swapped(k[0]), k[1]})));
}

inline constexpr operator_row index_rows[] = {
    {"Gather", 1, 0, 2, "axis", "", compose_gather},
    {"GatherElements", 11, 0, 2, "axis", "", compose_gather_elements},
    {"GatherND", 11, 11, 2, "", "", compose_gather_nd},
    {"GatherND", 12, 0, 2, "batch_dims", "", compose_gather_nd},
    {"OneHot", 9, 0, 3, "axis", "", compose_one_hot},
    {"ReverseSequence", 10, 0, 2, "batch_axis time_axis", "", compose_reverse_sequence},
    {"Scatter", 9, 10, 3, "axis", "", compose_scatter_elements},
    {"ScatterElements", 11, 15, 3, "axis", "", compose_scatter_elements},
    {"ScatterElements", 16, 0, 3, "axis reduction", "", compose_scatter_elements},
    {"ScatterND", 11, 15, 3, "", "", compose_scatter_nd},
    {"ScatterND", 16, 0, 3, "reduction", "", compose_scatter_nd},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
