// SPDX-License-Identifier: Apache-2.0
// The parameters of a network's layers as those of one of its plans.
#pragma once
#include <iostream>
#include <utility>

#include "../graph/print.hpp"
#include "../run/body.hpp"
#include "../run/prepared_plans.hpp"
#include "../run/workspace.hpp"
#include "signature.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Whether a plan has parameters of this type: code for others would never run.
template <class P, class T>
inline constexpr bool has_parameters = [] {
  for (array_type const& t : P::plan.parameter_types)
    if (t.type == dtype_of<T>) return true;
  return false;
}();

// Which parameters of a plan something is prepared from. Others, states above all, may change without that.
template <class P> struct prepared_parameters {
  bool has[P::sizes.parameters + 1]{};
  constexpr prepared_parameters() {
    for (preparation const& w : P::plan.preparations) {
      buffer_info const& f = P::plan.buffers[P::plan.operands[P::plan.groups[w.group].operands.at + w.operand].buffer];
      if (f.where == storage::parameter) has[f.index] = true;
    }
    for (group const& q : P::plan.groups)
      for (int j = 0; q.once && j < q.inputs; ++j)
        if (buffer_info const& f = P::plan.buffers[P::plan.operands[q.operands.at + j].buffer]; f.where == storage::parameter)
          has[f.index] = true;
  }
};
// Notes where all parameters of the plan are, and whether one has changed that something is prepared from. No name is put together while
// nothing is wrong: that would allocate.
template <class P, class Device, class M> void find_values(M const& net, executor::prepared<P>& to, bool& changed) {
  static constexpr prepared_parameters<P> prepared{};
  int visited = 0, wrong = -1;
  error* why = nullptr;
  auto const look = [&]<class T>(nn::parameter_of<T> const& p, std::string_view name) {
    if (visited == wrong) why->set_layer(std::string(name));
    if constexpr (has_parameters<P, T>)
      for (int i = 0; i < P::sizes.parameters && !why; ++i) {
        if (P::plan.parameter_at[i] != visited) continue;
        dims const& shape = P::plan.parameter_types[i].shape;
        executor::value<T>& v = p.value_in(shape);
        if (prepared.has[i]) v.watch();
        T* const at = v.template on<Device>(static_cast<std::size_t>(shape.size())).data();
        bool const moved = to.note(i, reinterpret_cast<std::byte*>(at), v.version());
        changed = changed || (moved && prepared.has[i]);
      }
    ++visited;
  };
  try {
    nn::visit_parameters(net, look, nn::detail::ignore_blocks{}, false);
  } catch (error& e) {
    why = &e;
    wrong = std::exchange(visited, 0);
    nn::visit_parameters(net, look);
    e.set_where(&net, &nn::type_tag<M>);  // a plain block around it puts the way to it in front
    throw;
  }
}

// F.print, of which a compiled network says once what it would show.
inline void announce_prints_of(graph const& g) {
  for (print_note const& p : g.prints) {
    array_type const type = g.nodes[p.node].type;
    std::cout << g.str(p.label) << " <symbol " << p.node << ' ' << name_of(type.type) << ' ' << to_string(type.shape, g.dimensions)
              << ">\n";
  }
}
template <class C> void announce_prints() {
  if constexpr (C::measured.prints) {
    graph const g = C::traced();
    announce_prints_of(g);
    for (graph const& body : g.bodies) announce_prints_of(body);
  }
}

inline bool is_renewed(auto const& values) {
  return values.epoch.load(std::memory_order_acquire) == executor::value_epoch.load(std::memory_order_acquire);
}
// Brings what program P needs of the network's parameters up to date: some parameter, somewhere, has changed since it last ran, or it never
// did. `f`: the program at the dimensions of a call.
template <class C, class Device, class M, class P> SINTER_NOINLINE void renew_values(M const& net, executor::prepared<P>& values,
                                                                                     auto const& f) {
  executor::renew<Device>(values, f, [&](bool& changed) { find_values<P, Device>(net, values, changed); });
}
template <class P, class Backend> geometry<P> const& numbers_of(binding const& b) {
  if constexpr (P::fixed) return P::fixed_numbers();
  else {
    auto& w = executor::workspace_of<P, Backend>();
    auto const& g = w.numbers_at(b);
    if (w.bytes < 0) w.bytes = 0;  // its numbers are known; a body has no arena of its own
    return g;
  }
}
// Makes for other parameters what an instance needs of them.
template <class C, class P, class Device, class Backend, class M> void renew_in(void const* net, executor::prepared_plans& to,
                                                                                binding const& at) {
  auto* values = to.template find<P, Backend>();
  if (!values) values = to.template add<P, Backend>([] {}, &renew_in<C, P, Device, Backend, M>, &at);
  renew_values<C, Device>(*static_cast<M const*>(net), *values, executor::instance<P, Backend>(numbers_of<P, Backend>(at)));
}
// What is kept for program P of C, made with its first call. `Alone`: by an instance, which one thread uses at a time.
template <class C, class P, class Device, class Backend, bool Alone, class M>
executor::prepared<P>& kept_for(executor::prepared_plans& plans, [[maybe_unused]] binding const& b) {
  if (auto* const known = plans.template find<P, Backend>()) return *known;
  std::lock_guard const hold(plans.lock);
  if (auto* const known = plans.template find<P, Backend>()) return *known;
  if constexpr (Alone) return *plans.template add<P, Backend>(&announce_prints<C>, &renew_in<C, P, Device, Backend, M>, &b);
  else return *plans.template add<P, Backend>(&announce_prints<C>);
}
template <class C, class Device, bool Alone, class M, class P> void bring_up_to_date(M const& net, executor::prepared_plans& plans,
                                                                                     executor::prepared<P>& values, auto const& f) {
  if (is_renewed(values)) return;
  if constexpr (Alone) renew_values<C, Device>(net, values, f);
  else {
    std::lock_guard const hold(plans.lock);
    renew_values<C, Device>(net, values, f);
  }
}

// A body of a network's control flow has parameters of the network, which are found and prepared as those of the whole.
template <class C, int I> struct body_of {
  using program_type = executor::body_program<typename C::program_type, I>;
  static constexpr measurement measured{};  // prints are announced by the whole network
};
template <class C, class Device, class Backend, bool Alone, class M>
void find_values_of_bodies(M const& net, executor::prepared_plans& plans, binding const& b, executor::body_values* to) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    auto const one = [&]<int K>(std::integral_constant<int, K>) {
      using B = typename body_of<C, K>::program_type;
      binding const at = with_computed(B::plan.dimensions, b);
      auto& values = kept_for<body_of<C, K>, B, Device, Backend, Alone, M>(plans, at);
      geometry<B> const& numbers = numbers_of<B, Backend>(at);
      bring_up_to_date<body_of<C, K>, Device, Alone>(net, plans, values, executor::instance<B, Backend>(numbers));
      to[K] = {values.values, values.made, &numbers};
    };
    (one(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, C::bodies>{});
}

}  // namespace sinter::detail::inline SINTER_ISA
