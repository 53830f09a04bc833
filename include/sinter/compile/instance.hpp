// SPDX-License-Identifier: Apache-2.0
// A compiled network with states and memory of its own: auto voice = fast.instance();
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <utility>
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
// The network with other states that calls remember; what its layers have learned it shares, as its parameters.
template <class M> M with_own_states(M const& net) {
  M own = net;
  nn::detail::separator apart;
  nn::detail::each_remembered(own, [&](auto& state) { apart.separate(state, true); });
  return own;
}
template <class M> nn::parameter_dict states_of(M& net) {
  std::vector<void const*> own;
  nn::detail::each_remembered(net, [&](auto& state) { own.push_back(state.identity()); });
  nn::parameter_dict states;
  for (nn::parameter_handle const& p : net.collect_params())
    if (std::find(own.begin(), own.end(), p.identity()) != own.end()) states.add(p);
  return states;
}
template <class X> inline constexpr bool has_fixed_shape = unmarked_t<X>::shape_type::fixed;
template <class... X> inline constexpr bool has_fixed_shape<std::tuple<X...>> = (has_fixed_shape<X> && ...);
}  // namespace detail::inline SINTER_ISA
// The states that calls remember, the memory that they work in and what was prepared of weights are its own; the parameters, and what layers have
// learned, are those of the network that it was made of. One thread at a time calls it; several instances run at once. Behind warm_up() a call with a place for its
// result takes no lock and allocates nothing, in whatever thread, as long as no parameter that it uses changes: so an audio callback or a control
// loop has one.
//   auto voice = fast.instance();   voice.warm_up<shape<1, 64>>();   voice(block, out);
// Parameters must not be changed while an instance runs that uses them. use() gives it others without a pause.
template <class M, class Backend> class instance {
 public:
  SINTER_OWN explicit instance(hybridized<M, Backend> const& fast) : now_(new parts(fast.network())) { reset_states(); }
  SINTER_OWN instance(instance&& o) noexcept : memory_(std::move(o.memory_)) { take(o); }
  SINTER_OWN instance& operator=(instance&& o) noexcept {
    if (this == &o) return *this;
    forget();
    memory_ = std::move(o.memory_);
    take(o);
    return *this;
  }
  instance(instance const&) = delete;  // sinter: another instance is made of the compiled network: fast.instance()
  instance& operator=(instance const&) = delete;
  SINTER_OWN ~instance() { forget(); }

  // As those of the compiled network: voice(x) gives a fresh result, voice(x, out) writes into `out`.
  template <class... A>
    requires(detail::last_of_call<M, A...> == detail::last_argument::clear)
  [[nodiscard]] SINTER_OWN auto operator()(A&&... x) const {
    parts const& now = current();
    detail::in_memory_of const here(*memory_);
    return now.fast(std::forward<A>(x)...);
  }
  template <class... A>
    requires(detail::last_of_call<M, A...> != detail::last_argument::clear)
  SINTER_OWN auto operator()(A&&... x) const {
    parts const& now = current();
    detail::in_memory_of const here(*memory_);
    return now.fast(std::forward<A>(x)...);
  }
  // Makes all that calls with inputs of these types need: shapes (of float inputs) or tensor types. States stay as they are.
  template <class... X> SINTER_OWN void warm_up() const {
    static_assert(sizeof...(X) > 0,
                  "sinter: an instance is warmed up for the types of its inputs, voice.warm_up<shape<1, 64>>(), or with inputs");
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
    std::vector<std::function<void()>> restore;
    for (nn::parameter_handle const& s : network().collect_params())
      if (s.kind() == nn::role::state)
        with_type(s.type(), [&]<class T>(T*) {
          nn::parameter_of<T> const p = s.template as<T>();
          if (p.has_values()) {
            dims const shape = p.shape();
            buffer<T> const values(static_cast<std::size_t>(shape.size()), false);
            std::copy_n(p.storage().data(), shape.size(), values.data());
            restore.push_back([p, shape, values] { p.assign_alone(shape, values.data()); });
          } else restore.push_back([p] { p.begin_again(); });
        });
    static_cast<void>((*this)(x...));
    for (auto const& one : restore) one();
  }
  // Its states become what they begin with.
  SINTER_OWN void reset_states() const { network().reset_states(); }
  // The states by name, as handles: voice.states()["gru.last"].set(h), .data<shape<1, 64>>(), .to_vector()
  SINTER_OWN nn::parameter_dict states() const { return detail::states_of(current().network()); }
  // All of them in a file, as net.save_parameters and load_parameters write and read it.
  SINTER_OWN void save_states(std::string const& path, io::save_options const& options = {}) const {
    nn::save_parameters(states(), path, options);
  }
  SINTER_OWN io::load_result load_states(std::string const& path, io::load_options const& options = {}) const {
    nn::parameter_dict all = states();
    return nn::load_parameters(all, path, options);
  }
  // The next call has the parameters of `net`, and what its layers have learned, and goes on with the states as they are. Weights are prepared
  // here and now, while another thread may run the instance; that one takes them over between two calls, without a lock, and frees nothing. An
  // exception leaves the instance those that it has. This is the one member that another thread than the one that calls may use, one at a time.
  SINTER_OWN void use(M const& net) const {
    parts const& now = whole(now_.load(std::memory_order_acquire));
    forget_before();
    auto next = std::make_unique<parts>(net);
    next->fast.plans().renew_like(now.fast.plans(), &next->fast.network());
    delete next_.exchange(next.release(), std::memory_order_acq_rel);
  }
  template <class Other> SINTER_OWN void use(hybridized<M, Other> const& fast) const { use(fast.network()); }
  SINTER_OWN M const& network() const { return current().fast.network(); }

 private:
  struct parts {
    hybridized<M, detail::alone_on<Backend>> fast;
    std::vector<detail::remembered<M>> states;
    parts* older = nullptr;
    SINTER_OWN explicit parts(M const& net) : fast(detail::with_own_states(net)), states(detail::remembered_in(network())) {}
    SINTER_OWN M& network() { return const_cast<M&>(fast.network()); }
  };
  std::unique_ptr<detail::memory_of<M>> memory_ = std::make_unique<detail::memory_of<M>>();
  mutable std::atomic<parts*> now_{nullptr}, next_{nullptr}, before_{nullptr};  // before_: those that are no longer used

  SINTER_OWN parts& current() const {
    if (next_.load(std::memory_order_relaxed)) take_over();
    return whole(now_.load(std::memory_order_relaxed));
  }
  SINTER_OWN static parts& whole(parts* now) {
    if (!now) throw error("sinter: an instance is called that was moved to another one");
    return *now;
  }
  SINTER_OWN SINTER_NOINLINE void take_over() const {
    parts *const next = next_.exchange(nullptr, std::memory_order_acquire), *const now = now_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < now->states.size(); ++i) now->states[i].swap(*now->states[i].at, *next->states[i].at);
    next->fast.plans().look_again();
    now_.store(next, std::memory_order_release);
    now->older = before_.load(std::memory_order_relaxed);
    while (!before_.compare_exchange_weak(now->older, now, std::memory_order_release)) {}
  }
  SINTER_OWN void take(instance& o) {
    now_ = o.now_.exchange(nullptr);
    next_ = o.next_.exchange(nullptr);
    before_ = o.before_.exchange(nullptr);
  }
  SINTER_OWN void forget() {
    forget_before();
    delete next_.exchange(nullptr);
    delete now_.exchange(nullptr);
  }
  SINTER_OWN void forget_before() const {
    for (parts* p = before_.exchange(nullptr, std::memory_order_acquire); p;) delete std::exchange(p, p->older);
  }
};

inline namespace SINTER_ISA {
template <class M, class Backend> instance<M, Backend> instance_of(in_sinter, hybridized<M, Backend> const& fast) {
  return instance<M, Backend>(fast);
}

}  // namespace SINTER_ISA
}  // namespace sinter
