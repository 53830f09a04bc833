// SPDX-License-Identifier: Apache-2.0
// The states that a compiled call assigns: held while it runs, and left with their next values.
#pragma once
#include <mutex>

#include "compiled.hpp"
#include "values.hpp"

namespace sinter::detail::inline SINTER_ISA {

// C: the compiled network. Its last results are the states' next values, which are written over the old ones where the plan allows it, else
// beside them, and change places with them when all kernels have run. The call holds the states from its beginning to its end, but for those of
// an instance, which nobody else changes. `Alone`: it is a call of one.
template <class C, class Device, bool Alone, int N = C::states> class state_writer {
  using P = typename C::program_type;
  static constexpr int first = P::sizes.results - N;
  static constexpr array_type const& type_of_state(int i) { return P::plan.results.items[first + i]; }

 public:
  // Finds the states, and throws where one has another shape than what it is assigned.
  template <class M> state_writer(M const& net, executor::prepared<P>& values) : values_(values) {
    if constexpr (!Alone) calls_ = std::unique_lock(values.calls);
    if (!is_renewed(values) || !values.changing[0]) find(net);
    std::ptrdiff_t n = 0;
    for (int i = 0; i < N; ++i)
      if (!values_.changing[i]->is_alone()) others_[n++] = values_.changing[i];
    hold_.take(others_, n);
  }
  state_writer(state_writer const&) = delete;
  state_writer& operator=(state_writer const&) = delete;
  // Where kernels write the next values: behind the results of the network.
  void place(std::byte** to) {
    each([&]<class T>(executor::value<T>& v, int i, std::size_t n) {
      to_[i] = to[first + i] = reinterpret_cast<std::byte*>(v.template for_next<Device>(n, P::plan.updates[i].in_place));
    });
  }
  // All kernels have run.
  void assign() {
    bool elsewhere = false;
    each([&]<class T>(executor::value<T>& v, int i, std::size_t) {
      elsewhere |= v.template take_next<Device>(reinterpret_cast<T const*>(to_[i]));
      if (int const number = P::plan.updates[i].number; number >= 0) values_.values[number] = to_[i];
    });
    if (!elsewhere) return;
    std::uint64_t before = executor::value_epoch.fetch_add(1, std::memory_order_release);
    values_.epoch.compare_exchange_strong(before, before + 1);  // this plan knows it already
  }

 private:
  executor::prepared<P>& values_;
  std::unique_lock<executor::any_value> calls_;
  executor::any_value* others_[N];  // that are no instance's
  executor::held_values hold_;
  std::byte* to_[N];

  template <class F> void each(F const& f) {
    for (int i = 0; i < N; ++i)
      with_type(type_of_state(i).type, [&]<class T>(T*) {
        f(static_cast<executor::value<T>&>(*values_.changing[i]), i, static_cast<std::size_t>(type_of_state(i).shape.size()));
      });
  }
  template <class M> SINTER_NOINLINE void find(M const& net) {
    int visited = 0;
    auto const note = [&](auto const& p, std::string_view) {
      for (int i = 0; i < N; ++i)
        if (P::plan.updates[i].parameter == visited) values_.changing[i] = &p.value_in(type_of_state(i).shape);
      ++visited;
    };
    nn::visit_parameters(net, note, nn::detail::ignore_blocks{}, false);
    visited = 0;
    // Its plan knows them as two, and would read what the other one was before.
    auto const meet = [&](auto const& p, std::string_view) {
      for (int i = 0; i < N; ++i)
        if (P::plan.updates[i].parameter != visited && p.is(values_.changing[i]))
          throw parameter_error(
              "sinter: two states of this network share their values, and it assigns one of them; in a compiled network "
              "make them one member");
      ++visited;
    };
    nn::visit_parameters(net, meet, nn::detail::ignore_blocks{}, false);
  }
};
// A network without states pays for none of it.
template <class C, class Device, bool Alone> class state_writer<C, Device, Alone, 0> {
 public:
  template <class M> state_writer(M const&, executor::prepared<typename C::program_type>&) {}
  void place(std::byte**) {}
  void assign() const {}
};

}  // namespace sinter::detail::inline SINTER_ISA
