// SPDX-License-Identifier: Apache-2.0
// From a group of a plan to the type of its kernel.
#pragma once
#include "frozen.hpp"
#include "kernel.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The parts of a plan that its kernels' types are made of, extracted in one evaluation: nvcc copies a constant whenever another constant
// reads it, and with 120 groups that read the whole plan it needed 17 GB.
template <class Tag> struct plan_pieces {
  static constexpr plan_sizes n = Tag::sizes;
  struct step {
    std::uint64_t op = 0, bits = 0;
    dtype type = dtype::none;
    bool is_product = false;
    int n = 0, from[max_step_operands]{};
  };
  struct slot {
    dtype type = dtype::none;
    access mode = access::unit;
    bool written = false;
  };
  struct group {
    kernel_kind kind = kernel_kind::pointwise;
    int inputs = 0, phases = 1;
    bool mapped = false;
    span_of steps, operands;
  };
  step steps[n.steps ? n.steps : 1]{};
  slot slots[n.operands ? n.operands : 1]{};
  group groups[n.groups ? n.groups : 1]{};

  constexpr plan_pieces(frozen_plan<Tag> const& p, frozen_list<step_info, n.steps> const& all) {
    for (int i = 0; i < n.steps; ++i) {
      step_info const& s = all[i];
      steps[i] = {s.op->id, kernel::step_bits{s.store, s.keep, s.phase, s.row, s.prologue, s.needed}.pack(),
                  s.type,   s.op->kind == family::product,
                  s.n,      {}};
      for (int j = 0; j < s.n; ++j) steps[i].from[j] = s.from[j];
    }
    for (int i = 0; i < n.groups; ++i) {
      sinter::group const& g = p.groups[i];
      bool const one_row = g.kind == kernel_kind::product && g.map < 0 && g.rank == 3 && g.extents[0] == size{1};
      auto const rows = g.map >= 0 ? rows_of(g, p.maps[g.map]) : kernel::rows_of_product::any;
      bool const never_along = g.map >= 0 && !may_run_along(g, p.maps[g.map]);
      if (!one_row && rows == kernel::rows_of_product::any && !never_along) continue;
      for (int s = 0; s < g.steps.n; ++s)
        if (step& k = steps[g.steps.at + s]; k.is_product) {
          kernel::step_bits with = kernel::step_bits::unpack(k.bits);
          with.one_row = one_row;
          with.rows = rows;
          with.never_along = never_along;
          k.bits = with.pack();
        }
    }
    for (int i = 0; i < n.operands; ++i) slots[i] = {p.operands[i].type, p.operands[i].mode, p.operands[i].written};
    for (int i = 0; i < n.groups; ++i) {
      sinter::group const& g = p.groups[i];
      groups[i] = {g.kind, g.inputs, g.phases, g.map >= 0, g.steps, g.operands};
    }
  }

 private:
  static constexpr kernel::rows_of_product rows_of(sinter::group const& g, loop_map const& m) {
    std::int64_t rows = 1;
    for (int i = g.rank - m.depth - m.columns - m.rows; i < g.rank - m.depth - m.columns; ++i) {
      if (!g.extents[i].fixed()) return kernel::rows_of_product::any;
      rows *= g.extents[i].k;
    }
    return kernel::class_of_rows(rows);
  }
  static constexpr bool may_run_along(sinter::group const& g, loop_map const& m) {
    for (int w = 0; w < m.windows; ++w)
      if (window const& v = m.window_at[w]; v.inner == g.rank - 1) {
        size const depth = g.extents[v.inner], columns = g.extents[v.outer];
        return !depth.fixed() || !columns.fixed() || kernel::runs_along(depth.k, columns.k);
      }
    return false;
  }
};
// Group G of a plan as a kernel type, which does not mention the plan.
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
  template <int... R, int... J> static auto only(std::integer_sequence<int, R...>, std::integer_sequence<int, J...>)
      -> kernel::opaque<typename ops::op_at<own.steps[0].op>::type, kernel::types<type_of<own.slots[g.inputs + R].type>...>,
                        kernel::types<type_of<own.slots[J].type>...>>;
  static auto whole() {
    if constexpr (g.kind == kernel_kind::opaque && ops::is_region(own.steps[0].op)) return std::type_identity<kernel::region>{};
    else if constexpr (g.kind == kernel_kind::opaque)
      return std::type_identity<decltype(only(std::make_integer_sequence<int, g.operands.n - g.inputs>{},
                                              std::make_integer_sequence<int, g.inputs>{}))>{};
    else {
      using slots_ = decltype(slots(std::make_integer_sequence<int, g.operands.n>{}));
      using steps_ = decltype(steps(std::make_integer_sequence<int, g.steps.n>{}));
      if constexpr (g.kind == kernel_kind::pointwise) return std::type_identity<kernel::pointwise<slots_, steps_>>{};
      else if constexpr (g.kind == kernel_kind::rows) return std::type_identity<kernel::rows<slots_, steps_, g.phases>>{};
      else if constexpr (g.mapped) return std::type_identity<kernel::mapped_product<type_of<product_type()>, slots_, steps_>>{};
      else return std::type_identity<kernel::product<type_of<product_type()>, slots_, steps_>>{};
    }
  }
  using type = typename decltype(whole())::type;
};

}  // namespace SINTER_ISA
}  // namespace sinter
