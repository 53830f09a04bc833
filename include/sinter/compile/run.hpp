// SPDX-License-Identifier: Apache-2.0
// One call of a compiled network: its tensors as what run/ is given.
#pragma once
#include "../nn/labels.hpp"
#include "../run/bind.hpp"
#include "../run/constant.hpp"
#include "../run/workspace.hpp"
#include "overlap.hpp"
#include "states.hpp"
#include "values.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Refuses labels of a loss in training that are no class.
template <class C, class... X> constexpr void check_classes([[maybe_unused]] X const&... x) {
  constexpr bool all_noted = C::measured.labels <= measurement::most_labels;
  static_assert(all_noted,
                "sinter: a network has at most eight inputs that are labels of softmax_cross_entropy_loss; stack predictions over the same "
                "classes, which then have one label");
  if constexpr (all_noted && C::measured.labels > 0) {
    int input = 0;
    (each_part(x,
               [&](auto const& part) {
                 for (int i = 0; i < C::measured.labels; ++i)
                   if (C::measured.label[i] == input) nn::detail::check_labels(part, C::measured.classes[i]);
                 ++input;
               }),
     ...);
  }
}
// The dynamic dimensions, from the inputs' extents.
template <class P, class... X> constexpr binding bind_inputs(X const&... x) {
  if constexpr (P::fixed) return {};
  else {
    dims actual[(tensors_in<X>() + ... + 0) + 1]{}, typed[(tensors_in<X>() + ... + 0) + 1]{};
    int n = 0;
    auto const note = [&]<class T, class S, class D>(nd::tensor<T, S, D> const& t) {
      typed[n] = S::value;
      actual[n++] = t.shape();
    };
    (each_tensor(x, note), ...);
    return executor::bind(P::plan, actual, typed, n);
  }
}
template <class P, class Out> constexpr void check_given(binding const& b, Out const& out) {
  int n = 0;
  auto const check = [&](auto const& t) {
    t.check_writable();
    executor::check_result(executor::result_shape(P::plan, b, n++), t.shape(), t.is_contiguous());
  };
  each_tensor(out, check);
}
template <class X> bool all_contiguous(X const& x) {
  bool all = true;
  auto const look = [&](auto const& t) { all = all && t.is_contiguous(); };
  each_tensor(x, look);
  return all;
}

// The parameters of a plan, as a constant expression knows them.
template <class P, class M> constexpr list<kernel::pointer> constant_parameters(M const& net) {
  list<kernel::pointer> values(P::sizes.parameters + 1);
  int visited = 0;
  nn::visit_parameters(net, [&](auto const& p, std::string_view) {
    for (int i = 0; i < P::sizes.parameters; ++i)
      if (P::plan.parameter_at[i] == visited) values[i] = p.use(P::plan.parameter_types[i].shape);
    ++visited;
  });
  return values;
}
// In a constant expression. Tensors are row-major here and below.
template <class C, class M> constexpr void run_constant_with_bodies(M const& net, executor::constant_call c, binding const& b) {
  using P = typename C::program_type;
  list<list<kernel::pointer>> values;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (values.push(constant_parameters<executor::body_program<P, I>>(net)), ...);
  }(std::make_integer_sequence<int, C::bodies>{});
  kernel::pointer const* of[C::bodies];
  for (int i = 0; i < C::bodies; ++i) of[i] = values[i].data();
  c.bodies = of;
  executor::run_constant<P, reference::backend>(c, b);
}
template <class C, class M, class Out, class... X> constexpr void run_constant(M const& net, binding const& b, Out const& out,
                                                                               X const&... x) {
  using P = typename C::program_type;
  kernel::pointer in[P::sizes.inputs + 1]{}, to[P::sizes.results + 1]{};
  int n = 0, k = 0;
  auto const note = [&]<class T, class S, class D>(nd::tensor<T, S, D> const& t) {
    in[n++] = const_cast<std::remove_const_t<T>*>(t.data());
  };
  (each_tensor(x, note), ...);
  if (P::sizes.results > tensors_in<Out>())
    throw error("sinter: a compiled network assigns states when the program runs, not in a constant expression");
  if (n < P::sizes.inputs) throw error("sinter: random numbers are drawn when the program runs, not in a constant expression");
  auto const note_result = [&](auto const& t) { to[k++] = t.data(); };
  each_tensor(out, note_result);
  list<kernel::pointer> const parameters = constant_parameters<P>(net);
  if constexpr (C::bodies > 0) run_constant_with_bodies<C>(net, {in, to, parameters.data()}, b);
  else executor::run_constant<P, reference::backend>({in, to, parameters.data()}, b);
}
// When the program runs. `Alone`: in an instance, which one thread uses at a time.
template <class C, class Backend, bool Alone, class M, class Out, class... X>
void run_now(M const& net, executor::prepared_plans& plans, binding const& b, Out const& out, X const&... x) {
  using P = typename C::program_type;
  using device_type = device_t<X...>;
  constexpr int given = (tensors_in<X>() + ... + 0);
  std::byte *in[P::sizes.inputs + 1], *to[P::sizes.results + 1];
  int n = 0, k = 0;
  auto const note = [&]<class T, class S, class D>(nd::tensor<T, S, D> const& t) {
    in[n++] = reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(t.data()));
  };
  (each_tensor(x, note), ...);
  auto const note_result = [&](auto const& t) { to[k++] = reinterpret_cast<std::byte*>(t.data()); };
  each_tensor(out, note_result);

  executor::call c{in, to, &b};
  sinter::detail::call_of_this_thread const here;
  auto& values = kept_for<C, P, device_type, Backend, Alone, M>(plans, b);
  auto& w = executor::workspace_of<P, Backend>();
  auto const f = executor::begin<P, Backend, device_type>(w, c);
  state_writer<C, device_type, Alone> states(net, values);
  bring_up_to_date<C, device_type, Alone>(net, plans, values, f);
  states.place(to);
  [[maybe_unused]] std::int64_t keys[P::sizes.inputs + 1];
  if constexpr (given < P::sizes.inputs) executor::draw_keys<device_type>(w, in, keys, given, P::sizes.inputs);
  c.parameters = values.values;
  c.prepared = values.made;
  executor::body_values of_bodies[C::bodies + 1];
  if constexpr (C::bodies > 0) {
    find_values_of_bodies<C, device_type, Backend, Alone>(net, plans, b, of_bodies);
    c.bodies = of_bodies;
  }
  executor::run_network(f, c);
  states.assign();
}

}  // namespace sinter::detail::inline SINTER_ISA
