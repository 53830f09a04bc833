// SPDX-License-Identifier: Apache-2.0
// A step of training as one compiled network.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <tuple>

#include "../compile/hybridized.hpp"
#include "progress.hpp"
#include "step_block.hpp"

namespace sinter::train {
namespace detail {
// The step of an optimizer that was refused: calls of it add no sentence to the one that said so.
struct refused_step {
  template <class... X> nd::tensor<float, shape<>> operator()(X const&...) const { return {}; }
};
}  // namespace detail

#define SINTER_SAY_LABELS                                                                                                          \
  "sinter: the labels of this loss are integers, each a class from 0 on, and these are floats; sinter::cast(y, as<std::int64_t>) " \
  "converts them"
// step(x, y) gives the mean loss, as it was before the update. Its states are those of the trainer.
template <class Block, class Fast, class Progress> class step {
 public:
  step(Block const& b, Fast const& fast, std::shared_ptr<Progress> progress) : block_(b), fast_(fast), progress_(std::move(progress)) {}

  template <class... X> auto operator()(X const&... x) {
    static_assert(Block::template takes<X...>(), SINTER_SAY_LABELS);
    if constexpr (Block::template takes<X...>()) {
      Block::check(unmarked(x)...);
      return run([&] { return [this](auto const&... u) { return fast_(u...); }(unmarked(x)...); });
    } else return nd::tensor<float, shape<>>{};
  }
  // Into nd::out(loss), a tensor of one number: then nothing is allocated.
  template <class... X>
    requires(sizeof...(X) > 1 && nd::is_out<std::tuple_element_t<sizeof...(X) - 1, std::tuple<X...>>>)
  void operator()(X const&... x) {
    into(std::make_index_sequence<sizeof...(X) - 1>{}, std::tie(x...));
  }
  template <class... X> static std::string report() { return Fast::template report<X...>(); }
  template <class... X> static std::string report(X const&...) { return Fast::template report<X...>(); }
  template <class... X> static std::string dot() { return Fast::template dot<X...>(); }
  template <class... X> static std::string dot(X const&...) { return Fast::template dot<X...>(); }

 private:
  Block block_;
  Fast fast_;
  std::shared_ptr<Progress> progress_;

  template <std::size_t... I, class All> void into(std::index_sequence<I...>, All const& x) {
    constexpr bool takes = Block::template takes<std::remove_cvref_t<std::tuple_element_t<I, All>>...>();
    static_assert(takes, SINTER_SAY_LABELS);
    if constexpr (takes) {
      Block::check(unmarked(std::get<I>(x))...);
      run([&] {
        [&](auto const&... u) { fast_(u..., std::get<sizeof...(I)>(x)); }(unmarked(std::get<I>(x))...);
        return 0;
      });
    }
  }
  // The rates are numbers in memory, which the plan reads.
  template <class Run> auto run(Run const& run) {
    progress_->check_wanted();
    progress_->check_rates();
    using T = typename Block::number_type;
    constexpr auto width = static_cast<std::size_t>(Progress::numbers);
    std::array<T, static_cast<std::size_t>(Progress::count) * width> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Progress::count); ++i) {
      auto const of_one = progress_->numbers_of(i);
      for (std::size_t k = 0; k < width; ++k) all[i * width + k] = of_one[k];
    }
    block_.numbers.assign(Block::numbers_type::declared_shape::value, all.data());
    auto const y = run();
    ++progress_->updates;
    return y;
  }
};
#undef SINTER_SAY_LABELS

}  // namespace sinter::train

namespace sinter::detail::inline SINTER_ISA {
template <class Block, class Fast, class Progress> struct rewritten_of<train::step<Block, Fast, Progress>> : rewritten_of<Fast> {};
}  // namespace sinter::detail::inline SINTER_ISA
