// SPDX-License-Identifier: Apache-2.0
// State that the eager and compiled steps of a trainer share: the network, rates, optimizer state, and the number of updates.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../nn/collect.hpp"
#include "trained.hpp"

namespace sinter::train::detail {

template <class Net, class Optimizer, class Which> struct progress {
  using trained_type = trained<Net, Which>;
  static constexpr int count = trained_type::count, numbers = number_count<Optimizer>, slots = slot_count<Optimizer>;
  Net net;
  Optimizer how;
  kept<Net, Optimizer, Which> states;
  std::int64_t updates = 0;
  static constexpr double largest = std::numeric_limits<double>::max();
  std::array<double, static_cast<std::size_t>(count)> rate_times, decay_times;

  progress(Net const& n, Optimizer const& o) : net(n), how(o) {
    rate_times.fill(1);
    decay_times.fill(1);
  }
  // Throws before anything is updated.
  void check_rates() const {
    auto const check = [](double v, char const* what) {
      if (!(v >= 0 && v <= largest))
        throw error("sinter: the " + std::string(what) + " of a trainer must be a finite number of at least 0; it is " + std::to_string(v));
    };
    check(how.learning_rate, "learning rate");
    check(how.weight_decay, "weight decay");
    for (double const v : rate_times) check(v, "factor of a learning rate, set_lr_mult,");
    for (double const v : decay_times) check(v, "factor of a weight decay, set_wd_mult,");
  }
  // The numbers of the next update of parameter i, in the precision of a compiled step.
  auto numbers_of(std::size_t i) const {
    auto const exact = numbers_for<Optimizer>(how.learning_rate * rate_times[i], how.weight_decay * decay_times[i], updates + 1);
    std::array<typename trained_type::number_type, static_cast<std::size_t>(numbers)> r;
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = static_cast<typename trained_type::number_type>(exact[k]);
    return r;
  }
  // f(parameter, its name, which of those that are trained)
  template <class F> void each(F const& f, bool names) {
    int visited = 0;
    std::size_t next = 0;
    nn::visit_parameters(
        net,
        [&]<class T>(nn::parameter_of<T>& p, std::string_view name, dims const& declared) {
          if (next < trained_type::list.size() && trained_type::list[next].visited == visited) {
            if constexpr (is_floating(dtype_of<T>)) f(p, name, declared, next);
            ++next;
          }
          ++visited;
        },
        nn::detail::ignore_blocks{}, names);
  }
  // Throws where a parameter wants no gradient: a compiled step trains it.
  void check_wanted() {
    bool all = true;
    each([&](auto const& p, std::string_view, dims const&, std::size_t) { all = all && p.get_grad_req() != grad_req::null; }, false);
    if (all) return;
    each(
        [](auto const& p, std::string_view name, dims const&, std::size_t) {
          if (p.get_grad_req() == grad_req::null)
            throw parameter_error(
                "sinter: parameter " + std::string(name) +
                " wants no gradient (grad_req::null), and a compiled step trains it; train::only<\"...\"> leaves parameters out");
        },
        true);
  }
  // f(state, its number): slot j of parameter i has the number i * slots + j.
  template <class F> void each_state(F const& f) {
    int number = 0;
    nn::visit_parameters(states, [&](auto& p, std::string_view) { f(p, number++); }, nn::detail::ignore_blocks{}, false);
  }
  using count_type = nn::basic_state<std::int64_t, shape<>>;
  // The arrays of a states file: `hidden.weight.mean`, ..., and the number of updates, in `made`.
  nn::parameter_dict saved(count_type& made) {
    made.set(dims{}, &updates);
    std::vector<std::string> name;
    std::vector<dims> extents;
    each(
        [&](auto const& p, std::string_view n, dims const& declared, std::size_t) {
          name.emplace_back(n);
          extents.push_back(p.shape().rank < 0 ? declared : p.shape());
        },
        true);
    nn::parameter_dict all;
    if constexpr (slots > 0)
      each_state([&](auto& p, int number) {
        auto const i = static_cast<std::size_t>(number / slots);
        if (!p.has_values() && extents[i].fixed()) p.use(extents[i]);
        all.add(name[i] + "." + std::string(Optimizer::slots[static_cast<std::size_t>(number % slots)]), p, extents[i]);
      });
    all.add("updates", made, dims{});
    return all;
  }
};

}  // namespace sinter::train::detail
