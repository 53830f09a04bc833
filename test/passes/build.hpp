// SPDX-License-Identifier: Apache-2.0
// Graphs written by hand, and what every pass has to keep: an interpreter of single nodes, well-formedness, a fingerprint.
#pragma once
#include <sinter/ops/all.hpp>
#include <sinter/passes/optimise.hpp>

#include "../catch.hpp"

// A check is a constexpr function that returns bool. It holds in the compiler and in the program.
#define SINTER_AT_BOTH_CLOCKS(check) \
  static_assert(check);              \
  CHECK(check)

namespace test {

using namespace sinter;

struct builder {
  graph g;
  int parameters = 0;

  template <class S, class T = float> constexpr int input() {
    node k;
    k.op = &input_op;
    k.type = {dtype_of<T>, S::value};
    k.index = g.inputs++;
    for (int i = 0; i < k.type.shape.rank; ++i) k.type.shape.d[i] = g.dimensions.declare(k.type.shape.d[i], k.index, i);
    return g.append(k);
  }
  template <class S, class T = float> constexpr int parameter() {
    node k;
    k.op = &parameter_op;
    k.type = {dtype_of<T>, S::value};
    k.index = parameters++;
    return g.append(k);
  }
  template <class T = float> constexpr int number(double v) { return g.scalar(dtype_of<T>, v); }
  template <class S, class T = float> constexpr int constant(std::initializer_list<double> v) {
    node k;
    k.op = &constant_op;
    k.type = {dtype_of<T>, S::value};
    k.index = g.data.size();
    k.data = static_cast<int>(v.size());
    for (double e : v) g.data.push(bits_of(dtype_of<T>, e));
    return g.append(k);
  }
  // b.call<ops::sum>(x, axis<1>, keepdims)
  template <class Op, class... A> constexpr int call(A const&... a) {
    int in[sizeof...(A) + 1]{}, n = 0;
    auto const take = [&](auto const& v) {
      if constexpr (!ops::is_keyword<std::remove_cvref_t<decltype(v)>>) in[n++] = v;
    };
    (take(a), ...);
    array_type types[sizeof...(A) + 1]{};
    for (int i = 0; i < n; ++i) types[i] = g.nodes[in[i]].type;
    return checked(ops::info<Op>, {in, n}, pack(ops::attributes_for<Op>(ops::keywords_given<Op, A...>(), {types, n})));
  }
  constexpr int product(int a, int b, bool transpose_a = false, bool transpose_b = false) {
    int const in[]{a, b};
    return checked(ops::info<ops::product>, {in, 2}, pack(ops::product_attributes{transpose_a, transpose_b}));
  }
  template <int Units, int Inputs> constexpr int dense(int x) {
    int const weight = parameter<shape<Units, Inputs>>();
    int const bias = parameter<shape<Units>>();
    return call<ops::fully_connected>(x, weight, bias);
  }
  template <class... I> constexpr graph&& with_outputs(I... at) {
    (g.outputs.push(at), ...);
    return std::move(g);
  }

 private:
  constexpr int checked(op_info const& op, operand_nodes in, words const& a) {
    inferred why;
    int const i = g.apply(op, in, a, why);
    if (i < 0) throw "the operands of a hand-built graph do not fit";
    return i;
  }
};

// ---- the values of a graph, node by node

using bits = list<std::uint64_t>;

constexpr extent extent_at(graph const& g, extent e, extent const* sizes) {
  if (e >= 0) return e;
  int input = 0;
  for (dimension const& d : g.dimensions.rows) {
    extent v = 0;
    if (d.from == dimension::origin::input) v = sizes[input++];
    else if (d.from == dimension::origin::sum) {
      v = extent_at(g, d.a, sizes) + (d.b > -named_base ? d.b : extent_at(g, d.b, sizes));
      if (v < 0) v = 0;  // a slice of more than there is is empty
    } else if (d.from == dimension::origin::quotient) {
      extent const by = extent_at(g, d.b, sizes);
      v = by == 0 ? 0 : extent_at(g, d.a, sizes) / by;
    } else {
      v = d.value.k;
      for (int i = 0; i < g.dimensions.rows.size(); ++i)
        for (std::uint64_t n = d.value.power_of(i); n; --n) v *= extent_at(g, g.dimensions.rows[i].code, sizes);
    }
    if (d.code == e) return v;
  }
  throw "an extent that no row of the table knows";
}
constexpr dims shape_at(graph const& g, int i, extent const* sizes) {
  dims s = g.nodes[i].type.shape;
  for (int k = 0; k < s.rank; ++k) s.d[k] = extent_at(g, s.d[k], sizes);
  return s;
}
struct place_in {
  extent at[max_rank]{};
};
constexpr place_in unravel(dims const& s, extent e) {
  place_in p;
  for (int i = s.rank - 1; i >= 0; --i) {
    p.at[i] = e % s.d[i];
    e /= s.d[i];
  }
  return p;
}
// Where the element at `p` of shape `s` stands in an array of shape `in`, which broadcasts to it.
constexpr int stretched(dims const& s, place_in const& p, dims const& in) {
  extent r = 0;
  for (int i = 0; i < in.rank; ++i) r = r * in.d[i] + (in.d[i] == 1 ? 0 : p.at[s.rank - in.rank + i]);
  return static_cast<int>(r);
}
// Small numbers of both signs, whose sums and products are exact.
constexpr std::uint64_t sample(dtype t, int seed, extent e) {
  extent const n = (e * 7 + seed * 5 + e / 3) % 11 - 5;
  return bits_of(t, is_floating(t)        ? static_cast<double>(n) * 0.25
                    : t == dtype::boolean ? static_cast<double>(n > 0)
                                          : static_cast<double>(n));
}

using sampler = std::uint64_t (*)(dtype, int, extent);

using fold_function = std::uint64_t (*)(dtype, std::uint64_t const*);
template <class... Op> constexpr fold_function fold_in(op_info const* op, ops::list_of<Op...>) {
  fold_function r = nullptr;
  auto const look = [&]<class O>(std::type_identity<O>) {
    if constexpr (O::kind == family::elementwise && !std::is_same_v<O, ops::cast>)
      if (op == &ops::info<O>) r = &ops::fold<O>;
  };
  (look(std::type_identity<Op>{}), ...);
  return r;
}
// The element function of an elementwise operation, on bits.
constexpr fold_function fold_of(op_info const* op) {
  fold_function const r = fold_in(op, ops::all_ops{});
  if (!r) throw "the interpreter knows no such operation";
  return r;
}

// A reduction in the order in which its elements come; at rest where `op` is null.
struct reduction_state {
  op_info const* op = nullptr;
  dtype type = dtype::none;
  list<std::uint64_t> taken;

  constexpr reduction_state() = default;
  constexpr reduction_state(op_info const* o, dtype t) : op(o), type(t) {}
  constexpr void take(std::uint64_t v) { taken.push(v); }
  template <class Op> constexpr std::uint64_t finish_as() const {
    return with_computed_type(type, [&]<class T>(T*) -> std::uint64_t {
      if constexpr (std::is_same_v<T, bool>) throw "no reduction takes bool";
      else {
        T v = Op::template start<T>();
        for (std::uint64_t e : taken) v = Op::combine(v, element_of<T>(e));
        v = Op::finish(v, taken.size());
        if constexpr (std::is_floating_point_v<T>) return std::bit_cast<std::uint64_t>(static_cast<double>(v));
        else return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
      }
    });
  }
  // The place of the first maximum or minimum; a NaN is one.
  constexpr std::uint64_t place_of(bool maximum) const {
    return with_computed_type(type, [&]<class T>(T*) -> std::uint64_t {
      int best = 0;
      for (int i = 1; i < taken.size(); ++i) {
        T const v = element_of<T>(taken[i]), most = element_of<T>(taken[best]);
        if ((maximum ? v > most : v < most) || (v != v && most == most)) best = i;
      }
      return static_cast<std::uint64_t>(best);
    });
  }
  constexpr std::uint64_t finish() const {
    if (op == &ops::info<ops::sum>) return finish_as<ops::sum>();
    if (op == &ops::info<ops::mean>) return finish_as<ops::mean>();
    if (op == &ops::info<ops::max>) return finish_as<ops::max>();
    if (op == &ops::info<ops::min>) return finish_as<ops::min>();
    if (op == &ops::info<ops::prod>) return finish_as<ops::prod>();
    if (op == &ops::info<ops::argmax>) return place_of(true);
    if (op == &ops::info<ops::argmin>) return place_of(false);
    throw "the interpreter knows no such reduction";
  }
};

class interpreter {
 public:
  enum leaves { everything, leaves_only, none };
  constexpr interpreter(graph const& g, extent const* sizes, leaves which = everything, sampler values_of_inputs = &sample)
      : g_(g), sizes_(sizes), sample_(values_of_inputs) {
    value.resize(g.nodes.size());
    shape.resize(g.nodes.size());
    for (int i = 0; i < g.nodes.size(); ++i)
      if (which == none) continue;
      else if (which == everything || g.kind(i) == family::leaf) run(i);
      else shape[i] = shape_at(g, i, sizes);
  }
  list<bits> value;
  list<dims> shape;
  // Node i, from the values of its operands.
  constexpr void run(int i) {
    bits r;
    shape[i] = shape_at(g_, i, sizes_);
    compute(i, r);
    narrow(i, r);
    value[i] = std::move(r);
  }

 private:
  // What is computed in more bits than its type has: a number at a time, or all results of an operation one after the other.
  constexpr void narrow(int i, bits& r) const {
    node const& k = g_.nodes[i];
    if (is_narrow(k.type.type))
      for (std::uint64_t& v : r) v = cast_bits(computed_in(k.type.type), k.type.type, v);
  }
  graph const& g_;
  extent const* sizes_;
  sampler sample_;

  template <class Op> constexpr std::uint64_t one(dtype t, std::uint64_t a) const { return ops::fold<Op>(t, &a); }
  template <class Op> constexpr std::uint64_t two(dtype t, std::uint64_t a, std::uint64_t b) const {
    std::uint64_t const v[]{a, b};
    return ops::fold<Op>(t, v);
  }
  constexpr void compute(int i, bits& r) const {
    node const& k = g_.nodes[i];
    dims const s = shape[i];
    dtype const t = computed_in(k.type.type);
    r.reserve(static_cast<int>(s.size()));
    auto const is = [&](op_info const& op) { return k.op == &op; };
    auto const in = [&](int j) -> bits const& { return value[g_.operand(k, j)]; };
    auto const in_shape = [&](int j) -> dims const& { return shape[g_.operand(k, j)]; };
    dtype const from = k.in.n ? computed_in(g_.nodes[g_.operand(k, k.in.n - 1)].type.type) : t;
    fold_function fold = nullptr;
    if (k.op->kind == family::elementwise && !is(ops::info<ops::cast>)) fold = fold_of(k.op);
    if (k.op->kind == family::result) one_result(k, r);
    else if (is_run(k.op)) by_items(i, r);
    else if (*k.op == ops::info<ops::slogdet>) by_definition(i, r);
    else if (k.op->several) several_results(k, r);
    else if (is(ops::info<ops::concat>)) join(k, r);
    else if (is(ops::info<ops::softmax>) || is(ops::info<ops::log_softmax>) || is(ops::info<ops::layer_norm>)) rows(k, r);
    else if (k.op->kind == family::reduction) {
      reduce(k.op, computed_in(g_.nodes[g_.operand(k, 0)].type.type), in(0), in_shape(0),
             unpack<ops::reduction_attributes>(g_.words_of(k)).axes, r);
      if (is(ops::info<ops::max>) || is(ops::info<ops::min>)) into_range(k.type.type, r);
    } else if (is(ops::info<ops::sort>)) r = sorted(t, ops::attributes_in<ops::sort>(g_, k), in(0), s).values;
    else if (is(ops::info<ops::argsort>)) r = sorted(from, ops::attributes_in<ops::argsort>(g_, k), in(0), s).places;
    else if (is(ops::info<ops::scatter_nd>) || is(ops::info<ops::scatter_add>)) scatter(k, s, r);
    else if (is(ops::info<ops::matmul>)) matrix_product(k, r);
    else if (is(ops::info<ops::convolution>)) convolution(k, s, r);
    else if (is(ops::info<ops::mapped_product>)) mapped_product(k, s, r);
    else if (k.op->kind == family::composite && !has_own_rule(k.op)) by_definition(i, r);
    else
      for (extent e = 0; e < s.size(); ++e) {
        place_in const p = unravel(s, e);
        if (is(input_op)) r.push(sample_(k.type.type, k.index, e));
        else if (is(parameter_op)) r.push(sample_(k.type.type, 100 + k.index, e));
        else if (is(constant_op)) r.push(g_.data[k.index + (k.data == 1 ? 0 : static_cast<int>(e))]);
        else if (is(ops::info<ops::arange>))
          r.push(with_computed_type(
              t, [&]<class T>(T*) { return bits_of(t, ops::arange::at<T>(ops::attributes_in<ops::arange>(g_, k), e)); }));
        else if (is(ops::info<ops::linspace>)) {
          auto const a = ops::attributes_in<ops::linspace>(g_, k);
          r.push(bits_of(t, t == dtype::float32 ? static_cast<double>(ops::linspace::at<float>(a, e)) : ops::linspace::at<double>(a, e)));
        } else if (is(ops::info<ops::zeros>) || is(ops::info<ops::zeros_like>)) r.push(0);
        else if (is(ops::info<ops::ones>) || is(ops::info<ops::ones_like>)) r.push(bits_of(t, 1));
        else if (is(ops::info<ops::full>)) r.push(ops::attributes_in<ops::full>(g_, k).value.bits(t));
        else if (is(ops::info<ops::full_like>)) r.push(ops::attributes_in<ops::full_like>(g_, k).value.bits(t));
        else if (is(ops::info<ops::eye>)) r.push(bits_of(t, e / s.d[1] == e % s.d[1] ? 1 : 0));
        else if (is(ops::info<ops::random_uniform>)) r.push(drawn<ops::random_uniform, double, float>(k, in(0)[0], e));
        else if (is(ops::info<ops::random_normal>)) r.push(drawn<ops::random_normal, double, float>(k, in(0)[0], e));
        else if (is(ops::info<ops::random_randint>)) r.push(drawn<ops::random_randint, std::int64_t, std::int32_t>(k, in(0)[0], e));
        else if (is(ops::info<ops::random_order>)) r.push(random_bits(in(0)[0], static_cast<std::uint64_t>(e)));
        else if (is(ops::info<ops::shuffle>)) r.push(in(0)[shuffled(s, in(1)[0], e)]);
        else if (is(ops::info<ops::cast>)) r.push(cast_bits(g_.nodes[g_.operand(k, 0)].type.type, k.type.type, in(0)[static_cast<int>(e)]));
        else if (is(ops::info<ops::one_hot>)) {
          auto const a = ops::attributes_in<ops::one_hot>(g_, k);
          bool const hit = static_cast<extent>(in(0)[static_cast<int>(e / a.depth)]) == e % a.depth;
          r.push((hit ? a.on : a.off).bits(t));
        } else if (is(ops::info<ops::dropout_mask>) || is(ops::info<ops::random_mask>)) {
          double const p_ = is(ops::info<ops::random_mask>) ? ops::attributes_in<ops::random_mask>(g_, k).probability
                                                            : ops::attributes_in<ops::dropout_mask>(g_, k).probability;
          bool const dropped = uniform_number(in(k.in.n - 1)[0], static_cast<std::uint64_t>(e)) < p_;
          r.push(dropped ? 0 : bits_of(t, 1 / (1 - p_)));
        } else if (is(ops::info<ops::take>))
          r.push(taken(ops::attributes_in<ops::take>(g_, k).axis, p, in(0), in_shape(0), in(1), in_shape(1)));
        else if (is(ops::info<ops::running_sum>) || is(ops::info<ops::running_product>)) {
          int const axis = unpack<ops::axis_attribute>(g_.words_of(k)).axis;
          place_in before = p;
          --before.at[axis];
          std::uint64_t const v = in(0)[static_cast<int>(e)];
          if (p.at[axis] == 0) r.push(v);
          else if (std::uint64_t const so_far = r[stretched(s, before, s)]; is(ops::info<ops::running_sum>))
            r.push(two<ops::add>(t, so_far, v));
          else r.push(two<ops::multiply>(t, so_far, v));
        } else if (is(ops::info<ops::sequence_reverse>)) {
          auto const asked = static_cast<extent>(in(1)[static_cast<int>(p.at[1])]);
          extent const length = asked < s.d[0] ? asked : s.d[0];
          place_in q = p;
          if (p.at[0] < length) q.at[0] = length - 1 - p.at[0];
          r.push(in(0)[stretched(s, q, s)]);
        } else if (fold) {
          list<std::uint64_t> v(k.in.n);
          for (int j = 0; j < k.in.n; ++j) v[j] = in(j)[stretched(s, p, in_shape(j))];
          r.push(fold(from, v.data()));
        } else if (k.op->kind == family::view) r.push(in(0)[viewed(k, s, p, e, in_shape(0))]);
        else if (is(ops::info<ops::product>)) {
          auto const a = ops::attributes_in<ops::product>(g_, k);
          r.push(dot(t, in(0), in_shape(0), in(1), in_shape(1), a.transpose_a, a.transpose_b, s, p));
        } else if (is(ops::info<ops::fully_connected>)) {
          dims x{0, in_shape(1).d[1]};
          x.d[0] = x.d[1] ? in_shape(0).size() / x.d[1] : 0;
          extent const units = in_shape(1).d[0];
          std::uint64_t const y = dot(t, in(0), x, in(1), in_shape(1), false, true, {x.d[0], units}, {{e / units, e % units}});
          r.push(k.in.n > 2 ? two<ops::add>(t, y, in(2)[static_cast<int>(e % units)]) : y);
        } else throw "the interpreter knows no such operation";
      }
  }
  // Integers of the dtype: the maximum of none is its lowest number, and the minimum its highest.
  static constexpr void into_range(dtype t, bits& r) {
    if (!is_narrow(t) || is_floating(t)) return;
    std::int64_t const low = t == dtype::uint8 ? 0 : t == dtype::int8 ? -128 : -32768;
    std::int64_t const high = t == dtype::uint8 ? 255 : -low - 1;
    for (std::uint64_t& v : r) {
      auto const n = static_cast<std::int64_t>(v);
      v = static_cast<std::uint64_t>(n < low ? low : n > high ? high : n);
    }
  }
  // A composite operation is computed by its definition, in the dtypes in which narrow numbers are computed, unless there is a rule for it here.
  static constexpr bool has_own_rule(op_info const* op) {
    for (op_info const* own : {&ops::info<ops::zeros>, &ops::info<ops::zeros_like>, &ops::info<ops::ones>, &ops::info<ops::ones_like>,
                               &ops::info<ops::full>, &ops::info<ops::full_like>, &ops::info<ops::eye>, &ops::info<ops::one_hot>,
                               &ops::info<ops::random_uniform>, &ops::info<ops::random_normal>, &ops::info<ops::random_randint>,
                               &ops::info<ops::shuffle>, &ops::info<ops::dropout_mask>, &ops::info<ops::fully_connected>})
      if (op == own) return true;
    return false;
  }
  constexpr void by_definition(int i, bits& r) const {
    node const& k = g_.nodes[i];
    graph h;
    h.dimensions = g_.dimensions;
    list<int> in;
    for (int j = 0; j < k.in.n; ++j) {
      node leaf;
      leaf.op = &input_op;
      leaf.type = g_.nodes[g_.operand(k, j)].type;
      if (!k.op->moves) leaf.type.type = computed_in(leaf.type.type);
      in.push(h.append(leaf));
    }
    words const a = g_.copy_of_attributes(k);
    int const done = k.op->expand(h, {in.data(), in.size()}, a.data());
    interpreter v(h, sizes_, none, sample_);
    for (int j = 0; j < h.nodes.size(); ++j)
      if (j < in.size()) v.value[j] = value[g_.operand(k, j)], v.shape[j] = shape[g_.operand(k, j)];
      else if (h.kind(j) != family::tuple) v.run(j);
    if (h.kind(done) != family::tuple) r = v.value[done];
    else
      for (int j = 0; j < h.nodes[done].in.n; ++j)
        for (std::uint64_t e : v.value[h.operand(h.nodes[done], j)]) r.push(e);
  }
  template <class Op, class Wide, class Narrow> constexpr std::uint64_t drawn(node const& k, std::uint64_t key, extent e) const {
    auto const a = ops::attributes_in<Op>(g_, k);
    auto const i = static_cast<std::uint64_t>(e);
    dtype const t = computed_in(k.type.type);
    return t == dtype_of<Wide> ? bits_of(t, Op::template at<Wide>(a, key, i)) : bits_of(t, Op::template at<Narrow>(a, key, i));
  }
  // The element that shuffle puts at place e: of the row before whose number as many others are.
  static constexpr int shuffled(dims const& s, std::uint64_t key, extent e) {
    extent const rows = s.d[0], inner = s.size() / rows;
    auto const number = [&](extent i) { return static_cast<std::int64_t>(random_bits(key, static_cast<std::uint64_t>(i))); };
    for (extent row = 0; row < rows; ++row) {
      extent before = 0;
      for (extent i = 0; i < rows; ++i) before += number(i) < number(row);
      if (before == e / inner) return static_cast<int>(row * inner + e % inner);
    }
    return -1;
  }
  constexpr int viewed(node const& k, dims const& s, place_in const& p, extent e, dims const& from) const {
    if (k.op == &ops::info<ops::broadcast_to>) return stretched(s, p, from);
    place_in q;
    if (k.op == &ops::info<ops::transpose> || k.op == &ops::info<ops::swap_axes>) {
      int_list const axes = ops::attributes_in<ops::transpose>(g_, k).axes;
      for (int j = 0; j < s.rank; ++j) q.at[axes[j]] = p.at[j];
    } else if (k.op == &ops::info<ops::flip>) {
      auto const axes = ops::attributes_in<ops::flip>(g_, k).axes;
      for (int j = 0; j < s.rank; ++j) q.at[j] = (axes >> j) & 1 ? from.d[j] - 1 - p.at[j] : p.at[j];
    } else if (k.op == &ops::info<ops::slice>) {
      auto const a = ops::attributes_in<ops::slice>(g_, k);
      for (int j = 0; j < s.rank; ++j) q.at[j] = ops::slice::range_of(from.d[j], a, j).begin + a.step[j] * p.at[j];
    } else return static_cast<int>(e);
    return stretched(from, q, from);
  }
  constexpr std::uint64_t dot(dtype t, bits const& x, dims const& xs, bits const& y, dims const& ys, bool ta, bool tb, dims const& s,
                              place_in p) const {
    extent const m = p.at[s.rank - 2], n = p.at[s.rank - 1], depth = xs.d[xs.rank - (ta ? 2 : 1)];
    std::uint64_t sum = 0;
    for (extent d = 0; d < depth; ++d) {
      p.at[s.rank - 2] = ta ? d : m;
      p.at[s.rank - 1] = ta ? m : d;
      std::uint64_t const a = x[stretched(s, p, xs)];
      p.at[s.rank - 2] = tb ? n : d;
      p.at[s.rank - 1] = tb ? d : n;
      sum = two<ops::add>(t, sum, two<ops::multiply>(t, a, y[stretched(s, p, ys)]));
    }
    return sum;
  }
  // NumPy's matmul: a vector is a row on the left and a column on the right.
  constexpr void matrix_product(node const& k, bits& r) const {
    auto const a = ops::attributes_in<ops::matmul>(g_, k);
    int const x = g_.operand(k, 0), y = g_.operand(k, 1);
    dims xs = shape[x], ys = shape[y], s;
    bool const row = xs.rank == 1, column = ys.rank == 1;
    if (row) xs = {1, xs.d[0]};
    if (column) ys = {ys.d[0], 1};
    bool const ta = !row && a.transpose_a, tb = !column && a.transpose_b;
    dims front_x = xs, front_y = ys;
    front_x.rank -= 2;
    front_y.rank -= 2;
    s = broadcast(front_x, front_y).shape;
    s.push(xs.d[xs.rank - (ta ? 1 : 2)]);
    s.push(ys.d[ys.rank - (tb ? 2 : 1)]);
    for (extent e = 0; e < s.size(); ++e) r.push(dot(computed_in(k.type.type), value[x], xs, value[y], ys, ta, tb, s, unravel(s, e)));
  }
  // From the definition, an element at a time: positions of the padded operand, one by one.
  constexpr void convolution(node const& k, dims const& s, bits& r) const {
    auto const a = ops::attributes_in<ops::convolution>(g_, k);
    int const x = g_.operand(k, 0), w = g_.operand(k, 1);
    dims const &xs = shape[x], &ws = shape[w];
    dims kernel = ws;
    kernel.d[0] = 1;
    dtype const t = computed_in(k.type.type);
    for (extent e = 0; e < s.size(); ++e) {
      place_in const p = unravel(s, e);
      std::uint64_t sum = 0;
      for (extent i = 0; i < kernel.size(); ++i) {
        place_in q = unravel(kernel, i), from = p;
        q.at[0] = p.at[1];
        from.at[1] = p.at[1] / (ws.d[0] / a.groups) * ws.d[1] + q.at[1];
        bool padding = false;
        for (int d = 2; d < s.rank; ++d) {
          from.at[d] = p.at[d] * a.stride[d - 2] + q.at[d] * a.dilate[d - 2] - a.pad[d - 2];
          padding = padding || from.at[d] < 0 || from.at[d] >= xs.d[d];
        }
        std::uint64_t const read = padding ? 0 : value[x][place_of(xs, from)];
        sum = two<ops::add>(t, sum, two<ops::multiply>(t, read, value[w][place_of(ws, q)]));
      }
      r.push(k.in.n > 2 ? two<ops::add>(t, sum, value[g_.operand(k, 2)][static_cast<int>(p.at[1])]) : sum);
    }
  }
  static constexpr int place_of(dims const& s, place_in const& p) {
    extent at = 0;
    for (int i = 0; i < s.rank; ++i) at = at * s.d[i] + p.at[i];
    return static_cast<int>(at);
  }
  // Every turn of the map's loops, one by one.
  constexpr void mapped_product(node const& k, dims const& s, bits& r) const {
    ops::product_map const m = ops::attributes_in<ops::mapped_product>(g_, k);
    int const x = g_.operand(k, 0), w = g_.operand(k, 1);
    dtype const t = computed_in(k.type.type);
    extent turns[max_loop]{}, turn[max_loop]{}, all = 1;
    for (int i = 0; i < m.loops; ++i) {
      turns[i] = extent_at(g_, loop_extent(m.loop_at[i], g_.nodes[x].type.shape, g_.nodes[w].type.shape), sizes_);
      all *= turns[i];
    }
    for (extent e = 0; e < s.size(); ++e) r.push(0);
    for (extent e = 0; e < all; ++e) {
      for (extent i = m.loops - 1, left = e; i >= 0; left /= turns[i--]) turn[i] = left % turns[i];
      place_in at[3]{};
      for (int i = 0; i < m.loops; ++i) {
        int const axes_[]{m.loop_at[i].first, m.loop_at[i].second, m.loop_at[i].result};
        for (int j = 0; j < 3; ++j)
          if (axes_[j] >= 0 && !(j == 0 && m.window_of(axes_[j]))) at[j].at[axes_[j]] = at[j].at[axes_[j]] * turns[i] + turn[i];
      }
      bool padding = false;
      for (int v = 0; v < m.windows; ++v) {
        ops::product_map::window const& window_ = m.window_at[v];
        std::int64_t place = -window_.shift, by = window_.step;
        for (int i = 0; i < m.loops; ++i)
          if (m.loop_at[i].first == window_.axis) place += turn[i] * by, by = window_.dilation;
        at[0].at[window_.axis] = place;
        padding = padding || place < 0 || place >= shape[x].d[window_.axis];
      }
      std::uint64_t const read = padding ? 0 : value[x][place_of(shape[x], at[0])];
      std::uint64_t& sum = r[place_of(s, at[2])];
      sum = two<ops::add>(t, sum, two<ops::multiply>(t, read, value[w][place_of(shape[w], at[1])]));
    }
  }
  static constexpr extent loop_extent(ops::product_map::loop const& l, dims const& first, dims const& second) {
    return l.n != ops::product_map::taken ? l.n : l.first >= 0 ? first.d[l.first] : second.d[l.second];
  }
  static constexpr std::uint64_t taken(int axis, place_in const& p, bits const& data, dims const& from, bits const& indices,
                                       dims const& at) {
    place_in index, q;
    for (int j = 0; j < at.rank; ++j) index.at[j] = p.at[axis + j];
    for (int j = 0; j < from.rank; ++j)
      if (j != axis) q.at[j] = p.at[j < axis ? j : j + at.rank - 1];
    extent const last = from.d[axis] - 1, asked = static_cast<extent>(indices[stretched(at, index, at)]);
    if (last < 0) return 0;
    q.at[axis] = asked < 0 ? 0 : asked > last ? last : asked;
    return data[stretched(from, q, from)];
  }
  // An axis in order, by insertion: NaN last, equal elements as they stood. And where each stood.
  struct in_order {
    bits values, places;
  };
  static constexpr in_order sorted(dtype t, ops::sort::attributes const& a, bits const& from, dims const& s) {
    in_order r{from, {}};
    extent step = 1;
    for (int j = a.axis + 1; j < s.rank; ++j) step *= s.d[j];
    extent const n = s.d[a.axis];
    for (extent e = 0; e < s.size(); ++e) r.places.push(static_cast<std::uint64_t>(e / step % n));
    with_computed_type(t, [&]<class T>(T*) {
      auto const before = [&](std::uint64_t x, std::uint64_t y) {
        T const u = element_of<T>(x), v = element_of<T>(y);
        if (u != u) return false;
        return v != v || (a.ascending ? u < v : v < u);
      };
      for (extent e = 0; e < s.size(); ++e) {
        if (e / step % n != 0) continue;
        for (extent i = 1; i < n; ++i)
          for (extent j = i; j > 0; --j) {
            int const x = static_cast<int>(e + (j - 1) * step), y = static_cast<int>(e + j * step);
            if (!before(r.values[y], r.values[x])) break;
            std::swap(r.values[x], r.values[y]);
            std::swap(r.places[x], r.places[y]);
          }
      }
    });
    return r;
  }
  // What is added, is added in the dtype in which others are computed, too.
  constexpr void scatter(node const& k, dims const& s, bits& r) const {
    bits const &data = value[g_.operand(k, 0)], &indices = value[g_.operand(k, 1)];
    bool const adds = k.op == &ops::info<ops::scatter_add>;
    dtype const t = k.type.type, wide = adds ? computed_in(t) : t;
    extent const n = shape[g_.operand(k, 1)].d[0], count = indices.size() / n;
    extent inner = 1;
    for (int i = static_cast<int>(n); i < s.rank; ++i) inner *= s.d[i];
    for (extent e = 0; e < s.size(); ++e) r.push(0);
    for (extent i = 0; i < count; ++i) {
      extent at = 0;
      bool inside = true;
      for (int axis = 0; axis < n; ++axis) {
        auto const c = static_cast<extent>(indices[static_cast<int>(axis * count + i)]);
        inside = inside && c >= 0 && c < s.d[axis];
        if (inside) at = at * s.d[axis] + c;
      }
      for (extent e = 0; inside && e < inner; ++e) {
        std::uint64_t& to = r[static_cast<int>(at * inner + e)];
        std::uint64_t const from = data[static_cast<int>(i * inner + e)];
        if (!adds) to = from;
        else
          to = with_computed_type(
              wide, [&]<class T>(T*) { return bits_of(wide, element::add(element_of<T>(to), element_of<T>(cast_bits(t, wide, from)))); });
      }
    }
    for (std::uint64_t& v : r)
      if (wide != t) v = cast_bits(wide, t, v);
  }
  // Operations of matrices and of alignments, by their own code: what is asked here is when they run, and on what.
  using run_by_items =
      ops::list_of<ops::cholesky, ops::triangular_solution, ops::lu_inverse, ops::lu_determinant, ops::ctc_alignments, ops::ctc_slopes>;
  static constexpr bool is_run(op_info const* op) {
    return [&]<class... Op>(ops::list_of<Op...>) { return ((op == &ops::info<Op>) || ...); }(run_by_items{});
  }
  template <class T> constexpr list<T> elements(bits const& v) const {
    list<T> e;
    for (std::uint64_t b : v) e.push(element_of<T>(b));
    e.push(T{});  // so that it has an address
    return e;
  }
  template <class Op, class T> constexpr void items_of(int i, bits& r) const {
    node const& k = g_.nodes[i];
    auto const shape_of = [&](int j) {
      dims s = g_.type_of_result(k, j).shape;
      for (int d = 0; d < s.rank; ++d) s.d[d] = extent_at(g_, s.d[d], sizes_);
      return s;
    };
    auto const note = [&]<class E>(list<E> const& v, dims const& s) {
      for (int e = 0; e < s.size(); ++e) r.push(bits_of(dtype_of<E>, v[e]));
    };
    auto const a = ops::attributes_in<Op>(g_, k);
    list<T> const x = elements<T>(value[g_.operand(k, 0)]);
    ops::array_view<T const> const in{x.data(), shape[g_.operand(k, 0)]};
    if constexpr (std::is_same_v<Op, ops::ctc_alignments> || std::is_same_v<Op, ops::ctc_slopes>) {
      auto const whole = [&](int j) { return elements<std::int64_t>(value[g_.operand(k, j)]); };
      list<std::int64_t> const labels = whole(1), times = whole(2), counts = whole(3);
      auto const view = [&](list<std::int64_t> const& v, int j) {
        return ops::array_view<std::int64_t const>{v.data(), shape[g_.operand(k, j)]};
      };
      dims const first = shape_of(0), second = shape_of(1);
      list<double> rows(static_cast<int>(first.size()) + 1, 0.);
      list<T> y(static_cast<int>(second.size()) + 1, T(0));
      Op::run(a, ops::array_view<double>{&rows[0], first}, ops::array_view<T>{&y[0], second}, in, view(labels, 1), view(times, 2),
              view(counts, 3));
      note(rows, first), note(y, second);
    } else if constexpr (std::is_same_v<Op, ops::lu_inverse>) {
      list<T> y = x, factors = x;
      Op::run(a, ops::array_view<T>{&y[0], in.shape}, ops::array_view<T>{&factors[0], in.shape}, in);
      note(y, in.shape), note(factors, in.shape);
    } else if constexpr (std::is_same_v<Op, ops::lu_determinant>) {
      dims const front = shape_of(0);
      list<T> all[3], factors = x;
      for (auto& y : all) y.resize(static_cast<int>(front.size()) + 1);
      Op::run(a, ops::array_view<T>{&all[0][0], front}, ops::array_view<T>{&all[1][0], front}, ops::array_view<T>{&all[2][0], front},
              ops::array_view<T>{&factors[0], in.shape}, in);
      for (auto const& y : all) note(y, front);
      note(factors, in.shape);
    } else if constexpr (std::is_same_v<Op, ops::triangular_solution>) {
      list<T> const b = elements<T>(value[g_.operand(k, 1)]);
      list<T> y = b;
      Op::run(a, ops::array_view<T>{&y[0], shape[i]}, in, ops::array_view<T const>{b.data(), shape[i]});
      note(y, shape[i]);
    } else {
      list<T> y = x;
      Op::run(a, ops::array_view<T>{&y[0], shape[i]}, in);
      note(y, shape[i]);
    }
  }
  constexpr void by_items(int i, bits& r) const {
    node const& k = g_.nodes[i];
    dtype const t = computed_in(g_.nodes[g_.operand(k, 0)].type.type);
    auto const run = [&]<class Op>(std::type_identity<Op>) {
      if (k.op != &ops::info<Op>) return;
      if (t == dtype::float32) items_of<Op, float>(i, r);
      else items_of<Op, double>(i, r);
    };
    [&]<class... Op>(ops::list_of<Op...>) { (run(std::type_identity<Op>{}), ...); }(run_by_items{});
  }
  // All results of an operation with several, one after the other.
  constexpr void several_results(node const& k, bits& r) const {
    int const o = g_.operand(k, 0);
    dims const& s = shape[o];
    auto const line_by_line = [&](bits const& from, int axis, extent first, extent count) {
      for (extent e = 0; e < s.size(); ++e)
        if (extent const at = unravel(s, e).at[axis]; at >= first && at < first + count) r.push(from[static_cast<int>(e)]);
    };
    if (k.op == &ops::info<ops::split>) {
      auto const a = ops::attributes_in<ops::split>(g_, k);
      extent const n = s.d[a.axis] / a.parts;
      for (int i = 0; i < a.parts; ++i) line_by_line(value[o], a.axis, i * n, n);
    } else if (k.op == &ops::info<ops::topk>) {
      auto const a = ops::attributes_in<ops::topk>(g_, k);
      in_order const all = sorted(computed_in(g_.nodes[o].type.type), {a.axis, a.ascending}, value[o], s);
      line_by_line(all.values, a.axis, 0, a.top);
      line_by_line(all.places, a.axis, 0, a.top);
    } else throw "the interpreter knows no such operation";
  }
  constexpr void one_result(node const& k, bits& r) const {
    node const& of = g_.nodes[g_.operand(k, 0)];
    bits const& all = value[g_.operand(k, 0)];
    extent first = 0;
    for (int j = 0; j <= k.index; ++j) {
      dims s = g_.type_of_result(of, j).shape;
      for (int d = 0; d < s.rank; ++d) s.d[d] = extent_at(g_, s.d[d], sizes_);
      for (extent e = 0; j == k.index && e < s.size(); ++e) r.push(all[static_cast<int>(first + e)]);
      first += s.size();
    }
  }
  constexpr void join(node const& k, bits& r) const {
    dims const& s = shape[g_.operand(k, 0)];
    extent outer = 1;
    for (int j = 0; j < ops::attributes_in<ops::concat>(g_, k).axis; ++j) outer *= s.d[j];
    for (extent o = 0; o < outer; ++o)
      for (int j = 0; j < k.in.n; ++j) {
        bits const& from = value[g_.operand(k, j)];
        extent const n = from.size() / outer;
        for (extent e = 0; e < n; ++e) r.push(from[static_cast<int>(o * n + e)]);
      }
  }
  static constexpr void reduce(op_info const* op, dtype t, bits const& from, dims const& s, std::int64_t axes, bits& r) {
    dims kept = s;
    for (int j = 0; j < s.rank; ++j)
      if ((axes >> j) & 1) kept.d[j] = 1;
    list<reduction_state> states(static_cast<int>(kept.size()), reduction_state(op, t));
    for (extent e = 0; e < s.size(); ++e) states[stretched(s, unravel(s, e), kept)].take(from[static_cast<int>(e)]);
    for (reduction_state const& state : states) r.push(state.finish());
  }
  // softmax, log_softmax and layer_norm, as their definitions in ops/row.hpp say.
  constexpr void rows(node const& k, bits& r) const {
    int const o = g_.operand(k, 0);
    dims const& s = shape[o];
    dims kept = s;
    dtype const t = computed_in(k.type.type);
    bool const norm = k.op == &ops::info<ops::layer_norm>;
    ops::layer_norm::attributes a;
    if (norm) a = ops::attributes_in<ops::layer_norm>(g_, k);
    else a.axis = ops::attributes_in<ops::softmax>(g_, k).axis;
    kept.d[a.axis] = 1;
    std::int64_t const axes = std::int64_t{1} << a.axis;
    bits middle, shifted, each, total;
    if (norm) reduce(&ops::info<ops::mean>, t, value[o], s, axes, middle);
    else reduce(&ops::info<ops::max>, t, value[o], s, axes, middle);
    for (extent e = 0; e < s.size(); ++e) {
      shifted.push(two<ops::subtract>(t, value[o][static_cast<int>(e)], middle[stretched(s, unravel(s, e), kept)]));
      each.push(norm ? one<ops::square>(t, shifted.back()) : one<ops::exp>(t, shifted.back()));
    }
    if (norm) reduce(&ops::info<ops::mean>, t, each, s, axes, total);
    else reduce(&ops::info<ops::sum>, t, each, s, axes, total);
    for (extent e = 0; e < s.size(); ++e) {
      place_in const p = unravel(s, e);
      std::uint64_t const x = shifted[static_cast<int>(e)], whole = total[stretched(s, p, kept)];
      if (norm) {
        std::uint64_t const scale = one<ops::rsqrt>(t, two<ops::add>(t, whole, bits_of(t, a.eps)));
        int const c = static_cast<int>(p.at[a.axis]);
        std::uint64_t const scaled = two<ops::multiply>(t, two<ops::multiply>(t, x, scale), value[g_.operand(k, 1)][c]);
        r.push(two<ops::add>(t, scaled, value[g_.operand(k, 2)][c]));
      } else if (k.op == &ops::info<ops::softmax>)
        r.push(two<ops::multiply>(t, each[static_cast<int>(e)], two<ops::divide>(t, bits_of(t, 1), whole)));
      else r.push(two<ops::subtract>(t, x, one<ops::log>(t, whole)));
    }
  }
};

inline constexpr extent two_rows[]{2, 3, 4};  // what the dynamic dimensions of a graph are worth, in the order of its inputs

// Whether two graphs give the same bits.
constexpr bool same_values(graph const& a, graph const& b, extent const* sizes = two_rows) {
  interpreter const x(a, sizes), y(b, sizes);
  if (a.outputs.size() != b.outputs.size()) return false;
  for (int j = 0; j < a.outputs.size(); ++j) {
    if (!(x.shape[a.outputs[j]] == y.shape[b.outputs[j]]) || !(x.value[a.outputs[j]] == y.value[b.outputs[j]])) return false;
    if (a.nodes[a.outputs[j]].type.type != b.nodes[b.outputs[j]].type.type) return false;
  }
  return true;
}

constexpr bool well_formed(graph const& g) { return fault_of(g).empty(); }

// What a graph says, without its names: equal for equal graphs, whatever else their arrays hold.
constexpr std::uint64_t fingerprint(graph const& g) {
  std::uint64_t h = 14695981039346656037u;
  auto const add = [&](std::int64_t v) { h = (h ^ static_cast<std::uint64_t>(v)) * 1099511628211u; };
  for (node const& k : g.nodes) {
    add(static_cast<std::int64_t>(k.op->id));
    add(static_cast<std::int64_t>(k.type.type) * 16 + k.type.shape.rank);
    for (int i = 0; i < k.type.shape.rank; ++i) add(k.type.shape.d[i]);
    for (int j = 0; j < k.in.n; ++j) add(g.operand(k, j));
    for (int i = 0; i < k.attributes.n; ++i) add(g.words_of(k)[i]);
    if (k.op == &constant_op)
      for (int i = 0; i < k.data; ++i) add(static_cast<std::int64_t>(g.data[k.index + i]));
    else add(k.index);
    add(-1);
  }
  for (int o : g.outputs) add(o);
  return h;
}
// The graph without what nothing needs, in the order of its outputs: rewrites leave dead nodes behind.
constexpr graph tidied(graph g) { return passes::canonicalise(passes::remove_dead(std::move(g))); }

constexpr int count(graph const& g, op_info const& op) {
  int n = 0;
  for (node const& k : g.nodes) n += k.op == &op;
  return n;
}
template <class Op> constexpr int count(graph const& g) { return count(g, ops::info<Op>); }
// The operation that gives output j.
constexpr op_info const* output_op(graph const& g, int j = 0) { return g.nodes[g.outputs[j]].op; }

}  // namespace test
