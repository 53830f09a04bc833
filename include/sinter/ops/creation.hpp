// SPDX-License-Identifier: Apache-2.0
// Arrays made from nothing, or from a shape: arange, zeros_like, one_hot.
#pragma once
#include "elementwise.hpp"
#include "opaque.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// arange(values<start, stop, step>, as<T>): start, start + step, ... below stop; by default float32. A single value is `stop`, and start is
// 0.
struct arange : opaque_op<arange> {
  static constexpr std::string_view name = "arange";
  static constexpr format_names formats{"_arange", "Range"};
  static constexpr int arity = 0;
  using keywords = list_of<must<key::values, 3>, may<key::as>>;
  struct attributes {
    number start, stop, step;
    dtype type = dtype::float32;
    static constexpr void each(auto& a, auto&& f) { f("start", a.start), f("stop", a.stop), f("step", a.step), f("type", a.type); }
    constexpr bool whole() const {
      return (type == dtype::int32 || type == dtype::int64) && start.is_whole && stop.is_whole && step.is_whole;
    }
  };
  static constexpr attributes arguments(given<keywords> const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    attributes a{number(0), v.at[0], number(1), k[key::as{}].or_else(dtype::float32)};
    if (v.n > 1) a.start = v.at[0], a.stop = v.at[1];
    if (v.n > 2) a.step = v.at[2];
    return a;
  }
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) {
    return a.whole() ? whole_numbers(a.type, a.start.whole, a.stop.whole, a.step.whole)
                     : real_numbers(a.type, a.start.real, a.stop.real, a.step.real);
  }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].d[0]; }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::int64_t i) {
    if ((a.type == dtype::int32 || a.type == dtype::int64) && a.start.is_whole && a.stop.is_whole && a.step.is_whole)
      return static_cast<T>(element::add(a.start.whole, element::multiply(a.step.whole, i)));
    return static_cast<T>(math::mul(a.step.real, static_cast<double>(i)) + a.start.real);
  }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out) {
    if (s.lane == 0) out.data[s.item] = at<T>(a, s.item);
  }

 private:
  static constexpr inferred whole_numbers(dtype t, std::int64_t start, std::int64_t stop, std::int64_t by) {
    if (by == 0) return {{}, problem::slice_range, 0, 0};
    if (by > 0 ? start >= stop : start <= stop) return {{t, {0}}};
    auto const low = static_cast<std::uint64_t>(by > 0 ? start : stop), high = static_cast<std::uint64_t>(by > 0 ? stop : start);
    std::uint64_t const unit = by > 0 ? static_cast<std::uint64_t>(by) : 0 - static_cast<std::uint64_t>(by), n = (high - low - 1) / unit;
    std::int64_t const last = element::add(start, element::multiply(by, static_cast<std::int64_t>(n)));
    if (n >= longest || !holds(t, start) || !holds(t, last)) return {{}, problem::keyword_value, 0, 0};
    return {{t, {static_cast<extent>(n) + 1}}};
  }
  static constexpr inferred real_numbers(dtype t, double start, double stop, double by) {
    if (by == 0) return {{}, problem::slice_range, 0, 0};
    auto const between = [](double v, double low, double high) { return (v >= low && v <= high) || (-v >= low && -v <= high); };
    if (!between(start, 0, 0x1p99) || !between(stop, 0, 0x1p99) || !between(by, 0x1p-99, 0x1p99)) return {{}, problem::keyword_value, 0, 0};
    double const n = math::ceil((stop - start) / by);
    if (n >= longest) return {{}, problem::keyword_value, 0, 0};
    return {{t, {n > 0 ? static_cast<extent>(n) : 0}}};
  }
  static constexpr std::int64_t longest = std::int64_t{1} << 48;
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(arange, "arange(values<0, 10, 2>, as<float>)")

namespace sinter::ops::inline SINTER_ISA {

// zeros_like(x): the shape and dtype of x, filled with 0
struct zeros_like {
  static constexpr std::string_view name = "zeros_like";
  static constexpr format_names formats{"zeros_like", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr inferred infer(operand_types in, dimension_table&) { return {in[0]}; }
  static constexpr int expand(graph& g, operand_nodes in) {
    array_type const t = g.nodes[in[0]].type;
    return g.fill(t.type, t.shape, 0);
  }
};

// one_hot(i, depth<N>, values<on, off>, as<T>): a new last axis that holds `on` at the index; an index out of range gives a row of `off`.
struct one_hot {
  static constexpr std::string_view name = "one_hot";
  static constexpr format_names formats{"one_hot", "OneHot"};
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  using keywords = list_of<must<key::depth>, may<key::values, 2>, may<key::as>>;
  struct attributes {
    int depth = 0;
    number on{1}, off{0};
    dtype type = dtype::float32;
    static constexpr void each(auto& a, auto&& f) { f("depth", a.depth), f("on", a.on), f("off", a.off), f("type", a.type); }
  };
  static constexpr attributes arguments(given<keywords> const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    return {k[key::depth{}].value, v.n > 0 ? v.at[0] : number(1), v.n > 1 ? v.at[1] : number(0), k[key::as{}].or_else(dtype::float32)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (in[0].type == dtype::boolean || is_floating(in[0].type)) return {{}, problem::wants_integer, 0, 0};
    if (in[0].shape.rank == max_rank) return {{}, problem::too_many_dimensions, 0, 0};
    if (!a.on.fits(a.type) || !a.off.fits(a.type)) return {{}, problem::keyword_value, 0, 0};
    inferred r{{a.type, in[0].shape}};
    r.type.shape.push(a.depth);
    return r;
  }
  static constexpr int expand(graph& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    int const column = make<expand_dims>(g, {t.shape.rank}, in[0]);
    int const steps = make<arange>(g, {number(0), number(a.depth), number(1), t.type});
    int const hit = make<equal>(g, column, steps);
    int const on = g.fill(a.type, dims{}, a.on.bits(a.type)), off = g.fill(a.type, dims{}, a.off.bits(a.type));
    return make<where>(g, hit, on, off);
  }
};

using creation_ops = list_of<arange, zeros_like, one_hot>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(zeros_like, "zeros_like(x)")
SINTER_OP(one_hot, "one_hot(indices, depth<10>, values<1, 0>, as<float>)")
