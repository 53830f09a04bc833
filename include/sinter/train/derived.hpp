// SPDX-License-Identifier: Apache-2.0
// The gradients of the operands of one call: a plan of the build, by the rules of compiled networks.
#pragma once
#include <array>
#include <cstdint>

#include "../nd/planned.hpp"
#include "../ops/gradient.hpp"
#include "../passes/differentiate.hpp"
#include "../plan/program.hpp"

namespace sinter::autograd::inline SINTER_ISA {

// The gradient of Source, which is the graph of an operation, or of a gradient, of which this is a second one. Inputs: those of Source, then the
// gradient of each of its results of floats. Outputs: the gradient of each input of floats on which these results depend, as far as it is wanted: a bit for each input.
template <class Source, std::uint64_t Wanted> struct derived {
  static constexpr bool never_constant = true;
  struct asked {
    graph g;
    int head = -1;
    list<int> x;
  };
  static constexpr asked ask() {
    asked r{passes::differentiate(Source::whole()), -1, {}};
    graph& g = r.g;
    int const inputs = g.inputs;
    for (int o = 0; o < g.outputs.size(); ++o) {
      int const y = g.outputs[o];
      if (!is_floating(g.nodes[y].type.type)) continue;
      node k;
      k.op = &input_op;
      k.type = g.nodes[y].type;
      k.index = g.inputs++;
      std::int64_t const every = (std::int64_t{1} << k.type.shape.rank) - 1;
      int const d = g.append(k), part = ops::make<ops::sum>(g, {every, false}, ops::make<ops::multiply>(g, y, d));
      r.head = r.head < 0 ? part : ops::make<ops::add>(g, r.head, part);
    }
    for (int j = 0; j < inputs; ++j) {
      if (j < 64 && !((Wanted >> j) & 1)) continue;
      for (int i = 0; i < g.nodes.size(); ++i)
        if (g.is(i, input_op) && g.nodes[i].index == j && is_floating(g.nodes[i].type.type)) {
          list<int> x;
          x.push(i);
          if (ops::independent(g, r.head, x) < 0) r.x.push(i);
        }
    }
    return r;
  }
  // True for each of the first N inputs that gets a gradient.
  template <std::size_t N> static constexpr std::array<bool, N> inputs_given() {
    std::array<bool, N> r{};
    asked const all = ask();
    for (int i : all.x) r[static_cast<std::size_t>(all.g.nodes[i].index)] = true;
    return r;
  }
  template <std::size_t N> static constexpr std::array<bool, N> gives = inputs_given<N>();
  // The operation through which there is no gradient yet, or null.
  static constexpr op_info const* missing() {
    asked const r = ask();
    return ops::without_gradient(r.g, r.head, r.x);
  }
  static constexpr graph whole() {
    asked r = ask();
    list<int> in;
    in.push(r.head);
    for (int i : r.x) in.push(i);
    inferred why;
    int const n = r.x.size(), made = r.g.apply(ops::info<ops::gradient>, {in.data(), n + 1}, pack(ops::gradient::attributes{n}), why);
    r.g.outputs.shrink(0);
    for (int i = 0; i < n; ++i) r.g.outputs.push(r.g.result(made, i));
    return std::move(r.g);
  }
  static constexpr plan make() {
    graph g;  // a name, because nvcc forgets to destroy a temporary here
    g = whole();
    return make_plan(std::move(g));
  }
  static constexpr graph_sizes bounds = passes::bound_of(whole());
};

}  // namespace sinter::autograd::inline SINTER_ISA
