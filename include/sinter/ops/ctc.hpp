// SPDX-License-Identifier: Apache-2.0
// Connectionist temporal classification (Graves et al., ICML 2006): ctc_loss.
#pragma once
#include "linalg.hpp"
#include "row.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct ctc_attributes {
  // Whether labels end before the first that is negative, and examples with the last time; the operands that would say it otherwise are not
  // read.
  bool padded = true, all_times = true;
  static constexpr void each(auto& a, auto&& f) { f("padded", a.padded), f("all_times", a.all_times); }
};
// One example: its labels with a blank, the last class, before, between and behind them, in which each place is a state. An alignment begins in
// one of the first two, ends in one of the last two, and in each step of time stays, moves on by one or, between labels that differ, by two.
template <class T> struct ctc_example {
  T const* log_p = nullptr;
  std::int64_t const* labels = nullptr;
  std::int64_t time = 0, step = 0, classes = 0, count = 0;
  SINTER_HD constexpr ctc_example(ctc_attributes const& a, std::int64_t i, array_view<T const> p, array_view<std::int64_t const> all,
                                  std::int64_t const* times, std::int64_t const* counts)
      : log_p(p.data + i * p.shape.d[2]),
        labels(all.data + i * all.shape.d[1]),
        time(a.all_times ? p.shape.d[0] : within(times[i], p.shape.d[0])),
        step(p.shape.d[1] * p.shape.d[2]),
        classes(p.shape.d[2]) {
    std::int64_t const last = a.padded ? all.shape.d[1] : within(counts[i], all.shape.d[1]);
    while (count < last && (!a.padded || labels[count] >= 0)) ++count;
  }
  static SINTER_HD constexpr std::int64_t within(std::int64_t v, std::int64_t n) { return v < 0 ? 0 : v < n ? v : n; }
  SINTER_HD constexpr std::int64_t states() const { return 2 * count + 1; }
  // Whether all labels are classes other than the blank.
  SINTER_HD constexpr bool valid() const {
    for (std::int64_t k = 0; k < count; ++k)
      if (labels[k] < 0 || labels[k] >= classes - 1) return false;
    return true;
  }
  SINTER_HD constexpr std::int64_t class_of(std::int64_t s) const { return s % 2 ? labels[s / 2] : classes - 1; }
  SINTER_HD constexpr double at(std::int64_t t, std::int64_t s) const { return static_cast<double>(log_p[t * step + class_of(s)]); }
  // Whether state s can be entered from the label before.
  SINTER_HD constexpr bool skips(std::int64_t s) const { return s % 2 && s > 1 && labels[s / 2] != labels[s / 2 - 1]; }
  // log(e^a + e^b + e^c)
  static SINTER_HD constexpr double added(double a, double b, double c) {
    double const ab = a < b ? b : a, most = ab < c ? c : ab;
    if (most == -math::infinity<double>) return a + b + c;
    return most + math::log(math::exp(a - most) + math::exp(b - most) + math::exp(c - most));
  }
  // The logarithm of what all beginnings of alignments that are in state s at time t have in probability, from that of the time before; in
  // place, so from the last state to the first.
  SINTER_HD constexpr void forward(std::int64_t t, double const* before, double* now) const {
    constexpr double never = -math::infinity<double>;
    for (std::int64_t s = states(); s-- > 0;) {
      double const stays = t > 0 ? before[s] : s < 2 ? 0 : never;
      double const moves = t > 0 && s > 0 ? before[s - 1] : never, skipping = t > 0 && skips(s) ? before[s - 2] : never;
      now[s] = added(stays, moves, skipping) + at(t, s);
    }
  }
  // The same of what follows behind time t.
  SINTER_HD constexpr void backward(std::int64_t t, double* now) const {
    constexpr double never = -math::infinity<double>;
    std::int64_t const n = states();
    for (std::int64_t s = 0; s < n; ++s) {
      if (t == time - 1) {
        now[s] = s + 2 < n ? never : 0;
        continue;
      }
      double const moves = s + 1 < n ? now[s + 1] + at(t + 1, s + 1) : never;
      double const skipping = s + 2 < n && skips(s + 2) ? now[s + 2] + at(t + 1, s + 2) : never;
      now[s] = added(now[s] + at(t + 1, s), moves, skipping);
    }
  }
  SINTER_HD constexpr double total(double const* last) const {
    constexpr double never = -math::infinity<double>;
    if (time == 0) return count == 0 ? 0 : never;
    return added(last[states() - 1], count ? last[states() - 2] : never, never);
  }
};
// What the operations on examples have in common. Operands are logarithms of probabilities (time, batch, classes), labels (batch, labels), and
// how many there are of times and of labels. The first result is what they compute with: for each example and row a number for each state.
template <class Self> struct ctc_op : opaque_op<Self> {
  static constexpr int arity = 4;
  static constexpr bool wants_arrays = true, promotes = false;
  using attributes = ctc_attributes;
  static constexpr extent states(operand_types in, dimension_table& t) {
    return t.sum(t.extent_of(t.size_of(in[1].shape.d[1]) * size{2, 0}), 1);
  }
  static constexpr int results(attributes const&) { return 2; }
  // An item is an example.
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].d[0]; }
};
// The loss of each example.
struct ctc_alignments : ctc_op<ctc_alignments> {
  static constexpr std::string_view name = "ctc_alignments";
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table& t) {
    return {{dtype::float64, {in[0].shape.d[1], states(in, t)}}};
  }
  static constexpr array_type result(int i, operand_types in, attributes const&, array_type const& first) {
    return i == 0 ? first : array_type{in[0].type, {in[0].shape.d[1]}};
  }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<double> row, array_view<T> loss,
                                                          array_view<T const> log_p, array_view<std::int64_t const> labels,
                                                          array_view<std::int64_t const> times, array_view<std::int64_t const> counts) {
    ctc_example<T> const x(a, s.item, log_p, labels, times.data, counts.data);
    double* const now = row.data + s.item * row.shape.d[1];
    bool const valid = x.valid();
    for (std::int64_t t = 0; valid && t < x.time; ++t) x.forward(t, now, now);
    loss.data[s.item] = valid ? static_cast<T>(0 - x.total(now)) : math::nan<T>;
  }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
};
// How the loss of each example changes with each logarithm: by the probability, given the labels, of all alignments through it.
struct ctc_slopes : ctc_op<ctc_slopes> {
  static constexpr std::string_view name = "ctc_slopes";
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table& t) {
    dims const& s = in[0].shape;
    return {{dtype::float64, {s.d[1], t.sum(s.d[0], 1), states(in, t)}}};
  }
  static constexpr array_type result(int i, operand_types in, attributes const&, array_type const& first) { return i == 0 ? first : in[0]; }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<double> rows, array_view<T> slopes,
                                                          array_view<T const> log_p, array_view<std::int64_t const> labels,
                                                          array_view<std::int64_t const> times, array_view<std::int64_t const> counts) {
    ctc_example<T> const x(a, s.item, log_p, labels, times.data, counts.data);
    std::int64_t const width = rows.shape.d[2];
    double *const row = rows.data + s.item * rows.shape.d[1] * width, *const behind = row + (rows.shape.d[1] - 1) * width;
    T* const y = slopes.data + s.item * x.classes;
    bool const valid = x.valid();
    for (std::int64_t t = 0; t < log_p.shape.d[0]; ++t)
      for (std::int64_t c = 0; c < x.classes; ++c) y[t * x.step + c] = valid ? T(0) : math::nan<T>;
    if (!valid || x.time == 0) return;
    for (std::int64_t t = 0; t < x.time; ++t) x.forward(t, row + (t > 0 ? t - 1 : 0) * width, row + t * width);
    double const all = x.total(row + (x.time - 1) * width);
    for (std::int64_t t = x.time; t-- > 0;) {
      x.backward(t, behind);
      for (std::int64_t k = 0; k < x.states(); ++k)
        y[t * x.step + x.class_of(k)] -= static_cast<T>(math::exp(row[t * width + k] + behind[k] - all));
    }
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::ctc_alignments);
SINTER_USER_OP(sinter::ops::ctc_slopes);

namespace sinter::ops::inline SINTER_ISA {

constexpr int ctc_alignments::gradient(auto& g, int y, operand_nodes d, int i) {
  if (i > 0 || d[1] < 0) return -1;
  int const slopes = make<ctc_slopes>(g, attributes_in<ctc_alignments>(g, g.nodes[y]), operand_of(g, y, 0), operand_of(g, y, 1),
                                      operand_of(g, y, 2), operand_of(g, y, 3));
  return make<multiply>(g, g.result(slopes, 1), make<expand_dims>(g, {1}, d[1]));
}

// ctc_loss(x, label[, times][, counts]): of x (time, batch, classes), whose softmax are probabilities, and integer labels (batch, labels) the
// negative logarithm of the probability of each example's labels, whatever their alignment: (batch). The last class is the blank, and -1
// fills up the labels of an example, unless `counts` (batch) says how many there are; `times` (batch) says it of its times. More than there
// are is all. Labels that fit into no alignment give infinity, and a label that is no class, or the blank, NaN.
struct ctc_loss {
  static constexpr format_names formats{"CTCLoss", ""};
  static constexpr family kind = family::composite;
  static constexpr operand_count arity{2, 4};
  static constexpr bool wants_arrays = true, promotes = false;
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    dims const &x = in[0].shape, &labels = in[1].shape;
    for (int i = 1; i < in.n; ++i)
      if (in[i].type == dtype::boolean || is_floating(in[i].type)) return {{}, problem::wants_integer, i, i};
    if (x.rank != 3 || labels.rank != 2 || x.d[2] == 0) return {{}, problem::ctc_shapes, 0, 1};
    if (x.d[2] < 0) return {{}, problem::wants_number, 0, 0};
    for (int i = 1; i < in.n; ++i)
      if (in[i].shape.rank != (i == 1 ? 2 : 1) || !same_extent(in[i].shape.d[0], x.d[1], t)) return {{}, problem::ctc_shapes, 0, i};
    return {{in[0].type, {x.d[1]}}};
  }
  static constexpr int expand(auto& g, operand_nodes in) {
    auto const whole = [&](int i) { return make<cast>(g, {dtype::int64}, in[i]); };
    int const labels = whole(1), times = in.n > 2 ? whole(2) : labels, counts = in.n > 3 ? whole(3) : labels;
    return g.result(make<ctc_alignments>(g, {in.n < 4, in.n < 3}, make<log_softmax>(g, {2}, in[0]), labels, times, counts), 1);
  }
};

using ctc_ops = list_of<ctc_loss>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(ctc_loss, "(x, label[, times][, counts])")
