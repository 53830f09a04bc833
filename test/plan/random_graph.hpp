// SPDX-License-Identifier: Apache-2.0
// Random programs over every operation: drawn, traced, planned, judged and run; one that fails is shrunk and printed as C++.
#pragma once
#include "run_plan.hpp"

#include <sinter/plan/frozen.hpp>
#include <sinter/plan/judge.hpp>

#include <sstream>

namespace test {

// The keywords that a program may give, whatever the operation: it takes those that it knows.
struct drawn_keywords {
  int axes[max_rank]{}, n_axes = 0;
  bool keepdims = false, transpose_a = false, transpose_b = false, ascending = true, flattened = true;
  dims shape;
  int begin[max_rank]{}, n_begin = 0, end[max_rank]{}, n_end = 0, step[max_rank]{}, n_step = 0;
  number values[3]{};
  int n_values = 0;
  int depth = 0, parts = 1, top = 1, groups = 1;
  int diagonal = 0, block = 1, border = 0, over = 0, several[max_rank]{}, n_several = 0;  // several: reps or shift
  int stride[max_rank]{}, n_stride = 0, pad[max_rank]{}, n_pad = 0, dilate[max_rank]{}, n_dilate = 0;
  int pool[max_rank]{}, n_pool = 0;
  bool ceil_mode = false, count_include_pad = true, exclude = false, align_corners = false;
  int adjust[max_rank]{}, n_adjust = 0, mode = 0, nsize = 1;
  double scale = 1;
  dtype type = dtype::none;
  std::string subscripts;
};
template <class Op> words attributes_with(drawn_keywords const& s, operand_types in) {
  ops::given_to<Op> k;
  auto const set = [&]<class Key>(Key key, typename Key::value v, bool given = true) {
    if constexpr (ops::has_key<Key, ops::keywords_of<Op>>) k[key] = {v, given};
  };
  auto const listed = [](int const* v, int n) {
    int_list r;
    for (int i = 0; i < n; ++i) r.push(v[i]);
    return r;
  };
  namespace key = ops::key;
  set(key::axis{}, listed(s.axes, s.n_axes), s.n_axes > 0);
  set(key::begin{}, listed(s.begin, s.n_begin), s.n_begin > 0);
  set(key::end{}, listed(s.end, s.n_end), s.n_end > 0);
  set(key::step{}, listed(s.step, s.n_step), s.n_step > 0);
  set(key::stride{}, listed(s.stride, s.n_stride), s.n_stride > 0);
  set(key::pad{}, listed(s.pad, s.n_pad), s.n_pad > 0);
  set(key::dilate{}, listed(s.dilate, s.n_dilate), s.n_dilate > 0);
  set(key::adjust{}, listed(s.adjust, s.n_adjust), s.n_adjust > 0);
  set(key::factor{}, listed(s.pool, s.n_pool), s.n_pool > 0);
  set(key::mode{}, s.mode);
  set(key::align_corners{}, s.align_corners);
  set(key::scale{}, s.scale);
  set(key::nsize{}, s.nsize);
  set(key::groups{}, s.groups);
  set(key::num_heads{}, s.groups);
  set(key::is_causal{}, s.ceil_mode);
  set(key::pool_size{}, listed(s.pool, s.n_pool), s.n_pool > 0);
  set(key::exclude{}, s.exclude);
  set(key::ceil_mode{}, s.ceil_mode);
  set(key::count_include_pad{}, s.count_include_pad);
  set(key::keepdims{}, s.keepdims);
  set(key::transpose_a{}, s.transpose_a);
  set(key::transpose_b{}, s.transpose_b);
  set(key::ascending{}, s.ascending);
  set(key::flattened{}, s.flattened);
  set(key::into{}, s.shape);
  set(key::depth{}, s.depth);
  set(key::parts{}, s.parts);
  set(key::top{}, s.top);
  set(key::reps{}, listed(s.several, s.n_several));
  set(key::shift{}, listed(s.several, s.n_several));
  set(key::diagonal{}, s.diagonal);
  set(key::block{}, s.block);
  set(key::border{}, s.border);
  set(key::over{}, s.over);
  set(key::values{}, {s.n_values, {s.values[0], s.values[1], s.values[2]}}, s.n_values > 0);
  set(key::as{}, s.type);
  set(key::upper{}, s.keepdims);
  set(key::alpha{}, 0.5, s.exclude);
  set(key::subscripts{}, ops::axes_of_operands::packed(s.subscripts));
  return pack(ops::attributes_for<Op>(k, in));
}

// An operation as a program names it.
struct op_row {
  std::string_view name;
  op_info const* info = nullptr;
  words (*attributes)(drawn_keywords const&, operand_types) = nullptr;
  bool shares_dtype = true, condition = false;
  bool takes_axis = false, takes_keepdims = false, takes_exclude = false;
};
template <class Op> op_row row_of() {
  op_row r{sinter::ops::op_name<Op>, &ops::info<Op>, &attributes_with<Op>};
  if constexpr (requires { Op::promotes; }) r.shares_dtype = Op::promotes;
  if constexpr (requires { Op::condition; }) r.condition = Op::condition;
  using keywords = ops::keywords_of<Op>;
  r.takes_axis = ops::has_key<ops::key::axis, keywords>;
  r.takes_keepdims = ops::has_key<ops::key::keepdims, keywords>;
  r.takes_exclude = ops::has_key<ops::key::exclude, keywords>;
  return r;
}
template <class... Op> std::vector<op_row> rows_of(ops::list_of<Op...>) { return {row_of<Op>()...}; }
inline std::vector<op_row> const& every_op() {
  static std::vector<op_row> const rows = rows_of(ops::all_ops{});
  return rows;
}

// A value of a program: an input, a number, or what an operation gives.
struct line {
  op_row const* op = nullptr;
  array_type input;  // of an input
  bool is_number = false;
  double number = 0;
  std::vector<int> in;
  drawn_keywords given;
  int result = 0;  // which one, of an operation with several
};
struct random_program {
  std::vector<line> lines;
  std::vector<int> outputs;
  std::vector<std::pair<int, int>> updates;  // inputs that are parameters, and the values that become theirs
  extent sizes[max_dimensions]{};  // of the inputs' dynamic dimensions, in the order in which they are declared
};

// The program as a graph; `node` holds the node of each line. False where an operation's operands do not fit.
inline bool trace_into(random_program const& p, graph& g, std::vector<int>& node) {
  node.clear();
  for (line const& l : p.lines) {
    if (!l.op && !l.is_number) {
      auto const changed = std::find_if(p.updates.begin(), p.updates.end(),
                                        [&](auto const& u) { return &p.lines[static_cast<std::size_t>(u.first)] == &l; });
      bool const is_parameter = changed != p.updates.end();
      sinter::node k;
      k.op = is_parameter ? &parameter_op : &input_op;
      k.type = l.input;
      k.index = is_parameter ? static_cast<int>(changed - p.updates.begin()) : g.inputs++;
      for (int i = 0; i < k.type.shape.rank; ++i) k.type.shape.d[i] = g.dimensions.declare(k.type.shape.d[i], k.index, i);
      node.push_back(g.append(k));
    } else if (l.is_number) {
      node.push_back(g.scalar(l.input.type, l.number));
    } else {
      std::vector<int> in;
      std::vector<array_type> types;
      for (int i : l.in) {
        in.push_back(node[static_cast<std::size_t>(i)]);
        types.push_back(g.nodes[in.back()].type);
      }
      int const n = static_cast<int>(in.size());
      types.emplace_back();
      inferred why;
      int const at = g.apply(*l.op->info, {in.data(), n}, l.op->attributes(l.given, {types.data(), n}), why);
      if (at < 0 || g.dimensions.full) return false;
      node.push_back(l.op->info->several ? g.result(at, l.result) : at);
    }
  }
  for (int o : p.outputs) g.outputs.push(node[static_cast<std::size_t>(o)]);
  for (std::size_t u = 0; u < p.updates.size(); ++u) {
    g.outputs.push(node[static_cast<std::size_t>(p.updates[u].second)]);
    g.updates.push(static_cast<int>(u));
  }
  ops::finish_updates(g);
  return true;
}
// The dimensions at which the program is run, as far as every equality that the graph demands holds there.
inline bool bind_sizes(graph const& g, extent const* sizes, binding& b) {
  b = {};
  int next = 0;
  for (int i = 0; i < g.dimensions.rows.size(); ++i)
    if (g.dimensions.rows[i].from == dimension::origin::input) b.value[i] = sizes[next++];
  b = with_computed(g.dimensions.rows, b);
  for (equality const& e : g.dimensions.equal)
    if (extent_in(g.dimensions.rows, b, e.a) != extent_in(g.dimensions.rows, b, e.b)) return false;
  return true;
}

// Among the numbers also zeros of both signs, infinities, NaN, the smallest and the largest.
inline std::uint64_t special_sample(dtype t, int seed, extent e) {
  static constexpr double some[]{-0.0, 0.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e-45, 3e38};
  int const k = static_cast<int>((e * 5 + seed * 3 + e / 4) % 13);
  return is_floating(t) && k < 6 ? bits_of(t, some[k]) : sample(t, seed, e);
}

inline bool same_bits(dtype t, bits const& a, bits const& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    double const x = real_of(t, a[i]), y = real_of(t, b[i]);
    if (!is_floating(t) || x == x || y == y) return false;  // any NaN is one
  }
  return true;
}
// How many plans of those that were looked at run kernels in blocks of rows.
inline int& plans_in_blocks() {
  static int n = 0;
  return n;
}
// How many parameters are changed where they are, in the plans that were looked at, and how many elsewhere.
inline int (&updates_of_plans())[2] {
  static int n[2];
  return n;
}
// What is wrong with the plan of a program; empty when nothing is.
inline std::string fault_in(random_program const& p, unsigned seed) {
  try {
    graph traced;
    std::vector<int> node;
    if (!trace_into(p, traced, node)) return "";
    binding traced_at;
    if (!bind_sizes(traced, p.sizes, traced_at)) return "";
    plan const planned = make_plan(traced);
    plans_in_blocks() += together_in(planned) > 0;
    for (update const& u : planned.updates) ++updates_of_plans()[u.in_place ? 0 : 1];
    if (planned.g.dimensions.full) return "";
    if (std::string_view const fault = fault_of(planned); !fault.empty()) return std::string(fault);
    binding b;
    if (!bind_sizes(planned.g, p.sizes, b)) return "a pass demands an equality that the network does not";
    arena_layout const arena = arena_at(planned, plan_arena(planned), b);
    if (verdict const v = judge(planned, b, &arena); !v.sound()) return to_string(planned, v);
    sampler const inputs = seed % 4 == 0 ? &special_sample : &sample;
    interpreter const want(traced, p.sizes, interpreter::everything, inputs);
    plan_runner const got(planned, b, p.sizes, seed, inputs);
    for (int j = 0; j < traced.outputs.size(); ++j) {
      int const o = traced.outputs[j];
      if (!same_bits(traced.nodes[o].type.type, want.value[o], got.output(j))) return "output " + std::to_string(j) + " differs";
    }
  } catch (char const* what) { return what; } catch (std::exception const& e) {
    return e.what();
  }
  return "";
}

// ---- drawing

// What adds lines to a random program, as far as they fit: each array has at most `most` elements.
class program_lines {
 public:
  random_program p;

 protected:
  program_lines(unsigned seed, extent most) : random_(seed), most_(most) {}
  std::mt19937 random_;
  graph g_;  // of the lines so far
  std::vector<int> node_;

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int size() const { return static_cast<int>(p.lines.size()); }
  array_type const& type(int i) const { return g_.nodes[node_[static_cast<std::size_t>(i)]].type; }
  // Its number, or -1.
  int append(line l) {
    p.lines.push_back(std::move(l));
    graph g;
    std::vector<int> node;
    binding b;
    bool fits = trace_into(p, g, node) && bind_sizes(g, p.sizes, b);
    if (fits) {
      extent n = 1;
      for (int i = 0; i < g.nodes[node.back()].type.shape.rank; ++i)
        n *= extent_in(g.dimensions.rows, b, g.nodes[node.back()].type.shape.d[i]);
      fits = n <= most_;
    }
    if (!fits) {
      p.lines.pop_back();
      return -1;
    }
    g_ = std::move(g);
    node_ = std::move(node);
    return size() - 1;
  }

 private:
  extent most_;
};
class program_writer : program_lines {
 public:
  using program_lines::p;
  // `changes`: some of its inputs are parameters that it changes.
  explicit program_writer(unsigned seed, bool changes = false) : program_lines(seed, 600) {
    for (extent& s : p.sizes) s = extent{pick(5)} + (pick(4) ? 1 : 0);
    int const rank = 1 + pick(3);
    for (int i = 0; i < rank; ++i) space_.push(draw_extent());
    for (int n = 1 + pick(3); n >= 0; --n) add_input(draw_type(), near_space());
    int const want = 4 + pick(14);
    for (int tries = 0; made_ < want && tries < 40 * want; ++tries) operation();
    for (int i = 0; i < size(); ++i)
      if (!used_[static_cast<std::size_t>(i)] && p.lines[static_cast<std::size_t>(i)].op) p.outputs.push_back(i);
    // Outputs that something reads, twice the same, and an input.
    for (int n = p.outputs.empty() ? 1 : pick(3); n > 0; --n) p.outputs.push_back(any_value());
    while (p.outputs.size() > 6) p.outputs.erase(p.outputs.begin() + pick(static_cast<int>(p.outputs.size())));
    for (int i = 0; i < size(); ++i)
      if (line const& l = p.lines[static_cast<std::size_t>(i)]; changes && !l.op && !l.is_number && l.input.shape.fixed() && pick(2))
        draw_update(i);
  }

 private:
  dims space_;
  std::vector<char> used_;
  int made_ = 0;

  int any_value() {
    int i = pick(size());
    while (p.lines[static_cast<std::size_t>(i)].is_number) i = pick(size());
    return i;
  }
  // Input i is a parameter, and gets another value of its type.
  void draw_update(int i) {
    for (int tries = 0; tries < 8; ++tries)
      if (int const v = any_value(); v != i && type(v) == type(i)) return p.updates.emplace_back(i, v), void();
  }
  int recent() { return pick(3) ? any_value() : size() - 1 - pick(std::min(size(), 4)); }

  dtype draw_type() {
    static constexpr dtype some[]{dtype::float32, dtype::float32, dtype::float32, dtype::float32,
                                  dtype::float64, dtype::int32,   dtype::int64,   dtype::boolean};
    static constexpr dtype narrow[]{dtype::float16, dtype::bfloat16, dtype::int8, dtype::int16, dtype::uint8};
    return pick(8) ? some[pick(8)] : narrow[pick(5)];
  }
  extent draw_extent() {
    static constexpr extent some[]{1, 2, 3, 4, 5};
    int const k = pick(12);
    if (k == 0) return detail::pack_name("n");
    if (k == 1) return detail::pack_name("m");
    if (k == 2) return unknown_extent;
    return some[pick(5)];
  }
  // The common shape, or one that broadcasts to it.
  dims near_space() {
    if (pick(8) == 0) {
      dims other;
      for (int n = pick(4); n > 0; --n) other.push(draw_extent());
      return other;
    }
    dims s;
    for (int i = pick(4) ? 0 : pick(space_.rank); i < space_.rank; ++i) s.push(pick(5) ? space_.d[i] : 1);
    return s;
  }
  int add_line(line l) {
    int const at = append(std::move(l));
    if (at >= 0) used_.push_back(0);
    return at;
  }
  int add_input(dtype t, dims const& s) {
    line l;
    l.input = {t, s};
    return add_line(std::move(l));
  }
  int number(dtype t) {
    static constexpr double some[]{0, 1, -1, 2, 0.5, -0.0, 3, 100};
    line l;
    l.is_number = true;
    l.number = some[pick(8)];
    if (!is_floating(t) && l.number == 0.5) l.number = 4;
    if (t == dtype::uint8 && l.number < 0) l.number = 7;
    l.input = {t, {}};
    return add_line(std::move(l));
  }
  // An operand that an operation of `like` can take: of its dtype, and often of its shape.
  int beside(int like) {
    for (int tries = 0; tries < 12; ++tries)
      if (int const i = recent(); type(i).type == type(like).type && (tries > 5 || type(i).shape == type(like).shape)) return i;
    return pick(2) ? number(type(like).type) : like;
  }
  dims regrouped(dims const& s) {
    dims r;
    for (int i = 0; i < s.rank; ++i) {
      extent const e = s.d[i];
      auto const has_room = [&] { return r.rank + (s.rank - i) < max_rank; };  // for one axis more than those that are left
      if (e == 4 && s.rank <= 4 && has_room() && pick(2)) {
        r.push(2);
        r.push(2);
      } else if (r.rank > 0 && r.d[r.rank - 1] >= 0 && e >= 0 && pick(2)) r.d[r.rank - 1] *= e;
      else if (e == 1 && pick(2)) continue;
      else r.push(e <= derived_base ? -1 : e);
      if (pick(6) == 0 && s.rank <= 4 && has_room()) r.push(1);
    }
    if (r.rank > 0 && pick(3) == 0) {
      bool open = false;
      for (int i = 0; i < r.rank; ++i) open = open || r.d[i] == -1;
      if (!open) r.d[pick(r.rank)] = -1;
    }
    return r;
  }
  dims stretched_from(dims const& s) {
    dims r;
    if (s.rank < 4 && pick(3) == 0) r.push(1 + pick(3));
    for (int i = 0; i < s.rank; ++i) r.push(s.d[i] == 1 ? 1 + pick(4) : s.d[i]);
    return r;
  }
  static void set(int const* v, int n, int* to, int& n_to) {
    for (int i = 0; i < n; ++i) to[i] = v[i];
    n_to = n;
  }
  static bool is_random(op_row const& op) { return op.name.starts_with("random_"); }
  static bool is_new_array(op_row const& op) { return op.name == "zeros" || op.name == "ones" || op.name == "full" || is_random(op); }
  drawn_keywords keywords_for(op_row const& op, array_type const& x) {
    drawn_keywords s;
    int const rank = x.shape.rank;
    s.keepdims = pick(2) != 0;
    s.exclude = pick(8) == 0;
    s.transpose_a = pick(4) == 0;
    s.transpose_b = pick(2) == 0;
    s.ascending = pick(2) != 0;
    s.flattened = pick(2) != 0;
    s.depth = 1 + pick(4);
    s.parts = 1 + pick(4);
    s.top = 1 + pick(3);
    s.type = draw_type();
    if (op.name == "transpose") {
      for (int i = 0; i < rank; ++i) s.axes[i] = i;
      for (int i = rank; i > 1; --i) std::swap(s.axes[i - 1], s.axes[pick(i)]);
      s.n_axes = pick(2) ? rank : 0;
    } else if (rank > 0 && pick(4) != 0) {
      s.axes[0] = pick(2 * rank) - rank;
      s.n_axes = 1;
      if (op.info->kind == family::reduction && rank > 1 && !op.info->indexed && pick(3) == 0) {
        s.axes[1] = (s.axes[0] + rank + 1 + pick(rank - 1)) % rank;
        s.n_axes = 2;
      }
    }
    s.shape = op.name == "broadcast_to" ? stretched_from(x.shape) : is_new_array(op) ? x.shape : regrouped(x.shape);
    // Merged, and perhaps split where only the run can tell whether it fits.
    if (op.name == "reshape" && (has_nameless(x.shape) || pick(4) == 0)) s.shape = {-1, 1 + pick(6)};
    if (op.name == "eye") s.shape = {1 + pick(4), 1 + pick(4)};
    s.diagonal = pick(5) - 2;
    s.block = 1 + pick(2);
    s.over = pick(3);
    if (op.name == "group_norm") s.groups = 1 + pick(2);
    if (op.name == "resize" || op.name == "roi_pool") s.shape = {1 + pick(5), 1 + pick(5)};
    s.mode = pick(2);
    s.align_corners = pick(2) != 0;
    s.nsize = 1 + 2 * pick(3);
    s.scale = op.name == "roi_pool" && pick(2) ? 0.5 : 1 + pick(2);
    s.n_several = 1;
    s.several[0] = op.name == "roll" ? pick(7) - 3 : pick(4);
    if (op.name == "swap_axes" && rank > 0) {
      s.n_axes = 2;
      for (int i = 0; i < 2; ++i) s.axes[i] = pick(2 * rank) - rank;
    }
    if (op.name == "padded") {
      s.border = pick(3);
      s.n_begin = s.n_end = rank;
      for (int i = 0; i < rank; ++i) s.begin[i] = pick(3), s.end[i] = pick(2);
    }
    if (op.name == "slice")
      for (int i = 0; i < rank; ++i) {
        bool const dynamic_axis = x.shape.d[i] < 0;
        s.begin[i] = pick(2) ? ops_open : dynamic_axis ? pick(2) : pick(7) - 3;
        s.end[i] = pick(2) ? ops_open : dynamic_axis ? -1 : pick(9) - 3;
        s.step[i] = dynamic_axis || pick(2) ? 1 : pick(2) ? -1 : 2;
        if (dynamic_axis && pick(4) == 0) s.begin[i] = s.end[i] = ops_open, s.step[i] = -1;
        s.n_begin = s.n_end = s.n_step = rank;
      }
    if (op.name == "full" || op.name == "full_like") {
      s.values[0] = sinter::number(pick(3));
      s.n_values = 1;
    } else if (op.name == "linspace" || op.name == "random_uniform" || op.name == "random_normal" || op.name == "random_randint") {
      s.values[0] = sinter::number(pick(3));
      s.values[1] = sinter::number(3 + pick(3));
      s.values[2] = sinter::number(pick(6));
      s.n_values = op.name == "linspace" ? 3 : op.name == "random_randint" || pick(2) ? 2 : 0;
      if (op.name == "random_randint") s.type = is_floating(s.type) || s.type == dtype::boolean ? dtype::int64 : s.type;
      else if (!is_floating(s.type)) s.type = dtype::float32;
    } else if (op.name == "arange") {
      int const start = pick(3);
      s.values[0] = sinter::number(start);
      s.values[1] = sinter::number(start + 1 + pick(6));
      s.values[2] = sinter::number(1 + pick(2));
      s.n_values = 3;
      if (s.type == dtype::boolean) s.type = dtype::float32;
    } else if (op.name == "smooth_l1") {
      s.values[0] = sinter::number(1 + pick(2));
      s.n_values = pick(2);
    } else if (op.name == "dropout_mask") {
      s.values[0] = sinter::number(0.25);
      s.n_values = 1;
    } else if (op.name == "one_hot") {
      s.values[0] = sinter::number(1 + pick(2));
      s.n_values = pick(2);
      if (s.type == dtype::boolean) s.type = dtype::float32;
    }
    return s;
  }
  static constexpr int ops_open = sinter::open;
  // Whether a cast to a whole number is in range at every element.
  bool castable(int x, dtype to) const {
    if (!is_floating(type(x).type) || is_floating(to) || to == dtype::boolean) return true;
    for (sampler const inputs : {&sample, &special_sample})
      for (interpreter const v(g_, p.sizes, interpreter::everything, inputs); std::uint64_t e : v.value[node_[static_cast<std::size_t>(x)]])
        if (double const d = real_of(type(x).type, e); !(d > -1e9 && d < 1e9)) return false;
    return true;
  }
  // An operation that is there already, with its operands in the other order: what must be merged, or must not.
  void again() {
    line l = p.lines[static_cast<std::size_t>(pick(size()))];
    if (!l.op) return;
    if (l.in.size() == 2) std::swap(l.in[0], l.in[1]);
    if (l.op->name == "topk") l.result = 1 - l.result;
    std::vector<int> const in = l.in;
    if (add_line(std::move(l)) < 0) return;
    for (int i : in) used_[static_cast<std::size_t>(i)] = 1;
    ++made_;
  }
  void operation() {
    if (pick(8) == 0) return again();
    // Arrays from nothing are drawn less often than the others: they leave little to plan.
    auto const draw = [&]() -> op_row const& { return every_op()[static_cast<std::size_t>(pick(static_cast<int>(every_op().size())))]; };
    op_row const& first = draw();
    op_row const& op =
        is_new_array(first) || first.name.ends_with("_like") || first.name == "eye" || first.name == "linspace" ? draw() : first;
    int const before = size();
    line l;
    l.op = &op;
    int const x = recent();
    l.in.push_back(x);
    l.given = keywords_for(op, type(x));
    if (op.info->several) l.result = pick(op.name == "split" ? l.given.parts : 2);
    family const kind = op.info->kind;
    if (op.name == "arange" || op.name == "linspace" || op.name == "eye" || (is_new_array(op) && !is_random(op))) l.in.clear();
    else if (is_random(op)) l.in = {add_input(dtype::int64, {})};
    else if (op.name == "where") {
      int const y = beside(x);
      int c = any_value();
      for (int tries = 0; tries < 20 && type(c).type != dtype::boolean; ++tries) c = any_value();
      l.in = {c, x, y};
    } else if (op.name == "clip") l.in = {x, number(type(x).type), number(type(x).type)};
    else if (kind == family::join) {
      for (int n = 1 + pick(3); n > 0; --n) l.in.push_back(beside(x));
    } else if (op.name == "take") {
      int i = any_value();
      for (int tries = 0; tries < 20 && (is_floating(type(i).type) || type(i).type == dtype::boolean); ++tries) i = any_value();
      l.in.push_back(i);
    } else if (op.name == "layer_norm" || op.name == "rms_norm" || op.name == "batch_norm" || op.name == "instance_norm" ||
               op.name == "group_norm") {
      int const rank = type(x).shape.rank;
      bool const at_channels = op.name == "batch_norm" || op.name == "instance_norm" || op.name == "group_norm";
      if (rank == 0 || (at_channels && rank == 1)) return;
      if (op.name == "instance_norm" || op.name == "group_norm") l.given.n_axes = 0;
      int const axis_ = l.given.n_axes ? (l.given.axes[0] + rank) % rank : at_channels ? 1 : rank - 1;
      dims const along{type(x).shape.d[axis_]};
      if (along.d[0] < 0) return;
      for (int n = op.name == "rms_norm" ? 1 : op.name == "batch_norm" ? 4 : 2; n > 0; --n) l.in.push_back(add_input(type(x).type, along));
    } else if (op.name == "fully_connected") {
      dims const& s = type(x).shape;
      if (s.rank < 1) return;
      extent k = s.d[s.rank - 1];
      for (int i = 1; l.given.flattened && i + 1 < s.rank; ++i) k = k < 0 || s.d[i] < 0 ? -1 : k * s.d[i];
      if (k < 0) return;
      int const units = 1 + pick(5);
      l.in.push_back(add_input(type(x).type, {units, k}));
      if (pick(2)) l.in.push_back(add_input(type(x).type, {units}));
    } else if (op.name.starts_with("convolution")) {
      if (!add_convolution(l)) return undo(before);
    } else if (op.name == "resize" || op.name == "upsample" || op.name == "grid_sample" || op.name == "roi_pool") {
      if (!add_sampling(l)) return undo(before);
    } else if (op.name == "pixel_shuffle") {
      l.in[0] = add_input(type(x).type, pick(2) ? dims{draw_extent(), 4 * pick(3), draw_extent()} : dims{2, 4, 1 + pick(2), draw_extent()});
      l.given.n_pool = 1;
      l.given.pool[0] = 1 + pick(2);
    } else if (op.name.ends_with("_pool")) {
      if (!add_pooling(l)) return undo(before);
    } else if (op.name == "matmul" || op.name == "gemm2") {
      if (pick(2) && type(x).shape.rank > 0) {
        dims const& s = type(x).shape;
        extent const k = s.d[s.rank - (s.rank > 1 && l.given.transpose_a ? 2 : 1)];
        if (k < 0 && !is_named(k)) return;
        extent const n = 1 + pick(4);
        l.in.push_back(add_input(type(x).type, l.given.transpose_b ? dims{n, k} : dims{k, n}));
      } else l.in.push_back(beside(x));
    } else if (op.name == "dropout_mask" || op.name == "shuffle") {
      l.in.push_back(add_input(dtype::int64, {}));
    } else if (kind == family::elementwise && op.info->fold == nullptr && op.name == "cast") {
      if (!castable(x, l.given.type)) return;
    } else if (op.name == "slice_like" || op.name == "broadcast_like") {
      l.in.push_back(any_value());
    } else if (op.name == "reshape_like") {
      dims const like = regrouped(type(x).shape);
      for (int i = 0; i < like.rank; ++i)
        if (like.d[i] == -1) return;
      l.in.push_back(add_input(draw_type(), like));
    } else if (op.name == "pick") {
      int const rank = type(x).shape.rank, at = rank == 0 ? -1 : l.given.n_axes ? (l.given.axes[0] + rank) % rank : rank - 1;
      dims index;
      for (int i = 0; i < rank; ++i)
        if (i != at) index.push(type(x).shape.d[i]);
        else if (pick(2)) index.push(1);
      l.in.push_back(add_input(pick(2) ? dtype::int64 : dtype::int32, index));
    } else if (op.name.starts_with("sequence_")) {
      if (type(x).shape.rank < 2) return;
      if (op.name == "sequence_reverse") l.given.n_axes = 0;
      else l.given.axes[0] = pick(2), l.given.n_axes = 1;
      l.in.push_back(add_input(pick(2) ? dtype::int64 : dtype::int32, {type(x).shape.d[l.given.n_axes && l.given.axes[0] ? 0 : 1]}));
    } else if (op.name == "einsum") {
      if (!add_einsum(l)) return undo(before);
    } else if (op.name == "cholesky" || op.name == "det" || op.name == "slogdet" || op.name == "inverse" || op.name == "solve_triangular") {
      if (!add_matrices(l)) return undo(before);
    } else if (op.name == "ctc_loss") {
      dtype const t = type(x).type, whole = pick(2) ? dtype::int64 : dtype::int32;
      if (!is_floating(t)) return;
      extent const batch = draw_extent();
      l.in = {add_input(t, {draw_extent(), batch, 1 + pick(4)}), add_input(whole, {batch, draw_extent()})};
      for (int n = pick(3); n > 0; --n) l.in.push_back(add_input(whole, {batch}));
    } else if (op.name == "scaled_dot_product_attention") {
      if (!add_attention(l)) return undo(before);
    } else if (op.name == "gather_nd" || op.name == "scatter_nd" || op.name == "scatter_add") {
      if (!add_coordinates(l)) return undo(before);
    } else if (op.name == "stack") {
      for (int n = pick(3); n > 0; --n) l.in.push_back(beside(x));
    } else if (op.name == "space_to_depth" || op.name == "depth_to_space") {
      dims s{draw_extent(), 1 + pick(2), 2 * pick(3), 2};
      if (op.name == "depth_to_space") s.d[1] *= 4;
      l.in[0] = add_input(type(x).type, s);
    } else if (op.info->arity.least == 2) l.in.push_back(beside(x));
    for (int i : l.in)
      if (i < 0) return undo(before);
    std::vector<int> const in = l.in;
    if (add_line(std::move(l)) < 0) return undo(before);
    for (int i : in) used_[static_cast<std::size_t>(i)] = 1;
    ++made_;
  }
  // Something with one to three spatial axes of which the extents are known, for the line to read; -1 where there is none.
  int find_image(int x) {
    for (int tries = 0; tries < 20 && (type(x).shape.rank < 3 || type(x).shape.rank > 5); ++tries) x = any_value();
    if (type(x).shape.rank < 3 || type(x).shape.rank > 5) {
      dims s;
      for (int i = 0, rank = 3 + pick(2); i < rank; ++i) s.push(i == 0 ? draw_extent() : 1 + pick(4));
      x = add_input(type(x).type, s);
      if (x < 0) return -1;
    }
    for (int i = 1; i < type(x).shape.rank; ++i)
      if (type(x).shape.d[i] < 0) return -1;
    return x;
  }
  // Of both the indices, whose numbers are partly out of range; of scatter_nd the slices and their shape, too.
  bool add_coordinates(line& l) {
    bool const scatters = l.op->name == "scatter_nd" || l.op->name == "scatter_add";
    array_type const t = type(l.in[0]);
    dims const s = scatters ? dims{1 + pick(4), 1 + pick(3), 1 + pick(2)} : t.shape;
    if (s.rank == 0) return false;
    int const n = 1 + pick(s.rank);
    dims indices{n}, slices;
    for (int k = pick(3); k > 0; --k) {
      indices.push(pick(3) ? 1 + pick(4) : draw_extent());
      slices.push(indices.d[indices.rank - 1]);
    }
    for (int i = n; i < s.rank; ++i) slices.push(s.d[i]);
    if (indices.rank - 1 + s.rank - n > max_rank) return false;
    int const at = add_input(pick(2) ? dtype::int64 : dtype::int32, indices);
    l.given.shape = s;
    l.in = {scatters ? add_input(t.type, slices) : l.in[0], at};
    return true;
  }
  // Subscripts of one to three operands; an axis may be dynamic where it is no diagonal.
  bool add_einsum(line& l) {
    static constexpr struct {
      char const *subscripts, *terms;
    } some[]{{"ij,jk", "ij jk"},
             {"ij,kj->ik", "ij kj"},
             {"bij,bjk->bki", "bij bjk"},
             {"ii->i", "dd"},
             {"ddi", "ddi"},
             {"i,j->ji", "i j"},
             {"ij,ij->", "ij ij"},
             {"ij,jk,kl->li", "ij jk kl"},
             {"ijk->k", "ijk"},
             {"bhid,bhjd->bhij", "bhid bhjd"},
             {"...i,i", "bji i"},
             {"ij,j,d->i", "ij j d"},
             {"ji,ik,j->k", "ji ik j"},
             {"ijkl,klb->bji", "ijkl klb"}};
    auto const& drawn = some[pick(static_cast<int>(std::size(some)))];
    dtype const t = type(l.in[0]).type;
    if (t == dtype::boolean) return false;
    extent of[128];
    for (extent& e : of) e = draw_extent();
    of['d'] = pick(4);
    l.given.subscripts = drawn.subscripts;
    l.in.clear();
    dims s;
    for (char const* c = drawn.terms;; ++c) {
      if (*c && *c != ' ') s.push(of[static_cast<int>(*c)]);
      else l.in.push_back(add_input(t, s)), s = {};
      if (!*c) return true;
    }
  }
  bool add_matrices(line& l) {
    dtype const t = type(l.in[0]).type;
    if (!is_floating(t)) return false;
    extent const n = pick(3) ? pick(4) : sinter::detail::pack_name("n"), batch = draw_extent();
    bool const one = pick(3) == 0;
    l.in = {add_input(t, one ? dims{n, n} : dims{batch, n, n})};
    if (l.op->name == "solve_triangular") l.in.push_back(add_input(t, pick(2) ? dims{n, draw_extent()} : dims{batch, n, 1 + pick(3)}));
    return true;
  }
  bool add_attention(line& l) {
    dtype const t = type(l.in[0]).type;
    if (!is_floating(t)) return false;
    l.given.groups = 1 + pick(2);
    l.given.ceil_mode = pick(2) != 0;  // stands for is_causal
    extent const batch = draw_extent(), queries = draw_extent(), keys = pick(2) ? queries : 1 + pick(4);
    int const heads = l.given.groups, width = heads * (1 + pick(3));
    l.in = {add_input(t, {batch, queries, width}), add_input(t, {batch, keys, width}), add_input(t, {batch, keys, heads * (1 + pick(3))})};
    if (pick(2)) l.in.push_back(add_input(dtype::boolean, pick(2) ? dims{queries, keys} : dims{batch, 1, 1, keys}));
    return true;
  }
  bool add_sampling(line& l) {
    dtype const t = type(l.in[0]).type;
    bool const pools = l.op->name == "roi_pool";
    dims const s{pools ? 1 + pick(3) : draw_extent(), 1 + pick(2), 1 + pick(4), 1 + pick(4)};
    l.in[0] = add_input(t, s);
    if (pools) l.in.push_back(add_input(t, {draw_extent(), 5}));
    else if (l.op->name == "grid_sample") l.in.push_back(add_input(t, {s.d[0], 1 + pick(3), draw_extent(), 2}));
    return true;
  }
  bool add_pooling(line& l) {
    int const x = l.in[0] = find_image(l.in[0]);
    if (x < 0) return false;
    drawn_keywords& k = l.given;
    int const all = pick(3) ? type(x).shape.rank - 2 : 1;
    k.n_pool = all;
    k.n_stride = pick(2) * all;
    k.n_pad = pick(2) * all;
    for (int i = 0; i < all; ++i) {
      k.pool[i] = 1 + pick(3);
      k.stride[i] = 1 + pick(3);
      k.pad[i] = pick(k.pool[i]);
    }
    k.ceil_mode = pick(2) != 0;
    k.count_include_pad = pick(2) != 0;
    return true;
  }
  // Weights, a bias and keywords for a convolution of what the line reads.
  bool add_convolution(line& l) {
    int const x = l.in[0] = find_image(l.in[0]);
    if (x < 0) return false;
    dims const s = type(x).shape;
    drawn_keywords& k = l.given;
    k.groups = s.d[1] % 2 == 0 && pick(2) ? 2 : pick(4) == 0 && s.d[1] > 0 ? static_cast<int>(s.d[1]) : 1;
    bool const transposed = l.op->name == "convolution_transpose";
    int const outputs = 1 + pick(2);
    dims w = transposed ? dims{s.d[1], outputs} : dims{k.groups * outputs, s.d[1] / k.groups};
    int const all = pick(3) ? s.rank - 2 : 1;
    k.n_stride = pick(2) * all;
    k.n_pad = pick(3) ? all : 0;
    k.n_dilate = pick(2) * all;
    for (int i = 0; i < s.rank - 2; ++i) {
      k.stride[i] = 1 + pick(3);
      k.pad[i] = pick(3);
      k.dilate[i] = 1 + pick(2);
      k.adjust[i] = pick(2);
      w.push(1 + pick(3));
    }
    k.n_adjust = pick(2) * all;
    l.in.push_back(add_input(type(x).type, w));
    if (pick(2)) l.in.push_back(add_input(type(x).type, {k.groups * outputs}));
    return true;
  }
  // Takes back the leaves of an operation that did not fit.
  void undo(int lines) {
    p.lines.resize(static_cast<std::size_t>(lines));
    used_.resize(static_cast<std::size_t>(lines));
    g_ = {};
    trace_into(p, g_, node_);
  }
};

// ---- shrinking

// Value `i` is gone; what used it uses `by`, an earlier value.
inline random_program without(random_program const& p, int i, int by) {
  random_program r = p;
  auto const renamed = [&](int k) { return k == i ? (by > i ? by - 1 : by) : k > i ? k - 1 : k; };
  r.lines.erase(r.lines.begin() + i);
  for (line& l : r.lines)
    for (int& k : l.in) k = renamed(k);
  for (int& o : r.outputs) o = renamed(o);
  for (auto& [parameter, value] : r.updates) parameter = renamed(parameter), value = renamed(value);
  return r;
}
// The smallest program found that still fails.
template <class Fails> random_program shrunk(random_program p, Fails const& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    auto const attempt = [&](random_program const& q) {
      if (!fails(q)) return false;
      p = q;
      return smaller = true;
    };
    for (int o = static_cast<int>(p.outputs.size()) - 1; o >= 0 && p.outputs.size() > 1; --o) {
      random_program q = p;
      q.outputs.erase(q.outputs.begin() + o);
      attempt(q);
    }
    for (std::size_t u = p.updates.size(); u-- > 0;) {
      random_program q = p;
      q.updates.erase(q.updates.begin() + static_cast<std::ptrdiff_t>(u));
      attempt(q);
    }
    for (int i = static_cast<int>(p.lines.size()) - 1; i >= 0; --i) {
      bool used = false;
      for (auto const& [parameter, value] : p.updates) used = used || parameter == i || value == i;
      for (line const& l : p.lines)
        for (int k : l.in) used = used || k == i;
      for (int o : p.outputs) used = used || o == i;
      if (!used && p.lines.size() > 1) {
        attempt(without(p, i, 0));
        continue;
      }
      bool gone = false;
      for (std::size_t k = 0; !gone && k < p.lines[static_cast<std::size_t>(i)].in.size(); ++k)
        gone = attempt(without(p, i, p.lines[static_cast<std::size_t>(i)].in[k]));
      if (gone || !p.lines[static_cast<std::size_t>(i)].op) continue;
      graph g;
      std::vector<int> node;
      if (!trace_into(p, g, node)) continue;
      random_program q = p;  // an input in its place
      q.lines[static_cast<std::size_t>(i)] = {};
      q.lines[static_cast<std::size_t>(i)].input = g.nodes[node[static_cast<std::size_t>(i)]].type;
      bool known = true;
      for (extent e : q.lines[static_cast<std::size_t>(i)].input.shape.d) known = known && e >= 0;
      if (known) attempt(q);
    }
  }
  return p;
}

// ---- as C++

inline std::string written(dims const& s, char const* open_, bool names = true) {
  std::string r = open_;
  r += '<';
  for (int i = 0; i < s.rank; ++i) {
    if (i) r += ", ";
    r += s.d[i] >= -1 ? std::to_string(s.d[i]) : is_named(s.d[i]) && names ? "dim<\"" + to_string(s.d[i]) + "\">" : "dynamic";
  }
  return r + ">";
}
inline std::string written(dtype t) {
  switch (t) {
    case dtype::float32: return "float";
    case dtype::float64: return "double";
    case dtype::boolean: return "bool";
    case dtype::float16:
    case dtype::bfloat16: return std::string(name_of(t));
    default: return "std::" + std::string(name_of(t)) + "_t";
  }
}
inline std::string listed(char const* name, int const* v, int n) {
  std::string r = std::string(", ") + name + "<";
  for (int i = 0; i < n; ++i) r += (i ? ", " : "") + (v[i] == sinter::open ? "open" : std::to_string(v[i]));
  return r + ">";
}
inline std::string keywords(line const& l) {
  std::string_view const n = l.op->name;
  drawn_keywords const& s = l.given;
  std::string r;
  if (s.n_axes && l.op->takes_axis) r += listed(n == "transpose" ? "axes" : "axis", s.axes, s.n_axes);
  if (s.keepdims && l.op->takes_keepdims) r += ", keepdims";
  if (s.exclude && l.op->takes_exclude) r += ", exclude";
  if ((n == "sort" || n == "argsort") && !s.ascending) r += ", descending";
  if (n == "topk") r += ", top<" + std::to_string(s.top) + (s.ascending ? ">, ascending" : ">");
  if (n == "split") r += ", parts<" + std::to_string(s.parts) + ">";
  if ((n == "matmul" || n == "gemm2" || n == "solve_triangular") && s.transpose_a) r += ", transpose_a";
  if ((n == "matmul" || n == "gemm2") && s.transpose_b) r += ", transpose_b";
  if (n == "gemm2" && s.exclude) r += ", alpha<0.5>";
  if (n == "solve_triangular" && s.keepdims) r += ", upper";
  if (n == "einsum") r += ", subscripts<\"" + s.subscripts + "\">";
  if (n == "fully_connected" && !s.flattened) r += ", flattened<false>";
  if (n.starts_with("convolution")) {
    if (s.n_stride) r += listed("stride", s.stride, s.n_stride);
    if (s.n_pad) r += listed("pad", s.pad, s.n_pad);
    if (s.n_dilate) r += listed("dilate", s.dilate, s.n_dilate);
    if (s.groups != 1) r += ", groups<" + std::to_string(s.groups) + ">";
    if (s.n_adjust && n == "convolution_transpose") r += listed("adjust", s.adjust, s.n_adjust);
  }
  if (n == "resize" || n == "roi_pool") r += ", " + written(s.shape, "into");
  if (n == "resize" || n == "upsample") r += ", mode<interpolation(" + std::to_string(s.mode) + ")>";
  if ((n == "resize" || n == "grid_sample") && s.align_corners) r += ", align_corners";
  if (n == "upsample" || n == "roi_pool") r += ", scale<" + std::to_string(s.scale) + ">";
  if (n == "pixel_shuffle") r += listed("factor", s.pool, s.n_pool);
  if (n == "lrn") r += ", nsize<" + std::to_string(s.nsize) + ">";
  if (n == "max_pool" || n == "avg_pool") {
    r += listed("pool_size", s.pool, s.n_pool);
    if (s.n_stride) r += listed("stride", s.stride, s.n_stride);
    if (s.n_pad) r += listed("pad", s.pad, s.n_pad);
    if (s.ceil_mode) r += ", ceil_mode";
    if (n == "avg_pool" && !s.count_include_pad) r += ", count_include_pad<false>";
  }
  bool const made = n == "zeros" || n == "ones" || n == "full" || n == "eye" || n.starts_with("random_");
  if (n == "reshape" || n == "broadcast_to" || n == "scatter_nd" || n == "scatter_add" || made) r += ", " + written(s.shape, "into");
  if (n == "tile" || n == "repeat") r += listed("reps", s.several, s.n_several);
  if (n == "roll") r += listed("shift", s.several, s.n_several);
  if (n == "tril" || n == "triu" || n == "diag") r += ", diagonal<" + std::to_string(s.diagonal) + ">";
  if (n == "space_to_depth" || n == "depth_to_space") r += ", block<" + std::to_string(s.block) + ">";
  if (n == "l2_normalize") r += ", over<parts_of(" + std::to_string(s.over) + ")>";
  if (n == "group_norm") r += ", groups<" + std::to_string(s.groups) + ">";
  if (n == "scaled_dot_product_attention") r += ", num_heads<" + std::to_string(s.groups) + (s.ceil_mode ? ">, is_causal" : ">");
  if (n == "padded")
    r += listed("begin", s.begin, s.n_begin) + listed("end", s.end, s.n_end) + ", border<borders(" + std::to_string(s.border) + ")>";
  if (n == "slice") r += listed("begin", s.begin, s.n_begin) + listed("end", s.end, s.n_end) + listed("step", s.step, s.n_step);
  if (n == "one_hot") r += ", depth<" + std::to_string(s.depth) + ">";
  bool const numbers =
      n == "arange" || n == "linspace" || n == "one_hot" || n == "dropout_mask" || n == "full" || n == "full_like" || n == "smooth_l1";
  if (s.n_values && (numbers || n.starts_with("random_"))) {
    r += ", values<";
    for (int i = 0; i < s.n_values; ++i)
      r += (i ? ", " : "") + (s.values[i].is_whole ? std::to_string(s.values[i].whole) : std::to_string(s.values[i].real));
    r += ">";
  }
  if (n == "cast" || n == "arange" || n == "linspace" || n == "one_hot" || made) r += std::string(", as<") + written(s.type) + ">";
  return r;
}
inline std::string as_cpp(random_program const& p) {
  std::ostringstream out;
  std::string inputs, types;
  for (std::size_t i = 0; i < p.lines.size(); ++i)
    if (line const& l = p.lines[i]; !l.op && !l.is_number) {
      inputs += ", auto v" + std::to_string(i);
      types +=
          (types.empty() ? "" : ", ") + ("tensor<" + std::string(written(l.input.type)) + ", " + written(l.input.shape, "shape") + ">");
    }
  out << "// " << types << "\n// dynamic dimensions:";
  for (extent s : p.sizes) out << ' ' << s;
  out << "\nconstexpr auto hybrid_forward(auto F" << inputs << ") const {\n";
  for (std::size_t i = 0; i < p.lines.size(); ++i) {
    line const& l = p.lines[i];
    if (!l.op) continue;
    out << "  auto v" << i << " = ";
    if (l.op->info->several) out << "std::get<" << l.result << ">(";
    out << "F." << l.op->name << '(';
    std::string operands;
    for (int k : l.in) {
      line const& o = p.lines[static_cast<std::size_t>(k)];
      operands += operands.empty() ? "" : ", ";
      if (o.is_number) {
        std::ostringstream v;
        v << o.number;
        operands += v.str();
      } else operands += "v" + std::to_string(k);
    }
    std::string words = keywords(l);
    if (operands.empty() && !words.empty()) words = words.substr(2);
    out << operands << words << (l.op->info->several ? "));\n" : ");\n");
  }
  out << "  return std::tuple{";
  for (std::size_t j = 0; j < p.outputs.size(); ++j) out << (j ? ", " : "") << 'v' << p.outputs[j];
  out << "};\n}\n";
  for (auto const& [parameter, value] : p.updates) out << "// parameter v" << parameter << " becomes v" << value << '\n';
  return out.str();
}

}  // namespace test
