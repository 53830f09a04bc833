// SPDX-License-Identifier: Apache-2.0
// How a compiled call leaves new values in the states that its network assigns.
#pragma once
#include <memory>

#include "compiled.hpp"
#include "overlap.hpp"

namespace sinter::detail::inline SINTER_ISA {

// C: the compiled network. Its last results are the states' new values. Where kernels still read the old ones, these are written beside the
// arena, and copied when all kernels have run. Such calls run one after the other, in the whole program.
template <class C, int N = C::states> class state_writer {
  using P = typename C::program_type;
  static constexpr int first = P::sizes.results - N;
  static constexpr array_type const& type_of_state(int i) { return P::plan.results.items[first + i]; }
  static constexpr std::int64_t bytes_of_state(int i) { return type_of_state(i).shape.size() * bytes_of(type_of_state(i).type); }
  static constexpr std::int64_t room_for(int i) { return (bytes_of_state(i) + arena_alignment - 1) / arena_alignment * arena_alignment; }

 public:
  static constexpr std::int64_t bytes = [] {
    std::int64_t n = 0;
    for (int i = 0; i < N; ++i) n += room_for(i);
    return n;
  }();
  // Finds the states, and throws where one has another shape than what it is assigned.
  template <class M> explicit state_writer(M const& net) : hold_(nn::state_assignments) {
    int visited = 0;
    std::uint64_t const call = ++nn::calls_that_assign;
    auto const note = [&](auto const& p, std::string_view) {
      bool assigned = false;
      for (int i = 0; i < N; ++i)
        if (P::plan.updates[i].parameter == visited) {
          p.use(type_of_state(i).shape);
          who_[i] = &p;
          assigned = true;
        }
      // Its plan knows them as two, and would read what the other one was before.
      if (p.meet_in_call(call, assigned))
        throw parameter_error(
            "sinter: two states of this network share their values, and it assigns one of them; in a compiled network "
            "make them one member");
      ++visited;
    };
    nn::visit_parameters(net, note, nn::detail::ignore_blocks{}, false);
  }
  // Where kernels write the new values: over the old ones, or into `memory`, behind the results of the network.
  template <class Device> void place(std::byte** to, std::byte* memory) {
    for (int i = 0; i < N; ++i) {
      from_[i] = to[first + i] = memory;
      memory += room_for(i);
      if constexpr (Device::is_host) {
        if (!P::plan.updates[i].in_place) continue;
        with_type(type_of_state(i).type, [&]<class T>(T*) {
          auto const& p = *static_cast<nn::parameter_of<T> const*>(who_[i]);
          if (T* const values = p.values_in_place(type_of_state(i).shape)) {
            to[first + i] = reinterpret_cast<std::byte*>(values);
            from_[i] = nullptr;
          }
        });
      }
    }
  }
  template <class Device> void assign() const {
    for (int i = 0; i < N; ++i)
      with_type(type_of_state(i).type, [&]<class T>(T*) {
        auto const& p = *static_cast<nn::parameter_of<T> const*>(who_[i]);
        auto const* const values = reinterpret_cast<T const*>(from_[i]);
        if (!values) return p.written_in_place();
        if constexpr (Device::is_host) p.assign(type_of_state(i).shape, values);
        else {
          auto const n = static_cast<std::size_t>(type_of_state(i).shape.size());
          buffer<T> const here(n, false);
          Device::copy(here.data(), values, n * sizeof(T));
          Device::wait();
          p.assign(type_of_state(i).shape, here.data());
        }
      });
  }

 private:
  std::lock_guard<std::mutex> hold_;
  void const* who_[N]{};
  std::byte const* from_[N]{};
};
// A network without states pays for none of it.
template <class C> class state_writer<C, 0> {
 public:
  static constexpr std::int64_t bytes = 0;
  template <class M> explicit state_writer(M const&) {}
  template <class Device> void place(std::byte**, std::byte*) {}
  template <class Device> void assign() const {}
};

}  // namespace sinter::detail::inline SINTER_ISA
