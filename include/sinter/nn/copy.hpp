// SPDX-License-Identifier: Apache-2.0
// A network with parameters of its own, and states as they begin: net.copy() and net.reset_states()
#pragma once
#include <memory>
#include <vector>

#include "block_functions.hpp"
#include "members.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
// Gives each parameter values of its own. Those that share values share the new ones.
class separator {
 public:
  template <class M> void operator()(M& m) {
    if constexpr (is_parameter<M>) separate(m);
    else if constexpr (nd::is_tensor<M>) m = m.copy();
    else if constexpr (compiled_block<M>) {
      auto net = m.network();
      (*this)(net);
      m = M(net);  // not what was prepared from the old parameters
    } else if constexpr (block_like<M>) each_member(m, *this);
  }
  // `alone`: only one thread at a time will use the new ones.
  template <class T> void separate(parameter_of<T>& p, bool alone = false) {
    void const* const before = p.identity();
    for (auto const& [known, made] : met_)
      if (known == before) {
        p = *static_cast<parameter_of<T> const*>(made.get());
        return;
      }
    p.separate(alone);
    met_.emplace_back(before, std::make_shared<parameter_of<T>>(p));
  }

 private:
  std::vector<std::pair<void const*, std::shared_ptr<void>>> met_;
};
// f(state) for each that calls remember. Those of a block that declares `keeps_states` are what it has learned.
template <class M, class F> void each_remembered(M& m, F const& f) {
  using block = std::remove_const_t<M>;
  if constexpr (is_state<block>) f(m);
  else if constexpr (compiled_block<block>) each_remembered(m.network(), f);
  else if constexpr (block_like<block>) {
    auto const one = [&]<class P>(P& part) {
      if constexpr (!is_state<std::remove_const_t<P>> || !requires { block::keeps_states; }) each_remembered(part, f);
    };
    each_member(m, one);
  }
}
}  // namespace detail::inline SINTER_ISA

template <class D> D block_functions<D>::copy() const {
  D made = self();
  detail::separator{}(made);
  return made;
}
template <class D> void block_functions<D>::reset_states() const {
  detail::each_remembered(self(), [](auto const& state) { state.begin_again(); });
}

}  // namespace sinter::nn
