// SPDX-License-Identifier: Apache-2.0
// A plan in static storage, its kernels as types, and the loop that runs them.
#pragma once
#include <bit>

#include "../core/buffer.hpp"
#include "../core/error.hpp"
#include "kernel.hpp"
#include "make.hpp"

namespace sinter {

struct plan_sizes {
  int buffers = 0, operands = 0, steps = 0, groups = 0, attrs = 0, data = 0, results = 0, parameters = 0, dimensions = 0, equalities = 0,
      inputs = 0;
  bool affine = true, full = false;
};
constexpr plan_sizes sizes_of(plan const& p) {
  return {p.buffers.size(),
          p.operands.size(),
          p.steps.size(),
          p.groups.size(),
          p.g.attrs.size(),
          p.g.data.size(),
          p.results.size(),
          p.parameters,
          p.g.dimensions.rows.size(),
          p.g.dimensions.equal.size(),
          p.g.inputs,
          is_affine(p),
          p.g.dimensions.full};
}

// A plan at its exact size. `Tag` has `static constexpr plan_sizes sizes`.
template <class Tag> struct frozen_plan {
  static constexpr plan_sizes n = Tag::sizes;
  frozen_list<buffer_info, n.buffers> buffers;
  frozen_list<affine, n.buffers> offset;
  frozen_list<operand, n.operands> operands;
  frozen_list<step_info, n.steps> steps;
  frozen_list<group, n.groups> groups;
  frozen_list<attributes, n.attrs> attrs;
  frozen_list<std::uint64_t, n.data> data;
  frozen_list<array_type, n.results> results;
  frozen_list<int, n.parameters> parameter_at;
  frozen_list<array_type, n.parameters> parameter_types;
  frozen_list<dimension, n.dimensions> dimensions;
  frozen_list<equality, n.equalities> equalities;
  affine arena, lower_bound;

  constexpr frozen_plan() = default;
  // From a plan, or from a bounded_plan of it.
  template <class Plan>
  constexpr explicit frozen_plan(Plan const& p, auto const& offsets, affine arena_, affine bound)
      : buffers(p.buffers),
        offset(offsets),
        operands(p.operands),
        steps(p.steps),
        groups(p.groups),
        attrs(p.attrs),
        data(p.data),
        results(p.results),
        parameter_at(p.parameter_at),
        parameter_types(p.parameter_types),
        dimensions(p.dimensions),
        equalities(p.equalities),
        arena(arena_),
        lower_bound(bound) {}
};

// The same on its way there: sizes N are bounds, taken from the graph.
template <graph_sizes N> struct bounded_plan {
  static constexpr int groups_ = N.nodes, operands_ = N.operands + N.nodes;
  bounded_list<buffer_info, groups_> buffers;
  bounded_list<affine, groups_> offset;
  bounded_list<operand, operands_> operands;
  bounded_list<step_info, groups_> steps;
  bounded_list<group, groups_> groups;
  bounded_list<attributes, N.attrs> attrs;
  bounded_list<std::uint64_t, N.data> data;
  bounded_list<array_type, N.outputs> results;
  bounded_list<int, groups_> parameter_at;
  bounded_list<array_type, groups_> parameter_types;
  bounded_list<dimension, max_dimensions> dimensions;
  bounded_list<equality, 2 * max_dimensions + N.equalities> equalities;
  affine arena, lower_bound;
  plan_sizes sizes;
  constexpr explicit bounded_plan(plan const& p)
      : buffers(p.buffers),
        operands(p.operands),
        steps(p.steps),
        groups(p.groups),
        attrs(p.g.attrs),
        data(p.g.data),
        results(p.results),
        parameter_at(p.parameter_at),
        parameter_types(p.parameter_types),
        dimensions(p.g.dimensions.rows),
        equalities(p.g.dimensions.equal),
        sizes(sizes_of(p)) {
    if (sizes.affine) {  // otherwise planned for each value of the dimensions
      arena_plan const a = plan_arena_affine(p);
      offset = bounded_list<affine, groups_>(a.offset);
      arena = a.bytes;
      lower_bound = a.lower_bound;
    } else offset.count = p.buffers.size();
  }
};

// What of a plan is in its kernels' types. Taken from it in one evaluation: nvcc copies a constant whenever another constant looks at it,
// and 120 groups that look at the whole plan cost it 17 GB.
template <class Tag> struct plan_pieces {
  static constexpr plan_sizes n = Tag::sizes;
  struct step {
    std::uint64_t op = 0, bits = 0;
    dtype type = dtype::none;
    bool is_product = false;
    int n = 0, from[graph::max_operands]{};
  };
  struct slot {
    dtype type = dtype::none;
    access mode = access::unit;
    bool written = false;
  };
  struct group {
    kernel_kind kind = kernel_kind::pointwise;
    int inputs = 0, phases = 1;
    span_of steps, operands;
  };
  step steps[n.steps ? n.steps : 1]{};
  slot slots[n.operands ? n.operands : 1]{};
  group groups[n.groups ? n.groups : 1]{};

  constexpr explicit plan_pieces(frozen_plan<Tag> const& p) {
    for (int i = 0; i < n.steps; ++i) {
      step_info const& s = p.steps[i];
      steps[i] = {s.op->id, kernel::step_bits{s.store, s.keep, s.phase, s.row, s.prologue, s.needed}.pack(),
                  s.type,   s.op->kind == family::product,
                  s.n,      {}};
      for (int j = 0; j < s.n; ++j) steps[i].from[j] = s.from[j];
    }
    for (int i = 0; i < n.operands; ++i) slots[i] = {p.operands[i].type, p.operands[i].mode, p.operands[i].written};
    for (int i = 0; i < n.groups; ++i) {
      sinter::group const& g = p.groups[i];
      groups[i] = {g.kind, g.inputs, g.phases, g.steps, g.operands};
    }
  }
};
// Group G of a plan as a kernel type, which has forgotten the plan.
template <class Program, int G> struct lower {
  using pieces = plan_pieces<Program>;
  static constexpr typename pieces::group g = Program::pieces.groups[G];
  struct own_pieces {
    typename pieces::step steps[g.steps.n ? g.steps.n : 1]{};
    typename pieces::slot slots[g.operands.n ? g.operands.n : 1]{};
    constexpr explicit own_pieces(pieces const& all) {
      for (int i = 0; i < g.steps.n; ++i) steps[i] = all.steps[g.steps.at + i];
      for (int i = 0; i < g.operands.n; ++i) slots[i] = all.slots[g.operands.at + i];
    }
  };
  static constexpr own_pieces own{Program::pieces};
  static constexpr dtype product_type() {
    for (auto const& s : own.steps)
      if (s.is_product) return s.type;
    return dtype::float32;
  }
  template <int S, int... F> static auto one(std::integer_sequence<int, F...>)
      -> kernel::step<typename ops::op_at<own.steps[S].op>::type, type_of<own.steps[S].type>, own.steps[S].bits, own.steps[S].from[F]...>;
  template <int... J> static auto slots(std::integer_sequence<int, J...>)
      -> kernel::types<kernel::slot<type_of<own.slots[J].type>, own.slots[J].mode, own.slots[J].written>...>;
  template <int... S> static auto steps(std::integer_sequence<int, S...>)
      -> kernel::types<decltype(one<S>(std::make_integer_sequence<int, own.steps[S].n>{}))...>;
  template <int... J> static auto only(std::integer_sequence<int, J...>)
      -> kernel::opaque<typename ops::op_at<own.steps[0].op>::type, type_of<own.steps[0].type>, type_of<own.slots[J].type>...>;
  static auto whole() {
    if constexpr (g.kind == kernel_kind::opaque) return std::type_identity<decltype(only(std::make_integer_sequence<int, g.inputs>{}))>{};
    else {
      using slots_ = decltype(slots(std::make_integer_sequence<int, g.operands.n>{}));
      using steps_ = decltype(steps(std::make_integer_sequence<int, g.steps.n>{}));
      if constexpr (g.kind == kernel_kind::pointwise) return std::type_identity<kernel::pointwise<slots_, steps_>>{};
      else if constexpr (g.kind == kernel_kind::rows) return std::type_identity<kernel::rows<slots_, steps_, g.phases>>{};
      else return std::type_identity<kernel::product<type_of<product_type()>, slots_, steps_>>{};
    }
  }
  using type = typename decltype(whole())::type;
};

// The numbers of a plan's loops for one binding of its dynamic dimensions.
template <class Tag> struct geometry {
  static constexpr plan_sizes n = Tag::sizes;
  kernel::launch launches[n.groups ? n.groups : 1]{};
  std::int64_t stride[n.operands ? n.operands * max_loop : 1]{};
  std::int64_t offset[n.operands ? n.operands : 1]{};  // in elements
  std::int64_t place[n.operands ? n.operands : 1]{};  // in bytes, behind the buffer's base: the arena's, that of the constants, or its own
  dims shapes[n.groups ? n.groups : 1][graph::max_operands]{};
  std::int64_t arena[n.buffers ? n.buffers : 1]{};  // in bytes
  std::int64_t arena_bytes = 0, lower_bound = 0;
  binding at;
};

template <class Tag> constexpr extent evaluate_extent(frozen_plan<Tag> const& p, binding const& b, extent e) {
  if (e > -named_base) return e;
  for (int i = 0; i < p.dimensions.size(); ++i)
    if (p.dimensions[i].code == e) return b(p.dimensions[i].value);
  return e;
}

// The dynamic dimensions of a call, from the extents that its inputs have; throws where two that must agree do not.
template <class Tag> constexpr binding bind(frozen_plan<Tag> const& p, dims const* actual, dims const* typed, int inputs) {
  binding b;
  for (int i = 0; i < p.dimensions.size(); ++i) {
    dimension const& d = p.dimensions[i];
    if (d.from == dimension::origin::input) b.value[i] = actual[d.input].d[d.axis];
    else if (d.from == dimension::origin::sum) b.value[i] = evaluate_extent(p, b, d.a) + evaluate_extent(p, b, d.b);
    if (b.value[i] < 0) throw shape_error("sinter: a slice is longer than the dimension " + to_string(d.a) + " that it cuts");
  }
  for (int i = 0; i < inputs; ++i)
    for (int k = 0; k < typed[i].rank; ++k)
      if (extent const e = typed[i].d[k]; e != unknown_extent && evaluate_extent(p, b, e) != actual[i].d[k])
        throw shape_error("sinter: input " + std::to_string(i) + " of shape " + to_string(typed[i]) + " is given the extents " +
                          to_string(actual[i]) + "; dimension " + std::to_string(k) + " must be " +
                          std::to_string(evaluate_extent(p, b, e)));
  for (equality const& e : p.equalities)
    if (evaluate_extent(p, b, e.a) != evaluate_extent(p, b, e.b))
      throw shape_error("sinter: two dynamic dimensions meet that must be equal: " + to_string(e.a) + " is " +
                        std::to_string(evaluate_extent(p, b, e.a)) + ", " + to_string(e.b) + " is " +
                        std::to_string(evaluate_extent(p, b, e.b)));
  return b;
}

template <class Tag> constexpr void fill(geometry<Tag>& r, frozen_plan<Tag> const& p, binding const& b) {
  r.at = b;
  for (int j = 0; j < p.operands.size(); ++j) {
    for (int i = 0; i < max_loop; ++i) r.stride[j * max_loop + i] = b(p.operands[j].stride[i]);
    r.offset[j] = p.operands[j].offset + b(p.operands[j].offset_extra);
  }
  for (int q = 0; q < p.groups.size(); ++q) {
    group const& g = p.groups[q];
    kernel::launch& l = r.launches[q];
    l.rank = g.rank;
    l.row_rank = g.row_rank;
    for (int i = 0; i < g.rank; ++i) l.extent[i] = b(g.extents[i]);
    if (g.kind != kernel_kind::opaque) continue;
    for (int k = 0; k <= g.inputs; ++k) {
      r.shapes[q][k] = g.shapes[k];
      for (int i = 0; i < g.shapes[k].rank; ++i) r.shapes[q][k].d[i] = evaluate_extent(p, b, g.shapes[k].d[i]);
    }
  }
  std::int64_t const n = p.dimensions.size() ? b.value[0] : 0;
  for (int i = 0; i < p.buffers.size(); ++i) r.arena[i] = p.offset[i](n);
  r.arena_bytes = p.arena(n);
  r.lower_bound = p.lower_bound(n);
}
template <class Tag> constexpr void connect(geometry<Tag>& r, frozen_plan<Tag> const& p) {
  for (int q = 0; q < p.groups.size(); ++q) {
    r.launches[q].stride = r.stride + p.groups[q].operands.at * max_loop;
    r.launches[q].attrs = p.groups[q].attrs >= 0 ? p.attrs.items + p.groups[q].attrs : nullptr;
    r.launches[q].shapes = r.shapes[q];
  }
}

constexpr std::int64_t product_outputs(group const& g, binding const& b) {
  std::int64_t n = 1;
  for (int i = 0; i + 1 < g.rank; ++i) n *= b(g.extents[i]);
  return n;
}
// Whether a product or its prologue reads operand j: in the loop over its depth.
template <class Tag> constexpr bool read_inside(frozen_plan<Tag> const& p, group const& g, int j) {
  for (int i = 0; i < g.steps.n; ++i) {
    step_info const& s = p.steps[g.steps.at + i];
    for (int k = 0; k < s.n && (s.prologue || s.op->kind == family::product); ++k)
      if (s.from[k] == -1 - j) return true;
  }
  return false;
}
// What a plan costs for one binding: operations, and elements and bytes that its kernels read and write, each once.
template <class Tag> constexpr costs costs_of(frozen_plan<Tag> const& p, binding const& b) {
  costs c;
  for (group const& g : p.groups) {
    std::int64_t all = 1, rows = 1;
    for (int i = 0; i < g.rank; ++i) {
      all *= b(g.extents[i]);
      if (i < g.row_rank) rows *= b(g.extents[i]);
    }
    bool const product = g.kind == kernel_kind::product;
    std::int64_t const k = product ? b(g.extents[g.rank - 1]) : 1, n = product ? b(g.extents[g.rank - 2]) : 1;
    for (int j = 0; j < g.steps.n; ++j) {
      step_info const& s = p.steps[g.steps.at + j];
      if (g.kind == kernel_kind::opaque) continue;
      if (s.op->kind == family::product) c.flops += 2 * all;
      else if (s.op->kind == family::reduction) c.flops += all;
      else if (s.prologue) c.flops += n ? all / n * s.op->flops : 0;
      else if (s.row) c.flops += rows * s.op->flops;
      else if (g.kind == kernel_kind::rows) {
        int times = 0;
        for (int f = 0; f < g.phases; ++f) times += ((s.needed >> f) & 1) != 0 && !(s.keep >= 0 && f > s.phase);
        c.flops += times * all * s.op->flops;
      } else c.flops += (k ? all / k : product ? product_outputs(g, b) : 0) * s.op->flops;
    }
    for (int j = 0; j < g.operands.n; ++j) {
      operand const& o = p.operands[g.operands.at + j];
      // A loop that never runs reads nothing, whatever its operands have.
      std::int64_t const touched = o.written || (product && !read_inside(p, g, j) ? product_outputs(g, b) : all) > 0 ? b(o.touched) : 0;
      (o.written ? c.stores : c.loads) += touched;
      (o.written ? c.bytes_written : c.bytes_read) += touched * bytes_of(o.type);
    }
  }
  for (buffer_info const& f : p.buffers)
    if (f.where == storage::parameter) c.parameter_bytes += b(f.elements) * bytes_of(f.type);
  return c;
}

// The constants of a plan, each datum in every element type: few, and a kernel reads them as arrays.
template <class Tag> struct constant_pool {
  static constexpr int n = Tag::sizes.data ? Tag::sizes.data : 1;
  float f32[n]{};
  double f64[n]{};
  std::int32_t i32[n]{};
  std::int64_t i64[n]{};
  bool b[n]{};
  constexpr explicit constant_pool(frozen_plan<Tag> const& p) {
    for (buffer_info const& c : p.buffers)
      for (int i = 0; c.where == storage::constant && i < c.data; ++i) {
        std::uint64_t const v = p.data[c.index + i];
        switch (c.type) {
          case dtype::float64: f64[c.index + i] = element_of<double>(v); break;
          case dtype::int32: i32[c.index + i] = element_of<std::int32_t>(v); break;
          case dtype::int64: i64[c.index + i] = element_of<std::int64_t>(v); break;
          case dtype::boolean: b[c.index + i] = element_of<bool>(v); break;
          default: f32[c.index + i] = element_of<float>(v);
        }
      }
  }
  constexpr kernel::pointer at(dtype t, int i) const {  // kernels only read what is not marked as written
    switch (t) {
      case dtype::float64: return const_cast<double*>(f64 + i);
      case dtype::int32: return const_cast<std::int32_t*>(i32 + i);
      case dtype::int64: return const_cast<std::int64_t*>(i64 + i);
      case dtype::boolean: return const_cast<bool*>(b + i);
      default: return const_cast<float*>(f32 + i);
    }
  }
};

constexpr kernel::pointer advance(kernel::pointer p, dtype t, std::int64_t by) {
  return with_type(t, [&]<class T>(T*) -> kernel::pointer { return p.get<T>() + by; });
}

template <class Source> constexpr graph_sizes bounds_of() {
  if constexpr (requires { Source::bounds; }) return Source::bounds;
  else {
    plan const p = Source::make();
    return sizes_of(p.g);
  }
}
// Source is a plan's origin: `static constexpr plan make()`, and where it is known beforehand `static constexpr graph_sizes bounds`, at
// least the sizes of its graph. All else is derived, once for each Source.
template <class Source> struct program {
  static constexpr graph_sizes bounds = bounds_of<Source>();
  static constexpr bounded_plan<bounds> make() {
    sinter::plan const p = Source::make();  // a name, because nvcc forgets to destroy a temporary here
    return bounded_plan<bounds>(p);
  }
  static constexpr bounded_plan<bounds> made = make();
  static constexpr plan_sizes sizes = made.sizes;
  static constexpr frozen_plan<program> plan{made, made.offset, made.arena, made.lower_bound};
  static constexpr bool fixed = sizes.dimensions == 0;
  static constexpr constant_pool<program> constants{plan};
  static constexpr plan_pieces<program> pieces{plan};
  template <int G> using kernel_at = typename lower<program, G>::type;

  // The loops of a static plan. Written down when they are first needed: as a constant they would cost the compiler more than the plan.
  static geometry<program> const& fixed_numbers() {
    struct numbers : geometry<program> {
      numbers() { prepare(*this, binding{}); }
    };
    static numbers const g;
    return g;
  }

  // The kernels of a backend, in order. Everything that is done for each group goes through such a table: a function for each group
  // would be compiled for each, and equal groups have one kernel.
  struct entry_points {
    void (*go[sizes.groups + 1])(kernel::launch const&, kernel::pointer const*);
    std::size_t (*packed_bytes[sizes.groups + 1])(kernel::launch const&);
    void (*pack[sizes.groups + 1])(kernel::launch const&, kernel::pointer const*, std::byte*);
  };
  template <class Backend, int... G> static constexpr entry_points entries(std::integer_sequence<int, G...>) {
    return {{&Backend::template go<kernel_at<G>>..., nullptr},
            {&Backend::template packed_bytes<kernel_at<G>>..., nullptr},
            {&Backend::template pack<kernel_at<G>>..., nullptr}};
  }
  template <class Backend> static constexpr entry_points table = entries<Backend>(std::make_integer_sequence<int, sizes.groups>{});

  // The numbers of a call whose dynamic dimensions have the values `b`.
  static void prepare(geometry<program>& g, binding const& b) {
    fill(g, plan, b);
    if constexpr (!sizes.affine) {  // planned for these values
      arena_plan const a = plan_arena_at(Source::make(), b);
      for (int i = 0; i < sizes.buffers; ++i) g.arena[i] = a.offset[i].fixed;
      g.arena_bytes = a.bytes.fixed;
      g.lower_bound = a.lower_bound.fixed;
    }
    connect(g, plan);
    for (int j = 0; j < sizes.operands; ++j) {
      operand const& o = plan.operands[j];
      buffer_info const& f = plan.buffers[o.buffer];
      g.place[j] = g.offset[j] * bytes_of(o.type);
      if (f.where == storage::arena) g.place[j] += g.arena[o.buffer];
      if (f.where == storage::constant)
        g.place[j] += std::bit_cast<std::byte*>(constants.at(f.type, f.index)) - reinterpret_cast<std::byte const*>(&constants);
    }
  }
  // Whose bytes an operand's place counts from: one of several inputs, parameters or outputs; or the arena or the constants, one each.
  struct origin {
    storage where = storage::arena;
    int index = 0;
  };
  struct origin_list {
    origin items[sizes.operands + 1]{};
    constexpr origin_list() {
      for (int j = 0; j < sizes.operands; ++j) {
        buffer_info const& f = plan.buffers[plan.operands[j].buffer];
        bool const only = f.where == storage::arena || f.where == storage::constant;
        items[j] = {f.where, only ? 0 : f.index};
      }
    }
  };
  static constexpr origin_list origins{};

  // ---- in a constant expression: every buffer an array of its own
  template <class Backend> static constexpr void run_constant(kernel::pointer const* inputs, kernel::pointer const* parameters,
                                                              kernel::pointer const* outputs, binding const& b) {
    geometry<program> g;
    fill(g, plan, b);
    connect(g, plan);
    kernel::pointer base[sizes.buffers + 1]{};
    for (int i = 0; i < sizes.buffers; ++i) {
      buffer_info const& f = plan.buffers[i];
      switch (f.where) {
        case storage::input: base[i] = inputs[f.index]; break;
        case storage::parameter: base[i] = parameters[f.index]; break;
        case storage::output: base[i] = outputs[f.index]; break;
        case storage::constant: base[i] = constants.at(f.type, f.index); break;
        case storage::arena:
          base[i] = with_type(f.type, [&]<class T>(T*) -> kernel::pointer { return new T[static_cast<std::size_t>(b(f.elements)) + 1]{}; });
      }
    }
    for (int q = 0; q < sizes.groups; ++q) {
      span_of const operands = plan.groups[q].operands;
      kernel::pointer p[largest_group() + 1]{};
      for (int j = 0; j < operands.n; ++j) {
        operand const& o = plan.operands[operands.at + j];
        p[j] = advance(base[o.buffer], o.type, g.offset[operands.at + j]);
      }
      table<Backend>.go[q](g.launches[q], p);
    }
    for (int i = 0; i < sizes.buffers; ++i)
      if (plan.buffers[i].where == storage::arena)
        with_type(plan.buffers[i].type, [&]<class T>(T*) { delete[] base[i].template get<T>(); });
  }
  // ---- when the program runs
  template <class Backend> static void run(geometry<program> const& g, std::byte* const* inputs, std::byte* const* parameters,
                                           std::byte* const* outputs, std::byte* arena, std::byte const* const* packed) {
    std::byte* const pool =
        const_cast<std::byte*>(reinterpret_cast<std::byte const*>(&constants_for<Backend>()));  // kernels only read them
    std::byte* const* const base[]{inputs, parameters, &pool, &arena, outputs};  // as `storage` counts
    kernel::pointer p[largest_group() + 1];
    for (int q = 0; q < sizes.groups; ++q) {
      span_of const operands = plan.groups.items[q].operands;
      for (int j = 0; j < operands.n; ++j) {
        origin const from = origins.items[operands.at + j];
        p[j] = std::bit_cast<kernel::pointer>(base[static_cast<int>(from.where)][from.index] + g.place[operands.at + j]);
      }
      if (!packed || !packed[q]) {
        table<Backend>.go[q](g.launches[q], p);
        continue;
      }
      kernel::launch l = g.launches[q];
      l.packed = packed[q];
      table<Backend>.go[q](l, p);
    }
  }
  // The constants where the backend's kernels can read them.
  template <class Backend> static constant_pool<program> const& constants_for() {
    if constexpr (requires { Backend::place(constants); }) return Backend::place(constants);
    else return constants;
  }
  static constexpr int largest_group() {
    int m = 0;
    for (group const& q : plan.groups)
      if (q.operands.n > m) m = q.operands.n;
    return m;
  }
};

}  // namespace sinter
