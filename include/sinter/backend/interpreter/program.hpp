// SPDX-License-Identifier: Apache-2.0
// A plan that was made while the program runs, with the precompiled loop of each of its steps, and its constants.
#pragma once
#include <span>

#include "../../core/buffer.hpp"
#include "../../plan/geometry.hpp"
#include "../../plan/make.hpp"
#include "../../run/bind.hpp"
#include "library.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// The lists of a plan under the names by which plan/geometry.hpp reads them.
struct plan_lists {
  list<operand> const& operands;
  list<group> const& groups;
  list<dims> const& shapes;
  list<loop_map> const& maps;
  words const& attributes;
  list<dimension> const& dimensions;
  list<equality> const& equalities;
  list<array_type> const& results;
  explicit plan_lists(plan const& p)
      : operands(p.operands),
        groups(p.groups),
        shapes(p.shapes),
        maps(p.maps),
        attributes(p.g.attributes),
        dimensions(p.g.dimensions.rows),
        equalities(p.g.dimensions.equal),
        results(p.results) {}
};

// Throws where an operation has no loop. Kernels run whole, one after the other: a tape goes through all rows in tiles of its own, which
// stay in the first cache, and is written for all of its loops.
class program {
 public:
  explicit program(sinter::plan p) : plan(without_blocks(std::move(p))), residents(plan_arena(plan)) {
    for (group const& q : plan.groups)
      for (int i = 0; i < q.steps.n; ++i) {
        step_info const& s = plan.steps[q.steps.at + i];
        loops_.push_back(ops::is_region(s.op->id) ? nullptr : find_loop(q, s));
      }
    place_constants();
    bodies.reserve(static_cast<std::size_t>(plan.bodies.size()));
    for (sinter::plan const& body : plan.bodies) bodies.emplace_back(body);
  }
  sinter::plan const plan;
  list<resident> const residents;
  std::vector<program> bodies;  // of its control flow

  // The dynamic dimensions of a call whose inputs have these extents; `typed`: as the graph's inputs say them. See run/bind.hpp.
  binding bind(dims const* actual, dims const* typed, int inputs) const { return executor::bind(plan_lists(plan), actual, typed, inputs); }
  dims result_shape(binding const& b, int i) const { return executor::result_shape(plan_lists(plan), b, i); }
  std::span<entry const* const> loops(group const& q) const { return {loops_.data() + q.steps.at, static_cast<std::size_t>(q.steps.n)}; }
  std::byte* constant(int buffer) const { return constants_.data() + constant_at_[static_cast<std::size_t>(buffer)]; }

 private:
  std::vector<entry const*> loops_;
  std::vector<std::size_t> constant_at_;
  buffer<std::byte> constants_;

  dtype type_of_source(group const& q, int from) const {
    return from < 0 ? plan.operands[q.operands.at - 1 - from].type : plan.steps[q.steps.at + from].type;
  }
  entry const* find_loop(group const& q, step_info const& s) const {
    std::vector<dtype> sources;  // an operation that never fuses reads all operands of its kernel
    sources.reserve(static_cast<std::size_t>(s.n) + static_cast<std::size_t>(q.inputs));
    for (int j = 0; j < s.n; ++j) sources.push_back(type_of_source(q, s.from[j]));
    for (int j = 0; j < q.inputs && q.kind == kernel_kind::opaque; ++j) sources.push_back(plan.operands[q.operands.at + j].type);
    std::uint64_t types = add_type(0, s.type);
    for (dtype const t : sources) types = add_type(types, t);
    if (entry const* const e = find(s.op->id, types)) return e;
    std::string operands;
    for (dtype const t : sources) (operands += operands.empty() ? "" : ", ") += name_of(t);
    std::string sentence = "sinter: the interpreter has no loop for the operation ";
    sentence += s.op->name;
    sentence += " of (" + operands + "); call sinter::interpreter::knows<the operation" +
                std::string(q.kind == kernel_kind::opaque ? ", results(operands)" : "") + ">() before";
    throw error(sentence);
  }
  void place_constants() {
    constant_at_.resize(static_cast<std::size_t>(plan.buffers.size()));
    std::size_t bytes = 0;
    for (int i = 0; i < plan.buffers.size(); ++i) {
      constant_at_[static_cast<std::size_t>(i)] = bytes;
      if (plan.buffers[i].where == storage::constant)
        bytes += static_cast<std::size_t>((plan.buffers[i].data * bytes_of(plan.buffers[i].type) + 63) / 64 * 64);
    }
    constants_ = buffer<std::byte>(bytes + 1);
    for (int i = 0; i < plan.buffers.size(); ++i) {
      buffer_info const& f = plan.buffers[i];
      if (f.where != storage::constant) continue;
      with_type(f.type, [&]<class T>(T*) {
        for (int k = 0; k < f.data; ++k)
          ::new (constant(i) + static_cast<std::size_t>(k) * sizeof(T)) T(element_of<T>(plan.g.data[f.index + k]));
      });
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
