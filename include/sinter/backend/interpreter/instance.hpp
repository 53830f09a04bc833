// SPDX-License-Identifier: Apache-2.0
// A plan that was made while the program runs, run without a compiler: the kernels that compiled code has, with the same order of additions, so
// the same bits.
//
//     sinter::interpreter::program const f(sinter::make_plan(g));
//     sinter::binding const b = f.bind(extents, shapes, inputs);
//     sinter::interpreter::instance const at(f, b);                            // for these extents of the dynamic dimensions
//     sinter::interpreter::prepared const made(at, parameters);                // again when parameters have changed
//     at.run({inputs, outputs, &b, parameters, made.made(), arena});           // arena: at.arena_bytes() bytes, aligned to 64
//
// Bodies of control flow have parameters of their own, which `call::bodies` gives. What runs them allocates in each call.
#pragma once
#include <concepts>
#include <memory>

#include "../../run/prepare.hpp"
#include "../../run/region.hpp"
#include "program.hpp"
#include "run_product.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// The numbers of a plan's loops, under the names of plan/geometry.hpp.
struct loop_numbers {
  list<kernel::launch> launches;
  list<std::int64_t> stride, offset;
  list<dims> shapes;

  loop_numbers(plan_lists const& p, binding const& b) {
    stride.resize(p.operands.size() * max_loop);
    offset.resize(p.operands.size());
    launches.resize(p.groups.size());
    shapes.resize(p.shapes.size());
    fill(*this, p, b);
    connect(*this, p);
  }
};

// A program for one choice of its dynamic dimensions. Runs are const and may come from several threads at once; after the first one in
// each thread none allocates. The program must outlive it.
class instance {
 public:
  // `vectors`: the size of a tile, where it is not to be chosen: a test of the joints between tiles wants them small.
  instance(program const& f, binding const& b, int vectors = 0) : instance(f, b, vectors, nullptr) {
    bodies_ = std::make_unique<std::vector<instance>>();
    bodies_->reserve(f.bodies.size());
    for (program const& body : f.bodies)
      bodies_->push_back(instance(body, with_computed(body.plan.g.dimensions.rows, b), vectors, bodies_.get()));
    all_bodies_ = bodies_.get();
    add_arena_of_bodies();
  }
  instance(instance&&) = default;
  instance& operator=(instance&&) = default;

  std::int64_t arena_bytes() const { return arena_bytes_; }
  binding const& at() const { return at_; }
  int kernels() const { return f_->plan.groups.size(); }

  // Weights of products are copied into the order in which these read them. Without it a run reads them as they are; the bits are the same.
  list<preparation> const& preparations() const { return f_->plan.preparations; }
  std::size_t prepared_bytes(preparation const& w) const { return product_of(w).multiplier->packed_bytes(call_of_product(w, nullptr)); }
  void prepare(preparation const& w, executor::call const& c, std::byte* to) const {
    std::vector<kernel::pointer> operands(static_cast<std::size_t>(largest_));
    operands[static_cast<std::size_t>(w.operand)] =
        std::bit_cast<kernel::pointer>(base(f_->plan.groups[w.group].operands.at + w.operand, c));
    product_of(w).multiplier->pack(call_of_product(w, operands.data()), to);
  }
  // Which parameters of the network it reads.
  list<int> const& parameters() const { return f_->plan.parameter_at; }
  // The instance of a body, whose parameters are prepared on their own.
  instance const& at_body(int i) const { return body(i); }
  std::size_t once_bytes() const { return static_cast<std::size_t>(place_prepared(f_->plan.buffers, nullptr)); }
  void run_once(executor::call const& c) const {
    run_kernels(c, true, [](int) {});
  }
  void run(executor::call const& c) const {
    run_kernels(c, false, [](int) {});
  }
  // The same; calls done(g) when kernel g has run.
  void run(executor::call const& c, std::invocable<int> auto done) const { run_kernels(c, false, done); }

 private:
  // The kernels that run in each call, or those that run once.
  void run_kernels(executor::call const& c, bool once, auto done) const {
    std::size_t const most = static_cast<std::size_t>(largest_) + 1;
    for (int g = 0; g < f_->plan.groups.size(); ++g) {
      if (f_->plan.groups[g].once != once) continue;
      std::byte* const memory =
          simd::kernels::scratch_of<simd::kernels::scratch_use::pointers>(most * (sizeof(std::byte*) + sizeof(kernel::pointer)));
      auto** const bases = reinterpret_cast<std::byte**>(memory);
      auto* const pointers = reinterpret_cast<kernel::pointer*>(memory + most * sizeof(std::byte*));
      group const& q = f_->plan.groups[g];
      for (int j = 0; j < q.operands.n; ++j) {
        ::new (bases + j) std::byte*(base(q.operands.at + j, c));
        ::new (pointers + j) kernel::pointer(std::bit_cast<kernel::pointer>(bases[j]));
      }
      if (kernels_[static_cast<std::size_t>(g)].body) run_control_flow(g, c, pointers);
      else run_kernel(g, c.prepared ? c.prepared[g] : nullptr, bases, pointers);
      done(g);
    }
  }
  instance(program const& f, binding const& b, int vectors, std::vector<instance> const* bodies)
      : f_(&f), at_(b), n_(plan_lists(f.plan), b), all_bodies_(bodies) {
    std::int64_t const capacity = std::int64_t{vectors} * lanes;
    plan const& p = f.plan;
    for (int g = 0; g < p.groups.size(); ++g) {
      group const& q = p.groups[g];
      kernel_view const k{&p, &q, &n_.launches[g], f.loops(q)};
      one_kernel one;
      if (is_control_flow(g)) one.body = true;
      else if (q.kind == kernel_kind::opaque) one.opaque = k.loops[0]->opaque;
      else if (q.kind == kernel_kind::product) one.product = make_product_kernel(k, capacity);
      else one.lines = make_line_kernel(k, capacity);
      kernels_.push_back(std::move(one));
      largest_ = std::max(largest_, q.operands.n);
    }
    arena_layout const arena = arena_at(p, f.residents, b);
    arena_bytes_ = arena.bytes;
    for (int j = 0; j < p.operands.size(); ++j) {
      operand const& o = p.operands[j];
      place_.push_back(n_.offset[j] * bytes_of(o.type) + arena.offset[o.buffer]);
    }
    if (bodies) add_arena_of_bodies();
  }
  struct one_kernel {
    bool body = false;  // control flow
    line_kernel lines;
    product_kernel product;
    void (*opaque)(kernel::launch const& l, kernel::pointer const* p) = nullptr;
  };
  program const* f_;
  binding at_;
  loop_numbers n_;
  std::vector<std::int64_t> place_;  // of each operand, in bytes behind what it counts from
  std::vector<one_kernel> kernels_;
  std::int64_t arena_bytes_ = 0, own_arena_bytes_ = 0;
  int largest_ = 0;
  std::unique_ptr<std::vector<instance>> bodies_;  // of the whole network
  std::vector<instance> const* all_bodies_ = nullptr;

  bool is_control_flow(int g) const { return ops::is_region(f_->plan.steps[f_->plan.groups[g].steps.at].op->id); }
  ops::region_info info_of(int g) const {
    return unpack<ops::region_info>(f_->plan.g.attributes.data() + f_->plan.groups[g].attributes.at);
  }
  instance const& body(int i) const { return (*all_bodies_)[static_cast<std::size_t>(i)]; }
  // Behind the arena of its own kernels is that of the bodies, of which one runs at a time; those inside a body come before it.
  void add_arena_of_bodies() {
    own_arena_bytes_ = arena_bytes_;
    for (int g = 0; g < f_->plan.groups.size(); ++g) {
      if (!kernels_[static_cast<std::size_t>(g)].body) continue;
      ops::region_info const r = info_of(g);
      arena_bytes_ = std::max(arena_bytes_, own_arena_bytes_ + body(r.body).arena_bytes_);
      if (r.otherwise >= 0) arena_bytes_ = std::max(arena_bytes_, own_arena_bytes_ + body(r.otherwise).arena_bytes_);
    }
  }
  void run_control_flow(int g, executor::call const& c, kernel::pointer const* scratch) const {
    group const& q = f_->plan.groups[g];
    auto const id = f_->plan.steps[q.steps.at].op->id;
    ops::region_info const r = info_of(g);
    // The kernels of the body work in the memory of this thread in which `scratch` lies.
    std::vector<kernel::pointer> const at(scratch, scratch + q.operands.n);
    std::vector<kernel::pointer> in(at.size() + 1), out(at.size() + 1);
    std::vector<std::byte*> from(at.size() + 1), to(at.size() + 1);
    int const memory = r.states + (id == ops::while_loop_id) + 1;
    executor::region_call const call{r,
                                     f_->plan.operands.data() + q.operands.at,
                                     at.data(),
                                     n_.launches[g].shapes,
                                     q.inputs,
                                     q.results(),
                                     q.results() - memory,
                                     in.data(),
                                     out.data()};
    auto const run_body = [&](int which, kernel::pointer const* x, kernel::pointer const* y) {
      instance const& f = body(which);
      for (int i = 0; i < f.f_->plan.g.inputs; ++i) from[static_cast<std::size_t>(i)] = std::bit_cast<std::byte*>(x[i]);
      for (int i = 0; i < f.f_->plan.results.size(); ++i) to[static_cast<std::size_t>(i)] = std::bit_cast<std::byte*>(y[i]);
      executor::body_values const& values = c.bodies[which];
      f.run({from.data(), to.data(), &f.at_, values.parameters, values.prepared, c.arena + own_arena_bytes_, c.bodies});
    };
    executor::run_region<executor::host_memory>(id, call, run_body);
  }

  product_kernel const& product_of(preparation const& w) const { return kernels_[static_cast<std::size_t>(w.group)].product; }
  product_call call_of_product(preparation const& w, kernel::pointer const* p) const {
    return call_of(product_of(w), f_->plan.groups[w.group], n_.launches[w.group], p);
  }
  std::byte* base(int operand, executor::call const& c) const {
    int const b = f_->plan.operands[operand].buffer;
    buffer_info const& f = f_->plan.buffers[b];
    std::byte* const from = f.where == storage::input       ? c.inputs[f.index]
                            : f.where == storage::parameter ? c.parameters[f.index]
                            : f.where == storage::output    ? c.outputs[f.index]
                            : f.where == storage::constant  ? f_->constant(b)
                            : f.where == storage::prepared  ? const_cast<std::byte*>(c.prepared[kernels()])
                                                            : c.arena;
    return from ? from + place_[static_cast<std::size_t>(operand)] : nullptr;  // of no elements there may be no memory
  }
  // Operands that are read through a window begin where its first turn would be.
  void move_to_window(kernel::launch const& l, window const& w, int g, std::byte** bases) const {
    group const& q = f_->plan.groups[g];
    for (int j = 0; j < q.inputs; ++j)
      if (operand const& o = f_->plan.operands[q.operands.at + j]; o.windowed && bases[j])
        bases[j] -= w.shift * (l.stride[j * max_loop + w.outer] / w.step) * bytes_of(o.type);
  }
  void run_kernel(int g, std::byte const* packed, std::byte** bases, kernel::pointer const* pointers) const {
    group const& q = f_->plan.groups[g];
    one_kernel const& k = kernels_[static_cast<std::size_t>(g)];
    if (k.opaque) return k.opaque(n_.launches[g], pointers);
    if (!k.product.multiplier) return run_lines(k.lines, f_->plan, q, n_.launches[g], bases);
    kernel::launch l = n_.launches[g];
    l.packed = packed;
    for (int w = 0; l.map && w < l.map->windows; ++w) move_to_window(l, l.map->window_at[w], g, bases);
    product_run const r{&k.product, &f_->plan, &q, bases};
    product_call c = call_of(k.product, q, l, pointers);
    c.context = &r;
    k.product.multiplier->go(c);
  }
};

// What depends on the parameters alone: what was made of their values when it was constructed.
class prepared {
 public:
  prepared(instance const& f, std::byte* const* parameters) : made_(static_cast<std::size_t>(f.kernels()) + 1) {
    executor::prepare(f, parameters, made_.data(), memory_);
  }
  std::byte const* const* made() const { return made_.data(); }

 private:
  std::vector<std::byte const*> made_;
  buffer<std::byte> memory_;
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
