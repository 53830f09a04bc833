// SPDX-License-Identifier: Apache-2.0
// A compiled network with states and memory of its own: auto voice = fast.instance();
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "../nn/collect.hpp"
#include "../nn/load.hpp"
#include "../nn/save.hpp"
#include "hybridized.hpp"

namespace sinter {
namespace detail::inline SINTER_ISA {
// For the time of a call, this thread works in the memory of an instance.
class in_memory_of {
 public:
  explicit in_memory_of(own_objects& own) : before_(std::exchange(calls_of_this_thread().own, &own)) {}
  in_memory_of(in_memory_of const&) = delete;
  in_memory_of& operator=(in_memory_of const&) = delete;
  ~in_memory_of() { calls_of_this_thread().own = before_; }

 private:
  own_objects* before_;
};
// One state of a network M, by a handle that others may take the place of. Templates, as the next, so that programs without instances do not pay
// for what holds them.
template <class M> struct remembered {
  nn::any_parameter* at;
  void (*swap)(nn::any_parameter&, nn::any_parameter&);
};
template <class M> struct memory_of : own_objects {};
template <class M> std::vector<remembered<M>> remembered_in(M& net) {
  std::vector<remembered<M>> all;
  nn::detail::each_remembered(net, [&](auto& state) {
    using P = nn::parameter_of<typename std::remove_cvref_t<decltype(state)>::value_type>;
    all.push_back(
        {static_cast<P*>(&state), [](nn::any_parameter& a, nn::any_parameter& b) { static_cast<P&>(a).swap(static_cast<P&>(b)); }});
  });
  return all;
}
template <class M> M with_own_states(M const& net) {
  M own = net;
  nn::detail::separator<true>{}(own);
  return own;
}
template <class M> nn::parameter_dict states_of(M const& net) {
  nn::parameter_dict states;
  for (nn::parameter_handle const& p : net.collect_params())
    if (p.kind() == nn::role::state) states.add(p);
  return states;
}
template <class X> inline constexpr bool has_fixed_shape = unmarked_t<X>::shape_type::fixed;
template <class... X> inline constexpr bool has_fixed_shape<std::tuple<X...>> = (has_fixed_shape<X> && ...);
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// What calls remember, what they work in and what was prepared of weights are its own; the parameters are those of the network that it was made
// of. One thread at a time calls it; several instances run at once. Behind warm_up() a call with a place for its result takes no lock and
// allocates nothing, in whatever thread, as long as no parameter of the program changes: so an audio callback or a control loop has one.
//   auto voice = fast.instance();   voice.warm_up<shape<1, 64>>();   voice(block, out);
// Parameters must not be changed while an instance runs that uses them. use() gives it others without a pause.
template <class M, class Backend> class instance {
 public:
  SINTER_OWN explicit instance(M const& net) : now_(new parts(net)) { reset(); }
  SINTER_OWN instance(instance&& o) noexcept
      : memory_(std::move(o.memory_)),
        now_(o.now_.exchange(nullptr)),
        next_(o.next_.exchange(nullptr)),
        before_(o.before_.exchange(nullptr)) {}
  instance& operator=(instance&&) = delete;
  SINTER_OWN ~instance() {
    forget_before();
    delete next_.load();
    delete now_.load();
  }

  // As those of the compiled network: voice(x) gives a fresh result, voice(x, out) writes into `out`.
  template <class... A>
    requires(detail::last_of_call<M, A...> == detail::last_argument::clear)
  [[nodiscard]] SINTER_OWN auto operator()(A&&... x) const {
    detail::in_memory_of const here(*memory_);
    return current().fast(std::forward<A>(x)...);
  }
  template <class... A>
    requires(detail::last_of_call<M, A...> != detail::last_argument::clear)
  SINTER_OWN auto operator()(A&&... x) const {
    detail::in_memory_of const here(*memory_);
    return current().fast(std::forward<A>(x)...);
  }
  // Makes all that calls with inputs of these types need: shapes (of float inputs) or tensor types. States stay as they are.
  template <class... X>
    requires(sizeof...(X) > 0)
  SINTER_OWN void warm_up() const {
    constexpr bool fixed = (detail::has_fixed_shape<input_tensor_t<X>> && ...);
    static_assert(fixed,
                  "sinter: an instance is warmed up for shapes without dynamic dimensions; for others it is given inputs of the largest "
                  "extents that will come: voice.warm_up(x)");
    if constexpr (fixed) warm_up(input_tensor_t<X>{}...);
  }
  // The same with inputs like those that will come.
  template <class... X>
    requires(sizeof...(X) > 0)
  SINTER_OWN void warm_up(X const&... x) const {
    M const before = detail::with_own_states(network());
    static_cast<void>((*this)(x...));
    nn::parameter_dict const then = detail::states_of(before);
    for (nn::parameter_handle const& s : states())
      with_type(s.type(), [&]<class T>(T*) {
        auto& p = s.template as<T>();
        auto const& old = then[s.name()].template as<T>();
        if (old.has_values()) p.assign(old.shape(), old.storage().data());
        else p.begin_again();
      });
  }
  // States become what they begin with; what layers have learned stays.
  SINTER_OWN void reset() const { network().reset_states(); }
  // The states by name, as handles: voice.states()["gru.last"].set(h), .data<shape<1, 64>>(), .to_vector()
  SINTER_OWN nn::parameter_dict states() const { return detail::states_of(network()); }
  // All of them in a file, as net.save_parameters and load_parameters write and read it.
  SINTER_OWN void save_states(std::string const& path, io::save_options const& options = {}) const {
    nn::save_parameters(states(), path, options);
  }
  SINTER_OWN void load_states(std::string const& path) const {
    nn::parameter_dict all = states();
    nn::load_parameters(all, path);
  }
  // The next call has the parameters of `net`, and what its layers have learned, and goes on with the states as they are. Weights are prepared
  // here and now, while another thread may run the instance; that one takes them over between two calls, without a lock, and frees nothing.
  // One thread at a time gives an instance other parameters.
  SINTER_OWN void use(M const& net) {
    forget_before();
    auto next = std::make_unique<parts>(net);
    next->fast.plans().renew_like(now_.load(std::memory_order_acquire)->fast.plans(), &next->fast.network());
    delete next_.exchange(next.release(), std::memory_order_acq_rel);
  }
  SINTER_OWN M const& network() const { return current().fast.network(); }

 private:
  struct parts {
    hybridized<M, detail::alone_on<Backend>> fast;
    std::vector<detail::remembered<M>> states;
    parts* older = nullptr;
    SINTER_OWN explicit parts(M const& net)
        : fast(detail::with_own_states(net)), states(detail::remembered_in(const_cast<M&>(fast.network()))) {}
  };
  std::unique_ptr<detail::memory_of<M>> memory_ = std::make_unique<detail::memory_of<M>>();
  mutable std::atomic<parts*> now_, next_{nullptr}, before_{nullptr};  // before_: those that are no longer used

  SINTER_OWN parts& current() const {
    if (next_.load(std::memory_order_relaxed)) take_over();
    return *now_.load(std::memory_order_relaxed);
  }
  SINTER_OWN SINTER_NOINLINE void take_over() const {
    parts *const next = next_.exchange(nullptr, std::memory_order_acquire), *const now = now_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < now->states.size(); ++i) now->states[i].swap(*now->states[i].at, *next->states[i].at);
    next->fast.plans().look_again();
    now_.store(next, std::memory_order_release);
    now->older = before_.load(std::memory_order_relaxed);
    while (!before_.compare_exchange_weak(now->older, now, std::memory_order_release)) {}
  }
  SINTER_OWN void forget_before() {
    for (parts* p = before_.exchange(nullptr, std::memory_order_acquire); p;) delete std::exchange(p, p->older);
  }
};

template <class M, class Backend> instance<M, Backend> instance_of(in_sinter, hybridized<M, Backend> const& fast) {
  return instance<M, Backend>(fast.network());
}

}  // namespace SINTER_ISA
}  // namespace sinter
