// SPDX-License-Identifier: Apache-2.0
// F.gradient and F.value_and_gradient, in compiled networks and eagerly. Those of symbols, and sym::gradient, are in symbol/gradient.hpp.
#pragma once
#include "compile/hybridized.hpp"
#include "sym/gradient.hpp"
#include "train/recording.hpp"

namespace sinter {
namespace autograd::inline SINTER_ISA {

template <class Mode, class Function, class... X> auto differentiated_by(Mode const& F, Function const& f, X const&... x) {
  using inner = recording_functions<Mode>;
  auto const calls = std::make_shared<history>();
  struct ending {  // also where f throws
    history& of;
    ~ending() { of.end(); }
  } const end{*calls};
  std::tuple const own{recorded(F.template call<ops::identity>(x), calls, calls->begin())...};  // elements of its own: x may change in f
  auto const y = std::apply(f, own);
  using Y = std::remove_cvref_t<decltype(y)>;
  if constexpr (!ops::is_differentiable<Y>()) return ops::unchanged(x...);
  else {
    inner const G(F, calls);
    int const head = G.id_of(y);
    std::vector<char> const needed = head < 0 ? std::vector<char>(sizeof...(X), 0) : calls->needed_for(head);
    for (std::size_t i = 0; i < sizeof...(X); ++i)
      if (!needed[i])
        throw error("sinter: a gradient is asked for with respect to operand " + std::to_string(i + 1) +
                    " of a function, on which the number that it gives does not depend");
    auto const value = G.lower(y);
    calls->backward(head, F.template call<ops::ones_like>(value));
    auto const slope = [&]<class A>(recorded<A> const& v) {
      A const* const d = calls->gradient<A>(v.id());
      if (!d) return A(as_type<A>(F.template call<ops::zeros_like>(v.value())));
      if constexpr (nd::is_tensor<A>)
        if (d->owner().is_shared()) return A(d->copy());  // a gradient of one's own may be that of two
      return *d;
    };
    return std::tuple(value, std::apply([&](auto const&... v) { return ops::one_or_all(slope(v)...); }, own));
  }
}
template <class Mode, class Function, class... X> auto differentiated(Mode const& F, Function const& f, X const&... x) {
  constexpr bool takes = std::is_invocable_v<Function const&, recorded<X> const&...>;
  static_assert(takes,
                "sinter: the function of gradient is called with tensors that are recorded, which have a type of their own; write its "
                "parameters with auto: [&](auto v) { return F.sum(v * v); }");
  if constexpr (!takes) return ops::unchanged(x...);
  else return differentiated_by(F, f, x...);
}

}  // namespace autograd::inline SINTER_ISA
namespace nd::inline SINTER_ISA {
template <class Device, class Function, class... X>
auto value_and_gradient_in(functions_on<Device> const& F, Function const& f, X const&... x) {
  if constexpr ((has_own_functions<X> || ...)) return value_and_gradient_in(space_for(in_sinter{}, x...), f, x...);
  else if constexpr (sizeof...(X) == 0 || !(is_eager<X> && ...)) {
    static_cast<void>(ops::takes_operands<Function, false, X...>());
    return ops::unchanged(x...);
  } else return autograd::differentiated(F, f, x...);
}
template <class Device, class Forward, class Backward, class... X>
constexpr auto with_gradient_in(functions_on<Device> const&, Forward const& forward, Backward const& backward, X const&... x) {
  if constexpr ((has_own_functions<X> || ...)) return with_gradient_in(space_for(in_sinter{}, x...), forward, backward, x...);
  else {
    auto const y = forward(x...);
    if constexpr (is_recorded<std::remove_cvref_t<decltype(y)>>)
      if (y.on()->follows(y.id())) autograd::refuse_captured();
    if constexpr (ops::takes_gradient<Backward, decltype(y), X...>())
      static_cast<void>(ops::gives_gradients<decltype(as_tuple(backward(y, x...))), X...>());
    return y;
  }
}
}  // namespace nd::inline SINTER_ISA
namespace autograd::inline SINTER_ISA {
template <class Mode, class Forward, class Backward, class... X>
auto with_gradient_in(recording_functions<Mode> const& F, Forward const& forward, Backward const& backward, X const&... x) {
  if constexpr (((nd::recording_depth<X>() > recording_functions<Mode>::depth) || ...))
    return with_gradient_in(space_for(in_sinter{}, x...), forward, backward, x...);
  else return F.noted_own(forward, backward, x...);
}
template <class Mode, class Function, class... X>
auto value_and_gradient_in(recording_functions<Mode> const& F, Function const& f, X const&... x) {
  if constexpr (((nd::recording_depth<X>() > recording_functions<Mode>::depth) || ...))
    return value_and_gradient_in(space_for(in_sinter{}, x...), f, x...);
  else return differentiated(F, f, x...);
}
}  // namespace autograd::inline SINTER_ISA
inline namespace SINTER_ISA {
// In training the function is given marked operands, too.
template <class Mode, class Function, class... X>
constexpr auto value_and_gradient_in(training_functions<Mode> const& F, Function const& f, X const&... x) {
  return training(F.mode.value_and_gradient([&](auto const&... v) { return unmarked_copy(f(training(v)...)); }, unmarked_copy(x)...));
}
template <class Mode, class Forward, class Backward, class... X>
constexpr auto with_gradient_in(training_functions<Mode> const& F, Forward const& forward, Backward const& backward, X const&... x) {
  auto const marked = [](auto const& f) { return [f](auto const&... v) { return unmarked_copy(f(training(v)...)); }; };
  return training(with_gradient_in(F.mode, marked(forward), marked(backward), unmarked_copy(x)...));
}
}  // namespace SINTER_ISA
}  // namespace sinter
